// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products, reductions, scans, gathers, histograms.

#include "frontend/emit/builder_impl.h"

#include "middle/ir/collective_ops.h"
#include "middle/ir/dot_ops.h"

namespace tegula::frontend::emit {

namespace tile = middle::tile;

IrValue TileBuilder::dot(IrValue lhs, IrValue rhs, IrValue accumulator, DotPrecision precision, uint32_t maxImprecise, bool lhsSigned,
                         bool rhsSigned) {
  mlir::Value c = unwrap(accumulator);
  static_assert(static_cast<int>(DotPrecision::Bf16x6) == static_cast<int>(tile::DotPrecision::Bf16x6));
  return impl->result<tile::DotOp>(c.getType(), unwrap(lhs), unwrap(rhs), c, static_cast<tile::DotPrecision>(precision), maxImprecise, lhsSigned,
                                   rhsSigned);
}

/// Fills the combine region of `op`: arguments (a..., b...) of the operands' element types.
static void fillCombine(mlir::OpBuilder &builder, mlir::Location place, mlir::Region &region, mlir::ValueRange values,
                        const TileBuilder::CombineFn &combine) {
  mlir::OpBuilder::InsertionGuard guard(builder);
  mlir::Block *block = builder.createBlock(&region);
  for (int side = 0; side < 2; ++side)
    for (mlir::Value v : values)
      block->addArgument(mlir::getElementTypeOrSelf(v.getType()), place);
  Values results = combine(wrap(mlir::ValueRange(block->getArguments())));
  tile::YieldOp::create(builder, place, unwrap(results));
}

Values TileBuilder::reduce(std::span<const IrValue> values, uint32_t axis, const CombineFn &combine) {
  auto operands = unwrap(values);
  llvm::SmallVector<mlir::Type> types;
  for (mlir::Value v : operands) {
    auto type = mlir::cast<mlir::RankedTensorType>(v.getType());
    llvm::SmallVector<int64_t> shape(type.getShape());
    shape.erase(shape.begin() + axis);
    types.push_back(shape.empty() ? type.getElementType() : mlir::Type(type.clone(shape)));
  }
  auto op = impl->create<tile::ReduceOp>(mlir::TypeRange(types), operands, axis);
  fillCombine(impl->builder, impl->place, op.getCombine(), operands, combine);
  return wrap(op->getResults());
}

Values TileBuilder::scan(std::span<const IrValue> values, uint32_t axis, bool reverse, const CombineFn &combine) {
  auto operands = unwrap(values);
  auto op = impl->create<tile::ScanOp>(mlir::ValueRange(operands).getTypes(), operands, axis, reverse);
  fillCombine(impl->builder, impl->place, op.getCombine(), operands, combine);
  return wrap(op->getResults());
}

IrValue TileBuilder::gather(IrValue source, IrValue index, uint32_t axis) {
  return impl->result<tile::GatherOp>(unwrap(source), unwrap(index), axis);
}

IrValue TileBuilder::histogram(IrValue value, IrValue mask, int64_t bins) {
  return impl->result<tile::HistogramOp>(mlir::RankedTensorType::get({bins}, impl->builder.getI32Type()), unwrap(value), unwrap(mask));
}

} // namespace tegula::frontend::emit
