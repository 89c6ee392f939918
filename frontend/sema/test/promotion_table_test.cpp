// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Result types of all operators against those that Triton gives (promotion_table.json, by scripts/record_promotion_table.py).
// Where Tegula differs on purpose stands in `isDeliberate`.

#include "frontend/sema/test/compiled_kernel.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

namespace tegula::frontend::sema {
namespace {

using Words = std::vector<std::string>;

Words words(const std::string &text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

std::string with(std::string text, const std::string &what, const std::string &by) {
  for (size_t at; (at = text.find(what)) != std::string::npos;)
    text.replace(at, what.size(), by);
  return text;
}

class PromotionTable : public testing::Test {
protected:
  nlohmann::json table = nlohmann::json::parse(std::ifstream(TEGULA_PROMOTION_TABLE));
  Words types = words(table["types"]), literals = words(table["literals"]);
  KernelCompiler compiler{/*printsIr=*/false};
  size_t checked = 0;

  void check(const std::string &expression, const std::string &a, const std::string &b, const std::string &expected);
  static bool isDeliberate(const std::string &expression, const std::string &types, const std::string &got, const std::string &expected);
};

bool PromotionTable::isDeliberate(const std::string &expression, const std::string &types, const std::string &got, const std::string &expected) {
  // Triton's frontend lets arithmetic on fp8 pass, and its back ends fail on it.
  if (got == "!" && expected.starts_with("fp8"))
    return true;
  // Integers and fp8 convert to each other by way of fp32.
  if (expression == "a.to(b.dtype)" && types.find("fp8") != std::string::npos)
    return got != "!" && expected == "!";
  // Python's unary plus, and `not` of a number, are what they are in Python.
  if (expression == "(+ a)" || (expression == "(not a)" && !types.starts_with("i1 ")))
    return got != "!" && expected == "!";
  // Triton's fdiv does not convert floats of different types and builds what its own verifier refuses.
  if (expression.starts_with("tl.fdiv("))
    return got != "!" && expected == "!";
  // div_rn exists for fp32; a literal beyond it is no way around that.
  if (expression.starts_with("tl.div_rn("))
    return got == "!" && expected == "fp64";
  // Nor is a float bound a way for fp8 and integers to meet.
  if (expression.starts_with("tl.clamp("))
    return got == "!" && types.find("fp8") != std::string::npos;
  return false;
}

void PromotionTable::check(const std::string &expression, const std::string &a, const std::string &b, const std::string &expected) {
  std::string body =
      "a = tl.load(A)\nb = tl.load(B)\nc = tl.load(C) > 0\nx = tl.load(A + tl.arange(0, 4))\ntl.static_print((" + expression + ").dtype)";
  Outcome outcome = compiler.compile("A: *" + a + ", B: *" + b + ", C: *i32", body);
  std::string got = outcome.ir.empty() ? "!" : outcome.printed.empty() ? "nothing" : outcome.printed[0];
  ++checked;
  if (!isDeliberate(expression, a + " " + b, got, expected))
    EXPECT_EQ(got, expected) << expression << " with a of " << a << " and b of " << b << " " << outcome.code << " " << outcome.message;
}

TEST_F(PromotionTable, TensorsMeetTensors) {
  for (const auto &[op, entry] : table["binary"].items())
    for (size_t i = 0; i < types.size(); ++i) {
      Words row = words(entry["tensors"][i]);
      for (size_t j = 0; j < types.size(); ++j)
        check(with(with(entry["text"], "{x}", "a"), "{y}", "b"), types[i], types[j], row[j]);
    }
  EXPECT_GT(checked, 4000u);
}

TEST_F(PromotionTable, TensorsMeetLiterals) {
  for (const auto &[op, entry] : table["binary"].items())
    for (size_t i = 0; i < types.size() && entry.contains("literal_left"); ++i) {
      Words right = words(entry["literal_right"][i]), left = words(entry["literal_left"][i]);
      for (size_t j = 0; j < literals.size(); ++j) {
        check(with(with(entry["text"], "{x}", "a"), "{y}", literals[j]), types[i], "i32", right[j]);
        check(with(with(entry["text"], "{x}", literals[j]), "{y}", "a"), types[i], "i32", left[j]);
      }
    }
  EXPECT_GT(checked, 5000u);
}

TEST_F(PromotionTable, OneOperand) {
  for (const auto &[op, entry] : table["unary"].items()) {
    Words row = words(entry["row"]);
    for (size_t i = 0; i < types.size(); ++i)
      check(entry["text"], types[i], "i32", row[i]);
  }
  EXPECT_GT(checked, 200u);
}

} // namespace
} // namespace tegula::frontend::sema
