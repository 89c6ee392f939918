// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exit statuses of the program, and the one rule that tells "what was typed is wrong" from "what a file says is wrong".
#pragma once

#include "sdk/base/diagnostic.h"

#include <string_view>
#include <vector>

namespace tegula::driver::tools {

enum ExitStatus : int { kDone = 0, kInputIsWrong = 1, kCommandLineIsWrong = 2, kNoTarget = 3, kCheckFailed = 4, kFinding = 5, kInternal = 70 };

/// Does an error of this code lie in what was typed (or in a line of a batch): an option, a value, a name that nothing has?
bool blamesCommandLine(std::string_view code);
/// The status of something that failed with these diagnostics: kCommandLineIsWrong where an error blames the command line, else kInputIsWrong.
ExitStatus statusOf(const std::vector<base::Diagnostic> &diagnostics);

} // namespace tegula::driver::tools
