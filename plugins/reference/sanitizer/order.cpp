// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The graph of segments.
#include "plugins/reference/sanitizer/order.h"

namespace tegula::plugins::reference {

SegmentId ExecutionOrder::add(SegmentId own, SegmentId other) {
  if (!active)
    return 0;
  parents.push_back({own, other});
  return SegmentId(parents.size() - 1);
}

SegmentId ExecutionOrder::synchronise(SegmentId current, std::span<const Location> locations, bool acquires,
                                      bool releases) {
  if (!active || !(acquires || releases))
    return current;
  SegmentId next = current, knownHead = 0, knownJoin = 0, learnt = 0;
  bool published = false;
  for (const Location &location : locations) {
    const auto found = heads.find(location.address);
    const SegmentId head = found == heads.end() ? 0 : found->second;
    // The locations of one tensor mostly publish the same segment. What this program's present segment was made from is
    // nothing new.
    const bool news = head && head != current && parents[current].own != head && parents[current].other != head;
    SegmentId source = head;
    if (releases && location.written) {
      // A read-modify-write continues the release sequence, so what others published stays published.
      if (head && head != current && head != knownHead) {
        knownHead = head;
        knownJoin = add(current, head);
      }
      source = head && head != current ? knownJoin : current;
      heads[location.address] = source;
      published = true;
    }
    if (acquires && news && source != learnt) {
      learnt = source;
      next = add(next, source);
    }
  }
  return next == current && published ? add(current, 0) : next; // what follows is not what was published
}

bool ExecutionOrder::before(SegmentId earlier, SegmentId later) {
  if (earlier == later)
    return true;
  visited.resize(parents.size());
  ++visit;
  stack.assign(1, later);
  while (!stack.empty()) {
    const SegmentId segment = stack.back();
    stack.pop_back();
    for (SegmentId parent : {parents[segment].own, parents[segment].other}) {
      if (parent == earlier)
        return true;
      if (parent < earlier || visited[parent] == visit)
        continue;
      visited[parent] = visit;
      stack.push_back(parent);
    }
  }
  return false;
}

} // namespace tegula::plugins::reference
