// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that change a tensor's shape, and the hint.
#ifndef TEGULA_MIDDLE_IR_SHAPE_OPS_TD
#define TEGULA_MIDDLE_IR_SHAPE_OPS_TD

include "middle/ir/types.td"

/// Operand and result have one element type.
class Tile_SameElement<string a, string b>
    : PredOpTrait<"'" # a # "' and '" # b # "' must have the same element type",
                  CPred<"::mlir::getElementTypeOrSelf($" # a # ") == ::mlir::getElementTypeOrSelf($" # b # ")">>;

def Tile_SplatOp : Tile_Op<"splat", [Pure, Tile_SameElement<"value", "result">]> {
  let summary = "a scalar repeated";
  let description = [{
    `result[i...] = value`.

    ```mlir
    %t = tile.splat %x : f32 -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Tile_ScalarType:$value);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$value, "::llvm::ArrayRef<int64_t>":$shape), [{
    build($_builder, $_state, ::mlir::RankedTensorType::get(shape, value.getType()), value);
  }]>];
  let hasFolder = 1;
}

def Tile_BroadcastOp : Tile_Op<"broadcast", [Pure, Tile_SameElement<"value", "result">]> {
  let summary = "repeats along dimensions of size 1";
  let description = [{
    `result[i...] = value[j...]` with j = 0 where the operand's dimension is 1, else i. Ranks are equal.

    ```mlir
    %t = tile.broadcast %x : tensor<1x8xf32> -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Tile_Tensor:$value);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$value, "::llvm::ArrayRef<int64_t>":$shape), [{
    build($_builder, $_state, ::mlir::cast<::mlir::RankedTensorType>(value.getType()).clone(shape), value);
  }]>];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_ExpandDimsOp : Tile_Op<"expand_dims", [Pure, InferTypeOpAdaptor]> {
  let summary = "inserts a dimension of size 1";
  let description = [{
    ```mlir
    %t = tile.expand_dims %x 1 : tensor<8xf32> -> tensor<8x1xf32>
    ```
  }];
  let arguments = (ins Tile_Tensor:$value, I32Attr:$axis);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$value $axis attr-dict `:` type($value) `->` type($result)";
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_ReshapeOp : Tile_Op<"reshape", [Pure, Tile_SameElement<"value", "result">]> {
  let summary = "the same elements in another shape";
  let description = [{
    Elements keep their row-major order; with `reorder` any order will do.

    ```mlir
    %t = tile.reshape %x : tensor<4x8xf32> -> tensor<32xf32>
    %u = tile.reshape %x reorder : tensor<4x8xf32> -> tensor<32xf32>
    ```
  }];
  let arguments = (ins Tile_Tensor:$value, UnitAttr:$reorder);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$value (`reorder` $reorder^)? attr-dict `:` type($value) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$value, "::llvm::ArrayRef<int64_t>":$shape, "bool":$reorder), [{
    build($_builder, $_state, ::mlir::cast<::mlir::RankedTensorType>(value.getType()).clone(shape), value, reorder);
  }]>];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_TransposeOp : Tile_Op<"transpose", [Pure, InferTypeOpAdaptor]> {
  let summary = "permutes dimensions";
  let description = [{
    Result dimension i is operand dimension permutation[i].

    ```mlir
    %t = tile.transpose %x [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
    ```
  }];
  let arguments = (ins Tile_Tensor:$value, DenseI32ArrayAttr:$permutation);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$value $permutation attr-dict `:` type($value) `->` type($result)";
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_JoinOp : Tile_Op<"join", [Pure, SameTypeOperands, InferTypeOpAdaptor]> {
  let summary = "two tensors as a new last dimension of size 2";
  let description = [{
    `result[i..., 0] = lhs[i...]`, `result[i..., 1] = rhs[i...]`. Two scalars give a tensor of rank 1.

    ```mlir
    %t = tile.join %a, %b : tensor<8xf32> -> tensor<8x2xf32>
    ```
  }];
  let arguments = (ins Tile_Any:$lhs, Tile_Any:$rhs);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasFolder = 1;
}

def Tile_SplitOp : Tile_Op<"split", [Pure, AllTypesMatch<["first", "second"]>, InferTypeOpAdaptor]> {
  let summary = "the two halves of a last dimension of size 2";
  let description = [{
    Inverse of join; a tensor of rank 1 gives two scalars.

    ```mlir
    %a, %b = tile.split %t : tensor<8x2xf32> -> tensor<8xf32>
    ```
  }];
  let arguments = (ins Tile_Tensor:$value);
  let results = (outs Tile_Any:$first, Tile_Any:$second);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($first)";
  let hasFolder = 1;
}

def Tile_ConcatOp : Tile_Op<"concat", [Pure, SameTypeOperands, InferTypeOpAdaptor]> {
  let summary = "two tensors one after the other along an axis";
  let description = [{
    ```mlir
    %t = tile.concat %a, %b 0 : tensor<8xf32> -> tensor<16xf32>
    ```
  }];
  let arguments = (ins Tile_Tensor:$lhs, Tile_Tensor:$rhs, I32Attr:$axis);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs $axis attr-dict `:` type($lhs) `->` type($result)";
  let hasFolder = 1;
}

def Tile_ExtractScalarOp : Tile_Op<"extract_scalar", [Pure, InferTypeOpAdaptor]> {
  let summary = "the element of a tensor with one element";
  let description = [{
    ```mlir
    %x = tile.extract_scalar %t : tensor<1x1xf32> -> f32
    ```
  }];
  let arguments = (ins Tile_Tensor:$value);
  let results = (outs Tile_ScalarType:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_HintOp : Tile_Op<"hint", [Pure, SameOperandsAndResultType]> {
  let summary = "the same value, with promises";
  let description = [{
    Per dimension (empty: nothing said): the first of each contiguous run is divisible by `divisibility`, runs of
    `contiguity` elements count up by one, runs of `constancy` elements are equal.

    ```mlir
    %y = tile.hint %x divisibility [16] contiguity [] constancy [] : tensor<8xi32>
    ```
  }];
  let arguments = (ins Tile_Any:$value, DenseI64ArrayAttr:$divisibility, DenseI64ArrayAttr:$contiguity,
      DenseI64ArrayAttr:$constancy);
  let results = (outs Tile_Any:$result);
  let assemblyFormat = [{
    $value `divisibility` $divisibility `contiguity` $contiguity `constancy` $constancy attr-dict `:` type($value)
  }];
  let hasVerifier = 1;
}

#endif
