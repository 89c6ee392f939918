// RUN: tegula-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{a pointer's element must be a signless integer, a float or a pointer}}
func.func @pointer(%p: !tile.ptr<tensor<4xf32>>) { return }

// -----
func.func @axis() {
  // expected-error @+1 {{attribute 'axis' failed to satisfy constraint}}
  %0 = tile.program_id 3
  return
}

// -----
func.func @arange() {
  // expected-error @+1 {{end - start must be a positive power of two, not 6}}
  %0 = tile.arange 0, 6 : tensor<6xi32>
  return
}

// -----
func.func @print(%x: i32) {
  // expected-error @+1 {{'signed' has 2 entries for 1 values}}
  tile.print "x" %x signed [0, 1] : i32
  return
}

// -----
func.func @assert(%c: tensor<8xi1>, %m: i1) {
  // expected-error @+1 {{mask and condition must have one type}}
  tile.assert %c, "no" mask %m : tensor<8xi1>, i1
  return
}

// -----
func.func @splat(%x: f32) {
  // expected-error @+1 {{must have the same element type}}
  %0 = tile.splat %x : f32 -> tensor<8xf16>
  return
}

// -----
func.func @broadcast(%x: tensor<2x8xf32>) {
  // expected-error @+1 {{cannot repeat a dimension of size 2 to 4}}
  %0 = tile.broadcast %x : tensor<2x8xf32> -> tensor<4x8xf32>
  return
}

// -----
func.func @broadcast_rank(%x: tensor<8xf32>) {
  // expected-error @+1 {{ranks 1 and 2 differ}}
  %0 = tile.broadcast %x : tensor<8xf32> -> tensor<4x8xf32>
  return
}

// -----
func.func @expand_dims(%x: tensor<8xf32>) {
  // expected-error @+2 {{axis 2 is beyond the rank}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = tile.expand_dims %x 2 : tensor<8xf32> -> tensor<8x1xf32>
  return
}

// -----
func.func @reshape(%x: tensor<8xf32>) {
  // expected-error @+1 {{cannot make 'tensor<16xf32>' of 'tensor<8xf32>'}}
  %0 = tile.reshape %x : tensor<8xf32> -> tensor<16xf32>
  return
}

// -----
func.func @transpose(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{not a permutation}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = tile.transpose %x [0, 0] : tensor<4x8xf32> -> tensor<4x4xf32>
  return
}

// -----
func.func @join(%x: tensor<8xf32>) {
  // expected-error @+2 {{inferred type(s) 'tensor<8x2xf32>' are incompatible}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = tile.join %x, %x : tensor<8xf32> -> tensor<16xf32>
  return
}

// -----
func.func @split(%x: tensor<8x4xf32>) {
  // expected-error @+2 {{the last dimension of}}
  // expected-error @+1 {{failed to infer returned types}}
  %0, %1 = tile.split %x : tensor<8x4xf32> -> tensor<8xf32>
  return
}

// -----
func.func @concat(%x: tensor<8xf32>) {
  // expected-error @+2 {{axis 1 is not one of}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = tile.concat %x, %x 1 : tensor<8xf32> -> tensor<16xf32>
  return
}

// -----
func.func @extract_scalar(%x: tensor<8xf32>) {
  // expected-error @+2 {{does not have one element}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = tile.extract_scalar %x : tensor<8xf32> -> f32
  return
}

// -----
func.func @hint(%x: tensor<8xi32>) {
  // expected-error @+1 {{promises something about 2 dimensions}}
  %0 = tile.hint %x divisibility [16, 16] contiguity [] constancy [] : tensor<8xi32>
  return
}

// -----
func.func @addptr(%p: !tile.ptr<f32>, %i: tensor<8xi32>) {
  // expected-error @+1 {{'pointer' and 'offset' must have the same shape}}
  %0 = "tile.addptr"(%p, %i) : (!tile.ptr<f32>, tensor<8xi32>) -> !tile.ptr<f32>
  return
}
