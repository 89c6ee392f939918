// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs of the grid, constants of position, and ops with effects beside memory: barrier, print, assert, assume.
#ifndef TEGULA_MIDDLE_IR_PROGRAM_OPS_TD
#define TEGULA_MIDDLE_IR_PROGRAM_OPS_TD

include "middle/ir/types.td"

/// What the host sees of a running kernel: prints and assertions, in their order. No load depends on it.
def Tile_ReportResource : Resource<"::tegula::middle::tile::ReportResource">;

def Tile_GridAxis : ConfinedAttr<I32Attr, [IntNonNegative, IntMaxValue<2>]>;

def Tile_ProgramIdOp : Tile_Op<"program_id", [Pure]> {
  let summary = "index of this program in the grid along an axis";
  let description = [{
    `result = index of the running program along axis`, 0 <= result < num_programs. Axis is 0, 1 or 2; the result is
    i32.

    ```mlir
    %pid = tile.program_id 0
    ```
  }];
  let arguments = (ins Tile_GridAxis:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict";
}

def Tile_NumProgramsOp : Tile_Op<"num_programs", [Pure]> {
  let summary = "size of the grid along an axis";
  let description = [{
    ```mlir
    %n = tile.num_programs 1
    ```
  }];
  let arguments = (ins Tile_GridAxis:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict";
}

def Tile_ArangeOp : Tile_Op<"arange", [Pure, InferTypeOpAdaptor]> {
  let summary = "consecutive integers";
  let description = [{
    `result[i] = start + i` for 0 <= i < end - start, which is a power of two. The result is `tensor<(end-start)xi32>`.

    ```mlir
    %i = tile.arange 0, 128 : tensor<128xi32>
    ```
  }];
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs 1DTensorOf<[I32]>:$result);
  let assemblyFormat = "$start `,` $end attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_BarrierOp : Tile_Op<"barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "orders the memory operations of one program";
  let description = [{
    All earlier memory operations of this program happen before all later ones.

    ```mlir
    tile.barrier
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Tile_PrintOp : Tile_Op<"print", [MemoryEffects<[MemWrite<Tile_ReportResource>]>]> {
  let summary = "prints values with the program's id";
  let description = [{
    Prints `prefix` and the values, in hexadecimal where `hex`; `signed` has one entry a value (integers only look at
    it).

    ```mlir
    tile.print "x: " %x, %y signed [1, 0] : tensor<8xi32>, f32
    tile.print "here" signed []
    ```
  }];
  let arguments = (ins StrAttr:$prefix, Variadic<Tile_Any>:$values, DenseI32ArrayAttr:$isSigned, UnitAttr:$hex);
  let assemblyFormat = "$prefix ($values^)? `signed` $isSigned (`hex` $hex^)? attr-dict (`:` type($values)^)?";
  let hasVerifier = 1;
}

def Tile_AssertOp : Tile_Op<"assert", [MemoryEffects<[MemWrite<Tile_ReportResource>]>]> {
  let summary = "reports where a condition is false";
  let description = [{
    Reports `message` where `condition` is false for some element whose mask is true or missing. A condition that is
    always true goes away.

    ```mlir
    tile.assert %c, "x is negative" : tensor<8xi1>
    tile.assert %c, "x is negative" mask %m : tensor<8xi1>, tensor<8xi1>
    ```
  }];
  let arguments = (ins Tile_BoolLike:$condition, Optional<Tile_BoolLike>:$mask, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message (`mask` $mask^)? attr-dict `:` type($condition) (`,` type($mask)^)?";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_AssumeOp : Tile_Op<"assume", [MemoryEffects<[MemWrite<Tile_ReportResource>]>]> {
  let summary = "promises that a condition holds";
  let description = [{
    ```mlir
    tile.assume %c
    ```
  }];
  let arguments = (ins I1:$condition);
  let assemblyFormat = "$condition attr-dict";
  let hasCanonicalizeMethod = 1;
}

#endif
