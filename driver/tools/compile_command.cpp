// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tegula compile`.
#include "driver/session/outputs.h"
#include "driver/tools/command_line.h"
#include "driver/tools/message_bridge.h"
#include "driver/session/option_text.h"
#include "sdk/base/nearest_name.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tegula::driver::tools {

namespace {
using Json = nlohmann::ordered_json;

std::string_view stageOf(const tegula_program_t *program, std::string_view name) {
  tegula_text_t bytes{};
  return tegula_program_get_stage(program, asText(name), &bytes, nullptr) == TEGULA_STATUS_OK ? asView(bytes) : std::string_view();
}

tegula_program_info_t infoOf(const tegula_program_t *program) {
  tegula_program_info_t info{};
  info.struct_size = sizeof info;
  tegula_program_get_info(program, &info);
  return info;
}

/// A path as Make reads it.
std::string makePath(std::string_view path) {
  std::string out;
  for (char c : path) {
    if (c == ' ' || c == '#' || c == '\\')
      out += '\\';
    if (c == '$')
      out += '$';
    out += c;
  }
  return out;
}

void report(const tegula_program_t *program) {
  tegula_program_info_t info = infoOf(program);
  fmt::print("kernel {} for {}: {} warps, {} stages\n", asView(info.kernel), asView(info.target), info.num_warps, info.num_stages);
  for (uint64_t i = 0; i < info.parameter_count; ++i) {
    tegula_parameter_info_t p{};
    p.struct_size = sizeof p;
    tegula_program_get_parameter(program, i, &p);
    if (p.folded)
      fmt::print("  {} = {}\n", asView(p.name), asView(p.constant));
    else
      fmt::print("  {}: {}{}\n", asView(p.name), asView(p.type), p.divisibility > 1 ? fmt::format(", divisible by {}", p.divisibility) : "");
  }
  fmt::print("times: frontend {:.2f} ms, middle {:.2f} ms, plugin {:.2f} ms\n", info.frontend_ms, info.middle_ms, info.plugin_ms);
  if (info.record.size == 0)
    return;
  Json record = Json::parse(asView(info.record), nullptr, false);
  for (const char *key : {"format", "bytes", "lanes", "warps", "static_shared_bytes", "dynamic_shared_bytes", "scratch_bytes", "fingerprint"})
    if (record.contains(key))
      fmt::print("{}: {}\n", key, record[key].is_string() ? record[key].get<std::string>() : record[key].dump());
  for (const auto &[key, value] : record["resources"].items())
    fmt::print("{}: {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
}
} // namespace

int compileCommand(CommandLine &line) {
  base::DiagnosticList usage;
  bool good = finishJob(line, usage);
  if (line.job.file.empty()) {
    fail(usage, "D1001", "no file is given", {}, "tegula compile FILE.py -k KERNEL --target T --sig SIG");
    good = false;
  }
  Job &job = line.job;
  job.compileOnly = true;
  const std::string &emit = line.emit;
  bool tile = emit == "tile" || emit == "tile-opt", binary = emit == "bin" || emit == "kir";
  if (tile)
    job.compileFlags |= TEGULA_COMPILE_KEEP_TILE;
  if (emit != "bin")
    job.compileFlags |= TEGULA_COMPILE_NO_BINARY;
  if (emit == "layout" || emit == "thread") {
    fail(usage, "D1502", "stage '" + emit + "' belongs to thread-level targets, which this version does not have", {}, "stages are tile, tile-opt, kir and bin");
    good = false;
  } else if (!tile && !binary) {
    job.form = emit;
  }
  printDiagnostics(usage.diagnostics(), line.json);
  if (!good)
    return 2;
  Workplace workplace{openSession(line), {}};
  int exit = 0;
  if (!workplace.session)
    return 2;
  if (!resolveTarget(job, workplace, line.json, exit))
    return exit;
  JobResult result;
  ProgramPtr program = compileJob(job, workplace, result);
  for (base::Diagnostic &diagnostic : result.diagnostics)
    if (diagnostic.code == "T1030" && !job.form.empty()) { // the plugin does not know the form
      diagnostic.code = "D1502";
      diagnostic.where = OptionText{"--emit ", emit}.all();
      diagnostic.help = base::didYouMean(emit, {"tile", "tile-opt", "kir", "bin"}, "stages of every target are tile, tile-opt, kir and bin");
      result.exit = statusOf(result.diagnostics);
    }
  printDiagnostics(result.diagnostics, line.json);
  if (!program)
    return result.exit;
  fmt::print(stderr, "{}", result.trace);
  std::string_view bytes = stageOf(program.get(), emit);
  std::string output = line.output.empty() && emit == "bin" && !line.report && !line.json ? job.kernel.empty() ? std::string(asView(infoOf(program.get()).kernel)) + ".bin" : job.kernel + ".bin" : line.output;
  std::string rule = makePath(output.empty() ? asView(infoOf(program.get()).kernel) : std::string_view(output)) + ":";
  for (uint64_t i = 0; tegula_program_get_dependency(program.get(), i).size; ++i)
    rule += " \\\n  " + makePath(asView(tegula_program_get_dependency(program.get(), i)));
  rule += "\n";
  base::DiagnosticList sink;
  Outputs outputs;
  if ((!output.empty() && !outputs.add(output, {}, bytes, sink)) || (!line.depfile.empty() && !outputs.add(line.depfile, {}, rule, sink)) || !outputs.place(sink)) {
    printDiagnostics(sink.diagnostics(), line.json);
    return statusOf(sink.diagnostics());
  }
  if (output.empty() && emit == "kir") {
    char *text = nullptr;
    uint64_t size = 0;
    if (tegula_kir_to_text(asText(bytes), &text, &size, nullptr) == TEGULA_STATUS_OK)
      fmt::print("{}", std::string_view(text, size));
    tegula_free(text);
  } else if (output.empty() && emit != "bin") {
    fmt::print("{}", bytes);
  }
  if (line.json)
    fmt::print("{}\n", infoOf(program.get()).record.size ? asView(infoOf(program.get()).record) : "{}");
  else if (line.report)
    report(program.get());
  return 0;
}

} // namespace tegula::driver::tools
