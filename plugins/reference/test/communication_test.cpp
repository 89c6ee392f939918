// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that wait for each other, and modules that are damaged.
#include "plugins/reference/exec/artifact.h"
#include "plugins/reference/test/test_kernel.h"

#include <atomic>
#include <random>

using namespace tegula::plugins::reference;

namespace {

uint32_t atomicAdd(TestModule &m, uint32_t pointer, uint64_t value, uint32_t order = TEGULA_KIR_MEMORY_ORDER_ACQ_REL) {
  return tegula_kir_emit_atomic_rmw(m.writer, m.i32, pointer, m.constant(m.i32, value), 0,
                                    TEGULA_KIR_ATOMIC_OPERATION_ADD, order, TEGULA_KIR_MEMORY_SCOPE_GPU);
}

TEST(Communication, BarrierOfTheWholeGrid) {
  // x[pid] = pid; all arrive and wait for the others; out[pid] = x[n - 1 - pid].
  TestModule m;
  const Ids p =
      m.kernel({{"x_ptr", m.pointer(m.i32)}, {"arrived_ptr", m.pointer(m.i32)}, {"out_ptr", m.pointer(m.i32)}});
  const uint32_t pid = m.pid(), n = tegula_kir_emit_num_programs(m.writer, m.i32, 0);
  m.store(m.scalarAddress(m.i32, p[0], pid), pid);
  atomicAdd(m, p[1], 1);
  m.whileLoop(
      m.i32, pid,
      [&](uint32_t v) {
        (void)v;
        const uint32_t count = atomicAdd(m, p[1], 0);
        return std::pair(m.less(m.i1, count, n), count);
      },
      [&](uint32_t v) { return v; });
  const uint32_t mirrored = tegula_kir_emit_subi(
      m.writer, m.i32, tegula_kir_emit_subi(m.writer, m.i32, n, m.constant(m.i32, uint64_t(1))), pid);
  m.store(m.scalarAddress(m.i32, p[2], pid), m.load(m.i32, m.scalarAddress(m.i32, p[0], mirrored)));
  m.finish();
  const auto module = m.decode();
  TestDevice device;
  const uint64_t arrived = device.upload(std::vector<int32_t>{0}), out = device.empty<int32_t>(300);
  const auto outcome = device.launch(*module, {300, 1, 1}, {device.empty<int32_t>(300), arrived, out});
  EXPECT_TRUE(outcome.findings.empty()) << listFindings(*module, outcome);
  const auto result = device.download<int32_t>(out, 300);
  for (int32_t i = 0; i < 300; ++i)
    ASSERT_EQ(result[size_t(i)], 299 - i);
}

TEST(Communication, SpinningOnAVolatileLoad) {
  // Program 1 raises the flag by an atomic; program 0 waits for it with volatile loads.
  TestModule m;
  const Ids p = m.kernel({{"flag_ptr", m.pointer(m.i32)}, {"out_ptr", m.pointer(m.i32)}});
  const uint32_t pid = m.pid(), zero = m.constant(m.i32, uint64_t(0));
  m.when(tegula_kir_emit_cmpi(m.writer, m.i1, pid, zero, TEGULA_KIR_INT_PREDICATE_EQ), [&] {
    const uint32_t seen = m.whileLoop(
        m.i32, zero,
        [&](uint32_t v) {
          (void)v;
          const uint32_t flag = tegula_kir_emit_load(m.writer, m.i32, p[0], 0, 0, 0, 0, 1);
          return std::pair(tegula_kir_emit_cmpi(m.writer, m.i1, flag, zero, TEGULA_KIR_INT_PREDICATE_EQ), flag);
        },
        [&](uint32_t v) { return v; });
    m.store(p[1], seen);
  });
  m.when(tegula_kir_emit_cmpi(m.writer, m.i1, pid, zero, TEGULA_KIR_INT_PREDICATE_NE), [&] { atomicAdd(m, p[0], 5); });
  m.finish();
  const auto module = m.decode();
  TestDevice device;
  const uint64_t out = device.empty<int32_t>(1);
  const auto outcome = device.launch(*module, {2, 1, 1}, {device.upload(std::vector<int32_t>{0}), out});
  EXPECT_TRUE(outcome.findings.empty()) << listFindings(*module, outcome);
  EXPECT_EQ(device.download<int32_t>(out, 1)[0], 5);
}

TEST(Communication, PollingForAPlainStore) {
  // As decoupled look-back does: program 0 waits with volatile loads for a word that program 1 stores.
  TestModule m;
  const Ids p = m.kernel({{"flag_ptr", m.pointer(m.i32)}, {"out_ptr", m.pointer(m.i32)}});
  const uint32_t pid = m.pid(), zero = m.constant(m.i32, uint64_t(0));
  m.when(tegula_kir_emit_cmpi(m.writer, m.i1, pid, zero, TEGULA_KIR_INT_PREDICATE_EQ), [&] {
    const uint32_t seen = m.whileLoop(
        m.i32, zero,
        [&](uint32_t v) {
          (void)v;
          const uint32_t flag = tegula_kir_emit_load(m.writer, m.i32, p[0], 0, 0, 0, 0, 1);
          return std::pair(tegula_kir_emit_cmpi(m.writer, m.i1, flag, zero, TEGULA_KIR_INT_PREDICATE_EQ), flag);
        },
        [&](uint32_t v) { return v; });
    m.store(p[1], seen);
  });
  m.when(tegula_kir_emit_cmpi(m.writer, m.i1, pid, zero, TEGULA_KIR_INT_PREDICATE_NE), [&] { m.store(p[0], m.constant(m.i32, uint64_t(7))); });
  m.finish();
  const auto module = m.decode();
  TestDevice device;
  const uint64_t out = device.empty<int32_t>(1);
  const auto outcome = device.launch(*module, {2, 1, 1}, {device.upload(std::vector<int32_t>{0}), out});
  EXPECT_TRUE(outcome.findings.empty()) << listFindings(*module, outcome);
  EXPECT_EQ(device.download<int32_t>(out, 1)[0], 7);
}

TEST(Communication, CancelledWhileAProgramRuns) {
  TestModule m;
  m.kernel({});
  m.whileLoop(
      m.i32, m.constant(m.i32, uint64_t(0)), [&](uint32_t v) { return std::pair(m.constant(m.i1, uint64_t(1)), v); },
      [&](uint32_t v) { return v; });
  m.finish();
  const auto module = m.decode();
  TestDevice device;
  LaunchRequest request;
  request.module = module.get();
  request.kernel = module->kernel("kernel");
  request.grid = {4, 1, 1};
  std::atomic<int> asked = 0;
  request.cancelled = [&] { return ++asked > 3; };
  const LaunchOutcome outcome = launchKernel(device.memory, request);
  EXPECT_TRUE(outcome.cancelled);
  EXPECT_TRUE(outcome.findings.empty()) << listFindings(*module, outcome);
}

/// Runs `module` as it is and damaged in one word at a time, as far as it still loads.
void runDamaged(TestModule &m, int rounds) {
  const uint8_t *bytes = nullptr;
  size_t size = 0;
  tegula_kir_error_t error{};
  ASSERT_EQ(tegula_kir_writer_finish(m.writer, &bytes, &size, &error), TEGULA_KIR_OK) << error.message;
  std::mt19937 random(5);
  int ran = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<uint32_t> words(size / 4);
    std::memcpy(words.data(), bytes, size);
    if (round) {
      uint32_t &word = words[6 + random() % (words.size() - 6)];
      word = random() % 2 ? word ^ (1u << random() % 32) : word + random() % 3 - 1;
    }
    Artifact artifact;
    ArtifactError refusal;
    if (!loadArtifact(words.data(), size, "", artifact, refusal)) {
      ASSERT_FALSE(refusal.code.empty());
      ASSERT_NE(round, 0) << refusal.message;
      continue;
    }
    TestDevice device;
    device.options.threads = 1;
    LaunchRequest request;
    request.module = artifact.module.get();
    request.kernel = artifact.kernel;
    request.grid = {2, 1, 1};
    request.options.maxSteps = 500;
    for (const Parameter &parameter : artifact.kernel->parameters)
      request.arguments.push_back(parameter.type->kind != Kind::Pointer ? 8
                                  : random() % 2                        ? device.upload(std::vector<float>(8, 1))
                                                                        : device.empty<float>(8));
    launchKernel(device.memory, request);
    ++ran;
  }
  EXPECT_GT(ran, rounds / 50);
}

