// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole kernels: control flow, reductions, scans, products, shapes, and the same results for any number of threads.
#include "plugins/reference/test/test_kernel.h"

#include <chrono>
#include <cmath>
#include <numeric>

using namespace tegula::plugins::reference;

namespace {

constexpr uint32_t kBlock = 64;

/// out[i] = x[i] + y[i] for i < n, blocks of 64.
std::unique_ptr<Module> addModule() {
  TestModule m;
  const Ids p =
      m.kernel({{"x_ptr", m.pointer(m.f32)}, {"y_ptr", m.pointer(m.f32)}, {"out_ptr", m.pointer(m.f32)}, {"n", m.i32}});
  const uint32_t ints = m.tensor(m.i32, {kBlock}), floats = m.tensor(m.f32, {kBlock});
  const uint32_t start = m.mul(m.i32, m.pid(), m.constant(m.i32, uint64_t(kBlock)));
  const uint32_t offsets = m.add(ints, m.splat(m.i32, kBlock, start), m.range(kBlock));
  const uint32_t mask = m.less(m.tensor(m.i1, {kBlock}), offsets, m.splat(m.i32, kBlock, p[3]));
  const uint32_t x = m.load(floats, m.address(m.f32, kBlock, p[0], offsets), mask);
  const uint32_t y = m.load(floats, m.address(m.f32, kBlock, p[1], offsets), mask);
  m.store(m.address(m.f32, kBlock, p[2], offsets), tegula_kir_emit_addf(m.writer, floats, x, y), mask);
  m.finish();
  return m.decode();
}

TEST(Execution, MaskedVectorAdd) {
  const auto module = addModule();
  const uint32_t n = 1000;
  std::vector<float> x(n), y(n);
  std::iota(x.begin(), x.end(), 0.0f);
  std::iota(y.begin(), y.end(), 0.5f);
  for (uint32_t threads : {1u, 2u, 5u}) {
    TestDevice device;
    device.options.threads = threads;
    const uint64_t out = device.empty<float>(n);
    ASSERT_TRUE(device.memory.watch(out, true, true, false));
    const auto outcome =
        device.launch(*module, {(n + kBlock - 1) / kBlock, 1, 1}, {device.upload(x), device.upload(y), out, n});
    EXPECT_TRUE(outcome.findings.empty()) << listFindings(*module, outcome);
    const auto result = device.download<float>(out, n);
    for (uint32_t i = 0; i < n; ++i)
      ASSERT_EQ(result[i], 2.0f * i + 0.5f);
  }
}

TEST(Execution, EmptyGridRunsNothing) {
  const auto module = addModule();
  TestDevice device;
  EXPECT_TRUE(device.launch(*module, {0, 1, 1}, {0, 0, 0, 0}).findings.empty());
}

TEST(Execution, PointersIntoTheMiddleAndSharedBuffers) {
  const auto module = addModule();
  TestDevice device;
  std::vector<float> data(256);
  std::iota(data.begin(), data.end(), 0.0f);
  const uint64_t buffer = device.upload(data);
  const auto outcome = device.launch(*module, {1, 1, 1}, {buffer + 4, buffer + 8, buffer + 4 * 128, 60});
  EXPECT_TRUE(outcome.findings.empty()) << listFindings(*module, outcome);
  EXPECT_EQ(device.download<float>(buffer, 256)[128 + 10], 11.0f + 12.0f);
}

TEST(Execution, RegisteredHostMemory) {
  const auto module = addModule();
  TestDevice device;
  alignas(16) float all[12] = {1, 2, 3, 4, 10, 20, 30, 40}; // three buffers that touch
  float *x = all, *y = all + 4, *out = all + 8;
  for (float *host : {x, y, out})
    device.memory.adopt(host, 16);
  const auto address = [](float *host) { return reinterpret_cast<uint64_t>(host); };
  const auto outcome = device.launch(*module, {1, 1, 1}, {address(x), address(y), address(out), 4});
  EXPECT_TRUE(outcome.findings.empty()) << listFindings(*module, outcome);
  EXPECT_EQ(out[3], 44.0f);
}

/// Row-wise softmax, one row of `columns` per program.
std::unique_ptr<Module> softmaxModule(uint32_t columns) {
  TestModule m;
  const uint32_t maximum = m.floatCombine(tegula_kir_emit_maximumf), sum = m.floatCombine(tegula_kir_emit_addf);
  const Ids p = m.kernel({{"x_ptr", m.pointer(m.f32)}, {"out_ptr", m.pointer(m.f32)}, {"n", m.i32}});
  const uint32_t floats = m.tensor(m.f32, {columns}), ints = m.tensor(m.i32, {columns});
  const uint32_t offsets = m.add(ints, m.splat(m.i32, columns, m.mul(m.i32, m.pid(), p[2])), m.range(columns));
  const uint32_t mask = m.less(m.tensor(m.i1, {columns}), m.range(columns), m.splat(m.i32, columns, p[2]));
  const uint32_t x = m.load(floats, m.address(m.f32, columns, p[0], offsets), mask, m.constant(floats, -INFINITY));
  const uint32_t top = m.reduce({m.f32}, maximum, {x}, 0)[0];
  const uint32_t shifted = tegula_kir_emit_subf(m.writer, floats, x, m.splat(m.f32, columns, top));
  const uint32_t exponents = tegula_kir_emit_math1(m.writer, floats, shifted, TEGULA_KIR_MATH_FUNCTION_EXP);
  const uint32_t total = m.reduce({m.f32}, sum, {exponents}, 0)[0];
  m.store(m.address(m.f32, columns, p[1], offsets),
          tegula_kir_emit_divf(m.writer, floats, exponents, m.splat(m.f32, columns, total)), mask);
  m.finish();
  return m.decode();
}

TEST(Execution, Softmax) {
  const uint32_t rows = 9, n = 200;
  const auto module = softmaxModule(256);
  TestDevice device;
  std::vector<float> x(rows * n);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = float(std::sin(double(i)) * 5);
  const uint64_t out = device.empty<float>(rows * n);
  const auto outcome = device.launch(*module, {rows, 1, 1}, {device.upload(x), out, n});
  EXPECT_TRUE(outcome.findings.empty()) << listFindings(*module, outcome);
  const auto result = device.download<float>(out, rows * n);
  for (uint32_t row = 0; row < rows; ++row) {
    double top = -INFINITY, total = 0;
    for (uint32_t i = 0; i < n; ++i)
      top = std::fmax(top, x[row * n + i]);
    for (uint32_t i = 0; i < n; ++i)
      total += std::exp(x[row * n + i] - top);
    for (uint32_t i = 0; i < n; ++i)
      ASSERT_NEAR(result[row * n + i], std::exp(x[row * n + i] - top) / total, 1e-6);
  }
}

TEST(Execution, LargeSoftmaxIsQuickEnough) {
  const uint32_t rows = 256, n = 8192;
  const auto module = softmaxModule(n);
  TestDevice device;
  const uint64_t x = device.upload(std::vector<float>(size_t(rows) * n, 0.25f)),
                 out = device.empty<float>(size_t(rows) * n);
  const auto begin = std::chrono::steady_clock::now();
  const auto outcome = device.launch(*module, {rows, 1, 1}, {x, out, n});
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_FALSE(outcome.failed) << listFindings(*module, outcome);
  RecordProperty("milliseconds", int(seconds * 1000));
  EXPECT_LT(seconds, 5.0); // a sixteenth of the 4096 rows that have to be done in that time on two quiet cores
}

TEST(Execution, ReduceIsATreeOfNeighbours) {
  TestModule m;
  const uint32_t sum = m.floatCombine(tegula_kir_emit_addf);
  const Ids p = m.kernel({{"x_ptr", m.pointer(m.f32)}, {"out_ptr", m.pointer(m.f32)}});
  const uint32_t x = m.load(m.tensor(m.f32, {4}), m.address(m.f32, 4, p[0], m.range(4)));
  m.store(p[1], m.reduce({m.f32}, sum, {x}, 0)[0]);
  m.finish();
  const auto module = m.decode();
  TestDevice device;
  const std::vector<float> x4{0x1p24f, 1, 1, 1};
  const uint64_t out = device.empty<float>(1);
  device.launch(*module, {1, 1, 1}, {device.upload(x4), out});
  EXPECT_EQ(device.download<float>(out, 1)[0], (x4[0] + x4[1]) + (x4[2] + x4[3])); // not the sum from left to right
}

TEST(Execution, ReduceOverEachAxisWithIndex) {
  // argmax along axis 0 of a 4 x 8 tensor; ties go to the smaller index.
  TestModule m;
  const auto [combine, c] =
      m.begin("combine", {{"a", m.f32}, {"i", m.i32}, {"b", m.f32}, {"j", m.i32}}, {m.f32, m.i32}, false);
  const uint32_t greater = tegula_kir_emit_cmpf(m.writer, m.i1, c[0], c[2], TEGULA_KIR_FLOAT_PREDICATE_OGE);
  m.finish({tegula_kir_emit_select(m.writer, m.f32, greater, c[0], c[2]),
            tegula_kir_emit_select(m.writer, m.i32, greater, c[1], c[3])});
  const Ids p = m.kernel({{"x_ptr", m.pointer(m.f32)}, {"out_ptr", m.pointer(m.i32)}});
  const uint32_t square = m.tensor(m.f32, {4, 8});
  const uint32_t flat = m.load(m.tensor(m.f32, {32}), m.address(m.f32, 32, p[0], m.range(32)));
  const uint32_t x = tegula_kir_emit_reshape(m.writer, square, flat, 0);
  const uint32_t rows = tegula_kir_emit_broadcast(
      m.writer, m.tensor(m.i32, {4, 8}), tegula_kir_emit_expand_dims(m.writer, m.tensor(m.i32, {4, 1}), m.range(4), 1));
  const Ids best = m.reduce({m.tensor(m.f32, {8}), m.tensor(m.i32, {8})}, combine, {x, rows}, 0);
  m.store(m.address(m.i32, 8, p[1], m.range(8)), best[1]);
  m.finish();
  const auto module = m.decode();
  TestDevice device;
  std::vector<float> values(32);
  for (uint32_t i = 0; i < 32; ++i)
    values[i] = float((i / 8) == (i % 8) % 4 ? 10 : 1);
  values[1] = 10; // column 1: rows 0 and 1
  const uint64_t out = device.empty<int32_t>(8);
  const auto outcome = device.launch(*module, {1, 1, 1}, {device.upload(values), out});
  EXPECT_TRUE(outcome.findings.empty()) << listFindings(*module, outcome);
  EXPECT_EQ(device.download<int32_t>(out, 8), (std::vector<int32_t>{0, 0, 2, 3, 0, 1, 2, 3}));
}

TEST(Execution, ScanBothWays) {
  for (bool reverse : {false, true}) {
    TestModule m;
    const auto [combine, c] = m.begin("combine", {{"a", m.i32}, {"b", m.i32}}, {m.i32}, false);
    m.finish({m.add(m.i32, c[0], c[1])});
    const Ids p = m.kernel({{"out_ptr", m.pointer(m.i32)}});
    const uint32_t ints = m.tensor(m.i32, {16}), table = m.tensor(m.i32, {8, 2});
    const uint32_t x = tegula_kir_emit_reshape(m.writer, table, m.range(16), 0);
    const uint32_t sums = m.scan({table}, combine, {x}, 0, reverse)[0];
    m.store(m.address(m.i32, 16, p[0], m.range(16)), tegula_kir_emit_reshape(m.writer, ints, sums, 0));
    m.finish();
    const auto module = m.decode();
    TestDevice device;
    const uint64_t out = device.empty<int32_t>(16);
    device.launch(*module, {1, 1, 1}, {out});
    const auto result = device.download<int32_t>(out, 16);
    for (int32_t row = 0; row < 8; ++row)
      for (int32_t column = 0; column < 2; ++column) {
        int32_t expected = 0;
        for (int32_t i = reverse ? row : 0; i <= (reverse ? 7 : row); ++i)
          expected += 2 * i + column;
        ASSERT_EQ(result[size_t(row * 2 + column)], expected) << reverse;
      }
  }
}

TEST(Execution, CombineFunctionThatBranches) {
  // combine(a, b) = a < b ? b : a, written with an if: it cannot run on many lanes at once.
  TestModule m;
  const auto [combine, c] = m.begin("combine", {{"a", m.i32}, {"b", m.i32}}, {m.i32}, false);
  uint32_t larger = 0;
  tegula_kir_emit_cf_if(m.writer, &m.i32, 1, &larger, m.less(m.i1, c[0], c[1]));
  tegula_kir_emit_cf_yield(m.writer, &c[1], 1);
  tegula_kir_emit_cf_else(m.writer);
  tegula_kir_emit_cf_yield(m.writer, &c[0], 1);
  tegula_kir_emit_cf_end(m.writer);
  m.finish({larger});
  const Ids p = m.kernel({{"x_ptr", m.pointer(m.i32)}, {"out_ptr", m.pointer(m.i32)}});
  const uint32_t x = m.load(m.tensor(m.i32, {8}), m.address(m.i32, 8, p[0], m.range(8)));
  m.store(p[1], m.reduce({m.i32}, combine, {x}, 0)[0]);
  m.finish();
  const auto module = m.decode();
  TestDevice device;
  const uint64_t out = device.empty<int32_t>(1);
  device.launch(*module, {1, 1, 1}, {device.upload(std::vector<int32_t>{3, 1, 4, 1, 5, 9, 2, 6}), out});
  EXPECT_EQ(device.download<int32_t>(out, 1)[0], 9);
}

TEST(Execution, LoopsCallsAndBranches) {
  // f(a) = 3 a + 1; v = sum of f(i) for i < n; then while v > 100: v -= 100; if pid == 1: v = -v (stored)
  TestModule m;
  const auto [f, a] = m.begin("f", {{"a", m.i32}}, {m.i32}, false);
  m.finish({m.add(m.i32, m.mul(m.i32, a[0], m.constant(m.i32, uint64_t(3))), m.constant(m.i32, uint64_t(1)))});
  const Ids p = m.kernel({{"out_ptr", m.pointer(m.i32)}, {"n", m.i32}});
  const uint32_t zero = m.constant(m.i32, uint64_t(0)), hundred = m.constant(m.i32, uint64_t(100));
  const uint32_t total = m.loop(zero, p[1], {m.i32, m.i32}, {zero, hundred}, [&](uint32_t i, const Ids &carried) {
    uint32_t value = 0;
    tegula_kir_emit_func_call(m.writer, &m.i32, 1, &value, f, &i, 1);
    return Ids{m.add(m.i32, carried[0], value), carried[0]}; // the second one lags behind: moves are simultaneous
  })[0];
  const uint32_t rest = m.whileLoop(
      m.i32, total, [&](uint32_t v) { return std::pair(m.less(m.i1, hundred, v), v); },
      [&](uint32_t v) { return tegula_kir_emit_subi(m.writer, m.i32, v, hundred); });
  const uint32_t pid = m.pid(), where = m.scalarAddress(m.i32, p[0], pid);
  m.store(where, rest);
  m.when(tegula_kir_emit_cmpi(m.writer, m.i1, pid, m.constant(m.i32, uint64_t(1)), TEGULA_KIR_INT_PREDICATE_EQ),
         [&] { m.store(where, tegula_kir_emit_subi(m.writer, m.i32, zero, rest)); });
  m.finish();
  const auto module = m.decode();
  for (int32_t n : {0, 1, 50}) {
    TestDevice device;
    const uint64_t out = device.empty<int32_t>(3);
    const auto outcome = device.launch(*module, {3, 1, 1}, {out, uint64_t(uint32_t(n))});
    EXPECT_TRUE(outcome.findings.empty()) << listFindings(*module, outcome);
    int32_t expected = 0;
    for (int32_t i = 0; i < n; ++i)
      expected += 3 * i + 1;
    while (expected > 100)
      expected -= 100;
    EXPECT_EQ(device.download<int32_t>(out, 3), (std::vector<int32_t>{expected, -expected, expected}));
  }
}

TEST(Execution, LoopToTheLargestInteger) {
  // The counter must not wrap: upper is INT_MAX and the last step lands beyond it.
  TestModule m;
  const Ids p = m.kernel({{"out_ptr", m.pointer(m.i32)}});
  const uint32_t lower = m.constant(m.i32, uint64_t(0x7ffffffd)), upper = m.constant(m.i32, uint64_t(0x7fffffff));
  const uint32_t count =
      m.loop(lower, upper, {m.i32}, {m.constant(m.i32, uint64_t(0))}, [&](uint32_t, const Ids &carried) {
        return Ids{m.add(m.i32, carried[0], m.constant(m.i32, uint64_t(1)))};
      })[0];
  m.store(p[0], count);
  m.finish();
  const auto module = m.decode();
  TestDevice device;
  const uint64_t out = device.empty<int32_t>(1);
  device.launch(*module, {1, 1, 1}, {out});
  EXPECT_EQ(device.download<int32_t>(out, 1)[0], 2);
}

TEST(Execution, MatrixProductWithTranspose) {
  // out = x @ y^T + x @ y^T (accumulated in a loop), 16 x 16
  TestModule m;
  const Ids p = m.kernel({{"x_ptr", m.pointer(m.f32)}, {"y_ptr", m.pointer(m.f32)}, {"out_ptr", m.pointer(m.f32)}});
  const uint32_t n = 16, square = m.tensor(m.f32, {n, n}), flat = m.tensor(m.f32, {n * n});
  const auto matrix = [&](uint32_t base) {
    return tegula_kir_emit_reshape(m.writer, square, m.load(flat, m.address(m.f32, n * n, base, m.range(n * n))), 0);
  };
  const uint32_t swap[2] = {1, 0};
  const uint32_t x = matrix(p[0]), y = tegula_kir_emit_transpose(m.writer, square, matrix(p[1]), swap, 2);
  const uint32_t zero = m.constant(square, 0.0f);
  const uint32_t sum = m.loop(
      m.constant(m.i32, uint64_t(0)), m.constant(m.i32, uint64_t(2)), {square}, {zero}, [&](uint32_t, const Ids &acc) {
        return Ids{tegula_kir_emit_dot(m.writer, square, x, y, acc[0], TEGULA_KIR_DOT_PRECISION_IEEE, 0, 1, 1)};
      })[0];
  m.store(m.address(m.f32, n * n, p[2], m.range(n * n)), tegula_kir_emit_reshape(m.writer, flat, sum, 0));
  m.finish();
  const auto module = m.decode();
  TestDevice device;
  std::vector<float> a(n * n), b(n * n);
  for (uint32_t i = 0; i < n * n; ++i) {
    a[i] = float(i % 7);
    b[i] = float(i % 5) - 2;
  }
  const uint64_t out = device.empty<float>(n * n);
  device.launch(*module, {1, 1, 1}, {device.upload(a), device.upload(b), out});
  const auto result = device.download<float>(out, n * n);
  for (uint32_t i = 0; i < n; ++i)
    for (uint32_t j = 0; j < n; ++j) {
      float expected = 0;
      for (uint32_t k = 0; k < n; ++k)
        expected += 2 * a[i * n + k] * b[j * n + k];
      ASSERT_EQ(result[i * n + j], expected);
    }
}

TEST(Execution, ShapesGatherAndHistogram) {
  TestModule m;
  const Ids p = m.kernel({{"out_ptr", m.pointer(m.i32)}});
  const uint32_t eight = m.tensor(m.i32, {8}), four = m.tensor(m.i32, {4}), pairs = m.tensor(m.i32, {4, 2});
  const uint32_t joined =
      tegula_kir_emit_join(m.writer, pairs, m.range(4), m.add(four, m.range(4), m.constant(four, uint64_t(10))));
  uint32_t halves[2];
  tegula_kir_emit_split(m.writer, four, four, halves, joined);
  const uint32_t both = tegula_kir_emit_concat(m.writer, eight, halves[1], halves[0], 0); // 10 11 12 13 0 1 2 3
  const uint32_t backwards = tegula_kir_emit_subi(m.writer, eight, m.constant(eight, uint64_t(7)), m.range(8));
  const uint32_t gathered = tegula_kir_emit_gather(m.writer, eight, both, backwards, 0); // 3 2 1 0 13 12 11 10
  m.store(m.address(m.i32, 8, p[0], m.range(8)), gathered);
  const uint32_t bins = tegula_kir_emit_histogram(m.writer, four, gathered, 0); // 1 1 1 1
  m.store(m.address(m.i32, 4, p[0], m.add(four, m.range(4), m.constant(four, uint64_t(8)))), bins);
  m.finish();
  const auto module = m.decode();
  TestDevice device;
  const uint64_t out = device.empty<int32_t>(12);
  const auto outcome = device.launch(*module, {1, 1, 1}, {out});
  EXPECT_TRUE(outcome.findings.empty()) << listFindings(*module, outcome);
  EXPECT_EQ(device.download<int32_t>(out, 12), (std::vector<int32_t>{3, 2, 1, 0, 13, 12, 11, 10, 1, 1, 1, 1}));
}

TEST(Execution, PrintsInOrderOfProgram) {
  TestModule m;
  m.kernel({});
  const uint32_t pid = m.pid(), isSigned = 1;
  tegula_kir_emit_print(m.writer, &pid, 1, "pid: ", 5, 0, &isSigned, 1);
  m.finish();
  const auto module = m.decode();
  TestDevice device;
  device.options.threads = 4;
  const auto outcome = device.launch(*module, {2, 50, 1}, {});
  ASSERT_EQ(outcome.printed.size(), 100u);
  EXPECT_EQ(outcome.printed[3].text, "pid: 1");
  EXPECT_EQ(outcome.printed[3].program, (std::array<uint32_t, 3>{1, 1, 0}));
}

} // namespace
