// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dot, reduce, scan, gather, histogram.
#include "middle/ir/collective_ops.h"
#include "middle/ir/dot_ops.h"
#include "middle/lower/kir_writer.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula::middle::tile;

namespace tegula::middle::lower {

bool writeCollective(KirWriter &w, Operation *op) {
  auto done = [&](uint32_t id) { return w.defineResult(op, id); };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](DotOp d) {
        return done(tegula_kir_emit_dot(w.kir, w.resultType(op), w.id(d.getLhs()), w.id(d.getRhs()),
                                        w.id(d.getAccumulator()), static_cast<uint32_t>(d.getPrecision()),
                                        d.getMaxImprecise(), d.getLhsSigned(), d.getRhsSigned()));
      })
      .Case([&](ReduceOp r) {
        Ids types = w.types(op->getResultTypes(), op->getLoc()), results(types.size()), values = w.ids(r.getValues());
        tegula_kir_emit_reduce(w.kir, types.data(), types.size(), results.data(), w.combineFunction(op), values.data(),
                               values.size(), r.getAxis());
        return w.defineResults(op, results);
      })
      .Case([&](ScanOp s) {
        Ids types = w.types(op->getResultTypes(), op->getLoc()), results(types.size()), values = w.ids(s.getValues());
        tegula_kir_emit_scan(w.kir, types.data(), types.size(), results.data(), w.combineFunction(op), values.data(),
                             values.size(), s.getAxis(), s.getReverse());
        return w.defineResults(op, results);
      })
      .Case([&](YieldOp y) {
        Ids values = w.ids(y.getValues());
        tegula_kir_emit_func_return(w.kir, values.data(), values.size());
        return true;
      })
      .Case([&](GatherOp g) {
        return done(
            tegula_kir_emit_gather(w.kir, w.resultType(op), w.id(g.getSource()), w.id(g.getIndex()), g.getAxis()));
      })
      .Case([&](HistogramOp h) {
        return done(tegula_kir_emit_histogram(w.kir, w.resultType(op), w.id(h.getValue()), w.id(h.getMask())));
      })
      .Default(false);
}

} // namespace tegula::middle::lower
