// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The access log and the comparison at the end of a launch.
#include "plugins/reference/sanitizer/races.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <tuple>

namespace tegula::plugins::reference {

namespace {

/// Two stretches of one instruction that may be one.
bool alike(const Access &a, const Access &b) {
  return a.program == b.program && a.segment == b.segment && a.location == b.location && a.flags == b.flags;
}

/// Does a write keep its bytes in the log?
bool keepsBytes(uint32_t flags) { return (flags & (kWrites | kUniform | kUnkept)) == kWrites; }

} // namespace

AccessLog::BufferLog &AccessLog::logOf(uint32_t buffer) {
  if (recent < buffers.size() && buffers[recent].buffer == buffer)
    return buffers[recent];
  for (recent = 0; recent < buffers.size(); ++recent)
    if (buffers[recent].buffer == buffer)
      return buffers[recent];
  buffers.emplace_back().buffer = buffer;
  return buffers.back();
}

void AccessLog::add(uint32_t buffer, Access access, const uint8_t *written) {
  BufferLog &log = logOf(buffer);
  auto &accesses = log.accesses;
  const uint64_t length = access.end - access.begin;
  if (keepsBytes(access.flags) && (!written || totalBytes + length > kByteLimit))
    access.flags |= kUnkept;
  const bool keeps = keepsBytes(access.flags);
  if (accesses.size() > log.programStart) {
    Access &last = accesses.back();
    const uint64_t follows = keeps ? last.value + (last.end - last.begin) : 0;
    const bool joins = last.end == access.begin && alike(last, access) &&
                       (keeps ? follows == log.written.size() : last.value == access.value);
    if (joins) {
      last.end = access.end;
      if (keeps)
        log.written.insert(log.written.end(), written, written + length);
      totalBytes += keeps ? length : 0;
      return;
    }
  }
  if (full())
    return;
  ++total;
  if (keeps) {
    access.value = log.written.size();
    log.written.insert(log.written.end(), written, written + length);
    totalBytes += length;
  }
  accesses.push_back(access);
}

void AccessLog::endProgram() {
  constexpr size_t kWorthSorting = 32;
  for (BufferLog &log : buffers) {
    auto &accesses = log.accesses;
    const auto first = accesses.begin() + std::ptrdiff_t(log.programStart);
    if (size_t(accesses.end() - first) > kWorthSorting) {
      std::vector<Access> reads, writes;
      for (auto access = first; access != accesses.end(); ++access)
        ((access->flags & kWrites) ? writes : reads).push_back(*access);
      std::sort(reads.begin(), reads.end(), [](const Access &a, const Access &b) {
        return std::tie(a.location, a.flags, a.begin, a.end) < std::tie(b.location, b.flags, b.begin, b.end);
      });
      total -= size_t(accesses.end() - first);
      accesses.erase(first, accesses.end());
      for (const Access &read : reads) {
        if (accesses.size() > log.programStart && read.begin <= accesses.back().end && alike(accesses.back(), read))
          accesses.back().end = std::max(accesses.back().end, read.end);
        else
          accesses.push_back(read);
      }
      accesses.insert(accesses.end(), writes.begin(), writes.end());
      total += accesses.size() - log.programStart;
    }
    log.programStart = accesses.size();
  }
}

namespace {

/// An access with its bytes within reach.
struct Timed {
  uint64_t time;
  const Access *access;
  const uint8_t *written; ///< the bytes from `access->begin` on; null where they are not kept one by one

  uint8_t byteAt(uint64_t offset) const {
    const uint64_t index = offset - access->begin;
    return written ? written[index] : uint8_t(access->value >> (8 * (index % (access->flags >> kWidthShift))));
  }
};

class Comparison {
public:
  Comparison(uint32_t buffer, bool inExecutionOrder, ExecutionOrder &order, const NameBuffer &nameBuffer,
             FindingLog &findings)
      : buffer(buffer), inExecutionOrder(inExecutionOrder), order(order), nameBuffer(nameBuffer), findings(findings) {}

  /// Accesses that overlap, directly or through others, sorted by time.
  void compareGroup(const std::vector<Timed> &group) {
    std::vector<uint64_t> cuts;
    for (const Timed &timed : group) {
      cuts.push_back(timed.access->begin);
      cuts.push_back(timed.access->end);
    }
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    std::vector<Cell> cells(cuts.size());
    for (size_t cell = 0; cell + 1 < cuts.size(); ++cell) {
      cells[cell].begin = cuts[cell];
      cells[cell].end = cuts[cell + 1];
    }
    for (const Timed &timed : group) {
      size_t cell = size_t(std::lower_bound(cuts.begin(), cuts.end(), timed.access->begin) - cuts.begin());
      for (; cuts[cell] < timed.access->end; ++cell)
        visit(cells[cell], timed);
    }
  }

private:
  /// Bytes that every access of the group covers wholly or not at all.
  struct Cell {
    uint64_t begin = 0, end = 0;
    const Timed *write = nullptr;
    std::vector<const Timed *> reads; ///< since that write, one per program
  };

