// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding manifests, and reading the spellings of targets.
#include "targets/host/registry.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tegula::targets {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kManifestEnd = ".tegula-plugin.json";

std::vector<std::string> splitAt(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = std::min(text.find(separator, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string join(const std::vector<std::string> &parts, size_t from) {
  std::string text;
  for (size_t i = from; i < parts.size(); ++i)
    text += (i == from ? "" : ":") + parts[i];
  return text;
}

/// `pattern` with {1}, {2}, ... replaced by the parts; empty where there is no first part.
std::string expandAlias(const std::string &pattern, const std::vector<std::string> &parts) {
  if (parts.size() < 2)
    return {};
  std::string text = pattern;
  for (size_t i = 1; i < parts.size(); ++i) {
    std::string place = "{" + std::to_string(i) + "}";
    for (size_t at = 0; (at = text.find(place, at)) != std::string::npos; at += parts[i].size())
      text.replace(at, place.size(), parts[i]);
  }
  return text;
}

/// A plugin's library names its manifest by its stem: tegula_x.so has x.tegula-plugin.json or tegula_x.tegula-plugin.json beside it.
std::string manifestOf(const std::string &file) {
  if (file.ends_with(".json"))
    return file;
  fs::path path(file);
  std::string stem = path.stem().string();
  for (std::string name : {stem, stem.starts_with("tegula_") ? stem.substr(7) : stem}) {
    fs::path candidate = path.parent_path() / (name + std::string(kManifestEnd));
    std::error_code ignored;
    if (fs::exists(candidate, ignored))
      return candidate.string();
  }
  return file + std::string(kManifestEnd);
}

void fail(base::DiagnosticSink &sink, const char *code, std::string message, std::string help = {}) {
  sink.report({base::Severity::Error, code, std::move(message), {}, {}, std::move(help)});
}

} // namespace

Registry::Registry(SearchOptions given) : options(std::move(given)) {
  for (const std::string &file : options.files)
    addManifest(manifestOf(file));
  for (const LoadEntry &entry : loadReport.entries())
    if (!entry.code.empty())
      refused.push_back(entry);
  if (options.useEnvironment)
    if (const char *path = secure_getenv("TEGULA_PLUGIN_PATH"))
      for (const std::string &folder : splitAt(path, ':'))
        scanFolder(folder);
  std::error_code ignored;
  if (options.programDirectory.empty())
    options.programDirectory = fs::read_symlink("/proc/self/exe", ignored).parent_path().string();
  if (!options.programDirectory.empty())
    scanFolder((fs::path(options.programDirectory) / ".." / "lib" / "tegula" / "plugins").string());
  scanFolder(options.installDirectory);

  std::map<std::string, std::string> first;
  for (const auto &entry : entries)
    for (const ManifestTarget &target : entry->manifest.targets)
      if (auto [found, isNew] = first.try_emplace(target.name, entry->manifest.name); !isNew)
        loadReport.add({entry->manifest.path, entry->manifest.name, "T1016",
                        "target '" + target.name + "' is offered by '" + found->second + "' too, which was found first; '" +
                            entry->manifest.name + ":" + target.name + "' names this one"});
}

Registry::~Registry() = default;

void Registry::scanFolder(const std::string &folder) {
  if (folder.empty())
    return;
  std::error_code error;
  std::vector<std::string> found;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().string().ends_with(kManifestEnd))
      found.push_back(it->path().string());
  std::sort(found.begin(), found.end()); // the order of a folder's entries is the file system's whim
  for (const std::string &path : found)
    addManifest(path);
}

void Registry::addManifest(const std::string &given) {
  std::error_code error;
  fs::path real = fs::weakly_canonical(given, error);
  std::string path = error ? given : real.string(), why;
  for (const auto &entry : entries)
    if (entry->manifest.path == path)
      return;
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  if (!file || !(text << file.rdbuf())) {
    loadReport.add({path, {}, "T1001", "the manifest cannot be read"});
    return;
  }
  std::optional<Manifest> manifest = parseManifest(text.str(), path, why);
  if (!manifest) {
    loadReport.add({path, {}, "T1002", "the manifest is malformed: " + why});
    return;
  }
  entries.push_back(std::make_unique<Entry>());
  entries.back()->manifest = std::move(*manifest);
}

std::vector<ListedTarget> Registry::list() const {
  std::vector<ListedTarget> listed;
  for (const auto &entry : entries)
    for (const ManifestTarget &target : entry->manifest.targets) {
      bool shadowed = std::any_of(listed.begin(), listed.end(), [&](const ListedTarget &other) { return other.name == target.name; });
      listed.push_back({entry->manifest.name, target.name, target.description, target.archs, target.byNameOnly, shadowed});
    }
  return listed;
}

std::string Registry::known() const {
  std::string text;
  for (const ListedTarget &target : list())
    if (!target.shadowed)
      text += (text.empty() ? "'" : ", '") + target.name + "'";
  return text.empty() ? "no plugin was found" : "targets are " + text;
}

std::shared_ptr<Plugin> Registry::loaded(Entry &entry, base::DiagnosticSink *sink) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!entry.tried) {
    entry.tried = true;
    entry.plugin = Plugin::load(entry.manifest, options.settings, loadReport);
  }
  if (!entry.plugin && sink) {
    std::string why;
    for (const LoadEntry &line : loadReport.entries())
      if (line.path == entry.manifest.path && !line.code.empty() && line.code != "T1016")
        why = ": " + line.message + " [" + line.code + "]";
    fail(*sink, "T1022", "plugin '" + entry.manifest.name + "' cannot be used" + why);
  }
  return entry.plugin;
}

