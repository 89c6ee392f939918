// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pass --tegula-merge-carried: one loop-carried value where several are always equal.
#pragma once

#include "mlir/Pass/Pass.h"

#include <memory>

namespace tegula::middle::transform {

/// In each `scf.for`, carried values that start equal and are computed alike from each other become one.
std::unique_ptr<mlir::Pass> createMergeCarriedPass();

} // namespace tegula::middle::transform
