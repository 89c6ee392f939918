// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding plugins, listing without loading, and the spellings of targets.
#include "targets/host/registry.h"

#include "targets/host/device.h"
#include "targets/recorded/recorded.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

namespace tegula::targets {
namespace {
namespace fs = std::filesystem;

#if defined(__aarch64__)
constexpr const char *kArch = "aarch64";
#else
constexpr const char *kArch = "x86_64";
#endif

struct RegistryTest : testing::Test {
  void SetUp() override {
    root = fs::path(testing::TempDir()) / ("tegula_registry_" + std::to_string(getpid()));
    fs::remove_all(root);
    fs::create_directories(root);
  }
  void TearDown() override { fs::remove_all(root); }

  void write(const std::string &name, const std::string &library, const std::string &targets, const std::string &more = "") {
    std::ofstream(root / (name + ".tegula-plugin.json"))
        << "{\"name\": \"" << name << "\", \"library\": \"" << library << "\", \"arch\": \"" << kArch << "\", \"sanitizer\": "
        << plugin::kSanitizer << ", \"abi\": [\"0.1\", \"0.1\"], \"kir\": [\"0.1\", \"0.1\"], \"targets\": [" << targets << "]" << more << "}";
  }
  SearchOptions search() {
    SearchOptions options;
    options.programDirectory = (root / "nowhere").string();
    options.installDirectory = root.string();
    options.useEnvironment = false;
    return options;
  }
  std::string code() { return sink.diagnostics().empty() ? "" : sink.diagnostics().back().code; }
  fs::path root;
  base::DiagnosticList sink;
};

const std::string kHostile = std::string(HOSTILE_DIR) + "/none.so";

TEST_F(RegistryTest, ListsWithoutLoading) {
  write("a", "missing.so", R"({"name": "t", "archs": ["x"]})");
  Registry registry(search());
  ASSERT_EQ(registry.list().size(), 1u);
  EXPECT_EQ(registry.list()[0].name, "t");
  EXPECT_TRUE(registry.report().entries().empty()); // nobody looked for the library yet
  EXPECT_FALSE(registry.find("t", sink));
  EXPECT_EQ(code(), "T1022");
  EXPECT_NE(sink.diagnostics().back().message.find("T1003"), std::string::npos);
}

TEST_F(RegistryTest, BrokenManifestIsALine) {
  std::ofstream(root / "b.tegula-plugin.json") << "{";
  write("none", kHostile, R"({"name": "hostile"})");
  Registry registry(search());
  ASSERT_EQ(registry.report().entries().size(), 1u);
  EXPECT_EQ(registry.report().entries()[0].code, "T1002");
  EXPECT_TRUE(registry.find("hostile", sink)); // the others are not concerned
}

TEST_F(RegistryTest, MissingFileIsALine) {
  SearchOptions options = search();
  options.files = {(root / "no.so").string()};
  Registry registry(options);
  ASSERT_EQ(registry.report().entries().size(), 1u);
  EXPECT_EQ(registry.report().entries()[0].code, "T1001");
}

TEST_F(RegistryTest, SpellingsOfTargets) {
  write("none", kHostile, R"({"name": "hostile"})", R"(, "aliases": [{"spelling": "alias", "target": "hostile", "arch": "sm_{1}_{2}"}])");
  Registry registry(search());
  auto spelled = [&](const char *text) {
    auto target = registry.find(text, sink);
    return target ? target->spelled() : "-";
  };
  EXPECT_EQ(spelled("hostile:b"), "hostile:b");
  EXPECT_EQ(spelled("hostile"), "hostile:a"); // no device: the default architecture
  EXPECT_EQ(spelled("none:hostile"), "hostile:a");
  EXPECT_EQ(spelled("none:hostile:c:d"), "hostile:c:d");
  EXPECT_EQ(spelled("alias:90:32"), "hostile:sm_90_32");
  EXPECT_EQ(spelled("alias:{1}:2"), "hostile:sm_{1}_2");
  EXPECT_EQ(spelled("alias"), "hostile:a");
  EXPECT_TRUE(sink.diagnostics().empty());
  EXPECT_EQ(spelled("other"), "-");
  EXPECT_EQ(code(), "T1020");
}

TEST_F(RegistryTest, FirstOfTwoWinsWithANote) {
  write("none", kHostile, R"({"name": "hostile"})");
  write("zz", std::string(HOSTILE_DIR) + "/missing_slot.so", R"({"name": "hostile"})");
  Registry registry(search());
  ASSERT_EQ(registry.list().size(), 2u);
  EXPECT_FALSE(registry.list()[0].shadowed);
  EXPECT_TRUE(registry.list()[1].shadowed);
  ASSERT_EQ(registry.report().entries().size(), 1u);
  EXPECT_EQ(registry.report().entries()[0].code, "T1016");
  EXPECT_EQ(registry.find("hostile", sink)->plugin->name(), "none");
  EXPECT_FALSE(registry.find("zz:hostile", sink));
}

TEST_F(RegistryTest, FilesComeBeforeFolders) {
  fs::create_directories(root / "first");
  write("none", kHostile, R"({"name": "hostile"})");
  fs::rename(root / "none.tegula-plugin.json", root / "first" / "none.tegula-plugin.json");
  write("aa", "missing.so", R"({"name": "hostile"})");
  SearchOptions options = search();
  options.files = {(root / "first" / "none.tegula-plugin.json").string()};
  Registry registry(options);
  EXPECT_TRUE(registry.find("hostile", sink));
}

TEST_F(RegistryTest, EnvironmentIsSearched) {
  write("none", kHostile, R"({"name": "hostile"})");
  setenv("TEGULA_PLUGIN_PATH", root.c_str(), 1);
  SearchOptions options = search();
  options.installDirectory.clear();
  EXPECT_TRUE(Registry(options).list().empty());
  options.useEnvironment = true;
  EXPECT_EQ(Registry(options).list().size(), 1u);
  unsetenv("TEGULA_PLUGIN_PATH");
}

TEST_F(RegistryTest, DefaultGoesByRankAndUse) {
  write("gone", "missing.so", R"({"name": "best", "rank": 1})");
  write("none", kHostile, R"({"name": "hostile", "rank": 2})");
  write("named", kHostile, R"({"name": "named", "rank": 0, "by_name_only": true})");
  write("device", kHostile, R"({"name": "device", "rank": 1, "needs_device": true})");
  Registry registry(search());
  auto target = registry.findDefault(sink);
  ASSERT_TRUE(target);
  EXPECT_EQ(target->name, "hostile");
}

TEST_F(RegistryTest, LoadsOnceFromManyThreads) {
  write("none", kHostile, R"({"name": "hostile"})");
  Registry registry(search());
  std::vector<std::thread> threads;
  std::vector<Plugin *> seen(8);
  for (size_t i = 0; i < seen.size(); ++i)
    threads.emplace_back([&, i] {
      auto target = registry.find("hostile", sink);
      seen[i] = target ? target->plugin.get() : nullptr;
      CompileRequest request;
      request.kir = "1234";
      if (target)
        EXPECT_TRUE(target->plugin->compile(request, sink));
    });
  for (std::thread &thread : threads)
    thread.join();
  for (Plugin *plugin : seen)
    EXPECT_EQ(plugin, seen[0]);
  EXPECT_TRUE(seen[0]);
}

#ifdef TEGULA_HAS_NULL
TEST_F(RegistryTest, NullPluginEndToEnd) {
  SearchOptions options = search();
  options.installDirectory = TEGULA_PLUGIN_DIR;
  Registry registry(options);
  auto target = registry.find("null", sink);
  ASSERT_TRUE(target);
  auto tree = target->plugin->factsTree(target->spelled(), sink);
  ASSERT_TRUE(tree);
  auto recorded = facts::readRecorded(facts::writeRecorded({target->spelled(), *tree}), "null", sink);
  ASSERT_TRUE(recorded);
  EXPECT_EQ(recorded->root, *tree);
  EXPECT_TRUE(facts::parseFacts(recorded->root, "null", sink));
  CompileRequest request;
  request.kir = "12345678";
  request.target = target->spelled();
  EXPECT_EQ(target->plugin->supports(request, sink), Answer::Yes);
  request.options["null-answer"] = "no";
  EXPECT_EQ(target->plugin->supports(request, sink), Answer::No);
  auto artifact = target->plugin->compile(request, sink);
  ASSERT_TRUE(artifact);
  EXPECT_EQ(artifact->bytes, request.kir);
  EXPECT_EQ(target->plugin->options().size(), 1u);
  EXPECT_TRUE(target->plugin->checkOptions({{"null-answer", "no"}, {"tool.ld", "/x"}}, sink));
  EXPECT_FALSE(target->plugin->checkOptions({{"null-answer", "perhaps"}}, sink));
  EXPECT_EQ(code(), "T1034");
  EXPECT_FALSE(target->plugin->checkOptions({{"other", "1"}}, sink));
  EXPECT_EQ(code(), "T1033");
  request.kir = "123";
  EXPECT_FALSE(target->plugin->compile(request, sink));
  EXPECT_EQ(code(), "T1030");
}
#endif

#ifdef TEGULA_HAS_REFERENCE
TEST_F(RegistryTest, ReferenceDeviceMovesBytes) {
  SearchOptions options = search();
  options.installDirectory = TEGULA_PLUGIN_DIR;
  Registry registry(options);
  auto target = registry.find("reference", sink);
  ASSERT_TRUE(target);
  EXPECT_TRUE(target->plugin->facts(target->spelled(), sink));
  auto devices = target->plugin->devices(sink);
  ASSERT_EQ(devices.size(), 1u);
  auto device = Plugin::openDevice(target->plugin, devices[0].index, sink);
  ASSERT_TRUE(device);
  auto a = device->createBuffer({.size = 8, .name = "a"}, sink), b = device->createBuffer({.size = 8, .name = "b"}, sink);
  ASSERT_TRUE(a && b);
  EXPECT_TRUE(a->write(0, "01234567", 8, sink).ok());
  EXPECT_TRUE(b->fill(0, 8, 'x', sink).ok());
  EXPECT_TRUE(b->copyFrom(2, *a, 4, 3, sink).ok());
  char back[9] = {};
  EXPECT_TRUE(b->read(0, back, 8, sink).ok());
  EXPECT_STREQ(back, "xx456xxx");
  EXPECT_TRUE(device->synchronize(sink).ok());
  EXPECT_TRUE(sink.diagnostics().empty());
  EXPECT_FALSE(b->write(4, "01234567", 8, sink).ok());
  EXPECT_EQ(code(), "T1030");
  EXPECT_FALSE(device->load({.bytes = "no artifact"}, sink));
}
#endif

} // namespace
} // namespace tegula::targets
