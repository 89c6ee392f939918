// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise kernels against wide integers, quadruple precision and hand-computed values.
#include "plugins/reference/numerics/kernels.h"
#include "sdk/kir/kir.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

using namespace tegula::plugins::reference;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::nanf("");

template <class T> T apply(BinaryKernel kernel, T a, T b) {
  T result{};
  kernel(&result, &a, &b, 1);
  return result;
}
template <class R, class T> R apply(UnaryKernel kernel, T a) {
  R result{};
  kernel(&result, &a, 1);
  return result;
}

int64_t signExtend(uint64_t bits, uint32_t width) { return int64_t(bits << (64 - width)) >> (64 - width); }

/// The result by the definition, in 128 bits.
uint64_t expectedInteger(uint32_t op, uint64_t a, uint64_t b, uint32_t width) {
  const uint64_t mask = width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
  const __int128 x = signExtend(a, width), y = signExtend(b, width);
  const unsigned __int128 u = a, v = b;
  switch (op) {
  case TEGULA_KIR_OP_ADDI:
    return uint64_t(u + v) & mask;
  case TEGULA_KIR_OP_SUBI:
    return uint64_t(u - v) & mask;
  case TEGULA_KIR_OP_MULI:
    return uint64_t(u * v) & mask;
  case TEGULA_KIR_OP_DIVSI:
    return uint64_t(y == 0 ? 0 : x / y) & mask;
  case TEGULA_KIR_OP_DIVUI:
    return uint64_t(v == 0 ? 0 : u / v);
  case TEGULA_KIR_OP_REMSI:
    return uint64_t(y == 0 ? x : x % y) & mask;
  case TEGULA_KIR_OP_REMUI:
    return uint64_t(v == 0 ? u : u % v);
  case TEGULA_KIR_OP_ANDI:
    return a & b;
  case TEGULA_KIR_OP_ORI:
    return a | b;
  case TEGULA_KIR_OP_XORI:
    return a ^ b;
  case TEGULA_KIR_OP_SHLI:
    return b >= width ? 0 : uint64_t(u << b) & mask;
  case TEGULA_KIR_OP_SHRSI:
    return uint64_t(x >> (b >= width ? 127 : b)) & mask;
  case TEGULA_KIR_OP_SHRUI:
    return b >= width ? 0 : a >> b;
  case TEGULA_KIR_OP_MINSI:
    return x < y ? a : b;
  case TEGULA_KIR_OP_MAXSI:
    return x > y ? a : b;
  case TEGULA_KIR_OP_MINUI:
    return a < b ? a : b;
  case TEGULA_KIR_OP_MAXUI:
    return a > b ? a : b;
  case TEGULA_KIR_OP_MULHUI:
    return uint64_t((u * v) >> width) & mask;
  default:
    return uint64_t((x * y) >> width) & mask;
  }
}

TEST(Integers, EveryOperationAndWidth) {
  std::mt19937_64 random(7);
  for (Kind kind : {Kind::I1, Kind::I8, Kind::I16, Kind::I32, Kind::I64}) {
    const uint32_t width = bitWidth(kind);
    const uint64_t mask = width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
    std::vector<uint64_t> values{0, 1, 2, 3, mask, mask - 1, mask >> 1, (mask >> 1) + 1, width - 1, width};
    for (int i = 0; i < 40; ++i)
      values.push_back(random() >> (random() % 64));
    for (uint32_t op = TEGULA_KIR_OP_ADDI; op <= TEGULA_KIR_OP_MULHSI; ++op) {
      const BinaryKernel kernel = integerBinaryKernel(op, kind);
      ASSERT_NE(kernel, nullptr) << op;
      for (uint64_t a : values)
        for (uint64_t b : values) {
          const uint64_t x = a & mask, y = b & mask;
          uint64_t result = 0;
          kernel(&result, &x, &y, 1);
          ASSERT_EQ(result, expectedInteger(op, x, y, width))
              << "op " << op << " width " << width << ": " << x << ", " << y;
        }
    }
  }
}

