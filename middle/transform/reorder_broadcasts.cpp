// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves elementwise ops in front of the ops that repeat their operands.
#include "middle/transform/reorder_broadcasts.h"

#include "middle/ir/shape_ops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace tegula::middle::transform {
namespace {

/// The repeated element of `value`, where it is a splat, a constant that repeats one, or a scalar already.
struct Repeated {
  explicit Repeated(Value value) : isScalar(!isa<RankedTensorType>(value.getType())) {
    if (auto splat = value.getDefiningOp<tile::SplatOp>())
      scalar = splat.getValue();
    else if (isScalar)
      scalar = value;
    else
      matchPattern(value, m_Constant(&constant));
  }
  explicit operator bool() const { return scalar || constant; }
  /// The element as a value, at the rewriter's place.
  Value element(PatternRewriter &rewriter, Location loc) const {
    if (scalar)
      return scalar;
    return arith::ConstantOp::create(rewriter, loc, constant.getSplatValue<TypedAttr>());
  }

  Value scalar;
  SplatElementsAttr constant;
  bool isScalar;
};

/// `op` on other operands, with a result of another shape.
Value rebuild(PatternRewriter &rewriter, Operation *op, ValueRange operands, Type result) {
  OperationState state(op->getLoc(), op->getName(), operands, result, op->getDiscardableAttrDictionary().getValue());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  return rewriter.create(state)->getResult(0);
}

struct ReorderBroadcast : RewritePattern {
  explicit ReorderBroadcast(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 1 || op->getNumOperands() == 0 || !OpTrait::hasElementwiseMappableTraits(op) ||
        !isMemoryEffectFree(op))
      return failure();
    auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!result)
      return failure();

    // What is to be repeated: scalars, or tensors of this one shape.
    std::optional<ArrayRef<int64_t>> small;
    bool repeats = false;
    for (Value operand : op->getOperands()) {
      if (auto broadcast = operand.getDefiningOp<tile::BroadcastOp>()) {
        auto shape = cast<RankedTensorType>(broadcast.getValue().getType()).getShape();
        if (small && *small != shape)
          return failure();
        small = shape;
        repeats = true;
      } else if (Repeated repeated(operand); repeated) {
        repeats |= bool(operand.getDefiningOp<tile::SplatOp>());
      } else {
        return failure();
      }
    }
    if (!repeats)
      return failure();

    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      if (auto broadcast = operand.getDefiningOp<tile::BroadcastOp>()) {
        operands.push_back(broadcast.getValue());
        continue;
      }
      Repeated repeated(operand);
      Value element = repeated.element(rewriter, op->getLoc());
      // An operand that was a scalar from the start (a select's condition) stays one.
      bool grow = small && !repeated.isScalar;
      operands.push_back(grow ? tile::SplatOp::create(rewriter, op->getLoc(), element, *small).getResult() : element);
    }
    Type element = result.getElementType();
    Value value = rebuild(rewriter, op, operands, small ? Type(RankedTensorType::get(*small, element)) : element);
    if (small)
      rewriter.replaceOpWithNewOp<tile::BroadcastOp>(op, result, value);
    else
      rewriter.replaceOpWithNewOp<tile::SplatOp>(op, result, value);
    return success();
  }
};

struct ReorderBroadcasts : PassWrapper<ReorderBroadcasts, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReorderBroadcasts)
  StringRef getName() const final { return "ReorderBroadcasts"; }
  StringRef getArgument() const final { return "tegula-reorder-broadcasts"; }
  StringRef getDescription() const final { return "Moves elementwise ops in front of splats and broadcasts"; }
  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    patterns.add<ReorderBroadcast>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> createReorderBroadcastsPass() { return std::make_unique<ReorderBroadcasts>(); }

} // namespace tegula::middle::transform
