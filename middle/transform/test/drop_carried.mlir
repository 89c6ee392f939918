// RUN: tegula-opt %s --tile-O2 | FileCheck %s

// Carried values that nobody reads, and loads of them, go away; what has effects stays.
// CHECK-LABEL: func.func @for(
// CHECK: scf.for {{.*}} {
// CHECK-NEXT: tile.store
// CHECK-NOT: tile.load
// CHECK: return
func.func @for(%n: i32, %p: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant 0.0 : f32
  %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z, %q = %p) -> (f32, !tile.ptr<f32>) : i32 {
    tile.store %p, %z : !tile.ptr<f32>, f32
    %0 = tile.load %q : (!tile.ptr<f32>) -> f32
    %1 = arith.addf %a, %0 : f32
    %2 = tile.addptr %q, %c1 : !tile.ptr<f32>, i32
    scf.yield %1, %2 : f32, !tile.ptr<f32>
  }
  return
}

// A combination keeps its region even where only one result is read.
// CHECK-LABEL: func.func @reduce(
// CHECK: tile.reduce
// CHECK: arith.addf
// CHECK: tile.yield
func.func @reduce(%x: tensor<8xf32>, %p: !tile.ptr<f32>) attributes {tile.kernel} {
  %0:2 = tile.reduce %x, %x axis 0 : (tensor<8xf32>, tensor<8xf32>) -> (f32, f32) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    %s = arith.addf %a, %c : f32
    tile.yield %s, %b : f32, f32
  }
  tile.store %p, %0#0 : !tile.ptr<f32>, f32
  return
}

// One carried value decides what is stored, and is computed of the other.
// CHECK-LABEL: func.func @needed(
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (f32, f32)
func.func @needed(%n: i32, %x: f32, %p: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (f32, f32) : i32 {
    tile.store %p, %b : !tile.ptr<f32>, f32
    %1 = arith.mulf %a, %x : f32
    %2 = arith.addf %a, %b : f32
    scf.yield %1, %2 : f32, f32
  }
  return
}
