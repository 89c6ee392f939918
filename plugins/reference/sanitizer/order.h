// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Happens-before between programs. A program's execution is cut into segments by its atomic operations; a release
// publishes the segments before it through the memory location, an acquire of that location orders them before what
// follows. Segments form a graph whose edges point to what happened before; an access in segment A happens before one
// in segment B where B reaches A.
//
//   program 0:  write x | release L           segment 1 = {write x}, L publishes 1
//   program 1:            acquire L | read x   segment 3 has parents 2 (its own past) and 1: the write happens before
//   the read
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace tegula::plugins::reference {

using SegmentId = uint32_t; ///< 0: none

/// Used by one thread: kernels with atomics run in one interleaving.
class ExecutionOrder {
public:
  explicit ExecutionOrder(bool orderedByAtomics) : active(orderedByAtomics) { parents.push_back({}); }

  /// The first segment of a program.
  SegmentId begin() { return add(0, 0); }

  /// An atomic instruction by a program in segment `current` on these locations; returns the segment of what follows. A
  /// location that is not `written` (a compare-and-swap that failed) is not released to.
  struct Location {
    uint64_t address;
    bool written;
  };
  SegmentId synchronise(SegmentId current, std::span<const Location> locations, bool acquires, bool releases);

  /// Does every access of `earlier` happen before those of `later`?
  bool before(SegmentId earlier, SegmentId later);

private:
  struct Parents {
    SegmentId own = 0;
    SegmentId other = 0;
  };
  SegmentId add(SegmentId own, SegmentId other);

  bool active;
  std::vector<Parents> parents;                  ///< parents have smaller numbers than children
  std::unordered_map<uint64_t, SegmentId> heads; ///< what a location publishes
  std::vector<uint32_t> visited;
  uint32_t visit = 0;
  std::vector<SegmentId> stack;
};

} // namespace tegula::plugins::reference
