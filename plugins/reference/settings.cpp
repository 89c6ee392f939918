// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options from and to text and nodes.
#include "plugins/reference/settings.h"

#include <charconv>

namespace tegula::plugins::reference {

namespace {

bool read(std::string_view text, int64_t &out) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0)
    return false;
  out = value;
  return true;
}
bool read(std::string_view text, bool &out) {
  const bool yes = text == "1" || text == "true", no = text == "0" || text == "false";
  out = yes || (out && !no);
  return yes || no;
}
bool read(std::string_view text, std::string &out) {
  out = std::string(text);
  return true;
}

plugin::Node node(const char *key, bool value) { return plugin::Node::boolean(key, value); }
plugin::Node node(const char *key, int64_t value) { return plugin::Node::integral(key, value); }
plugin::Node node(const char *key, const std::string &value) { return plugin::Node::string(key, value); }

} // namespace

std::string Settings::set(std::string_view name, std::string_view text) {
#define SETTING(member, kind, defaultText, choices, doc)                                                               \
  if (name == #member) {                                                                                               \
    const std::vector<std::string> allowed = choices;                                                                  \
    const bool known = allowed.empty() || std::find(allowed.begin(), allowed.end(), text) != allowed.end();            \
    return known && read(text, member) ? std::string()                                                                 \
                                       : "option '" #member "' has no value '" + std::string(text) + "'";              \
  }
#include "plugins/reference/settings.def"
#undef SETTING
  return "the reference plugin has no option '" + std::string(name) + "'";
}

void Settings::takeContextOptions(const plugin::Host &host) {
#define SETTING(member, kind, defaultText, choices, doc)                                                               \
  if (const std::string text = host.option(#member); !text.empty())                                                    \
    set(#member, text);
#include "plugins/reference/settings.def"
#undef SETTING
}

LaunchOptions Settings::launchOptions() const {
  LaunchOptions options;
  options.sanitize = sanitize;
  options.threads = uint32_t(threads);
  options.maxSteps = uint64_t(max_steps);
  options.tf32 = tf32;
  options.nanIsError = nan == "error";
  return options;
}

std::vector<plugin::Node> Settings::nodes() const {
  return {
#define SETTING(member, kind, defaultText, choices, doc) node(#member, member),
#include "plugins/reference/settings.def"
#undef SETTING
  };
}

void Settings::takeRecord(const tegula_record_t *sent) {
  const tegula_record_t record = plugin::received(sent);
  plugin::each(record.resources, record.resources_count, record.resources_stride, [&](const tegula_node_t &resource) {
    const bool isText = resource.kind == TEGULA_NODE_KIND_STRING;
    set(plugin::view(resource.key),
        isText ? std::string(plugin::view(resource.text)) : std::to_string(resource.integer));
  });
}

std::vector<plugin::Option> Settings::describe() {
  return {
#define SETTING(member, kind, defaultText, choices, doc)                                                               \
  plugin::Option{#member, doc, TEGULA_NODE_KIND_##kind, defaultText, choices},
#include "plugins/reference/settings.def"
#undef SETTING
  };
}

} // namespace tegula::plugins::reference
