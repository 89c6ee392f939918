// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order between programs, and the comparison of accesses on its own.
#include "plugins/reference/sanitizer/order.h"
#include "plugins/reference/sanitizer/races.h"

#include <gtest/gtest.h>

using namespace tegula::plugins::reference;

namespace {

SegmentId atomic(ExecutionOrder &order, SegmentId segment, uint64_t address, bool acquires, bool releases,
                 bool written = true) {
  const ExecutionOrder::Location location{address, written};
  return order.synchronise(segment, {&location, 1}, acquires, releases);
}

TEST(ExecutionOrder, ReleaseAndAcquire) {
  ExecutionOrder order(true);
  const SegmentId p = order.begin(), q = order.begin();
  EXPECT_FALSE(order.before(p, q));
  const SegmentId p2 = atomic(order, p, 64, false, true);
  const SegmentId q2 = atomic(order, q, 64, true, false);
  EXPECT_TRUE(order.before(p, q2));
  EXPECT_FALSE(order.before(p2, q2)); // what p does after its release is not published
  EXPECT_FALSE(order.before(p, q));   // what q did before its acquire is not ordered
  EXPECT_FALSE(order.before(q, p2));
}

TEST(ExecutionOrder, OtherLocationAndMissingHalves) {
  ExecutionOrder order(true);
  const SegmentId p = order.begin(), q = order.begin(), r = order.begin();
  atomic(order, p, 64, false, true);
  EXPECT_FALSE(order.before(p, atomic(order, q, 128, true, true))); // another location
  EXPECT_FALSE(order.before(p, atomic(order, r, 64, false, true))); // no acquire
}

TEST(ExecutionOrder, ReleaseSequenceGoesOnThroughOthers) {
  ExecutionOrder order(true);
  const SegmentId p = order.begin(), q = order.begin(), r = order.begin();
  atomic(order, p, 64, false, true);
  atomic(order, q, 64, false, false); // a relaxed update keeps what p published
  atomic(order, q, 64, false, true);  // a release joins it
  const SegmentId r2 = atomic(order, r, 64, true, false);
  EXPECT_TRUE(order.before(p, r2));
  EXPECT_TRUE(order.before(q, r2));
}

TEST(ExecutionOrder, FailedCompareAndSwapReleasesNothing) {
  ExecutionOrder order(true);
  const SegmentId p = order.begin(), q = order.begin();
  EXPECT_EQ(atomic(order, p, 64, true, true, false), p);
  EXPECT_FALSE(order.before(p, atomic(order, q, 64, true, true)));
}

TEST(ExecutionOrder, ChainOfManyPrograms) {
  ExecutionOrder order(true);
  SegmentId first = order.begin(), last = 0;
  atomic(order, first, 8, true, true);
  for (int i = 0; i < 1000; ++i)
    last = atomic(order, order.begin(), 8, true, true);
  EXPECT_TRUE(order.before(first, last));
}

/// Races found among accesses of one buffer without atomics.
std::vector<Finding> racesOf(std::vector<Access> accesses, std::vector<uint8_t> written = {}) {
  ExecutionOrder order(false);
  FindingLog findings;
  AccessLog::BufferLog log;
  log.accesses = std::move(accesses);
  log.written = std::move(written);
  log.written.resize(64);
  findRaces({&log}, false, order, [](uint32_t, uint64_t offset) { return "byte " + std::to_string(offset); }, findings);
  return findings.take();
}

Access access(uint64_t begin, uint64_t end, uint32_t program, uint32_t flags, uint64_t value = 0) {
  return {begin, end, value, program, 0, program + 1, flags};
}

TEST(Races, TouchingStretchesAreNone) {
  EXPECT_TRUE(racesOf({access(0, 4, 0, kWrites), access(4, 8, 1, kWrites), access(0, 4, 0, 0)}).empty());
  EXPECT_TRUE(racesOf({access(0, 8, 0, 0), access(0, 8, 1, 0), access(4, 6, 2, 0)}).empty());
}

TEST(Races, ReaderBeforeAndAfterTheWriter) {
  for (uint32_t reader : {0u, 2u}) {
    const auto found = racesOf({access(0, 16, reader, 0), access(12, 20, 1, kWrites)});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NE(found[0].message.find("byte 12"), std::string::npos) << found[0].message;
  }
}

TEST(Races, WriterAgainstOneOfManyReaders) {
  // The writer is one of the readers; there is another one all the same.
  EXPECT_EQ(racesOf({access(0, 4, 1, 0), access(0, 4, 1, kWrites), access(0, 4, 3, 0)}).size(), 1u);
}

TEST(Races, SameBytesInStretchesOfDifferentExtent) {
  // Bytes 0 1 2 3 4 5 6 7 by one program, 4 5 6 7 by another: the overlap is the same. Then with a different last byte.
  const std::vector<Access> both{access(0, 8, 0, kWrites, 0), access(4, 8, 1, kWrites, 8)};
  const auto same = racesOf(both, {0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7});
  ASSERT_EQ(same.size(), 1u);
  EXPECT_EQ(same[0].kind, FindingKind::SameValueRace);
  const auto different = racesOf(both, {0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 8});
  ASSERT_EQ(different.size(), 1u);
  EXPECT_EQ(different[0].kind, FindingKind::Race);
  // A uniform write (two-byte elements 0x0101) against bytes.
  const uint32_t uniform = kWrites | kUniform | 2u << kWidthShift;
  EXPECT_EQ(racesOf({access(0, 8, 0, uniform, 0x0101), access(2, 4, 1, kWrites, 0)}, {1, 1})[0].kind,
            FindingKind::SameValueRace);
}

TEST(Races, LogMergesTheStretchesOfAProgram) {
  AccessLog log;
  for (uint32_t i = 0; i < 100; ++i) // two interleaved rows read again and again
    log.add(2, {(i % 2) * 64, (i % 2) * 64 + 32, 0, 7, 0, 1, 0}, nullptr);
  log.endProgram();
  ASSERT_EQ(log.buffers.size(), 1u);
  EXPECT_EQ(log.buffers[0].accesses.size(), 2u);
  log.add(2, {0, 32, 0, 8, 0, 1, 0}, nullptr);
  EXPECT_EQ(log.buffers[0].accesses.size(), 3u);
}

} // namespace
