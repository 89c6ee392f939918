// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers, loads, stores and atomics.
#ifndef TEGULA_MIDDLE_IR_MEMORY_OPS_TD
#define TEGULA_MIDDLE_IR_MEMORY_OPS_TD

include "middle/ir/types.td"

def Tile_AddPtrOp : Tile_Op<"addptr", [Tile_Elementwise, AllTypesMatch<["pointer", "result"]>,
    Tile_SameShape<"pointer", "offset">]> {
  let summary = "pointer plus an offset in elements";
  let description = [{
    `result = pointer + extend(offset) * size of an element`, with wrap at 64 bits. Offsets narrower than 64 bits are
    sign-extended, or zero-extended where `unsigned`.

    ```mlir
    %q = tile.addptr %p, %i : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
    %r = tile.addptr %p, %i unsigned : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
    ```
  }];
  let arguments = (ins Tile_PtrLike:$pointer, Tile_IntLike:$offset, UnitAttr:$isUnsigned);
  let results = (outs Tile_PtrLike:$result);
  let assemblyFormat = "$pointer `,` $offset (`unsigned` $isUnsigned^)? attr-dict `:` type($pointer) `,` type($offset)";
  let hasFolder = 1;
}

class Tile_PtrCastOp<string mnemonic> : Tile_Op<mnemonic, [Tile_Elementwise, Tile_SameShape<"value", "result">]> {
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
}

def Tile_PtrToIntOp : Tile_PtrCastOp<"ptrtoint"> {
  let summary = "a pointer's address as i64";
  let description = [{
    ```mlir
    %i = tile.ptrtoint %p : !tile.ptr<f32> -> i64
    ```
  }];
  let arguments = (ins Tile_PtrLike:$value);
  let results = (outs Tile_I64Like:$result);
}

def Tile_IntToPtrOp : Tile_PtrCastOp<"inttoptr"> {
  let summary = "the pointer with an i64 as its address";
  let description = [{
    ```mlir
    %p = tile.inttoptr %i : i64 -> !tile.ptr<f32>
    ```
  }];
  let arguments = (ins Tile_I64Like:$value);
  let results = (outs Tile_PtrLike:$result);
}

def Tile_BitcastOp : Tile_PtrCastOp<"bitcast"> {
  let summary = "a pointer as pointer to another element type";
  let description = [{
    The address stays. Bits of numbers are cast by `arith.bitcast`.

    ```mlir
    %q = tile.bitcast %p : !tile.ptr<f32> -> !tile.ptr<i32>
    ```
  }];
  let arguments = (ins Tile_PtrLike:$value);
  let results = (outs Tile_PtrLike:$result);
  let hasFolder = 1;
}

def Tile_LoadOp : Tile_Op<"load", [AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
                                   InferTypeOpAdaptor]> {
  let summary = "reads through a pointer or a tensor of pointers";
  let description = [{
    `result[i] = mask[i] ? *pointer[i] : other[i]`; nothing is read where the mask is false; a missing mask is true, a
    missing other zero. Mask and other have the pointer's shape. A volatile load, and one with the cache modifier `cv`
    (fetch again), happens as often and where it is written.

    ```mlir
    %x = tile.load %p : (tensor<8x!tile.ptr<f32>>) -> tensor<8xf32>
    %y = tile.load %p mask %m other %o cache cg evict evict_last volatile
       : (tensor<8x!tile.ptr<f32>>, tensor<8xi1>, tensor<8xf32>) -> tensor<8xf32>
    ```
  }];
  let arguments = (ins Tile_PtrLike:$pointer, Optional<Tile_BoolLike>:$mask, Optional<Tile_Any>:$other,
                       DefaultValuedAttr<Tile_CacheModifierAttr, "CacheModifier::None">:$cache,
                       DefaultValuedAttr<Tile_EvictionPolicyAttr, "EvictionPolicy::Normal">:$eviction,
                       UnitAttr:$isVolatile);
  let results = (outs Tile_Any:$result);
  let assemblyFormat = [{
    $pointer (`mask` $mask^)? (`other` $other^)? (`cache` $cache^)? (`evict` $eviction^)? (`volatile` $isVolatile^)?
    attr-dict
    `:` functional-type(operands, results)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$pointer, CArg<"::mlir::Value", "{}">:$mask,
                                 CArg<"::mlir::Value", "{}">:$other,
                                 CArg<"CacheModifier", "CacheModifier::None">:$cache,
                                 CArg<"EvictionPolicy", "EvictionPolicy::Normal">:$eviction,
                                 CArg<"bool", "false">:$isVolatile)>];
  let skipDefaultBuilders = 1;
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
  let extraClassDeclaration = [{
    /// Whether every execution sees what others have written since the one before.
    bool readsAgain() { return getIsVolatile() || getCache() == CacheModifier::Cv; }
  }];
}

