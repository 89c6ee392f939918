// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that change shapes.
#include "middle/ir/shape_ops.h"
#include "middle/lower/kir_writer.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula::middle::tile;

namespace tegula::middle::lower {

bool writeShape(KirWriter &w, Operation *op) {
  auto done = [&](uint32_t id) { return w.defineResult(op, id); };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](SplatOp s) { return done(tegula_kir_emit_splat(w.kir, w.resultType(op), w.id(s.getValue()))); })
      .Case([&](BroadcastOp b) { return done(tegula_kir_emit_broadcast(w.kir, w.resultType(op), w.id(b.getValue()))); })
      .Case([&](ExpandDimsOp e) {
        return done(tegula_kir_emit_expand_dims(w.kir, w.resultType(op), w.id(e.getValue()), e.getAxis()));
      })
      .Case([&](ReshapeOp r) {
        return done(tegula_kir_emit_reshape(w.kir, w.resultType(op), w.id(r.getValue()), r.getReorder()));
      })
      .Case([&](TransposeOp t) {
        Ids permutation(t.getPermutation().begin(), t.getPermutation().end());
        return done(tegula_kir_emit_transpose(w.kir, w.resultType(op), w.id(t.getValue()), permutation.data(),
                                              permutation.size()));
      })
      .Case([&](JoinOp j) {
        return done(tegula_kir_emit_join(w.kir, w.resultType(op), w.id(j.getLhs()), w.id(j.getRhs())));
      })
      .Case([&](SplitOp s) {
        uint32_t results[2], type = w.resultType(op);
        tegula_kir_emit_split(w.kir, type, type, results, w.id(s.getValue()));
        return w.defineResults(op, results);
      })
      .Case([&](ConcatOp c) {
        return done(tegula_kir_emit_concat(w.kir, w.resultType(op), w.id(c.getLhs()), w.id(c.getRhs()), c.getAxis()));
      })
      .Case([&](ExtractScalarOp e) {
        return done(tegula_kir_emit_extract_scalar(w.kir, w.resultType(op), w.id(e.getValue())));
      })
      .Case([&](HintOp h) {
        auto words = [](ArrayRef<int64_t> list) { return SmallVector<uint64_t>(list.begin(), list.end()); };
        auto divisibility = words(h.getDivisibility()), contiguity = words(h.getContiguity()),
             constancy = words(h.getConstancy());
        return done(tegula_kir_emit_hint(w.kir, w.resultType(op), w.id(h.getValue()), divisibility.data(),
                                         divisibility.size(), contiguity.data(), contiguity.size(), constancy.data(),
                                         constancy.size()));
      })
      .Default(false);
}

} // namespace tegula::middle::lower
