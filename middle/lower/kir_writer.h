// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the op families need to write themselves: ids of values, types, places, functions. Private to this folder.
#pragma once

#include "sdk/kir/writer.h"

#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"

namespace tegula::middle::lower {

using Ids = llvm::SmallVector<uint32_t>;

/// Owns the writer of one module. Families call `emit` functions of the KIR writer with ids from here.
class KirWriter {
public:
  explicit KirWriter(uint32_t level) : kir(tegula_kir_writer_create(level, nullptr)) {}
  ~KirWriter() { tegula_kir_writer_destroy(kir); }
  KirWriter(const KirWriter &) = delete;
  KirWriter &operator=(const KirWriter &) = delete;

  tegula_kir_writer_t *kir;

  /// Id of a value written before; 0 for the null value.
  uint32_t id(mlir::Value value) const { return value ? values.lookup(value) : 0; }
  Ids ids(mlir::ValueRange range) const;
  /// Id of a type; reports M1002 at `where`, and gives 0, where KIR has none.
  uint32_t type(mlir::Type type, mlir::Location where);
  Ids types(mlir::TypeRange range, mlir::Location where);
  /// Type of an op's only result.
  uint32_t resultType(mlir::Operation *op) { return type(op->getResult(0).getType(), op->getLoc()); }

  /// `value` has this id from here on.
  void define(mlir::Value value, uint32_t id);
  bool defineResult(mlir::Operation *op, uint32_t id);
  bool defineResults(mlir::Operation *op, llvm::ArrayRef<uint32_t> ids);
  /// Fresh ids for a region's arguments, as (type, id) pairs.
  Ids defineArguments(mlir::ValueRange arguments);

  /// The function of a symbol or of a combine region, reserved on first sight.
  uint32_t function(mlir::StringAttr symbol);
  uint32_t combineFunction(mlir::Operation *combining);
  /// Reduces and scans seen so far, in order; their functions are still to be written.
  llvm::SmallVector<mlir::Operation *> combining;

  /// Writes the ops of a block, its terminator too.
  llvm::LogicalResult block(mlir::Block &block);
  /// Id of a place; 0 where nothing is known.
  uint32_t place(mlir::Location location, uint32_t inlinedAt = 0);
  bool failed = false;

private:
  llvm::DenseMap<mlir::Value, uint32_t> values;
  llvm::DenseMap<mlir::Type, uint32_t> typeIds;
  llvm::DenseMap<std::pair<mlir::Attribute, uint32_t>, uint32_t> places;
  llvm::DenseMap<mlir::StringAttr, uint32_t> functions;
  llvm::DenseMap<mlir::Operation *, uint32_t> combineFunctions;
};

/// The families. Each writes the ops that are its own and says whether `op` is one; failures are reported and noted in
/// the writer.
bool writeElementwise(KirWriter &writer, mlir::Operation *op);
bool writeMath(KirWriter &writer, mlir::Operation *op);
bool writeShape(KirWriter &writer, mlir::Operation *op);
bool writeMemory(KirWriter &writer, mlir::Operation *op);
bool writeProgram(KirWriter &writer, mlir::Operation *op);
bool writeCollective(KirWriter &writer, mlir::Operation *op);
bool writeControl(KirWriter &writer, mlir::Operation *op);

} // namespace tegula::middle::lower
