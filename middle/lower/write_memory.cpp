// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers, loads, stores, atomics.
#include "middle/ir/memory_ops.h"
#include "middle/lower/kir_writer.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula::middle::tile;

namespace tegula::middle::lower {
namespace {

template <typename Enum> uint32_t word(Enum value) { return static_cast<uint32_t>(value); }

} // namespace

bool writeMemory(KirWriter &w, Operation *op) {
  auto done = [&](uint32_t id) { return w.defineResult(op, id); };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](AddPtrOp a) {
        return done(tegula_kir_emit_addptr(w.kir, w.resultType(op), w.id(a.getPointer()), w.id(a.getOffset()),
                                           a.getIsUnsigned()));
      })
      .Case([&](PtrToIntOp p) { return done(tegula_kir_emit_ptrtoint(w.kir, w.resultType(op), w.id(p.getValue()))); })
      .Case([&](IntToPtrOp p) { return done(tegula_kir_emit_inttoptr(w.kir, w.resultType(op), w.id(p.getValue()))); })
      .Case([&](BitcastOp p) { return done(tegula_kir_emit_bitcast(w.kir, w.resultType(op), w.id(p.getValue()))); })
      .Case([&](LoadOp l) {
        return done(tegula_kir_emit_load(w.kir, w.resultType(op), w.id(l.getPointer()), w.id(l.getMask()),
                                         w.id(l.getOther()), word(l.getCache()), word(l.getEviction()),
                                         l.getIsVolatile()));
      })
      .Case([&](StoreOp s) {
        tegula_kir_emit_store(w.kir, w.id(s.getPointer()), w.id(s.getValue()), w.id(s.getMask()), word(s.getCache()),
                              word(s.getEviction()));
        return true;
      })
      .Case([&](AtomicRmwOp a) {
        return done(tegula_kir_emit_atomic_rmw(w.kir, w.resultType(op), w.id(a.getPointer()), w.id(a.getValue()),
                                               w.id(a.getMask()), word(a.getUpdate()), word(a.getOrder()),
                                               word(a.getScope())));
      })
      .Case([&](AtomicCasOp a) {
        return done(tegula_kir_emit_atomic_cas(w.kir, w.resultType(op), w.id(a.getPointer()), w.id(a.getCompare()),
                                               w.id(a.getValue()), word(a.getOrder()), word(a.getScope())));
      })
      .Default(false);
}

} // namespace tegula::middle::lower
