// RUN: tegula-opt %s -split-input-file -verify-diagnostics

func.func @dot(%a: tensor<16x8xf32>, %b: tensor<16x16xf32>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{inner sizes 8 and 16 differ}}
  %0 = tile.dot %a, %b, %c : tensor<16x8xf32>, tensor<16x16xf32>, tensor<16x16xf32>
  return
}

// -----
func.func @dot_accumulator(%a: tensor<16x8xf32>, %b: tensor<8x16xf32>, %c: tensor<8x16xf32>) {
  // expected-error @+1 {{accumulator must be 16x16, not 8x16}}
  %0 = tile.dot %a, %b, %c : tensor<16x8xf32>, tensor<8x16xf32>, tensor<8x16xf32>
  return
}

// -----
func.func @dot_mixed(%a: tensor<16x8xi8>, %b: tensor<8x16xi8>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{mixes integers and floats}}
  %0 = tile.dot %a, %b, %c : tensor<16x8xi8>, tensor<8x16xi8>, tensor<16x16xf32>
  return
}

// -----
func.func @dot_rank(%a: tensor<8xf32>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{operands must all be of rank 2 or all of rank 3}}
  %0 = tile.dot %a, %a, %c : tensor<8xf32>, tensor<8xf32>, tensor<16x16xf32>
  return
}

// -----
func.func @reduce_arguments(%x: tensor<8xf32>) {
  // expected-error @+1 {{region takes 1 arguments for 1 operands}}
  %0 = tile.reduce %x axis 0 : (tensor<8xf32>) -> f32 {
  ^bb0(%a: f32):
    tile.yield %a : f32
  }
  return
}

// -----
func.func @reduce_type(%x: tensor<8xf32>) {
  // expected-error @+1 {{region must take and give 'f32' for operand 0}}
  %0 = tile.reduce %x axis 0 : (tensor<8xf32>) -> f32 {
  ^bb0(%a: f32, %b: i32):
    tile.yield %a : f32
  }
  return
}

// -----
func.func @reduce_axis(%x: tensor<8xf32>) {
  // expected-error @+2 {{axis 1 is not one of}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = tile.reduce %x axis 1 : (tensor<8xf32>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----
func.func @scan_capture(%x: tensor<8xf32>, %y: f32) {
  // expected-note @+1 {{required by region isolation constraints}}
  %0 = tile.scan %x axis 0 : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%a: f32, %b: f32):
    // expected-error @+1 {{using value defined outside the region}}
    tile.yield %y : f32
  }
  return
}

// -----
func.func @gather(%x: tensor<4x8xf32>, %i: tensor<2x8xi32>) {
  // expected-error @+1 {{source and index differ in dimension 0}}
  %0 = tile.gather %x [%i] axis 1 : tensor<4x8xf32>, tensor<2x8xi32> -> tensor<2x8xf32>
  return
}

// -----
func.func @histogram(%x: tensor<8xi32>, %m: tensor<4xi1>) {
  // expected-error @+1 {{mask must have the shape of the value}}
  %0 = tile.histogram %x mask %m : tensor<8xi32>, tensor<4xi1> -> tensor<16xi32>
  return
}

// -----
// expected-error @+1 {{must be a power of two (i32) of a module}}
module attributes {tile.num_warps = 3 : i32} {}

// -----
// expected-error @+1 {{attribute 'tile.wibble' is unknown}}
func.func @unknown() attributes {tile.wibble} { return }

// -----
// expected-error @+1 {{is a kernel and returns values}}
func.func @kernel() -> i32 attributes {tile.kernel} {
  %0 = tile.program_id 0
  return %0 : i32
}

// -----
// expected-error @+1 {{argument 0: attribute 'tile.divisibility' must be a positive i64}}
func.func @argument(%x: i32 {tile.divisibility = 0 : i64}) { return }
