// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diagnostics as text with carets, or as JSON. A function of the record alone: no file is read, no terminal is asked.
#pragma once

#include "sdk/base/diagnostic.h"

#include <string>

namespace tegula::driver {

/// "file:line:col: error[F1203]: message", the source line, a caret line, notes with their own carets, and "help: ...". Ends with a line end.
std::string renderText(const base::Diagnostic &diagnostic, bool colour);
/// One JSON object: severity, code, message, file, line, column, end_column, help, notes (message, file, line, column, end_column).
std::string renderJson(const base::Diagnostic &diagnostic);

/// Columns that text takes on a terminal, tabs at every eighth, wide characters two, combining ones none.
uint32_t displayWidth(std::string_view text, uint32_t from = 0);

} // namespace tegula::driver
