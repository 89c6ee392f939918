// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All plugins that were found, and choosing a target among them. Finding reads manifests only; a plugin's code is loaded when one of its
// targets is used. Thread-safe.
#pragma once

#include "targets/host/plugin.h"

namespace tegula::targets {

struct SearchOptions {
  std::vector<std::string> files;  ///< --plugin: manifests or libraries with a manifest beside them; come first
  std::string programDirectory;    ///< of the program; empty: found out
  std::string installDirectory;    ///< folder of plugins; empty: none
  bool useEnvironment = true;      ///< TEGULA_PLUGIN_PATH; ignored anyway where privileges are elevated
  Plugin::Settings settings;
};

/// A chosen target.
struct Target {
  std::shared_ptr<Plugin> plugin;
  std::string name, arch;
  std::string spelled() const { return arch.empty() ? name : name + ":" + arch; }
};

/// A line of `tegula targets`, known without loading code.
struct ListedTarget {
  std::string plugin, name, description;
  std::vector<std::string> archs;
  bool byNameOnly = false;
  bool shadowed = false; ///< another plugin before it offers the same name
};

class Registry {
public:
  explicit Registry(SearchOptions options);
  ~Registry();

  std::vector<ListedTarget> list() const;
  /// Of the files that the options name: those that are not used, and why.
  const std::vector<LoadEntry> &refusedFiles() const { return refused; }
  LoadReport &report() { return loadReport; }
  /// Finds 'target', 'target:arch', 'plugin:target[:arch]' or an alias of a manifest ('cuda:90:32'). Without an architecture: that of the
  /// device that is present, else the plugin's default. Nothing after an error went to `sink`.
  std::optional<Target> find(const std::string &spelling, base::DiagnosticSink &sink);
  /// The usable target of lowest rank that is not used by name only.
  std::optional<Target> findDefault(base::DiagnosticSink &sink);
  /// The plugin with this name, loaded; null after an error went to `sink`.
  std::shared_ptr<Plugin> plugin(const std::string &name, base::DiagnosticSink &sink);

private:
  struct Entry {
    Manifest manifest;
    std::shared_ptr<Plugin> plugin;
    bool tried = false;
  };
  void scanFolder(const std::string &folder);
  void addManifest(const std::string &path);
  std::shared_ptr<Plugin> loaded(Entry &entry, base::DiagnosticSink *sink);
  std::optional<Target> complete(Entry &entry, const std::string &name, std::string arch, base::DiagnosticSink &sink);
  std::string known() const;

  SearchOptions options;
  LoadReport loadReport;
  std::vector<LoadEntry> refused;
  std::vector<std::unique_ptr<Entry>> entries; ///< in order of the search; fixed after construction
  std::mutex mutex;                            ///< guards loading
};

} // namespace tegula::targets
