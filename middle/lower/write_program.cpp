// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs, positions, reports.
#include "middle/ir/program_ops.h"
#include "middle/lower/kir_writer.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula::middle::tile;

namespace tegula::middle::lower {

bool writeProgram(KirWriter &w, Operation *op) {
  auto done = [&](uint32_t id) { return w.defineResult(op, id); };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](ProgramIdOp p) { return done(tegula_kir_emit_program_id(w.kir, w.resultType(op), p.getAxis())); })
      .Case([&](NumProgramsOp p) { return done(tegula_kir_emit_num_programs(w.kir, w.resultType(op), p.getAxis())); })
      .Case([&](ArangeOp a) { return done(tegula_kir_emit_arange(w.kir, w.resultType(op), a.getStart(), a.getEnd())); })
      .Case([&](BarrierOp) {
        tegula_kir_emit_barrier(w.kir);
        return true;
      })
      .Case([&](PrintOp p) {
        Ids values = w.ids(p.getValues()), isSigned(p.getIsSigned().begin(), p.getIsSigned().end());
        tegula_kir_emit_print(w.kir, values.data(), values.size(), p.getPrefix().data(), p.getPrefix().size(),
                              p.getHex(), isSigned.data(), isSigned.size());
        return true;
      })
      .Case([&](AssertOp a) {
        tegula_kir_emit_assert(w.kir, w.id(a.getCondition()), w.id(a.getMask()), a.getMessage().data(),
                               a.getMessage().size());
        return true;
      })
      .Case([&](AssumeOp a) {
        tegula_kir_emit_assume(w.kir, w.id(a.getCondition()));
        return true;
      })
      .Default(false);
}

} // namespace tegula::middle::lower
