// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point formats as bit patterns: decoding (always exact) and encoding with one rounding. Everything that a
// narrow float does in this plugin goes through these functions.
#pragma once

#include "plugins/reference/numerics/kinds.h"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace tegula::plugins::reference {

enum class Rounding : uint8_t { NearestEven, TowardZero };

/// What a bit pattern above the largest finite one means.
enum class Specials : uint8_t {
  Ieee,     ///< infinity, then NaNs
  OnlyNan,  ///< all ones is NaN, nothing is infinite
  Unsigned, ///< only the sign bit set is NaN; no infinity, no negative zero
  None      ///< every pattern is a number
};

struct FloatFormat {
  uint32_t exponentBits;
  uint32_t mantissaBits;
  int32_t bias;
  Specials specials;

  constexpr uint32_t signBit() const { return 1u << (exponentBits + mantissaBits); }
  constexpr uint32_t allOnes() const { return signBit() - 1; }
  /// The pattern of the largest finite magnitude.
  constexpr uint32_t maxFinite() const {
    switch (specials) {
    case Specials::Ieee:
      return (((1u << exponentBits) - 1) << mantissaBits) - 1;
    case Specials::OnlyNan:
      return allOnes() - 1;
    default:
      return allOnes();
    }
  }
  /// The quiet NaN that conversions give; a format without NaN gives its largest number.
  constexpr uint32_t nan() const {
    switch (specials) {
    case Specials::Ieee:
      return (((1u << exponentBits) - 1) << mantissaBits) | (1u << (mantissaBits - 1));
    case Specials::Unsigned:
      return signBit();
    default:
      return allOnes();
    }
  }
};

/// The format of a float kind of at most 32 bits.
constexpr FloatFormat formatOf(Kind kind) {
  switch (kind) {
  case Kind::F16:
    return {5, 10, 15, Specials::Ieee};
  case Kind::BF16:
    return {8, 7, 127, Specials::Ieee};
  case Kind::E4M3FN:
    return {4, 3, 7, Specials::OnlyNan};
  case Kind::E5M2:
    return {5, 2, 15, Specials::Ieee};
  case Kind::E4M3FNUZ:
    return {4, 3, 8, Specials::Unsigned};
  case Kind::E5M2FNUZ:
    return {5, 2, 16, Specials::Unsigned};
  case Kind::E4M3B15:
    return {4, 3, 15, Specials::None};
  default:
    return {8, 23, 127, Specials::Ieee};
  }
}

/// The value of a bit pattern. Exact: every format of at most 32 bits is a subset of f64.
constexpr double decodeBits(FloatFormat format, uint32_t bits) {
  const bool negative = bits & format.signBit();
  const uint32_t magnitude = bits & format.allOnes();
  constexpr double kInfinity = std::bit_cast<double>(0x7ff0000000000000ull);
  constexpr double kNan = std::bit_cast<double>(0x7ff8000000000000ull);
  if (format.specials == Specials::Unsigned && negative && magnitude == 0)
    return kNan;
  if (magnitude > format.maxFinite()) {
    if (format.specials == Specials::Ieee && magnitude == format.maxFinite() + 1)
      return negative ? -kInfinity : kInfinity;
    return kNan;
  }
  const uint32_t exponent = magnitude >> format.mantissaBits;
  uint64_t mantissa = magnitude & ((1u << format.mantissaBits) - 1);
  int32_t power = 1 - format.bias - int32_t(format.mantissaBits);
  if (exponent) {
    mantissa |= 1ull << format.mantissaBits;
    power += int32_t(exponent) - 1;
  }
  const double scale = std::bit_cast<double>(uint64_t(power + 1023) << 52);
  const double value = double(mantissa) * scale;
  return negative ? -value : value;
}

