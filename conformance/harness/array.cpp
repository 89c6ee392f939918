// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "conformance/harness/array.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace tegula::conformance {

namespace {

using Top = Format::Top;
using Class = Format::Class;

Format floatFormat(std::string name, unsigned bits, unsigned fraction, int bias, Top top = Top::Ieee) {
  return {Class::Float, bits, fraction, bias, top, std::move(name)};
}

unsigned exponentBits(const Format &f) { return f.bits - 1 - f.fraction; }
int maxExponentField(const Format &f) { return (1 << exponentBits(f)) - 1; }

/// Exponent of the greatest finite values.
int maxExponent(const Format &f) { return maxExponentField(f) - (f.top == Top::Ieee ? 1 : 0) - f.bias; }

Real infinity() { return std::numeric_limits<Real>::infinity(); }
Real nan() { return std::numeric_limits<Real>::quiet_NaN(); }

/// The spacing of the format's values in the binade of |value|.
Real spacing(Real value, const Format &f) {
  int exponent = 1 - f.bias;
  if (value != 0 && std::isfinite(value)) {
    int e;
    std::frexp(std::fabs(value), &e);
    exponent = std::max(exponent, e - 1);
  }
  exponent = std::min(exponent, maxExponent(f));
  return std::ldexp(Real(1), exponent - static_cast<int>(f.fraction));
}

Real roundReal(Real value, const Format &f, bool towardZero) {
  if (std::isnan(value) || value == 0)
    return f.top == Top::NegativeZeroNan && value == 0 ? Real(0) : value;
  if (std::isinf(value))
    return f.top == Top::Ieee ? value : nan();
  Real unit = spacing(value, f);
  Real scaled = value / unit; // exact: unit is a power of two
  Real whole = towardZero ? std::trunc(scaled) : std::nearbyint(scaled);
  Real result = whole * unit;
  Real greatest = f.greatest();
  if (std::fabs(result) > greatest) {
    if (towardZero)
      return std::copysign(greatest, value);
    return f.top == Top::Ieee ? std::copysign(infinity(), value) : nan();
  }
  return f.top == Top::NegativeZeroNan && result == 0 ? Real(0) : result;
}

} // namespace

double Format::greatest() const {
  // OneNan formats lose the all-ones significand of the top binade to NaN.
  Real significand = 2 - std::ldexp(Real(1), -static_cast<int>(fraction)) * (top == Top::OneNan ? 2 : 1);
  return static_cast<double>(std::ldexp(significand, maxExponent(*this)));
}

double Format::smallest() const { return std::ldexp(1.0, 1 - bias); }

std::optional<Format> parseFormat(std::string_view name) {
  static const auto *formats = new std::vector<Format>{
      {Class::Bool, 8, 0, 0, Top::Ieee, "i1"},
      {Class::Signed, 8, 0, 0, Top::Ieee, "i8"},
      {Class::Signed, 16, 0, 0, Top::Ieee, "i16"},
      {Class::Signed, 32, 0, 0, Top::Ieee, "i32"},
      {Class::Signed, 64, 0, 0, Top::Ieee, "i64"},
      {Class::Unsigned, 8, 0, 0, Top::Ieee, "u8"},
      {Class::Unsigned, 16, 0, 0, Top::Ieee, "u16"},
      {Class::Unsigned, 32, 0, 0, Top::Ieee, "u32"},
      {Class::Unsigned, 64, 0, 0, Top::Ieee, "u64"},
      floatFormat("f16", 16, 10, 15),
      floatFormat("bf16", 16, 7, 127),
      floatFormat("f32", 32, 23, 127),
      floatFormat("f64", 64, 52, 1023),
      floatFormat("f8e4nv", 8, 3, 7, Top::OneNan),
      floatFormat("f8e5", 8, 2, 15),
      floatFormat("f8e4b8", 8, 3, 8, Top::NegativeZeroNan),
      floatFormat("f8e5b16", 8, 2, 16, Top::NegativeZeroNan),
  };
  for (const Format &f : *formats)
    if (f.name == name)
      return f;
  return std::nullopt;
}

int64_t elementCount(const std::vector<int64_t> &shape) {
  int64_t n = 1;
  for (int64_t d : shape)
    n *= d;
  return n;
}

Array Array::integersOf(std::vector<int64_t> shape, Integer fill) {
  Array a;
  a.integers.assign(static_cast<size_t>(elementCount(shape)), fill);
  a.shape = std::move(shape);
  return a;
}

Array Array::realsOf(std::vector<int64_t> shape, Real fill) {
  Array a;
  a.isReal = true;
  a.reals.assign(static_cast<size_t>(elementCount(shape)), fill);
  a.shape = std::move(shape);
  return a;
}

Array Array::asReal() const {
  if (isReal)
    return *this;
  Array a = realsOf(shape);
  for (size_t i = 0; i < integers.size(); ++i)
    a.reals[i] = static_cast<Real>(integers[i]);
  return a;
}

