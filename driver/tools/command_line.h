// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of the program as data, and the texts of them that stand for other things.
#pragma once

#include "driver/tools/exit_status.h"
#include "driver/tools/job.h"

#include <CLI/CLI.hpp>

namespace tegula::driver::tools {

/// What the user typed, before it is a job.
struct CommandLine {
  Job job;
  std::vector<std::string> arguments, defines, globals, outputs, checks, options, plugins;
  std::string as, math = "default", level, emit = "bin", output, depfile, batch, dumpIr;
  int numStages = -1, config = -1, jobs = 0;
  double timeout = 300;
  bool sanitize = false, noSanitize = false, json = false, verbose = false, timePasses = false, report = false, worker = false;
  int resultFile = -1; ///< of a batch worker
};

/// Options of the session: plugins and their settings.
void addSessionOptions(CLI::App &app, CommandLine &line);
/// Options of everything that compiles, the file among them where `withFile`.
void addCompileOptions(CLI::App &app, CommandLine &line);

/// Turns texts into `line.job`; false after errors (exit status 2).
bool finishJob(CommandLine &line, base::DiagnosticSink &sink);
/// NAME=VALUE; nullopt after an error.
std::optional<std::pair<std::string, std::string>> splitPair(const std::string &option, const std::string &text, base::DiagnosticSink &sink);
bool setMath(Job &job, const std::string &text);
bool setLevel(Job &job, const std::string &text);

/// A session with the plugins of the command line; null after having printed why.
SessionPtr openSession(const CommandLine &line);
/// Prints diagnostics to stderr, as text or as JSON lines.
void printDiagnostics(const std::vector<base::Diagnostic> &diagnostics, bool json);
/// The target of a job in full, said on stderr where the user named none; false after having printed why there is none.
bool resolveTarget(Job &job, Workplace &workplace, bool json, int &exit);

// The commands; each returns the exit status.
int compileCommand(CommandLine &line);
int runCommand(CommandLine &line);
int batchCommand(CommandLine &line, const std::vector<std::string> &arguments);
int batchWorker(CommandLine &line);
int targetsCommand(CommandLine &line);
int inspectCommand(const std::string &file, const std::string &output);
int conformanceCommand(int argc, char **argv);

/// One JSON object for a job that was run: the line of a batch.
std::string describeResult(const std::string &id, const JobResult &result);

/// Installs handlers that turn a crash into a message and exit status 70. `resultFile`, where not negative, also gets a line for the batch.
void installCrashHandlers(int resultFile);

} // namespace tegula::driver::tools
