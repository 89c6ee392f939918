// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pass --tegula-hoist-invariants: moves out of loops what does not change in them.
#pragma once

#include "mlir/Pass/Pass.h"

#include <memory>

namespace tegula::middle::transform {

/// Moves pure ops, and from `scf.for` without writes also loads (masked off where the loop does not run), in front of
/// the loop. Loops with `tile.disable_licm` are left alone.
std::unique_ptr<mlir::Pass> createHoistInvariantsPass();

} // namespace tegula::middle::transform
