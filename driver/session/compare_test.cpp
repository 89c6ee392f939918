// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/session/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace tegula;
using namespace tegula::driver;

namespace {
Array array(const char *type, std::vector<double> values) {
  Array a;
  a.type = findElementType(type);
  a.stored = a.type->numpy;
  a.shape = {static_cast<int64_t>(values.size())};
  EXPECT_TRUE(a.bytes.allocate(a.byteCount()));
  for (size_t i = 0; i < values.size(); ++i)
    writeNumber(*a.type, values[i], &a.bytes[i * a.type->bytes]);
  return a;
}

std::optional<CheckResult> check(const Array &got, const Array &expected, std::string options = "", base::DiagnosticList *errors = nullptr) {
  base::DiagnosticList list;
  base::DiagnosticList &to = errors ? *errors : list;
  OptionText text{"--check y=", "e.npy" + options};
  auto spec = parseCheckSpec(text, to);
  return spec ? compareArrays(got, expected, *spec, text, to) : std::nullopt;
}

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(Compare, toleranceByType) {
  EXPECT_TRUE(check(array("f32", {1}), array("f32", {1 + 8e-6}))->passed);
  EXPECT_FALSE(check(array("f32", {1}), array("f32", {1 + 3e-5}))->passed);
  EXPECT_TRUE(check(array("bf16", {1}), array("f32", {1.01}))->passed);
  EXPECT_FALSE(check(array("bf16", {1}), array("f32", {1.03}))->passed);
  EXPECT_FALSE(check(array("i32", {5}), array("i32", {6}))->passed);
  EXPECT_TRUE(check(array("i32", {5}), array("i64", {5}))->passed);
}

TEST(Compare, statedTolerance) {
  EXPECT_TRUE(check(array("f32", {1}), array("f32", {1.5}), ",atol=0.6")->passed);
  EXPECT_TRUE(check(array("f32", {100}), array("f32", {109}), ",rtol=0.1,atol=0")->passed);
  EXPECT_FALSE(check(array("f32", {1}), array("f32", {1 + 1e-6}), ",atol=0,rtol=0")->passed);
  EXPECT_TRUE(check(array("i32", {5}), array("i32", {6}), ",atol=1")->passed);
  base::DiagnosticList list;
  EXPECT_FALSE(check(array("f32", {1}), array("f32", {1}), ",atol=x", &list));
  EXPECT_EQ(list.diagnostics()[0].code, "D1403");
}

TEST(Compare, nanAndInfinity) {
  double nan = std::nan("");
  EXPECT_TRUE(check(array("f32", {nan, kInf, -kInf}), array("f32", {nan, kInf, -kInf}))->passed);
  EXPECT_FALSE(check(array("f32", {nan}), array("f32", {1}), ",atol=1e30")->passed);
  EXPECT_FALSE(check(array("f32", {kInf}), array("f32", {-kInf}), ",atol=1e30")->passed);
  EXPECT_FALSE(check(array("f32", {1}), array("f32", {kInf}), ",rtol=1")->passed);
}

TEST(Compare, worstElement) {
  auto result = check(array("f32", {1, 2, 3}), array("f32", {1, 2.5, 3.1}));
  EXPECT_EQ(result->wrong, 2u);
  EXPECT_EQ(result->worstIndex, 1u);
  EXPECT_EQ(result->got, "2");
  EXPECT_EQ(result->expected, "2.5");
}

TEST(Compare, largeIntegersAreExact) {
  Array a = array("i64", {0}), b = array("i64", {0});
  writeInteger(*a.type, (1ll << 62) + 1, a.bytes.data());
  writeInteger(*b.type, 1ll << 62, b.bytes.data());
  EXPECT_FALSE(check(a, b)->passed);
}

TEST(Compare, rawIntegersStandForBf16) {
  Array bits = array("u16", {0x3F80});
  EXPECT_TRUE(check(array("bf16", {1}), bits)->passed);
}

TEST(Compare, whatDoesNotFit) {
  base::DiagnosticList list;
  EXPECT_FALSE(check(array("f32", {1}), array("f32", {1, 2}), "", &list));
  EXPECT_FALSE(check(array("f32", {1}), array("i32", {1}), "", &list));
  EXPECT_EQ(list.diagnostics().size(), 2u);
}
} // namespace
