// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float formats against a second implementation: values from their definition with ldexp, rounding by searching for the
// nearest value, and f16 against the compiler's own type.
#include "plugins/reference/numerics/formats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace tegula::plugins::reference;

namespace {

struct Described {
  Kind kind;
  int exponentBits, mantissaBits, bias;
  double largest;
  bool infinity, nan, negativeZero;
};

const Described kNarrow[] = {
    {Kind::E4M3FN, 4, 3, 7, 448.0, false, true, true},     {Kind::E5M2, 5, 2, 15, 57344.0, true, true, true},
    {Kind::E4M3FNUZ, 4, 3, 8, 240.0, false, true, false},  {Kind::E5M2FNUZ, 5, 2, 16, 57344.0, false, true, false},
    {Kind::E4M3B15, 4, 3, 15, 1.875, false, false, true},  {Kind::F16, 5, 10, 15, 65504.0, true, true, true},
    {Kind::BF16, 8, 7, 127, 0x1.fep127, true, true, true},
};

/// The value of a pattern from the definition; NaN where it is none.
double valueOf(const Described &f, uint32_t bits) {
  const int width = f.exponentBits + f.mantissaBits;
  const uint32_t magnitude = bits & ((1u << width) - 1);
  const int exponent = int(magnitude >> f.mantissaBits);
  const int mantissa = int(magnitude & ((1u << f.mantissaBits) - 1));
  const double sign = (bits >> width) & 1 ? -1.0 : 1.0;
  if (!f.negativeZero && sign < 0 && magnitude == 0)
    return std::nan("");
  const double value = exponent ? std::ldexp(1.0 + std::ldexp(mantissa, -f.mantissaBits), exponent - f.bias)
                                : std::ldexp(mantissa, 1 - f.bias - f.mantissaBits);
  if (value > f.largest)
    return f.infinity && mantissa == 0 ? sign * std::numeric_limits<double>::infinity() : std::nan("");
  return sign * value;
}

class NarrowFormat : public testing::TestWithParam<Described> {};

TEST_P(NarrowFormat, DecodesEveryPattern) {
  const Described &f = GetParam();
  const uint32_t patterns = 1u << (8 * byteWidth(f.kind));
  for (uint32_t bits = 0; bits < patterns; ++bits) {
    const double expected = valueOf(f, bits), got = decodeBits(formatOf(f.kind), bits);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(got)) << bits;
      continue;
    }
    ASSERT_EQ(expected, got) << bits;
    ASSERT_EQ(std::signbit(expected), std::signbit(got)) << bits;
    float row = 0;
    decodeToFloat(f.kind, &row, &bits, 1);
    ASSERT_EQ(double(row), expected) << bits;
  }
}

TEST_P(NarrowFormat, EncodesEveryValueToItself) {
  const Described &f = GetParam();
  for (uint32_t bits = 0; bits < (1u << (8 * byteWidth(f.kind))); ++bits) {
    const double value = valueOf(f, bits);
    if (std::isnan(value))
      continue;
    for (Rounding rounding : {Rounding::NearestEven, Rounding::TowardZero})
      ASSERT_EQ(encodeBits(formatOf(f.kind), value, rounding, false), bits);
  }
}

/// Between two neighbours: just above the lower, the middle, just below the upper.
TEST_P(NarrowFormat, RoundsBetweenNeighbours) {
  const Described &f = GetParam();
  const FloatFormat format = formatOf(f.kind);
  const uint32_t sign = format.signBit();
  for (uint32_t bits = 0; bits < format.maxFinite(); ++bits) {
    const double low = valueOf(f, bits), high = valueOf(f, bits + 1), middle = (low + high) / 2;
    const double aboveLow = std::nextafter(low, high), belowHigh = std::nextafter(high, low);
    const double belowMiddle = std::nextafter(middle, low), aboveMiddle = std::nextafter(middle, high);
    const uint32_t even = bits & 1 ? bits + 1 : bits;
    const auto nearest = [&](double v) { return encodeBits(format, v, Rounding::NearestEven, false); };
    const auto zero = [&](double v) { return encodeBits(format, v, Rounding::TowardZero, false); };
    ASSERT_EQ(nearest(aboveLow), bits);
    ASSERT_EQ(nearest(belowMiddle), bits);
    ASSERT_EQ(nearest(middle), even);
    ASSERT_EQ(nearest(aboveMiddle), bits + 1);
    ASSERT_EQ(nearest(belowHigh), bits + 1);
    for (double v : {aboveLow, belowMiddle, middle, aboveMiddle, belowHigh})
      ASSERT_EQ(zero(v), bits);
    const bool lostSign = !f.negativeZero && even == 0;
    ASSERT_EQ(nearest(-middle), lostSign ? 0 : even | sign);
  }
}

