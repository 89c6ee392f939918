// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tegula conformance`: chooses cases, runs them, applies the plugin's manifest, reports.

#include "conformance/harness/coverage.h"
#include "conformance/harness/workers.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fnmatch.h>
#include <fstream>
#include <set>
#include <thread>

namespace tegula::conformance {

namespace {

namespace fs = std::filesystem;

/// A line of a plugin's manifest: cases that it cannot pass, for good (`unsupported`) or for now (`xfail`), and why. They are those whose id
/// matches `pattern`, or that require `capability`.
struct Waiver {
  std::string pattern, capability, reason;
  bool temporary;

  bool covers(const Case &c) const {
    if (!capability.empty())
      return std::find(c.requirements.begin(), c.requirements.end(), capability) != c.requirements.end();
    return fnmatch(pattern.c_str(), c.id.c_str(), 0) == 0;
  }
};

std::vector<Waiver> readManifest(const fs::path &path, std::string &error) {
  std::vector<Waiver> waivers;
  std::ifstream in(path);
  if (!in)
    return waivers; // a plugin without one has nothing to waive
  auto json = nlohmann::json::parse(in, nullptr, false, true);
  if (json.is_discarded()) {
    error = path.string() + ": not valid JSON";
    return waivers;
  }
  auto text = [](const nlohmann::json &entry, const char *key) {
    auto it = entry.is_object() ? entry.find(key) : entry.end();
    return it != entry.end() && it->is_string() ? it->get<std::string>() : std::string();
  };
  for (const char *list : {"unsupported", "xfail"}) {
    auto entries = json.is_object() ? json.value(list, nlohmann::json::array()) : nlohmann::json();
    if (!entries.is_array())
      error = path.string() + ": a manifest is an object with the lists 'unsupported' and 'xfail'";
    for (const auto &entry : entries) {
      waivers.push_back({text(entry, "cases"), text(entry, "requires"), text(entry, "reason"), std::string(list) == "xfail"});
      const Waiver &w = waivers.back();
      if (w.pattern.empty() == w.capability.empty() || w.reason.empty())
        error = path.string() + ": every waiver has 'reason', and 'cases' or 'requires'";
    }
  }
  return waivers;
}

/// Where a folder of the suite is: given, from the environment, beside the program.
fs::path findFolder(const std::string &given, const char *name) {
  if (!given.empty())
    return given;
  if (const char *environment = std::getenv("TEGULA_CONFORMANCE"))
    return fs::path(environment) / name;
  std::error_code ec;
  return fs::read_symlink("/proc/self/exe", ec).parent_path().parent_path() / "share" / "tegula" / "conformance" / name;
}

/// What was typed is wrong: said as the rest of the program says it. Returns the exit status.
int usage(std::string message, const char *help = "`tegula conformance --help` lists the options") {
  std::fprintf(stderr, "error[D1001]: %s\nhelp: %s\n", message.c_str(), help);
  return 2;
}

int run(int argc, char **argv) {
  CLI::App app("Runs the conformance suite on a target.", "tegula conformance");
  RunOptions options;
  std::string tier = "smoke", filter, shard, casesFolder, manifests;
  bool json = false, list = false, coverage = false;
  int level = -1;
  options.jobs = std::max(1u, std::thread::hardware_concurrency());
  app.add_option("--target", options.target, "target to test")->capture_default_str();
  app.add_option("--tier", tier, "smoke, quick or full; each has the ones before it")->capture_default_str();
  app.add_option("--filter", filter, "glob on case ids");
  app.add_option("--shard", shard, "I/N: the I-th (from 0) of N parts; a case stays in its part when others are added");
  app.add_option("--jobs", options.jobs, "worker processes")->capture_default_str();
  app.add_option("--cases", casesFolder, "folder of case files");
  app.add_option("--manifests", manifests, "folder of manifests");
  app.add_flag("--json", json, "a JSON line per case");
  app.add_flag("--list", list, "print the ids and stop");
  app.add_flag("--coverage", coverage, "print which functions, types and edges the cases cover, name what is missing, and stop");
  app.add_flag("--compare-levels", options.compareLevels, "run at -O0 and -O2; outputs must have the same bits");
  app.add_option("-O", level, "0: unoptimised; 2: optimised; none: as the target wants it")->check(CLI::IsMember({0, 2}));
  app.add_option("--timeout", options.timeoutSeconds, "seconds that a case may take")->capture_default_str()->check(CLI::PositiveNumber);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &e) {
    return e.get_exit_code() == 0 ? app.exit(e) : usage(e.what());
  }
  options.optimise = level == 0 ? TEGULA_OPTIMISE_NONE : level == 2 ? TEGULA_OPTIMISE_FULL : TEGULA_OPTIMISE_BY_TARGET;
  auto wanted = parseTier(tier);
  if (!wanted) {
    return usage("there is no tier '" + tier + "'", "tiers are smoke, quick and full");
  }
  std::vector<std::string> errors;
  std::vector<Case> all = loadCases(findFolder(casesFolder, "cases").string(), errors);
  std::string plugin = options.target.substr(0, options.target.find(':')), manifestError;
  std::vector<Waiver> waivers = readManifest(findFolder(manifests, "manifests") / (plugin + ".json"), manifestError);
  if (!manifestError.empty())
    errors.push_back(manifestError);
  for (const std::string &e : errors)
    std::fprintf(stderr, "%s\n", e.c_str());
  if (!errors.empty())
    return 1;
  if (coverage) {
    std::string fault;
    const bool whole = printCoverage(all, (findFolder(casesFolder, "cases").parent_path() / "scope.json").string(), fault);
    if (!fault.empty())
      std::fprintf(stderr, "%s\n", fault.c_str());
    return !fault.empty() ? 1 : whole ? 0 : 4;
  }
  unsigned part = 0, parts = 1;
  if (!shard.empty() && (std::sscanf(shard.c_str(), "%u/%u", &part, &parts) != 2 || part >= parts)) {
    return usage("'" + shard + "' is no shard", "a shard is I/N with I < N");
  }
  std::vector<const Case *> chosen;
  size_t matching = 0;
  for (const Case &c : all)
    if (c.tier <= *wanted && (filter.empty() || fnmatch(filter.c_str(), c.id.c_str(), 0) == 0)) {
      ++matching;
      if (c.seed % parts == part)
        chosen.push_back(&c);
    }
  if (!matching) {
    return usage("no case of this tier matches" + (filter.empty() ? "" : " '" + filter + "'"), "--list prints the ids");
  }
  if (list) {
    for (const Case *c : chosen)
      std::printf("%s\n", c->id.c_str());
    return 0;
  }

