// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's own driver with Tegula's dialects and passes.
#include "middle/pipeline/opt_main.h"

#include "middle/ir/dialect.h"
#include "middle/pipeline/pipelines.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

namespace tegula::middle::pipeline {

int tegulaOptMain(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tile::registerTileDialects(registry);
  registerPipelines();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "Tile IR optimiser\n", registry));
}

} // namespace tegula::middle::pipeline
