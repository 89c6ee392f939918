// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule as a table of codes, so that it does not depend on which part of the program finds the fault.
#include "driver/tools/exit_status.h"

#include <algorithm>

namespace tegula::driver::tools {

bool blamesCommandLine(std::string_view code) {
  static constexpr std::string_view kBeginnings[] = {
      "D1001",                            // options
      "D11",   "D12",   "D13",   "D1403", // texts of --arg, --sig, --grid and --check
      "D150",                             // stages and passes
      "D1601",                            // lines of batches
      "F2002",                            // -k
      "F4001", "F4002", "F4003", "F4005", "F4007", "F4010", // arguments that do not fit the kernel
      "P1006", "T1033", "T1034",          // --option
  };
  return std::any_of(std::begin(kBeginnings), std::end(kBeginnings), [&](std::string_view beginning) { return code.starts_with(beginning); });
}

ExitStatus statusOf(const std::vector<base::Diagnostic> &diagnostics) {
  bool typed = std::any_of(diagnostics.begin(), diagnostics.end(), [](const base::Diagnostic &d) { return d.severity == base::Severity::Error && blamesCommandLine(d.code); });
  return typed ? kCommandLineIsWrong : kInputIsWrong;
}

} // namespace tegula::driver::tools
