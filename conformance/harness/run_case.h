// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs one case on one target through the public C API: compile, launch, read back, compare.
#pragma once

#include "conformance/harness/case.h"

#include <tegula/tegula.h>

#include <string>

namespace tegula::conformance {

enum class Status : uint8_t { Pass, WrongResult, CompileError, LaunchError, Finding, WrongDiagnostic, LevelsDiffer, HarnessError, Crash, Timeout };
std::string_view statusName(Status status);

struct Result {
  Status status = Status::Pass;
  std::string text;      ///< why, for people; empty where it passed
  double worstRatio = 0; ///< error over bound, of all outputs
  double milliseconds = 0;
};

/// A session and an open device, for any number of cases; one thread.
class Bench {
public:
  /// Null with `error` where the target or its device is not there.
  static std::unique_ptr<Bench> open(const std::string &target, std::string &error);
  ~Bench();

  /// `optimise`: TEGULA_OPTIMISE_*. With `compareLevels` the case runs at both levels, and their outputs must have the same bits.
  Result run(const Case &theCase, uint32_t optimise, bool compareLevels);

private:
  Bench() = default;
  friend class CaseRun;
  std::string target;
  tegula_session_t *session = nullptr;
  tegula_runtime_t *runtime = nullptr;
};

} // namespace tegula::conformance
