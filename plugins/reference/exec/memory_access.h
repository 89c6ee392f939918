// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What loads, stores and atomics share: the active lanes of a tensor of pointers, in runs of consecutive addresses,
// resolved to bytes of a buffer with every check on the way.
#pragma once

#include "plugins/reference/exec/executor.h"

namespace tegula::plugins::reference {

/// The part of a run that lies inside its buffer.
struct Span {
  Buffer *buffer = nullptr;
  int64_t offset = 0; ///< of the first element inside
  size_t skipped = 0; ///< elements of the run before it
  size_t count = 0;   ///< elements inside
};

class MemoryAccess {
public:
  /// `n` elements of `width` bytes through operand `pointerOperand`, where operand `maskOperand` (if there is one) is
  /// true. Reports masks and active addresses that are uninitialised or come from wrapped arithmetic.
  MemoryAccess(Executor &ex, const Instruction &inst, uint32_t pointerOperand, uint32_t maskOperand, size_t n,
               uint32_t width);

  /// Calls `run(first, count, address)` for stretches of active lanes whose addresses follow each other.
  template <class Run> void forEachRun(Run run) const {
    for (size_t i = 0; i < n;) {
      if (mask && !mask[i]) {
        ++i;
        continue;
      }
      const size_t first = i++;
      const uint64_t address = pointers[first];
      uint64_t expected = address + width;
      for (; i < n && pointers[i] == expected && (!mask || mask[i]); ++i)
        expected += width;
      run(first, i - first, address);
    }
  }

  /// Finds the buffer of a run and reports what is wrong with its addresses.
  Span resolve(size_t first, size_t count, uint64_t address, FindingKind outOfBounds) const;

  /// Reports a store to a buffer that the host called read-only.
  void checkWritable(const Buffer &buffer, int64_t offset) const;

  /// Writes the access down for the comparison of programs; `written` are the bytes of a plain store.
  void log(const Buffer &buffer, uint64_t offset, uint64_t length, uint32_t flags,
           const uint8_t *written = nullptr) const;

  /// Reports active elements of a value about to be stored that are uninitialised or made-up infinities and NaNs.
  void checkStoredTaint(const Value &value) const;

  const uint64_t *pointers;
  const uint8_t *mask = nullptr; ///< null: all lanes are active

private:
  void reportOutside(const Buffer &buffer, int64_t offset, size_t elements, FindingKind kind) const;

  Executor &ex;
  const Instruction &inst;
  const size_t n;
  const uint32_t width;
};

} // namespace tegula::plugins::reference
