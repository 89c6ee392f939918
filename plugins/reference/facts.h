// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What this target can do, and how findings become diagnostics.
#pragma once

#include "plugins/reference/exec/code.h"
#include "plugins/reference/sanitizer/findings.h"
#include "tegula/plugin.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tegula::plugins::reference {

constexpr const char *kTargetName = "reference";

/// Children of the facts' root. `as` (may be empty) names the target whose language defaults are taken, in the spelling
/// of a target. Nothing where they aren't known.
std::optional<std::vector<plugin::Node>> describeTarget(const std::string &as);

/// Tells the host of a finding, with the chain of inlined calls as notes.
void reportFinding(const plugin::Host &host, const Module &module, const Finding &finding, bool nanIsError);

} // namespace tegula::plugins::reference
