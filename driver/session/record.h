// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests and artifacts as JSON text.
#pragma once

#include "frontend/emit/compile.h"
#include "targets/host/plugin.h"

namespace tegula::driver {

/// All that is known of an artifact but its bytes.
std::string describeArtifact(const targets::Artifact &artifact);
/// One line that `tegula run --batch` takes with "compile_only", so that a crash can be reproduced.
std::string describeRequest(const frontend::CompileRequest &request, std::string_view target);

} // namespace tegula::driver
