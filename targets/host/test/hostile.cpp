// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One plugin, built once for each rule that it breaks (HOSTILE_...). What is not named by the macro is right.
#include "tegula/plugin.hpp"

#include <stdexcept>

namespace {
using namespace tegula::plugin;

class HostileContext final : public Context {
public:
  explicit HostileContext(Host) {
#ifdef HOSTILE_NO_CONTEXT
    throw std::runtime_error("no licence");
#endif
  }
  std::vector<Target> targets() override {
    Target good{"hostile", "a", "", TEGULA_LEVEL_TILE, TEGULA_TARGET_FLAGS_DEFAULT_ARCH};
#ifdef HOSTILE_GARBAGE_LEVEL
    good.kirLevel = 0xdeadbeef;
#endif
    return {good};
  }
  Status facts(std::string_view, std::vector<Node> &facts) override {
    facts.push_back(Node::string("kir_level", "tile"));
    return {};
  }
  Status compile(const CompileRequest &request, Artifact &artifact) override {
#ifdef HOSTILE_THROWS
    throw std::runtime_error("thrown by the plugin");
#endif
    request.host.report({TEGULA_SEVERITY_WARNING, "P1001", "a warning", {"k.py", 3, 1, 2, 0, 0, 0}, {{"a note", {}}}, "a hint"});
    if (request.entry == "bad") {
      request.host.report({TEGULA_SEVERITY_ERROR, "P1002", "an error", {}, {}, {}});
      return Status::failure(TEGULA_RESULT_COMPILE_FAILED, "said already");
    }
    if (request.entry == "strange")
      return Status::failure(4711, "a code from the future");
    artifact.bytes.assign(static_cast<const char *>(request.kir), request.kirSize);
    artifact.entry = request.entry;
    artifact.arguments.push_back({"x_ptr", TEGULA_TYPE_POINTER, 0, 0, 8, 16});
    artifact.resources.push_back(Node::integral("registers", 7));
    return {};
  }
  std::string fingerprint(std::string_view) override { return "hostile"; }
};

#ifdef HOSTILE_NO_RECORD
int32_t compileWithoutRecord(tegula_context_t *, const tegula_compile_request_t *, const tegula_sink_t *sink, tegula_error_t **) {
  return sink->write(sink->user, "x", 1);
}
#endif

/// A table with room behind it.
struct LongTable {
  tegula_compiler_t table;
  uint64_t tail;
};

const void *getInterface(const char *name, uint64_t size, uint32_t) {
  static LongTable made;
  made = {*CompilerTable::table<HostileContext>(), 0};
#if defined(HOSTILE_NO_INTERFACE)
  return nullptr;
#elif defined(HOSTILE_MISSING_SLOT)
  made.table.compile = nullptr;
#elif defined(HOSTILE_SHORT_TABLE)
  made.table.struct_size = 24;
#elif defined(HOSTILE_LONG_TABLE)
  made.table.struct_size = sizeof made;
  made.tail = 1;
#elif defined(HOSTILE_NO_RECORD)
  made.table.compile = compileWithoutRecord;
#endif
  if (view(name, size) == TEGULA_INTERFACE_COMPILER)
    return &made.table;
#ifdef HOSTILE_DEVICE_SLOT
  static tegula_device_runtime_t device = stamped<tegula_device_runtime_t>();
  return view(name, size) == TEGULA_INTERFACE_DEVICE ? &device : nullptr;
#else
  return nullptr;
#endif
}
} // namespace

extern "C" TEGULA_PLUGIN_EXPORT int32_t tegula_plugin_query(const tegula_host_info_t *host, tegula_plugin_info_t *plugin) {
  Description description{HOSTILE_NAME, "test", "1", "1"};
  bool hasDevice = false;
#if defined(HOSTILE_QUERY_FAILS)
  return 77;
#elif defined(HOSTILE_OTHER_NAME)
  description.name = "somebody else";
#elif defined(HOSTILE_EXPERIMENTAL)
  description.flags = TEGULA_PLUGIN_FLAGS_EXPERIMENTAL;
#elif defined(HOSTILE_DEVICE_SLOT)
  hasDevice = true;
#endif
  int32_t code = detail::query(host, plugin, description, hasDevice, getInterface);
#if defined(HOSTILE_WRONG_ABI)
  plugin->abi_min = plugin->abi_max = TEGULA_VERSION(TEGULA_VERSION_RESERVED_FOR_TESTS_MAJOR, 1);
#elif defined(HOSTILE_WRONG_SANITIZER)
  plugin->sanitizer ^= TEGULA_SANITIZER_MEMORY;
#elif defined(HOSTILE_QUERY_OVERRUNS)
  reinterpret_cast<volatile unsigned char *>(plugin)[sizeof *plugin + 8] = 0;
#elif defined(HOSTILE_SHORT_INFO)
  plugin->struct_size = 40;
#endif
  return code;
}
