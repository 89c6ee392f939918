// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Language types: scalars, pointers to scalars (or to pointers), and blocks of either. Signedness lives here and only here;
// the IR below is signless.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::frontend::sema {

enum class Scalar : uint8_t {
  Void, Int1, Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64,
  Float16, BFloat16, Float32, Float64, Float8E4NV, Float8E5, Float8E4B8, Float8E5B16, Float8E4B15,
};

using Shape = std::vector<int64_t>;

/// A language type, by value. `shape` empty: a scalar; else a block (every dimension a power of two).
/// `pointerDepth` 1: pointer to `scalar`, 2: pointer to pointer, and so on. `isConst`: stores through it are refused.
struct Type {
  Scalar scalar = Scalar::Void;
  uint8_t pointerDepth = 0;
  uint8_t addressSpace = 1;
  bool isConst = false;
  Shape shape;

  Type() = default;
  Type(Scalar scalar) : scalar(scalar) {}
  Type(Scalar scalar, Shape shape) : scalar(scalar), shape(std::move(shape)) {}

  bool operator==(const Type &other) const = default;

  bool isBlock() const { return !shape.empty(); }
  bool isPointer() const { return pointerDepth != 0; }
  bool isVoid() const { return scalar == Scalar::Void && !isPointer(); }
  bool isInt() const { return !isPointer() && scalar >= Scalar::Int1 && scalar <= Scalar::UInt64; }
  bool isBool() const { return !isPointer() && scalar == Scalar::Int1; }
  bool isSignedInt() const { return !isPointer() && scalar >= Scalar::Int8 && scalar <= Scalar::Int64; }
  /// int1 is classed as unsigned.
  bool isUnsignedInt() const { return isInt() && !isSignedInt(); }
  bool isFloat() const { return !isPointer() && scalar >= Scalar::Float16; }
  bool isFp8() const { return !isPointer() && scalar >= Scalar::Float8E4NV; }
  bool isStandardFloat() const { return isFloat() && !isFp8(); }
  bool is(Scalar wanted) const { return !isPointer() && scalar == wanted; }
  /// Bits of one element; pointers have 64.
  unsigned bitWidth() const;
  int64_t elementCount() const {
    int64_t n = 1;
    for (int64_t d : shape)
      n *= d;
    return n;
  }
  /// The same type without its shape.
  Type scalarType() const { Type t = *this; t.shape.clear(); return t; }
  Type withShape(Shape newShape) const { Type t = *this; t.shape = std::move(newShape); return t; }
  /// What a pointer points to (a scalar type); requires isPointer().
  Type pointee() const { Type t; t.scalar = scalar; t.pointerDepth = static_cast<uint8_t>(pointerDepth - 1); return t; }
  Type pointerTo() const { Type t = scalarType(); ++t.pointerDepth; return t; }

  /// As the language prints it: "int32", "fp32", "pointer<fp16>", "<['128', '64'], fp32>" in `str`; "i32", "*fp16" in `spelling`.
  std::string str() const;
  std::string spelling() const;
};

/// Reads "fp32", "*fp32", "*ki8", "i1", "u1", "B", "int32", "float32", "f32" ...; nullopt where it is no type.
std::optional<Type> parseType(std::string_view text);

/// "[8, 16]"
std::string shapeText(const Shape &shape);
/// The type of two integers' result: the wider one; of two equally wide ones, the unsigned.
Type promoteIntegers(const Type &a, const Type &b);

} // namespace tegula::frontend::sema
