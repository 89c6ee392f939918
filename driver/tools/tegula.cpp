// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program: which command, with which options. docs/command-line.md describes all of it.
#include "driver/tools/command_line.h"
#include "driver/tools/usage_error.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

using namespace tegula::driver::tools;

namespace {

void addCompile(CLI::App &app, CommandLine &line, int &exit) {
  CLI::App *command = app.add_subcommand("compile", "Compile a kernel");
  addCompileOptions(*command, line);
  command->add_option("--sig", line.job.signature, "Triton's signature string: '*fp32:16, i32, 1024'")->type_name("SIG")->trigger_on_parse(false);
  command->add_option("-o", line.output, "Output file; text stages go to stdout without it")->type_name("OUT");
  command->add_option("--emit", line.emit, "What to write: tile, tile-opt, kir, bin, or a printable form of the target's plugin")->type_name("STAGE");
  command->add_flag("--report", line.report, "Print what is known of the result: arguments, resources");
  command->add_option("--depfile", line.depfile, "Write a Make dependency file")->type_name("FILE");
  command->callback([&line, &exit, command] {
    line.job.hasSignature = command->get_option("--sig")->count() > 0;
    exit = compileCommand(line);
  });
}

void addRun(CLI::App &app, CommandLine &line, int &exit, const std::vector<std::string> &arguments) {
  CLI::App *command = app.add_subcommand("run", "Compile a kernel and launch it");
  addCompileOptions(*command, line);
  command->add_option("--grid", line.job.grid, "Number of programs, one to three expressions: 'cdiv(n, BLOCK), 4'")->type_name("EXPR");
  for (auto [name, to, help] : {std::tuple{"--out", &line.outputs, "Write an argument's buffer to a file"}, {"--check", &line.checks, "Compare an argument's buffer with a file"}})
    command->add_option(name, *to, help)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(false)->type_name(std::string(name) == "--out" ? "NAME=FILE.npy" : "NAME=FILE.npy[,rtol=R][,atol=A]");
  command->add_option("--repeat", line.job.repeat, "Launch N times more and print the median time")->type_name("N");
  command->add_option("--device", line.job.device, "Which device of the target")->type_name("D");
  command->add_option("--batch", line.batch, "Many cases, one JSON object a line; other options are defaults. '-' reads stdin")->type_name("FILE.jsonl");
  command->add_option("--jobs", line.jobs, "Worker processes of a batch; 0: one per core")->type_name("N")->check(CLI::NonNegativeNumber);
  command->add_option("--timeout", line.timeout, "Seconds that a case of a batch may take")->type_name("S")->check(CLI::PositiveNumber);
  command->add_option("--batch-worker", line.resultFile)->group("");
  command->callback([&line, &exit, &arguments] { exit = line.resultFile >= 0 ? batchWorker(line) : !line.batch.empty() ? batchCommand(line, arguments) : runCommand(line); });
}

int run(int argc, char **argv) {
  CommandLine line;
  int exit = 0;
  std::vector<std::string> arguments(argv + 1, argv + argc);
  CLI::App app{"Tegula compiles and runs kernels of the Triton language", "tegula"};
  app.set_version_flag("--version", "tegula " + std::string(asView(tegula_version())));
  app.require_subcommand(1);
  addCompile(app, line, exit);
  addRun(app, line, exit, arguments);

  CLI::App *targets = app.add_subcommand("targets", "List plugins, targets and devices, and what was refused");
  addSessionOptions(*targets, line);
  targets->callback([&] { exit = targetsCommand(line); });

  std::string file;
  CLI::App *inspect = app.add_subcommand("inspect", "Print a KIR file as text (or, with -o, make one from text)");
  inspect->add_option("file", file, "KIR, or its text")->required()->type_name("FILE");
  inspect->add_option("-o", line.output, "Output file")->type_name("OUT");
  inspect->callback([&] { exit = inspectCommand(file, line.output); });

  app.add_subcommand("opt", "Run passes on tile IR; `tegula opt --help` lists them");
  app.add_subcommand("conformance", "Run the conformance suite; `tegula conformance --help` says how");
  std::vector<std::string> words{"tegula"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  if (auto wrong = checkCommand(app, words)) {
    printDiagnostics({*wrong}, false);
    return kCommandLineIsWrong;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() == 0) // --help, --version
      return app.exit(error);
    printDiagnostics({describeUsageError(app, error, words)}, false);
    return kCommandLineIsWrong;
  }
  return exit;
}

/// What was printed may still wait in a buffer, and the disk may be full: 0 becomes 1.
int finishOutput(int exit) {
  errno = 0;
  if (std::fflush(stdout) == 0 && !std::ferror(stdout))
    return exit;
  std::string why = errno ? std::string(": ") + std::strerror(errno) : "";
  printDiagnostics({{tegula::base::Severity::Error, "D1003", "cannot write to the standard output" + why, {}, {}, {}}}, false);
  return exit ? exit : kInputIsWrong;
}

} // namespace

int main(int argc, char **argv) {
  installCrashHandlers(-1);
  // These two have command lines of their own.
  std::string_view command = argc > 1 ? argv[1] : "";
  if (command == "opt") {
    std::string name = "tegula opt"; // what its help calls it
    argv[1] = name.data();
    return finishOutput(tegula_opt_main(argc - 1, argv + 1));
  }
  if (command == "conformance")
    return finishOutput(conformanceCommand(argc - 1, argv + 1));
  try {
    return finishOutput(run(argc, argv));
  } catch (const std::system_error &) { // of fmt::print, where the standard output takes no more
    return finishOutput(kDone);
  }
}
