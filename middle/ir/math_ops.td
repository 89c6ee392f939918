// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise ops that upstream lacks or folds with the host's mathematical library.
#ifndef TEGULA_MIDDLE_IR_MATH_OPS_TD
#define TEGULA_MIDDLE_IR_MATH_OPS_TD

include "middle/ir/types.td"

class Tile_BinaryOp<string mnemonic, Type type, list<Trait> traits = []>
    : Tile_Op<mnemonic, !listconcat([Tile_Elementwise, SameOperandsAndResultType], traits)> {
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

def Tile_MulHiUIOp : Tile_BinaryOp<"mulhui", Tile_IntLike, [Commutative]> {
  let summary = "upper half of the unsigned product";
  let description = [{
    `result = (zext(lhs) * zext(rhs)) >> width`.

    ```mlir
    %h = tile.mulhui %a, %b : i32
    ```
  }];
  let hasFolder = 1;
}

def Tile_MulHiSIOp : Tile_BinaryOp<"mulhsi", Tile_IntLike, [Commutative]> {
  let summary = "upper half of the signed product";
  let description = [{
    `result = (sext(lhs) * sext(rhs)) >> width`.

    ```mlir
    %h = tile.mulhsi %a, %b : i32
    ```
  }];
  let hasFolder = 1;
}

def Tile_DivFRnOp : Tile_BinaryOp<"divf_rn", Tile_FloatLike> {
  let summary = "quotient, correctly rounded";
  let description = [{
    As `arith.divf`, but no target may be less exact than round to nearest, ties to even.

    ```mlir
    %q = tile.divf_rn %a, %b : f32
    ```
  }];
}

def Tile_MulAddOp : Tile_Op<"mul_add", [Tile_Elementwise, SameOperandsAndResultType]> {
  let summary = "a * b + c with one or two roundings";
  let description = [{
    The target chooses; the reference rounds twice. `math.fma` always rounds once.

    ```mlir
    %r = tile.mul_add %a, %b, %c : f32
    ```
  }];
  let arguments = (ins Tile_FloatLike:$a, Tile_FloatLike:$b, Tile_FloatLike:$c);
  let results = (outs Tile_FloatLike:$result);
  let assemblyFormat = "$a `,` $b `,` $c attr-dict `:` type($result)";
}

def Tile_FpCastOp : Tile_Op<"fpcast", [Tile_Elementwise, Tile_SameShape<"value", "result">]> {
  let summary = "float to float of any two formats";
  let description = [{
    Rounds as `rounding` says; values beyond the largest become infinite (NaN where the format has no infinity), or the
    largest where `saturate`. Widening is exact.

    ```mlir
    %y = tile.fpcast %x rtne : f32 -> f16
    %z = tile.fpcast %x rtz saturate : tensor<8xf32> -> tensor<8xf8E4M3FN>
    ```
  }];
  let arguments = (ins Tile_FloatLike:$value, DefaultValuedAttr<Tile_RoundingAttr, "Rounding::Rtne">:$rounding,
      UnitAttr:$saturate);
  let results = (outs Tile_FloatLike:$result);
  let assemblyFormat = "$value $rounding (`saturate` $saturate^)? attr-dict `:` type($value) `->` type($result)";
  let hasFolder = 1;
}

def Tile_Math1Op : Tile_Op<"math1", [Tile_Elementwise, SameOperandsAndResultType]> {
  let summary = "a mathematical function of one argument";
  let description = [{
    `result = function(value)`. Never folded: constants get the bits that the target computes.

    ```mlir
    %y = tile.math1 exp %x : tensor<8xf32>
    ```
  }];
  let arguments = (ins Tile_MathFunctionAttr:$function, Tile_FloatLike:$value);
  let results = (outs Tile_FloatLike:$result);
  let assemblyFormat = "$function $value attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_Math2Op : Tile_Op<"math2", [Tile_Elementwise, SameOperandsAndResultType]> {
  let summary = "a mathematical function of two arguments";
  let description = [{
    `result = function(lhs, rhs)`. All have one type; ldexp's exponent is a float with an integer's value.

    ```mlir
    %y = tile.math2 pow %a, %b : f32
    ```
  }];
  let arguments = (ins Tile_MathFunctionAttr:$function, Tile_FloatLike:$lhs, Tile_FloatLike:$rhs);
  let results = (outs Tile_FloatLike:$result);
  let assemblyFormat = "$function $lhs `,` $rhs attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_Bits1Op : Tile_Op<"bits1", [Tile_Elementwise, SameOperandsAndResultType]> {
  let summary = "a function on the bits of an integer";
  let description = [{
    popcount; clz (width for 0); ffs (position of the lowest set bit from 1, 0 for 0); brev (reversed); not
    (complement).

    ```mlir
    %y = tile.bits1 popcount %x : i32
    ```
  }];
  let arguments = (ins Tile_BitFunctionAttr:$function, Tile_IntLike:$value);
  let results = (outs Tile_IntLike:$result);
  let assemblyFormat = "$function $value attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Tile_ClassifyOp : Tile_Op<"classify", [Tile_Elementwise, Tile_SameShape<"value", "result">, InferTypeOpAdaptor]> {
  let summary = "is a float NaN, infinite, finite, or with sign bit";
  let description = [{
    ```mlir
    %b = tile.classify nan %x : tensor<8xf32> -> tensor<8xi1>
    ```
  }];
  let arguments = (ins Tile_FloatClassAttr:$test, Tile_FloatLike:$value);
  let results = (outs Tile_BoolLike:$result);
  let assemblyFormat = "$test $value attr-dict `:` type($value) `->` type($result)";
}

#endif
