// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of all passes.
#include "middle/transform/register_passes.h"

#include "middle/transform/combine_ops.h"
#include "middle/transform/drop_carried.h"
#include "middle/transform/hoist_invariants.h"
#include "middle/transform/merge_carried.h"
#include "middle/transform/reorder_broadcasts.h"
#include "middle/transform/unroll_loops.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace tegula::middle::transform {

void registerPasses() {
  mlir::registerPass([] { return createCombineOpsPass(); });
  mlir::registerPass(createDropCarriedPass);
  mlir::registerPass(createHoistInvariantsPass);
  mlir::registerPass(createMergeCarriedPass);
  mlir::registerPass(createReorderBroadcastsPass);
  mlir::registerPass(createUnrollLoopsPass);
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::registerInlinerPass();
  mlir::registerSCCPPass();
  mlir::registerSymbolDCEPass();
}

} // namespace tegula::middle::transform
