// RUN: tegula-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @shape_of_splat(
// CHECK-NEXT: %[[S:.*]] = tile.splat %{{.*}} : f32 -> tensor<8x4xf32>
// CHECK-NEXT: return %[[S]]
func.func @shape_of_splat(%x: f32) -> tensor<8x4xf32> {
  %0 = tile.splat %x : f32 -> tensor<8xf32>
  %1 = tile.expand_dims %0 0 : tensor<8xf32> -> tensor<1x8xf32>
  %2 = tile.broadcast %1 : tensor<1x8xf32> -> tensor<4x8xf32>
  %3 = tile.transpose %2 [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  return %3 : tensor<8x4xf32>
}

// CHECK-LABEL: func.func @shape_of_constant(
// CHECK-NEXT: arith.constant dense<1.500000e+00> : tensor<2x4xf32>
// CHECK-NEXT: return
func.func @shape_of_constant() -> tensor<2x4xf32> {
  %c = arith.constant 1.5 : f32
  %0 = tile.splat %c : f32 -> tensor<8xf32>
  %1 = tile.reshape %0 : tensor<8xf32> -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @transposes(
// CHECK-NEXT: tile.transpose %{{.*}} [2, 0, 1]
// CHECK-NEXT: return
func.func @transposes(%x: tensor<2x4x8xf32>) -> tensor<8x2x4xf32> {
  %0 = tile.transpose %x [1, 2, 0] : tensor<2x4x8xf32> -> tensor<4x8x2xf32>
  %1 = tile.transpose %0 [1, 2, 0] : tensor<4x8x2xf32> -> tensor<8x2x4xf32>
  return %1 : tensor<8x2x4xf32>
}

// CHECK-LABEL: func.func @masks(
// CHECK-NEXT: %[[X:.*]] = tile.load %[[P:.*]] : (
// CHECK-NEXT: tile.store %[[P]], %[[X]] :
// CHECK-NEXT: return %{{.*}}
func.func @masks(%p: tensor<8x!tile.ptr<f32>>, %o: tensor<8xf32>) -> tensor<8xf32> {
  %t = arith.constant dense<true> : tensor<8xi1>
  %f = arith.constant dense<false> : tensor<8xi1>
  %0 = tile.load %p mask %t other %o : (tensor<8x!tile.ptr<f32>>, tensor<8xi1>, tensor<8xf32>) -> tensor<8xf32>
  %1 = tile.load %p mask %f other %o : (tensor<8x!tile.ptr<f32>>, tensor<8xi1>, tensor<8xf32>) -> tensor<8xf32>
  tile.store %p, %0 mask %t : tensor<8x!tile.ptr<f32>>, tensor<8xf32>, tensor<8xi1>
  tile.store %p, %o mask %f : tensor<8x!tile.ptr<f32>>, tensor<8xf32>, tensor<8xi1>
  return %1 : tensor<8xf32>
}

// Loads that see what others write stay even where nobody wants their value.
// CHECK-LABEL: func.func @volatile(
// CHECK-NEXT: tile.load %{{.*}} volatile
// CHECK-NEXT: tile.load %{{.*}} cache{{ +}}cv
// CHECK-NEXT: return
func.func @volatile(%p: !tile.ptr<i32>) {
  %0 = tile.load %p volatile : (!tile.ptr<i32>) -> i32
  %1 = tile.load %p cache cv : (!tile.ptr<i32>) -> i32
  %2 = tile.load %p : (!tile.ptr<i32>) -> i32
  return
}

// CHECK-LABEL: func.func @reports(
// CHECK-NEXT: tile.assert %{{.*}}, "b"
// CHECK-NEXT: return
func.func @reports(%c: i1) {
  %t = arith.constant true
  tile.assert %t, "a" : i1
  tile.assert %c, "b" : i1
  tile.assume %t
  return
}

// CHECK-LABEL: func.func @exact(
// CHECK-DAG: %[[H:.*]] = arith.constant 1.500000e+00 : f16
// CHECK-DAG: %[[C:.*]] = arith.constant 3 : i32
// CHECK-DAG: %[[M:.*]] = arith.constant -1 : i32
// CHECK: return %[[H]], %[[C]], %[[M]]
func.func @exact() -> (f16, i32, i32) {
  %x = arith.constant 1.5 : f32
  %0 = tile.fpcast %x rtne : f32 -> f16
  %c7 = arith.constant 7 : i32
  %1 = tile.bits1 popcount %c7 : i32
  %m = arith.constant -3 : i32
  %2 = tile.mulhsi %m, %c7 : i32
  return %0, %1, %2 : f16, i32, i32
}

// Neither functions that hosts compute differently nor roundings are done here, and floats keep their order and their NaNs.
// CHECK-LABEL: func.func @inexact(
// CHECK: tile.fpcast
// CHECK: tile.math1 exp
// CHECK: arith.addf
// CHECK: arith.mulf
// CHECK: arith.subf
// CHECK: arith.addf
// CHECK: arith.addf
func.func @inexact(%a: f32, %b: f32) -> (f16, f32, f32, f32, f32, f32) {
  %x = arith.constant 0.1 : f32
  %z = arith.constant 0.0 : f32
  %0 = tile.fpcast %x rtne : f32 -> f16
  %1 = tile.math1 exp %x : f32
  %2 = arith.addf %a, %z : f32
  %3 = arith.mulf %a, %z : f32
  %4 = arith.subf %a, %a : f32
  %5 = arith.addf %a, %b : f32
  %6 = arith.addf %5, %x : f32
  return %0, %1, %2, %3, %4, %6 : f16, f32, f32, f32, f32, f32
}
