// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spellings and sizes of language types.
#include "frontend/sema/type.h"

namespace tegula::frontend::sema {

namespace {
struct ScalarNames {
  Scalar scalar;
  uint8_t bits;
  std::string_view printed;
  std::string_view spelled;
  std::string_view further[3];
};
constexpr ScalarNames kScalars[] = {
    {Scalar::Void, 0, "void", "void", {}},
    {Scalar::Int1, 1, "int1", "i1", {"u1", "B", "bool"}},
    {Scalar::Int8, 8, "int8", "i8", {}},
    {Scalar::Int16, 16, "int16", "i16", {}},
    {Scalar::Int32, 32, "int32", "i32", {}},
    {Scalar::Int64, 64, "int64", "i64", {}},
    {Scalar::UInt8, 8, "uint8", "u8", {}},
    {Scalar::UInt16, 16, "uint16", "u16", {}},
    {Scalar::UInt32, 32, "uint32", "u32", {}},
    {Scalar::UInt64, 64, "uint64", "u64", {}},
    {Scalar::Float16, 16, "fp16", "fp16", {"float16", "f16", "half"}},
    {Scalar::BFloat16, 16, "bf16", "bf16", {"bfloat16"}},
    {Scalar::Float32, 32, "fp32", "fp32", {"float32", "f32", "float"}},
    {Scalar::Float64, 64, "fp64", "fp64", {"float64", "f64", "double"}},
    {Scalar::Float8E4NV, 8, "fp8e4nv", "fp8e4nv", {"float8e4nv", "f8e4nv"}},
    {Scalar::Float8E5, 8, "fp8e5", "fp8e5", {"float8e5", "f8e5"}},
    {Scalar::Float8E4B8, 8, "fp8e4b8", "fp8e4b8", {"float8e4b8", "f8e4b8"}},
    {Scalar::Float8E5B16, 8, "fp8e5b16", "fp8e5b16", {"float8e5b16", "f8e5b16"}},
    {Scalar::Float8E4B15, 8, "fp8e4b15", "fp8e4b15", {"float8e4b15", "f8e4b15"}},
};
const ScalarNames &namesOf(Scalar scalar) { return kScalars[static_cast<unsigned>(scalar)]; }
} // namespace

unsigned Type::bitWidth() const { return isPointer() ? 64 : namesOf(scalar).bits; }

std::string Type::str() const {
  std::string element(namesOf(scalar).printed);
  for (unsigned i = 0; i < pointerDepth; ++i)
    element = (i + 1 == pointerDepth && isConst ? "const pointer<" : "pointer<") + element + ">";
  if (!isBlock())
    return element;
  std::string text = "<[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", '" : "'") + std::to_string(shape[i]) + "'";
  return text + "], " + element + ">";
}

std::string Type::spelling() const {
  std::string text(pointerDepth, '*');
  if (isConst)
    text += 'k';
  text += namesOf(scalar).spelled;
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? "," : "[") + std::to_string(shape[i]);
  return isBlock() ? text + "]" : text;
}

std::optional<Type> parseType(std::string_view text) {
  Type type;
  while (text.starts_with('*')) {
    ++type.pointerDepth;
    text.remove_prefix(1);
  }
  auto find = [&](std::string_view name) {
    for (const ScalarNames &entry : kScalars) {
      bool found = entry.printed == name || entry.spelled == name;
      for (std::string_view other : entry.further)
        found |= !other.empty() && other == name;
      if (found) {
        type.scalar = entry.scalar;
        return true;
      }
    }
    return false;
  };
  if (find(text))
    return type;
  if (type.isPointer() && text.starts_with('k') && find(text.substr(1))) {
    type.isConst = true;
    return type;
  }
  return std::nullopt;
}

std::string shapeText(const Shape &shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

Type promoteIntegers(const Type &a, const Type &b) {
  if (a.isSignedInt() == b.isSignedInt())
    return a.bitWidth() > b.bitWidth() ? a : b;
  const Type &unsignedOne = a.isSignedInt() ? b : a, &signedOne = a.isSignedInt() ? a : b;
  return unsignedOne.bitWidth() >= signedOne.bitWidth() ? unsignedOne : signedOne;
}

} // namespace tegula::frontend::sema
