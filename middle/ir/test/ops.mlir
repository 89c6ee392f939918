// RUN: tegula-opt %s | tegula-opt | FileCheck %s
// RUN: tegula-opt --mlir-print-op-generic %s | tegula-opt | FileCheck %s

module attributes {tile.num_warps = 4 : i32, tile.num_stages = 3 : i32, tile.num_ctas = 1 : i32, tile.max_registers = 0 : i32} {
// CHECK-LABEL: func.func @program(
// CHECK-SAME: !tile.ptr<f32> {tile.const, tile.divisibility = 16 : i64, tile.name = "x"}, %{{.*}}: !tile.ptr<i8, generic>
// CHECK-SAME: attributes {tile.kernel}
func.func @program(%p: !tile.ptr<f32> {tile.const, tile.divisibility = 16 : i64, tile.name = "x"}, %q: !tile.ptr<i8, generic>,
                   %x: tensor<8xi32>, %y: f32, %c: tensor<8xi1>, %b: i1) attributes {tile.kernel} {
  // CHECK: tile.program_id 0
  %0 = tile.program_id 0
  // CHECK: tile.num_programs 1
  %1 = tile.num_programs 1
  // CHECK: tile.arange 0, 128 : tensor<128xi32>
  %2 = tile.arange 0, 128 : tensor<128xi32>
  // CHECK: tile.barrier
  tile.barrier
  // CHECK: tile.print "x: " %{{.*}}, %{{.*}} signed [1, 0] : tensor<8xi32>, f32
  tile.print "x: " %x, %y signed [1, 0] : tensor<8xi32>, f32
  // CHECK: tile.print "here" signed [] hex
  tile.print "here" signed [] hex
  // CHECK: tile.assert %{{.*}}, "x is negative" : tensor<8xi1>
  tile.assert %c, "x is negative" : tensor<8xi1>
  // CHECK: tile.assert %{{.*}}, "x is negative" mask %{{.*}} : tensor<8xi1>, tensor<8xi1>
  tile.assert %c, "x is negative" mask %c : tensor<8xi1>, tensor<8xi1>
  // CHECK: tile.assume %{{.*}}
  tile.assume %b
  return
}

// CHECK-LABEL: func.func @shape(
func.func @shape(%x: f32, %a: tensor<8xf32>, %r: tensor<1x8xf32>, %m: tensor<4x8xf32>, %one: tensor<1x1xf32>, %i: tensor<8xi32>) {
  // CHECK: tile.splat %{{.*}} : f32 -> tensor<4x8xf32>
  %0 = tile.splat %x : f32 -> tensor<4x8xf32>
  // CHECK: tile.broadcast %{{.*}} : tensor<1x8xf32> -> tensor<4x8xf32>
  %1 = tile.broadcast %r : tensor<1x8xf32> -> tensor<4x8xf32>
  // CHECK: tile.expand_dims %{{.*}} 1 : tensor<8xf32> -> tensor<8x1xf32>
  %2 = tile.expand_dims %a 1 : tensor<8xf32> -> tensor<8x1xf32>
  // CHECK: tile.reshape %{{.*}} : tensor<4x8xf32> -> tensor<32xf32>
  %3 = tile.reshape %m : tensor<4x8xf32> -> tensor<32xf32>
  // CHECK: tile.reshape %{{.*}} reorder : tensor<4x8xf32> -> tensor<32xf32>
  %4 = tile.reshape %m reorder : tensor<4x8xf32> -> tensor<32xf32>
  // CHECK: tile.transpose %{{.*}} [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  %5 = tile.transpose %m [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  // CHECK: %[[J:.*]] = tile.join %{{.*}}, %{{.*}} : tensor<8xf32> -> tensor<8x2xf32>
  %6 = tile.join %a, %a : tensor<8xf32> -> tensor<8x2xf32>
  // CHECK: tile.split %[[J]] : tensor<8x2xf32> -> tensor<8xf32>
  %7, %8 = tile.split %6 : tensor<8x2xf32> -> tensor<8xf32>
  // CHECK: tile.concat %{{.*}}, %{{.*}} 0 : tensor<8xf32> -> tensor<16xf32>
  %9 = tile.concat %a, %a 0 : tensor<8xf32> -> tensor<16xf32>
  // CHECK: tile.extract_scalar %{{.*}} : tensor<1x1xf32> -> f32
  %10 = tile.extract_scalar %one : tensor<1x1xf32> -> f32
  // CHECK: tile.hint %{{.*}} divisibility [16] contiguity [] constancy [] : tensor<8xi32>
  %11 = tile.hint %i divisibility [16] contiguity [] constancy [] : tensor<8xi32>
  return
}

// CHECK-LABEL: func.func @memory(
func.func @memory(%p: tensor<8x!tile.ptr<f32>>, %i: tensor<8xi32>, %m: tensor<8xi1>, %o: tensor<8xf32>, %s: !tile.ptr<f32>, %l: i64,
                  %q: !tile.ptr<i32>, %v: i32, %b: i1) {
  // CHECK: tile.addptr %{{.*}}, %{{.*}} : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %0 = tile.addptr %p, %i : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  // CHECK: tile.addptr %{{.*}}, %{{.*}} unsigned : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %1 = tile.addptr %p, %i unsigned : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  // CHECK: tile.ptrtoint %{{.*}} : !tile.ptr<f32> -> i64
  %2 = tile.ptrtoint %s : !tile.ptr<f32> -> i64
  // CHECK: tile.inttoptr %{{.*}} : i64 -> !tile.ptr<f32>
  %3 = tile.inttoptr %l : i64 -> !tile.ptr<f32>
  // CHECK: tile.bitcast %{{.*}} : !tile.ptr<f32> -> !tile.ptr<i32>
  %4 = tile.bitcast %s : !tile.ptr<f32> -> !tile.ptr<i32>
  // CHECK: tile.load %{{.*}} : (tensor<8x!tile.ptr<f32>>) -> tensor<8xf32>
  %5 = tile.load %p : (tensor<8x!tile.ptr<f32>>) -> tensor<8xf32>
  // CHECK: tile.load %{{.*}} mask %{{.*}} other %{{.*}} cache cg evict evict_last volatile : (tensor<8x!tile.ptr<f32>>, tensor<8xi1>, tensor<8xf32>) -> tensor<8xf32>
  %6 = tile.load %p mask %m other %o cache cg evict evict_last volatile : (tensor<8x!tile.ptr<f32>>, tensor<8xi1>, tensor<8xf32>) -> tensor<8xf32>
  // CHECK: tile.store %{{.*}}, %{{.*}} mask %{{.*}} cache wt : tensor<8x!tile.ptr<f32>>, tensor<8xf32>, tensor<8xi1>
  tile.store %p, %o mask %m cache wt : tensor<8x!tile.ptr<f32>>, tensor<8xf32>, tensor<8xi1>
  // CHECK: tile.atomic_rmw fadd acq_rel gpu %{{.*}}, %{{.*}} : tensor<8x!tile.ptr<f32>>, tensor<8xf32>
  %7 = tile.atomic_rmw fadd acq_rel gpu %p, %o : tensor<8x!tile.ptr<f32>>, tensor<8xf32>
  // CHECK: tile.atomic_rmw add relaxed cta %{{.*}}, %{{.*}} mask %{{.*}} : !tile.ptr<i32>, i32, i1
  %8 = tile.atomic_rmw add relaxed cta %q, %v mask %b : !tile.ptr<i32>, i32, i1
  // CHECK: tile.atomic_cas acquire gpu %{{.*}}, %{{.*}}, %{{.*}} : !tile.ptr<i32>, i32
  %9 = tile.atomic_cas acquire gpu %q, %v, %v : !tile.ptr<i32>, i32
  return
}

// CHECK-LABEL: func.func @math(
func.func @math(%i: i32, %x: f32, %t: tensor<8xf32>, %n: tensor<8xi32>) {
  // CHECK: tile.mulhui %{{.*}}, %{{.*}} : i32
  %0 = tile.mulhui %i, %i : i32
  // CHECK: tile.mulhsi %{{.*}}, %{{.*}} : i32
  %1 = tile.mulhsi %i, %i : i32
  // CHECK: tile.divf_rn %{{.*}}, %{{.*}} : f32
  %2 = tile.divf_rn %x, %x : f32
  // CHECK: tile.mul_add %{{.*}}, %{{.*}}, %{{.*}} : f32
  %3 = tile.mul_add %x, %x, %x : f32
  // CHECK: tile.fpcast %{{.*}} rtne : f32 -> f16
  %4 = tile.fpcast %x rtne : f32 -> f16
  // CHECK: tile.fpcast %{{.*}} rtz saturate : tensor<8xf32> -> tensor<8xf8E4M3FN>
  %5 = tile.fpcast %t rtz saturate : tensor<8xf32> -> tensor<8xf8E4M3FN>
  // CHECK: tile.math1 exp %{{.*}} : tensor<8xf32>
  %6 = tile.math1 exp %t : tensor<8xf32>
  // CHECK: tile.math2 pow %{{.*}}, %{{.*}} : f32
  %7 = tile.math2 pow %x, %x : f32
  // CHECK: tile.math2 ldexp %{{.*}}, %{{.*}} : tensor<8xf32>
  %8 = tile.math2 ldexp %t, %t : tensor<8xf32>
  // CHECK: tile.bits1 popcount %{{.*}} : i32
  %9 = tile.bits1 popcount %i : i32
  // CHECK: tile.classify nan %{{.*}} : tensor<8xf32> -> tensor<8xi1>
  %10 = tile.classify nan %t : tensor<8xf32> -> tensor<8xi1>
  return
}

// CHECK-LABEL: func.func @collective(
func.func @collective(%x: tensor<8xf32>, %i: tensor<4xi32>, %h: tensor<64xi32>, %m: tensor<64xi1>,
                      %a: tensor<16x8xf32>, %b: tensor<8x16xf32>, %c: tensor<16x16xf32>) {
  // CHECK: tile.reduce %{{.*}}, %{{.*}} axis 0 : (tensor<8xf32>, tensor<8xf32>) -> (f32, f32)
  // CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %{{.*}}: f32, %[[B:.*]]: f32, %{{.*}}: f32):
  // CHECK-NEXT: arith.addf %[[A]], %[[B]] : f32
  // CHECK: tile.yield %{{.*}}, %{{.*}} : f32, f32
  %0:2 = tile.reduce %x, %x axis 0 : (tensor<8xf32>, tensor<8xf32>) -> (f32, f32) {
  ^bb0(%l: f32, %l1: f32, %r: f32, %r1: f32):
    %s = arith.addf %l, %r : f32
    tile.yield %s, %l1 : f32, f32
  }
  // CHECK: tile.reduce %{{.*}} axis 0 : (tensor<8xf32>) -> f32
  %5 = tile.reduce %x axis 0 : (tensor<8xf32>) -> f32 {
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    tile.yield %s : f32
  }
  // CHECK: tile.scan %{{.*}} axis 0 reverse : (tensor<8xf32>) -> tensor<8xf32>
  %1 = tile.scan %x axis 0 reverse : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    tile.yield %s : f32
  }
  // CHECK: tile.gather %{{.*}}[%{{.*}}] axis 0 : tensor<8xf32>, tensor<4xi32> -> tensor<4xf32>
  %2 = tile.gather %x [%i] axis 0 : tensor<8xf32>, tensor<4xi32> -> tensor<4xf32>
  // CHECK: tile.histogram %{{.*}} mask %{{.*}} : tensor<64xi32>, tensor<64xi1> -> tensor<16xi32>
  %3 = tile.histogram %h mask %m : tensor<64xi32>, tensor<64xi1> -> tensor<16xi32>
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} precision tf32 : tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x16xf32>
  %4 = tile.dot %a, %b, %c precision tf32 : tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x16xf32>
  return
}
}
