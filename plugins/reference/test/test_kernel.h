// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests: writes one KIR module with short names, decodes it as the plugin does, and launches it on buffers of
// vectors.
#pragma once

#include "plugins/reference/exec/decode.h"
#include "plugins/reference/launch/launch.h"
#include "sdk/kir/writer.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tegula::plugins::reference {

using Ids = std::vector<uint32_t>;

/// A module being written. Every instruction gets the place "kernel.py", line `line`.
class TestModule {
public:
  TestModule() : writer(tegula_kir_writer_create(TEGULA_KIR_LEVEL_TILE, nullptr)) {
    i1 = tegula_kir_writer_int(writer, 1);
    i8 = tegula_kir_writer_int(writer, 8);
    i32 = tegula_kir_writer_int(writer, 32);
    i64 = tegula_kir_writer_int(writer, 64);
    f16 = tegula_kir_writer_float(writer, TEGULA_KIR_FLOAT_FORMAT_F16);
    f32 = tegula_kir_writer_float(writer, TEGULA_KIR_FLOAT_FORMAT_F32);
  }
  ~TestModule() { tegula_kir_writer_destroy(writer); }
  TestModule(const TestModule &) = delete;
  TestModule &operator=(const TestModule &) = delete;

  uint32_t pointer(uint32_t element) {
    return tegula_kir_writer_pointer(writer, element, TEGULA_KIR_ADDRESS_SPACE_GLOBAL);
  }
  uint32_t tensor(uint32_t element, Ids shape) {
    return tegula_kir_writer_tensor(writer, element, shape.data(), uint32_t(shape.size()));
  }

  /// Begins a function and returns its id and the ids of its parameters.
  std::pair<uint32_t, Ids> begin(const std::string &name, std::vector<std::pair<std::string, uint32_t>> params,
                                 Ids results, bool kernel, uint64_t divisibility = 1) {
    Ids types;
    for (auto &param : params)
      types.push_back(param.second);
    const uint32_t type = tegula_kir_writer_function(writer, types.data(), uint32_t(types.size()), results.data(),
                                                     uint32_t(results.size()));
    const uint32_t id = tegula_kir_writer_new_id(writer);
    tegula_kir_writer_begin_function(writer, id, type, name.data(), uint32_t(name.size()),
                                     kernel ? TEGULA_KIR_FUNCTION_FLAGS_KERNEL : TEGULA_KIR_FUNCTION_FLAGS_NONE);
    Ids values;
    for (auto &[paramName, paramType] : params)
      values.push_back(
          tegula_kir_emit_func_param(writer, paramType, paramName.data(), uint32_t(paramName.size()), divisibility, 0));
    return {id, values};
  }
  Ids kernel(std::vector<std::pair<std::string, uint32_t>> params, uint64_t divisibility = 1) {
    at(1);
    return begin("kernel", std::move(params), {}, true, divisibility).second;
  }
  void finish(Ids values = {}) {
    tegula_kir_emit_func_return(writer, values.data(), uint32_t(values.size()));
    tegula_kir_emit_func_end(writer);
  }
  void at(uint32_t line) {
    tegula_kir_writer_set_place(writer, tegula_kir_writer_place(writer, "kernel.py", 9, line, 5, 20, 0));
  }

