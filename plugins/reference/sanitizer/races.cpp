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

uint64_t hashBytes(const uint8_t *bytes, uint64_t length) {
  constexpr uint64_t kLongest = 4096;
  if (length > kLongest)
    return 0;
  uint64_t hash = 0x9e3779b97f4a7c15ull ^ length;
  for (uint64_t i = 0; i < length; i += 8) {
    uint64_t word = 0;
    std::memcpy(&word, bytes + i, std::min<uint64_t>(8, length - i));
    hash = (hash ^ word) * 0xff51afd7ed558ccdull;
    hash ^= hash >> 29;
  }
  return hash | 1;
}

namespace {

/// Two stretches of one instruction that may be one.
bool alike(const Access &a, const Access &b) {
  return a.program == b.program && a.segment == b.segment && a.location == b.location && a.flags == b.flags;
}

/// Appends `b`, which begins where `a` ends or inside of it.
void extend(Access &a, const Access &b) {
  a.end = std::max(a.end, b.end);
  if ((a.flags & kWrites) && !(a.flags & kUniform))
    a.value = a.value && b.value ? (a.value * 31 + b.value) | 1 : 0;
}

bool mayJoin(const Access &a, const Access &b) { return alike(a, b) && (!(a.flags & kUniform) || a.value == b.value); }

} // namespace

AccessLog::BufferLog &AccessLog::logOf(uint32_t buffer) {
  if (recent < buffers.size() && buffers[recent].buffer == buffer)
    return buffers[recent];
  for (recent = 0; recent < buffers.size(); ++recent)
    if (buffers[recent].buffer == buffer)
      return buffers[recent];
  buffers.push_back({buffer, {}, 0});
  return buffers.back();
}

void AccessLog::add(uint32_t buffer, const Access &access) {
  BufferLog &log = logOf(buffer);
  auto &accesses = log.accesses;
  if (accesses.size() > log.programStart && accesses.back().end == access.begin && mayJoin(accesses.back(), access))
    return extend(accesses.back(), access);
  if (full())
    return;
  ++total;
  accesses.push_back(access);
}

void AccessLog::endProgram() {
  constexpr size_t kWorthSorting = 32;
  for (BufferLog &bufferLog : buffers) {
    auto &log = bufferLog.accesses;
    const auto first = log.begin() + std::ptrdiff_t(bufferLog.programStart);
    if (size_t(log.end() - first) > kWorthSorting) {
      const auto key = [](const Access &a) { return std::tuple(a.location, a.flags, a.begin, a.end, a.value); };
      std::sort(first, log.end(), [&](const Access &a, const Access &b) { return key(a) < key(b); });
      auto kept = first;
      for (auto access = first + 1; access != log.end(); ++access) {
        // A later write to the same bytes makes the value unknown, not the stretch.
        if (access->begin <= kept->end && alike(*kept, *access)) {
          const bool sameStretch =
              access->begin == kept->begin && access->end == kept->end && access->value == kept->value;
          if (!sameStretch && (kept->flags & kWrites) && mayJoin(*kept, *access) && access->begin == kept->end)
            extend(*kept, *access);
          else if (!sameStretch) {
            kept->end = std::max(kept->end, access->end);
            if (kept->value != access->value) {
              kept->flags &= ~uint32_t(kUniform);
              kept->value = 0;
            }
          }
        } else {
          *++kept = *access;
        }
      }
      total -= size_t(log.end() - (kept + 1));
      log.erase(kept + 1, log.end());
    }
    bufferLog.programStart = log.size();
  }
}

namespace {

class Comparison {
public:
  Comparison(uint32_t buffer, bool inExecutionOrder, ExecutionOrder &order, const NameBuffer &nameBuffer,
             FindingLog &findings)
      : buffer(buffer), inExecutionOrder(inExecutionOrder), order(order), nameBuffer(nameBuffer), findings(findings) {}

