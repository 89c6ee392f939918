// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loop-invariant code motion, with guarded loads.
#include "middle/transform/hoist_invariants.h"

#include "middle/ir/collective_ops.h"
#include "middle/ir/memory_ops.h"
#include "middle/ir/shape_ops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;

namespace tegula::middle::transform {
namespace {

/// Whether anything in the loop may write memory, or has effects that nobody knows.
bool mayWrite(scf::ForOp loop) {
  return loop
      .walk([](Operation *op) {
        if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
          return WalkResult::advance();
        auto effects = dyn_cast<MemoryEffectOpInterface>(op);
        return !effects || effects.hasEffect<MemoryEffects::Write>() ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The mask under which `load` may run in front of `loop`: its own, and that the loop runs at all.
Value guardedMask(OpBuilder &builder, scf::ForOp loop, tile::LoadOp load) {
  if (auto count = loop.getStaticTripCount(); count && !count->isZero())
    return load.getMask();
  Location loc = load.getLoc();
  Value runs =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, loop.getLowerBound(), loop.getUpperBound());
  if (auto tensor = dyn_cast<RankedTensorType>(load.getPointer().getType()))
    runs = tile::SplatOp::create(builder, loc, runs, tensor.getShape());
  return load.getMask() ? arith::AndIOp::create(builder, loc, runs, load.getMask()).getResult() : runs;
}

/// Hoists the loads that stand directly in the loop's body. True where one moved.
bool hoistLoads(scf::ForOp loop) {
  if (mayWrite(loop))
    return false;
  bool changed = false;
  for (auto load : llvm::make_early_inc_range(loop.getBody()->getOps<tile::LoadOp>())) {
    if (!llvm::all_of(load->getOperands(), [&](Value value) { return loop.isDefinedOutsideOfLoop(value); }))
      continue;
    OpBuilder builder(loop);
    Value mask = guardedMask(builder, loop, load);
    auto hoisted = tile::LoadOp::create(builder, load.getLoc(), load.getPointer(), mask, load.getOther(),
                                        load.getCache(), load.getEviction());
    load.replaceAllUsesWith(hoisted.getResult());
    load.erase();
    changed = true;
  }
  return changed;
}

/// Is there nothing that the operation must not be given? MLIR says so of remainders and of gathers, too, which have undefined cases.
bool isDefinedForAll(Operation *op) {
  if (isa<tile::GatherOp>(op))
    return false;
  if (!isa<arith::RemSIOp, arith::RemUIOp>(op))
    return true;
  IntegerAttr scalar;
  SplatElementsAttr splat;
  std::optional<APInt> divisor;
  if (matchPattern(op->getOperand(1), m_Constant(&scalar)))
    divisor = scalar.getValue();
  else if (matchPattern(op->getOperand(1), m_Constant(&splat)))
    divisor = splat.getSplatValue<APInt>();
  return divisor && !divisor->isZero() && !(isa<arith::RemSIOp>(op) && divisor->isAllOnes());
}

/// As moveLoopInvariantCode(loop), for what may be computed where the loop does not run.
void hoistComputations(LoopLikeOpInterface loop) {
  moveLoopInvariantCode(
      loop.getLoopRegions(), [&](Value value, Region *) { return loop.isDefinedOutsideOfLoop(value); },
      [](Operation *op, Region *) { return isMemoryEffectFree(op) && isSpeculatable(op) && isDefinedForAll(op); },
      [&](Operation *op, Region *) { loop.moveOutOfLoop(op); });
}

struct HoistInvariants : PassWrapper<HoistInvariants, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(HoistInvariants)
  StringRef getName() const final { return "HoistInvariants"; }
  StringRef getArgument() const final { return "tegula-hoist-invariants"; }
  StringRef getDescription() const final { return "Moves out of loops what does not change in them"; }
  void getDependentDialects(DialectRegistry &registry) const final {
    registry.insert<arith::ArithDialect, tile::TileDialect>();
  }

  void runOnOperation() final {
    getOperation()->walk([](LoopLikeOpInterface loop) {
      if (loop->hasAttr("tile.disable_licm"))
        return;
      auto counted = dyn_cast<scf::ForOp>(*loop);
      do
        hoistComputations(loop);
      while (counted && hoistLoads(counted));
    });
  }
};

} // namespace

std::unique_ptr<Pass> createHoistInvariantsPass() { return std::make_unique<HoistInvariants>(); }

} // namespace tegula::middle::transform
