// RUN: tegula-opt %s -split-input-file -verify-diagnostics

func.func @load_other(%p: !tile.ptr<f32>, %o: f32) {
  // expected-error @+1 {{has 'other' without a mask}}
  %0 = tile.load %p other %o : (!tile.ptr<f32>, f32) -> f32
  return
}

// -----
func.func @load_other_type(%p: !tile.ptr<f32>, %m: i1, %o: i32) {
  // expected-error @+1 {{'other' is 'i32', the result 'f32'}}
  %0 = tile.load %p mask %m other %o : (!tile.ptr<f32>, i1, i32) -> f32
  return
}

// -----
func.func @load_mask(%p: tensor<8x!tile.ptr<f32>>, %m: i1) {
  // expected-error @+1 {{does not have the shape of pointer}}
  %0 = tile.load %p mask %m : (tensor<8x!tile.ptr<f32>>, i1) -> tensor<8xf32>
  return
}

// -----
func.func @store(%p: !tile.ptr<f32>, %x: f16) {
  // expected-error @+1 {{accesses 'f16' through a pointer to 'f32'}}
  tile.store %p, %x : !tile.ptr<f32>, f16
  return
}

// -----
func.func @atomic(%p: !tile.ptr<f32>, %x: f32) {
  // expected-error @+1 {{'add' does not work on 'f32'}}
  %0 = tile.atomic_rmw add relaxed gpu %p, %x : !tile.ptr<f32>, f32
  return
}

// -----
func.func @cas(%p: !tile.ptr<i32>, %x: i64) {
  // expected-error @+1 {{accesses 'i64' through a pointer to 'i32'}}
  %0 = tile.atomic_cas relaxed gpu %p, %x, %x : !tile.ptr<i32>, i64
  return
}

// -----
func.func @math1(%x: f32) {
  // expected-error @+1 {{'pow' takes two arguments}}
  %0 = tile.math1 pow %x : f32
  return
}

// -----
func.func @math2(%x: f32) {
  // expected-error @+1 {{'exp' takes one argument}}
  %0 = tile.math2 exp %x, %x : f32
  return
}
