// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The oracle's language: array expressions in Python's syntax, computed exactly for integers and in extended precision for reals. A
// case file states what a kernel should compute as lines `name = expression` over the values of its arguments.
//
//   m = max(x, axis=1, keep=1)
//   p = exp(x - m)
//   out = p / sum(p, axis=1, keep=1)
//
// Operators: + - * / // % ** @ & | ^ ~ << >> and comparisons, with NumPy's broadcasting; `//` and `%` truncate as the kernel language does.
// Slices a[1:, None, ::2]. Functions: oracle_functions.cpp and docs/conformance.md.
#pragma once

#include "conformance/harness/array.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::conformance {

/// Names to arrays while an oracle runs.
using Names = std::map<std::string, Array, std::less<>>;

/// Runs `lines`, adding what they assign to `names`. False with `error` (line and reason) where one is wrong.
bool runOracle(const std::vector<std::string> &lines, Names &names, std::string &error);
/// One expression.
std::optional<Array> evaluateOracle(std::string_view expression, const Names &names, std::string &error);

// ---- for the function tables ----
struct OracleArgs {
  std::vector<Array> arrays;
  std::vector<std::string> texts;                        ///< string arguments, in order
  std::map<std::string, Array, std::less<>> keywords;
  int64_t keyword(std::string_view name, int64_t otherwise) const;
};
/// Throws OracleError.
using OracleFunction = Array (*)(const OracleArgs &);
struct OracleError {
  std::string message;
};
OracleFunction findOracleFunction(std::string_view name);

/// NumPy broadcasting of two shapes; throws OracleError.
std::vector<int64_t> broadcastShapes(const std::vector<int64_t> &a, const std::vector<int64_t> &b);
Array broadcastTo(const Array &array, const std::vector<int64_t> &shape);
/// Elementwise combination after broadcasting: exact where both are integers and `onIntegers` is given.
Array zip(const Array &a, const Array &b, Integer (*onIntegers)(Integer, Integer), Real (*onReals)(Real, Real));
Array matrixProduct(const Array &a, const Array &b);

} // namespace tegula::conformance
