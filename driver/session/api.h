// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is behind the handles of the C API, and reading and filling its structs.
#pragma once

#include "frontend/emit/compile.h"
#include "sdk/base/diagnostic.h"
#include "targets/host/device.h"
#include "targets/host/registry.h"
#include "tegula/tegula.h"

#include <cstring>
#include <deque>
#include <memory>
#include <mutex>

struct tegula_messages : tegula::base::DiagnosticSink {
  void report(tegula::base::Diagnostic diagnostic) override {
    std::lock_guard<std::mutex> lock(mutex);
    errors += diagnostic.severity == tegula::base::Severity::Error;
    all.push_back(std::move(diagnostic));
  }
  mutable std::mutex mutex;
  std::deque<tegula::base::Diagnostic> all; ///< a deque: what was handed out stays where it is
  std::deque<std::string> rendered;
  size_t errors = 0;
};

struct tegula_session {
  explicit tegula_session(tegula::targets::SearchOptions options) : registry(std::move(options)) {}

  tegula::targets::Registry registry;
  tegula::frontend::Session frontend;
  std::map<std::string, std::string> options;

  /// Keeps text for as long as the session lives.
  tegula_text_t keep(std::string text);
  /// The target for a spelling, or the default one for an empty one. Nothing after an error.
  std::optional<tegula::targets::Target> target(std::string_view spelling, tegula::base::DiagnosticSink &sink);

private:
  std::mutex mutex;
  std::deque<std::string> kept;
};

struct tegula_program {
  std::string kernel, target, record;
  std::vector<tegula::frontend::Parameter> parameters;
  std::vector<std::string> files;
  uint32_t numWarps = 4, numStages = 3, numCtas = 1, maxRegisters = 0;
  double frontendMs = 0, middleMs = 0, pluginMs = 0;
  std::map<std::string, std::string, std::less<>> stages;
  std::optional<tegula::targets::Artifact> artifact;
};

namespace tegula::driver {

inline std::string_view view(tegula_text_t text) { return text.data ? std::string_view(text.data, text.size) : std::string_view(); }
inline tegula_text_t text(std::string_view view) { return {view.data(), view.size()}; }

/// The caller's struct in the shape of this build: what it does not have is zero. nullopt where it cannot even hold its own size.
template <typename T> std::optional<T> receive(const T *from) {
  if (!from || from->struct_size < sizeof(uint64_t))
    return std::nullopt;
  T local{};
  std::memcpy(&local, from, std::min<uint64_t>(from->struct_size, sizeof(T)));
  return local;
}
/// Writes no more than the caller has room for; its struct_size stays.
template <typename T> tegula_status_t deliver(T *to, T value) {
  if (!to || to->struct_size < sizeof(uint64_t))
    return TEGULA_STATUS_USAGE;
  value.struct_size = to->struct_size;
  std::memcpy(to, &value, std::min<uint64_t>(to->struct_size, sizeof(T)));
  return TEGULA_STATUS_OK;
}
/// Item `index` of an array whose items are as large as the caller says.
template <typename T> std::optional<T> receiveItem(const T *items, uint64_t index) {
  if (!items)
    return std::nullopt;
  return receive(reinterpret_cast<const T *>(reinterpret_cast<const char *>(items) + index * items->struct_size));
}

/// The caller's list, or one that is thrown away.
class Messages {
public:
  explicit Messages(tegula_messages_t *given) : list(given ? given : &own) {}
  base::DiagnosticSink &operator*() { return *list; }
  tegula_messages &get() { return *list; }
  tegula_status_t usage(const char *what);

private:
  tegula_messages own;
  tegula_messages *list;
};

/// The status for a plugin's result code.
tegula_status_t statusOf(int32_t pluginResult);
double millisecondsNow();

} // namespace tegula::driver
