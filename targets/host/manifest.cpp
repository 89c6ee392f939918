// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading a manifest, strict in kinds and lenient in unknown fields.
#include "targets/host/manifest.h"

#include "tegula/plugin.h"

#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace tegula::targets {
namespace {
using Json = nlohmann::json;

bool readString(const Json &from, const char *key, std::string &to, bool needed, std::string &why) {
  if (!from.contains(key)) {
    if (needed)
      why = std::string("'") + key + "' is missing";
    return !needed;
  }
  if (!from[key].is_string() || (needed && from[key].get<std::string>().empty())) {
    why = std::string("'") + key + "' is not a string, or empty";
    return false;
  }
  to = from[key].get<std::string>();
  return true;
}

bool readVersion(const Json &from, uint32_t &to) {
  if (!from.is_string())
    return false;
  std::string text = from.get<std::string>();
  uint32_t major = 0, minor = 0;
  const char *end = text.data() + text.size();
  auto first = std::from_chars(text.data(), end, major);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '.')
    return false;
  auto second = std::from_chars(first.ptr + 1, end, minor);
  if (second.ec != std::errc() || second.ptr != end || major > 0xffff || minor > 0xffff)
    return false;
  to = TEGULA_VERSION(major, minor);
  return true;
}

bool readRange(const Json &from, const char *key, VersionRange &to, std::string &why) {
  bool ok = from.contains(key) && from[key].is_array() && from[key].size() == 2 && readVersion(from[key][0], to.min) &&
            readVersion(from[key][1], to.max) && to.min <= to.max;
  if (!ok)
    why = std::string("'") + key + "' is not a pair of versions such as [\"0.1\", \"0.1\"]";
  return ok;
}

bool readFlag(const Json &from, const char *key) { return from.contains(key) && from[key].is_boolean() && from[key].get<bool>(); }

bool readTarget(const Json &from, ManifestTarget &to, std::string &why) {
  if (!from.is_object() || !readString(from, "name", to.name, true, why) || !readString(from, "description", to.description, false, why)) {
    if (why.empty())
      why = "a target is not an object";
    return false;
  }
  if (to.name.find(':') != std::string::npos) {
    why = "the target name '" + to.name + "' has a colon";
    return false;
  }
  if (from.contains("archs") && from["archs"].is_array())
    for (const Json &arch : from["archs"])
      if (arch.is_string())
        to.archs.push_back(arch.get<std::string>());
  to.byNameOnly = readFlag(from, "by_name_only");
  to.needsDevice = readFlag(from, "needs_device");
  if (from.contains("rank") && from["rank"].is_number_integer())
    to.rank = from["rank"].get<int64_t>();
  return true;
}

} // namespace

std::string spell(const VersionRange &range) {
  auto one = [](uint32_t version) {
    return std::to_string(TEGULA_VERSION_MAJOR(version)) + "." + std::to_string(TEGULA_VERSION_MINOR(version));
  };
  return range.min == range.max ? one(range.min) : one(range.min) + " to " + one(range.max);
}

std::optional<Manifest> parseManifest(std::string_view text, const std::string &path, std::string &why) {
  why.clear();
  Json json = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) {
    why = "it is not a JSON object";
    return std::nullopt;
  }
  Manifest manifest;
  manifest.path = path;
  std::string library;
  if (!readString(json, "name", manifest.name, true, why) || !readString(json, "vendor", manifest.vendor, false, why) ||
      !readString(json, "library", library, true, why) || !readString(json, "arch", manifest.arch, true, why) ||
      !readRange(json, "abi", manifest.abi, why) || !readRange(json, "kir", manifest.kir, why))
    return std::nullopt;
  std::filesystem::path full = std::filesystem::path(path).parent_path() / library;
  std::error_code ignored;
  manifest.library = std::filesystem::absolute(full, ignored).lexically_normal().string();
  if (!json.contains("sanitizer") || !json["sanitizer"].is_number_unsigned()) {
    why = "'sanitizer' is not a number";
    return std::nullopt;
  }
  manifest.sanitizer = json["sanitizer"].get<uint32_t>();
  if (!json.contains("targets") || !json["targets"].is_array() || json["targets"].empty()) {
    why = "'targets' is not a list, or empty";
    return std::nullopt;
  }
  for (const Json &target : json["targets"])
    if (!readTarget(target, manifest.targets.emplace_back(), why))
      return std::nullopt;
  if (json.contains("aliases") && json["aliases"].is_array())
    for (const Json &alias : json["aliases"]) {
      ManifestAlias &to = manifest.aliases.emplace_back();
      if (!alias.is_object() || !readString(alias, "spelling", to.spelling, true, why) ||
          !readString(alias, "target", to.target, true, why) || !readString(alias, "arch", to.arch, false, why)) {
        if (why.empty())
          why = "an alias is not an object";
        return std::nullopt;
      }
    }
  return manifest;
}

} // namespace tegula::targets
