// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tester is tested: formats against bit patterns known from their definitions, the oracle's language on values computed by hand, and
// comparisons that must fail.

#include "conformance/harness/case.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

using namespace tegula::conformance;

namespace {

TEST(Formats, Float32AgreesWithTheMachine) {
  Format f = *parseFormat("f32");
  for (uint64_t i = 0; i < 200000; ++i) {
    auto bits = static_cast<uint32_t>(i * 2654435761u);
    float x;
    std::memcpy(&x, &bits, 4);
    if (std::isnan(x)) {
      EXPECT_TRUE(std::isnan(decode(bits, f)));
      continue;
    }
    ASSERT_EQ(decode(bits, f), static_cast<Real>(x));
    ASSERT_EQ(encode(x, f), bits);
  }
}

TEST(Formats, NarrowFormatsRoundTripAndAreMonotone) {
  for (const char *name : {"f16", "bf16", "f8e4nv", "f8e5", "f8e4b8", "f8e5b16"}) {
    Format f = *parseFormat(name);
    Real previous = -1;
    for (uint64_t bits = 0; bits < (uint64_t(1) << (f.bits - 1)); ++bits) {
      Real value = decode(bits, f);
      if (std::isnan(value) || std::isinf(value))
        continue;
      ASSERT_GT(value, previous) << name << " " << bits;
      ASSERT_EQ(encode(value, f), bits) << name;
      if (previous >= 0 && bits > 1) { // halfway goes to the even neighbour
        Real half = (value + previous) / 2;
        ASSERT_EQ(encode(half, f) & 1, 0u) << name << " " << bits;
      }
      previous = value;
    }
    EXPECT_EQ(previous, static_cast<Real>(f.greatest())) << name;
  }
}

TEST(Formats, KnownValues) {
  EXPECT_EQ(decode(0x7e, *parseFormat("f8e4nv")), 448);
  EXPECT_TRUE(std::isnan(decode(0x7f, *parseFormat("f8e4nv"))));
  EXPECT_EQ(decode(0x7b, *parseFormat("f8e5")), 57344);
  EXPECT_TRUE(std::isinf(decode(0x7c, *parseFormat("f8e5"))));
  EXPECT_TRUE(std::isnan(decode(0x80, *parseFormat("f8e4b8"))));
  EXPECT_EQ(decode(0x7f, *parseFormat("f8e4b8")), 240);
  EXPECT_EQ(encode(65520, *parseFormat("f16")), 0x7c00u); // rounds to infinity
  EXPECT_EQ(encode(65519, *parseFormat("f16")), 0x7bffu);
  EXPECT_EQ(wrapTo(200, *parseFormat("i8")), -56);
  EXPECT_EQ(wrapTo(-1, *parseFormat("u16")), 65535);
}

std::string show(const std::string &expression, const Names &names = {}) {
  std::string error;
  auto value = evaluateOracle(expression, names, error);
  if (!value)
    return "error: " + error;
  std::string out;
  for (size_t i = 0; i < value->size(); ++i) {
    char text[64];
    std::snprintf(text, sizeof text, "%.6Lg ", value->real(i));
    out += text;
  }
  return out.empty() ? out : out.substr(0, out.size() - 1);
}

TEST(Oracle, ComputesWhatItSays) {
  Names n;
  n["x"] = Array::realsOf({2, 3});
  for (int i = 0; i < 6; ++i)
    n["x"].reals[static_cast<size_t>(i)] = i + 1;
  n["i"] = Array::integersOf({3});
  n["i"].integers = {2, 0, 1};
  const std::pair<const char *, const char *> kCases[] = {
      {"1 + 2 * 3", "7"},
      {"2 ** 3 ** 2", "512"},
      {"-7 // 2", "-3"},
      {"-7 % 3", "-1"},
      {"7 / 2", "3.5"},
      {"1 << 4 | 1", "17"},
      {"~5 & 0xff", "250"},
      {"x[0]", "1 2 3"},
      {"x[:, 1]", "2 5"},
      {"x[1, ::-1]", "6 5 4"},
      {"x[:, None, :1]", "1 4"},
      {"sum(x)", "21"},
      {"sum(x, axis=0)", "5 7 9"},
      {"max(x, axis=1, keep=1) - x", "2 1 0 2 1 0"},
      {"argmax(x, axis=1)", "2 2"},
      {"cumsum(x, axis=1)", "1 3 6 4 9 15"},
      {"cumsum(x, axis=1, reverse=1)", "6 5 3 15 11 6"},
      {"transpose(x)", "1 4 2 5 3 6"},
      {"x @ transpose(x)", "14 32 32 77"},
      {"take(x, i)", "3 1 2"},
      {"sort(i, descending=1)", "2 1 0"},
      {"flip(i)", "1 0 2"},
      {"concat(i, i, axis=0)", "2 0 1 2 0 1"},
      {"where(i > 0, i, 9)", "2 9 1"},
      {"concat(full(0.5, 1), full(7, 1), axis=0)", "0.5 7"},
      {"histogram(i, 4)", "1 1 1 0"},
      {"scatter_add(full(0, 3), i, 5)", "5 5 5"},
      {"gather(x, full(1, 2, 1), axis=1)", "2 5"},
      {"wrap(300, 'u8')", "44"},
      {"round(1.0004, 'f16')", "1"},
      {"int(-2.7)", "-2"},
      {"bits(1.0, 'f32')", "1.06535e+09"},
      {"frombits(0x40490fdb, 'f32')", "3.14159"},
      {"popcount(0xf0, 'u8')", "4"},
      {"clz(1, 'u32')", "31"},
      {"sigmoid(0.0)", "0.5"},
      {"cdiv(7, 2)", "4"},
      {"maximum(nan, 1.0)", "1"},
      {"minimum_nan(nan, 1.0)", "nan"},
  };
  for (auto [expression, want] : kCases)
    EXPECT_EQ(show(expression, n), want) << expression;
}

TEST(Oracle, PhiloxKnownAnswers) {
  // Random123's known answers for philox4x32-10, all zero.
  EXPECT_EQ(show("philox(0, 0, 0) == 0x6627e8d5"), "1");
  EXPECT_EQ(show("philox(0, 0, 1) == 0xe169c58d"), "1");
  EXPECT_EQ(show("philox(0, 0, 2) == 0xbc57ac4c"), "1");
  EXPECT_EQ(show("philox(0, 0, 3) == 0x9b00dbd8"), "1");
}

TEST(Oracle, ErrorsAreNamed) {
  for (const char *wrong :
       {"1 +", "nothing", "nothing(1)", "(1", "1 2", "full(1, 2) + full(1, 3)", "sum(full(1, 2), axis=3)", "round(1, 'f99')", "1.5 & 1", "'x"})
    EXPECT_EQ(show(wrong).substr(0, 6), "error:") << wrong;
}

Comparison compareOne(Real got, Real want, const Tolerance &t) {
  return compare(Array::ofReal(got), Array::ofReal(want), *parseFormat("f32"), t, {});
}

TEST(Comparison, NearMissesFail) {
  Tolerance exact, two{Tolerance::Kind::Ulp, 2, ""}, bound{Tolerance::Kind::Absolute, 0, "0.5"};
  Real ulp = std::ldexp(1.0L, -23);
  EXPECT_TRUE(compareOne(1, 1, exact).equal);
  EXPECT_FALSE(compareOne(1 + ulp, 1, exact).equal);
  EXPECT_TRUE(compareOne(1 + ulp, 1 + ulp / 3 * 2, exact).equal); // the oracle's own rounding
  EXPECT_TRUE(compareOne(1 + 2 * ulp, 1, two).equal);
  EXPECT_FALSE(compareOne(1 + 3 * ulp, 1, two).equal);
  EXPECT_TRUE(compareOne(1.5L, 1, bound).equal);
  EXPECT_FALSE(compareOne(1.51L, 1, bound).equal);
  EXPECT_FALSE(compareOne(NAN, 1, two).equal);
  EXPECT_TRUE(compareOne(NAN, NAN, exact).equal);
  EXPECT_FALSE(compareOne(INFINITY, 1, bound).equal);
  EXPECT_FALSE(compareOne(-INFINITY, INFINITY, exact).equal);
  Array a = Array::ofInteger(3), b = Array::ofInteger(4);
  EXPECT_FALSE(compare(a, b, *parseFormat("i32"), two, {}).equal);
}

} // namespace
