// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The log of findings.
#include "plugins/reference/sanitizer/findings.h"

#include <algorithm>

namespace tegula::plugins::reference {

const FindingInfo &infoOf(FindingKind kind) {
  static constexpr FindingInfo kInfos[] = {
#define FINDING(name, code, severity, title, explanation) {code, FindingSeverity::severity, title, explanation},
#include "plugins/reference/sanitizer/findings.def"
#undef FINDING
  };
  return kInfos[size_t(kind)];
}

void FindingLog::report(FindingKind kind, uint32_t location, uint64_t key, uint64_t program, uint64_t occurrences,
                        const Describe &describe) {
  const auto [place, isNew] = findings.try_emplace(Key(kind, location, key));
  Finding &finding = place->second;
  if (!isNew) {
    finding.count += occurrences;
    return;
  }
  finding.kind = kind;
  finding.location = location;
  finding.program = program;
  finding.count = occurrences;
  describe(finding);
}

void FindingLog::merge(FindingLog &&other) {
  for (auto &[key, finding] : other.findings) {
    const auto [place, isNew] = findings.try_emplace(key, std::move(finding));
    if (isNew)
      continue;
    Finding &mine = place->second;
    const uint64_t count = mine.count + finding.count;
    if (finding.program < mine.program)
      mine = std::move(finding);
    mine.count = count;
  }
  other.findings.clear();
}

bool FindingLog::has(FindingKind kind) const {
  const auto at = findings.lower_bound(Key(kind, 0, 0));
  return at != findings.end() && std::get<0>(at->first) == kind;
}

std::vector<Finding> FindingLog::take() {
  std::vector<Finding> all;
  for (auto &[key, finding] : findings)
    all.push_back(std::move(finding));
  findings.clear();
  std::sort(all.begin(), all.end(), [](const Finding &a, const Finding &b) {
    return std::tie(a.program, a.kind, a.location, a.message) < std::tie(b.program, b.kind, b.location, b.message);
  });
  return all;
}

} // namespace tegula::plugins::reference
