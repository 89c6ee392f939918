// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a target can do, as data and queries. Parsed from the tree that a plugin reports or a recorded file holds; the rest of the compiler
// decides from this and never from a target's name. Today it has what tile level needs; machine, copies and matrix units join as tables.
#pragma once

#include "sdk/base/diagnostic.h"
#include "targets/facts/tree.h"

#include <optional>

namespace tegula::facts {

/// Version of the tree's keys that this code reads: 0.1.
inline constexpr uint32_t kSchemaMajor = 0, kSchemaMinor = 1;

enum class KirLevel : uint8_t { Tile, Thread };

/// How well a function is computed. `Unknown` is what the other side named and this side does not know.
enum class Accuracy : uint8_t { Unknown, CorrectlyRounded, Faithful, Ulp2, Fast };

/// An operation that the target does natively, for some element types.
struct OperationRow {
  std::string operation; ///< KIR mnemonic
  std::vector<std::string> types;
  Accuracy accuracy = Accuracy::Unknown;
};

/// What Triton's language takes from the target.
struct LanguageFacts {
  std::string backendName = "cuda";
  std::string arch;
  std::string dotPrecision = "ieee";
  std::vector<std::string> dotPrecisions{"ieee"};
  std::vector<std::string> fp8Types;
};

struct MachineFacts {
  uint32_t lanes = 1; ///< per warp; 1 where there are none
};

struct Facts {
  KirLevel kirLevel = KirLevel::Tile;
  std::vector<std::string> types; ///< element types in KIR's spelling; empty: all
  uint64_t maxTensorElements = 0; ///< 0: KIR's own limit
  MachineFacts machine;
  LanguageFacts language;
  std::vector<OperationRow> operations; ///< empty: all

  bool supportsType(std::string_view type) const;
  /// Whether the target does `operation` on `type`. True where the facts list no operations at all.
  bool supportsOperation(std::string_view operation, std::string_view type) const;
  Accuracy accuracy(std::string_view operation, std::string_view type) const;
};

/// Reads the tree of `target`. Unknown keys are skipped unless they say that they must be understood; that, and a value of a wrong
/// kind, is reported as T1041 or T1042 and gives nothing.
std::optional<Facts> parseFacts(const Tree &root, std::string_view target, base::DiagnosticSink &sink);

} // namespace tegula::facts
