// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tile dialect's class, pointer type and enumerations. The ops are declared in one header per family; tile.h has
// them all.
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir {
class PatternRewriter;
} // namespace mlir

#include "middle/ir/enums.h.inc"

#include "middle/ir/dialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "middle/ir/types.h.inc"
#define GET_ATTRDEF_CLASSES
#include "middle/ir/attributes.h.inc"

namespace tegula::middle::tile {

/// Registers the tile dialect, the upstream dialects that kernels use, and what inlining them needs.
void registerTileDialects(mlir::DialectRegistry &registry);

/// Prints, assertions and promises: ordered among themselves, independent of memory.
struct ReportResource : mlir::SideEffects::Resource::Base<ReportResource> {
  llvm::StringRef getName() final { return "tile.report"; }
};

/// True for two scalars and for two tensors of one shape.
bool haveSameShape(mlir::Type a, mlir::Type b);

/// `element`, as a tensor of `like`'s shape where that is one.
mlir::Type withShapeOf(mlir::Type like, mlir::Type element);

/// The type that loads through a pointer or tensor of pointers have; null where `pointer` is neither.
mlir::Type getPointeeType(mlir::Type pointer);

} // namespace tegula::middle::tile
