// RUN: tegula-opt %s --tegula-combine-ops | FileCheck %s
// RUN: tegula-opt %s --tegula-combine-ops=allow-reassociation=true | FileCheck %s --check-prefix=REORDER

// CHECK-LABEL: func.func @select_of_load(
// CHECK: tile.load %{{.*}} mask %[[M:.*]] other %{{.*}}
// CHECK-NOT: arith.select
// CHECK: return
func.func @select_of_load(%p: tensor<8x!tile.ptr<f32>>, %m: tensor<8xi1>) -> tensor<8xf32> {
  %0 = tile.load %p mask %m : (tensor<8x!tile.ptr<f32>>, tensor<8xi1>) -> tensor<8xf32>
  %z = arith.constant dense<2.0> : tensor<8xf32>
  %1 = arith.select %m, %0, %z : tensor<8xi1>, tensor<8xf32>
  return %1 : tensor<8xf32>
}

// Another mask, a second use, a value that is not there yet, a volatile load.
// CHECK-LABEL: func.func @select_stays(
// CHECK-COUNT-4: arith.select
func.func @select_stays(%p: tensor<8x!tile.ptr<f32>>, %m: tensor<8xi1>, %n: tensor<8xi1>, %o: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = tile.load %p mask %m : (tensor<8x!tile.ptr<f32>>, tensor<8xi1>) -> tensor<8xf32>
  %1 = arith.select %n, %0, %o : tensor<8xi1>, tensor<8xf32>
  %2 = tile.load %p mask %m : (tensor<8x!tile.ptr<f32>>, tensor<8xi1>) -> tensor<8xf32>
  %3 = arith.select %m, %2, %o : tensor<8xi1>, tensor<8xf32>
  %4 = tile.load %p mask %m : (tensor<8x!tile.ptr<f32>>, tensor<8xi1>) -> tensor<8xf32>
  %late = arith.addf %o, %2 : tensor<8xf32>
  %5 = arith.select %m, %4, %late : tensor<8xi1>, tensor<8xf32>
  %6 = tile.load %p mask %m volatile : (tensor<8x!tile.ptr<f32>>, tensor<8xi1>) -> tensor<8xf32>
  %7 = arith.select %m, %6, %o : tensor<8xi1>, tensor<8xf32>
  return %1, %3, %2, %5, %7 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @offsets(
// CHECK: %[[C:.*]] = arith.constant 12 : i32
// CHECK: %[[Q:.*]] = tile.addptr %arg0, %[[C]]
// CHECK: return %[[Q]]
func.func @offsets(%p: !tile.ptr<f32>) -> !tile.ptr<f32> {
  %a = arith.constant 4 : i32
  %b = arith.constant 8 : i32
  %0 = tile.addptr %p, %a : !tile.ptr<f32>, i32
  %1 = tile.addptr %0, %b : !tile.ptr<f32>, i32
  return %1 : !tile.ptr<f32>
}

// The sum overflows, or is not known, or signs differ.
// CHECK-LABEL: func.func @offsets_stay(
// CHECK-COUNT-6: tile.addptr
func.func @offsets_stay(%p: !tile.ptr<f32>, %i: i32) -> (!tile.ptr<f32>, !tile.ptr<f32>, !tile.ptr<f32>) {
  %a = arith.constant 2147483647 : i32
  %b = arith.constant 8 : i32
  %0 = tile.addptr %p, %a : !tile.ptr<f32>, i32
  %1 = tile.addptr %0, %b : !tile.ptr<f32>, i32
  %2 = tile.addptr %p, %i : !tile.ptr<f32>, i32
  %3 = tile.addptr %2, %b : !tile.ptr<f32>, i32
  %4 = tile.addptr %p, %b unsigned : !tile.ptr<f32>, i32
  %5 = tile.addptr %4, %b : !tile.ptr<f32>, i32
  return %1, %3, %5 : !tile.ptr<f32>, !tile.ptr<f32>, !tile.ptr<f32>
}

// CHECK-LABEL: func.func @product(
// CHECK: tile.dot
// CHECK: arith.addf
// REORDER-LABEL: func.func @product(
// REORDER: tile.dot %{{.*}}, %{{.*}}, %arg2
// REORDER-NOT: arith.addf
// REORDER: return
func.func @product(%a: tensor<16x8xf32>, %b: tensor<8x16xf32>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %z = arith.constant dense<0.0> : tensor<16x16xf32>
  %0 = tile.dot %a, %b, %z : tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x16xf32>
  %1 = arith.addf %0, %c : tensor<16x16xf32>
  return %1 : tensor<16x16xf32>
}
