// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a kernel over a grid. Programs of a kernel without atomics run on all cores; a kernel whose programs can
// communicate runs in one fixed interleaving: every program in turn, up to its next atomic operation. Results and
// findings do not depend on the number of threads.
#pragma once

#include "plugins/reference/exec/code.h"
#include "plugins/reference/memory/device_memory.h"
#include "plugins/reference/sanitizer/findings.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tegula::plugins::reference {

struct LaunchOptions {
  bool sanitize = true;
  uint32_t threads = 0; ///< 0: all cores
  uint64_t maxSteps = 100'000'000;
  bool tf32 = false; ///< products of precision tf32 round their operands; else they are exact like ieee
  bool nanIsError = false;
};

struct LaunchRequest {
  const Module *module = nullptr;
  const Function *kernel = nullptr;
  std::array<uint32_t, 3> grid{1, 1, 1}; ///< a zero means that nothing runs
  /// One per parameter: the element's bits in the low bytes; pointers are device addresses or addresses of registered
  /// memory.
  std::vector<uint64_t> arguments;
  LaunchOptions options;
  std::function<bool()> cancelled; ///< asked now and then, from any worker; may be empty
};

/// Something that a program printed.
struct PrintedLine {
  std::array<uint32_t, 3> program;
  std::string text;
  uint32_t location; ///< code location
};

struct LaunchOutcome {
  std::vector<Finding> findings;    ///< in order of program
  std::vector<PrintedLine> printed; ///< in order of program
  bool failed = false;              ///< some finding is an error
  bool cancelled = false;
};

LaunchOutcome launchKernel(DeviceMemory &memory, const LaunchRequest &request);

} // namespace tegula::plugins::reference
