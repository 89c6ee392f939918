// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parser of options finds, as diagnostics with a place in the command line.
#pragma once

#include "sdk/base/diagnostic.h"

#include <CLI/CLI.hpp>

#include <optional>

namespace tegula::driver::tools {

/// An error of `app`, which was given `words` (the first is the program). Not for requests for help, which are no errors.
base::Diagnostic describeUsageError(const CLI::App &app, const CLI::ParseError &error, const std::vector<std::string> &words);
/// The diagnostic for a first word that is no command, or for none at all; nothing where it is one, or an option.
std::optional<base::Diagnostic> checkCommand(const CLI::App &app, const std::vector<std::string> &words);

} // namespace tegula::driver::tools
