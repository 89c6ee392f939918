// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the sanitizer found. Each distinct finding (what, where in the kernel, which buffer) is kept once, with the
// details of its first occurrence in program order and a count, whatever the number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace tegula::plugins::reference {

enum class FindingKind : uint8_t {
#define FINDING(name, code, severity, title, explanation) name,
#include "plugins/reference/sanitizer/findings.def"
#undef FINDING
};

enum class FindingSeverity : uint8_t { Error, Warning, Remark };

struct FindingInfo {
  const char *code;
  FindingSeverity severity;
  const char *title;
  const char *explanation;
};
const FindingInfo &infoOf(FindingKind kind);

struct FindingNote {
  std::string message;
  uint32_t location = 0; ///< code location, 0 for none
};

struct Finding {
  FindingKind kind;
  uint32_t location = 0; ///< code location of the instruction, 0 for none
  uint64_t program = 0;  ///< linear index of the program of the first occurrence
  uint64_t count = 1;    ///< occurrences
  std::string message;   ///< of the first occurrence
  std::vector<FindingNote> notes;
};

/// Collects findings of one worker, or of a whole launch after `merge`. Not thread-safe.
class FindingLog {
public:
  /// Makes the message and the notes of a finding; called for a first occurrence only, so it may be slow.
  using Describe = std::function<void(Finding &)>;

  /// `key` tells apart findings of one kind at one location (buffer number, other location). Occurrences must come in
  /// ascending program order from one worker.
  void report(FindingKind kind, uint32_t location, uint64_t key, uint64_t program, uint64_t occurrences,
              const Describe &describe);

  void merge(FindingLog &&other);

  /// Everything, by program, then kind, then location.
  std::vector<Finding> take();
  bool empty() const { return findings.empty(); }
  bool has(FindingKind kind) const;

private:
  using Key = std::tuple<FindingKind, uint32_t, uint64_t>;
  std::map<Key, Finding> findings;
};

} // namespace tegula::plugins::reference
