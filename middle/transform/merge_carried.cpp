// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds carried values that are equal in every iteration: assume that all with one initial value are, and split groups
// whose next values would differ, until nothing splits.
//
// Worked example: in `for iter_args(a = 0, b = 0) { yield a + 4, b + 4 }` a and b start in one group; a + 4 and b + 4
// are the same op on members of one group; so the group stays and b's uses become a's. With `yield a + 4, b + 8` they
// are split.
#include "middle/transform/merge_carried.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace tegula::middle::transform {
namespace {

class CarriedGroups {
public:
  explicit CarriedGroups(scf::ForOp loop) : loop(loop) {
    for (auto [init, arg] : llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs()))
      leader.push_back(firstWhere([&](unsigned i) { return loop.getInitArgs()[i] == init; }, arg.getArgNumber() - 1));
    while (split())
      known.clear();
  }

  /// The carried value that stands for number `i`.
  unsigned leaderOf(unsigned i) const { return leader[i]; }

private:
  template <typename Predicate> static unsigned firstWhere(Predicate predicate, unsigned limit) {
    unsigned i = 0;
    while (i < limit && !predicate(i))
      ++i;
    return i;
  }

  bool split() {
    auto yields = cast<scf::YieldOp>(loop.getBody()->getTerminator()).getOperands();
    SmallVector<unsigned> next;
    for (unsigned i = 0; i < leader.size(); ++i)
      next.push_back(firstWhere(
          [&](unsigned k) { return leader[k] == leader[i] && next[k] == k && equal(yields[k], yields[i]); }, i));
    std::swap(leader, next);
    return leader != next;
  }

  bool equal(Value a, Value b) {
    if (a == b)
      return true;
    if (a.getType() != b.getType())
      return false;
    auto left = dyn_cast<BlockArgument>(a), right = dyn_cast<BlockArgument>(b);
    if (left && right)
      return left.getOwner() == loop.getBody() && right.getOwner() == loop.getBody() && left.getArgNumber() &&
             right.getArgNumber() && leader[left.getArgNumber() - 1] == leader[right.getArgNumber() - 1];
    if (left || right)
      return false;
    auto [it, isNew] = known.try_emplace({a, b}, false);
    if (!isNew)
      return it->second;
    bool result = equalOps(cast<OpResult>(a), cast<OpResult>(b));
    known[{a, b}] = result;
    return result;
  }

  bool equalOps(OpResult a, OpResult b) {
    Operation *x = a.getOwner(), *y = b.getOwner();
    if (a.getResultNumber() != b.getResultNumber() || x->getNumRegions() || y->getNumRegions() ||
        !isMemoryEffectFree(x))
      return false;
    return OperationEquivalence::isEquivalentTo(
        x, y, [&](Value l, Value r) { return success(equal(l, r)); }, nullptr, OperationEquivalence::IgnoreLocations);
  }

  scf::ForOp loop;
  SmallVector<unsigned> leader;
  llvm::DenseMap<std::pair<Value, Value>, bool> known;
};

struct MergeCarried : PassWrapper<MergeCarried, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MergeCarried)
  StringRef getName() const final { return "MergeCarried"; }
  StringRef getArgument() const final { return "tegula-merge-carried"; }
  StringRef getDescription() const final { return "Merges loop-carried values that are always equal"; }

  void runOnOperation() final {
    getOperation()->walk([](scf::ForOp loop) {
      CarriedGroups groups(loop);
      for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i) {
        unsigned leader = groups.leaderOf(i);
        if (leader == i)
          continue;
        loop.getRegionIterArg(i).replaceAllUsesWith(loop.getRegionIterArg(leader));
        loop.getResult(i).replaceAllUsesWith(loop.getResult(leader));
      }
    });
  }
};

} // namespace

std::unique_ptr<Pass> createMergeCarriedPass() { return std::make_unique<MergeCarried>(); }

} // namespace tegula::middle::transform
