// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that change shapes: result types, verification, and moving them out of each other's way. A constant that repeats
// one element stays such a constant under all of them.
#include "middle/ir/shape_ops.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

#define GET_OP_CLASSES
#include "middle/ir/shape_ops.cpp.inc"

using namespace mlir;

namespace tegula::middle::tile {
namespace {

/// `constant` (null, a scalar or a tensor) as a splat of `type`; null where it is no splat.
Attribute foldSplat(Attribute constant, Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(constant))
    constant = splat.getSplatValue<Attribute>();
  if (!isa_and_nonnull<IntegerAttr, FloatAttr>(constant))
    return {};
  return shaped ? Attribute(SplatElementsAttr::get(shaped, constant)) : constant;
}

/// A shape op on a splat is a splat.
template <typename Op> LogicalResult canonicalizeOfSplat(Op op, PatternRewriter &rewriter) {
  auto splat = op.getValue().template getDefiningOp<SplatOp>();
  if (!splat)
    return failure();
  rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getValue());
  return success();
}

RankedTensorType tensorType(Value value) { return cast<RankedTensorType>(value.getType()); }

} // namespace

void TileDialect::registerShapeOps() {
  addOperations<
#define GET_OP_LIST
#include "middle/ir/shape_ops.cpp.inc"
      >();
}

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) { return foldSplat(adaptor.getValue(), getType()); }

LogicalResult BroadcastOp::verify() {
  auto from = tensorType(getValue()), to = tensorType(getResult());
  if (from.getRank() != to.getRank())
    return emitOpError() << "ranks " << from.getRank() << " and " << to.getRank() << " differ";
  for (auto [a, b] : llvm::zip(from.getShape(), to.getShape()))
    if (a != b && a != 1)
      return emitOpError() << "cannot repeat a dimension of size " << a << " to " << b;
  return success();
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getValue().getType() == getType())
    return getValue();
  return foldSplat(adaptor.getValue(), getType());
}

LogicalResult BroadcastOp::canonicalize(BroadcastOp op, PatternRewriter &rewriter) {
  if (auto inner = op.getValue().getDefiningOp<BroadcastOp>()) {
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), inner.getValue());
    return success();
  }
  return canonicalizeOfSplat(op, rewriter);
}

LogicalResult ExpandDimsOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, ExpandDimsOp::Adaptor adaptor,
                                             SmallVectorImpl<Type> &types) {
  auto from = tensorType(adaptor.getValue());
  if (adaptor.getAxis() > from.getRank())
    return emitOptionalError(loc, "axis ", adaptor.getAxis(), " is beyond the rank of ", from);
  SmallVector<int64_t> shape(from.getShape());
  shape.insert(shape.begin() + adaptor.getAxis(), 1);
  types.push_back(from.clone(shape));
  return success();
}

OpFoldResult ExpandDimsOp::fold(FoldAdaptor adaptor) { return foldSplat(adaptor.getValue(), getType()); }

LogicalResult ExpandDimsOp::canonicalize(ExpandDimsOp op, PatternRewriter &rewriter) {
  return canonicalizeOfSplat(op, rewriter);
}

LogicalResult ReshapeOp::verify() {
  if (tensorType(getValue()).getNumElements() != tensorType(getResult()).getNumElements())
    return emitOpError() << "cannot make " << getType() << " of " << getValue().getType();
  return success();
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getValue().getType() == getType())
    return getValue();
  return foldSplat(adaptor.getValue(), getType());
}

LogicalResult ReshapeOp::canonicalize(ReshapeOp op, PatternRewriter &rewriter) {
  if (auto inner = op.getValue().getDefiningOp<ReshapeOp>()) {
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), inner.getValue(), op.getReorder() || inner.getReorder());
    return success();
  }
  return canonicalizeOfSplat(op, rewriter);
}

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, TransposeOp::Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  auto from = tensorType(adaptor.getValue());
  SmallVector<int64_t> shape;
  llvm::SmallBitVector seen(from.getRank());
  for (int32_t axis : adaptor.getPermutation()) {
    if (axis < 0 || axis >= from.getRank() || seen.test(axis))
      break;
    seen.set(axis);
    shape.push_back(from.getDimSize(axis));
  }
  if (int64_t(shape.size()) != from.getRank() || int64_t(adaptor.getPermutation().size()) != from.getRank())
    return emitOptionalError(loc, "not a permutation of the dimensions of ", from);
  types.push_back(from.clone(shape));
  return success();
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  if (llvm::is_sorted(getPermutation()))
    return getValue();
  return foldSplat(adaptor.getValue(), getType());
}

