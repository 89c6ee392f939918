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

SegmentId ExecutionOrder::synchronise(SegmentId current, uint64_t address, bool acquires, bool releases, bool writes) {
  if (!active || !(acquires || releases))
    return current;
  const auto found = published.find(address);
  const SegmentId head = found == published.end() ? 0 : found->second;
  // Nothing new to learn: the location publishes nothing, or the very segment that this program's present one was made from.
  const bool learns = acquires && head && head != current && parents[current].own != head && parents[current].other != head;
  if (!(releases && writes))
    return learns ? add(current, head) : current;
  // A read-modify-write continues the release sequence, so what others published stays published.
  const SegmentId joined = head && head != current ? add(current, head) : current;
  published[address] = joined;
  return acquires && joined != current ? add(joined, 0) : add(current, 0);
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
