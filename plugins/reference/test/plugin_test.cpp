// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plugin as a host sees it: loaded by path, through its C tables alone.
#include "plugins/reference/test/test_kernel.h"

#include "tegula/plugin.hpp"

#include <dlfcn.h>

using namespace tegula::plugins::reference;
using tegula::plugin::borrow;
using tegula::plugin::stamped;
using tegula::plugin::view;

namespace {

/// A host that remembers what it is told.
struct TestHost {
  TestHost() {
    table = stamped<tegula_host_t>();
    table.user = this;
    table.report_diagnostic = [](void *user, const tegula_diagnostic_t *d) {
      static_cast<TestHost *>(user)->reports.push_back(std::string(view(d->code)) + " " + std::string(view(d->file)) +
                                                       ":" + std::to_string(d->line) + " " +
                                                       std::string(view(d->message)));
    };
    table.poll_cancel = [](void *) -> int32_t { return 0; };
    table.get_option = [](void *user, const char *name, uint64_t size, tegula_node_t *value) -> int32_t {
      const std::string &as = static_cast<TestHost *>(user)->as;
      if (view(name, size) != "as" || as.empty())
        return TEGULA_RESULT_NOT_FOUND;
      value->kind = TEGULA_NODE_KIND_STRING;
      value->text = borrow(as);
      return TEGULA_RESULT_OK;
    };
  }
  tegula_host_t table;
  std::vector<std::string> reports;
  std::string as; ///< the option of that name
};

class PluginTest : public testing::Test {
protected:
  void SetUp() override {
    void *library = dlopen(TEGULA_REFERENCE_PLUGIN, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    const auto query = reinterpret_cast<tegula_plugin_query_fn>(dlsym(library, TEGULA_PLUGIN_QUERY_SYMBOL));
    ASSERT_NE(query, nullptr);
    auto hostInfo = stamped<tegula_host_info_t>();
    hostInfo.abi_min = hostInfo.abi_max = TEGULA_ABI_VERSION;
    hostInfo.kir_min = hostInfo.kir_max = TEGULA_KIR_VERSION;
    auto info = stamped<tegula_plugin_info_t>();
    ASSERT_EQ(query(&hostInfo, &info), TEGULA_RESULT_OK);
    EXPECT_EQ(view(info.name), "reference");
    const auto interface = [&](std::string_view name, uint32_t version) {
      return info.get_interface(name.data(), name.size(), version);
    };
    compiler = static_cast<const tegula_compiler_t *>(interface(TEGULA_INTERFACE_COMPILER, TEGULA_ABI_VERSION));
    runtime = static_cast<const tegula_device_runtime_t *>(interface(TEGULA_INTERFACE_DEVICE, TEGULA_DEVICE_VERSION));
    ASSERT_NE(compiler, nullptr);
    ASSERT_NE(runtime, nullptr);
    EXPECT_EQ(interface("org.tegula.nothing", TEGULA_ABI_VERSION), nullptr);
    ASSERT_EQ(compiler->create_context(&host.table, &context, nullptr), TEGULA_RESULT_OK);
  }
  void TearDown() override {
    if (device)
      runtime->close_device(device);
    if (context)
      compiler->destroy_context(context);
  }

  struct Compiled {
    std::string bytes, entry;
    uint64_t arguments = 0, argumentBytes = 0;
    bool sanitize = false;
  };
  /// Compiles with one option (none where empty); the result's code is the return value.
  int32_t compile(TestModule &module, const char *option, const char *value, Compiled &out,
                  const char *target = "reference") {
    const uint8_t *bytes = nullptr;
    size_t size = 0;
    tegula_kir_error_t kirError{};
    EXPECT_EQ(tegula_kir_writer_finish(module.writer, &bytes, &size, &kirError), TEGULA_KIR_OK);
    auto node = stamped<tegula_node_t>();
    node.key = borrow(option);
    node.kind = TEGULA_NODE_KIND_STRING;
    node.text = borrow(value);
    auto request = stamped<tegula_compile_request_t>();
    request.host = &host.table;
    request.kir = {bytes, size};
    request.target = borrow(target);
    request.options = &node;
    request.options_count = *option ? 1 : 0;
    request.options_stride = sizeof node;
    auto sink = stamped<tegula_sink_t>();
    sink.user = &out;
    sink.write = [](void *user, const void *data, uint64_t n) -> int32_t {
      static_cast<Compiled *>(user)->bytes.append(static_cast<const char *>(data), n);
      return TEGULA_RESULT_OK;
    };
    sink.record = [](void *user, const tegula_record_t *record) -> int32_t {
      auto &compiled = *static_cast<Compiled *>(user);
      compiled.entry = view(record->entry);
      compiled.arguments = record->arguments_count;
      compiled.argumentBytes = record->argument_bytes;
      for (uint64_t i = 0; i < record->resources_count; ++i)
        if (view(record->resources[i].key) == "sanitize")
          compiled.sanitize = record->resources[i].integer != 0;
      return TEGULA_RESULT_OK;
    };
    return compiler->compile(context, &request, &sink, nullptr);
  }

  tegula_kernel_t *load(const Compiled &compiled) {
    auto node = stamped<tegula_node_t>();
    node.key = borrow("sanitize");
    node.kind = TEGULA_NODE_KIND_BOOL;
    node.integer = compiled.sanitize;
    auto record = stamped<tegula_record_t>();
    record.entry = borrow(compiled.entry);
    record.resources = &node;
    record.resources_count = 1;
    record.resources_stride = sizeof node;
    auto request = stamped<tegula_load_request_t>();
    request.host = &host.table;
    request.artifact = {compiled.bytes.data(), compiled.bytes.size()};
    request.record = &record;
    tegula_kernel_t *kernel = nullptr;
    EXPECT_EQ(runtime->load(device, &request, &kernel, nullptr), TEGULA_RESULT_OK);
    return kernel;
  }

  void openDevice() {
    auto list = stamped<tegula_device_list_t>();
    ASSERT_EQ(runtime->enumerate(context, &list, nullptr), TEGULA_RESULT_OK);
    ASSERT_EQ(list.devices_count, 1u);
    auto request = stamped<tegula_device_request_t>();
    request.host = &host.table;
    ASSERT_EQ(runtime->open_device(context, &request, &device, nullptr), TEGULA_RESULT_OK);
  }

  tegula_buffer_t *buffer(uint64_t size, const char *name, uint32_t flags) {
    auto request = stamped<tegula_buffer_request_t>();
    request.size = size;
    request.name = borrow(name);
    request.flags = flags;
    tegula_buffer_t *made = nullptr;
    EXPECT_EQ(runtime->create_buffer(device, &request, &made, nullptr), TEGULA_RESULT_OK);
    return made;
  }

  /// out[pid] = pid + n, printed; the store is on line 9.
  static void write(TestModule &m) {
    const Ids p = m.kernel({{"out_ptr", m.pointer(m.i32)}, {"n", m.i32}});
    const uint32_t pid = m.pid(), value = m.add(m.i32, pid, p[1]), isSigned = 1;
    m.at(9);
    m.store(m.scalarAddress(m.i32, p[0], pid), value);
    tegula_kir_emit_print(m.writer, &value, 1, "v ", 2, 0, &isSigned, 1);
    m.finish();
  }

  TestHost host;
  const tegula_compiler_t *compiler = nullptr;
  const tegula_device_runtime_t *runtime = nullptr;
  tegula_context_t *context = nullptr;
  tegula_device_t *device = nullptr;
};

TEST_F(PluginTest, CompilesLoadsAndRuns) {
  TestModule m;
  write(m);
  Compiled compiled;
  ASSERT_EQ(compile(m, "", "", compiled), TEGULA_RESULT_OK);
  EXPECT_EQ(compiled.entry, "kernel");
  EXPECT_EQ(compiled.arguments, 2u);
  EXPECT_EQ(compiled.argumentBytes, 12u);
  EXPECT_TRUE(compiled.sanitize);
  openDevice();
  tegula_kernel_t *kernel = load(compiled);
  tegula_buffer_t *out = buffer(16, "out", TEGULA_BUFFER_FLAGS_UNDEFINED | TEGULA_BUFFER_FLAGS_OUTPUT);
  const tegula_launch_argument_t arguments[2] = {{out, 0}, {nullptr, 100}};
  auto launch = stamped<tegula_launch_t>();
  launch.host = &host.table;
  launch.grid_x = 4;
  launch.grid_y = launch.grid_z = 1;
  launch.arguments = arguments;
  launch.argument_count = 2;
  EXPECT_EQ(runtime->launch(kernel, &launch, nullptr), TEGULA_RESULT_OK);
  EXPECT_TRUE(host.reports.empty()) << host.reports[0];
  int32_t result[4] = {};
  ASSERT_EQ(runtime->read_buffer(nullptr, out, 0, result, sizeof result, nullptr), TEGULA_RESULT_OK);
  EXPECT_EQ(result[3], 103);

  std::string printed;
  auto sink = stamped<tegula_print_sink_t>();
  sink.user = &printed;
  sink.write = [](void *user, const tegula_print_t *print) {
    *static_cast<std::string *>(user) += std::to_string(print->program_x) + ":" + std::string(view(print->text)) + "@" +
                                         std::to_string(print->line) + " ";
  };
  ASSERT_EQ(runtime->drain_prints(device, &sink, nullptr), TEGULA_RESULT_OK);
  EXPECT_EQ(printed, "0:v 100@9 1:v 101@9 2:v 102@9 3:v 103@9 ");

  // One program too many, with packed arguments.
  uint64_t address = 0;
  ASSERT_EQ(runtime->get_buffer_address(out, &address, nullptr), TEGULA_RESULT_OK);
  uint8_t packed[12];
  const uint32_t n = 7;
  std::memcpy(packed, &address, 8);
  std::memcpy(packed + 8, &n, 4);
  launch.arguments = nullptr;
  launch.packed = {packed, sizeof packed};
  launch.grid_x = 5;
  tegula_error_t *error = nullptr;
  EXPECT_EQ(runtime->launch(kernel, &launch, &error), TEGULA_RESULT_SANITIZER);
  ASSERT_NE(error, nullptr);
  error->destroy(error);
  ASSERT_EQ(host.reports.size(), 1u);
  EXPECT_EQ(host.reports[0],
            "S1002 kernel.py:9 write to element 4 of 'out_ptr' (4 elements of 4 bytes) is out of bounds");
  runtime->destroy_buffer(out);
  runtime->unload(kernel);
}

TEST_F(PluginTest, TakesLanguageDefaultsOfAnotherTarget) {
  const auto languageOf = [&](const std::string &as) {
    host.as = as;
    tegula_context_t *other = nullptr;
    EXPECT_EQ(compiler->create_context(&host.table, &other, nullptr), TEGULA_RESULT_OK);
    auto facts = stamped<tegula_facts_t>();
    std::string text;
    if (const tegula_result_t result = compiler->get_facts(other, "reference", 9, &facts, nullptr); result != TEGULA_RESULT_OK) {
      compiler->destroy_context(other);
      return "failed with " + std::to_string(result);
    }
    for (uint64_t i = 0; i < facts.root->children_count; ++i)
      if (const tegula_node_t &child = facts.root->children[i]; view(child.key) == "language")
        for (uint64_t j = 0; j < 3; ++j)
          text += std::string(view(child.children[j].key)) + "=" + std::string(view(child.children[j].text)) + " ";
    compiler->destroy_context(other);
    return text;
  };
  EXPECT_EQ(languageOf(""), "backend=cuda arch=90 dot_precision=ieee ");
  EXPECT_EQ(languageOf("nvptx:sm_80a"), "backend=cuda arch=80 dot_precision=tf32 ");
  EXPECT_EQ(languageOf("cuda:100:32"), "backend=cuda arch=100 dot_precision=tf32 ");
  EXPECT_EQ(languageOf("hip:gfx942:64"), "backend=hip arch=gfx942 dot_precision=ieee ");
  EXPECT_EQ(languageOf("no_such:target"), "failed with " + std::to_string(TEGULA_RESULT_INVALID_ARGUMENT));
}

TEST_F(PluginTest, ReadsAndWritesStayInside) {
  openDevice();
  tegula_buffer_t *small = buffer(8, "small", TEGULA_BUFFER_FLAGS_NONE);
  uint64_t value = 0;
  EXPECT_EQ(runtime->fill_buffer(nullptr, small, 0, 8, 0x11, nullptr), TEGULA_RESULT_OK);
  EXPECT_EQ(runtime->read_buffer(nullptr, small, 4, &value, 4, nullptr), TEGULA_RESULT_OK);
  EXPECT_EQ(value, 0x11111111u);
  EXPECT_EQ(runtime->write_buffer(nullptr, small, 4, &value, 8, nullptr), TEGULA_RESULT_INVALID_ARGUMENT);
  EXPECT_EQ(runtime->copy_buffer(nullptr, small, 0, small, 4, 4, nullptr), TEGULA_RESULT_OK);
  runtime->destroy_buffer(small);
}

TEST_F(PluginTest, RefusesWithDiagnostics) {
  TestModule m;
  write(m);
  Compiled compiled;
  EXPECT_EQ(compile(m, "colour", "green", compiled), TEGULA_RESULT_COMPILE_FAILED);
  ASSERT_EQ(host.reports.size(), 1u);
  EXPECT_NE(host.reports[0].find("P1006"), std::string::npos) << host.reports[0];
  EXPECT_EQ(compile(m, "nan", "maybe", compiled), TEGULA_RESULT_COMPILE_FAILED);
  EXPECT_EQ(compile(m, "", "", compiled, "referee"), TEGULA_RESULT_NOT_FOUND);
  EXPECT_EQ(compile(m, "sanitize", "0", compiled), TEGULA_RESULT_OK);
  EXPECT_FALSE(compiled.sanitize);
}

} // namespace
