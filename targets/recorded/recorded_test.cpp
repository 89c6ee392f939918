// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is written is read back the same.
#include "targets/recorded/recorded.h"

#include <gtest/gtest.h>

namespace tegula::facts {
namespace {

TEST(Recorded, RoundTripKeepsKindsOrderAndFlags) {
  Tree root{"facts", Tree::Kind::Map, false, 0, 0, {}, {}};
  root.children = {{"whole", Tree::Kind::Float, false, 0, 2.0, {}, {}},
                   {"big", Tree::Kind::Int, true, INT64_MIN, 0, {}, {}},
                   {"yes", Tree::Kind::Bool, false, 1, 0, {}, {}},
                   {"a", Tree::Kind::String, false, 0, 0, "\"x\"\n", {}},
                   {"none", Tree::Kind::List, false, 0, 0, {}, {}},
                   {"empty", Tree::Kind::Map, false, 0, 0, {}, {}}};
  root.children.push_back({"rows", Tree::Kind::List, false, 0, 0, {}, {{"", Tree::Kind::Map, false, 0, 0, {}, {root.children[0]}}}});
  base::DiagnosticList sink;
  auto back = readRecorded(writeRecorded({"t:a", root}), "x", sink);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->target, "t:a");
  EXPECT_EQ(back->root, root);
}

TEST(Recorded, RefusesWhatIsNone) {
  for (const char *text : {"", "{", "[]", "{\"schema\": \"9.0\", \"target\": \"t\", \"facts\": {\"map\": []}}",
                           "{\"schema\": \"0.1\", \"target\": \"t\", \"facts\": {\"map\": [1]}}"}) {
    base::DiagnosticList sink;
    EXPECT_FALSE(readRecorded(text, "x", sink)) << text;
    ASSERT_EQ(sink.diagnostics().size(), 1u);
    EXPECT_EQ(sink.diagnostics()[0].code, "T1043");
  }
}

} // namespace
} // namespace tegula::facts
