// RUN: tegula-opt %s --tile-O2 | FileCheck %s
// RUN: tegula-opt %s --tile-O0 | FileCheck %s --check-prefix=O0
// RUN: tegula-opt %s --tile-O2 --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=TEXT

// TEXT: inline
// TEXT: tegula-combine-ops{allow-reassociation=false}
// TEXT: symbol-dce

// A helper goes into the kernel, unless it says no; what nobody calls goes away. At -O0 all stays.
// CHECK-LABEL: func.func @kernel(
// CHECK-NOT: call @small
// CHECK: arith.mulf
// CHECK: call @big
// CHECK-NOT: func.func private @small
// CHECK: func.func private @big
// CHECK-NOT: @unused
// O0: call @small
// O0: func.func private @unused
func.func @kernel(%p: !tile.ptr<f32>, %t: tensor<8xf32>) attributes {tile.kernel} {
  %0 = tile.load %p : (!tile.ptr<f32>) -> f32
  %1 = func.call @small(%0) : (f32) -> f32
  %2 = func.call @big(%1) : (f32) -> f32
  %3 = tile.reduce %t axis 0 : (tensor<8xf32>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    %s = func.call @sum(%a, %b) : (f32, f32) -> f32
    tile.yield %s : f32
  }
  %4 = arith.addf %2, %3 : f32
  tile.store %p, %4 : !tile.ptr<f32>, f32
  return
}
func.func private @small(%x: f32) -> f32 {
  %0 = arith.mulf %x, %x : f32
  return %0 : f32
}
func.func private @big(%x: f32) -> f32 attributes {no_inline} {
  %0 = arith.addf %x, %x : f32
  return %0 : f32
}
func.func private @sum(%x: f32, %y: f32) -> f32 {
  %0 = arith.addf %x, %y : f32
  return %0 : f32
}
func.func private @unused(%x: f32) -> f32 {
  return %x : f32
}
