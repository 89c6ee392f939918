// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Races between programs. While programs run, each buffer's accesses are written down as stretches of bytes; when the
// launch is over, stretches of different programs that overlap are compared. So the result depends neither on threads
// nor on timing.
#pragma once

#include "plugins/reference/sanitizer/findings.h"
#include "plugins/reference/sanitizer/order.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tegula::plugins::reference {

enum AccessFlag : uint32_t {
  kWrites = 1,
  kAtomic = 2,  ///< device or system scope, or a volatile load: not a race with another atomic
  kUniform = 4, ///< all elements written are the one in `value`
  kUnkept = 8   ///< what was written is not known: atomics, or there was no room
};
/// Where the flags of a uniform write hold the size of its element.
constexpr uint32_t kWidthShift = 8;

/// A stretch of bytes that one instruction of one program accessed.
struct Access {
  uint64_t begin; ///< offset in the buffer
  uint64_t end;
  uint64_t value; ///< of writes: the element where kUniform, else where the bytes begin in the log's `written`
  uint32_t program;
  SegmentId segment;
  uint32_t location;
  uint32_t flags;
};

/// The accesses of one worker, by buffer. Not thread-safe.
class AccessLog {
public:
  /// Stretches and written bytes kept per launch and worker before logging stops.
  static constexpr size_t kLimit = size_t(1) << 24;
  static constexpr size_t kByteLimit = size_t(1) << 30;

  struct BufferLog {
    uint32_t buffer = 0; ///< its number
    std::vector<Access> accesses;
    std::vector<uint8_t> written; ///< the bytes of writes that are not uniform
    size_t programStart = 0;      ///< where the running program's accesses begin
  };

  /// `written` are the bytes of a write that is not uniform, else null.
  void add(uint32_t buffer, Access access, const uint8_t *written);
  /// In a launch without atomics the order of one program's accesses does not matter but for its writes: merges the
  /// reads of the program that just ended.
  void endProgram();
  bool full() const { return total >= kLimit; }

  std::vector<BufferLog> buffers; ///< those that were accessed

private:
  BufferLog &logOf(uint32_t buffer);

  size_t recent = 0; ///< index of the log used last
  size_t total = 0;
  size_t totalBytes = 0;
};

/// What to know about a buffer to name it in a message.
using NameBuffer = std::function<std::string(uint32_t buffer, uint64_t offset)>;

/// Compares the accesses of one buffer by all workers, in order of program for a launch without atomics, else in the
/// order in which they happened (of the one worker), and reports races.
void findRaces(const std::vector<const AccessLog::BufferLog *> &logs, bool inExecutionOrder, ExecutionOrder &order,
               const NameBuffer &nameBuffer, FindingLog &findings);

} // namespace tegula::plugins::reference
