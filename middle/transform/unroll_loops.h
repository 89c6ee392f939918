// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pass --tegula-unroll-loops: does what `tile.unroll` of a loop asks for.
#pragma once

#include "mlir/Pass/Pass.h"

#include <memory>

namespace tegula::middle::transform {

/// Unrolls each `scf.for` with `tile.unroll = N` N times, inner loops first, and takes the attribute off.
std::unique_ptr<mlir::Pass> createUnrollLoopsPass();

} // namespace tegula::middle::transform
