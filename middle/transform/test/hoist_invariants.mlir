// RUN: tegula-opt %s --tegula-hoist-invariants | FileCheck %s

// A load is masked off where the loop does not run; what depends on it follows.
// CHECK-LABEL: func.func @load(
// CHECK: %[[R:.*]] = arith.cmpi slt, %arg1, %arg2 : i32
// CHECK: %[[X:.*]] = tile.load %arg0 mask %[[R]]
// CHECK: %[[Y:.*]] = arith.addf %[[X]], %[[X]]
// CHECK: scf.for
// CHECK-NEXT: arith.mulf %{{.*}}, %[[Y]]
func.func @load(%p: !tile.ptr<f32>, %lo: i32, %hi: i32, %z: f32) -> f32 {
  %c1 = arith.constant 1 : i32
  %s = scf.for %i = %lo to %hi step %c1 iter_args(%a = %z) -> f32 : i32 {
    %0 = tile.load %p : (!tile.ptr<f32>) -> f32
    %1 = arith.addf %0, %0 : f32
    %2 = arith.mulf %a, %1 : f32
    scf.yield %2 : f32
  }
  return %s : f32
}

// The loop runs for certain, so the load needs no mask.
// CHECK-LABEL: func.func @certain(
// CHECK: tile.load %arg0 : (tensor<8x!tile.ptr<f32>>) -> tensor<8xf32>
// CHECK: scf.for
func.func @certain(%p: tensor<8x!tile.ptr<f32>>, %z: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %s = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %z) -> tensor<8xf32> : i32 {
    %0 = tile.load %p : (tensor<8x!tile.ptr<f32>>) -> tensor<8xf32>
    %1 = arith.addf %a, %0 : tensor<8xf32>
    scf.yield %1 : tensor<8xf32>
  }
  return %s : tensor<8xf32>
}

// CHECK-LABEL: func.func @masked(
// CHECK: %[[R:.*]] = arith.cmpi slt
// CHECK: %[[S:.*]] = tile.splat %[[R]] : i1 -> tensor<8xi1>
// CHECK: %[[M:.*]] = arith.andi %[[S]], %arg1
// CHECK: tile.load %arg0 mask %[[M]] other %arg3
// CHECK: scf.for
func.func @masked(%p: tensor<8x!tile.ptr<f32>>, %m: tensor<8xi1>, %hi: i32, %z: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %s = scf.for %i = %c0 to %hi step %c1 iter_args(%a = %z) -> tensor<8xf32> : i32 {
    %0 = tile.load %p mask %m other %z : (tensor<8x!tile.ptr<f32>>, tensor<8xi1>, tensor<8xf32>) -> tensor<8xf32>
    %1 = arith.addf %a, %0 : tensor<8xf32>
    scf.yield %1 : tensor<8xf32>
  }
  return %s : tensor<8xf32>
}

// Remainders by what may be zero, and gathers with indices that may be out of range, stay where they may not run.
// CHECK-LABEL: func.func @undefined(
// CHECK: arith.remsi %arg0, %c7_i32
// CHECK: scf.for
// CHECK-NEXT: arith.remsi %arg0, %arg1
// CHECK-NEXT: arith.remui %arg0, %arg1
// CHECK: tile.gather
func.func @undefined(%x: i32, %y: i32, %t: tensor<8xi32>, %i: tensor<8xi32>) -> (i32, tensor<8xi32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %s:2 = scf.for %k = %c0 to %x step %c1 iter_args(%a = %c0, %b = %t) -> (i32, tensor<8xi32>) : i32 {
    %0 = arith.remsi %x, %y : i32
    %1 = arith.remui %x, %y : i32
    %2 = arith.remsi %x, %c7 : i32
    %3 = arith.addi %0, %1 : i32
    %4 = arith.addi %3, %2 : i32
    %5 = arith.addi %4, %a : i32
    %6 = tile.gather %t [%i] axis 0 : tensor<8xi32>, tensor<8xi32> -> tensor<8xi32>
    scf.yield %5, %6 : i32, tensor<8xi32>
  }
  return %s#0, %s#1 : i32, tensor<8xi32>
}

// Something may write; the load is volatile; the loop says no; a division may be by zero; the load stands under a condition.
// CHECK-LABEL: func.func @stays(
// CHECK: scf.for
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.store
// CHECK: scf.for
// CHECK-NEXT: tile.load %{{.*}} volatile
// CHECK-NEXT: tile.load %{{.*}} cache{{ +}}cv
// CHECK: scf.for
// CHECK-NEXT: arith.addi
// CHECK: scf.for
// CHECK-NEXT: arith.divsi
// CHECK: scf.for
// CHECK-NEXT: scf.if
// CHECK-NEXT: tile.load
func.func @stays(%p: !tile.ptr<i32>, %q: !tile.ptr<i32>, %hi: i32, %c: i1) -> (i32, i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %hi step %c1 : i32 {
    %0 = tile.load %p : (!tile.ptr<i32>) -> i32
    tile.store %q, %0 : !tile.ptr<i32>, i32
  }
  %s0 = scf.for %i = %c0 to %hi step %c1 iter_args(%a = %c0) -> i32 : i32 {
    %0 = tile.load %p volatile : (!tile.ptr<i32>) -> i32
    %1 = tile.load %p cache cv : (!tile.ptr<i32>) -> i32
    %2 = arith.addi %0, %1 : i32
    scf.yield %2 : i32
  }
  %s1 = scf.for %i = %c0 to %hi step %c1 iter_args(%a = %c0) -> i32 : i32 {
    %0 = arith.addi %hi, %hi : i32
    scf.yield %0 : i32
  } {tile.disable_licm}
  %s2 = scf.for %i = %c0 to %hi step %c1 iter_args(%a = %c0) -> i32 : i32 {
    %0 = arith.divsi %c1, %hi : i32
    scf.yield %0 : i32
  }
  %s3 = scf.for %i = %c0 to %hi step %c1 iter_args(%a = %c0) -> i32 : i32 {
    %1 = scf.if %c -> i32 {
      %0 = tile.load %p : (!tile.ptr<i32>) -> i32
      scf.yield %0 : i32
    } else {
      scf.yield %a : i32
    }
    scf.yield %1 : i32
  }
  return %s0, %s1, %s2, %s3 : i32, i32, i32, i32
}