TEST(Integers, OneBitIsSigned) {
  EXPECT_EQ(apply<uint8_t>(integerCompareKernel(TEGULA_KIR_INT_PREDICATE_SLT, Kind::I1), 1, 0), 1); // -1 < 0
  EXPECT_EQ(apply<uint8_t>(integerCompareKernel(TEGULA_KIR_INT_PREDICATE_ULT, Kind::I1), 1, 0), 0);
  EXPECT_EQ((apply<uint32_t, uint8_t>(conversionKernel(TEGULA_KIR_OP_EXTSI, Kind::I1, Kind::I32), 1)), 0xffffffffu);
  EXPECT_EQ((apply<uint32_t, uint8_t>(conversionKernel(TEGULA_KIR_OP_EXTUI, Kind::I1, Kind::I32), 1)), 1u);
  EXPECT_EQ((apply<float, uint8_t>(conversionKernel(TEGULA_KIR_OP_SITOFP, Kind::I1, Kind::F32), 1)), -1.0f);
}

TEST(Integers, Bits) {
  const auto bits = [](uint32_t function, uint32_t value) {
    return apply<uint32_t, uint32_t>(bitFunctionKernel(function, Kind::I32), value);
  };
  EXPECT_EQ(bits(TEGULA_KIR_BIT_FUNCTION_POPCOUNT, 0xf0f00001u), 9u);
  EXPECT_EQ(bits(TEGULA_KIR_BIT_FUNCTION_CLZ, 0x00010000u), 15u);
  EXPECT_EQ(bits(TEGULA_KIR_BIT_FUNCTION_CLZ, 0u), 32u);
  EXPECT_EQ(bits(TEGULA_KIR_BIT_FUNCTION_FFS, 0x00010000u), 17u);
  EXPECT_EQ(bits(TEGULA_KIR_BIT_FUNCTION_FFS, 0u), 0u);
  EXPECT_EQ(bits(TEGULA_KIR_BIT_FUNCTION_BREV, 0x80000002u), 0x40000001u);
  EXPECT_EQ(bits(TEGULA_KIR_BIT_FUNCTION_NOT, 0xffff0000u), 0x0000ffffu);
  EXPECT_EQ((apply<uint32_t, uint32_t>(integerUnaryKernel(TEGULA_KIR_OP_ABSI, Kind::I32), 0x80000000u)), 0x80000000u);
  EXPECT_EQ((apply<uint32_t, uint32_t>(integerUnaryKernel(TEGULA_KIR_OP_ABSI, Kind::I32), 0xfffffffdu)), 3u);
}

TEST(Floats, MinimumAndMaximum) {
  const auto f = [](uint32_t op, float a, float b) { return apply<float>(floatBinaryKernel(op, Kind::F32), a, b); };
  EXPECT_EQ(f(TEGULA_KIR_OP_MINNUMF, kNan, 2), 2);
  EXPECT_EQ(f(TEGULA_KIR_OP_MAXNUMF, 2, kNan), 2);
  EXPECT_TRUE(std::isnan(f(TEGULA_KIR_OP_MINIMUMF, kNan, 2)));
  EXPECT_TRUE(std::isnan(f(TEGULA_KIR_OP_MAXIMUMF, 2, kNan)));
  EXPECT_TRUE(std::signbit(f(TEGULA_KIR_OP_MINNUMF, 0.0f, -0.0f)));
  EXPECT_FALSE(std::signbit(f(TEGULA_KIR_OP_MAXIMUMF, -0.0f, 0.0f)));
  EXPECT_EQ(f(TEGULA_KIR_OP_MINIMUMF, -kInf, 1), -kInf);
  EXPECT_EQ(f(TEGULA_KIR_OP_REMF, -7.5f, 2.0f), -1.5f);
}

