// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handshake: from a manifest to tables that may be called. Every check names its rule's code, and none of them trusts the other side's
// sizes.
#include "targets/host/library.h"
#include "targets/host/plugin.h"
#include "tegula/plugin_slots.h"

#include <array>
#include <cstring>
#include <filesystem>
#include <span>

namespace tegula::targets {

using plugin::received;
using plugin::stamped;

namespace {

#if defined(__x86_64__)
constexpr const char *kArch = "x86_64";
#elif defined(__aarch64__)
constexpr const char *kArch = "aarch64";
#else
constexpr const char *kArch = "unknown";
#endif

constexpr VersionRange kAbi{TEGULA_ABI_VERSION, TEGULA_ABI_VERSION};
constexpr VersionRange kKir{TEGULA_KIR_VERSION, TEGULA_KIR_VERSION};
constexpr uint32_t kLargestStruct = 1 << 16;

bool fault(LoadEntry &entry, const char *code, std::string message) {
  entry.code = code;
  entry.message = std::move(message);
  return false;
}

/// Copies a function table, after checking its length, its tail and its mandatory slots.
template <class Table>
bool takeTable(const void *given, std::span<const tegula_slot_t> slots, uint32_t version, const char *what, Table &table, LoadEntry &entry) {
  uint32_t size = 0;
  std::memcpy(&size, given, sizeof size);
  uint32_t needed = 2 * sizeof(uint32_t);
  for (const tegula_slot_t &slot : slots)
    if (slot.since <= version)
      needed = std::max<uint32_t>(needed, slot.offset + sizeof(void *));
  if (size < needed)
    return fault(entry, "T1010", std::string("its table '") + what + "' has " + std::to_string(size) + " bytes, expected at least " +
                                     std::to_string(needed) + " (R5)");
  if (size > kLargestStruct)
    return fault(entry, "T1014", std::string("its table '") + what + "' claims " + std::to_string(size) + " bytes (R5)");
  for (uint32_t at = sizeof(Table); at < size; ++at)
    if (static_cast<const char *>(given)[at])
      return fault(entry, "T1014", std::string("its table '") + what + "' is longer than this version's and uses the rest (R5, R8)");
  table = received(static_cast<const Table *>(given));
  for (const tegula_slot_t &slot : slots) {
    const void *function = nullptr;
    std::memcpy(&function, reinterpret_cast<const char *>(&table) + slot.offset, sizeof function);
    if (slot.mandatory && slot.since <= version && !function)
      return fault(entry, "T1011", std::string("'") + slot.name + "' of its table '" + what + "' is NULL and must be there (R12)");
  }
  return true;
}

bool checkManifest(const Manifest &manifest, LoadEntry &entry) {
  if (manifest.arch != kArch)
    return fault(entry, "T1007", "it was built for '" + manifest.arch + "', this is '" + kArch + "'");
  if (!manifest.abi.meets(kAbi))
    return fault(entry, "T1006", "it speaks ABI " + spell(manifest.abi) + ", the host " + spell(kAbi) + " (R3)");
  if (!manifest.kir.meets(kKir))
    return fault(entry, "T1006", "it reads KIR " + spell(manifest.kir) + ", the host writes " + spell(kKir) + " (R3)");
  if (manifest.sanitizer != plugin::kSanitizer)
    return fault(entry, "T1008", "it was built with sanitizers " + std::to_string(manifest.sanitizer) + ", the host with " +
                                     std::to_string(plugin::kSanitizer) + " (R26)");
  std::error_code ignored;
  if (!std::filesystem::exists(manifest.library, ignored))
    return fault(entry, "T1003", "its library '" + manifest.library + "' is not there");
  return true;
}

tegula_host_info_t hostInfo(bool allowExperimental) {
  tegula_host_info_t host = stamped<tegula_host_info_t>();
  host.abi_min = host.abi_max = TEGULA_ABI_VERSION;
  host.kir_min = host.kir_max = TEGULA_KIR_VERSION;
  host.facts_min = host.facts_max = TEGULA_FACTS_VERSION;
  host.device_min = host.device_max = TEGULA_DEVICE_VERSION;
  host.conformance = TEGULA_CONFORMANCE_VERSION;
  host.sanitizer = plugin::kSanitizer;
  host.flags = allowExperimental ? TEGULA_HOST_FLAGS_EXPERIMENTAL : TEGULA_HOST_FLAGS_NONE;
  host.name = borrow("tegula");
  return host;
}

/// Asks the plugin, with a fence behind the room that it is given.
bool askPlugin(tegula_plugin_query_fn query, const tegula_host_info_t &host, tegula_plugin_info_t &info, LoadEntry &entry) {
  struct {
    tegula_plugin_info_t info;
    std::array<unsigned char, 64> fence;
  } room;
  room.info = stamped<tegula_plugin_info_t>();
  room.fence.fill(0xa5);
  int32_t code = query(&host, &room.info);
  for (unsigned char byte : room.fence)
    if (byte != 0xa5)
      return fault(entry, "T1014", "tegula_plugin_query wrote past the room that it was given (R5)");
  VersionRange abi{room.info.abi_min, room.info.abi_max}, kir{room.info.kir_min, room.info.kir_max};
  if (code != TEGULA_RESULT_OK && code != TEGULA_RESULT_INCOMPATIBLE)
    return fault(entry, "T1009", "tegula_plugin_query failed with code " + std::to_string(code));
  if (room.info.struct_size < sizeof(tegula_plugin_info_t))
    return fault(entry, "T1010", "its tegula_plugin_info_t has " + std::to_string(room.info.struct_size) + " bytes, expected at least " +
                                     std::to_string(sizeof(tegula_plugin_info_t)) + " (R5)");
  if (code == TEGULA_RESULT_INCOMPATIBLE || !abi.meets(kAbi) || !kir.meets(kKir))
    return fault(entry, "T1006", "it speaks ABI " + spell(abi) + " and KIR " + spell(kir) + ", the host " + spell(kAbi) + " and " +
                                     spell(kKir) + " (R3)");
  info = room.info;
  return true;
}

} // namespace

bool Plugin::shakeHands(const Manifest &manifest, const Settings &settings, LoadEntry &entry) {
  if (!checkManifest(manifest, entry))
    return false;
  bool wasLoaded = false;
  std::string why;
  void *symbol = openSymbol(manifest.library, TEGULA_PLUGIN_QUERY_SYMBOL, wasLoaded, why);
  if (!symbol)
    return fault(entry, wasLoaded ? "T1005" : "T1004", why);
  tegula_plugin_info_t info;
  tegula_host_info_t host = hostInfo(settings.allowExperimental);
  if (!askPlugin(reinterpret_cast<tegula_plugin_query_fn>(symbol), host, info, entry))
    return false;
  if (info.sanitizer != plugin::kSanitizer)
    return fault(entry, "T1008", "it says that it was built with sanitizers " + std::to_string(info.sanitizer) + ", the host was with " +
                                     std::to_string(plugin::kSanitizer) + " (R26)");
  if (viewOf(info.name) != manifest.name)
    return fault(entry, "T1013", "it calls itself '" + std::string(viewOf(info.name)) + "', its manifest '" + manifest.name + "'");
  if ((info.flags & TEGULA_PLUGIN_FLAGS_EXPERIMENTAL) && !settings.allowExperimental)
    return fault(entry, "T1017", "it is experimental and was not asked for (R11)");
  if (!info.get_interface)
    return fault(entry, "T1011", "'get_interface' is NULL and must be there (R12)");
  pluginName = manifest.name;
  pluginVersion = viewOf(info.version);
  build = viewOf(info.build_id);
  reentrant = (info.flags & TEGULA_PLUGIN_FLAGS_REENTRANT) != 0;

  auto table = [&](std::string_view name, uint32_t version) { return info.get_interface(name.data(), name.size(), version); };
  const void *given = table(TEGULA_INTERFACE_COMPILER, TEGULA_ABI_VERSION);
  if (!given)
    return fault(entry, "T1012", "it has no interface '" TEGULA_INTERFACE_COMPILER "' of version " + spell(kAbi));
  if (!takeTable(given, tegula_compiler_slots, TEGULA_ABI_VERSION, "compiler", compiler, entry))
    return false;
  bool devices = info.device_max && info.device_min <= TEGULA_DEVICE_VERSION && TEGULA_DEVICE_VERSION <= info.device_max;
  if (const void *device = devices ? table(TEGULA_INTERFACE_DEVICE, TEGULA_DEVICE_VERSION) : nullptr)
    return takeTable(device, tegula_device_runtime_slots, TEGULA_DEVICE_VERSION, "device_runtime", runtime, entry);
  return true;
}

bool Plugin::readTargets(const Manifest &manifest, LoadReport &report, LoadEntry &entry) {
  tegula_target_list_t list = stamped<tegula_target_list_t>();
  tegula_error_t *error = nullptr;
  if (int32_t code = compiler.list_targets(context, &list, &error); code != TEGULA_RESULT_OK)
    return fault(entry, "T1018", "it cannot list its targets: " + takeMessage(error));
  plugin::each(list.targets, list.targets_count, list.targets_stride, [&](const tegula_target_t &target) {
    std::string name(viewOf(target.name));
    if (target.kir_level != TEGULA_LEVEL_TILE && target.kir_level != TEGULA_LEVEL_THREAD) {
      report.add({manifest.path, manifest.name, "T1015",
                  "its target '" + name + "' takes KIR level " + std::to_string(target.kir_level) + ", which is not known here (R9)"});
      return;
    }
    targetList.push_back({name, std::string(viewOf(target.arch)), std::string(viewOf(target.description)),
                          target.kir_level == TEGULA_LEVEL_THREAD ? facts::KirLevel::Thread : facts::KirLevel::Tile,
                          (target.flags & TEGULA_TARGET_FLAGS_BY_NAME_ONLY) != 0, (target.flags & TEGULA_TARGET_FLAGS_DEFAULT_ARCH) != 0});
  });
  for (const ManifestTarget &promised : manifest.targets) {
    bool offered = false;
    for (const TargetInfo &target : targetList)
      offered |= target.name == promised.name;
    if (!offered)
      report.add({manifest.path, manifest.name, "T1013", "its manifest promises the target '" + promised.name + "', the library has none"});
  }
  return !targetList.empty() || fault(entry, "T1013", "it offers no target that can be used");
}

void Plugin::readOptions() {
  tegula_option_list_t list = stamped<tegula_option_list_t>();
  tegula_error_t *error = nullptr;
  if (!compiler.get_options || compiler.get_options(context, &list, &error) != TEGULA_RESULT_OK) {
    takeMessage(error);
    return;
  }
  plugin::each(list.options, list.options_count, list.options_stride, [&](const tegula_option_t &option) {
    if (option.kind < TEGULA_NODE_KIND_BOOL || option.kind > TEGULA_NODE_KIND_STRING)
      return;
    OptionInfo &to = optionList.emplace_back();
    to.name = viewOf(option.name);
    to.doc = viewOf(option.doc);
    to.defaultValue = viewOf(option.default_value);
    to.kind = static_cast<facts::Tree::Kind>(option.kind);
    for (uint64_t i = 0; i < option.choices_count; ++i)
      to.choices.emplace_back(viewOf(option.choices[i]));
  });
}

std::shared_ptr<Plugin> Plugin::load(const Manifest &manifest, const Settings &settings, LoadReport &report) {
  std::shared_ptr<Plugin> made(new Plugin);
  LoadEntry entry{manifest.path, manifest.name, {}, {}};
  base::DiagnosticList said;
  made->settingsOptions = settings.options;
  made->services = std::make_unique<HostServices>(&said, CancelFunction(), settings.log, settings.options);
  bool ok = made->shakeHands(manifest, settings, entry);
  if (ok) {
    tegula_error_t *error = nullptr;
    int32_t code = made->compiler.create_context(made->services->table(), &made->context, &error);
    std::string message = takeMessage(error);
    if (code != TEGULA_RESULT_OK || !made->context) {
      made->context = nullptr;
      ok = fault(entry, "T1018", message.empty() ? "it cannot be started, code " + std::to_string(code) : "it cannot be started: " + message);
    }
  }
  if (ok && (ok = made->readTargets(manifest, report, entry))) {
    made->readOptions();
    entry.message = "version " + made->pluginVersion;
  }
  made->services->detach(); // `said` ends here; a context's own services have nobody to report to later
  report.add(std::move(entry));
  return ok ? made : nullptr;
}

Plugin::~Plugin() {
  if (context)
    compiler.destroy_context(context);
}

} // namespace tegula::targets
