// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops in which elements meet: reduce, scan, gather, histogram.
#ifndef TEGULA_MIDDLE_IR_COLLECTIVE_OPS_TD
#define TEGULA_MIDDLE_IR_COLLECTIVE_OPS_TD

include "middle/ir/types.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/IR/RegionKindInterface.td"

class Tile_CombiningOp<string mnemonic>
    : Tile_Op<mnemonic, [IsolatedFromAbove, SingleBlock, RecursiveMemoryEffects, RecursivelySpeculatable,
                         SameOperandsShape, InferTypeOpAdaptor]> {
  let results = (outs Variadic<Tile_Any>:$results);
  let regions = (region SizedRegion<1>:$combine);
  let hasRegionVerifier = 1;
}

def Tile_ReduceOp : Tile_CombiningOp<"reduce"> {
  let summary = "folds a dimension";
  let description = [{
    Combines the elements along `axis` with the region (a..., b...) -> (c...); no order is promised, so the region
    should be associative. The dimension goes away; operands of rank 1 give scalars. The region sees nothing from
    outside.

    ```mlir
    %s = tile.reduce %x axis 0 : (tensor<8xf32>) -> f32 {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tile.yield %c : f32
    }
    ```
  }];
  let arguments = (ins Variadic<Tile_Tensor>:$values, I32Attr:$axis);
  let assemblyFormat = "$values `axis` $axis attr-dict `:` functional-type($values, $results) $combine";
}

def Tile_ScanOp : Tile_CombiningOp<"scan"> {
  let summary = "inclusive prefix combination along a dimension";
  let description = [{
    `result[i] = combine of value[0 .. i]` along `axis`, or of value[i .. end] where `reverse`. Shapes stay.

    ```mlir
    %s = tile.scan %x axis 0 reverse : (tensor<8xf32>) -> tensor<8xf32> {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tile.yield %c : f32
    }
    ```
  }];
  let arguments = (ins Variadic<Tile_Tensor>:$values, I32Attr:$axis, UnitAttr:$reverse);
  let assemblyFormat = [{
    $values `axis` $axis (`reverse` $reverse^)? attr-dict `:` functional-type($values, $results) $combine
  }];
}

def Tile_YieldOp : Tile_Op<"yield", [Pure, ReturnLike, Terminator, ParentOneOf<["ReduceOp", "ScanOp"]>]> {
  let summary = "ends the region of reduce or scan";
  let description = [{
    ```mlir
    tile.yield %c : f32
    ```
  }];
  let arguments = (ins Variadic<Tile_ScalarType>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}

def Tile_GatherOp : Tile_Op<"gather", [Pure, InferTypeOpAdaptor]> {
  let summary = "picks elements along an axis";
  let description = [{
    `result[..., i, ...] = source[..., index[..., i, ...], ...]` along `axis`; the other dimensions are equal.

    ```mlir
    %g = tile.gather %s [%i] axis 0 : tensor<8xf32>, tensor<4xi32> -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Tile_Tensor:$source, RankedTensorOf<[AnySignlessInteger]>:$index, I32Attr:$axis);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = [{
    $source `[` $index `]` `axis` $axis attr-dict `:` type($source) `,` type($index) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_HistogramOp : Tile_Op<"histogram", [Pure]> {
  let summary = "counts of the values 0 .. bins-1";
  let description = [{
    `result[k] = number of i with value[i] == k and mask[i]`; other values are not counted.

    ```mlir
    %h = tile.histogram %x mask %m : tensor<64xi32>, tensor<64xi1> -> tensor<16xi32>
    ```
  }];
  let arguments = (ins RankedTensorOf<[AnySignlessInteger]>:$value, Optional<RankedTensorOf<[I1]>>:$mask);
  let results = (outs 1DTensorOf<[I32]>:$result);
  let assemblyFormat = "$value (`mask` $mask^)? attr-dict `:` type($value) (`,` type($mask)^)? `->` type($result)";
  let hasVerifier = 1;
}

#endif
