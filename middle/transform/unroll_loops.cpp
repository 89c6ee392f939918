// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unrolling by a factor, with a remainder loop where the trip count is no multiple of it.
#include "middle/transform/unroll_loops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"

using namespace mlir;

namespace tegula::middle::transform {
namespace {

struct UnrollLoops : PassWrapper<UnrollLoops, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(UnrollLoops)
  StringRef getName() const final { return "UnrollLoops"; }
  StringRef getArgument() const final { return "tegula-unroll-loops"; }
  StringRef getDescription() const final { return "Unrolls loops as their 'tile.unroll' says"; }

  void runOnOperation() final {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) {
      if (loop->hasAttr("tile.unroll"))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      unroll(loop);
  }

  /// Do the differences, products and sums that unrolling makes fit the type of the loop's bounds?
  static bool boundsFit(scf::ForOp loop, uint64_t factor) {
    std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()), step = getConstantIntValue(loop.getStep());
    constexpr uint64_t kMaxStep = 1 << 16;
    return lower && step && *lower >= 0 && factor <= kMaxStep && uint64_t(*step) <= kMaxStep / factor;
  }

  /// The same loop over 64 bits.
  static scf::ForOp widen(scf::ForOp loop) {
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    Type narrow = loop.getInductionVar().getType(), wide = builder.getI64Type();
    auto extend = [&](Value bound) { return builder.createOrFold<arith::ExtSIOp>(loc, wide, bound); };
    auto result =
        scf::ForOp::create(builder, loc, extend(loop.getLowerBound()), extend(loop.getUpperBound()), extend(loop.getStep()), loop.getInitArgs());
    result->setAttrs(loop->getAttrs());
    result.getRegion().takeBody(loop.getRegion());
    Value counter = result.getInductionVar();
    counter.setType(wide);
    builder.setInsertionPointToStart(result.getBody());
    auto index = arith::TruncIOp::create(builder, loc, narrow, counter);
    counter.replaceAllUsesExcept(index, index);
    loop.replaceAllUsesWith(result.getResults());
    loop.erase();
    return result;
  }

  void unroll(scf::ForOp loop) {
    uint64_t factor = loop->getAttrOfType<IntegerAttr>("tile.unroll").getInt();
    loop->removeAttr("tile.unroll");
    if (factor <= 1)
      return;
    if (!boundsFit(loop, factor)) {
      if (loop.getInductionVar().getType().isInteger(64)) {
        loop.emitRemark() << "loop is not unrolled: its 64-bit bounds may overflow";
        return;
      }
      loop = widen(loop);
    }
    // The number of iterations is computed from upper - lower, which must not be negative.
    if (!loop.getStaticTripCount()) {
      OpBuilder builder(loop);
      loop.setUpperBound(arith::MaxSIOp::create(builder, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound()));
    }
    if (failed(loopUnrollByFactor(loop, factor)))
      loop.emitRemark() << "loop is not unrolled";
  }
};

} // namespace

std::unique_ptr<Pass> createUnrollLoopsPass() { return std::make_unique<UnrollLoops>(); }

} // namespace tegula::middle::transform