  uint32_t constant(uint32_t type, uint64_t bits) { return tegula_kir_emit_const(writer, type, bits); }
  uint32_t constant(uint32_t type, float value) { return constant(type, uint64_t(std::bit_cast<uint32_t>(value))); }
  uint32_t pid(uint32_t axis = 0) { return tegula_kir_emit_program_id(writer, i32, axis); }
  uint32_t range(uint32_t n) { return tegula_kir_emit_arange(writer, tensor(i32, {n}), 0, int32_t(n)); }
  uint32_t splat(uint32_t element, uint32_t n, uint32_t value) {
    return tegula_kir_emit_splat(writer, tensor(element, {n}), value);
  }
  uint32_t add(uint32_t type, uint32_t a, uint32_t b) { return tegula_kir_emit_addi(writer, type, a, b); }
  uint32_t mul(uint32_t type, uint32_t a, uint32_t b) { return tegula_kir_emit_muli(writer, type, a, b); }
  uint32_t less(uint32_t type, uint32_t a, uint32_t b) {
    return tegula_kir_emit_cmpi(writer, type, a, b, TEGULA_KIR_INT_PREDICATE_SLT);
  }
  /// base + offsets for tensors of n.
  uint32_t address(uint32_t element, uint32_t n, uint32_t base, uint32_t offsets) {
    return tegula_kir_emit_addptr(writer, tensor(pointer(element), {n}), splat(pointer(element), n, base), offsets, 0);
  }
  uint32_t scalarAddress(uint32_t element, uint32_t base, uint32_t offset) {
    return tegula_kir_emit_addptr(writer, pointer(element), base, offset, 0);
  }
  uint32_t load(uint32_t type, uint32_t pointers, uint32_t mask = 0, uint32_t other = 0) {
    return tegula_kir_emit_load(writer, type, pointers, mask, other, 0, 0, 0);
  }
  void store(uint32_t pointers, uint32_t value, uint32_t mask = 0) {
    tegula_kir_emit_store(writer, pointers, value, mask, 0, 0);
  }
  Ids reduce(Ids types, uint32_t combine, Ids values, uint32_t axis) {
    Ids results(types.size());
    tegula_kir_emit_reduce(writer, types.data(), uint32_t(types.size()), results.data(), combine, values.data(),
                           uint32_t(values.size()), axis);
    return results;
  }
  Ids scan(Ids types, uint32_t combine, Ids values, uint32_t axis, bool reverse) {
    Ids results(types.size());
    tegula_kir_emit_scan(writer, types.data(), uint32_t(types.size()), results.data(), combine, values.data(),
                         uint32_t(values.size()), axis, reverse);
    return results;
  }
  /// for i in [lower, upper) step 1 with carried values: `body(i, iters)` returns the next ones.
  template <class Body> Ids loop(uint32_t lower, uint32_t upper, Ids types, Ids inits, Body body) {
    const uint32_t one = constant(i32, uint64_t(1)), induction = tegula_kir_writer_new_id(writer);
    Ids iters, pairs, results(types.size());
    for (uint32_t type : types) {
      iters.push_back(tegula_kir_writer_new_id(writer));
      pairs.push_back(type);
      pairs.push_back(iters.back());
    }
    tegula_kir_emit_cf_for(writer, types.data(), uint32_t(types.size()), results.data(), lower, upper, one,
                           inits.data(), uint32_t(inits.size()), i32, induction, pairs.data(), uint32_t(iters.size()),
                           0, 0, 0);
    const Ids next = body(induction, iters);
    tegula_kir_emit_cf_yield(writer, next.data(), uint32_t(next.size()));
    tegula_kir_emit_cf_end(writer);
    return results;
  }
  /// while (condition) body, with one carried value. `test(v)` gives (condition, value passed on).
  template <class Test, class Body> uint32_t whileLoop(uint32_t type, uint32_t init, Test test, Body body) {
    const uint32_t before[2] = {type, tegula_kir_writer_new_id(writer)},
                   after[2] = {type, tegula_kir_writer_new_id(writer)};
    uint32_t result = 0;
    tegula_kir_emit_cf_while(writer, &type, 1, &result, &init, 1, before, 1);
    const auto [condition, passed] = test(before[1]);
    tegula_kir_emit_cf_condition(writer, condition, &passed, 1);
    tegula_kir_emit_cf_do(writer, after, 1);
    const uint32_t next = body(after[1]);
    tegula_kir_emit_cf_yield(writer, &next, 1);
    tegula_kir_emit_cf_end(writer);
    return result;
  }
  template <class Then> void when(uint32_t condition, Then then) {
    tegula_kir_emit_cf_if(writer, nullptr, 0, nullptr, condition);
    then();
    tegula_kir_emit_cf_yield(writer, nullptr, 0);
    tegula_kir_emit_cf_end(writer);
  }

  /// (a, b) -> a + b, or another float operation of two.
  uint32_t floatCombine(uint32_t (*emit)(tegula_kir_writer_t *, uint32_t, uint32_t, uint32_t)) {
    const auto [id, p] = begin("combine", {{"a", f32}, {"b", f32}}, {f32}, false);
    finish({emit(writer, f32, p[0], p[1])});
    return id;
  }

  std::unique_ptr<Module> decode() {
    const uint8_t *bytes = nullptr;
    size_t size = 0;
    tegula_kir_error_t error{};
    EXPECT_EQ(tegula_kir_writer_finish(writer, &bytes, &size, &error), TEGULA_KIR_OK) << error.message;
    tegula_kir_module_t *read = nullptr;
    EXPECT_EQ(tegula_kir_read(bytes, size, nullptr, &read, &error), TEGULA_KIR_OK) << error.message;
    if (!read)
      return nullptr;
    EXPECT_EQ(tegula_kir_verify(read, &error), TEGULA_KIR_OK) << error.message;
    DecodeError failure;
    auto module = decodeModule(*read, failure);
    tegula_kir_free(read);
    EXPECT_NE(module, nullptr) << failure.message;
    return module;
  }

  tegula_kir_writer_t *writer;
  uint32_t i1, i8, i32, i64, f16, f32;
};

/// Buffers and launches.
class TestDevice {
public:
  template <class T> uint64_t upload(const std::vector<T> &values) {
    const uint64_t address = memory.allocate(values.size() * sizeof(T));
    std::memcpy(memory.bytesAt(address, 0), values.data(), values.size() * sizeof(T));
    return address;
  }
  /// A buffer with undefined contents.
  template <class T> uint64_t empty(size_t n) {
    const uint64_t address = memory.allocate(n * sizeof(T));
    memory.watch(address, true, false, false);
    return address;
  }
  template <class T> std::vector<T> download(uint64_t address, size_t n) {
    std::vector<T> values(n);
    std::memcpy(values.data(), memory.bytesAt(address, n * sizeof(T)), n * sizeof(T));
    return values;
  }
  LaunchOutcome launch(const Module &module, std::array<uint32_t, 3> grid, std::vector<uint64_t> arguments) {
    LaunchRequest request;
    request.module = &module;
    request.kernel = module.kernel("kernel");
    request.grid = grid;
    request.arguments = std::move(arguments);
    request.options = options;
    return launchKernel(memory, request);
  }

  DeviceMemory memory;
  LaunchOptions options;
};

inline uint64_t asBits(float value) { return std::bit_cast<uint32_t>(value); }

/// "S1001@7 ..." of every finding, for messages of failing tests.
inline std::string listFindings(const Module &module, const LaunchOutcome &outcome) {
  std::string text;
  for (const Finding &finding : outcome.findings)
    text += std::string(infoOf(finding.kind).code) + "@" + std::to_string(module.locations[finding.location].line) +
            " x" + std::to_string(finding.count) + " " + finding.message + "\n";
  return text;
}

} // namespace tegula::plugins::reference