TEST(Floats, EveryPredicate) {
  // Per predicate: does it accept less, equal, greater, unordered?
  const struct {
    uint32_t predicate;
    bool less, equal, greater, unordered;
  } kTable[] = {{TEGULA_KIR_FLOAT_PREDICATE_FALSE, 0, 0, 0, 0}, {TEGULA_KIR_FLOAT_PREDICATE_OEQ, 0, 1, 0, 0},
                {TEGULA_KIR_FLOAT_PREDICATE_OGT, 0, 0, 1, 0},   {TEGULA_KIR_FLOAT_PREDICATE_OGE, 0, 1, 1, 0},
                {TEGULA_KIR_FLOAT_PREDICATE_OLT, 1, 0, 0, 0},   {TEGULA_KIR_FLOAT_PREDICATE_OLE, 1, 1, 0, 0},
                {TEGULA_KIR_FLOAT_PREDICATE_ONE, 1, 0, 1, 0},   {TEGULA_KIR_FLOAT_PREDICATE_ORD, 1, 1, 1, 0},
                {TEGULA_KIR_FLOAT_PREDICATE_UEQ, 0, 1, 0, 1},   {TEGULA_KIR_FLOAT_PREDICATE_UGT, 0, 0, 1, 1},
                {TEGULA_KIR_FLOAT_PREDICATE_UGE, 0, 1, 1, 1},   {TEGULA_KIR_FLOAT_PREDICATE_ULT, 1, 0, 0, 1},
                {TEGULA_KIR_FLOAT_PREDICATE_ULE, 1, 1, 0, 1},   {TEGULA_KIR_FLOAT_PREDICATE_UNE, 1, 0, 1, 1},
                {TEGULA_KIR_FLOAT_PREDICATE_UNO, 0, 0, 0, 1},   {TEGULA_KIR_FLOAT_PREDICATE_TRUE, 1, 1, 1, 1}};
  for (const auto &row : kTable) {
    for (Kind kind : {Kind::F16, Kind::F32, Kind::F64}) {
      const BinaryKernel kernel = floatCompareKernel(row.predicate, kind);
      const auto accepts = [&](double a, double b) {
        uint64_t x = 0, y = 0;
        encodeFromDouble(kind, &x, &a, 1);
        encodeFromDouble(kind, &y, &b, 1);
        uint8_t result = 2;
        kernel(&result, &x, &y, 1);
        return result == 1;
      };
      EXPECT_EQ(accepts(-1, 2), row.less);
      EXPECT_EQ(accepts(0.0, -0.0), row.equal);
      EXPECT_EQ(accepts(kInf, 2), row.greater);
      EXPECT_EQ(accepts(std::nan(""), 2), row.unordered);
      EXPECT_EQ(accepts(2, std::nan("")), row.unordered);
    }
  }
}

/// The f16 nearest to an exact number, by comparing with the neighbours in quadruple precision.
uint16_t nearestHalf(__float128 exact) {
  const bool negative = exact < 0;
  const __float128 magnitude = negative ? -exact : exact;
  uint16_t low = 0, high = 0x7bff; // invariant: value(low) <= magnitude
  if (magnitude >= 65520)
    return uint16_t(0x7c00 | (negative ? 0x8000 : 0));
  while (low < high) {
    const uint16_t middle = uint16_t((low + high + 1) / 2);
    if (__float128(floatFromHalf(middle)) <= magnitude)
      low = middle;
    else
      high = uint16_t(middle - 1);
  }
  if (low < 0x7bff) {
    const __float128 below = magnitude - __float128(floatFromHalf(low)),
                     above = __float128(floatFromHalf(uint16_t(low + 1))) - magnitude;
    if (above < below || (above == below && (low & 1)))
      ++low;
  }
  return uint16_t(low | (negative ? 0x8000 : 0));
}

