// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Table and conversions of element types. Floats are handled by one pair of functions over the format's parameters.
#include "driver/session/element_type.h"

#include "sdk/base/nearest_name.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

namespace tegula::driver {

namespace {
using Kind = ElementType::Kind;
using Special = ElementType::Special;
constexpr ElementType kTypes[] = {
    {Kind::Bool, "i1", "i1", "b1", 1},       {Kind::Int, "i8", "i8", "i1", 1},        {Kind::Int, "i16", "i16", "i2", 2},
    {Kind::Int, "i32", "i32", "i4", 4},      {Kind::Int, "i64", "i64", "i8", 8},      {Kind::UInt, "u8", "u8", "u1", 1},
    {Kind::UInt, "u16", "u16", "u2", 2},     {Kind::UInt, "u32", "u32", "u4", 4},     {Kind::UInt, "u64", "u64", "u8", 8},
    {Kind::Float, "f16", "fp16", "f2", 2, 5, 10, 15},   {Kind::Float, "f32", "fp32", "f4", 4, 8, 23, 127},
    {Kind::Float, "f64", "fp64", "f8", 8, 11, 52, 1023}, {Kind::Float, "bf16", "bf16", "u2", 2, 8, 7, 127},
    {Kind::Float, "f8e5", "fp8e5", "u1", 1, 5, 2, 15},
    {Kind::Float, "f8e4nv", "fp8e4nv", "u1", 1, 4, 3, 7, Special::NanOnly},
    {Kind::Float, "f8e4b8", "fp8e4b8", "u1", 1, 4, 3, 8, Special::NegativeZeroNan},
    {Kind::Float, "f8e5b16", "fp8e5b16", "u1", 1, 5, 2, 16, Special::NegativeZeroNan},
    {Kind::Float, "f8e4b15", "fp8e4b15", "u1", 1, 4, 3, 15, Special::None},
};

uint64_t loadBits(const void *from, uint32_t bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, from, bytes); // little-endian hosts only, as the ABI says
  return bits;
}

double decode(const ElementType &type, uint64_t bits) {
  if (type.bytes == 8)
    return std::bit_cast<double>(bits);
  uint32_t width = type.bytes * 8;
  bool negative = bits >> (width - 1) & 1;
  uint64_t exponent = bits >> type.mantissaBits & ((1u << type.exponentBits) - 1);
  uint64_t mantissa = bits & ((1ull << type.mantissaBits) - 1);
  uint64_t highest = (1u << type.exponentBits) - 1;
  double value;
  if (type.special == Special::Ieee && exponent == highest)
    value = mantissa ? std::nan("") : HUGE_VAL;
  else if (type.special == Special::NanOnly && exponent == highest && mantissa == (1ull << type.mantissaBits) - 1)
    value = std::nan("");
  else if (type.special == Special::NegativeZeroNan && negative && exponent == 0 && mantissa == 0)
    return std::nan("");
  else if (exponent == 0)
    value = std::ldexp(static_cast<double>(mantissa), 1 - type.bias - static_cast<int>(type.mantissaBits));
  else
    value = std::ldexp(static_cast<double>(mantissa | 1ull << type.mantissaBits), static_cast<int>(exponent) - type.bias - static_cast<int>(type.mantissaBits));
  return negative ? -value : value;
}

uint64_t encode(const ElementType &type, double value) {
  if (type.bytes == 8)
    return std::bit_cast<uint64_t>(value);
  uint64_t sign = std::signbit(value) ? 1ull << (type.bytes * 8 - 1) : 0;
  uint64_t highest = (1u << type.exponentBits) - 1, full = (1ull << type.mantissaBits) - 1;
  uint64_t nan = type.special == Special::Ieee              ? highest << type.mantissaBits | 1ull << (type.mantissaBits - 1)
                 : type.special == Special::NegativeZeroNan ? 1ull << (type.bytes * 8 - 1)
                                                            : highest << type.mantissaBits | full;
  if (std::isnan(value))
    return nan;
  uint64_t largest = type.special == Special::Ieee      ? (highest << type.mantissaBits) - 1
                     : type.special == Special::NanOnly ? (highest << type.mantissaBits | full) - 1
                                                        : (highest << type.mantissaBits | full);
  // What lies beyond the largest number: infinity, NaN, or (without either) the largest number itself.
  uint64_t beyond = type.special == Special::Ieee ? sign | (largest + 1) : type.special == Special::None ? sign | largest : type.special == Special::NanOnly ? sign | nan : nan;
  double magnitude = std::fabs(value);
  if (std::isinf(value))
    return beyond;
  if (magnitude == 0)
    return type.special == Special::NegativeZeroNan ? 0 : sign;
  int exponent = std::max(std::ilogb(magnitude), 1 - type.bias);
  double scaled = std::nearbyint(std::ldexp(magnitude, static_cast<int>(type.mantissaBits) - exponent)); // ties to even
  uint64_t mantissa = static_cast<uint64_t>(scaled);
  // A mantissa that rounded up to the next power of two carries into the exponent by itself; so does one below the normal range.
  uint64_t bits = (static_cast<uint64_t>(exponent + type.bias - 1) << type.mantissaBits) + mantissa;
  if (bits > largest)
    return beyond;
  return bits == 0 && type.special == Special::NegativeZeroNan ? 0 : sign | bits;
}
} // namespace

bool ElementType::hasNumpy() const { return kind != Kind::Float || numpy[0] == 'f'; }

const ElementType *findElementType(std::string_view spelling) {
  if (spelling == "bool" || spelling == "u1" || spelling == "B")
    spelling = "i1";
  for (const ElementType &type : kTypes)
    if (type.name == spelling || type.triton == spelling)
      return &type;
  return nullptr;
}

const ElementType *findNumpyType(std::string_view kindAndSize) {
  for (const ElementType &type : kTypes)
    if (type.numpy == kindAndSize && type.hasNumpy())
      return &type;
  return nullptr;
}

std::string nearestElementType(std::string_view spelling) {
  std::vector<std::string> names;
  for (const ElementType &type : kTypes)
    names.emplace_back(type.name);
  return base::nearestName(spelling, names);
}

double readNumber(const ElementType &type, const void *from) {
  if (type.isFloat())
    return decode(type, loadBits(from, type.bytes));
  if (type.kind == Kind::UInt)
    return static_cast<double>(loadBits(from, type.bytes));
  return static_cast<double>(readInteger(type, from));
}

int64_t readInteger(const ElementType &type, const void *from) {
  uint64_t bits = loadBits(from, type.bytes);
  if (type.kind == Kind::Bool)
    return bits != 0;
  if (type.kind == Kind::UInt || type.bytes == 8)
    return static_cast<int64_t>(bits);
  uint32_t shift = 64 - type.bytes * 8;
  return static_cast<int64_t>(bits << shift) >> shift;
}

void writeNumber(const ElementType &type, double value, void *to) {
  if (!type.isFloat())
    return writeInteger(type, static_cast<int64_t>(value), to);
  uint64_t bits = encode(type, value);
  std::memcpy(to, &bits, type.bytes);
}

void writeInteger(const ElementType &type, int64_t value, void *to) {
  if (type.isFloat())
    return writeNumber(type, static_cast<double>(value), to);
  if (type.kind == Kind::Bool)
    value = value != 0;
  std::memcpy(to, &value, type.bytes);
}

} // namespace tegula::driver