/// The bit pattern nearest to `value` (or next toward zero), rounded once. A finite value beyond the largest number
/// becomes that number when rounding toward zero or when `saturate` is set; else infinity, or NaN in a format without
/// infinity. `saturate` turns infinities into the largest number too. NaN stays NaN. A format with neither infinity nor
/// NaN always saturates.
constexpr uint32_t encodeBits(FloatFormat format, double value, Rounding rounding, bool saturate) {
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  const bool negative = bits >> 63;
  const uint32_t sign = negative ? format.signBit() : 0;
  const int32_t exponent = int32_t((bits >> 52) & 0x7ff);
  const uint64_t mantissa = bits & 0xfffffffffffffull;
  const bool clamps = saturate || format.specials == Specials::None;
  const uint32_t infinity = format.specials == Specials::Ieee ? format.maxFinite() + 1 : format.nan();
  const uint32_t infinitySign = format.specials == Specials::Unsigned ? 0 : sign;
  if (exponent == 0x7ff) {
    if (mantissa)
      return format.nan() | infinitySign;
    return clamps ? (format.maxFinite() | sign) : (infinity | infinitySign);
  }
  const int32_t target = exponent - 1023 + format.bias;
  int32_t shift = 52 - int32_t(format.mantissaBits);
  if (target <= 0)
    shift += 1 - target;
  uint64_t code = 0;
  if (exponent && shift < 64) { // else: so small that it is zero in every format here
    const uint64_t full = mantissa | (1ull << 52);
    const uint64_t rest = full & ((1ull << shift) - 1);
    const uint64_t half = 1ull << (shift - 1);
    code = full >> shift;
    if (rounding == Rounding::NearestEven && (rest > half || (rest == half && (code & 1))))
      ++code;
    if (target > 0)
      code +=
          uint64_t(target - 1) << format.mantissaBits; // the mantissa's leading one adds the last unit of the exponent
  }
  if (code > format.maxFinite()) {
    if (clamps || rounding == Rounding::TowardZero)
      return format.maxFinite() | sign;
    return infinity | infinitySign;
  }
  if (code == 0 && format.specials == Specials::Unsigned)
    return 0;
  return uint32_t(code) | sign;
}

/// Rounds to f16 like encodeBits(F16, NearestEven); branch-free, so that loops over it vectorise.
inline uint16_t halfFromFloat(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7fffffffu;
  // Adding 0.5 to a value below 2^-14 leaves its subnormal f16 pattern, rounded by the addition, in the low bits.
  const uint32_t subnormal = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u;
  const uint32_t normal = (magnitude + 0xc8000fffu + ((magnitude >> 13) & 1u)) >> 13;
  const uint32_t large = magnitude > 0x7f800000u ? 0x7e00u : 0x7c00u;
  const uint32_t number = magnitude < 0x38800000u ? subnormal : normal;
  return uint16_t(sign | (magnitude >= 0x47800000u ? large : number));
}

/// Exact; branch-free.
inline float floatFromHalf(uint16_t half) {
  const uint32_t sign = uint32_t(half & 0x8000u) << 16;
  const uint32_t shifted = uint32_t(half & 0x7fffu) << 13;
  // Multiplying by 2^112 moves the exponent's bias, subnormals included.
  const uint32_t scaled = std::bit_cast<uint32_t>(std::bit_cast<float>(shifted) * std::bit_cast<float>(0x77800000u));
  const uint32_t special = shifted | 0x7f800000u;
  return std::bit_cast<float>(sign | (shifted >= 0x0f800000u ? special : scaled));
}

/// Rounds to bf16 like encodeBits(BF16, NearestEven).
inline uint16_t brainFromFloat(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  const uint32_t nan = ((bits >> 16) & 0x8000u) | 0x7fc0u;
  return uint16_t((bits & 0x7fffffffu) > 0x7f800000u ? nan : rounded);
}

inline float floatFromBrain(uint16_t brain) { return std::bit_cast<float>(uint32_t(brain) << 16); }

/// Cuts f32 to the 10 mantissa bits of tf32, as a matrix unit does with an operand that nobody converted: recorded launches from an H200 agree
/// with cutting and not with rounding. A NaN stays one.
inline float cutToTf32(float value) {
  return value != value ? value : std::bit_cast<float>(std::bit_cast<uint32_t>(value) & ~0x1fffu);
}

/// `n` elements of a float kind as f32 (kinds of at most 32 bits) or f64; exact.
void decodeToFloat(Kind kind, float *result, const void *source, size_t n);
void decodeToDouble(Kind kind, double *result, const void *source, size_t n);

/// `n` numbers rounded once into a float kind.
void encodeFromFloat(Kind kind, void *result, const float *source, size_t n, Rounding rounding = Rounding::NearestEven,
                     bool saturate = false);
void encodeFromDouble(Kind kind, void *result, const double *source, size_t n,
                      Rounding rounding = Rounding::NearestEven, bool saturate = false);

/// Float to float of any two kinds.
void castFloats(Kind from, Kind to, void *result, const void *source, size_t n, Rounding rounding, bool saturate);

} // namespace tegula::plugins::reference
