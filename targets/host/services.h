// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's side of a call into a plugin: services that forward to a sink, and reading what comes back. Structs of the plugin are read
// no further than their size.
#pragma once

#include "sdk/base/diagnostic.h"
#include "targets/facts/tree.h"
#include "tegula/plugin.h"

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

struct tegula_kir_module;

namespace tegula::targets {

/// Receives log lines (TEGULA_LOG_LEVEL_...); any thread.
using LogFunction = std::function<void(uint32_t level, std::string_view text)>;
/// Whether to stop; any thread. Empty: never.
using CancelFunction = std::function<bool()>;

std::string_view viewOf(const tegula_string_t &text);
tegula_string_t borrow(std::string_view text);
/// The plugin's tree, copied; nodes of an unknown kind, and what is nested deeper than 64, are left out.
facts::Tree treeOf(const tegula_node_t *node);
std::vector<facts::Tree> treesOf(const tegula_node_t *nodes, uint64_t count, uint64_t stride);

/// The services table for one call, or for the life of a context. Outlives what it was given to. Thread-safe.
class HostServices {
public:
  explicit HostServices(base::DiagnosticSink *sink, CancelFunction cancelled = {}, LogFunction log = {},
                        std::map<std::string, std::string> options = {});
  HostServices(const HostServices &) = delete;
  ~HostServices();

  const tegula_host_t *table() const { return &services; }
  /// KIR places in diagnostics are looked up in this module, which is decoded when the first one comes. Borrowed.
  void setModule(std::string_view kir) { module = kir; }
  size_t errorsReported() const { return errors; }
  /// Diagnostics that come later are dropped.
  void detach() {
    std::lock_guard<std::mutex> lock(mutex);
    sink = nullptr;
  }

private:
  static void *allocate(void *, uint64_t size, uint64_t alignment);
  static void release(void *, void *pointer, uint64_t, uint64_t);
  static void logLine(void *user, uint32_t level, const char *text, uint64_t size);
  static void report(void *user, const tegula_diagnostic_t *diagnostic);
  static int32_t pollCancel(void *user);
  static int32_t findTool(void *user, const char *name, uint64_t size, tegula_tool_t *tool);
  static int32_t getOption(void *user, const char *name, uint64_t size, tegula_node_t *value);
  void place(uint32_t location, base::Diagnostic &diagnostic);

  tegula_host_t services;
  base::DiagnosticSink *sink;
  CancelFunction cancelled;
  LogFunction log;
  std::map<std::string, std::string> options, tools;
  std::mutex mutex;
  size_t errors = 0;
  std::string_view module;
  tegula_kir_module *decoded = nullptr;
};

/// Outcome of a call as the host knows it. A code that it does not know is INTERNAL.
struct Outcome {
  int32_t code = TEGULA_RESULT_OK;
  bool ok() const { return code == TEGULA_RESULT_OK; }
};

/// Turns a failed call's error into diagnostics (T1030, unless the plugin told the user already) and destroys it.
Outcome finish(int32_t code, tegula_error_t *error, std::string_view plugin, base::DiagnosticSink &sink, size_t alreadyReported = 0);
/// The message of an error, which is destroyed.
std::string takeMessage(tegula_error_t *error);

} // namespace tegula::targets
