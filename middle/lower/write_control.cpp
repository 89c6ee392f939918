// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structured control flow and calls, as begin, else and end.
#include "middle/lower/kir_writer.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula::middle::lower {
namespace {

bool fail(KirWriter &w) { return w.failed = true; }

bool writeIf(KirWriter &w, scf::IfOp op) {
  Ids types = w.types(op.getResultTypes(), op.getLoc()), results(types.size());
  tegula_kir_emit_cf_if(w.kir, types.data(), types.size(), results.data(), w.id(op.getCondition()));
  if (failed(w.block(*op.thenBlock())))
    return fail(w);
  if (op.elseBlock()) {
    tegula_kir_emit_cf_else(w.kir);
    if (failed(w.block(*op.elseBlock())))
      return fail(w);
  }
  tegula_kir_emit_cf_end(w.kir);
  return w.defineResults(op, results);
}

uint32_t loopNumber(scf::ForOp op, StringRef name) {
  auto number = op->getAttrOfType<IntegerAttr>(name);
  return number ? number.getInt() : 0;
}

uint32_t loopFlags(scf::ForOp op) {
  uint32_t flags = TEGULA_KIR_LOOP_FLAGS_NONE;
  for (auto [name, flag] :
       {std::pair("tile.flatten", TEGULA_KIR_LOOP_FLAGS_FLATTEN),
        std::pair("tile.warp_specialize", TEGULA_KIR_LOOP_FLAGS_WARP_SPECIALIZE),
        std::pair("tile.disallow_acc_multi_buffer", TEGULA_KIR_LOOP_FLAGS_DISALLOW_ACC_MULTI_BUFFER),
        std::pair("tile.disable_licm", TEGULA_KIR_LOOP_FLAGS_DISABLE_LICM)})
    if (op->hasAttr(name))
      flags |= flag;
  return flags;
}

bool writeFor(KirWriter &w, scf::ForOp op) {
  if (op.getUnsignedCmp()) {
    op.emitError() << "[M1001] 'scf.for' with unsigned comparison has no counterpart in kernel IR";
    return fail(w);
  }
  Ids types = w.types(op.getResultTypes(), op.getLoc()), results(types.size()), inits = w.ids(op.getInitArgs());
  Ids induction = w.defineArguments(op.getInductionVar()), iters = w.defineArguments(op.getRegionIterArgs());
  tegula_kir_emit_cf_for(w.kir, types.data(), types.size(), results.data(), w.id(op.getLowerBound()),
                         w.id(op.getUpperBound()), w.id(op.getStep()), inits.data(), inits.size(), induction[0],
                         induction[1], iters.data(), iters.size() / 2, loopNumber(op, "tile.num_stages"),
                         loopNumber(op, "tile.unroll"), loopFlags(op));
  if (failed(w.block(*op.getBody())))
    return fail(w);
  tegula_kir_emit_cf_end(w.kir);
  return w.defineResults(op, results);
}

bool writeWhile(KirWriter &w, scf::WhileOp op) {
  Ids types = w.types(op.getResultTypes(), op.getLoc()), results(types.size()), inits = w.ids(op.getInits());
  Ids before = w.defineArguments(op.getBeforeArguments());
  tegula_kir_emit_cf_while(w.kir, types.data(), types.size(), results.data(), inits.data(), inits.size(), before.data(),
                           before.size() / 2);
  if (failed(w.block(*op.getBeforeBody())))
    return fail(w);
  Ids after = w.defineArguments(op.getAfterArguments());
  tegula_kir_emit_cf_do(w.kir, after.data(), after.size() / 2);
  if (failed(w.block(*op.getAfterBody())))
    return fail(w);
  tegula_kir_emit_cf_end(w.kir);
  return w.defineResults(op, results);
}

bool writeCall(KirWriter &w, func::CallOp op) {
  if (!SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, op.getCalleeAttr())) {
    op.emitError() << "[M1004] call of '" << op.getCallee() << "', which is no function of the module";
    return fail(w);
  }
  Ids types = w.types(op.getResultTypes(), op.getLoc()), results(types.size()), args = w.ids(op.getOperands());
  tegula_kir_emit_func_call(w.kir, types.data(), types.size(), results.data(), w.function(op.getCalleeAttr().getAttr()),
                            args.data(), args.size());
  return w.defineResults(op, results);
}

} // namespace

bool writeControl(KirWriter &w, Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](scf::IfOp o) { return writeIf(w, o); })
      .Case([&](scf::ForOp o) { return writeFor(w, o); })
      .Case([&](scf::WhileOp o) { return writeWhile(w, o); })
      .Case([&](func::CallOp o) { return writeCall(w, o); })
      .Case([&](scf::YieldOp o) {
        Ids values = w.ids(o.getOperands());
        tegula_kir_emit_cf_yield(w.kir, values.data(), values.size());
        return true;
      })
      .Case([&](scf::ConditionOp o) {
        Ids values = w.ids(o.getArgs());
        tegula_kir_emit_cf_condition(w.kir, w.id(o.getCondition()), values.data(), values.size());
        return true;
      })
      .Case([&](func::ReturnOp o) {
        Ids values = w.ids(o.getOperands());
        tegula_kir_emit_func_return(w.kir, values.data(), values.size());
        return true;
      })
      .Default(false);
}

} // namespace tegula::middle::lower
