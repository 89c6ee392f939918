// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reduce, scan, gather, histogram: result types and verification.
#include "middle/ir/collective_ops.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

#define GET_OP_CLASSES
#include "middle/ir/collective_ops.cpp.inc"

using namespace mlir;

namespace tegula::middle::tile {
namespace {

LogicalResult checkAxis(std::optional<Location> loc, uint32_t axis, Type operand) {
  auto tensor = dyn_cast<RankedTensorType>(operand);
  if (tensor && axis < uint64_t(tensor.getRank()))
    return success();
  return emitOptionalError(loc, "axis ", axis, " is not one of ", operand);
}

/// The region takes two scalars for each operand (all of the left side first) and gives one each.
LogicalResult verifyCombine(Operation *op) {
  Block &block = op->getRegion(0).front();
  unsigned count = op->getNumOperands();
  if (block.getNumArguments() != 2 * count)
    return op->emitOpError() << "region takes " << block.getNumArguments() << " arguments for " << count << " operands";
  Operation *yield = block.getTerminator();
  if (yield->getNumOperands() != count)
    return op->emitOpError() << "region gives " << yield->getNumOperands() << " values for " << count << " operands";
  for (unsigned i = 0; i < count; ++i) {
    Type element = getElementTypeOrSelf(op->getOperand(i).getType());
    if (block.getArgument(i).getType() != element || block.getArgument(count + i).getType() != element ||
        yield->getOperand(i).getType() != element)
      return op->emitOpError() << "region must take and give " << element << " for operand " << i;
  }
  return success();
}

} // namespace

void TileDialect::registerCollectiveOps() {
  addOperations<
#define GET_OP_LIST
#include "middle/ir/collective_ops.cpp.inc"
      >();
}

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, ReduceOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  for (Type type : adaptor.getValues().getTypes()) {
    if (failed(checkAxis(loc, adaptor.getAxis(), type)))
      return failure();
    auto tensor = cast<RankedTensorType>(type);
    SmallVector<int64_t> shape(tensor.getShape());
    shape.erase(shape.begin() + adaptor.getAxis());
    types.push_back(shape.empty() ? tensor.getElementType() : tensor.clone(shape));
  }
  return success();
}

LogicalResult ReduceOp::verifyRegions() { return verifyCombine(*this); }

LogicalResult ScanOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, ScanOp::Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  for (Type type : adaptor.getValues().getTypes()) {
    if (failed(checkAxis(loc, adaptor.getAxis(), type)))
      return failure();
    types.push_back(type);
  }
  return success();
}

LogicalResult ScanOp::verifyRegions() { return verifyCombine(*this); }

LogicalResult GatherOp::inferReturnTypes(MLIRContext *, std::optional<Location>, GatherOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  types.push_back(withShapeOf(adaptor.getIndex().getType(), getElementTypeOrSelf(adaptor.getSource())));
  return success();
}

LogicalResult GatherOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType()), index = cast<RankedTensorType>(getIndex().getType());
  if (source.getRank() != index.getRank())
    return emitOpError() << "source and index must have one rank";
  if (failed(checkAxis(getLoc(), getAxis(), source)))
    return failure();
  for (int64_t i = 0; i < source.getRank(); ++i)
    if (i != getAxis() && source.getDimSize(i) != index.getDimSize(i))
      return emitOpError() << "source and index differ in dimension " << i;
  return success();
}

LogicalResult HistogramOp::verify() {
  if (getMask() && !haveSameShape(getMask().getType(), getValue().getType()))
    return emitOpError() << "mask must have the shape of the value";
  return success();
}

} // namespace tegula::middle::tile
