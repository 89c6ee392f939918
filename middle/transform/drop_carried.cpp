// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts from the carried values without readers behind the loop and takes out those that something in the loop needs,
// until none is left to take.
#include "middle/transform/drop_carried.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace tegula::middle::transform {
namespace {

/// Whether `value`, an argument or what is computed of it, ends in nothing but carried values of `dead`.
bool feedsOnly(scf::ForOp loop, Value value, const llvm::SmallBitVector &dead,
               llvm::SmallPtrSetImpl<Operation *> &seen) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (user == loop.getBody()->getTerminator()) {
      if (!dead.test(use.getOperandNumber()))
        return false;
      continue;
    }
    if (user->hasTrait<OpTrait::IsTerminator>() || !wouldOpBeTriviallyDead(user))
      return false;
    if (!seen.insert(user).second)
      continue;
    for (Value result : user->getResults())
      if (!feedsOnly(loop, result, dead, seen))
        return false;
  }
  return true;
}

void dropCarried(scf::ForOp loop) {
  llvm::SmallBitVector dead(loop.getNumResults());
  for (OpResult result : loop.getResults())
    if (result.use_empty())
      dead.set(result.getResultNumber());
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i : dead.set_bits()) {
      llvm::SmallPtrSet<Operation *, 16> seen;
      if (feedsOnly(loop, loop.getRegionIterArg(i), dead, seen))
        continue;
      dead.reset(i);
      changed = true;
      break;
    }
  }
  for (unsigned i : dead.set_bits())
    loop.getBody()->getTerminator()->setOperand(i, loop.getRegionIterArg(i));
}

struct DropCarried : PassWrapper<DropCarried, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DropCarried)
  StringRef getName() const final { return "DropCarried"; }
  StringRef getArgument() const final { return "tegula-drop-carried"; }
  StringRef getDescription() const final { return "Drops loop-carried values that only feed themselves"; }
  void runOnOperation() final { getOperation()->walk(dropCarried); }
};

} // namespace

std::unique_ptr<Pass> createDropCarriedPass() { return std::make_unique<DropCarried>(); }

} // namespace tegula::middle::transform
