// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patterns that make one op of several. All but the one for sums of products keep every bit.
#include "middle/transform/combine_ops.h"

#include "middle/ir/dot_ops.h"
#include "middle/ir/memory_ops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace tegula::middle::transform {
namespace {

/// select(m, load(p, m), x) = load(p, m, x), in the load's place: `x` must be known there.
struct SelectOfMaskedLoad : OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::SelectOp op, PatternRewriter &rewriter) const override {
    auto load = op.getTrueValue().getDefiningOp<tile::LoadOp>();
    if (!load || !load->hasOneUse() || load.readsAgain() || !load.getMask() || load.getMask() != op.getCondition())
      return failure();
    Value other = op.getFalseValue();
    Operation *definition = other.getDefiningOp();
    bool isConstant = definition && definition->hasTrait<OpTrait::ConstantLike>();
    if (!isConstant && !DominanceInfo().properlyDominates(other, load))
      return failure();
    rewriter.setInsertionPoint(load);
    if (isConstant)
      other = rewriter.clone(*definition)->getResult(0);
    auto combined = tile::LoadOp::create(rewriter, load.getLoc(), load.getPointer(), load.getMask(), other,
                                         load.getCache(), load.getEviction());
    rewriter.replaceOp(op, combined);
    rewriter.eraseOp(load);
    return success();
  }
};

/// addptr(addptr(p, a), b) = addptr(p, a + b) for constants whose sum does not overflow: offsets are extended before
/// they are added.
struct ConstantOffsets : OpRewritePattern<tile::AddPtrOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tile::AddPtrOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getPointer().getDefiningOp<tile::AddPtrOp>();
    Type type = op.getOffset().getType();
    APInt a, b;
    if (!inner || inner.getOffset().getType() != type || inner.getIsUnsigned() != op.getIsUnsigned() ||
        !matchPattern(inner.getOffset(), m_ConstantInt(&a)) || !matchPattern(op.getOffset(), m_ConstantInt(&b)))
      return failure();
    bool overflow = false;
    APInt sum = op.getIsUnsigned() ? a.uadd_ov(b, overflow) : a.sadd_ov(b, overflow);
    if (overflow && sum.getBitWidth() < 64)
      return failure();
    auto element = rewriter.getIntegerAttr(getElementTypeOrSelf(type), sum);
    auto tensor = dyn_cast<RankedTensorType>(type);
    TypedAttr value = tensor ? TypedAttr(SplatElementsAttr::get(tensor, Attribute(element))) : TypedAttr(element);
    Value offset = arith::ConstantOp::create(rewriter, op.getLoc(), value);
    rewriter.replaceOpWithNewOp<tile::AddPtrOp>(op, inner.getPointer(), offset, op.getIsUnsigned());
    return success();
  }
};

/// dot(a, b, 0) + c = dot(a, b, c) but for the order of additions.
struct SumOfProduct : OpRewritePattern<arith::AddFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::AddFOp op, PatternRewriter &rewriter) const override {
    for (auto [product, sum] : {std::pair(op.getLhs(), op.getRhs()), std::pair(op.getRhs(), op.getLhs())}) {
      auto dot = product.getDefiningOp<tile::DotOp>();
      if (!dot || !dot->hasOneUse() || !matchPattern(dot.getAccumulator(), m_AnyZeroFloat()))
        continue;
      Value accumulator = sum;
      auto combined = cast<tile::DotOp>(rewriter.clone(*dot));
      rewriter.modifyOpInPlace(combined, [&] { combined.getAccumulatorMutable().assign(accumulator); });
      rewriter.replaceOp(op, combined);
      return success();
    }
    return failure();
  }
};

struct CombineOps : PassWrapper<CombineOps, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CombineOps)
  CombineOps() = default;
  CombineOps(const CombineOps &other) : PassWrapper(other) {}
  explicit CombineOps(bool reassociate) { allowReassociation = reassociate; }

  StringRef getName() const final { return "CombineOps"; }
  StringRef getArgument() const final { return "tegula-combine-ops"; }
  StringRef getDescription() const final { return "Makes one op of several that do the same"; }

  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    patterns.add<SelectOfMaskedLoad, ConstantOffsets>(&getContext());
    if (allowReassociation)
      patterns.add<SumOfProduct>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }

  Option<bool> allowReassociation{*this, "allow-reassociation",
                                  llvm::cl::desc("Also combine where the order of additions changes"),
                                  llvm::cl::init(false)};
};

} // namespace

std::unique_ptr<Pass> createCombineOpsPass(bool allowReassociation) {
  return std::make_unique<CombineOps>(allowReassociation);
}

} // namespace tegula::middle::transform