  /// Accesses that overlap, directly or through others, as (time, access), sorted by time.
  void compareGroup(std::vector<std::pair<uint64_t, const Access *>> &group) {
    std::vector<uint64_t> cuts;
    for (auto &[time, access] : group) {
      cuts.push_back(access->begin);
      cuts.push_back(access->end);
    }
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    std::vector<Cell> cells(cuts.size());
    for (auto &[time, access] : group) {
      size_t cell = size_t(std::lower_bound(cuts.begin(), cuts.end(), access->begin) - cuts.begin());
      for (; cuts[cell] < access->end; ++cell)
        visit(cells[cell], *access, cuts[cell]);
    }
  }

private:
  /// Bytes that every access of the group covers wholly or not at all.
  struct Cell {
    const Access *write = nullptr;
    std::vector<const Access *> reads; ///< since that write, one per program
  };

  void visit(Cell &cell, const Access &access, uint64_t offset) {
    if (cell.write)
      check(*cell.write, access, offset);
    if (access.flags & kWrites) {
      for (const Access *read : cell.reads)
        check(*read, access, offset);
      cell.reads.clear();
      cell.write = &access;
      return;
    }
    for (const Access *&read : cell.reads) {
      if (read->program == access.program) {
        read = &access;
        return;
      }
    }
    // Without atomics two readers are enough: any writer differs from one of them.
    if (inExecutionOrder || cell.reads.size() < 2)
      cell.reads.push_back(&access);
  }

  void check(const Access &earlier, const Access &later, uint64_t offset) {
    if (earlier.program == later.program || (earlier.flags & later.flags & kAtomic))
      return;
    if (inExecutionOrder && order.before(earlier.segment, later.segment))
      return;
    const bool bothWrite = earlier.flags & later.flags & kWrites;
    const bool uniform = earlier.flags & later.flags & kUniform;
    const bool sameStretch = earlier.begin == later.begin && earlier.end == later.end && earlier.flags == later.flags;
    const bool same = bothWrite && earlier.value == later.value && (uniform || (sameStretch && earlier.value != 0));
    const auto describe = [&](Finding &finding) {
      const auto verb = [](const Access &a) {
        return (a.flags & kAtomic) ? "updates atomically" : (a.flags & kWrites) ? "writes" : "reads";
      };
      finding.message = "program " + std::to_string(later.program) + " " + verb(later) + " " +
                        nameBuffer(buffer, offset) + ", which program " + std::to_string(earlier.program) + " " +
                        verb(earlier) + (same ? " with the same value" : "") + "; nothing orders the two";
      finding.notes.push_back(
          {std::string("program ") + std::to_string(earlier.program) + " " + verb(earlier) + " it here",
           earlier.location});
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

void findRaces(uint32_t buffer, std::vector<Access> &accesses, bool inExecutionOrder, ExecutionOrder &order,
               const NameBuffer &nameBuffer, FindingLog &findings) {
  if (std::none_of(accesses.begin(), accesses.end(), [](const Access &a) { return a.flags & kWrites; }))
    return;
  // Time: the position in the log where that is the order of execution, else the program with ties by position.
  std::vector<uint32_t> byBegin(accesses.size());
  for (uint32_t i = 0; i < byBegin.size(); ++i)
    byBegin[i] = i;
  std::sort(byBegin.begin(), byBegin.end(), [&](uint32_t a, uint32_t b) {
    const Access &x = accesses[a], &y = accesses[b];
    return std::tuple(x.begin, x.program, a) < std::tuple(y.begin, y.program, b);
  });
  Comparison comparison(buffer, inExecutionOrder, order, nameBuffer, findings);
  std::vector<std::pair<uint64_t, const Access *>> group;
  for (size_t i = 0; i < byBegin.size();) {
    group.clear();
    uint64_t end = accesses[byBegin[i]].end;
    bool writes = false, severalPrograms = false;
    for (; i < byBegin.size() && (group.empty() || accesses[byBegin[i]].begin < end); ++i) {
      const Access &access = accesses[byBegin[i]];
      end = std::max(end, access.end);
      writes |= (access.flags & kWrites) != 0;
      severalPrograms |= !group.empty() && access.program != group.front().second->program;
      group.emplace_back(inExecutionOrder ? byBegin[i] : (uint64_t(access.program) << 32) | byBegin[i], &access);
    }
    if (!writes || !severalPrograms)
      continue;
    std::sort(group.begin(), group.end());
    comparison.compareGroup(group);
  }
}

} // namespace tegula::plugins::reference
