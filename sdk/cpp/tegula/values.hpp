// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What crosses the boundary, as C++ values: structs with their sizes, statuses and errors, trees, diagnostics, the host's services. Used by
// plugin.hpp and device.hpp, and by the host for its side.
#ifndef TEGULA_VALUES_HPP
#define TEGULA_VALUES_HPP

#include "tegula/plugin.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tegula::plugin {

#if defined(__has_feature)
#define TEGULA_HAS_FEATURE(x) __has_feature(x)
#else
#define TEGULA_HAS_FEATURE(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || TEGULA_HAS_FEATURE(address_sanitizer)
inline constexpr uint32_t kSanitizer = TEGULA_SANITIZER_ADDRESS;
#elif defined(__SANITIZE_THREAD__) || TEGULA_HAS_FEATURE(thread_sanitizer)
inline constexpr uint32_t kSanitizer = TEGULA_SANITIZER_THREAD;
#elif TEGULA_HAS_FEATURE(memory_sanitizer)
inline constexpr uint32_t kSanitizer = TEGULA_SANITIZER_MEMORY;
#else
inline constexpr uint32_t kSanitizer = TEGULA_SANITIZER_NONE;
#endif
#undef TEGULA_HAS_FEATURE
#ifdef NDEBUG
inline constexpr uint32_t kBuildType = TEGULA_BUILD_TYPE_RELEASE;
#else
inline constexpr uint32_t kBuildType = TEGULA_BUILD_TYPE_DEBUG;
#endif

inline std::string_view view(const char *data, uint64_t size) {
  return size ? std::string_view(data, static_cast<size_t>(size)) : std::string_view();
}
inline std::string_view view(const tegula_string_t &text) { return view(text.data, text.size); }
inline tegula_string_t borrow(std::string_view text) { return {text.data(), text.size()}; }

/// A struct with its size and version set and everything else zero.
template <class T> T stamped() {
  T value;
  std::memset(&value, 0, sizeof value);
  value.struct_size = sizeof value;
  value.struct_version = 1;
  return value;
}

/// What the other side sent, as this side knows the struct: members that it does not have are zero.
template <class T> T received(const T *sent) {
  T value = stamped<T>();
  if (sent)
    std::memcpy(static_cast<void *>(&value), sent, std::min<size_t>(sent->struct_size, sizeof value));
  return value;
}

/// Writes a result into a struct of the other side, as far as it has room.
template <class T> void give(T *to, const T &value) {
  uint32_t size = static_cast<uint32_t>(std::min<size_t>(to->struct_size, sizeof value));
  std::memcpy(static_cast<void *>(to), &value, size);
  if (size >= sizeof(uint32_t))
    to->struct_size = size;
}

/// Calls `f(received element)` for each element of a list that came over the boundary.
template <class T, class F> void each(const T *list, uint64_t count, uint64_t stride, F f) {
  for (uint64_t i = 0; i < count; ++i)
    f(received(reinterpret_cast<const T *>(reinterpret_cast<const char *>(list) + i * stride)));
}

/// Outcome of a call: a result code and, where that is not OK, what to say.
struct Status {
  int32_t code = TEGULA_RESULT_OK;
  std::string message;

  bool ok() const { return code == TEGULA_RESULT_OK; }
  static Status failure(int32_t code, std::string message) { return {code, std::move(message)}; }
};

namespace detail {
struct OwnedError {
  tegula_error_t error;
  std::string message;
};
inline void destroyError(tegula_error_t *error) { delete reinterpret_cast<OwnedError *>(error); }

inline tegula_error_t *outOfMemory() {
  static constexpr std::string_view kText = "out of memory";
  static tegula_error_t error{sizeof(tegula_error_t), 1, TEGULA_RESULT_OUT_OF_MEMORY, 0, {kText.data(), kText.size()}, nullptr, 0, 0, nullptr};
  return &error;
}

inline int32_t fail(tegula_error_t **error, int32_t code, std::string message) {
  if (!error)
    return code;
  auto *owned = new (std::nothrow) OwnedError{stamped<tegula_error_t>(), std::move(message)};
  if (!owned) {
    *error = outOfMemory();
    return TEGULA_RESULT_OUT_OF_MEMORY;
  }
  owned->error.code = code;
  owned->error.message = borrow(owned->message);
  owned->error.destroy = destroyError;
  *error = &owned->error;
  return code;
}

/// Runs `f`, which gives a Status; whatever it throws becomes an error.
template <class F> int32_t guarded(tegula_error_t **error, F f) {
#if defined(__cpp_exceptions)
  try {
#endif
    Status status = f();
    return status.ok() ? TEGULA_RESULT_OK : fail(error, status.code, std::move(status.message));
#if defined(__cpp_exceptions)
  } catch (const std::bad_alloc &) {
    if (error)
      *error = outOfMemory();
    return TEGULA_RESULT_OUT_OF_MEMORY;
  } catch (const std::exception &thrown) {
    return fail(error, TEGULA_RESULT_INTERNAL, std::string("exception: ") + thrown.what());
  } catch (...) {
    return fail(error, TEGULA_RESULT_INTERNAL, "exception of unknown type");
  }
#endif
}
/// The same for functions that give nothing back.
template <class F> void contained(F f) {
  guarded(nullptr, [&] {
    f();
    return Status();
  });
}
} // namespace detail

/// A typed value with a key, owning.
struct Node {
  std::string key;
  uint32_t kind = TEGULA_NODE_KIND_MAP;
  uint32_t flags = TEGULA_NODE_FLAGS_NONE;
  int64_t integer = 0;
  double number = 0;
  std::string text;
  std::vector<Node> children;

