// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The number of programs: one to three expressions over the scalar arguments and constants of a kernel.
#pragma once

#include "driver/session/option_text.h"

#include <array>
#include <map>

namespace tegula::driver {

/// Evaluates "cdiv(n, BLOCK), 4": integers, names, + - * // / % (with Python's floor; '/' must divide evenly), parentheses, cdiv, min, max.
/// Dimensions that are not given are 1. nullopt after an error; every dimension is then at least 1.
std::optional<std::array<uint32_t, 3>> evaluateGrid(const OptionText &text, const std::map<std::string, int64_t> &names, base::DiagnosticSink &sink);

} // namespace tegula::driver
