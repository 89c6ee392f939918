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

TEST(Communication, DamagedModulesNeitherCrashNorEscape) {
  // A kernel with most kinds of instruction, damaged in one word at a time; what still loads is run.
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
  const uint8_t *bytes = nullptr;
  size_t size = 0;
  tegula_kir_error_t error{};
  ASSERT_EQ(tegula_kir_writer_finish(m.writer, &bytes, &size, &error), TEGULA_KIR_OK);
  std::mt19937 random(5);
  uint32_t ran = 0;
  for (int round = 0; round < 4000; ++round) {
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
  EXPECT_GT(ran, 100u);
}

} // namespace
