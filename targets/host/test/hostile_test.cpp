// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every hostile plugin yields its line in the load report, and the program goes on.
#include "targets/host/device.h"
#include "targets/host/registry.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace tegula::targets {
namespace {

Manifest manifestFor(const std::string &name) {
  Manifest manifest;
  manifest.path = name + ".tegula-plugin.json";
  manifest.name = name;
#if defined(__aarch64__)
  manifest.arch = "aarch64";
#else
  manifest.arch = "x86_64";
#endif
  manifest.library = std::string(HOSTILE_DIR) + "/" + name + ".so";
  manifest.sanitizer = plugin::kSanitizer;
  manifest.abi = {TEGULA_ABI_VERSION, TEGULA_ABI_VERSION};
  manifest.kir = {TEGULA_KIR_VERSION, TEGULA_KIR_VERSION};
  manifest.targets.push_back({"hostile", "", {}, false, false, 0});
  return manifest;
}

std::string codeOf(const Manifest &manifest) {
  LoadReport report;
  auto plugin = Plugin::load(manifest, {}, report);
  EXPECT_EQ(plugin == nullptr, !report.entries().back().code.empty());
  return report.entries().back().code;
}

struct Case {
  const char *name, *code;
};

class Hostile : public testing::TestWithParam<Case> {};

TEST_P(Hostile, YieldsItsLine) {
  LoadReport report;
  EXPECT_FALSE(Plugin::load(manifestFor(GetParam().name), {}, report));
  ASSERT_FALSE(report.entries().empty());
  LoadEntry entry = report.entries().back();
  EXPECT_EQ(entry.code, GetParam().code) << entry.message;
  EXPECT_EQ(entry.plugin, GetParam().name);
  EXPECT_FALSE(entry.message.empty());
}

INSTANTIATE_TEST_SUITE_P(All, Hostile,
                         testing::Values(Case{"missing_slot", "T1011"}, Case{"short_table", "T1010"}, Case{"long_table", "T1014"},
                                         Case{"wrong_abi", "T1006"}, Case{"wrong_sanitizer", "T1008"}, Case{"query_fails", "T1009"},
                                         Case{"query_overruns", "T1014"}, Case{"short_info", "T1010"}, Case{"other_name", "T1013"},
                                         Case{"no_interface", "T1012"}, Case{"no_context", "T1018"}, Case{"experimental", "T1017"},
                                         Case{"device_slot", "T1011"}, Case{"exports", "T1005"}),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(Loading, RefusesByManifestBeforeLoading) {
  Manifest manifest = manifestFor("none");
  manifest.library = "/nonexistent/none.so"; // would be T1003: the checks before it come first
  Manifest other = manifest;
  other.arch = "pdp11";
  EXPECT_EQ(codeOf(other), "T1007");
  other = manifest;
  other.abi = {TEGULA_VERSION(250, 0), TEGULA_VERSION(250, 3)};
  EXPECT_EQ(codeOf(other), "T1006");
  other = manifest;
  other.kir = {TEGULA_VERSION(250, 0), TEGULA_VERSION(250, 3)};
  EXPECT_EQ(codeOf(other), "T1006");
  other = manifest;
  other.sanitizer ^= TEGULA_SANITIZER_MEMORY;
  EXPECT_EQ(codeOf(other), "T1008");
  EXPECT_EQ(codeOf(manifest), "T1003");
}

TEST(Loading, RefusesWhatIsNoLibrary) {
  std::string path = testing::TempDir() + "/tegula_no_library.so";
  std::ofstream(path) << "this is no library";
  Manifest manifest = manifestFor("none");
  manifest.library = path;
  EXPECT_EQ(codeOf(manifest), "T1004");
}

TEST(Loading, UnknownLevelDropsTheTarget) {
  LoadReport report;
  EXPECT_FALSE(Plugin::load(manifestFor("garbage_level"), {}, report));
  EXPECT_EQ(report.entries().front().code, "T1015");
  EXPECT_EQ(report.entries().back().code, "T1013");
}

TEST(Loading, ExperimentalLoadsWhenAsked) {
  LoadReport report;
  Plugin::Settings settings;
  settings.allowExperimental = true;
  EXPECT_TRUE(Plugin::load(manifestFor("experimental"), settings, report));
}

struct Compiling : testing::Test {
  std::optional<Artifact> compile(const char *plugin, const char *entry) {
    LoadReport report;
    auto loaded = Plugin::load(manifestFor(plugin), {}, report);
    if (!loaded) {
      ADD_FAILURE() << report.entries().back().message;
      return std::nullopt;
    }
    CompileRequest request;
    request.kir = "KIR bytes...";
    request.entry = entry;
    return loaded->compile(request, sink, &outcome);
  }
  base::DiagnosticList sink;
  Outcome outcome;
};

TEST_F(Compiling, GivesBytesRecordAndDiagnostics) {
  auto artifact = compile("none", "k");
  ASSERT_TRUE(artifact);
  EXPECT_EQ(artifact->bytes, "KIR bytes...");
  EXPECT_EQ(artifact->entry, "k");
  ASSERT_EQ(artifact->arguments.size(), 1u);
  EXPECT_EQ(artifact->arguments[0].divisibility, 16u);
  ASSERT_EQ(artifact->resources.size(), 1u);
  EXPECT_EQ(artifact->resources[0].integer, 7);
  ASSERT_EQ(sink.diagnostics().size(), 1u);
  const base::Diagnostic &warning = sink.diagnostics()[0];
  EXPECT_EQ(warning.severity, base::Severity::Warning);
  EXPECT_EQ(warning.code, "P1001");
  EXPECT_EQ(warning.where.line, 3u);
  EXPECT_EQ(warning.notes.size(), 1u);
  EXPECT_EQ(warning.help, "a hint");
}

TEST_F(Compiling, ReportedErrorsAreNotSaidTwice) {
  EXPECT_FALSE(compile("none", "bad"));
  EXPECT_EQ(outcome.code, TEGULA_RESULT_COMPILE_FAILED);
  ASSERT_EQ(sink.diagnostics().size(), 2u);
  EXPECT_EQ(sink.diagnostics()[1].code, "P1002");
}

TEST_F(Compiling, UnknownResultIsInternal) {
  EXPECT_FALSE(compile("none", "strange"));
  EXPECT_EQ(outcome.code, TEGULA_RESULT_INTERNAL);
  EXPECT_NE(sink.diagnostics().back().message.find("a code from the future"), std::string::npos);
}

TEST_F(Compiling, ExceptionsAreContained) {
  EXPECT_FALSE(compile("throws", "k"));
  ASSERT_EQ(sink.diagnostics().size(), 1u);
  EXPECT_EQ(sink.diagnostics()[0].code, "T1030");
  EXPECT_NE(sink.diagnostics()[0].message.find("thrown by the plugin"), std::string::npos);
}

TEST_F(Compiling, AMissingRecordIsAFault) {
  EXPECT_FALSE(compile("no_record", "k"));
  EXPECT_EQ(sink.diagnostics().back().code, "T1030");
}

TEST_F(Compiling, NoDeviceRuntimeIsSaid) {
  LoadReport report;
  auto plugin = Plugin::load(manifestFor("none"), {}, report);
  ASSERT_TRUE(plugin);
  EXPECT_TRUE(plugin->devices(sink).empty());
  EXPECT_FALSE(Plugin::openDevice(plugin, 0, sink));
  EXPECT_EQ(sink.diagnostics().back().code, "T1023");
}

} // namespace
} // namespace tegula::targets
