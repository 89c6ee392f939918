// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's diagnostics as Tegula's records.
#pragma once

#include "sdk/base/diagnostic.h"

#include "mlir/IR/Diagnostics.h"

namespace tegula::middle::pipeline {

/// While it lives, all diagnostics of `context` go to `sink`, which outlives it. The code is what stands in brackets at
/// the front of the message, else M1000. The place is the innermost one of the location; callers become notes "called
/// from here". Source lines are left empty.
class DiagnosticBridge {
public:
  DiagnosticBridge(mlir::MLIRContext *context, base::DiagnosticSink &sink);

private:
  mlir::ScopedDiagnosticHandler handler;
};

/// The innermost known place of `location`; unknown where there is none.
base::SourceRange toSourceRange(mlir::Location location);

} // namespace tegula::middle::pipeline
