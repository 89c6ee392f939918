// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs, positions, reports: verification and simplification.
#include "middle/ir/program_ops.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

#define GET_OP_CLASSES
#include "middle/ir/program_ops.cpp.inc"

using namespace mlir;

namespace tegula::middle::tile {

void TileDialect::registerProgramOps() {
  addOperations<
#define GET_OP_LIST
#include "middle/ir/program_ops.cpp.inc"
      >();
}

LogicalResult ArangeOp::inferReturnTypes(MLIRContext *context, std::optional<Location>, ArangeOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  int64_t size = int64_t(adaptor.getEnd()) - int64_t(adaptor.getStart());
  types.push_back(RankedTensorType::get({size < 0 ? 0 : size}, IntegerType::get(context, 32)));
  return success();
}

LogicalResult ArangeOp::verify() {
  int64_t size = int64_t(getEnd()) - int64_t(getStart());
  if (size <= 0 || (size & (size - 1)))
    return emitOpError() << "end - start must be a positive power of two, not " << size;
  return success();
}

LogicalResult PrintOp::verify() {
  if (getIsSigned().size() != getValues().size())
    return emitOpError() << "'signed' has " << getIsSigned().size() << " entries for " << getValues().size()
                         << " values";
  return success();
}

LogicalResult AssertOp::verify() {
  if (getMask() && getMask().getType() != getCondition().getType())
    return emitOpError() << "mask and condition must have one type";
  return success();
}

LogicalResult AssertOp::canonicalize(AssertOp op, PatternRewriter &rewriter) {
  if (!matchPattern(op.getCondition(), m_One()) && !(op.getMask() && matchPattern(op.getMask(), m_Zero())))
    return failure();
  rewriter.eraseOp(op);
  return success();
}

LogicalResult AssumeOp::canonicalize(AssumeOp op, PatternRewriter &rewriter) {
  if (!matchPattern(op.getCondition(), m_One()))
    return failure();
  rewriter.eraseOp(op);
  return success();
}

} // namespace tegula::middle::tile
