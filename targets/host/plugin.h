// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plugin in use: loads the library of a manifest, shakes hands, compiles. Thread-safe: calls are serialised unless the plugin says that it
// is reentrant. Devices are in device.h.
#pragma once

#include "targets/facts/facts.h"
#include "targets/host/load_report.h"
#include "targets/host/manifest.h"
#include "targets/host/services.h"
#include "tegula/plugin.hpp"

#include <memory>

namespace tegula::targets {

struct TargetInfo {
  std::string name, arch, description;
  facts::KirLevel kirLevel = facts::KirLevel::Tile;
  bool byNameOnly = false, defaultArch = false;
};

struct OptionInfo {
  std::string name, doc, defaultValue;
  facts::Tree::Kind kind = facts::Tree::Kind::String;
  std::vector<std::string> choices;
};

struct DeviceInfo {
  uint32_t index = 0;
  std::string name, target, driver; ///< target: 'name:arch'
  uint64_t memoryBytes = 0;
  uint32_t computeUnits = 0;
  bool byNameOnly = false; ///< a software device
};

struct CompileRequest {
  std::string_view kir;  ///< aligned to four bytes; borrowed for the call
  std::string target;    ///< 'name:arch'
  std::string entry;     ///< empty: the only kernel
  std::string form;      ///< empty: what a device loads; else "asm", "llvm", ...
  std::map<std::string, std::string> options;
  bool debug = false, sanitize = false;
  uint32_t warps = 4;
  CancelFunction cancelled;
};

using Argument = plugin::Argument;

struct HiddenArgument {
  uint32_t kind = 0;
  uint64_t offset = 0, size = 0;
};

/// Bytes and record of a compiled kernel.
struct Artifact {
  std::string bytes;
  std::string entry, target, format, fingerprint;
  std::vector<Argument> arguments;
  std::vector<std::pair<std::string, std::string>> folded;
  std::vector<HiddenArgument> hidden;
  uint64_t argumentBytes = 0;
  uint32_t lanes = 1, warps = 1;
  uint64_t staticSharedBytes = 0, dynamicSharedBytes = 0, scratchBytes = 0;
  std::vector<std::string> printStrings;
  std::vector<facts::Tree> resources;
};

enum class Answer : uint8_t { Yes, No, Unknown };

class Device;

class Plugin {
public:
  struct Settings {
    std::map<std::string, std::string> options; ///< --option KEY=VALUE, for the context and every compilation
    bool allowExperimental = false;
    LogFunction log;
  };

  /// Loads the library and shakes hands; null, with one line in `report`, where any step fails. Costs no device.
  static std::shared_ptr<Plugin> load(const Manifest &manifest, const Settings &settings, LoadReport &report);
  ~Plugin();
  Plugin(const Plugin &) = delete;

  const std::string &name() const { return pluginName; }
  const std::string &version() const { return pluginVersion; }
  const std::string &buildId() const { return build; }
  const std::vector<TargetInfo> &targets() const { return targetList; }
  const std::vector<OptionInfo> &options() const { return optionList; }
  /// Whether the plugin has all these options with these values; 'tool.NAME' (the path of a tool) is the host's own. T1033, T1034.
  bool checkOptions(const std::map<std::string, std::string> &given, base::DiagnosticSink &sink) const;
  bool hasDevices() const { return runtime.struct_size != 0; }

  /// The tree as reported, for recording; parsed by `facts`. `target` is 'name:arch'. Nothing after an error went to `sink`.
  std::optional<facts::Tree> factsTree(const std::string &target, base::DiagnosticSink &sink);
  std::optional<facts::Facts> facts(const std::string &target, base::DiagnosticSink &sink);
  /// Part of cache keys. Empty after an error went to `sink`.
  std::string fingerprint(const std::string &target, base::DiagnosticSink &sink);
  Answer supports(const CompileRequest &request, base::DiagnosticSink &sink);
  /// `outcome`, where given, gets the plugin's result code.
  std::optional<Artifact> compile(const CompileRequest &request, base::DiagnosticSink &sink, Outcome *outcome = nullptr);

  /// Devices that are present; empty is no error.
  std::vector<DeviceInfo> devices(base::DiagnosticSink &sink);
  /// Opens a device, or adopts a context of the vendor's runtime (`foreignContext` not 0). The device keeps the plugin alive.
  static std::shared_ptr<Device> openDevice(std::shared_ptr<Plugin> plugin, uint32_t index, base::DiagnosticSink &sink,
                                            uint64_t foreignContext = 0);

private:
  friend class Device;
  friend class Buffer;
  friend class LoadedKernel;
  Plugin() = default;
  /// Serialises calls into a plugin that is not reentrant.
  std::unique_lock<std::mutex> enter();
  bool shakeHands(const Manifest &manifest, const Settings &settings, LoadEntry &fault);
  bool readTargets(const Manifest &manifest, LoadReport &report, LoadEntry &fault);
  void readOptions();

  std::string pluginName, pluginVersion, build;
  bool reentrant = false;
  tegula_compiler_t compiler{};
  tegula_device_runtime_t runtime{}; ///< struct_size 0: none
  tegula_context_t *context = nullptr;
  std::unique_ptr<HostServices> services;
  std::map<std::string, std::string> settingsOptions;
  std::vector<TargetInfo> targetList;
  std::vector<OptionInfo> optionList;
  std::mutex mutex;
};

} // namespace tegula::targets
