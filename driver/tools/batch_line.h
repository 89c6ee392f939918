// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A line of a batch: the long options as JSON keys, with '_' for '-'.
#pragma once

#include "driver/tools/job.h"

namespace tegula::driver::tools {

/// Reads a line into `job`, which holds the defaults: values replace them, objects replace them name by name. False after errors.
/// `file` and `line` say where the text stands. A job without an "id" is called by that place.
bool readBatchLine(const std::string &text, const std::string &file, uint32_t line, Job &job, base::DiagnosticSink &sink);
/// The "id" of a line, as text; the place of a line that has none.
std::string idOf(const std::string &text, const std::string &file, uint32_t line);

} // namespace tegula::driver::tools
