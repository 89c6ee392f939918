// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pass --tegula-reorder-broadcasts: compute first, repeat later.
#pragma once

#include "mlir/Pass/Pass.h"

#include <memory>

namespace tegula::middle::transform {

/// An elementwise op on splats becomes a splat of the op on scalars; one on broadcasts of one shape (and splats) a
/// broadcast of the op on the small tensors.
std::unique_ptr<mlir::Pass> createReorderBroadcastsPass();

} // namespace tegula::middle::transform
