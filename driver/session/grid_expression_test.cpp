// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/session/grid_expression.h"

#include <gtest/gtest.h>

using namespace tegula;
using namespace tegula::driver;

namespace {
using Grid = std::array<uint32_t, 3>;
const std::map<std::string, int64_t> kNames{{"n", 1000}, {"BLOCK", 256}, {"zero", 0}, {"minus", -7}};

std::optional<Grid> grid(std::string text, std::string *code = nullptr, base::SourceRange *where = nullptr, std::string *help = nullptr) {
  base::DiagnosticList list;
  auto result = evaluateGrid({"--grid ", std::move(text)}, kNames, list);
  EXPECT_EQ(result.has_value(), !list.hasErrors());
  EXPECT_LE(list.diagnostics().size(), 1u);
  if (!list.diagnostics().empty()) {
    const base::Diagnostic &d = list.diagnostics()[0];
    if (code)
      *code = d.code;
    if (where)
      *where = d.where;
    if (help)
      *help = d.help;
  }
  return result;
}

std::string codeOf(std::string text) {
  std::string code;
  EXPECT_FALSE(grid(std::move(text), &code));
  return code;
}

TEST(Grid, oneToThree) {
  EXPECT_EQ(grid("cdiv(n, BLOCK)"), (Grid{4, 1, 1}));
  EXPECT_EQ(grid("cdiv(n,BLOCK), 2 ,n"), (Grid{4, 2, 1000}));
  EXPECT_EQ(grid("(cdiv(n, BLOCK), 3)"), (Grid{4, 3, 1}));
  EXPECT_EQ(grid("(n,)"), (Grid{1000, 1, 1}));
  EXPECT_EQ(grid("(n + 1) * (2)"), (Grid{2002, 1, 1}));
  EXPECT_EQ(grid("triton.cdiv(n, 3)"), (Grid{334, 1, 1}));
}

TEST(Grid, precedenceAndPythonsDivision) {
  EXPECT_EQ(grid("1 + 2 * 3"), (Grid{7, 1, 1}));
  EXPECT_EQ(grid("10 - 2 - 3"), (Grid{5, 1, 1}));
  EXPECT_EQ(grid("-(minus // 2)"), (Grid{4, 1, 1})); // -7 // 2 is -4
  EXPECT_EQ(grid("minus % 5"), (Grid{3, 1, 1}));
  EXPECT_EQ(grid("n / 8"), (Grid{125, 1, 1}));
  EXPECT_EQ(grid("min(n, 5, 9) + max(1, 2)"), (Grid{7, 1, 1}));
  EXPECT_EQ(grid("1_000"), (Grid{1000, 1, 1}));
}

TEST(Grid, faults) {
  EXPECT_EQ(codeOf("zero"), "D1304");
  EXPECT_EQ(codeOf("minus"), "D1304");
  EXPECT_EQ(codeOf("3000000000"), "D1304");
  EXPECT_EQ(codeOf("n // zero"), "D1303");
  EXPECT_EQ(codeOf("n / 3"), "D1303");
  EXPECT_EQ(codeOf("9223372036854775807 + 1"), "D1303");
  EXPECT_EQ(codeOf("cdiv(n)"), "D1301");
  EXPECT_EQ(codeOf("(n"), "D1301");
  EXPECT_EQ(codeOf("n n"), "D1301");
  EXPECT_EQ(codeOf(""), "D1301");
  EXPECT_EQ(codeOf("1,2,3,4"), "D1301");
  EXPECT_EQ(codeOf("pow(n, 2)"), "D1301");
  EXPECT_EQ(codeOf(std::string(5000, '(')), "D1301");
  EXPECT_EQ(codeOf("q"), "D1302");
}

TEST(Grid, pointsAtTheNameAndSuggests) {
  base::SourceRange where;
  std::string help;
  grid("cdiv(n, BLOK)", nullptr, &where, &help);
  EXPECT_EQ(where.column, 16u);
  EXPECT_EQ(where.endColumn, 20u);
  EXPECT_EQ(where.lineText, "--grid cdiv(n, BLOK)");
  EXPECT_EQ(help, "did you mean 'BLOCK'?");
}
} // namespace
