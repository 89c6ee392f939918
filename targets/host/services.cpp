// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Services, and conversion of what plugins say.
#include "targets/host/services.h"

#include "sdk/kir/kir.h"
#include "tegula/values.hpp"

#include <cstddef>
#include <cstdlib>
#include <filesystem>

namespace tegula::targets {

using plugin::give;
using plugin::received;
using plugin::stamped;

std::string_view viewOf(const tegula_string_t &text) { return plugin::view(text); }
tegula_string_t borrow(std::string_view text) { return plugin::borrow(text); }

namespace {

constexpr unsigned kMaxDepth = 64;

bool convert(const tegula_node_t &node, facts::Tree &tree, unsigned depth) {
  if (node.kind < TEGULA_NODE_KIND_BOOL || node.kind > TEGULA_NODE_KIND_MAP || depth > kMaxDepth)
    return false;
  tree.key = viewOf(node.key);
  tree.kind = static_cast<facts::Tree::Kind>(node.kind);
  tree.mustUnderstand = (node.flags & TEGULA_NODE_FLAGS_MUST_UNDERSTAND) != 0;
  tree.integer = node.integer;
  tree.number = node.number;
  tree.text = viewOf(node.text);
  plugin::each(node.children, node.children_count, node.children_stride, [&](const tegula_node_t &child) {
    facts::Tree converted;
    if (convert(child, converted, depth + 1))
      tree.children.push_back(std::move(converted));
  });
  return true;
}

base::Severity severityOf(uint32_t severity) {
  return severity == TEGULA_SEVERITY_WARNING  ? base::Severity::Warning
         : severity == TEGULA_SEVERITY_REMARK ? base::Severity::Remark
                                              : base::Severity::Error;
}

base::Diagnostic convert(const tegula_diagnostic_t &in) {
  base::Diagnostic out;
  out.severity = severityOf(in.severity);
  out.code = viewOf(in.code);
  out.message = viewOf(in.message);
  out.where.file = viewOf(in.file);
  out.where.line = in.line;
  out.where.column = in.column;
  out.where.endColumn = in.end_column;
  plugin::each(in.notes, in.notes_count, in.notes_stride, [&](const tegula_note_t &note) {
    base::Note &to = out.notes.emplace_back();
    to.message = viewOf(note.message);
    to.where.file = viewOf(note.file);
    to.where.line = note.line;
    to.where.column = note.column;
  });
  out.help = viewOf(in.help);
  return out;
}

} // namespace

facts::Tree treeOf(const tegula_node_t *node) {
  facts::Tree tree;
  if (!node || !convert(received(node), tree, 0))
    tree.kind = facts::Tree::Kind::Invalid;
  return tree;
}

std::vector<facts::Tree> treesOf(const tegula_node_t *nodes, uint64_t count, uint64_t stride) {
  std::vector<facts::Tree> trees;
  plugin::each(nodes, count, stride, [&](const tegula_node_t &node) {
    facts::Tree tree;
    if (convert(node, tree, 0))
      trees.push_back(std::move(tree));
  });
  return trees;
}

HostServices::HostServices(base::DiagnosticSink *sink, CancelFunction cancelled, LogFunction log, std::map<std::string, std::string> options)
    : services(stamped<tegula_host_t>()), sink(sink), cancelled(std::move(cancelled)), log(std::move(log)), options(std::move(options)) {
  services.user = this;
  services.allocate = allocate;
  services.free = release;
  services.log = logLine;
  services.report_diagnostic = report;
  services.poll_cancel = pollCancel;
  services.find_tool = findTool;
  services.get_option = getOption;
}

HostServices::~HostServices() {
  if (decoded)
    tegula_kir_free(decoded);
}

void *HostServices::allocate(void *, uint64_t size, uint64_t alignment) {
  uint64_t step = std::max<uint64_t>(alignment, alignof(max_align_t));
  if ((step & (step - 1)) || size > UINT64_MAX - step)
    return nullptr;
  return std::aligned_alloc(step, (std::max<uint64_t>(size, 1) + step - 1) & ~(step - 1));
}

void HostServices::release(void *, void *pointer, uint64_t, uint64_t) { std::free(pointer); }

void HostServices::logLine(void *user, uint32_t level, const char *text, uint64_t size) {
  auto &self = *static_cast<HostServices *>(user);
  if (self.log)
    self.log(level, plugin::view(text, size));
}

void HostServices::place(uint32_t location, base::Diagnostic &diagnostic) {
  if (!decoded) {
    tegula_kir_error_t ignored;
    if (module.empty() || tegula_kir_read(module.data(), module.size(), nullptr, &decoded, &ignored) != TEGULA_KIR_OK)
      return;
  }
  tegula_kir_place_t found;
  if (!tegula_kir_get_place(decoded, location, &found))
    return;
  auto convert = [](const tegula_kir_place_t &from) {
    return base::SourceRange{std::string(from.file, from.file_length), from.line, from.column, from.end_column, {}};
  };
  diagnostic.where = convert(found);
  // Callers, from the inside out; a cycle in a hostile module ends with the limit.
  for (unsigned depth = 0; found.inlined_at && depth < kMaxDepth; ++depth) {
    if (!tegula_kir_get_place(decoded, found.inlined_at, &found))
      return;
    diagnostic.notes.push_back({"called from here", convert(found)});
  }
}

void HostServices::report(void *user, const tegula_diagnostic_t *sent) {
  auto &self = *static_cast<HostServices *>(user);
  if (!sent)
    return;
  tegula_diagnostic_t in = received(sent);
  base::Diagnostic out = convert(in);
  std::lock_guard<std::mutex> lock(self.mutex);
  if (in.kir_loc && !out.where.known())
    self.place(in.kir_loc, out);
  self.errors += out.severity == base::Severity::Error;
  if (self.sink)
    self.sink->report(std::move(out));
}

int32_t HostServices::pollCancel(void *user) {
  auto &self = *static_cast<HostServices *>(user);
  return self.cancelled && self.cancelled() ? 1 : 0;
}

int32_t HostServices::findTool(void *user, const char *name, uint64_t size, tegula_tool_t *tool) {
  auto &self = *static_cast<HostServices *>(user);
  std::string wanted(plugin::view(name, size));
  if (wanted.empty() || wanted.find('/') != std::string::npos)
    return TEGULA_RESULT_NOT_FOUND;
  std::lock_guard<std::mutex> lock(self.mutex);
  auto [found, isNew] = self.tools.try_emplace(wanted);
  if (auto option = self.options.find("tool." + wanted); isNew && option != self.options.end())
    found->second = option->second;
  if (const char *path = std::getenv("PATH"); isNew && path && found->second.empty()) {
    std::string_view rest(path);
    while (!rest.empty() && found->second.empty()) {
      std::string_view folder = rest.substr(0, rest.find(':'));
      rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
      std::filesystem::path candidate = std::filesystem::path(folder) / wanted;
      std::error_code error;
      auto status = std::filesystem::status(candidate, error);
      bool runs = !error && std::filesystem::is_regular_file(status) &&
                  (status.permissions() & std::filesystem::perms::owner_exec) != std::filesystem::perms::none;
      if (candidate.is_absolute() && runs)
        found->second = candidate.string();
    }
  }
  if (found->second.empty())
    return TEGULA_RESULT_NOT_FOUND;
  tegula_tool_t out = stamped<tegula_tool_t>();
  out.path = borrow(found->second);
  give(tool, out);
  return TEGULA_RESULT_OK;
}

int32_t HostServices::getOption(void *user, const char *name, uint64_t size, tegula_node_t *value) {
  auto &self = *static_cast<HostServices *>(user);
  auto found = self.options.find(std::string(plugin::view(name, size)));
  if (found == self.options.end())
    return TEGULA_RESULT_NOT_FOUND;
  tegula_node_t out = stamped<tegula_node_t>();
  out.key = borrow(found->first);
  out.kind = TEGULA_NODE_KIND_STRING;
  out.text = borrow(found->second);
  give(value, out);
  return TEGULA_RESULT_OK;
}

std::string takeMessage(tegula_error_t *error) {
  if (!error)
    return {};
  tegula_error_t in = received(error);
  std::string message(viewOf(in.message));
  if (in.destroy)
    in.destroy(error);
  return message;
}

Outcome finish(int32_t code, tegula_error_t *error, std::string_view plugin, base::DiagnosticSink &sink, size_t alreadyReported) {
  if (code < TEGULA_RESULT_OK || code > TEGULA_RESULT_LIMIT_EXCEEDED)
    code = TEGULA_RESULT_INTERNAL;
  size_t told = alreadyReported;
  if (error) {
    tegula_error_t in = received(error);
    tegula::plugin::each(in.diagnostics, in.diagnostics_count, in.diagnostics_stride, [&](const tegula_diagnostic_t &diagnostic) {
      sink.report(convert(diagnostic));
      ++told;
    });
  }
  std::string message = takeMessage(error);
  if (code == TEGULA_RESULT_OK || told != 0)
    return {code};
  static constexpr const char *kWords[] = {"", "refused an argument", "ran out of memory", "does not support this", "is incompatible",
                                           "did not find it", "was cancelled", "cannot compile the kernel", "lost the device",
                                           "reports a device fault", "found a fault", "saw an assertion fail", "failed", "exceeds a limit"};
  std::string text = "plugin '" + std::string(plugin) + "' " + kWords[code];
  sink.report({base::Severity::Error, "T1030", message.empty() ? text : text + ": " + message, {}, {}, {}});
  return {code};
}

} // namespace tegula::targets
