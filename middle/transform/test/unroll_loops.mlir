// RUN: tegula-opt %s --tegula-unroll-loops | FileCheck %s

// CHECK-LABEL: func.func @constant(
// CHECK: scf.for
// CHECK-COUNT-4: arith.addi %{{.*}}, %arg0
// CHECK: scf.yield
// CHECK-NOT: scf.for
// CHECK: return
func.func @constant(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %s = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %x) -> i32 : i32 {
    %0 = arith.addi %a, %x : i32
    scf.yield %0 : i32
  } {tile.unroll = 4 : i32}
  return %s : i32
}

// A remainder loop follows, and an upper bound below the lower one counts as equal to it.
// CHECK-LABEL: func.func @unknown(
// CHECK: arith.maxsi %c0_i32, %arg1 : i32
// CHECK: scf.for
// CHECK-COUNT-2: arith.addi %{{.*}}, %arg0
// CHECK: scf.for
// CHECK: arith.addi %{{.*}}, %arg0
// CHECK-NOT: tile.unroll
// CHECK: return
func.func @unknown(%x: i32, %hi: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %s = scf.for %i = %c0 to %hi step %c1 iter_args(%a = %x) -> i32 : i32 {
    %0 = arith.addi %a, %x : i32
    scf.yield %0 : i32
  } {tile.unroll = 2 : i32}
  return %s : i32
}

// The distance of the bounds, or two steps, may not fit 32 bits: the loop counts in 64.
// CHECK-LABEL: func.func @far(
// CHECK-DAG: %[[LO:.*]] = arith.extsi %arg0 : i32 to i64
// CHECK-DAG: %[[HI:.*]] = arith.extsi %arg1 : i32 to i64
// CHECK: scf.for %[[I:.*]] = %[[LO]] to {{.*}} : i64
// CHECK-NEXT: arith.trunci %[[I]] : i64 to i32
func.func @far(%lo: i32, %hi: i32, %step: i32) -> i32 {
  %s = scf.for %i = %lo to %hi step %step iter_args(%a = %lo) -> i32 : i32 {
    %0 = arith.addi %a, %i : i32
    scf.yield %0 : i32
  } {tile.unroll = 4 : i32}
  return %s : i32
}

// CHECK-LABEL: func.func @wide(
// CHECK-COUNT-1: arith.addi
// CHECK-NOT: arith.addi
func.func @wide(%lo: i64, %hi: i64, %step: i64) -> i64 {
  %s = scf.for %i = %lo to %hi step %step iter_args(%a = %lo) -> i64 : i64 {
    %0 = arith.addi %a, %i : i64
    scf.yield %0 : i64
  } {tile.unroll = 4 : i32}
  return %s : i64
}

// CHECK-LABEL: func.func @unasked(
// CHECK-COUNT-1: arith.addi
// CHECK-NOT: arith.addi
func.func @unasked(%lo: i32, %hi: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %s = scf.for %i = %lo to %hi step %c1 iter_args(%a = %lo) -> i32 : i32 {
    %0 = arith.addi %a, %lo : i32
    scf.yield %0 : i32
  }
  return %s : i32
}