  void visit(Cell &cell, const Timed &timed) {
    if (cell.write)
      check(cell, *cell.write, timed);
    if (timed.access->flags & kWrites) {
      for (const Timed *read : cell.reads)
        check(cell, *read, timed);
      cell.reads.clear();
      cell.write = &timed;
      return;
    }
    for (const Timed *&read : cell.reads) {
      if (read->access->program == timed.access->program) {
        read = &timed;
        return;
      }
    }
    // Without atomics two readers are enough: any writer differs from one of them.
    if (inExecutionOrder || cell.reads.size() < 2)
      cell.reads.push_back(&timed);
  }

  /// Do two writes leave the same bytes in the cell?
  static bool sameBytes(const Cell &cell, const Timed &a, const Timed &b) {
    if ((a.access->flags | b.access->flags) & kUnkept)
      return false;
    for (uint64_t offset = cell.begin; offset < cell.end; ++offset)
      if (a.byteAt(offset) != b.byteAt(offset))
        return false;
    return true;
  }

  void check(const Cell &cell, const Timed &earlierTimed, const Timed &laterTimed) {
    const Access &earlier = *earlierTimed.access, &later = *laterTimed.access;
    if (earlier.program == later.program || (earlier.flags & later.flags & kAtomic))
      return;
    // A volatile load says that others change the word under it: polling for what a plain store publishes is no race.
    const auto polls = [](const Access &a) { return (a.flags & kAtomic) && !(a.flags & kWrites); };
    if (polls(earlier) || polls(later))
      return;
    if (inExecutionOrder && order.before(earlier.segment, later.segment))
      return;
    const bool same = (earlier.flags & later.flags & kWrites) && sameBytes(cell, earlierTimed, laterTimed);
    const auto describe = [&](Finding &finding) {
      const auto verb = [](const Access &a) {
        return (a.flags & kAtomic) ? "updates atomically" : (a.flags & kWrites) ? "writes" : "reads";
      };
      finding.message = "program " + std::to_string(later.program) + " " + verb(later) + " " +
                        nameBuffer(buffer, cell.begin) + ", which program " + std::to_string(earlier.program) + " " +
                        verb(earlier) + (same ? " with the same value" : "") + "; nothing orders the two";
      finding.notes.push_back(
          {"program " + std::to_string(earlier.program) + " " + verb(earlier) + " it here", earlier.location});
    };
    findings.report(same ? FindingKind::SameValueRace : FindingKind::Race, later.location,
                    (uint64_t(buffer) << 32) | earlier.location, later.program, 1, describe);
  }

  const uint32_t buffer;
  const bool inExecutionOrder;
  ExecutionOrder &order;
  const NameBuffer &nameBuffer;
  FindingLog &findings;
};

} // namespace

void findRaces(const std::vector<const AccessLog::BufferLog *> &logs, bool inExecutionOrder, ExecutionOrder &order,
               const NameBuffer &nameBuffer, FindingLog &findings) {
  // Time: the position in the log where that is the order of execution, else the program with ties by position.
  std::vector<Timed> all;
  bool anyWrites = false;
  for (const AccessLog::BufferLog *log : logs) {
    for (const Access &access : log->accesses) {
      anyWrites |= (access.flags & kWrites) != 0;
      const uint64_t position = all.size();
      all.push_back({inExecutionOrder ? position : (uint64_t(access.program) << 32) | position, &access,
                     keepsBytes(access.flags) ? log->written.data() + access.value : nullptr});
    }
  }
  if (!anyWrites)
    return;
  std::sort(all.begin(), all.end(), [](const Timed &a, const Timed &b) {
    return std::tie(a.access->begin, a.time) < std::tie(b.access->begin, b.time);
  });
  Comparison comparison(logs.front()->buffer, inExecutionOrder, order, nameBuffer, findings);
  std::vector<Timed> group;
  for (size_t i = 0; i < all.size();) {
    group.clear();
    uint64_t end = all[i].access->end;
    bool writes = false, severalPrograms = false;
    for (; i < all.size() && (group.empty() || all[i].access->begin < end); ++i) {
      const Access &access = *all[i].access;
      end = std::max(end, access.end);
      writes |= (access.flags & kWrites) != 0;
      severalPrograms |= !group.empty() && access.program != group.front().access->program;
      group.push_back(all[i]);
    }
    if (!writes || !severalPrograms)
      continue;
    std::sort(group.begin(), group.end(), [](const Timed &a, const Timed &b) { return a.time < b.time; });
    comparison.compareGroup(group);
  }
}

} // namespace tegula::plugins::reference
