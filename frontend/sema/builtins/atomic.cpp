// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations. Float maximum and minimum work on bit patterns: as signed integers where the value is not negative, as unsigned ones
// with the opposite operation where it is, which orders floats that are no NaN.

#include "frontend/sema/builtins/families.h"

namespace tegula::frontend::sema {

namespace {

using emit::AtomicOp;
using emit::MemoryOrder;
using emit::MemoryScope;

std::optional<MemoryOrder> orderArg(Evaluator &ev, const BoundArgs &args) {
  if (args["sem"].isNone())
    return MemoryOrder::AcqRel;
  auto text = args.string("sem");
  if (!text)
    return std::nullopt;
  if (*text == "acquire")
    return MemoryOrder::Acquire;
  if (*text == "release")
    return MemoryOrder::Release;
  if (*text == "acq_rel")
    return MemoryOrder::AcqRel;
  if (*text == "relaxed")
    return MemoryOrder::Relaxed;
  return ev.error(args.range("sem"), "F3401", "'" + *text + "' is no memory order", "use acquire, release, acq_rel or relaxed");
}

std::optional<MemoryScope> scopeArg(Evaluator &ev, const BoundArgs &args) {
  if (args["scope"].isNone())
    return MemoryScope::Gpu;
  auto text = args.string("scope");
  if (!text)
    return std::nullopt;
  if (*text == "gpu")
    return MemoryScope::Gpu;
  if (*text == "cta")
    return MemoryScope::Cta;
  if (*text == "sys")
    return MemoryScope::Sys;
  return ev.error(args.range("scope"), "F3401", "'" + *text + "' is no scope", "use gpu, cta or sys");
}

struct Access {
  Tensor pointer, value, mask;
  MemoryOrder order;
  MemoryScope scope;
};

std::optional<Access> accessArgs(Evaluator &ev, const BoundArgs &args) {
  auto pointer = tensorArg(ev, args, "pointer");
  if (!pointer)
    return std::nullopt;
  if (!pointer->type.isPointer())
    return ev.error(args.range("pointer"), "F3303", "the address is of type '" + pointer->type.str() + "', not a pointer");
  if (pointer->type.isConst)
    return ev.error(args.range("pointer"), "F3309", "this pointer is const; nothing can be stored through it");
  Type element = pointer->type.pointee();
  auto value = toTensorOfType(ev, args["val"], element, args.range("val"));
  auto order = value ? orderArg(ev, args) : std::nullopt;
  auto scope = order ? scopeArg(ev, args) : std::nullopt;
  if (!scope)
    return std::nullopt;
  Access access{*pointer, *value, {}, *order, *scope};
  Shape shape = pointer->type.shape;
  if (!args["mask"].isNone()) {
    auto mask = tensorArg(ev, args, "mask");
    if (!mask)
      return std::nullopt;
    if (!mask->type.isBool())
      return ev.error(args.range("mask"), "F3304", "a mask is of type int1, not '" + mask->type.scalarType().str() + "'");
    access.mask = *mask;
  }
  for (const Tensor *t : {&access.value, &access.mask})
    if (t->value) {
      auto common = commonShape(ev, shape, t->type.shape, args.callRange());
      if (!common)
        return std::nullopt;
      shape = *common;
    }
  if (shape != pointer->type.shape && !pointer->type.isBlock())
    return ev.error(args.callRange(), "F3305", "the pointer is a scalar, but the access has shape " + shapeText(shape),
                    "add a block of offsets to the pointer");
  for (Tensor *t : {&access.pointer, &access.value, &access.mask})
    if (t->value) {
      auto wide = broadcastTo(ev, *t, shape, args.callRange());
      if (!wide)
        return std::nullopt;
      *t = *wide;
    }
  return access;
}

bool checkElement(Evaluator &ev, const BoundArgs &args, const Type &t, std::string_view name, bool floatAdd, bool exchange) {
  bool good;
  if (t.isPointer())
    good = false;
  else if (t.isFloat())
    good = (floatAdd && t.isStandardFloat()) || ((exchange || !floatAdd) && (t.is(Scalar::Float32) || t.is(Scalar::Float64)));
  else
    good = t.bitWidth() >= 32;
  if (!good)
    ev.error(args.range("pointer"), "F3402", "'" + std::string(name) + "' does not support elements of type '" + t.str() + "'");
  return good;
}

constexpr const char *kSignature = "pointer, val, mask=None, sem=None, scope=None";

MaybeValue simple(Evaluator &ev, const CallArgs &args, std::string_view name, AtomicOp integerOp, std::optional<AtomicOp> floatOp) {
  auto bound = BoundArgs::bind(ev, name, kSignature, args);
  auto access = bound ? accessArgs(ev, *bound) : std::nullopt;
  if (!access)
    return std::nullopt;
  Type t = access->pointer.type.pointee();
  if (t.isFloat() && !floatOp)
    return ev.error(bound->range("pointer"), "F3402", "'" + std::string(name) + "' does not support elements of type '" + t.str() + "'");
  if (!checkElement(ev, *bound, t, name, floatOp == AtomicOp::FAdd, floatOp == AtomicOp::Xchg))
    return std::nullopt;
  AtomicOp op = t.isFloat() ? *floatOp : integerOp;
  return Value::tensor(ev.builder().atomicRmw(op, access->pointer.value, access->value.value, access->mask.value, access->order, access->scope),
                       access->value.type);
}

template <bool Max> MaybeValue extremum(Evaluator &ev, const CallArgs &args) {
  std::string_view name = Max ? "atomic_max" : "atomic_min";
  auto bound = BoundArgs::bind(ev, name, kSignature, args);
  auto access = bound ? accessArgs(ev, *bound) : std::nullopt;
  if (!access)
    return std::nullopt;
  Type t = access->pointer.type.pointee();
  if (!checkElement(ev, *bound, t, name, false, false))
    return std::nullopt;
  emit::TileBuilder &b = ev.builder();
  if (t.isInt()) {
    AtomicOp op = t.isSignedInt() ? (Max ? AtomicOp::Max : AtomicOp::Min) : (Max ? AtomicOp::UMax : AtomicOp::UMin);
    return Value::tensor(b.atomicRmw(op, access->pointer.value, access->value.value, access->mask.value, access->order, access->scope),
                         access->value.type);
  }
  Shape shape = access->value.type.shape;
  Type bits = Type(t.bitWidth() == 32 ? Scalar::Int32 : Scalar::Int64);
  emit::IrValue raw = b.bitcast(access->value.value, bits), pointer = b.bitcast(access->pointer.value, bits.pointerTo());
  // The sign bit decides, so that -0.0 counts as negative.
  emit::IrValue zero = b.constant(bits.withShape(shape), 0);
  emit::IrValue positive = b.compare(emit::CmpOp::Sge, raw, zero), negative = b.compare(emit::CmpOp::Slt, raw, zero);
  auto masked = [&](emit::IrValue half) { return access->mask.value ? b.binary(emit::BinaryOp::AndI, half, access->mask.value) : half; };
  emit::IrValue high = b.atomicRmw(Max ? AtomicOp::Max : AtomicOp::Min, pointer, raw, masked(positive), access->order, access->scope);
  emit::IrValue low = b.atomicRmw(Max ? AtomicOp::UMin : AtomicOp::UMax, pointer, raw, masked(negative), access->order, access->scope);
  return Value::tensor(b.bitcast(b.select(positive, high, low), t), access->value.type);
}

MaybeValue compareAndSwap(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "atomic_cas", "pointer, cmp, val, sem=None, scope=None", args);
  auto pointer = bound ? tensorArg(ev, *bound, "pointer") : std::nullopt;
  if (!pointer)
    return std::nullopt;
  if (!pointer->type.isPointer())
    return ev.error(bound->range("pointer"), "F3303", "the address is of type '" + pointer->type.str() + "', not a pointer");
  Type t = pointer->type.pointee();
  if (t.isPointer() || t.bitWidth() < 16)
    return ev.error(bound->range("pointer"), "F3402", "'atomic_cas' supports elements of 16, 32 and 64 bits, not '" + t.str() + "'");
  auto compare = toTensorOfType(ev, (*bound)["cmp"], t, bound->range("cmp"));
  auto value = compare ? toTensorOfType(ev, (*bound)["val"], t, bound->range("val")) : std::nullopt;
  auto order = value ? orderArg(ev, *bound) : std::nullopt;
  auto scope = order ? scopeArg(ev, *bound) : std::nullopt;
  if (!scope)
    return std::nullopt;
  compare = broadcastTo(ev, *compare, pointer->type.shape, bound->range("cmp"));
  value = compare ? broadcastTo(ev, *value, pointer->type.shape, bound->range("val")) : std::nullopt;
  if (!value)
    return std::nullopt;
  return Value::tensor(ev.builder().atomicCas(pointer->value, compare->value, value->value, *order, *scope), value->type);
}

template <AtomicOp Op> MaybeValue bitwise(Evaluator &ev, const CallArgs &args) {
  return simple(ev, args, Op == AtomicOp::And ? "atomic_and" : Op == AtomicOp::Or ? "atomic_or" : "atomic_xor", Op, std::nullopt);
}
MaybeValue add(Evaluator &ev, const CallArgs &args) { return simple(ev, args, "atomic_add", AtomicOp::Add, AtomicOp::FAdd); }
MaybeValue exchange(Evaluator &ev, const CallArgs &args) { return simple(ev, args, "atomic_xchg", AtomicOp::Xchg, AtomicOp::Xchg); }

constexpr BuiltinEntry kEntries[] = {
    {"atomic_add", add}, {"atomic_and", bitwise<AtomicOp::And>}, {"atomic_or", bitwise<AtomicOp::Or>}, {"atomic_xor", bitwise<AtomicOp::Xor>},
    {"atomic_max", extremum<true>}, {"atomic_min", extremum<false>}, {"atomic_xchg", exchange}, {"atomic_cas", compareAndSwap},
};

} // namespace

std::span<const BuiltinEntry> atomicBuiltins() { return kEntries; }

} // namespace tegula::frontend::sema
