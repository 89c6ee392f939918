// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/tools/batch_line.h"

#include <gtest/gtest.h>

using namespace tegula;
using namespace tegula::driver::tools;

namespace {
TEST(BatchLine, everyKey) {
  base::DiagnosticList list;
  Job job;
  ASSERT_TRUE(readBatchLine(R"({"id": 7, "file": "k.py", "kernel": "k", "target": "reference", "grid": [4, "n", 1], "num_warps": 8, "num_stages": 0,
    "module_path": ["a", "b"], "math": "strict", "compile_only": true, "args": {"x": "@x.npy", "n": 5, "z": null, "b": true}, "defines": {"B": 64},
    "globals": {"m.F": "False"}, "out": {"x": "o.npy"}, "check": {"x": "e.npy"}, "config": 0, "repeat": 3, "device": 1, "sanitize": false, "debug": true, "O": 2})",
                            "b.jsonl", 1, job, list));
  EXPECT_EQ(job.id, "7");
  EXPECT_EQ(job.grid, "4, n, 1");
  EXPECT_EQ(job.numWarps, 8u);
  EXPECT_EQ(job.numStages, 0u);
  EXPECT_EQ(job.config, 0u);
  EXPECT_EQ(job.modulePath, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(job.math, static_cast<uint32_t>(TEGULA_MATH_STRICT));
  EXPECT_EQ(job.optimise, static_cast<uint32_t>(TEGULA_OPTIMISE_FULL));
  EXPECT_TRUE(job.compileOnly && job.debug);
  EXPECT_EQ(job.sanitize, false);
  EXPECT_EQ(job.arguments, (NamedTexts{{"x", "@x.npy"}, {"n", "5"}, {"z", "none"}, {"b", "true"}}));
  EXPECT_EQ(job.defines, (NamedTexts{{"B", "64"}}));
}

TEST(BatchLine, defaultsStayAndAreReplacedByName) {
  base::DiagnosticList list;
  Job job;
  job.target = "reference";
  job.grid = "1";
  job.defines = {{"A", "1"}, {"B", "2"}};
  ASSERT_TRUE(readBatchLine(R"({"file": "k.py", "defines": {"B": "3"}})", "b.jsonl", 3, job, list));
  EXPECT_EQ(job.id, "b.jsonl:3");
  EXPECT_EQ(job.target, "reference");
  EXPECT_EQ(job.defines, (NamedTexts{{"A", "1"}, {"B", "3"}}));
}

TEST(BatchLine, faults) {
  for (const char *text : {"", "[]", "{", R"({"file": "k.py"})", R"({"grid": "1"})", R"({"file": "k.py", "grid": "1", "num_warps": "8"})", R"({"file": "k.py", "grid": "1", "kernal": "k"})",
                           R"({"file": "k.py", "grid": "1", "args": ["x"]})", R"({"file": "k.py", "grid": "1", "math": "quick"})",
                           R"({"file": "k.py", "grid": 1.5})", R"({"file": "k.py", "grid": [[1]]})", R"({"file": "k.py", "grid": "1", "num_warps": 3})"}) {
    base::DiagnosticList list;
    Job job;
    EXPECT_FALSE(readBatchLine(text, "b.jsonl", 7, job, list)) << text;
    ASSERT_EQ(list.diagnostics().size(), 1u) << text;
    EXPECT_EQ(list.diagnostics()[0].code, "D1601");
    EXPECT_EQ(list.diagnostics()[0].where.file, "b.jsonl");
    EXPECT_EQ(list.diagnostics()[0].where.line, 7u);
    if (std::string(text).find("kernal") != std::string::npos)
      EXPECT_EQ(list.diagnostics()[0].help, "did you mean 'kernel'?");
  }
  EXPECT_EQ(idOf(R"({"id": "a#1", "x": 1})", "b.jsonl", 7), "a#1");
  EXPECT_EQ(idOf("nonsense", "b.jsonl", 7), "b.jsonl:7");
}

TEST(BatchLine, faultsPointIntoTheLine) {
  for (auto [text, column, end] : {std::tuple{R"({"file": "k.py", "kernal": "k", "grid": 1})", 18u, 26u}, {R"({"file": })", 10u, 11u}}) {
    base::DiagnosticList list;
    Job job;
    EXPECT_FALSE(readBatchLine(text, "b.jsonl", 2, job, list));
    ASSERT_EQ(list.diagnostics().size(), 1u);
    EXPECT_EQ(list.diagnostics()[0].where.lineText, text);
    EXPECT_EQ(list.diagnostics()[0].where.column, column);
    EXPECT_EQ(list.diagnostics()[0].where.endColumn, end);
  }
}

TEST(BatchLine, gridsAreNumbersTextsAndLists) {
  for (auto [grid, want] : {std::pair{"40", "40"}, {"[40, 2]", "40, 2"}, {R"("cdiv(n, 4), 2")", "cdiv(n, 4), 2"}, {R"(["n", 2])", "n, 2"}}) {
    base::DiagnosticList list;
    Job job;
    EXPECT_TRUE(readBatchLine(std::string(R"({"file": "k.py", "grid": )") + grid + "}", "b.jsonl", 1, job, list)) << grid;
    EXPECT_EQ(job.grid, want);
  }
}
} // namespace
