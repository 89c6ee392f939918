// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares options, and reads what CLI11 leaves as text.
#include "driver/tools/command_line.h"

#include "driver/render/render.h"
#include "driver/tools/message_bridge.h"

#include <fmt/format.h>

#include <filesystem>
#include <unistd.h>

namespace tegula::driver::tools {

namespace {
CLI::Option *addList(CLI::App &app, const std::string &name, std::vector<std::string> &to, const std::string &help) {
  return app.add_option(name, to, help)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(false)->trigger_on_parse(false);
}

void logLine(void *, uint32_t level, const char *text, uint64_t size) {
  static constexpr const char *kLevels[] = {"?", "error", "warning", "info", "debug"};
  fmt::print(stderr, "tegula: {}: {}\n", kLevels[level < 5 ? level : 0], std::string_view(text, size));
}

std::string programFolder() {
  std::error_code ec;
  return std::filesystem::read_symlink("/proc/self/exe", ec).parent_path().string();
}
} // namespace

void addSessionOptions(CLI::App &app, CommandLine &line) {
  addList(app, "--plugin", line.plugins, "Manifest or library of a plugin; searched before all others")->type_name("FILE");
  addList(app, "--option", line.options, "Option of the target's plugin; `tegula targets` lists them")->type_name("KEY=VALUE");
  app.add_option("--as", line.as, "Take the language defaults of this target (plugins that offer it: reference)")->type_name("TARGET");
  app.add_flag("--json", line.json, "Print results as JSON");
  app.add_flag("-v,--verbose", line.verbose, "Say what is being done");
}

void addCompileOptions(CLI::App &app, CommandLine &line) {
  Job &job = line.job;
  app.add_option("file", job.file, "File with the kernel")->type_name("FILE.py");
  app.add_option("-k,--kernel", job.kernel, "Kernel; not needed where the file has one")->type_name("NAME");
  app.add_option("-t,--target", job.target, "Target: a name that `tegula targets` lists, such as reference, or PLUGIN:NAME; none: the best that is usable")->type_name("T");
  addList(app, "--arg", line.arguments, "Argument of the kernel")->type_name("NAME=SPEC");
  addList(app, "-D,--define", line.defines, "Constant of the kernel")->type_name("NAME=VALUE");
  addList(app, "--global", line.globals, "What a module's name is, whatever the module computes")->type_name("MODULE.NAME=VALUE");
  addList(app, "--module-path", job.modulePath, "Folder to look for imported modules in")->type_name("DIR");
  app.add_option("--num-warps", job.numWarps, "Warps per program")->type_name("N")->check(CLI::IsMember({1, 2, 4, 8, 16, 32, 64}));
  app.add_option("--num-stages", line.numStages, "Stages of software pipelining")->type_name("N")->check(CLI::Range(0, 64));
  app.add_option("--config", line.config, "Which of the decorator's configurations; the first is 0")->type_name("N")->check(CLI::NonNegativeNumber);
  app.add_option("--math", line.math, "fast, default or strict")->type_name("MODE")->check(CLI::IsMember({"fast", "default", "strict"}));
  app.add_option("-O", line.level, "0: no optimisation; 2: all; none: as the target wants it")->type_name("LEVEL")->check(CLI::IsMember({"0", "2"}));
  app.add_flag("--debug", job.debug, "Keep device asserts");
  app.add_flag("--sanitize", line.sanitize, "Run under the sanitizer; an error where the target has none");
  app.add_flag("--no-sanitize", line.noSanitize, "Run without the sanitizer")->excludes("--sanitize");
  app.add_flag("--time-passes", line.timePasses, "Print how long each pass took");
  app.add_option("--dump-ir", line.dumpIr, "Print the IR after every pass, or after PASS")->type_name("PASS")->expected(0, 1)->default_str("*");
  addSessionOptions(app, line);
}

std::optional<std::pair<std::string, std::string>> splitPair(const std::string &option, const std::string &text, base::DiagnosticSink &sink) {
  size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    return fail(sink, "D1108", "'" + text + "' is no NAME=VALUE", OptionText{option + " ", text}.all(), "as in " + option + " name=" + (text.empty() || text[0] == '=' ? "value" + text.substr(std::min<size_t>(text.size(), 1)) : text)), std::nullopt;
  return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

bool setMath(Job &job, const std::string &text) {
  job.math = text == "fast" ? TEGULA_MATH_FAST : text == "strict" ? TEGULA_MATH_STRICT : TEGULA_MATH_DEFAULT;
  return text == "fast" || text == "strict" || text == "default";
}

bool setLevel(Job &job, const std::string &text) {
  job.optimise = text == "0" ? TEGULA_OPTIMISE_NONE : text == "2" ? TEGULA_OPTIMISE_FULL : TEGULA_OPTIMISE_BY_TARGET;
  return text == "0" || text == "2" || text.empty();
}

bool finishJob(CommandLine &line, base::DiagnosticSink &sink) {
  Job &job = line.job;
  bool good = true;
  for (auto [option, texts, to] : {std::tuple{"--arg", &line.arguments, &job.arguments}, {"-D", &line.defines, &job.defines}, {"--global", &line.globals, &job.globals},
                                   {"--out", &line.outputs, &job.outputs}, {"--check", &line.checks, &job.checks}})
    for (const std::string &text : *texts) {
      auto pair = splitPair(option, text, sink);
      if (!pair) {
        good = false;
        continue;
      }
      for (const auto &[name, value] : *to)
        if (name == pair->first) {
          fail(sink, "D1107", "'" + name + "' is given twice", OptionText{std::string(option) + " ", text}.at(0, name.size()));
          good = false;
        }
      to->push_back(std::move(*pair));
    }
  if (line.numStages >= 0)
    job.numStages = static_cast<uint32_t>(line.numStages);
  if (line.config >= 0)
    job.config = static_cast<uint32_t>(line.config);
  setMath(job, line.math);
  setLevel(job, line.level);
  if (line.sanitize)
    job.sanitize = true;
  if (line.noSanitize) {
    job.sanitize = false;
    job.options.emplace_back("sanitize", "0");
  }
  if (line.timePasses)
    job.compileFlags |= TEGULA_COMPILE_TIME_PASSES;
  if (!line.dumpIr.empty()) {
    job.compileFlags |= TEGULA_COMPILE_DUMP_IR;
    job.dumpPass = line.dumpIr == "*" ? "" : line.dumpIr;
  }
  return good;
}

SessionPtr openSession(const CommandLine &line) {
  std::vector<std::pair<std::string, std::string>> settings;
  base::DiagnosticList sink;
  for (const std::string &text : line.options)
    if (auto pair = splitPair("--option", text, sink))
      settings.push_back(std::move(*pair));
  printDiagnostics(sink.diagnostics(), line.json);
  if (sink.hasErrors())
    return nullptr;
  if (!line.as.empty())
    settings.emplace_back("as", line.as);
  std::vector<tegula_pair_t> pairs;
  for (const auto &[name, value] : settings)
    pairs.push_back({asText(name), asText(value)});
  std::vector<tegula_text_t> plugins;
  for (const std::string &plugin : line.plugins)
    plugins.push_back(asText(plugin));
  std::string folder = programFolder();
  tegula_text_t folderText = asText(folder);
  tegula_session_options_t options{};
  options.struct_size = sizeof options;
  options.plugins = plugins.data();
  options.plugin_count = plugins.size();
  options.plugin_folders = &folderText;
  options.plugin_folder_count = 1;
  options.options = pairs.data();
  options.option_count = pairs.size();
  options.log = line.verbose ? logLine : nullptr;
  MessagesPtr messages(tegula_messages_create());
  tegula_session_t *session = nullptr;
  tegula_session_create(&options, &session, messages.get());
  std::vector<base::Diagnostic> diagnostics;
  takeMessages(messages.get(), diagnostics);
  printDiagnostics(diagnostics, line.json);
  return SessionPtr(session);
}

void printDiagnostics(const std::vector<base::Diagnostic> &diagnostics, bool json) {
  bool colour = ::isatty(STDERR_FILENO) && !std::getenv("NO_COLOR");
  for (const base::Diagnostic &diagnostic : diagnostics)
    fmt::print(stderr, "{}", json ? renderJson(diagnostic) + "\n" : renderText(diagnostic, colour));
}

bool resolveTarget(Job &job, Workplace &workplace, bool json, int &exit) {
  MessagesPtr messages(tegula_messages_create());
  tegula_text_t name{};
  bool chosen = job.target.empty();
  exit = tegula_session_resolve_target(workplace.session.get(), asText(job.target), &name, messages.get());
  std::vector<base::Diagnostic> diagnostics;
  takeMessages(messages.get(), diagnostics);
  for (base::Diagnostic &diagnostic : diagnostics)
    if (!chosen && diagnostic.where.file.empty())
      diagnostic.where = OptionText{"--target ", job.target}.all();
  printDiagnostics(diagnostics, json);
  if (exit)
    return false;
  // The spelling stays where there is one: it may say which plugin.
  if (chosen) {
    job.target = asView(name);
    fmt::print(stderr, "target: {}\n", job.target);
  }
  return true;
}

} // namespace tegula::driver::tools
