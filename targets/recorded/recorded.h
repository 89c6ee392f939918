// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts of a target as a JSON file, so that the compiler is tested for a target without its plugin. Writing and reading keep every kind,
// key, order and flag.
#pragma once

#include "sdk/base/diagnostic.h"
#include "targets/facts/tree.h"

#include <optional>
#include <string>
#include <string_view>

namespace tegula::facts {

/// What a file holds: the target it was recorded from, and its tree.
struct Recorded {
  std::string target;
  Tree root;
};

/// JSON text, with a line end.
std::string writeRecorded(const Recorded &recorded);
/// Reads such a text; `name` is for messages. T1043 to `sink` where it cannot.
std::optional<Recorded> readRecorded(std::string_view text, const std::string &name, base::DiagnosticSink &sink);

} // namespace tegula::facts