std::shared_ptr<Plugin> Registry::plugin(const std::string &name, base::DiagnosticSink &sink) {
  for (const auto &entry : entries)
    if (entry->manifest.name == name)
      return loaded(*entry, &sink);
  fail(sink, "T1020", "there is no plugin '" + name + "'");
  return nullptr;
}

std::optional<Target> Registry::complete(Entry &entry, const std::string &name, std::string arch, base::DiagnosticSink &sink) {
  std::shared_ptr<Plugin> plugin = loaded(entry, &sink);
  if (!plugin)
    return std::nullopt;
  if (!arch.empty())
    return Target{plugin, name, std::move(arch)};
  for (const TargetInfo &target : plugin->targets())
    if (target.name == name && target.arch.empty())
      return Target{plugin, name, {}};
  for (const DeviceInfo &device : plugin->devices(sink))
    if (!device.byNameOnly && device.target.starts_with(name + ":"))
      return Target{plugin, name, device.target.substr(name.size() + 1)};
  for (const TargetInfo &target : plugin->targets())
    if (target.name == name && target.defaultArch)
      return Target{plugin, name, target.arch};
  fail(sink, "T1021", "no device decides the architecture of '" + name + "'", "name it, as in '" + name + ":ARCH'");
  return std::nullopt;
}

std::optional<Target> Registry::find(const std::string &spelling, base::DiagnosticSink &sink) {
  std::vector<std::string> parts = splitAt(spelling, ':');
  auto offers = [](const Entry &entry, const std::string &name) {
    const auto &targets = entry.manifest.targets;
    return std::any_of(targets.begin(), targets.end(), [&](const ManifestTarget &target) { return target.name == name; });
  };
  // 'plugin:target[:arch]' first: a plugin and its target may have the same name.
  if (parts.size() >= 2)
    for (const auto &entry : entries)
      if (entry->manifest.name == parts[0] && offers(*entry, parts[1]))
        return complete(*entry, parts[1], join(parts, 2), sink);
  for (const auto &entry : entries)
    if (offers(*entry, parts[0]))
      return complete(*entry, parts[0], join(parts, 1), sink);
  for (const auto &entry : entries)
    for (const ManifestAlias &alias : entry->manifest.aliases)
      if (alias.spelling == parts[0])
        return complete(*entry, alias.target, expandAlias(alias.arch, parts), sink);
  fail(sink, "T1020", "there is no target '" + spelling + "'", known());
  return std::nullopt;
}

std::optional<Target> Registry::findDefault(base::DiagnosticSink &sink) {
  std::vector<std::pair<const ManifestTarget *, Entry *>> candidates;
  for (const auto &entry : entries)
    for (const ManifestTarget &target : entry->manifest.targets)
      if (!target.byNameOnly)
        candidates.push_back({&target, entry.get()});
  std::stable_sort(candidates.begin(), candidates.end(), [](auto &a, auto &b) { return a.first->rank < b.first->rank; });
  for (auto [target, entry] : candidates) {
    std::shared_ptr<Plugin> plugin = loaded(*entry, nullptr);
    if (!plugin)
      continue; // its line is in the load report
    base::DiagnosticList tried;
    if (target->needsDevice) {
      std::vector<DeviceInfo> devices = plugin->devices(tried);
      if (std::none_of(devices.begin(), devices.end(), [](const DeviceInfo &device) { return !device.byNameOnly; }))
        continue;
    }
    if (std::optional<Target> found = complete(*entry, target->name, {}, tried))
      return found;
  }
  fail(sink, "T1020", "there is no target that can be used without being named", known());
  return std::nullopt;
}

} // namespace tegula::targets
