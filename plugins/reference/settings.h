// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of this plugin (settings.def). They are given for a compilation, travel in the artifact's record, and act
// at launches.
#pragma once

#include "plugins/reference/launch/launch.h"
#include "tegula/plugin.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tegula::plugins::reference {

struct Settings {
  bool sanitize = true;
  bool tf32 = false;
  int64_t threads = 0;
  int64_t max_steps = 100'000'000;
  std::string nan = "warning";
  std::string as;

  /// Takes one option from its text. Returns what is wrong, or nothing.
  std::string set(std::string_view name, std::string_view text);
  /// Takes what the host has for the whole context; what is not understood there is left alone.
  void takeContextOptions(const plugin::Host &host);
  LaunchOptions launchOptions() const;

  /// To the resources of a record and back.
  std::vector<plugin::Node> nodes() const;
  void takeRecord(const tegula_record_t *record);

  static std::vector<plugin::Option> describe();
};

} // namespace tegula::plugins::reference