TEST(Floats, HalfArithmeticRoundsOnce) {
  std::mt19937 random(3);
  const auto half = [&] {
    uint16_t bits;
    do
      bits = uint16_t(random());
    while ((bits & 0x7c00) == 0x7c00);
    return bits;
  };
  for (int i = 0; i < 100000; ++i) {
    const uint16_t a = half(), b = half(), c = half();
    const __float128 x = floatFromHalf(a), y = floatFromHalf(b), z = floatFromHalf(c);
    uint16_t result = 0;
    floatTernaryKernel(TEGULA_KIR_OP_FMA, Kind::F16)(&result, &a, &b, &c, 1);
    const __float128 fused = x * y + z;
    if (fused != 0)
      ASSERT_EQ(result, nearestHalf(fused)) << a << " " << b << " " << c;
    const uint16_t product = apply<uint16_t>(floatBinaryKernel(TEGULA_KIR_OP_MULF, Kind::F16), a, b);
    if (x * y != 0)
      ASSERT_EQ(product, nearestHalf(x * y));
    if (x + y != 0)
      ASSERT_EQ(apply<uint16_t>(floatBinaryKernel(TEGULA_KIR_OP_ADDF, Kind::F16), a, b), nearestHalf(x + y));
    if (y != 0 && x != 0)
      ASSERT_EQ(apply<uint16_t>(floatBinaryKernel(TEGULA_KIR_OP_DIVF, Kind::F16), a, b), nearestHalf(x / y));
  }
}

TEST(Floats, FusedDiffersFromTwoRoundings) {
  const float a = 1 + 0x1p-12f, c = -(1 + 0x1p-11f);
  float fused = 0, separate = 0;
  floatTernaryKernel(TEGULA_KIR_OP_FMA, Kind::F32)(&fused, &a, &a, &c, 1);
  floatTernaryKernel(TEGULA_KIR_OP_MUL_ADD, Kind::F32)(&separate, &a, &a, &c, 1);
  EXPECT_EQ(fused, 0x1p-24f);
  EXPECT_EQ(separate, 0.0f);
}

TEST(Floats, SignOfUnsignedZeroFormats) {
  const UnaryKernel negate = floatUnaryKernel(TEGULA_KIR_OP_NEGF, Kind::E4M3FNUZ);
  EXPECT_EQ((apply<uint8_t, uint8_t>(negate, 0)), 0);       // there is one zero
  EXPECT_EQ((apply<uint8_t, uint8_t>(negate, 0x80)), 0x80); // NaN
  EXPECT_EQ((apply<uint8_t, uint8_t>(negate, 0x12)), 0x92);
  EXPECT_EQ((apply<uint8_t, uint8_t>(floatUnaryKernel(TEGULA_KIR_OP_ABSF, Kind::E5M2FNUZ), 0x80)), 0x80);
}

