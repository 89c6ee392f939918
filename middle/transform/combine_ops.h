// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pass --tegula-combine-ops: several ops into one that does the same.
#pragma once

#include "mlir/Pass/Pass.h"

#include <memory>

namespace tegula::middle::transform {

/// Folds a select of a masked load into the load's `other`, constant offsets into one, and, only where
/// `allowReassociation` since it changes roundings, the sum of a product and a tensor into the product's accumulator.
std::unique_ptr<mlir::Pass> createCombineOpsPass(bool allowReassociation = false);

} // namespace tegula::middle::transform
