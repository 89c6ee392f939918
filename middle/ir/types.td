// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pointer type and the type constraints that the ops share.
#ifndef TEGULA_MIDDLE_IR_TYPES_TD
#define TEGULA_MIDDLE_IR_TYPES_TD

include "middle/ir/enums.td"
include "mlir/IR/AttrTypeBase.td"

def Tile_PtrType : TypeDef<Tile_Dialect, "Ptr"> {
  let mnemonic = "ptr";
  let summary = "pointer to elements of a scalar type in an address space";
  let description = [{
    64 bits. `!tile.ptr<f32>` points to device memory, `!tile.ptr<f32, generic>` says its space. May be a tensor's
    element type.
  }];
  let parameters = (ins "::mlir::Type":$elementType,
                        DefaultValuedParameter<"::tegula::middle::tile::AddressSpace",
                                               "::tegula::middle::tile::AddressSpace::Global">:$space);
  let assemblyFormat = "`<` $elementType (`,` $space^)? `>`";
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$elementType,
                    CArg<"::tegula::middle::tile::AddressSpace",
                        "::tegula::middle::tile::AddressSpace::Global">:$space), [{
    return $_get(elementType.getContext(), elementType, space);
  }]>];
  let genVerifyDecl = 1;
}

class Tile_ScalarOrTensor<Type scalar, string what>
    : AnyTypeOf<[scalar, RankedTensorOf<[scalar]>], what # " or tensor of it", "::mlir::Type">;

def Tile_ScalarType : AnyTypeOf<[AnySignlessInteger, AnyFloat, Tile_PtrType], "scalar", "::mlir::Type">;
def Tile_Tensor : RankedTensorOf<[AnySignlessInteger, AnyFloat, Tile_PtrType]>;
def Tile_Any : AnyTypeOf<[Tile_ScalarType, Tile_Tensor], "scalar or tensor of scalars", "::mlir::Type">;
def Tile_IntLike : Tile_ScalarOrTensor<AnySignlessInteger, "signless integer">;
def Tile_FloatLike : Tile_ScalarOrTensor<AnyFloat, "float">;
def Tile_PtrLike : Tile_ScalarOrTensor<Tile_PtrType, "pointer">;
def Tile_BoolLike : Tile_ScalarOrTensor<I1, "i1">;
def Tile_I64Like : Tile_ScalarOrTensor<I64, "i64">;

/// Works element by element; the operands that are tensors and the result have one shape.
def Tile_Elementwise : TraitList<[Pure, Elementwise, Scalarizable, Vectorizable, Tensorizable]>;
/// Both are scalars, or tensors of one shape.
class Tile_SameShape<string a, string b>
    : PredOpTrait<"'" # a # "' and '" # b # "' must have the same shape",
                  CPred<"::tegula::middle::tile::haveSameShape($" # a # ".getType(), $" # b # ".getType())">>;

#endif
