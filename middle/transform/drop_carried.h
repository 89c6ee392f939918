// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pass --tegula-drop-carried: loop-carried values that only feed themselves.
#pragma once

#include "mlir/Pass/Pass.h"

#include <memory>

namespace tegula::middle::transform {

/// In each `scf.for`, a carried value whose result nobody reads, and that inside the loop only serves to compute such
/// values, is carried unchanged; canonicalisation then takes it and its computation away.
std::unique_ptr<mlir::Pass> createDropCarriedPass();

} // namespace tegula::middle::transform
