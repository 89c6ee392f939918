// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers, loads, stores, atomics: builders, effects, verification, simplification.
#include "middle/ir/memory_ops.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace tegula::middle::tile;

namespace {

/// One value of each pair may be accessed through one pointer: value and mask fit the pointer.
LogicalResult verifyAccess(Operation *op, Value pointer, Type value, Value mask) {
  Type pointee = getPointeeType(pointer.getType());
  if (value != pointee)
    return op->emitOpError() << "accesses " << value << " through a pointer to " << pointee;
  if (mask && !haveSameShape(mask.getType(), pointer.getType()))
    return op->emitOpError() << "mask " << mask.getType() << " does not have the shape of pointer "
                             << pointer.getType();
  return success();
}

} // namespace

#define GET_OP_CLASSES
#include "middle/ir/memory_ops.cpp.inc"

namespace tegula::middle::tile {

void TileDialect::registerMemoryOps() {
  addOperations<
#define GET_OP_LIST
#include "middle/ir/memory_ops.cpp.inc"
      >();
}

OpFoldResult AddPtrOp::fold(FoldAdaptor) { return matchPattern(getOffset(), m_Zero()) ? getPointer() : Value(); }

OpFoldResult BitcastOp::fold(FoldAdaptor) {
  if (getValue().getType() == getType())
    return getValue();
  if (auto inner = getValue().getDefiningOp<BitcastOp>(); inner && inner.getValue().getType() == getType())
    return inner.getValue();
  return {};
}

void LoadOp::build(OpBuilder &builder, OperationState &state, Value pointer, Value mask, Value other,
                   CacheModifier cache, EvictionPolicy eviction, bool isVolatile) {
  state.addOperands(pointer);
  if (mask)
    state.addOperands(mask);
  if (other)
    state.addOperands(other);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.operandSegmentSizes = {1, mask ? 1 : 0, other ? 1 : 0};
  properties.cache = CacheModifierAttr::get(builder.getContext(), cache);
  properties.eviction = EvictionPolicyAttr::get(builder.getContext(), eviction);
  if (isVolatile)
    properties.isVolatile = builder.getUnitAttr();
  state.addTypes(getPointeeType(pointer.getType()));
}

LogicalResult LoadOp::inferReturnTypes(MLIRContext *, std::optional<Location>, LoadOp::Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  types.push_back(getPointeeType(adaptor.getPointer().getType()));
  return success(bool(types.back()));
}

void LoadOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getPointerMutable());
  if (readsAgain())
    effects.emplace_back(MemoryEffects::Write::get(), &getPointerMutable());
}

LogicalResult LoadOp::verify() {
  if (getOther() && !getMask())
    return emitOpError() << "has 'other' without a mask";
  if (getOther() && getOther().getType() != getType())
    return emitOpError() << "'other' is " << getOther().getType() << ", the result " << getType();
  return verifyAccess(*this, getPointer(), getType(), getMask());
}

LogicalResult LoadOp::canonicalize(LoadOp op, PatternRewriter &rewriter) {
  if (!op.getMask())
    return failure();
  if (matchPattern(op.getMask(), m_One())) {
    rewriter.replaceOpWithNewOp<LoadOp>(op, op.getPointer(), Value(), Value(), op.getCache(), op.getEviction(),
                                        op.getIsVolatile());
    return success();
  }
  if (matchPattern(op.getMask(), m_Zero()) && op.getOther()) {
    rewriter.replaceOp(op, op.getOther());
    return success();
  }
  return failure();
}

void StoreOp::build(OpBuilder &builder, OperationState &state, Value pointer, Value value, Value mask,
                    CacheModifier cache, EvictionPolicy eviction) {
  state.addOperands({pointer, value});
  if (mask)
    state.addOperands(mask);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.cache = CacheModifierAttr::get(builder.getContext(), cache);
  properties.eviction = EvictionPolicyAttr::get(builder.getContext(), eviction);
}

LogicalResult StoreOp::verify() { return verifyAccess(*this, getPointer(), getValue().getType(), getMask()); }

LogicalResult StoreOp::canonicalize(StoreOp op, PatternRewriter &rewriter) {
  if (!op.getMask())
    return failure();
  if (matchPattern(op.getMask(), m_One())) {
    rewriter.replaceOpWithNewOp<StoreOp>(op, op.getPointer(), op.getValue(), Value(), op.getCache(), op.getEviction());
    return success();
  }
  if (matchPattern(op.getMask(), m_Zero())) {
    rewriter.eraseOp(op);
    return success();
  }
  return failure();
}

LogicalResult AtomicRmwOp::verify() {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(getType()));
  bool fits = getUpdate() == AtomicOperation::Xchg || isFloat == (getUpdate() == AtomicOperation::Fadd);
  if (!fits)
    return emitOpError() << "'" << stringifyAtomicOperation(getUpdate()) << "' does not work on " << getType();
  return verifyAccess(*this, getPointer(), getType(), getMask());
}

LogicalResult AtomicCasOp::verify() { return verifyAccess(*this, getPointer(), getType(), {}); }

} // namespace tegula::middle::tile
