// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For the evaluator's tests: a TileBuilder that writes down what it is asked for, and a handful of language names with simple
// meanings, linked in place of the real ones. So that what the evaluator does is tested apart from types and MLIR.
#pragma once

#include "frontend/emit/compile.h"

#include <string>
#include <vector>

namespace tegula::frontend::test {

/// What one compile gave: the recorded text (empty after an error) and the diagnostics as "F2101 5:9 message [help]" lines, notes
/// indented below.
struct Outcome {
  std::string ir;
  std::string diagnostics;
  std::optional<CompiledKernel> kernel;
};

/// Compiles kernel `k` of `source` (after a line that imports triton and tl). `arguments` is "x=*fp32:16 n=i32 v=i32=1 s=1 m=none -D B=16 -g
/// t.FLAG=True": types, values of scalars, constants, -D and --global values.
Outcome compile(const std::string &source, const std::string &arguments, const std::string &kernel = "k");
/// repr of module-level name `r` after running `source` as module "t".
std::string evaluate(const std::string &source);

} // namespace tegula::frontend::test