  size_t passed = 0, failed = 0, waived = 0;
  double worst = 0;
  std::string worstCase, error;
  std::set<std::string> ids;
  bool good = runCases(chosen, options, [&](const Case &c, const Result &r) {
    const Waiver *waiver = nullptr;
    for (const Waiver &w : waivers)
      if (w.covers(c))
        waiver = &w;
    bool pass = r.status == Status::Pass;
    std::string status(statusName(r.status));
    if (waiver)
      status = pass ? "unexpected-pass" : waiver->temporary ? "xfail" : "not-supported-declared";
    bool counted = waiver ? !pass : pass;
    waived += waiver && !pass;
    (counted ? passed : failed) += 1;
    ids.insert(c.id.substr(0, c.id.find('?')));
    if (pass && r.worstRatio > worst) {
      worst = r.worstRatio;
      worstCase = c.id;
    }
    if (json)
      std::printf("%s\n",
                  nlohmann::json{{"id", c.id}, {"status", status}, {"ms", r.milliseconds}, {"ratio", r.worstRatio}, {"text", r.text}}.dump().c_str());
    else if (!counted)
      std::printf("%s: %s: %s\n", status.c_str(), c.id.c_str(), waiver ? waiver->reason.c_str() : r.text.c_str());
  }, error);
  if (!good) {
    std::fputs((error.ends_with('\n') ? error : error + "\n").c_str(), stderr);
    return 3;
  }
  if (json) {
    std::printf(
        "%s\n",
        nlohmann::json{{"target", options.target}, {"passed", passed}, {"failed", failed}, {"waived", waived}, {"ids", ids.size()}}.dump().c_str());
  } else {
    std::printf("%zu cases of %zu ids on %s; %zu waived; greatest error %.2f of its bound (%s)\n", chosen.size(), ids.size(), options.target.c_str(),
                waived, worst, worstCase.c_str());
    std::printf("conformance: %zu passed, %zu failed\n", passed, failed);
  }
  return failed ? 4 : 0;
}

} // namespace

} // namespace tegula::conformance

extern "C" int tegula_conformance_main(int argc, char **argv) { return tegula::conformance::run(argc, argv); }
