// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tile dialect itself and the base class of its ops.
#ifndef TEGULA_MIDDLE_IR_DIALECT_TD
#define TEGULA_MIDDLE_IR_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::tegula::middle::tile";
  let summary = "Kernels over tiles: what a program of a grid does, without saying how its threads share the work";
  let description = [{
    Values are scalars or builtin ranked tensors of scalars. Scalars are signless integers (1, 8, 16, 32, 64 bits),
    builtin floats and `!tile.ptr`. Every dimension of a tensor is a power of two. Elementwise work is upstream `arith`
    (and the exact part of `math`) on tensors, control flow is upstream `scf`, functions are `func`. Floating point is
    strict: nothing here folds, contracts or reorders unless the bits stay the same.

    Attributes of functions: `tile.kernel` marks an entry point. Of arguments: `tile.divisibility` (i64; bytes for
    pointers, units for integers), `tile.name` (string), `tile.const` (unit; never stored through). Of modules:
    `tile.num_warps`, `tile.num_stages`, `tile.num_ctas`, `tile.max_registers` (i32). Of `scf.for`: `tile.num_stages`,
    `tile.unroll` (i32), `tile.flatten`, `tile.warp_specialize`, `tile.disallow_acc_multi_buffer`, `tile.disable_licm`
    (unit).
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::ub::UBDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    // One for each op family, in the family's own file.
    void registerTypesAndAttributes();
    void registerProgramOps();
    void registerShapeOps();
    void registerMemoryOps();
    void registerMathOps();
    void registerCollectiveOps();
    void registerDotOps();
  }];
}

class Tile_Op<string mnemonic, list<Trait> traits = []> : Op<Tile_Dialect, mnemonic, traits>;

#endif
