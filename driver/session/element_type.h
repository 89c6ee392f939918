// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The element types of buffers and scalars: their spellings here, in Triton and in NumPy, and reading and writing single values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tegula::driver {

struct ElementType {
  enum class Kind : uint8_t { Bool, Int, UInt, Float } kind;
  std::string_view name;   ///< "f32", as this program prints it
  std::string_view triton; ///< "fp32"
  std::string_view numpy;  ///< "f4"; for types that NumPy lacks, the unsigned integer that carries their bits
  uint32_t bytes;
  /// Floats: bits of exponent and mantissa, bias, and what the highest exponent means.
  uint32_t exponentBits = 0, mantissaBits = 0;
  int32_t bias = 0;
  enum class Special : uint8_t { Ieee, NanOnly, NegativeZeroNan, None } special = Special::Ieee;

  bool isFloat() const { return kind == Kind::Float; }
  bool hasNumpy() const; ///< NumPy can spell it
};

/// By either spelling ("f32", "fp32", "bool"); null where there is none.
const ElementType *findElementType(std::string_view spelling);
/// By NumPy's kind and size ("f4"); null where kernels cannot take it.
const ElementType *findNumpyType(std::string_view kindAndSize);
/// The spelling nearest to a wrong one, or empty.
std::string nearestElementType(std::string_view spelling);

/// The number at `from` as a double (64-bit integers are rounded).
double readNumber(const ElementType &type, const void *from);
/// Integers only: the exact value, sign-extended.
int64_t readInteger(const ElementType &type, const void *from);
/// Writes the value rounded to nearest even; integers are truncated modulo 2^width.
void writeNumber(const ElementType &type, double value, void *to);
void writeInteger(const ElementType &type, int64_t value, void *to);

} // namespace tegula::driver
