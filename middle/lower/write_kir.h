// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tile IR to KIR bytes.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <vector>

namespace tegula::middle::lower {

enum class KirLevel : uint32_t { Tile = 0, Thread = 1 };

/// Writes the module as KIR to `out`. What KIR cannot say is reported through MLIR's diagnostics at the op's place,
/// with an M1xxx code; `out` is unchanged then. Regions of reduce and scan become functions.
llvm::LogicalResult writeKir(mlir::ModuleOp module, KirLevel level, std::vector<uint8_t> &out);

} // namespace tegula::middle::lower
