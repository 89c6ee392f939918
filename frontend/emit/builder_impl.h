// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of TileBuilder share: the MLIR builder, open functions and regions, and conversions.
#pragma once

#include "frontend/emit/tile_builder.h"

#include "middle/ir/dialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace tegula::frontend::emit {

inline mlir::Value unwrap(IrValue value) { return mlir::Value::getFromOpaquePointer(value.impl); }
inline IrValue wrap(mlir::Value value) { return {value.getAsOpaquePointer()}; }
inline llvm::SmallVector<mlir::Value> unwrap(std::span<const IrValue> values) {
  llvm::SmallVector<mlir::Value> result;
  for (IrValue v : values)
    result.push_back(unwrap(v));
  return result;
}
inline Values wrap(mlir::ValueRange values) {
  Values result;
  for (mlir::Value v : values)
    result.push_back(wrap(v));
  return result;
}

struct TileBuilder::Impl {
  explicit Impl(mlir::MLIRContext &context);

  mlir::OpBuilder builder;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::Location place; ///< of the ops being built, call chain included
  llvm::SmallVector<mlir::Location> callers; ///< places of the calls being inlined, outermost first
  /// The last range asked for, since neighbouring ops mostly share theirs.
  const SourceBuffer *lastSource = nullptr;
  ast::Range lastRange;
  mlir::StringAttr lastFile;

  struct OpenFunction {
    mlir::func::FuncOp function;
    mlir::OpBuilder::InsertPoint resume;
  };
  llvm::SmallVector<OpenFunction> functions;

  /// An if, for or while whose end has not been seen. Regions are filled detached, since their op's result types come from them.
  struct OpenRegion {
    enum class Kind : uint8_t { If, For, While } kind;
    mlir::OpBuilder::InsertPoint resume;
    mlir::Location place;
    mlir::Value condition;
    std::unique_ptr<mlir::Region> first, second;
    llvm::SmallVector<mlir::Value> inits;
    mlir::Operation *loop = nullptr;
  };
  llvm::SmallVector<OpenRegion, 0> regions;

  mlir::Type scalarType(const Type &type);
  mlir::Type type(const Type &type);
  /// The shape of `like` with another element.
  mlir::Type typeLike(mlir::Value like, const Type &scalar);
  mlir::MLIRContext *context() { return builder.getContext(); }
  template <typename Op, typename... Args> Op create(Args &&...args) { return Op::create(builder, place, std::forward<Args>(args)...); }
  template <typename Op, typename... Args> IrValue result(Args &&...args) { return wrap(create<Op>(std::forward<Args>(args)...)->getResult(0)); }
  mlir::Value constant(mlir::Type type, mlir::Attribute element);
};

} // namespace tegula::frontend::emit
