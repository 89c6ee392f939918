// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One compile or run as the command line or a line of a batch states it, and doing it through the C API.
#pragma once

#include "driver/session/compare.h"
#include "driver/session/value_spec.h"
#include "tegula/tegula.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tegula::driver::tools {

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

struct Job {
  std::string id, file, kernel, target, grid, signature;
  std::optional<std::string> text; ///< source text instead of the file's
  bool hasSignature = false;
  NamedTexts arguments, defines, globals, outputs, checks, options; ///< in the order they were given
  std::vector<std::string> modulePath;
  uint32_t numWarps = 0;
  std::optional<uint32_t> numStages, config;
  uint32_t math = TEGULA_MATH_DEFAULT, optimise = TEGULA_OPTIMISE_BY_TARGET, device = 0, repeat = 0;
  std::optional<bool> sanitize; ///< none: as the target has it
  bool debug = false, compileOnly = false;
  // What to keep of a compile.
  uint32_t compileFlags = 0;
  std::string dumpPass, form;
};

/// Objects of the C API, destroyed when they go.
template <typename T, void (*Destroy)(T *)> struct Destroyer {
  void operator()(T *object) const { Destroy(object); }
};
using MessagesPtr = std::unique_ptr<tegula_messages_t, Destroyer<tegula_messages_t, tegula_messages_destroy>>;
using SessionPtr = std::unique_ptr<tegula_session_t, Destroyer<tegula_session_t, tegula_session_destroy>>;
using ProgramPtr = std::unique_ptr<tegula_program_t, Destroyer<tegula_program_t, tegula_program_destroy>>;
using RuntimePtr = std::unique_ptr<tegula_runtime_t, Destroyer<tegula_runtime_t, tegula_runtime_close>>;
using MemoryPtr = std::unique_ptr<tegula_memory_t, Destroyer<tegula_memory_t, tegula_memory_destroy>>;

inline tegula_text_t asText(std::string_view view) { return {view.data(), view.size()}; }
inline std::string_view asView(tegula_text_t text) { return text.data ? std::string_view(text.data, text.size) : std::string_view(); }

/// What is shared by all jobs of a process: the session and open devices.
struct Workplace {
  SessionPtr session;
  std::map<std::pair<std::string, uint32_t>, RuntimePtr> runtimes;
};

struct NamedCheck {
  std::string name;
  CheckResult result;
};

struct JobResult {
  int exit = 0;
  std::vector<base::Diagnostic> diagnostics;
  std::vector<NamedCheck> checks;
  double ms = 0, compileMs = 0;
  double launchMs = 0, medianMs = 0;
  std::string trace; ///< IR dumps and pass times that were asked for
  uint64_t bufferBytes = 0;
};

/// Compiles. Null with `result.exit` set where that fails.
ProgramPtr compileJob(const Job &job, Workplace &workplace, JobResult &result);
/// Compiles, and unless the job says compileOnly, launches, checks and writes outputs.
JobResult runJob(const Job &job, Workplace &workplace);
/// Where kernels print to: stderr.
void printLine(void *user, const char *line, uint64_t size);

} // namespace tegula::driver::tools