  static Node boolean(std::string key, bool value) { return {std::move(key), TEGULA_NODE_KIND_BOOL, 0, value, 0, {}, {}}; }
  static Node integral(std::string key, int64_t value) { return {std::move(key), TEGULA_NODE_KIND_INT, 0, value, 0, {}, {}}; }
  static Node real(std::string key, double value) { return {std::move(key), TEGULA_NODE_KIND_FLOAT, 0, 0, value, {}, {}}; }
  static Node string(std::string key, std::string value) {
    return {std::move(key), TEGULA_NODE_KIND_STRING, 0, 0, 0, std::move(value), {}};
  }
  static Node list(std::string key, std::vector<Node> children) {
    return {std::move(key), TEGULA_NODE_KIND_LIST, 0, 0, 0, {}, std::move(children)};
  }
  static Node map(std::string key, std::vector<Node> children) {
    return {std::move(key), TEGULA_NODE_KIND_MAP, 0, 0, 0, {}, std::move(children)};
  }
  static Node strings(std::string key, const std::vector<std::string> &values) {
    Node node = list(std::move(key), {});
    for (const std::string &value : values)
      node.children.push_back(string({}, value));
    return node;
  }
  Node &&mustUnderstand() && {
    flags |= TEGULA_NODE_FLAGS_MUST_UNDERSTAND;
    return std::move(*this);
  }
};

/// The C form of nodes; borrows their strings, so they must outlive it.
class NodeView {
public:
  explicit NodeView(const std::vector<Node> &nodes) : top(convert(nodes)) {}
  const tegula_node_t *data() const { return top; }

private:
  const tegula_node_t *convert(const std::vector<Node> &nodes) {
    if (nodes.empty())
      return nullptr;
    auto &row = *rows.emplace_back(std::make_unique<std::vector<tegula_node_t>>());
    for (const Node &node : nodes) {
      tegula_node_t out = stamped<tegula_node_t>();
      out.key = borrow(node.key);
      out.kind = node.kind;
      out.flags = node.flags;
      out.integer = node.integer;
      out.number = node.number;
      out.text = borrow(node.text);
      out.children = convert(node.children);
      out.children_count = node.children.size();
      out.children_stride = sizeof(tegula_node_t);
      row.push_back(out);
    }
    return row.data();
  }
  std::vector<std::unique_ptr<std::vector<tegula_node_t>>> rows;
  const tegula_node_t *top;
};

/// A place in a source file, or (kirLoc, kirWord) in the module.
struct Place {
  std::string file;
  uint32_t line = 0, column = 0, endColumn = 0;
  uint32_t kirLoc = 0, kirWord = 0, kirOpcode = 0;
};

struct Diagnostic {
  uint32_t severity = TEGULA_SEVERITY_ERROR;
  std::string code, message;
  Place where;
  std::vector<std::pair<std::string, Place>> notes;
  std::string help;
};

/// The host's services.
class Host {
public:
  explicit Host(const tegula_host_t *host = nullptr) : table(received(host)) {}

  void report(const Diagnostic &diagnostic) const {
    if (!table.report_diagnostic)
      return;
    std::vector<tegula_note_t> notes;
    for (const auto &[message, where] : diagnostic.notes) {
      tegula_note_t note = stamped<tegula_note_t>();
      note.message = borrow(message);
      note.file = borrow(where.file);
      note.line = where.line;
      note.column = where.column;
      notes.push_back(note);
    }
    tegula_diagnostic_t out = stamped<tegula_diagnostic_t>();
    out.severity = diagnostic.severity;
    out.kir_loc = diagnostic.where.kirLoc;
    out.kir_word = diagnostic.where.kirWord;
    out.kir_opcode = diagnostic.where.kirOpcode;
    out.code = borrow(diagnostic.code);
    out.message = borrow(diagnostic.message);
    out.file = borrow(diagnostic.where.file);
    out.line = diagnostic.where.line;
    out.column = diagnostic.where.column;
    out.end_column = diagnostic.where.endColumn;
    out.notes = notes.data();
    out.notes_count = notes.size();
    out.notes_stride = sizeof(tegula_note_t);
    out.help = borrow(diagnostic.help);
    table.report_diagnostic(table.user, &out);
  }
  void log(uint32_t level, std::string_view text) const {
    if (table.log)
      table.log(table.user, level, text.data(), text.size());
  }
  bool cancelled() const { return table.poll_cancel && table.poll_cancel(table.user) != 0; }
  /// Path and version of an external program; an empty path where there is none.
  std::pair<std::string, std::string> findTool(std::string_view name) const {
    tegula_tool_t tool = stamped<tegula_tool_t>();
    if (!table.find_tool || table.find_tool(table.user, name.data(), name.size(), &tool) != TEGULA_RESULT_OK)
      return {};
    return {std::string(view(tool.path)), std::string(view(tool.version))};
  }
  /// An option of the whole context, as text; `otherwise` where it is not set.
  std::string option(std::string_view name, std::string_view otherwise = {}) const {
    tegula_node_t value = stamped<tegula_node_t>();
    if (!table.get_option || table.get_option(table.user, name.data(), name.size(), &value) != TEGULA_RESULT_OK)
      return std::string(otherwise);
    return std::string(view(value.text));
  }

private:
  tegula_host_t table;
};

} // namespace tegula::plugin

#endif // TEGULA_VALUES_HPP