LogicalResult TransposeOp::canonicalize(TransposeOp op, PatternRewriter &rewriter) {
  if (auto inner = op.getValue().getDefiningOp<TransposeOp>()) {
    SmallVector<int32_t> both;
    for (int32_t axis : op.getPermutation())
      both.push_back(inner.getPermutation()[axis]);
    rewriter.replaceOpWithNewOp<TransposeOp>(op, op.getType(), inner.getValue(), both);
    return success();
  }
  return canonicalizeOfSplat(op, rewriter);
}

LogicalResult JoinOp::inferReturnTypes(MLIRContext *, std::optional<Location>, JoinOp::Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  Type from = adaptor.getLhs().getType();
  SmallVector<int64_t> shape;
  if (auto tensor = dyn_cast<RankedTensorType>(from))
    shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  shape.push_back(2);
  types.push_back(RankedTensorType::get(shape, getElementTypeOrSelf(from)));
  return success();
}

OpFoldResult JoinOp::fold(FoldAdaptor adaptor) {
  return adaptor.getLhs() == adaptor.getRhs() ? foldSplat(adaptor.getLhs(), getType()) : Attribute();
}

LogicalResult SplitOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, SplitOp::Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  auto from = tensorType(adaptor.getValue());
  if (from.getRank() == 0 || from.getShape().back() != 2)
    return emitOptionalError(loc, "the last dimension of ", from, " is not 2");
  Type half = from.getRank() == 1 ? from.getElementType() : from.clone(from.getShape().drop_back());
  types.assign(2, half);
  return success();
}

LogicalResult SplitOp::fold(FoldAdaptor adaptor, SmallVectorImpl<OpFoldResult> &results) {
  if (auto join = getValue().getDefiningOp<JoinOp>()) {
    results.assign({join.getLhs(), join.getRhs()});
    return success();
  }
  Attribute half = foldSplat(adaptor.getValue(), getFirst().getType());
  if (!half)
    return failure();
  results.assign(2, half);
  return success();
}

LogicalResult ConcatOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, ConcatOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  auto from = tensorType(adaptor.getLhs());
  if (adaptor.getAxis() >= from.getRank())
    return emitOptionalError(loc, "axis ", adaptor.getAxis(), " is not one of ", from);
  SmallVector<int64_t> shape(from.getShape());
  shape[adaptor.getAxis()] *= 2;
  types.push_back(from.clone(shape));
  return success();
}

OpFoldResult ConcatOp::fold(FoldAdaptor adaptor) {
  return adaptor.getLhs() == adaptor.getRhs() ? foldSplat(adaptor.getLhs(), getType()) : Attribute();
}

LogicalResult ExtractScalarOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                                ExtractScalarOp::Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto from = tensorType(adaptor.getValue());
  if (from.getNumElements() != 1)
    return emitOptionalError(loc, from, " does not have one element");
  types.push_back(from.getElementType());
  return success();
}

OpFoldResult ExtractScalarOp::fold(FoldAdaptor adaptor) {
  if (auto splat = getValue().getDefiningOp<SplatOp>())
    return splat.getValue();
  return foldSplat(adaptor.getValue(), getType());
}

/// The shape of one element does not matter.
LogicalResult ExtractScalarOp::canonicalize(ExtractScalarOp op, PatternRewriter &rewriter) {
  Operation *inner = op.getValue().getDefiningOp();
  if (!isa_and_nonnull<ExpandDimsOp, ReshapeOp, TransposeOp>(inner))
    return failure();
  rewriter.replaceOpWithNewOp<ExtractScalarOp>(op, inner->getOperand(0));
  return success();
}

LogicalResult HintOp::verify() {
  auto tensor = dyn_cast<RankedTensorType>(getType());
  size_t rank = tensor ? tensor.getRank() : 1;
  for (auto promise : {getDivisibility(), getContiguity(), getConstancy()}) {
    if (!promise.empty() && promise.size() != rank)
      return emitOpError() << "promises something about " << promise.size() << " dimensions of " << getType();
    if (llvm::any_of(promise, [](int64_t n) { return n <= 0; }))
      return emitOpError() << "promises must be positive";
  }
  return success();
}

} // namespace tegula::middle::tile
