// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Manifests: what is read, and what is refused with its reason.
#include "targets/host/manifest.h"

#include "tegula/plugin.h"

#include <gtest/gtest.h>

namespace tegula::targets {
namespace {

constexpr const char *kGood = R"({"name": "n", "vendor": "v", "library": "l.so", "arch": "a", "sanitizer": 1, "abi": ["0.1", "0.3"],
  "kir": ["0.1", "0.1"], "later": {}, "targets": [{"name": "t", "archs": ["x", "y"], "needs_device": true, "rank": 5}],
  "aliases": [{"spelling": "s", "target": "t", "arch": "sm_{1}"}]})";

TEST(Manifest, ReadsAll) {
  std::string why;
  auto manifest = parseManifest(kGood, "/p/n.tegula-plugin.json", why);
  ASSERT_TRUE(manifest) << why;
  EXPECT_EQ(manifest->library, "/p/l.so");
  EXPECT_EQ(manifest->abi, (VersionRange{TEGULA_VERSION(0, 1), TEGULA_VERSION(0, 3)}));
  EXPECT_EQ(spell(manifest->abi), "0.1 to 0.3");
  EXPECT_EQ(manifest->sanitizer, 1u);
  ASSERT_EQ(manifest->targets.size(), 1u);
  EXPECT_EQ(manifest->targets[0].archs.size(), 2u);
  EXPECT_TRUE(manifest->targets[0].needsDevice);
  EXPECT_EQ(manifest->targets[0].rank, 5);
  ASSERT_EQ(manifest->aliases.size(), 1u);
  EXPECT_EQ(manifest->aliases[0].arch, "sm_{1}");
}

TEST(Manifest, RefusesWhatIsWrong) {
  const std::pair<const char *, const char *> kEdits[] = {
      {"\"n\"", "7"},           {"\"name\": \"n\"", "\"nam\": \"n\""}, {"\"0.3\"", "\"0\""}, {"[\"0.1\", \"0.3\"]", "[\"0.4\", \"0.3\"]"},
      {"\"sanitizer\": 1", "\"sanitizer\": \"none\""}, {"\"t\", \"archs\"", "\"t:x\", \"archs\""}, {"\"0.3\"", "\"0.99999\""},
      {"\"spelling\": \"s\"", "\"spell\": \"s\""}, {"\"l.so\"", "\"\""}};
  for (auto [from, to] : kEdits) {
    std::string text = kGood, why;
    size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, std::string(from).size(), to);
    EXPECT_FALSE(parseManifest(text, "m", why)) << to;
    EXPECT_FALSE(why.empty()) << to;
  }
  for (const char *text : {"", "{", "[]", "nul", "{}"}) {
    std::string why;
    EXPECT_FALSE(parseManifest(text, "m", why));
    EXPECT_FALSE(why.empty());
  }
}

} // namespace
} // namespace tegula::targets
