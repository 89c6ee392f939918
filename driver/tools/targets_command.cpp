// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tegula targets`.
#include "driver/tools/command_line.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tegula::driver::tools {

int targetsCommand(CommandLine &line) {
  using Json = nlohmann::ordered_json;
  SessionPtr session = openSession(line);
  if (!session)
    return 2;
  tegula_text_t described{};
  if (tegula_status_t status = tegula_session_describe(session.get(), &described, nullptr))
    return status;
  if (line.json) {
    fmt::print("{}\n", asView(described));
    return 0;
  }
  auto text = [](const Json &value) { return value.is_string() ? value.get<std::string>() : value.dump(); };
  Json json = Json::parse(asView(described));
  if (json["plugins"].empty())
    fmt::print("no plugin was found\n");
  for (const Json &plugin : json["plugins"]) {
    fmt::print("{} {} (ABI {}, KIR {})\n", text(plugin["name"]), text(plugin["version"]), text(plugin["abi"]), text(plugin["kir"]));
    for (const Json &target : plugin["targets"])
      fmt::print("  target {}{}{}: {}{}\n", text(target["name"]), target["arch"] == "" ? "" : ":", text(target["arch"]), text(target["description"]), target["by_name_only"] == true ? " (only by name)" : "");
    for (const Json &device : plugin["devices"])
      fmt::print("  device {}: {}, {}, {} MiB, driver {}\n", text(device["index"]), text(device["name"]), text(device["target"]), device["memory_bytes"].get<uint64_t>() >> 20, text(device["driver"]));
    if (plugin["devices"].empty())
      fmt::print("  no device\n");
    for (const Json &option : plugin["options"])
      fmt::print("  option {}={}: {}\n", text(option["name"]), text(option["default"]), text(option["doc"]));
  }
  for (const Json &entry : json["report"])
    if (entry["code"] != "")
      fmt::print("{}{}: {}: {}\n", text(entry["plugin"]), entry["plugin"] == "" ? text(entry["path"]) : "", text(entry["code"]), text(entry["message"]));
  return 0;
}

} // namespace tegula::driver::tools
