// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs cases in forked workers, so that one that crashes or hangs is named and the rest goes on.
#pragma once

#include "conformance/harness/run_case.h"

#include <functional>

namespace tegula::conformance {

struct RunOptions {
  std::string target = "reference";
  uint32_t optimise = 0; ///< TEGULA_OPTIMISE_*
  bool compareLevels = false;
  unsigned jobs = 1;
  unsigned timeoutSeconds = 300; ///< for one case; then its worker is killed
};

/// Calls `done` once for each case, in the order in which they end. False with `error` where no worker can open the target.
bool runCases(const std::vector<const Case *> &cases, const RunOptions &options, const std::function<void(const Case &, const Result &)> &done,
              std::string &error);

} // namespace tegula::conformance