TEST_P(NarrowFormat, Overflow) {
  const Described &f = GetParam();
  const FloatFormat format = formatOf(f.kind);
  const double infinity = std::numeric_limits<double>::infinity();
  const uint32_t largest = format.maxFinite();
  const double step = f.largest - valueOf(f, largest - 1);
  const auto encode = [&](double v, Rounding rounding, bool saturate) {
    return encodeBits(format, v, rounding, saturate);
  };
  const auto isOver = [&](uint32_t bits) {
    const double value = valueOf(f, bits);
    return f.infinity ? std::isinf(value) : f.nan ? std::isnan(value) : bits == largest;
  };
  // Half a step above the largest number is a tie; that number's pattern decides.
  EXPECT_EQ(encode(f.largest + step * 0.49, Rounding::NearestEven, false), largest);
  EXPECT_TRUE(isOver(encode(f.largest + step * 0.51, Rounding::NearestEven, false)));
  EXPECT_EQ(encode(f.largest + step * 0.5, Rounding::NearestEven, false) == largest, (largest & 1) == 0 || !f.nan);
  EXPECT_EQ(encode(1e300, Rounding::TowardZero, false), largest);
  EXPECT_TRUE(isOver(encode(infinity, Rounding::NearestEven, false)));
  EXPECT_TRUE(isOver(encode(infinity, Rounding::TowardZero, false)));
  EXPECT_EQ(encode(1e300, Rounding::NearestEven, true), largest);
  EXPECT_EQ(encode(infinity, Rounding::NearestEven, true), largest);
  EXPECT_EQ(encode(-infinity, Rounding::NearestEven, true), largest | format.signBit());
  const uint32_t nan = encode(std::nan(""), Rounding::NearestEven, true);
  EXPECT_TRUE(f.nan ? std::isnan(valueOf(f, nan)) : nan == largest);
  EXPECT_EQ(encode(1e-300, Rounding::NearestEven, false), 0u);
  EXPECT_EQ(encode(-1e-300, Rounding::NearestEven, false), f.negativeZero ? format.signBit() : 0u);
}

INSTANTIATE_TEST_SUITE_P(All, NarrowFormat, testing::ValuesIn(kNarrow),
                         [](const auto &info) { return std::string(kindName(info.param.kind)); });

/// f32 values with every exponent and mantissas around all rounding positions, and a stride through the rest.
template <class Check> void forManyFloats(Check check) {
  for (uint64_t bits = 0; bits < (uint64_t(1) << 32); bits += 9973)
    check(std::bit_cast<float>(uint32_t(bits)));
  for (uint32_t exponent = 0; exponent < 256; ++exponent)
    for (uint32_t high = 0; high < 128; ++high)
      for (uint32_t low : {0u, 1u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu, 0xfffu, 0x1000u, 0x1001u, 0x3000u, 0x2fffu})
        for (uint32_t sign : {0u, 0x80000000u})
          check(std::bit_cast<float>(sign | exponent << 23 | high << 16 | low));
}

TEST(HalfConversion, AgreesWithTheCompilerAndTheGenericEncoder) {
  forManyFloats([](float value) {
    const uint16_t fast = halfFromFloat(value);
    const uint16_t generic = uint16_t(encodeBits(formatOf(Kind::F16), value, Rounding::NearestEven, false));
    ASSERT_EQ(fast, generic) << value;
    const _Float16 compiler = static_cast<_Float16>(value);
    uint16_t bits;
    std::memcpy(&bits, &compiler, 2);
    if (value == value) {
      ASSERT_EQ(fast, bits) << value;
    } else {
      ASSERT_GT(fast & 0x7fff, 0x7c00);
    }
  });
}

TEST(BrainConversion, AgreesWithTheGenericEncoder) {
  forManyFloats([](float value) {
    ASSERT_EQ(brainFromFloat(value), uint16_t(encodeBits(formatOf(Kind::BF16), value, Rounding::NearestEven, false)))
        << value;
  });
}

TEST(Tf32, KeepsTenBits) {
  forManyFloats([](float value) {
    if (!std::isfinite(value) || std::fabs(value) < 1e-37f || std::fabs(value) > 3e38f)
      return;
    int exponent = 0;
    const double fraction = std::frexp(double(value), &exponent);
    ASSERT_EQ(double(cutToTf32(value)), std::ldexp(std::trunc(std::ldexp(fraction, 11)), exponent - 11)) << value;
  });
}

TEST(Casts, RoundOnceFromDouble) {
  // 1 + 2^-11 + 2^-30 lies just above a tie of f16: going through f32 first would lose the excess and round to even.
  const double value = 1 + 0x1p-11 + 0x1p-40;
  uint16_t half = 0;
  castFloats(Kind::F64, Kind::F16, &half, &value, 1, Rounding::NearestEven, false);
  EXPECT_EQ(half, 0x3c01);
  float single = 0;
  const double third = 1.0 / 3;
  castFloats(Kind::F64, Kind::F32, &single, &third, 1, Rounding::TowardZero, false);
  EXPECT_EQ(single, std::nextafter(float(third), 0.0f));
}

} // namespace
