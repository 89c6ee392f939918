// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise ops of the tile dialect.
#include "middle/ir/math_ops.h"
#include "middle/lower/kir_writer.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula::middle::tile;

namespace tegula::middle::lower {

bool writeMath(KirWriter &w, Operation *op) {
  auto done = [&](uint32_t id) { return w.defineResult(op, id); };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](MulHiUIOp m) {
        return done(tegula_kir_emit_mulhui(w.kir, w.resultType(op), w.id(m.getLhs()), w.id(m.getRhs())));
      })
      .Case([&](MulHiSIOp m) {
        return done(tegula_kir_emit_mulhsi(w.kir, w.resultType(op), w.id(m.getLhs()), w.id(m.getRhs())));
      })
      .Case([&](DivFRnOp d) {
        return done(tegula_kir_emit_divf_rn(w.kir, w.resultType(op), w.id(d.getLhs()), w.id(d.getRhs())));
      })
      .Case([&](MulAddOp m) {
        return done(tegula_kir_emit_mul_add(w.kir, w.resultType(op), w.id(m.getA()), w.id(m.getB()), w.id(m.getC())));
      })
      .Case([&](FpCastOp c) {
        return done(tegula_kir_emit_fpcast(w.kir, w.resultType(op), w.id(c.getValue()),
                                           static_cast<uint32_t>(c.getRounding()), c.getSaturate()));
      })
      .Case([&](Math1Op m) {
        return done(
            tegula_kir_emit_math1(w.kir, w.resultType(op), w.id(m.getValue()), static_cast<uint32_t>(m.getFunction())));
      })
      .Case([&](Math2Op m) {
        return done(tegula_kir_emit_math2(w.kir, w.resultType(op), w.id(m.getLhs()), w.id(m.getRhs()),
                                          static_cast<uint32_t>(m.getFunction())));
      })
      .Case([&](Bits1Op b) {
        return done(
            tegula_kir_emit_bits1(w.kir, w.resultType(op), w.id(b.getValue()), static_cast<uint32_t>(b.getFunction())));
      })
      .Case([&](ClassifyOp c) {
        return done(
            tegula_kir_emit_classify(w.kir, w.resultType(op), w.id(c.getValue()), static_cast<uint32_t>(c.getTest())));
      })
      .Default(false);
}

} // namespace tegula::middle::lower