TEST(Communication, DamagedModulesNeitherCrashNorEscape) {
  TestModule m;
  const uint32_t sum = m.floatCombine(tegula_kir_emit_addf);
  const Ids p = m.kernel({{"x_ptr", m.pointer(m.f32)}, {"out_ptr", m.pointer(m.f32)}, {"n", m.i32}});
  const uint32_t floats = m.tensor(m.f32, {16}), square = m.tensor(m.f32, {4, 4});
  const uint32_t mask = m.less(m.tensor(m.i1, {16}), m.range(16), m.splat(m.i32, 16, p[2]));
  const uint32_t x = m.load(floats, m.address(m.f32, 16, p[0], m.range(16)), mask);
  const uint32_t matrix = tegula_kir_emit_reshape(m.writer, square, x, 0), zero = m.constant(m.i32, uint64_t(0));
  const uint32_t product = m.loop(zero, p[2], {square}, {matrix}, [&](uint32_t, const Ids &acc) {
    return Ids{tegula_kir_emit_dot(m.writer, square, matrix, matrix, acc[0], 0, 0, 1, 1)};
  })[0];
  const uint32_t total = m.reduce({m.f32}, sum, {m.reduce({m.tensor(m.f32, {4})}, sum, {product}, 1)[0]}, 0)[0];
  const uint32_t running = m.scan({floats}, sum, {x}, 0, true)[0];
  m.store(m.address(m.f32, 16, p[1], m.range(16)),
          tegula_kir_emit_addf(m.writer, floats, running, m.splat(m.f32, 16, total)), mask);
  atomicAdd(m, tegula_kir_emit_bitcast(m.writer, m.pointer(m.i32), p[1]), 0);
  m.finish();
  runDamaged(m, 4000);
}

