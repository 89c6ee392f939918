// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays as the oracle computes with them: wider than anything a kernel computes in, and independent of every plugin's numerics.
// Element formats of buffers are encoded and decoded here, by this suite's own code.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::conformance {

/// Formats of buffer elements, spelled as in case files: i1 i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 f8e4nv f8e5 f8e4b8 f8e5b16.
struct Format {
  enum class Class : uint8_t { Bool, Signed, Unsigned, Float } kind = Class::Float;
  unsigned bits = 32;
  // Floats only: bits of the significand field, exponent bias, and how the top of the range is used.
  unsigned fraction = 23;
  int bias = 127;
  enum class Top : uint8_t { Ieee, OneNan, NegativeZeroNan } top = Top::Ieee; ///< OneNan: no infinity, all-ones is NaN
  std::string name;

  bool isFloat() const { return kind == Class::Float; }
  unsigned bytes() const { return bits / 8 ? bits / 8 : 1; }
  double greatest() const;  ///< greatest finite value (floats)
  double smallest() const;  ///< smallest normal value (floats)
};
std::optional<Format> parseFormat(std::string_view name);

using Integer = __int128;
using Real = long double;

/// A dense row-major array of integers (exact) or of reals; booleans are integers 0 and 1.
struct Array {
  std::vector<int64_t> shape;
  bool isReal = false;
  std::vector<Integer> integers; ///< where !isReal
  std::vector<Real> reals;       ///< where isReal

  size_t size() const { return isReal ? reals.size() : integers.size(); }
  Real real(size_t i) const { return isReal ? reals[i] : static_cast<Real>(integers[i]); }
  Integer integer(size_t i) const { return isReal ? static_cast<Integer>(reals[i]) : integers[i]; }

  static Array ofInteger(Integer value) { return {{}, false, {value}, {}}; }
  static Array ofReal(Real value) { return {{}, true, {}, {value}}; }
  static Array integersOf(std::vector<int64_t> shape, Integer fill = 0);
  static Array realsOf(std::vector<int64_t> shape, Real fill = 0);
  /// The same elements as reals.
  Array asReal() const;
};

int64_t elementCount(const std::vector<int64_t> &shape);

/// Nearest value of the format (ties to even; integers wrap modulo 2^bits; a float format without infinity gives NaN beyond its range).
Real roundTo(Real value, const Format &format);
/// Rounds toward zero instead.
Real truncateTo(Real value, const Format &format);
Integer wrapTo(Integer value, const Format &format);
/// The distance between the two neighbours of `format` that enclose `value` (Muller's ulp).
Real ulpOf(Real value, const Format &format);

/// One element of a buffer to and from its bits.
uint64_t encode(Real value, const Format &format);
uint64_t encodeInteger(Integer value, const Format &format);
Real decode(uint64_t bits, const Format &format);
Integer decodeInteger(uint64_t bits, const Format &format);

Array decodeBuffer(const void *bytes, const Format &format, std::vector<int64_t> shape);
std::vector<uint8_t> encodeBuffer(const Array &array, const Format &format);

} // namespace tegula::conformance
