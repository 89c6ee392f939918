// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products.
#ifndef TEGULA_MIDDLE_IR_DOT_OPS_TD
#define TEGULA_MIDDLE_IR_DOT_OPS_TD

include "middle/ir/types.td"

def Tile_DotOp : Tile_Op<"dot", [Pure, AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "matrix product and sum";
  let description = [{
    `result[b, i, j] = accumulator[b, i, j] + sum over k of lhs[b, i, k] * rhs[b, k, j]`, rank 2 or 3 (b is missing in
    rank 2); products and sums are of the accumulator's type, in order of k starting from the accumulator in the
    reference. Integer operands are signed or not as said.

    ```mlir
    %d = tile.dot %a, %b, %c precision tf32 : tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x16xf32>
    ```
  }];
  let arguments = (ins Tile_Tensor:$lhs, Tile_Tensor:$rhs, Tile_Tensor:$accumulator,
                       DefaultValuedAttr<Tile_DotPrecisionAttr, "DotPrecision::Ieee">:$precision,
                       DefaultValuedAttr<I32Attr, "0">:$maxImprecise, DefaultValuedAttr<BoolAttr, "true">:$lhsSigned,
                       DefaultValuedAttr<BoolAttr, "true">:$rhsSigned);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $accumulator (`precision` $precision^)? (`max_imprecise` $maxImprecise^)? attr-dict
    `:` type($lhs) `,` type($rhs) `,` type($accumulator)
  }];
  let hasVerifier = 1;
}

#endif
