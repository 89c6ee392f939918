// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conformance cases as data: what a case file says, expanded over its parameters. The format is described in docs/conformance.md.
#pragma once

#include "conformance/harness/oracle.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tegula::conformance {

enum class Tier : uint8_t { Smoke, Quick, Full };
std::optional<Tier> parseTier(std::string_view name);
std::string_view tierName(Tier tier);

/// How one argument of the kernel is made.
struct Argument {
  enum class Role : uint8_t { Input, Output, InOut, Scalar, None } role = Role::Scalar;
  std::string name;
  Format format;               ///< of the buffer's elements, or of the scalar
  std::vector<int64_t> shape;  ///< buffers
  std::string data = "normal"; ///< normal, uniform, integers, special, zeros, or an oracle expression over the parameters
  double low = 0, high = 1;
  int64_t offset = 0;          ///< the pointer points that many elements into the buffer
  std::string sameAs;          ///< shares the buffer of that argument
  Array scalar;
};

/// How far an output may be from the oracle.
struct Tolerance {
  enum class Kind : uint8_t { Exact, Ulp, Absolute } kind = Kind::Exact;
  double ulps = 0;
  std::string bound; ///< Absolute: an oracle expression, one bound per element
};

struct Case {
  std::string id; ///< area.kernel.variant?parameters, for ever
  std::string file, kernel;
  std::map<std::string, std::string> defines; ///< as -D values
  std::vector<int64_t> grid;
  std::vector<Argument> arguments;
  std::vector<std::string> oracle;
  std::map<std::string, Tolerance, std::less<>> tolerances; ///< by output; those without one are exact
  Names parameters;
  std::vector<std::string>
      requirements; ///< capabilities that a manifest may say a plugin lacks: the types of its arguments, and what `requires` lists
  Tier tier = Tier::Quick;
  uint32_t numWarps = 0; ///< 0: the default
  uint64_t seed = 0;     ///< from the id
  std::string expectError; ///< code of the diagnostic that compiling must give; empty: it must work
};

/// Reads every *.json below `folder`, sorted by id. Faults go to `errors`, one line each ("file: what is wrong").
std::vector<Case> loadCases(const std::string &folder, std::vector<std::string> &errors);

/// The values an argument starts with (buffers): for outputs a pattern that no kernel would leave there by chance.
std::optional<Array> initialValues(const Argument &argument, const Case &theCase, std::string &error);

/// What comparing one output gave.
struct Comparison {
  bool equal = true;
  double worstRatio = 0;  ///< error over bound; infinite where the bound is zero and the error is not
  size_t worstIndex = 0;
  size_t wrong = 0;       ///< elements out of bounds
  std::string text;       ///< for people; empty where equal
};
Comparison compare(const Array &got, const Array &want, const Format &format, const Tolerance &tolerance, const Names &names);

} // namespace tegula::conformance
