// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts are read by key, and what cannot be understood is refused.
#include "targets/facts/facts.h"

#include <gtest/gtest.h>

namespace tegula::facts {
namespace {

Tree text(std::string key, std::string value) { return {std::move(key), Tree::Kind::String, false, 0, 0, std::move(value), {}}; }
Tree list(std::string key, std::vector<Tree> children) { return {std::move(key), Tree::Kind::List, false, 0, 0, {}, std::move(children)}; }
Tree map(std::string key, std::vector<Tree> children) { return {std::move(key), Tree::Kind::Map, false, 0, 0, {}, std::move(children)}; }
Tree integer(std::string key, int64_t value) { return {std::move(key), Tree::Kind::Int, false, value, 0, {}, {}}; }

struct FactsTest : testing::Test {
  std::optional<Facts> parse(std::vector<Tree> children) { return parseFacts(map("facts", std::move(children)), "t", sink); }
  std::string code() { return sink.diagnostics().empty() ? "" : sink.diagnostics().front().code; }
  base::DiagnosticList sink;
};

TEST_F(FactsTest, ReadsWhatTileLevelNeeds) {
  auto facts = parse({text("kir_level", "thread"), list("types", {text("", "f32"), text("", "i32")}), integer("max_tensor_elements", 4096),
                      map("machine", {integer("lanes", 64)}),
                      map("language", {text("backend", "hip"), text("dot_precision", "tf32"), list("fp8_types", {text("", "fp8e4b8")})}),
                      list("operations", {map("", {text("operation", "exp"), list("types", {text("", "f32")}), text("accuracy", "ulp2")})})});
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->kirLevel, KirLevel::Thread);
  EXPECT_EQ(facts->machine.lanes, 64u);
  EXPECT_EQ(facts->maxTensorElements, 4096u);
  EXPECT_EQ(facts->language.backendName, "hip");
  EXPECT_EQ(facts->language.dotPrecision, "tf32");
  EXPECT_EQ(facts->language.fp8Types, std::vector<std::string>{"fp8e4b8"});
  EXPECT_TRUE(facts->supportsType("i32"));
  EXPECT_FALSE(facts->supportsType("f64"));
  EXPECT_TRUE(facts->supportsOperation("exp", "f32"));
  EXPECT_FALSE(facts->supportsOperation("exp", "i32"));
  EXPECT_FALSE(facts->supportsOperation("sin", "f32"));
  EXPECT_EQ(facts->accuracy("exp", "f32"), Accuracy::Ulp2);
}

TEST_F(FactsTest, SkipsUnknownKeys) { EXPECT_TRUE(parse({text("kir_level", "tile"), integer("later", 1)})); }

TEST_F(FactsTest, RefusesWhatMustBeUnderstood) {
  Tree later = integer("later", 1);
  later.mustUnderstand = true;
  EXPECT_FALSE(parse({text("kir_level", "tile"), later}));
  EXPECT_EQ(code(), "T1041");
}

TEST_F(FactsTest, RefusesWrongKinds) {
  EXPECT_FALSE(parse({text("kir_level", "tile"), integer("types", 1)}));
  EXPECT_EQ(code(), "T1042");
}

TEST_F(FactsTest, RefusesAnUnknownLevel) {
  EXPECT_FALSE(parse({text("kir_level", "warp")}));
  EXPECT_EQ(code(), "T1042");
}

TEST_F(FactsTest, RefusesNegativeCounts) {
  EXPECT_FALSE(parse({text("kir_level", "tile"), integer("max_tensor_elements", -1)}));
  EXPECT_EQ(code(), "T1042");
}

} // namespace
} // namespace tegula::facts
