// RUN: tegula-opt %s --tegula-merge-carried --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @equal(
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %arg1) -> (i32)
// CHECK: return %[[R]], %[[R]]
func.func @equal(%n: i32, %x: i32, %y: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (i32, i32) : i32 {
    %0 = arith.addi %a, %y : i32
    %1 = arith.addi %b, %y : i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.muli %1, %0 : i32
    scf.yield %2, %3 : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

// Other steps, other starts, and a pair that is only equal as long as another pair is, which is not.
// CHECK-LABEL: func.func @different(
// CHECK: scf.for {{.*}} -> (i32, i32, i32, i32)
func.func @different(%n: i32, %x: i32, %y: i32) -> (i32, i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x, %c = %y, %d = %y) -> (i32, i32, i32, i32) : i32 {
    %0 = arith.addi %a, %y : i32
    %1 = arith.addi %b, %x : i32
    %2 = arith.addi %c, %a : i32
    %3 = arith.addi %d, %b : i32
    scf.yield %0, %1, %2, %3 : i32, i32, i32, i32
  }
  return %r#0, %r#1, %r#2, %r#3 : i32, i32, i32, i32
}

// Two loads may give two values.
// CHECK-LABEL: func.func @loads(
// CHECK: scf.for {{.*}} -> (i32, i32)
func.func @loads(%n: i32, %x: i32, %p: !tile.ptr<i32>) -> (i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (i32, i32) : i32 {
    %0 = tile.load %p volatile : (!tile.ptr<i32>) -> i32
    %1 = tile.load %p volatile : (!tile.ptr<i32>) -> i32
    scf.yield %0, %1 : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}
