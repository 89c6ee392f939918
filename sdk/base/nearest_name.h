// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The name that a mistyped one most likely stands for, for hints.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tegula::base {

/// May two names be less than `distance` edits apart? Names that nobody types are no hints, and comparing them takes long.
inline bool couldBeNear(std::string_view a, std::string_view b, size_t distance) {
  constexpr size_t kLongest = 256;
  return std::max(a.size(), b.size()) <= kLongest && std::max(a.size(), b.size()) - std::min(a.size(), b.size()) < distance;
}

/// Letters that are inserted, left out, replaced or swapped with their neighbour (the optimal string alignment distance).
inline size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> before, above(b.size() + 1), row(b.size() + 1); // of a's prefixes: two letters less, one less, this one
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(above, row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

/// The candidate with the fewest edits, where that is at most a third of the name, or one for short names, and something of the name is left;
/// else empty. The first wins ties.
inline std::string nearestName(std::string_view name, const std::vector<std::string> &candidates) {
  std::string best;
  size_t bestDistance = std::min(std::max<size_t>(1, name.size() / 3) + 1, name.size());
  for (const std::string &candidate : candidates) {
    size_t distance = couldBeNear(name, candidate, bestDistance) ? editDistance(name, candidate) : bestDistance;
    if (distance < bestDistance) {
      bestDistance = distance;
      best = candidate;
    }
  }
  return best;
}

/// The hint that asks for it; `otherwise` where no candidate is near.
inline std::string didYouMean(std::string_view name, const std::vector<std::string> &candidates, std::string otherwise = {}) {
  std::string near = nearestName(name, candidates);
  return near.empty() ? otherwise : "did you mean '" + near + "'?";
}

} // namespace tegula::base
