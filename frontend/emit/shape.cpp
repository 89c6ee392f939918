// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes and hints.

#include "frontend/emit/builder_impl.h"

#include "middle/ir/shape_ops.h"

namespace tegula::frontend::emit {

namespace tile = middle::tile;

IrValue TileBuilder::splat(IrValue scalar, const sema::Shape &shape) { return impl->result<tile::SplatOp>(unwrap(scalar), shape); }
IrValue TileBuilder::broadcast(IrValue value, const sema::Shape &shape) { return impl->result<tile::BroadcastOp>(unwrap(value), shape); }
IrValue TileBuilder::expandDims(IrValue value, uint32_t axis) { return impl->result<tile::ExpandDimsOp>(unwrap(value), axis); }
IrValue TileBuilder::reshape(IrValue value, const sema::Shape &shape, bool reorder) {
  return impl->result<tile::ReshapeOp>(unwrap(value), shape, reorder);
}

IrValue TileBuilder::transpose(IrValue value, std::span<const uint32_t> permutation) {
  llvm::SmallVector<int32_t> order(permutation.begin(), permutation.end());
  return impl->result<tile::TransposeOp>(unwrap(value), order);
}

IrValue TileBuilder::join(IrValue lhs, IrValue rhs) { return impl->result<tile::JoinOp>(unwrap(lhs), unwrap(rhs)); }

std::pair<IrValue, IrValue> TileBuilder::split(IrValue value) {
  auto op = impl->create<tile::SplitOp>(unwrap(value));
  return {wrap(op.getFirst()), wrap(op.getSecond())};
}

IrValue TileBuilder::concat(IrValue lhs, IrValue rhs, uint32_t axis) { return impl->result<tile::ConcatOp>(unwrap(lhs), unwrap(rhs), axis); }
IrValue TileBuilder::extractScalar(IrValue value) { return impl->result<tile::ExtractScalarOp>(unwrap(value)); }

IrValue TileBuilder::hint(IrValue value, std::span<const uint64_t> divisibility, std::span<const uint64_t> contiguity,
                          std::span<const uint64_t> constancy) {
  auto list = [](std::span<const uint64_t> items) { return llvm::SmallVector<int64_t>(items.begin(), items.end()); };
  return impl->result<tile::HintOp>(unwrap(value), list(divisibility), list(contiguity), list(constancy));
}

} // namespace tegula::frontend::emit