TEST(Conversions, FloatToIntegerSaturates) {
  const auto toI32 = [](float v) {
    return apply<int32_t, float>(conversionKernel(TEGULA_KIR_OP_FPTOSI, Kind::F32, Kind::I32), v);
  };
  EXPECT_EQ(toI32(-2.9f), -2);
  EXPECT_EQ(toI32(3e9f), std::numeric_limits<int32_t>::max());
  EXPECT_EQ(toI32(-kInf), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(toI32(kNan), 0);
  const auto toU8 = [](float v) {
    return apply<uint8_t, float>(conversionKernel(TEGULA_KIR_OP_FPTOUI, Kind::F32, Kind::I8), v);
  };
  EXPECT_EQ(toU8(-1.0f), 0);
  EXPECT_EQ(toU8(255.9f), 255);
  EXPECT_EQ(toU8(256.0f), 255);
  EXPECT_EQ((apply<uint64_t, double>(conversionKernel(TEGULA_KIR_OP_FPTOUI, Kind::F64, Kind::I64), 0x1p63)), uint64_t(1)
                                                                                                                 << 63);
  EXPECT_EQ((apply<int64_t, double>(conversionKernel(TEGULA_KIR_OP_FPTOSI, Kind::F64, Kind::I64), 0x1p63)),
            std::numeric_limits<int64_t>::max());
}

TEST(Conversions, IntegerToNarrowFloatRoundsOnce) {
  // 2^60 + 2^52 is a tie of bf16 (8 bits) between 2^60 and 2^60 + 2^53; one more decides upward, which f64 alone would
  // lose.
  const int64_t value = (int64_t(1) << 60) + (int64_t(1) << 52) + 1;
  EXPECT_EQ((apply<uint16_t, int64_t>(conversionKernel(TEGULA_KIR_OP_SITOFP, Kind::I64, Kind::BF16), value)),
            brainFromFloat(0x1p60f) + 1);
  EXPECT_EQ((apply<uint16_t, int64_t>(conversionKernel(TEGULA_KIR_OP_SITOFP, Kind::I64, Kind::BF16), value - 1)),
            brainFromFloat(0x1p60f));
  EXPECT_EQ((apply<float, uint32_t>(conversionKernel(TEGULA_KIR_OP_UITOFP, Kind::I32, Kind::F32), 0xffffffffu)),
            0x1p32f);
  EXPECT_EQ((apply<float, uint32_t>(conversionKernel(TEGULA_KIR_OP_SITOFP, Kind::I32, Kind::F32), 0xffffffffu)), -1.0f);
}

TEST(Math, RoundsTheDoubleResult) {
  const auto f = [](uint32_t function, float x) {
    return apply<float, float>(mathUnaryKernel(function, Kind::F32), x);
  };
  EXPECT_EQ(f(TEGULA_KIR_MATH_FUNCTION_EXP, 1.0f), float(2.718281828459045));
  EXPECT_EQ(f(TEGULA_KIR_MATH_FUNCTION_LOG2, 8.0f), 3.0f);
  EXPECT_EQ(f(TEGULA_KIR_MATH_FUNCTION_RSQRT, 0.25f), 2.0f);
  EXPECT_EQ(f(TEGULA_KIR_MATH_FUNCTION_SINPI, 1.0f), 0.0f);
  EXPECT_EQ(f(TEGULA_KIR_MATH_FUNCTION_COSPI, 0.5f), 0.0f);
  EXPECT_EQ(f(TEGULA_KIR_MATH_FUNCTION_SINPI, 2.5f), 1.0f);
  EXPECT_EQ(f(TEGULA_KIR_MATH_FUNCTION_ROUND, 2.5f), 3.0f);
  EXPECT_EQ(f(TEGULA_KIR_MATH_FUNCTION_RINT, 2.5f), 2.0f);
  EXPECT_NEAR(f(TEGULA_KIR_MATH_FUNCTION_NORMCDF, 1.0f), 0.8413447460685429, 1e-7);
  EXPECT_EQ(apply<float>(mathBinaryKernel(TEGULA_KIR_MATH_FUNCTION_NEXTAFTER, Kind::F32), 1.0f, 2.0f), 1.0f + 0x1p-23f);
  EXPECT_EQ(apply<float>(mathBinaryKernel(TEGULA_KIR_MATH_FUNCTION_NEXTAFTER, Kind::F32), 0.0f, -1.0f), -0x1p-149f);
  EXPECT_EQ(apply<float>(mathBinaryKernel(TEGULA_KIR_MATH_FUNCTION_LDEXP, Kind::F32), 1.5f, 3.0f), 12.0f);
}

TEST(Math, EveryFunctionExists) {
  for (uint32_t function = TEGULA_KIR_MATH_FUNCTION_EXP; function <= TEGULA_KIR_MATH_FUNCTION_RCBRT; ++function)
    for (Kind kind : {Kind::F16, Kind::BF16, Kind::F32, Kind::F64})
      EXPECT_NE(mathUnaryKernel(function, kind), nullptr) << function;
  for (uint32_t function = TEGULA_KIR_MATH_FUNCTION_POW; function <= TEGULA_KIR_MATH_FUNCTION_LDEXP; ++function)
    EXPECT_NE(mathBinaryKernel(function, Kind::F32), nullptr) << function;
}

TEST(Math, InverseErfInvertsErf) {
  const UnaryKernel inverse = mathUnaryKernel(TEGULA_KIR_MATH_FUNCTION_ERFINV, Kind::F64);
  for (double x : {1e-12, 1e-9, 1e-3, 0.1, 0.4, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0}) {
    const double y = std::erf(x);
    const double slope = 2 / std::sqrt(M_PI) * std::exp(-x * x);
    EXPECT_NEAR((apply<double, double>(inverse, y)), x, 4e-16 * x + 1.2e-16 / slope) << x;
    EXPECT_EQ((apply<double, double>(inverse, -y)), -(apply<double, double>(inverse, y)));
  }
  EXPECT_EQ((apply<double, double>(inverse, 1.0)), std::numeric_limits<double>::infinity());
}

TEST(Dot, OrderAndRounding) {
  // Row times column: 2^24 + 1 + 1 loses both ones in f32 when added one by one after 2^24, and keeps them the other
  // way round.
  const float lhs[3] = {0x1p24f, 1, 1}, rhs[3] = {1, 1, 1}, reversed[3] = {1, 1, 0x1p24f};
  DotShape shape{1, 1, 3, Kind::F32, Kind::F32, Kind::F32, true, true, false};
  float sum = 0;
  multiply(shape, &sum, lhs, rhs);
  EXPECT_EQ(sum, 0x1p24f);
  sum = 0;
  multiply(shape, &sum, reversed, rhs);
  EXPECT_EQ(sum, 0x1p24f + 2);
  sum = 0.5f; // the accumulator comes first
  multiply(shape, &sum, lhs, rhs);
  EXPECT_EQ(sum, 0x1p24f);
}

TEST(Dot, IntegersHalvesAndTf32) {
  const int8_t a[4] = {-128, 127, -1, 3}, b[4] = {-128, 2, 5, -7};
  int32_t product[4] = {1, 2, 3, 4};
  multiply({2, 2, 2, Kind::I8, Kind::I8, Kind::I32, true, true, false}, product, a, b);
  EXPECT_EQ(product[0], 1 + 128 * 128 + 127 * 5);
  EXPECT_EQ(product[1], 2 - 256 - 889);
  EXPECT_EQ(product[2], 3 + 128 + 15);
  EXPECT_EQ(product[3], 4 - 2 - 21);
  uint32_t mixed = 0;
  multiply({1, 1, 1, Kind::I8, Kind::I8, Kind::I32, false, true, false}, &mixed, &a[0], &b[0]);
  EXPECT_EQ(int32_t(mixed), 128 * -128);
  const uint16_t half = halfFromFloat(300.0f), one = halfFromFloat(1.0f);
  uint16_t sum = halfFromFloat(65504.0f);
  multiply({1, 1, 1, Kind::F16, Kind::F16, Kind::F16, true, true, false}, &sum, &half, &one);
  EXPECT_EQ(sum, 0x7c00); // f16 accumulator overflows
  const float fine = 1 + 0x1p-11f + 0x1p-20f, unit = 1;
  float coarse = 0;
  multiply({1, 1, 1, Kind::F32, Kind::F32, Kind::F32, true, true, true}, &coarse, &fine, &unit);
  EXPECT_EQ(coarse, 1.0f);
}

TEST(Dot, MatchesDoublePrecision) {
  std::mt19937 random(11);
  std::uniform_real_distribution<float> uniform(-1, 1);
  const uint32_t m = 16, n = 128, k = 32;
  std::vector<float> a(m * k), b(k * n), c(m * n);
  for (auto *values : {&a, &b, &c})
    for (float &value : *values)
      value = uniform(random);
  std::vector<float> result = c;
  multiply({m, n, k, Kind::F32, Kind::F32, Kind::F32, true, true, false}, result.data(), a.data(), b.data());
  for (uint32_t i = 0; i < m; ++i)
    for (uint32_t j = 0; j < n; ++j) {
      double sum = c[i * n + j];
      for (uint32_t l = 0; l < k; ++l)
        sum += double(a[i * k + l]) * b[l * n + j];
      ASSERT_NEAR(result[i * n + j], sum, 1e-5);
    }
}

} // namespace
