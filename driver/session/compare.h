// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `--check NAME=FILE.npy[,rtol=R][,atol=A]`: an output against an expected array.
#pragma once

#include "driver/session/npy.h"
#include "driver/session/option_text.h"

namespace tegula::driver {

struct CheckSpec {
  std::string path;
  std::optional<double> rtol, atol; ///< none: by dtype
};
std::optional<CheckSpec> parseCheckSpec(const OptionText &text, base::DiagnosticSink &sink);

struct CheckResult {
  bool passed = true;
  uint64_t elements = 0, wrong = 0;
  double worst = 0;        ///< greatest |got - expected|
  double worstRatio = 0;   ///< greatest |got - expected| / (atol + rtol |expected|)
  uint64_t worstIndex = 0; ///< where that is, counted in C order
  double rtol = 0, atol = 0;
  std::string got, expected; ///< at worstIndex
};
/// Compares; NaN equals NaN, infinities equal themselves. Integers are exact unless a tolerance is given. nullopt after an error where
/// the two cannot be compared. Expected floats may be of another width; integers of the right width stand for bf16 and fp8.
std::optional<CheckResult> compareArrays(const Array &got, const Array &expected, const CheckSpec &spec, const OptionText &text, base::DiagnosticSink &sink);

} // namespace tegula::driver
