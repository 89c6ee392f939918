// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The name that a mistyped one most likely stands for, for hints.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::base {

/// May two names be less than `distance` edits apart? Names that nobody types are no hints, and comparing them takes long.
inline bool couldBeNear(std::string_view a, std::string_view b, size_t distance) {
  constexpr size_t kLongest = 256;
  return std::max(a.size(), b.size()) <= kLongest && std::max(a.size(), b.size()) - std::min(a.size(), b.size()) < distance;
}

/// The candidate with the fewest edits, where that is at most a third of the name, or one for short names, and something of the name is left;
/// else empty. The first wins ties.
inline std::string nearestName(std::string_view name, const std::vector<std::string> &candidates) {
  std::string best;
  size_t bestDistance = std::min(std::max<size_t>(1, name.size() / 3) + 1, name.size());
  for (const std::string &candidate : candidates) {
    if (!couldBeNear(name, candidate, bestDistance))
      continue;
    std::vector<size_t> row(candidate.size() + 1);
    for (size_t j = 0; j <= candidate.size(); ++j)
      row[j] = j;
    for (size_t i = 1; i <= name.size(); ++i) {
      size_t diagonal = row[0];
      row[0] = i;
      for (size_t j = 1; j <= candidate.size(); ++j) {
        size_t replaced = diagonal + (name[i - 1] != candidate[j - 1]);
        diagonal = row[j];
        row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
      }
    }
    if (row.back() < bestDistance) {
      bestDistance = row.back();
      best = candidate;
    }
  }
  return best;
}

} // namespace tegula::base
