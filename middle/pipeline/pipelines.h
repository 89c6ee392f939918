// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Named pipelines, their text, and running them.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <string>

namespace llvm {
class raw_ostream;
}

namespace tegula::middle::pipeline {

enum class OptLevel : uint8_t { O0, O2 };

struct PipelineOptions {
  OptLevel level = OptLevel::O2;
  /// Sums may be reordered: the target's results are not compared bit by bit.
  bool allowReassociation = false;
  /// Passes to run instead of the level's, as text; empty for those of the level.
  std::string passes;
  bool verifyEach = true;
  /// Where not null: gets a table of times.
  llvm::raw_ostream *timing = nullptr;
  /// Where not null: gets the IR after each pass, or after the passes named `dumpPass` (their flag) where that is not
  /// empty.
  llvm::raw_ostream *dump = nullptr;
  std::string dumpPass;
  /// Where not empty: a file that gets the IR and pipeline where a pass fails or crashes.
  std::string reproducer;
};

/// The pipeline as text, which `opt --pass-pipeline='builtin.module(TEXT)'` replays.
std::string getPipelineText(const PipelineOptions &options);

/// Verifies the module and runs the pipeline on it. Failures are reported through MLIR's diagnostics.
llvm::LogicalResult runPipeline(mlir::ModuleOp module, const PipelineOptions &options);

/// Makes `tile-O0` and `tile-O2` known to the pass driver.
void registerPipelines();

} // namespace tegula::middle::pipeline
