// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What became of every plugin that was found: loaded, refused and why. Nothing a plugin does while it is loaded ends the program.
#pragma once

#include "sdk/base/diagnostic.h"

#include <mutex>
#include <string>
#include <vector>

namespace tegula::targets {

struct LoadEntry {
  std::string path;    ///< manifest or library
  std::string plugin;  ///< its name, where that is known
  std::string code;    ///< T1xxx; empty: loaded or listed without fault
  std::string message;
};

/// Thread-safe; in order of what happened.
class LoadReport {
public:
  void add(LoadEntry entry) {
    std::lock_guard<std::mutex> lock(mutex);
    all.push_back(std::move(entry));
  }
  std::vector<LoadEntry> entries() const {
    std::lock_guard<std::mutex> lock(mutex);
    return all;
  }

private:
  mutable std::mutex mutex;
  std::vector<LoadEntry> all;
};

} // namespace tegula::targets
