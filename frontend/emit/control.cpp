// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// if, for and while.

#include "frontend/emit/builder_impl.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula::frontend::emit {


/// A region of one empty block, which ops now go into.
static std::unique_ptr<mlir::Region> openRegion(mlir::OpBuilder &builder, mlir::TypeRange arguments, mlir::Location place) {
  auto region = std::make_unique<mlir::Region>();
  mlir::Block *block = &region->emplaceBlock();
  for (mlir::Type t : arguments)
    block->addArgument(t, place);
  builder.setInsertionPointToEnd(block);
  return region;
}

void TileBuilder::beginIf(IrValue condition) {
  Impl::OpenRegion open{Impl::OpenRegion::Kind::If, impl->builder.saveInsertionPoint(), impl->place, unwrap(condition), {}, {}, {}, nullptr};
  open.first = openRegion(impl->builder, {}, impl->place);
  impl->regions.push_back(std::move(open));
}

void TileBuilder::beginElse() { impl->regions.back().second = openRegion(impl->builder, {}, impl->place); }

Values TileBuilder::endIf(std::span<const IrValue> thenValues, std::span<const IrValue> elseValues) {
  Impl::OpenRegion open = impl->regions.pop_back_val();
  auto yieldAtEnd = [&](mlir::Region &region, std::span<const IrValue> values) {
    impl->builder.setInsertionPointToEnd(&region.back());
    mlir::scf::YieldOp::create(impl->builder, open.place, unwrap(values));
  };
  yieldAtEnd(*open.first, thenValues);
  if (open.second)
    yieldAtEnd(*open.second, elseValues);
  llvm::SmallVector<mlir::Type> types;
  for (IrValue v : thenValues)
    types.push_back(unwrap(v).getType());
  impl->builder.restoreInsertionPoint(open.resume);
  auto op = mlir::scf::IfOp::create(impl->builder, open.place, types, open.condition, /*addThenBlock=*/false, /*addElseBlock=*/false);
  op.getThenRegion().takeBody(*open.first);
  if (open.second)
    op.getElseRegion().takeBody(*open.second);
  return wrap(op->getResults());
}

void TileBuilder::abandonRegion() {
  Impl::OpenRegion open = impl->regions.pop_back_val();
  impl->builder.restoreInsertionPoint(open.resume);
  if (open.loop)
    open.loop->erase();
  // Values of the first part may be used in the second, so that goes first.
  for (auto *region : {&open.second, &open.first})
    if (*region)
      (*region)->dropAllReferences();
  open.second.reset();
  open.first.reset();
}

TileBuilder::ForLoop TileBuilder::beginFor(IrValue lower, IrValue upper, IrValue step, std::span<const IrValue> inits, const LoopOptions &options) {
  Impl::OpenRegion open{Impl::OpenRegion::Kind::For, impl->builder.saveInsertionPoint(), impl->place, {}, {}, {}, {}, nullptr};
  auto loop = impl->create<mlir::scf::ForOp>(unwrap(lower), unwrap(upper), unwrap(step), unwrap(inits));
  auto number = [&](const char *name, uint32_t value) {
    if (value)
      loop->setAttr(name, impl->builder.getI32IntegerAttr(static_cast<int32_t>(value)));
  };
  auto flag = [&](const char *name, bool value) {
    if (value)
      loop->setAttr(name, impl->builder.getUnitAttr());
  };
  number("tile.num_stages", options.numStages);
  number("tile.unroll", options.unroll);
  flag("tile.flatten", options.flatten);
  flag("tile.warp_specialize", options.warpSpecialize);
  flag("tile.disallow_acc_multi_buffer", options.disallowAccMultiBuffer);
  flag("tile.disable_licm", options.disableLicm);
  open.loop = loop;
  impl->regions.push_back(std::move(open));
  // A loop that carries nothing comes with its terminator; endFor makes its own.
  mlir::Block *body = loop.getBody();
  if (!body->empty())
    body->back().erase();
  impl->builder.setInsertionPointToEnd(body);
  return {wrap(loop.getInductionVar()), wrap(mlir::ValueRange(loop.getRegionIterArgs()))};
}

Values TileBuilder::endFor(std::span<const IrValue> yields) {
  Impl::OpenRegion open = impl->regions.pop_back_val();
  mlir::scf::YieldOp::create(impl->builder, open.place, unwrap(yields));
  impl->builder.restoreInsertionPoint(open.resume);
  impl->builder.setInsertionPointAfter(open.loop);
  return wrap(open.loop->getResults());
}

Values TileBuilder::beginWhile(std::span<const IrValue> inits) {
  Impl::OpenRegion open{Impl::OpenRegion::Kind::While, impl->builder.saveInsertionPoint(), impl->place, {}, {}, {}, unwrap(inits), nullptr};
  open.first = openRegion(impl->builder, mlir::ValueRange(open.inits).getTypes(), impl->place);
  impl->regions.push_back(std::move(open));
  return wrap(mlir::ValueRange(impl->regions.back().first->getArguments()));
}

Values TileBuilder::whileCondition(IrValue condition, std::span<const IrValue> values) {
  Impl::OpenRegion &open = impl->regions.back();
  auto list = unwrap(values);
  impl->create<mlir::scf::ConditionOp>(unwrap(condition), list);
  open.second = openRegion(impl->builder, mlir::ValueRange(list).getTypes(), impl->place);
  return wrap(mlir::ValueRange(open.second->getArguments()));
}

Values TileBuilder::endWhile(std::span<const IrValue> yields) {
  Impl::OpenRegion open = impl->regions.pop_back_val();
  mlir::scf::YieldOp::create(impl->builder, open.place, unwrap(yields));
  llvm::SmallVector<mlir::Type> types(open.second->getArgumentTypes());
  impl->builder.restoreInsertionPoint(open.resume);
  auto loop = mlir::scf::WhileOp::create(impl->builder, open.place, types, open.inits);
  loop.getBefore().takeBody(*open.first);
  loop.getAfter().takeBody(*open.second);
  return wrap(loop->getResults());
}

} // namespace tegula::frontend::emit
