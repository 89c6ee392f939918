// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions, types and edges the cases cover, against what the suite says is in scope (scope.json).
#pragma once

#include "conformance/harness/case.h"

namespace tegula::conformance {

/// Prints the table to standard output, one line a function, and to standard error every cell of the scope without a case and every function
/// that the scope does not know. Returns true where there is none of either; faults of the scope file go to `error`.
///
/// A case covers one function (the first two parts of its id), one type (the last type that its id names, else that of its first output) and the
/// edges of its recipe: `special` values, a buffer of `one` element, an `awkward` number of elements (no power of two), else `whole` blocks.
bool printCoverage(const std::vector<Case> &cases, const std::string &scopeFile, std::string &error);

} // namespace tegula::conformance