TEST(Communication, DamagedModulesOfManyInstructions) {
  TestModule m;
  const auto [callee, c] = m.begin("f", {{"a", m.i32}}, {m.i32}, false);
  m.finish({m.mul(m.i32, c[0], c[0])});
  const Ids p = m.kernel({{"x_ptr", m.pointer(m.i32)}, {"n", m.i32}});
  tegula_kir_writer_t *w = m.writer;
  const uint32_t four = m.tensor(m.i32, {4}), eight = m.tensor(m.i32, {8}), pairs = m.tensor(m.i32, {4, 2});
  const uint32_t halves = m.tensor(m.f16, {8}), bits = m.tensor(m.i1, {8}), axes[2] = {1, 0}, zero = 0;
  const uint32_t x = m.load(eight, m.address(m.i32, 8, p[0], m.range(8)));
  const uint32_t table = tegula_kir_emit_reshape(w, pairs, x, 0);
  const uint32_t turned = tegula_kir_emit_transpose(w, m.tensor(m.i32, {2, 4}), table, axes, 2);
  uint32_t parts[2];
  tegula_kir_emit_split(w, four, four, parts, table);
  const uint32_t joined = tegula_kir_emit_concat(w, eight, parts[1], m.range(4), 0);
  const uint32_t picked = tegula_kir_emit_gather(w, eight, tegula_kir_emit_reshape(w, eight, turned, 0), joined, 0);
  const uint32_t bins = tegula_kir_emit_histogram(w, four, picked, 0);
  const uint32_t half = tegula_kir_emit_sitofp(w, halves, tegula_kir_emit_remsi(w, eight, picked, joined));
  const uint32_t root = tegula_kir_emit_math1(w, halves, half, TEGULA_KIR_MATH_FUNCTION_SQRT);
  const uint32_t small = tegula_kir_emit_cmpf(w, bits, root, half, TEGULA_KIR_FLOAT_PREDICATE_ULT);
  const uint32_t chosen = tegula_kir_emit_select(w, eight, small, tegula_kir_emit_fptosi(w, eight, root),
                                                 tegula_kir_emit_absi(w, eight, x));
  const uint32_t column = tegula_kir_emit_expand_dims(w, m.tensor(m.i32, {4, 1}), bins, 1);
  const uint32_t wide = tegula_kir_emit_broadcast(w, pairs, column);
  const uint32_t last = m.whileLoop(
      m.i32, p[1], [&](uint32_t v) { return std::pair(m.less(m.i1, m.constant(m.i32, uint64_t(2)), v), v); },
      [&](uint32_t v) { return tegula_kir_emit_shrsi(w, m.i32, v, m.constant(m.i32, uint64_t(1))); });
  uint32_t called = 0;
  tegula_kir_emit_func_call(w, &m.i32, 1, &called, callee, &last, 1);
  m.when(m.less(m.i1, last, called), [&] { tegula_kir_emit_print(w, &bins, 1, "bins", 4, 1, &zero, 1); });
  tegula_kir_emit_assert(w, small, 0, "small", 5);
  tegula_kir_emit_atomic_cas(w, m.i32, p[0], called, last, TEGULA_KIR_MEMORY_ORDER_ACQ_REL,
                             TEGULA_KIR_MEMORY_SCOPE_GPU);
  m.store(m.address(m.i32, 8, p[0], chosen), tegula_kir_emit_reshape(w, eight, wide, 0), small);
  m.finish();
  runDamaged(m, 4000);
}

} // namespace
