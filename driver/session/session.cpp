// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sessions: finding plugins, choosing targets, describing what is there.
#include "driver/session/api.h"

#include "driver/session/option_text.h"

#include <nlohmann/json.hpp>

using namespace tegula;
using namespace tegula::driver;

namespace {
using Json = nlohmann::ordered_json;

std::string dump(const Json &json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string spellVersion(uint32_t version) { return std::to_string(TEGULA_VERSION_MAJOR(version)) + "." + std::to_string(TEGULA_VERSION_MINOR(version)); }

Json describePlugin(targets::Plugin &plugin, base::DiagnosticSink &sink) {
  Json json{{"name", plugin.name()}, {"version", plugin.version()}, {"build_id", plugin.buildId()},
            // Before ABI 1.0 a plugin that was loaded has the host's own numbers.
            {"abi", spellVersion(TEGULA_ABI_VERSION)}, {"kir", spellVersion(TEGULA_KIR_VERSION)}, {"targets", Json::array()}, {"devices", Json::array()}, {"options", Json::array()}};
  for (const targets::TargetInfo &target : plugin.targets())
    json["targets"].push_back({{"name", target.name}, {"arch", target.arch}, {"description", target.description}, {"level", target.kirLevel == facts::KirLevel::Tile ? "tile" : "thread"}, {"by_name_only", target.byNameOnly}});
  if (plugin.hasDevices())
    for (const targets::DeviceInfo &device : plugin.devices(sink))
      json["devices"].push_back({{"index", device.index}, {"name", device.name}, {"target", device.target}, {"driver", device.driver}, {"memory_bytes", device.memoryBytes}, {"compute_units", device.computeUnits}});
  for (const targets::OptionInfo &option : plugin.options())
    json["options"].push_back({{"name", option.name}, {"default", option.defaultValue}, {"choices", option.choices}, {"doc", option.doc}});
  return json;
}
} // namespace

tegula_text_t tegula_session::keep(std::string kept) {
  std::lock_guard<std::mutex> lock(mutex);
  this->kept.push_back(std::move(kept));
  return text(this->kept.back());
}

std::optional<targets::Target> tegula_session::target(std::string_view spelling, base::DiagnosticSink &sink) {
  return spelling.empty() ? registry.findDefault(sink) : registry.find(std::string(spelling), sink);
}

tegula_text_t tegula_version(void) { return text(TEGULA_VERSION_TEXT); }

tegula_status_t tegula_session_create(const tegula_session_options_t *given, tegula_session_t **session, tegula_messages_t *list) {
  Messages messages(list);
  tegula_session_options_t options{};
  if (given) {
    auto received = receive(given);
    if (!received)
      return messages.usage("the struct 'tegula_session_options' has no size");
    options = *received;
  }
  if (!session)
    return messages.usage("no place for the session is given");
  targets::SearchOptions search;
  for (uint64_t i = 0; i < options.plugin_count; ++i)
    search.files.emplace_back(view(options.plugins[i]));
  // The registry knows two folders of its own: beside the program, and the installed one. A caller's folders stand in for them.
  if (options.plugin_folder_count > 0)
    search.programDirectory = view(options.plugin_folders[0]);
  search.installDirectory = options.plugin_folder_count > 1 ? std::string(view(options.plugin_folders[1])) : TEGULA_INSTALLED_PLUGINS;
  for (uint64_t i = 0; i < options.option_count; ++i)
    search.settings.options[std::string(view(options.options[i].name))] = view(options.options[i].value);
  if (options.log)
    search.settings.log = [log = options.log, user = options.user](uint32_t level, std::string_view line) { log(user, level, line.data(), line.size()); };
  auto made = std::make_unique<tegula_session>(search);
  made->options = search.settings.options;
  for (const targets::LoadEntry &entry : made->registry.refusedFiles())
    (*messages).report({base::Severity::Warning, entry.code, "plugin '" + entry.path + "' is not used: " + entry.message, {}, {}, {}});
  *session = made.release();
  return TEGULA_STATUS_OK;
}

void tegula_session_destroy(tegula_session_t *session) { delete session; }

tegula_status_t tegula_session_describe(tegula_session_t *session, tegula_text_t *json, tegula_messages_t *list) {
  Messages messages(list);
  if (!session || !json)
    return messages.usage("tegula_session_describe needs a session and a place for the result");
  Json out{{"version", TEGULA_VERSION_TEXT}, {"plugins", Json::array()}, {"report", Json::array()}};
  std::vector<std::string> seen;
  tegula_messages ignored; // what is wrong with a plugin stands in the load report
  for (const targets::ListedTarget &target : session->registry.list()) {
    if (std::find(seen.begin(), seen.end(), target.plugin) != seen.end())
      continue;
    seen.push_back(target.plugin);
    if (auto plugin = session->registry.plugin(target.plugin, ignored))
      out["plugins"].push_back(describePlugin(*plugin, ignored));
  }
  for (const targets::LoadEntry &entry : session->registry.report().entries())
    out["report"].push_back({{"path", entry.path}, {"plugin", entry.plugin}, {"code", entry.code}, {"message", entry.message}});
  *json = session->keep(dump(out));
  return TEGULA_STATUS_OK;
}

tegula_status_t tegula_session_resolve_target(tegula_session_t *session, tegula_text_t spelling, tegula_text_t *name, tegula_messages_t *list) {
  Messages messages(list);
  if (!session || !name)
    return messages.usage("tegula_session_resolve_target needs a session and a place for the result");
  auto target = session->target(view(spelling), *messages);
  if (!target)
    return TEGULA_STATUS_NO_TARGET;
  *name = session->keep(target->spelled());
  return TEGULA_STATUS_OK;
}

tegula_status_t tegula_session_list_kernels(tegula_session_t *session, tegula_text_t path, tegula_text_t *names, tegula_messages_t *list) {
  Messages messages(list);
  if (!session || !names)
    return messages.usage("tegula_session_list_kernels needs a session and a place for the result");
  size_t before = messages.get().errors;
  std::string joined;
  for (const std::string &kernel : session->frontend.kernels(std::string(view(path)), *messages))
    joined += kernel + "\n";
  if (messages.get().errors != before)
    return TEGULA_STATUS_INPUT;
  *names = session->keep(joined);
  return TEGULA_STATUS_OK;
}
