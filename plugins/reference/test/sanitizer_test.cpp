// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each finding of the sanitizer: it fires at the right line with the right words, and its near miss does not.
#include "plugins/reference/test/test_kernel.h"

#include <cmath>

using namespace tegula::plugins::reference;

namespace {

/// The only finding of a launch, or an empty one (and a failure).
Finding only(const Module &module, const LaunchOutcome &outcome) {
  EXPECT_EQ(outcome.findings.size(), 1u) << listFindings(module, outcome);
  return outcome.findings.empty() ? Finding{} : outcome.findings[0];
}

#define EXPECT_FINDING(module, outcome, expectedKind, expectedLine, words)                                             \
  do {                                                                                                                 \
    const Finding found = only(module, outcome);                                                                       \
    EXPECT_EQ(found.kind, FindingKind::expectedKind) << found.message;                                                 \
    EXPECT_EQ((module).locations[found.location].line, uint32_t(expectedLine)) << found.message;                       \
    EXPECT_NE(found.message.find(words), std::string::npos) << found.message;                                          \
  } while (false)

// A kernel that races on several threads is a race of this process too, which the thread sanitizer would report.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
constexpr uint32_t kRacyThreads[] = {1};
#else
constexpr uint32_t kRacyThreads[] = {1, 3};
#endif
#else
constexpr uint32_t kRacyThreads[] = {1, 3};
#endif

#define EXPECT_CLEAN(module, outcome) EXPECT_TRUE((outcome).findings.empty()) << listFindings(module, outcome)

/// out[8 pid + i] = x[8 pid + i], unmasked. Load on line 10, store on line 20.
std::unique_ptr<Module> copyModule() {
  TestModule m;
  const Ids p = m.kernel({{"x_ptr", m.pointer(m.i32)}, {"out_ptr", m.pointer(m.i32)}});
  const uint32_t ints = m.tensor(m.i32, {8});
  const uint32_t offsets =
      m.add(ints, m.splat(m.i32, 8, m.mul(m.i32, m.pid(), m.constant(m.i32, uint64_t(8)))), m.range(8));
  m.at(10);
  const uint32_t x = m.load(ints, m.address(m.i32, 8, p[0], offsets));
  m.at(20);
  m.store(m.address(m.i32, 8, p[1], offsets), x);
  m.finish();
  return m.decode();
}

TEST(Sanitizer, OutOfBoundsRead) {
  const auto module = copyModule();
  TestDevice device;
  const uint64_t out = device.empty<int32_t>(16);
  const auto outcome = device.launch(*module, {2, 1, 1}, {device.upload(std::vector<int32_t>(13, 5)), out});
  EXPECT_FINDING(*module, outcome, OutOfBoundsRead, 10, "element 13 of 'x_ptr' (13 elements of 4 bytes)");
  EXPECT_TRUE(outcome.failed);
  EXPECT_EQ(outcome.findings[0].count, 3u);
  EXPECT_EQ(outcome.findings[0].program, 1u);
  EXPECT_EQ(device.download<int32_t>(out, 16)[12], 5);
  EXPECT_EQ(device.download<int32_t>(out, 16)[13], 0);
  const auto good = device.launch(*module, {2, 1, 1}, {device.upload(std::vector<int32_t>(16, 5)), out});
  EXPECT_CLEAN(*module, good);
}

TEST(Sanitizer, OutOfBoundsWriteAlsoWithoutSanitizer) {
  const auto module = copyModule();
  for (bool sanitize : {true, false}) {
    TestDevice device;
    device.options.sanitize = sanitize;
    const uint64_t out = device.empty<int32_t>(9);
    const auto outcome = device.launch(*module, {2, 1, 1}, {device.upload(std::vector<int32_t>(16, 5)), out});
    EXPECT_FINDING(*module, outcome, OutOfBoundsWrite, 20, "element 9 of 'out_ptr' (9 elements");
    EXPECT_EQ(outcome.findings[0].count, 7u);
    EXPECT_EQ(device.download<int32_t>(out, 9)[8], 5);
  }
}

TEST(Sanitizer, NegativeIndex) {
  const auto module = copyModule();
  TestDevice device;
  const uint64_t x = device.upload(std::vector<int32_t>(16, 5));
  const auto outcome = device.launch(*module, {1, 1, 1}, {x - 8, device.empty<int32_t>(8)});
  EXPECT_FINDING(*module, outcome, OutOfBoundsRead, 10, "element -2 of 'x_ptr'");
  EXPECT_EQ(outcome.findings[0].count, 2u);
}

TEST(Sanitizer, MisalignedAndWildAddresses) {
  const auto module = copyModule();
  TestDevice device;
  const uint64_t x = device.upload(std::vector<int32_t>(16, 5)), out = device.empty<int32_t>(16);
  EXPECT_FINDING(*module, device.launch(*module, {1, 1, 1}, {x + 2, out}), Misaligned, 10, "byte 2 of 'x_ptr'");
  EXPECT_FINDING(*module, device.launch(*module, {1, 1, 1}, {0, out}), WildAddress, 10, "lies in no buffer");
  device.memory.release(x);
  EXPECT_FINDING(*module, device.launch(*module, {1, 1, 1}, {x, out}), WildAddress, 10, "'x_ptr', which was freed");
}

/// out[i] = x[offset(n)[i]] for a tensor offset computed by `make` on line 5; load on line 10.
template <class Make> std::unique_ptr<Module> offsetModule(Make make) {
  TestModule m;
  const Ids p = m.kernel({{"x_ptr", m.pointer(m.i32)}, {"out_ptr", m.pointer(m.i32)}, {"n", m.i32}});
  const uint32_t ints = m.tensor(m.i32, {8});
  m.at(5);
  const auto [offsets, isUnsigned, mask] = make(m, m.splat(m.i32, 8, p[2]));
  m.at(10);
  const uint32_t pointers = tegula_kir_emit_addptr(m.writer, m.tensor(m.pointer(m.i32), {8}),
                                                   m.splat(m.pointer(m.i32), 8, p[0]), offsets, isUnsigned);
  m.store(m.address(m.i32, 8, p[1], m.range(8)), m.load(ints, pointers, mask));
  m.finish();
  return m.decode();
}

struct Offsets {
  uint32_t value;
  bool isUnsigned = false;
  uint32_t mask = 0;
};

TEST(Sanitizer, OverflowThatReachesAnAddress) {
  const auto module = offsetModule([](TestModule &m, uint32_t n) {
    const uint32_t ints = m.tensor(m.i32, {8});
    return Offsets{m.add(ints, m.mul(ints, n, n), m.range(8))}; // 65536 * 65536 wraps to 0
  });
  TestDevice device;
  const uint64_t x = device.upload(std::vector<int32_t>(16, 1)), out = device.empty<int32_t>(8);
  const auto outcome = device.launch(*module, {1, 1, 1}, {x, out, 65536});
  EXPECT_FINDING(*module, outcome, WrappedAddress, 10, "element 0 of 'x_ptr'");
  ASSERT_EQ(outcome.findings[0].notes.size(), 1u);
  EXPECT_EQ(module->locations[outcome.findings[0].notes[0].location].line, 5u);
  EXPECT_CLEAN(*module, device.launch(*module, {1, 1, 1}, {x, out, 2}));
}

TEST(Sanitizer, HashesMayWrap) {
  const auto module = offsetModule([](TestModule &m, uint32_t n) {
    const uint32_t ints = m.tensor(m.i32, {8});
    const uint32_t hash = m.mul(ints, m.add(ints, n, m.range(8)), m.constant(ints, uint64_t(0x9e3779b9)));
    return Offsets{tegula_kir_emit_shrui(m.writer, ints, hash, m.constant(ints, uint64_t(28)))};
  });
  TestDevice device;
  EXPECT_CLEAN(*module, device.launch(*module, {1, 1, 1},
                                      {device.upload(std::vector<int32_t>(16, 1)), device.empty<int32_t>(8), 12345}));
}

TEST(Sanitizer, UnsignedOffsetsUseTheUnsignedRange) {
  // n + 5 leaves the signed range and is right as an unsigned number; then 2^31 is taken off again in 64 bits.
  const auto module = offsetModule([](TestModule &m, uint32_t n) {
    const uint32_t ints = m.tensor(m.i32, {8}), longs = m.tensor(m.i64, {8});
    const uint32_t sum = m.add(ints, n, m.constant(ints, uint64_t(5)));
    const uint32_t wide = tegula_kir_emit_extui(m.writer, longs, sum);
    return Offsets{tegula_kir_emit_subi(m.writer, longs, wide, m.constant(longs, uint64_t(0x80000000)))};
  });
  TestDevice device;
  EXPECT_CLEAN(*module,
               device.launch(*module, {1, 1, 1},
                             {device.upload(std::vector<int32_t>(16, 1)), device.empty<int32_t>(8), 0x7ffffffe}));
}

TEST(Sanitizer, MaskedLanesMayOverflow) {
  const auto module = offsetModule([](TestModule &m, uint32_t n) {
    const uint32_t ints = m.tensor(m.i32, {8});
    const uint32_t wrapped = m.add(ints, n, m.range(8));
    const uint32_t mask = m.less(m.tensor(m.i1, {8}), wrapped, m.constant(ints, uint64_t(0x80000000)));
    return Offsets{wrapped, false, mask}; // nothing is less than INT_MIN
  });
  TestDevice device;
  EXPECT_CLEAN(*module,
               device.launch(*module, {1, 1, 1},
                             {device.upload(std::vector<int32_t>(16, 1)), device.empty<int32_t>(8), 0x7ffffffe}));
}

/// Program p stores `value(p)` to out[index(p)] on line 30.
template <class Index, class StoredValue> std::unique_ptr<Module> storeModule(Index index, StoredValue value) {
  TestModule m;
  const Ids p = m.kernel({{"out_ptr", m.pointer(m.i8)}});
  const uint32_t pid = m.pid();
  m.at(30);
  m.store(m.scalarAddress(m.i8, p[0], index(m, pid)), tegula_kir_emit_trunci(m.writer, m.i8, value(m, pid)));
  m.finish();
  return m.decode();
}

TEST(Sanitizer, WriteWriteRace) {
  const auto zero = [](TestModule &m, uint32_t) { return m.constant(m.i32, uint64_t(0)); };
  const auto same = [](TestModule &, uint32_t pid) { return pid; };
  const auto racy = storeModule(zero, same), benign = storeModule(zero, zero), neighbours = storeModule(same, same);
  TestDevice device;
  const uint64_t out = device.empty<int8_t>(64);
  for (uint32_t threads : kRacyThreads) {
    device.options.threads = threads;
    const auto outcome = device.launch(*racy, {64, 1, 1}, {out});
    EXPECT_FINDING(*racy, outcome, Race, 30, "program 1 writes element 0 of 'out_ptr'");
    EXPECT_EQ(outcome.findings[0].count, 63u);
    EXPECT_TRUE(outcome.failed);
    const auto remark = device.launch(*benign, {64, 1, 1}, {out});
    EXPECT_FINDING(*benign, remark, SameValueRace, 30, "with the same value");
    EXPECT_FALSE(remark.failed);
    EXPECT_CLEAN(*neighbours, device.launch(*neighbours, {64, 1, 1}, {out})); // bytes of one word
  }
}

TEST(Sanitizer, ReadWriteRace) {
  // x[pid + 1] is read on line 10 and x[pid] written on line 20, in place.
  TestModule m;
  const Ids p = m.kernel({{"x_ptr", m.pointer(m.i32)}});
  const uint32_t pid = m.pid(), next = m.add(m.i32, pid, m.constant(m.i32, uint64_t(1)));
  m.at(10);
  const uint32_t x = m.load(m.i32, m.scalarAddress(m.i32, p[0], next));
  m.at(20);
  m.store(m.scalarAddress(m.i32, p[0], pid), x);
  m.finish();
  const auto module = m.decode();
  TestDevice device;
  device.options.threads = kRacyThreads[0];
  const auto outcome = device.launch(*module, {8, 1, 1}, {device.upload(std::vector<int32_t>(9, 1))});
  EXPECT_FINDING(*module, outcome, Race, 20,
                 "program 1 writes element 1 of 'x_ptr' (9 elements of 4 bytes), which program 0 reads");
  EXPECT_EQ(outcome.findings[0].count, 7u);
  EXPECT_CLEAN(*module, device.launch(*module, {1, 1, 1}, {device.upload(std::vector<int32_t>(9, 1))}));
}

/// A lock around a counter in plain memory. Orders as given; lines: 10 acquire, 20 load, 21 store, 30 release.
std::unique_ptr<Module> lockModule(uint32_t acquire, uint32_t release) {
  TestModule m;
  const Ids p = m.kernel({{"lock_ptr", m.pointer(m.i32)}, {"counter_ptr", m.pointer(m.i32)}});
  const uint32_t zero = m.constant(m.i32, uint64_t(0)), one = m.constant(m.i32, uint64_t(1));
  m.at(10);
  m.whileLoop(
      m.i32, one,
      [&](uint32_t v) {
        const uint32_t old =
            tegula_kir_emit_atomic_cas(m.writer, m.i32, p[0], zero, one, acquire, TEGULA_KIR_MEMORY_SCOPE_GPU);
        (void)v;
        return std::pair(tegula_kir_emit_cmpi(m.writer, m.i1, old, zero, TEGULA_KIR_INT_PREDICATE_NE), old);
      },
      [&](uint32_t v) { return v; });
  m.at(20);
  const uint32_t count = m.load(m.i32, p[1]);
  m.at(21);
  m.store(p[1], m.add(m.i32, count, one));
  m.at(30);
  tegula_kir_emit_atomic_rmw(m.writer, m.i32, p[0], zero, 0, TEGULA_KIR_ATOMIC_OPERATION_XCHG, release,
                             TEGULA_KIR_MEMORY_SCOPE_GPU);
  m.finish();
  return m.decode();
}

TEST(Sanitizer, LockedCounterIsNoRace) {
  const auto module = lockModule(TEGULA_KIR_MEMORY_ORDER_ACQUIRE, TEGULA_KIR_MEMORY_ORDER_RELEASE);
  TestDevice device;
  const uint64_t lock = device.upload(std::vector<int32_t>{0}), counter = device.upload(std::vector<int32_t>{0});
  const auto outcome = device.launch(*module, {100, 1, 1}, {lock, counter});
  EXPECT_CLEAN(*module, outcome);
  EXPECT_EQ(device.download<int32_t>(counter, 1)[0], 100);
}

TEST(Sanitizer, RelaxedLockIsARace) {
  const auto module = lockModule(TEGULA_KIR_MEMORY_ORDER_RELAXED, TEGULA_KIR_MEMORY_ORDER_RELEASE);
  TestDevice device;
  const uint64_t lock = device.upload(std::vector<int32_t>{0}), counter = device.upload(std::vector<int32_t>{0});
  const auto outcome = device.launch(*module, {4, 1, 1}, {lock, counter});
  ASSERT_FALSE(outcome.findings.empty());
  EXPECT_EQ(outcome.findings[0].kind, FindingKind::Race);
  EXPECT_EQ(module->locations[outcome.findings[0].location].line, 20u) << outcome.findings[0].message;
  EXPECT_EQ(device.download<int32_t>(counter, 1)[0], 4); // the interleaving still excludes
}

TEST(Sanitizer, DeadlockIsFound) {
  const auto module = lockModule(TEGULA_KIR_MEMORY_ORDER_ACQ_REL, TEGULA_KIR_MEMORY_ORDER_ACQ_REL);
  TestDevice device;
  const uint64_t lock = device.upload(std::vector<int32_t>{1}), counter = device.upload(std::vector<int32_t>{0});
  EXPECT_FINDING(*module, device.launch(*module, {2, 1, 1}, {lock, counter}), NoProgress, 10, "2 programs wait");
}

TEST(Sanitizer, EndlessLoopIsFoundAndNothingElse) {
  TestModule m;
  m.kernel({{"out_ptr", m.pointer(m.i32)}});
  m.at(7);
  m.whileLoop(
      m.i32, m.constant(m.i32, uint64_t(0)), [&](uint32_t v) { return std::pair(m.constant(m.i1, uint64_t(1)), v); },
      [&](uint32_t v) { return v; });
  m.finish();
  const auto module = m.decode();
  TestDevice device;
  device.options.maxSteps = 10000;
  const uint64_t out = device.empty<int32_t>(4);
  ASSERT_TRUE(device.memory.watch(out, false, true, false));
  EXPECT_FINDING(*module, device.launch(*module, {1, 1, 1}, {out}), StepLimit, 7, "ran 10000 instructions");
}

TEST(Sanitizer, UninitialisedIsReportedWhereItDecides) {
  const auto module = copyModule();
  TestDevice device;
  const uint64_t x = device.empty<int32_t>(8), out = device.empty<int32_t>(8);
  const auto outcome = device.launch(*module, {1, 1, 1}, {x, out});
  EXPECT_FINDING(*module, outcome, Uninitialised, 20,
                 "a stored value depends on memory that was never written, first element 0 of ");
  ASSERT_EQ(outcome.findings[0].notes.size(), 1u);
  EXPECT_EQ(module->locations[outcome.findings[0].notes[0].location].line, 10u);
}

/// v = x[i] of which only the first four elements are written; `use` gets v and 0 .. 7 (lines from 10 on).
template <class Use> std::unique_ptr<Module> partlyWrittenModule(Use use) {
  TestModule m;
  const Ids p = m.kernel({{"x_ptr", m.pointer(m.i32)}, {"out_ptr", m.pointer(m.i32)}});
  const uint32_t x = m.load(m.tensor(m.i32, {8}), m.address(m.i32, 8, p[0], m.range(8)));
  m.at(10);
  use(m, p, x, m.address(m.i32, 8, p[1], m.range(8)));
  m.finish();
  return m.decode();
}

LaunchOutcome launchPartlyWritten(const Module &module) {
  TestDevice device;
  const uint64_t x = device.empty<int32_t>(8);
  device.memory.markWritten(x, 16);
  return device.launch(module, {1, 1, 1}, {x, device.upload(std::vector<int32_t>(8, 0))});
}

TEST(Sanitizer, UninitialisedMaskAddressAndBranch) {
  const auto mask = partlyWrittenModule([](TestModule &m, const Ids &, uint32_t x, uint32_t out) {
    const uint32_t ints = m.tensor(m.i32, {8}), zero = m.constant(ints, uint64_t(0));
    m.store(out, zero, tegula_kir_emit_cmpi(m.writer, m.tensor(m.i1, {8}), x, zero, TEGULA_KIR_INT_PREDICATE_EQ));
  });
  EXPECT_FINDING(*mask, launchPartlyWritten(*mask), Uninitialised, 10, "a mask");
  const auto address = partlyWrittenModule([](TestModule &m, const Ids &p, uint32_t x, uint32_t) {
    m.store(m.address(m.i32, 8, p[1], m.add(m.tensor(m.i32, {8}), x, m.range(8))), m.range(8));
  });
  EXPECT_FINDING(*address, launchPartlyWritten(*address), Uninitialised, 10, "an address");
  const auto branch = partlyWrittenModule([](TestModule &m, const Ids &p, uint32_t, uint32_t out) {
    const uint32_t last = m.load(m.i32, m.scalarAddress(m.i32, p[0], m.constant(m.i32, uint64_t(7))));
    m.when(m.less(m.i1, last, m.constant(m.i32, uint64_t(3))), [&] { m.store(out, m.range(8)); });
  });
  EXPECT_FINDING(*branch, launchPartlyWritten(*branch), Uninitialised, 10, "a branch");
}

TEST(Sanitizer, UninitialisedScalarSelects) {
  const auto module = partlyWrittenModule([](TestModule &m, const Ids &p, uint32_t, uint32_t out) {
    const uint32_t ints = m.tensor(m.i32, {8});
    const auto isZero = [&](uint64_t index) {
      const uint32_t element = m.load(m.i32, m.scalarAddress(m.i32, p[0], m.constant(m.i32, index)));
      return tegula_kir_emit_cmpi(m.writer, m.i1, element, m.constant(m.i32, uint64_t(0)), TEGULA_KIR_INT_PREDICATE_EQ);
    };
    m.store(out, tegula_kir_emit_select(m.writer, ints, isZero(0), m.range(8), m.constant(ints, uint64_t(0))));
    m.at(11);
    m.store(out, tegula_kir_emit_select(m.writer, ints, isZero(7), m.range(8), m.constant(ints, uint64_t(0))));
  });
  EXPECT_FINDING(*module, launchPartlyWritten(*module), Uninitialised, 11, "a stored value");
}

TEST(Sanitizer, UninitialisedThatDecidesNothing) {
  const auto module = partlyWrittenModule([](TestModule &m, const Ids &, uint32_t x, uint32_t out) {
    const uint32_t ints = m.tensor(m.i32, {8}), bits = m.tensor(m.i1, {8});
    const uint32_t good = m.less(bits, m.range(8), m.constant(ints, uint64_t(4)));
    m.store(out, tegula_kir_emit_select(m.writer, ints, good, x, m.range(8))); // the bad half is not chosen
    const uint32_t small = m.less(bits, x, m.constant(ints, uint64_t(9)));
    m.store(out, x, tegula_kir_emit_andi(m.writer, bits, small, good)); // false and unknown is false
  });
  EXPECT_CLEAN(*module, launchPartlyWritten(*module));
}

TEST(Sanitizer, OutputNeverWritten) {
  const auto module = copyModule();
  TestDevice device;
  const uint64_t x = device.upload(std::vector<int32_t>(16, 1)), out = device.empty<int32_t>(20);
  ASSERT_TRUE(device.memory.watch(out, false, true, false));
  const auto outcome = device.launch(*module, {2, 1, 1}, {x, out});
  EXPECT_FINDING(*module, outcome, NeverWritten, 1, "no program wrote element 16 of 'out_ptr' (20 elements");
  EXPECT_EQ(outcome.findings[0].count, 4u);
}

TEST(Sanitizer, ReadOnlyBuffer) {
  const auto module = copyModule();
  TestDevice device;
  const uint64_t x = device.upload(std::vector<int32_t>(8, 1)), out = device.upload(std::vector<int32_t>(8, 0));
  for (uint64_t buffer : {x, out})
    ASSERT_TRUE(device.memory.watch(buffer, false, false, true));
  EXPECT_FINDING(*module, device.launch(*module, {1, 1, 1}, {x, out}), ReadOnlyWrite, 20,
                 "store to element 0 of 'out_ptr'");
}

/// out[i] = f(x[i]); f on line 10, store on line 20.
template <class Function> std::unique_ptr<Module> mapModule(Function function) {
  TestModule m;
  const Ids p = m.kernel({{"x_ptr", m.pointer(m.f32)}, {"out_ptr", m.pointer(m.f32)}});
  const uint32_t x = m.load(m.tensor(m.f32, {8}), m.address(m.f32, 8, p[0], m.range(8)));
  m.at(10);
  const uint32_t y = function(m, x);
  m.at(20);
  m.store(m.address(m.f32, 8, p[1], m.range(8)), y);
  m.finish();
  return m.decode();
}

TEST(Sanitizer, NanAndInfinityFromFiniteOperands) {
  const auto module = mapModule([](TestModule &m, uint32_t x) {
    return tegula_kir_emit_math1(m.writer, m.tensor(m.f32, {8}), x, TEGULA_KIR_MATH_FUNCTION_LOG);
  });
  TestDevice device;
  const uint64_t out = device.empty<float>(8);
  const auto outcome =
      device.launch(*module, {1, 1, 1}, {device.upload(std::vector<float>{1, 2, 3, 0, 1, 1, 1, -1}), out});
  EXPECT_FINDING(*module, outcome, NonFinite, 20, "element 3 of 'out_ptr'");
  EXPECT_FALSE(outcome.failed);
  EXPECT_EQ(outcome.findings[0].count, 2u);
  EXPECT_EQ(module->locations[outcome.findings[0].notes[0].location].line, 10u);
  device.options.nanIsError = true;
  EXPECT_TRUE(device.launch(*module, {1, 1, 1}, {device.upload(std::vector<float>(8, 0)), out}).failed);
  const auto fromOutside =
      device.launch(*module, {1, 1, 1}, {device.upload(std::vector<float>{INFINITY, NAN, 1, 1, 1, 1, 1, 1}), out});
  EXPECT_CLEAN(*module, fromOutside);
}

TEST(Sanitizer, NanThatIsSelectedAway) {
  const auto module = mapModule([](TestModule &m, uint32_t x) {
    const uint32_t floats = m.tensor(m.f32, {8}), zero = m.constant(floats, 0.0f);
    const uint32_t root = tegula_kir_emit_math1(m.writer, floats, x, TEGULA_KIR_MATH_FUNCTION_SQRT);
    const uint32_t negative =
        tegula_kir_emit_cmpf(m.writer, m.tensor(m.i1, {8}), x, zero, TEGULA_KIR_FLOAT_PREDICATE_OLT);
    return tegula_kir_emit_select(m.writer, floats, negative, zero, root);
  });
  TestDevice device;
  EXPECT_CLEAN(*module,
               device.launch(*module, {1, 1, 1}, {device.upload(std::vector<float>(8, -4)), device.empty<float>(8)}));
}

TEST(Sanitizer, AssertAndAssume) {
  TestModule m;
  const Ids p = m.kernel({{"n", m.i32}});
  const uint32_t small = m.less(m.tensor(m.i1, {8}), m.range(8), m.splat(m.i32, 8, p[0]));
  m.at(10);
  tegula_kir_emit_assert(m.writer, small, 0, "index too large", 15);
  m.at(11);
  tegula_kir_emit_assume(m.writer, m.less(m.i1, p[0], m.constant(m.i32, uint64_t(100))));
  m.finish();
  const auto module = m.decode();
  TestDevice device;
  EXPECT_FINDING(*module, device.launch(*module, {1, 1, 1}, {6}), AssertFailed, 10,
                 "index too large (program 0, 0, 0; element 6)");
  EXPECT_FINDING(*module, device.launch(*module, {1, 1, 1}, {100}), AssumptionFailed, 11, "assume");
  EXPECT_CLEAN(*module, device.launch(*module, {1, 1, 1}, {8}));
}

TEST(Sanitizer, DivisibilityPromise) {
  TestModule m;
  m.kernel({{"x_ptr", m.pointer(m.f32)}, {"n", m.i32}}, 16);
  m.finish();
  const auto module = m.decode();
  TestDevice device;
  const uint64_t x = device.upload(std::vector<float>(16, 0));
  EXPECT_CLEAN(*module, device.launch(*module, {1, 1, 1}, {x, 32}));
  EXPECT_FINDING(*module, device.launch(*module, {1, 1, 1}, {x, 24}), DivisibilityPromise, 1,
                 "argument 'n' is not divisible by 16");
  EXPECT_FINDING(*module, device.launch(*module, {1, 1, 1}, {x + 4, 32}), DivisibilityPromise, 1, "'x_ptr'");
}

TEST(Sanitizer, AtomicsAreNoRaces) {
  // Every program adds its tensor to one; also the plain read of a result by the last program to arrive is ordered.
  TestModule m;
  const Ids p =
      m.kernel({{"sum_ptr", m.pointer(m.f32)}, {"arrived_ptr", m.pointer(m.i32)}, {"out_ptr", m.pointer(m.f32)}});
  const uint32_t floats = m.tensor(m.f32, {8}), sums = m.address(m.f32, 8, p[0], m.range(8));
  const uint32_t value = tegula_kir_emit_sitofp(m.writer, m.f32, m.add(m.i32, m.pid(), m.constant(m.i32, uint64_t(1))));
  tegula_kir_emit_atomic_rmw(m.writer, floats, sums, m.splat(m.f32, 8, value), 0, TEGULA_KIR_ATOMIC_OPERATION_FADD,
                             TEGULA_KIR_MEMORY_ORDER_RELAXED, TEGULA_KIR_MEMORY_SCOPE_GPU);
  const uint32_t before = tegula_kir_emit_atomic_rmw(m.writer, m.i32, p[1], m.constant(m.i32, uint64_t(1)), 0,
                                                     TEGULA_KIR_ATOMIC_OPERATION_ADD, TEGULA_KIR_MEMORY_ORDER_ACQ_REL,
                                                     TEGULA_KIR_MEMORY_SCOPE_GPU);
  m.when(tegula_kir_emit_cmpi(m.writer, m.i1, before, m.constant(m.i32, uint64_t(31)), TEGULA_KIR_INT_PREDICATE_EQ),
         [&] { m.store(m.address(m.f32, 8, p[2], m.range(8)), m.load(floats, sums)); });
  m.finish();
  const auto module = m.decode();
  TestDevice device;
  const uint64_t sum = device.upload(std::vector<float>(8, 0)), arrived = device.upload(std::vector<int32_t>{0});
  const uint64_t out = device.empty<float>(8);
  EXPECT_CLEAN(*module, device.launch(*module, {32, 1, 1}, {sum, arrived, out}));
  EXPECT_EQ(device.download<float>(out, 8), std::vector<float>(8, 32 * 33 / 2));
  // Accumulating into memory that nobody cleared is a finding.
  const auto unclear = device.launch(*module, {1, 1, 1}, {device.empty<float>(8), arrived, out});
  EXPECT_FINDING(*module, unclear, Uninitialised, 1, "element 0 of 'sum_ptr'");
}

TEST(Sanitizer, SameFindingsForAnyNumberOfThreads) {
  const auto module = copyModule();
  std::string first;
  for (uint32_t threads : {1u, 2u, 7u}) {
    TestDevice device;
    device.options.threads = threads;
    const uint64_t x = device.empty<int32_t>(8 * 500 - 3);
    const auto outcome = device.launch(*module, {500, 1, 1}, {x, device.empty<int32_t>(8 * 490)});
    const std::string text = listFindings(*module, outcome);
    if (first.empty())
      first = text;
    EXPECT_EQ(text, first);
  }
  EXPECT_NE(first.find("S1002"), std::string::npos);
}

} // namespace