Integer wrapTo(Integer value, const Format &f) {
  if (f.kind == Class::Bool)
    return value != 0;
  Integer modulus = Integer(1) << f.bits;
  value %= modulus;
  if (value < 0)
    value += modulus;
  if (f.kind == Class::Signed && value >= modulus / 2)
    value -= modulus;
  return value;
}

Real roundTo(Real value, const Format &f) {
  return f.isFloat() ? roundReal(value, f, false) : static_cast<Real>(wrapTo(static_cast<Integer>(value), f));
}

Real truncateTo(Real value, const Format &f) { return roundReal(value, f, true); }

Real ulpOf(Real value, const Format &f) { return spacing(value, f); }

uint64_t encodeInteger(Integer value, const Format &f) {
  return static_cast<uint64_t>(wrapTo(value, f)) & (f.bits == 64 ? ~uint64_t(0) : (uint64_t(1) << f.bits) - 1);
}

uint64_t encode(Real value, const Format &f) {
  if (!f.isFloat())
    return encodeInteger(static_cast<Integer>(value), f);
  value = roundReal(value, f, false);
  uint64_t sign = uint64_t(std::signbit(value)) << (f.bits - 1);
  uint64_t allOnes = (uint64_t(1) << (f.bits - 1)) - 1;
  uint64_t topField = static_cast<uint64_t>(maxExponentField(f)) << f.fraction;
  if (std::isnan(value)) {
    if (f.top == Top::NegativeZeroNan)
      return uint64_t(1) << (f.bits - 1);
    return f.top == Top::OneNan ? allOnes : topField | (uint64_t(1) << (f.fraction - 1));
  }
  if (std::isinf(value))
    return sign | topField;
  Real magnitude = std::fabs(value);
  if (magnitude == 0)
    return sign;
  int exponent;
  std::frexp(magnitude, &exponent);
  exponent = std::max(exponent - 1, 1 - f.bias);
  auto significand = static_cast<uint64_t>(std::ldexp(magnitude, static_cast<int>(f.fraction) - exponent));
  uint64_t hidden = uint64_t(1) << f.fraction;
  uint64_t field = significand >= hidden ? static_cast<uint64_t>(exponent + f.bias) : 0;
  return sign | (field << f.fraction) | (significand & (hidden - 1));
}

Real decode(uint64_t bits, const Format &f) {
  if (!f.isFloat())
    return static_cast<Real>(decodeInteger(bits, f));
  bool negative = bits >> (f.bits - 1) & 1;
  uint64_t magnitude = bits & ((uint64_t(1) << (f.bits - 1)) - 1);
  uint64_t field = magnitude >> f.fraction, fraction = magnitude & ((uint64_t(1) << f.fraction) - 1);
  bool top = field == static_cast<uint64_t>(maxExponentField(f));
  Real value;
  if (f.top == Top::Ieee && top)
    value = fraction ? nan() : infinity();
  else if (f.top == Top::OneNan && magnitude == (uint64_t(1) << (f.bits - 1)) - 1)
    value = nan();
  else if (f.top == Top::NegativeZeroNan && negative && magnitude == 0)
    return nan();
  else if (field == 0)
    value = std::ldexp(static_cast<Real>(fraction), 1 - f.bias - static_cast<int>(f.fraction));
  else
    value = std::ldexp(static_cast<Real>(fraction + (uint64_t(1) << f.fraction)), static_cast<int>(field) - f.bias - static_cast<int>(f.fraction));
  return negative ? -value : value;
}

Integer decodeInteger(uint64_t bits, const Format &f) { return wrapTo(static_cast<Integer>(bits), f); }

Array decodeBuffer(const void *bytes, const Format &f, std::vector<int64_t> shape) {
  Array array = f.isFloat() ? Array::realsOf(std::move(shape)) : Array::integersOf(std::move(shape));
  const auto *p = static_cast<const uint8_t *>(bytes);
  for (size_t i = 0, n = array.size(); i < n; ++i, p += f.bytes()) {
    uint64_t raw = 0;
    std::memcpy(&raw, p, f.bytes());
    if (f.isFloat())
      array.reals[i] = decode(raw, f);
    else
      array.integers[i] = decodeInteger(raw, f);
  }
  return array;
}

std::vector<uint8_t> encodeBuffer(const Array &array, const Format &f) {
  std::vector<uint8_t> bytes(array.size() * f.bytes());
  for (size_t i = 0, n = array.size(); i < n; ++i) {
    uint64_t raw = f.isFloat() ? encode(array.real(i), f) : encodeInteger(array.integer(i), f);
    std::memcpy(bytes.data() + i * f.bytes(), &raw, f.bytes());
  }
  return bytes;
}

} // namespace tegula::conformance
