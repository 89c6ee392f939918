// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tegula run` on one case.
#include "driver/tools/command_line.h"
#include "driver/render/render.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace tegula::driver::tools {

std::string describeResult(const std::string &id, const JobResult &result) {
  using Json = nlohmann::ordered_json;
  auto finite = [](double value) { return std::isfinite(value) ? Json(value) : Json(std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf"); };
  Json json{{"id", id}, {"exit", result.exit}, {"ms", result.ms}, {"compile_ms", result.compileMs}, {"diagnostics", Json::array()}, {"checks", Json::array()}};
  std::vector<base::Diagnostic> sorted = result.diagnostics;
  std::stable_partition(sorted.begin(), sorted.end(), [](const base::Diagnostic &d) { return d.severity == base::Severity::Error; });
  for (const base::Diagnostic &diagnostic : sorted)
    json["diagnostics"].push_back(Json::parse(renderJson(diagnostic)));
  for (const NamedCheck &check : result.checks)
    json["checks"].push_back({{"name", check.name}, {"passed", check.result.passed}, {"elements", check.result.elements}, {"wrong", check.result.wrong}, {"worst", finite(check.result.worst)},
                              {"worst_index", check.result.worstIndex}, {"got", check.result.got}, {"expected", check.result.expected}, {"rtol", check.result.rtol}, {"atol", check.result.atol}});
  if (result.launchMs > 0)
    json["launch_ms"] = result.launchMs;
  if (result.medianMs > 0) {
    json["median_ms"] = result.medianMs;
    json["buffer_bytes"] = result.bufferBytes;
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

int runCommand(CommandLine &line) {
  base::DiagnosticList usage;
  bool good = finishJob(line, usage);
  for (auto [text, what, how] : {std::tuple{&line.job.file, "no file is given", "tegula run FILE.py -k KERNEL --target T --grid G --arg NAME=SPEC"}, {&line.job.grid, "no grid is given", "say how many programs run with --grid, as in --grid 'cdiv(n, BLOCK)'"}})
    if (text->empty()) {
      fail(usage, "D1001", what, {}, how);
      good = false;
    }
  printDiagnostics(usage.diagnostics(), false);
  if (!good)
    return 2;
  Workplace workplace{openSession(line), {}};
  int exit = 0;
  if (!workplace.session)
    return 2;
  if (!resolveTarget(line.job, workplace, false, exit))
    return exit;
  JobResult result = runJob(line.job, workplace);
  fmt::print(stderr, "{}", result.trace);
  printDiagnostics(result.diagnostics, false);
  if (line.verbose)
    fmt::print(stderr, "compile {:.2f} ms, launch {:.2f} ms, all {:.2f} ms\n", result.compileMs, result.launchMs, result.ms);
  if (line.json) {
    fmt::print("{}\n", describeResult(line.job.id, result));
    return result.exit;
  }
  for (const NamedCheck &check : result.checks)
    if (check.result.passed)
      fmt::print("{}: {} elements right, greatest error {:g}\n", check.name, check.result.elements, check.result.worst);
  if (result.medianMs > 0)
    fmt::print("median {:.4f} ms of {}, {:.2f} GB/s over {} bytes of buffers\n", result.medianMs, line.job.repeat, static_cast<double>(result.bufferBytes) / result.medianMs * 1e-6, result.bufferBytes);
  return result.exit;
}

} // namespace tegula::driver::tools
