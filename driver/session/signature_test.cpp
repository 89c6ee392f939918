// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/session/signature.h"

#include <gtest/gtest.h>

using namespace tegula;
using namespace tegula::driver;

namespace {
using Kind = SignatureItem::Kind;

std::optional<std::vector<SignatureItem>> parse(std::string text, base::DiagnosticList &list) { return parseSignature({"--sig ", std::move(text)}, list); }

TEST(Signature, everyForm) {
  base::DiagnosticList list;
  auto items = parse("*fp32:16,  *kfp16 , i32, i32:16,i32:1, 64, -1.5, u1, *i1, kfp64, *fp8e4nv:16, B", list);
  ASSERT_TRUE(items);
  ASSERT_EQ(items->size(), 12u);
  auto is = [&](size_t i, Kind kind, const char *type, uint64_t divisibility, const char *constant) {
    const SignatureItem &item = (*items)[i];
    EXPECT_TRUE(item.kind == kind && item.type == type && item.divisibility == divisibility && item.constant == constant) << i << " " << item.type << " " << item.constant;
  };
  is(0, Kind::Pointer, "*fp32", 16, "");
  is(1, Kind::Pointer, "*kfp16", 1, "");
  is(2, Kind::Scalar, "i32", 1, "");
  is(3, Kind::Scalar, "i32", 16, "");
  is(4, Kind::Constant, "", 1, "1");
  is(5, Kind::Constant, "", 1, "64");
  is(6, Kind::Constant, "", 1, "-1.5");
  is(7, Kind::Scalar, "i1", 1, "");
  is(8, Kind::Pointer, "*i1", 1, "");
  is(9, Kind::Scalar, "fp64", 1, "");
  is(10, Kind::Pointer, "*fp8e4nv", 16, "");
  is(11, Kind::Scalar, "i1", 1, "");
}

TEST(Signature, empty) {
  base::DiagnosticList list;
  EXPECT_EQ(parse("", list)->size(), 0u);
}

TEST(Signature, faultsPointAtTheItem) {
  struct Case { const char *text; uint32_t column, end; };
  for (Case c : {Case{"i32, *fp33:16", 13, 17}, Case{"i32:8", 11, 12}, Case{"*fp32:1", 13, 14}, Case{"i32,,i32", 11, 12}, Case{"i32,", 11, 12}, Case{"int", 7, 10}}) {
    base::DiagnosticList list;
    EXPECT_FALSE(parse(c.text, list));
    ASSERT_EQ(list.diagnostics().size(), 1u) << c.text;
    EXPECT_EQ(list.diagnostics()[0].code, "D1201");
    EXPECT_EQ(list.diagnostics()[0].where.column, c.column) << c.text;
    EXPECT_EQ(list.diagnostics()[0].where.endColumn, c.end) << c.text;
    EXPECT_FALSE(list.diagnostics()[0].help.empty());
  }
}
} // namespace
