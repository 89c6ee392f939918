// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An artifact of this plugin is the KIR module itself. Here it is read, checked and decoded, without showing KIR's
// headers to the files that speak the plugin ABI.
#pragma once

#include "plugins/reference/exec/code.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tegula::plugins::reference {

// The codes of refusals.def: kUnreadable, kBadOption, ...
#define REFUSAL(name, code, title, explanation) constexpr const char *k##name = code;
#include "plugins/reference/exec/refusals.def"
#undef REFUSAL

/// Why a module was refused.
struct ArtifactError {
  std::string code; ///< P1xxx, see refusals.def; empty: none
  std::string message;
  uint32_t word = 0, opcode = 0; ///< of the instruction meant; 0 for none
  CodeLocation where;            ///< line 0 for none
};

struct Artifact {
  std::unique_ptr<Module> module;
  const Function *kernel = nullptr;
};

/// Reads `size` bytes, verifies and decodes them and picks the kernel `entry` (empty: the only one).
bool loadArtifact(const void *bytes, uint64_t size, const std::string &entry, Artifact &artifact, ArtifactError &error);

/// The module's text form; empty where it cannot be read or printed.
std::string printModule(const void *bytes, uint64_t size);

} // namespace tegula::plugins::reference