def Tile_StoreOp : Tile_Op<"store", [MemoryEffects<[MemWrite]>]> {
  let summary = "writes through a pointer or a tensor of pointers";
  let description = [{
    `*pointer[i] = value[i]` where mask[i] is true or missing.

    ```mlir
    tile.store %p, %x mask %m cache wt : tensor<8x!tile.ptr<f32>>, tensor<8xf32>, tensor<8xi1>
    ```
  }];
  let arguments = (ins Tile_PtrLike:$pointer, Tile_Any:$value, Optional<Tile_BoolLike>:$mask,
                       DefaultValuedAttr<Tile_CacheModifierAttr, "CacheModifier::None">:$cache,
                       DefaultValuedAttr<Tile_EvictionPolicyAttr, "EvictionPolicy::Normal">:$eviction);
  let assemblyFormat = [{
    $pointer `,` $value (`mask` $mask^)? (`cache` $cache^)? (`evict` $eviction^)? attr-dict
    `:` type($pointer) `,` type($value) (`,` type($mask)^)?
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$pointer, "::mlir::Value":$value, CArg<"::mlir::Value", "{}">:$mask,
                                 CArg<"CacheModifier", "CacheModifier::None">:$cache,
                                 CArg<"EvictionPolicy", "EvictionPolicy::Normal">:$eviction)>];
  let skipDefaultBuilders = 1;
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_AtomicRmwOp : Tile_Op<"atomic_rmw", [MemoryEffects<[MemRead, MemWrite]>, AllTypesMatch<["value", "result"]>]> {
  let summary = "atomic read, modify, write";
  let description = [{
    `result[i] = *pointer[i]; *pointer[i] = update(result[i], value[i])` as one step, where mask[i] is true or missing;
    else result is 0. Integers: and, or, xor, add, max, min, umax, umin, xchg. Floats: fadd, xchg.

    ```mlir
    %old = tile.atomic_rmw fadd acq_rel gpu %p, %x : tensor<8x!tile.ptr<f32>>, tensor<8xf32>
    %o2 = tile.atomic_rmw add relaxed cta %q, %i mask %m : !tile.ptr<i32>, i32, i1
    ```
  }];
  let arguments = (ins Tile_AtomicOperationAttr:$update, Tile_MemoryOrderAttr:$order, Tile_MemoryScopeAttr:$scope,
                       Tile_PtrLike:$pointer, Tile_Any:$value, Optional<Tile_BoolLike>:$mask);
  let results = (outs Tile_Any:$result);
  let assemblyFormat = [{
    $update $order $scope $pointer `,` $value (`mask` $mask^)? attr-dict
    `:` type($pointer) `,` type($value) (`,` type($mask)^)?
  }];
  let hasVerifier = 1;
}

def Tile_AtomicCasOp : Tile_Op<"atomic_cas", [MemoryEffects<[MemRead, MemWrite]>,
                                              AllTypesMatch<["compare", "value", "result"]>]> {
  let summary = "atomic compare and swap";
  let description = [{
    `result[i] = *pointer[i]; if (result[i] == compare[i]) *pointer[i] = value[i]` as one step; bits are compared.

    ```mlir
    %old = tile.atomic_cas acquire gpu %p, %c, %v : !tile.ptr<i32>, i32
    ```
  }];
  let arguments = (ins Tile_MemoryOrderAttr:$order, Tile_MemoryScopeAttr:$scope, Tile_PtrLike:$pointer,
      Tile_Any:$compare, Tile_Any:$value);
  let results = (outs Tile_Any:$result);
  let assemblyFormat = "$order $scope $pointer `,` $compare `,` $value attr-dict `:` type($pointer) `,` type($value)";
  let hasVerifier = 1;
}

#endif
