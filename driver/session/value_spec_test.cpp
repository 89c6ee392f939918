// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/session/value_spec.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace tegula;
using namespace tegula::driver;

namespace {
using Kind = ValueSpec::Kind;

ValueSpec parse(std::string text) {
  base::DiagnosticList list;
  auto spec = parseValueSpec({"--arg x=", text}, list);
  EXPECT_TRUE(spec) << text;
  return spec.value_or(ValueSpec());
}

base::Diagnostic fault(std::string text) {
  base::DiagnosticList list;
  EXPECT_FALSE(parseValueSpec({"--arg x=", text}, list)) << text;
  EXPECT_EQ(list.diagnostics().size(), 1u) << text;
  return list.diagnostics().empty() ? base::Diagnostic() : list.diagnostics()[0];
}

TEST(ValueSpec, files) {
  ValueSpec spec = parse("@a/b,c:d.npy:bf16,offset=3");
  EXPECT_EQ(spec.kind, Kind::File);
  EXPECT_EQ(spec.path, "a/b,c:d.npy");
  EXPECT_EQ(spec.type, findElementType("bf16"));
  EXPECT_EQ(spec.offset, 3);
  spec = parse("@x.npy");
  EXPECT_EQ(spec.path, "x.npy");
  EXPECT_EQ(spec.type, nullptr);
  EXPECT_EQ(parse("@x.npy,offset=0").path, "x.npy");
  EXPECT_EQ(fault("@x.npy:bf17").code, "D1102");
  EXPECT_EQ(fault("@x.npy:bf17").help, "did you mean 'bf16'?");
  EXPECT_EQ(fault("@x.npy,offset=-1").code, "D1101");
  EXPECT_EQ(fault("@").code, "D1101");
}

TEST(ValueSpec, madeUp) {
  ValueSpec spec = parse("zeros:f32[4096,8192]");
  EXPECT_EQ(spec.kind, Kind::Zeros);
  EXPECT_EQ(spec.shape, (std::vector<int64_t>{4096, 8192}));
  spec = parse("rand:f16[128],seed=7,offset=2");
  EXPECT_EQ(spec.kind, Kind::Random);
  EXPECT_EQ(spec.seed, 7u);
  EXPECT_EQ(spec.offset, 2);
  EXPECT_EQ(parse("empty:fp32[8]").kind, Kind::Empty);
  EXPECT_EQ(parse("full:i32[2, 3],value=-5").scalar.integer, -5);
  EXPECT_TRUE(parse("zeros:f32[]").shape.empty());
  EXPECT_EQ(fault("zeros:f32").code, "D1103");
  EXPECT_EQ(fault("zeros:f32[-1]").code, "D1103");
  EXPECT_EQ(fault("zeros:f32[1x]").code, "D1103");
  EXPECT_EQ(fault("zeros:f32[99999999999,99999999]").code, "D1103");
  EXPECT_EQ(fault("zeros:q32[1]").code, "D1102");
  EXPECT_EQ(fault("zeros:f32[1],seed=1").code, "D1101");
  EXPECT_EQ(fault("zeros:f32[1]x").code, "D1101");
  EXPECT_EQ(fault("full:f32[1]").help, "as in full:f32[1],value=1");
  EXPECT_EQ(fault("full:i8[4],value=300").code, "D1104");
  EXPECT_EQ(fault("full:u8[4],value=-1,offset=2").code, "D1104");
  EXPECT_EQ(fault("full:i32[4],value=1.5").code, "D1104");
}

TEST(ValueSpec, same) {
  ValueSpec spec = parse("same:y:fp32,offset=12");
  EXPECT_EQ(spec.kind, Kind::Same);
  EXPECT_EQ(spec.same, "y");
  EXPECT_EQ(spec.type, findElementType("f32"));
  EXPECT_EQ(spec.offset, 12);
  EXPECT_EQ(parse("same:y,offset=1").same, "y");
  EXPECT_EQ(parse("same:y").type, nullptr);
  EXPECT_EQ(fault("same:").code, "D1101");
  EXPECT_EQ(fault("same:y:z").code, "D1102");
}

TEST(ValueSpec, scalars) {
  EXPECT_EQ(parse("none").kind, Kind::None);
  EXPECT_EQ(parse("None").kind, Kind::None);
  EXPECT_EQ(scalarType(parse("true"))->triton, "i1");
  EXPECT_EQ(scalarType(parse("42"))->triton, "i32");
  EXPECT_EQ(scalarType(parse("2147483647"))->triton, "i32");
  EXPECT_EQ(scalarType(parse("2147483648"))->triton, "i64");
  EXPECT_EQ(scalarType(parse("-2147483648"))->triton, "i32");
  EXPECT_EQ(scalarType(parse("-2147483649"))->triton, "i64");
  EXPECT_EQ(scalarType(parse("18446744073709551615"))->triton, "u64");
  EXPECT_EQ(scalarType(parse("42:i64"))->triton, "i64");
  EXPECT_EQ(scalarType(parse("0.5"))->triton, "fp32");
  EXPECT_EQ(scalarType(parse("0.5:f64"))->triton, "fp64");
  EXPECT_EQ(parse("-1e-5:f32").scalar.number, -1e-5);
  EXPECT_EQ(parse("0x10").scalar.integer, 16);
  EXPECT_TRUE(std::isinf(parse("-inf:f32").scalar.number));
  EXPECT_TRUE(std::isnan(parse("nan").scalar.number));
  EXPECT_EQ(fault("300:i8").code, "D1104");
  EXPECT_EQ(fault("-1:u64").code, "D1104");
  EXPECT_EQ(fault("1.5:i32").code, "D1104");
  EXPECT_EQ(fault("1:i33").code, "D1102");
  EXPECT_EQ(fault("").code, "D1101");
  EXPECT_EQ(fault("x.npy").help, "a file is written with '@': @x.npy");
  EXPECT_EQ(fault("--5").code, "D1101");
}

TEST(ValueSpec, bitsAndText) {
  auto bits = [](const char *text) {
    ValueSpec spec = parse(text);
    return scalarBits(spec.scalar, *scalarType(spec));
  };
  EXPECT_EQ(bits("1.0"), 0x3F800000u);
  EXPECT_EQ(bits("1:f16"), 0x3C00u);
  EXPECT_EQ(bits("-1:i8") & 0xFF, 0xFFu);
  EXPECT_EQ(scalarText(parse("2.0").scalar), "2.0");
  EXPECT_EQ(scalarText(parse("1e30").scalar), "1e+30");
  EXPECT_EQ(scalarText(parse("true").scalar), "True");
  EXPECT_EQ(scalarText(parse("18446744073709551615").scalar), "18446744073709551615");
  EXPECT_EQ(scalarText(parse("-inf").scalar), "float('-inf')");
}

TEST(ValueSpec, arrays) {
  base::DiagnosticList list;
  OptionText text{"--arg x=", "rand:f32[1000],seed=3"};
  auto a = makeArray(*parseValueSpec(text, list), text, list), b = makeArray(*parseValueSpec(text, list), text, list);
  EXPECT_TRUE(a->bytes == b->bytes);
  OptionText other{"--arg x=", "rand:f32[1000],seed=4"};
  EXPECT_FALSE(a->bytes == makeArray(*parseValueSpec(other, list), other, list)->bytes);
  double sum = 0, squares = 0;
  for (size_t i = 0; i < 1000; ++i) {
    double v = readNumber(*a->type, &a->bytes[4 * i]);
    sum += v, squares += v * v;
  }
  EXPECT_NEAR(sum / 1000, 0, 0.1);
  EXPECT_NEAR(squares / 1000, 1, 0.15);
  OptionText full{"--arg x=", "full:f16[3],value=1.5"};
  EXPECT_EQ(readNumber(*findElementType("f16"), &makeArray(*parseValueSpec(full, list), full, list)->bytes[4]), 1.5);
  OptionText outside{"--arg x=", "zeros:f32[3],offset=4"};
  EXPECT_FALSE(makeArray(*parseValueSpec(outside, list), outside, list));
  EXPECT_EQ(list.diagnostics().back().code, "D1106");
  for (const char *form : {"zeros:i8[900000000000]", "empty:i8[900000000000]", "rand:i8[900000000000]", "full:i8[900000000000],value=1"}) {
    OptionText large{"--arg x=", form};
    ASSERT_FALSE(makeArray(*parseValueSpec(large, list), large, list)) << form;
    EXPECT_EQ(list.diagnostics().back().code, "D1103");
    EXPECT_EQ(list.diagnostics().back().where.column, 9u);
    EXPECT_EQ(makeArray(*parseValueSpec(large, list), large, list, /*shapeOnly=*/true)->count(), 900000000000u);
  }
}
} // namespace
