// RUN: tegula-opt %s --tegula-reorder-broadcasts | FileCheck %s

// CHECK-LABEL: func.func @splats(
// CHECK: %[[C:.*]] = arith.constant 2 : i32
// CHECK: %[[M:.*]] = arith.muli %arg0, %[[C]] : i32
// CHECK: %[[A:.*]] = arith.addi %[[M]], %arg1 : i32
// CHECK: %[[S:.*]] = tile.splat %[[A]] : i32 -> tensor<8xi32>
// CHECK: return %[[S]]
func.func @splats(%x: i32, %y: i32) -> tensor<8xi32> {
  %two = arith.constant dense<2> : tensor<8xi32>
  %0 = tile.splat %x : i32 -> tensor<8xi32>
  %1 = tile.splat %y : i32 -> tensor<8xi32>
  %2 = arith.muli %0, %two : tensor<8xi32>
  %3 = arith.addi %2, %1 : tensor<8xi32>
  return %3 : tensor<8xi32>
}

// CHECK-LABEL: func.func @pointer(
// CHECK: tile.addptr %arg0, %arg1 : !tile.ptr<f32>, i32
// CHECK: arith.cmpi slt, %arg1, %{{.*}} : i32
func.func @pointer(%p: !tile.ptr<f32>, %i: i32) -> (tensor<8x!tile.ptr<f32>>, tensor<8xi1>) {
  %0 = tile.splat %p : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %1 = tile.splat %i : i32 -> tensor<8xi32>
  %2 = tile.addptr %0, %1 : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %c = arith.constant dense<3> : tensor<8xi32>
  %3 = arith.cmpi slt, %1, %c : tensor<8xi32>
  return %2, %3 : tensor<8x!tile.ptr<f32>>, tensor<8xi1>
}

// CHECK-LABEL: func.func @broadcasts(
// CHECK: %[[S:.*]] = tile.splat %arg1 : f32 -> tensor<1x8xf32>
// CHECK: %[[A:.*]] = arith.mulf %arg0, %[[S]] : tensor<1x8xf32>
// CHECK: %[[E:.*]] = tile.math1 exp %[[A]] : tensor<1x8xf32>
// CHECK: tile.broadcast %[[E]] : tensor<1x8xf32> -> tensor<4x8xf32>
func.func @broadcasts(%x: tensor<1x8xf32>, %y: f32) -> tensor<4x8xf32> {
  %0 = tile.broadcast %x : tensor<1x8xf32> -> tensor<4x8xf32>
  %1 = tile.splat %y : f32 -> tensor<4x8xf32>
  %2 = arith.mulf %0, %1 : tensor<4x8xf32>
  %3 = tile.math1 exp %2 : tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}

// A scalar condition stays one.
// CHECK-LABEL: func.func @select(
// CHECK: arith.select %arg2, %arg0, %arg1 : tensor<1x8xf32>
// CHECK: tile.broadcast
func.func @select(%x: tensor<1x8xf32>, %y: tensor<1x8xf32>, %c: i1) -> tensor<4x8xf32> {
  %0 = tile.broadcast %x : tensor<1x8xf32> -> tensor<4x8xf32>
  %1 = tile.broadcast %y : tensor<1x8xf32> -> tensor<4x8xf32>
  %2 = arith.select %c, %0, %1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// Different shapes, an operand that is no repetition, and an op that is not elementwise.
// CHECK-LABEL: func.func @stays(
// CHECK: arith.addf %{{.*}}, %{{.*}} : tensor<4x8xf32>
// CHECK: arith.addf %{{.*}}, %{{.*}} : tensor<4x8xf32>
// CHECK: tile.load %{{.*}} -> tensor<8xf32>
func.func @stays(%x: tensor<1x8xf32>, %y: tensor<4x1xf32>, %z: tensor<4x8xf32>, %p: !tile.ptr<f32>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>) {
  %0 = tile.broadcast %x : tensor<1x8xf32> -> tensor<4x8xf32>
  %1 = tile.broadcast %y : tensor<4x1xf32> -> tensor<4x8xf32>
  %2 = arith.addf %0, %1 : tensor<4x8xf32>
  %3 = arith.addf %0, %z : tensor<4x8xf32>
  %4 = tile.splat %p : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %5 = tile.load %4 : (tensor<8x!tile.ptr<f32>>) -> tensor<8xf32>
  return %2, %3, %5 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>
}
