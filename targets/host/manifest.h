// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The manifest of a plugin: what is known of it before any of its code is loaded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::targets {

/// Inclusive, as TEGULA_VERSION numbers.
struct VersionRange {
  uint32_t min = 0, max = 0;
  bool meets(const VersionRange &other) const { return min <= other.max && other.min <= max; }
  bool operator==(const VersionRange &) const = default;
};
/// "0.1 to 0.2", or "0.1" where both ends are the same.
std::string spell(const VersionRange &range);

struct ManifestTarget {
  std::string name;
  std::string description;
  std::vector<std::string> archs; ///< for listings; a plugin may take others
  bool byNameOnly = false;        ///< never chosen unless named
  bool needsDevice = false;       ///< of use without being named only where a device is present
  int64_t rank = 1000;            ///< the lowest usable one is the default target
};

/// A foreign spelling: 'spelling:P1:P2' means 'target:ARCH', where ARCH is `arch` with {1}, {2} replaced by the parts.
struct ManifestAlias {
  std::string spelling, target, arch;
};

struct Manifest {
  std::string path; ///< of the manifest
  std::string name, vendor, arch;
  std::string library; ///< absolute
  uint32_t sanitizer = 0;
  VersionRange abi, kir;
  std::vector<ManifestTarget> targets;
  std::vector<ManifestAlias> aliases;
};

/// Parses a manifest's text. Empty, with `why` set, where it is malformed; nothing of it throws.
std::optional<Manifest> parseManifest(std::string_view text, const std::string &path, std::string &why);

} // namespace tegula::targets
