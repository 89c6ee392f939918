// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants and elementwise instructions: call the kernel chosen at decoding, then say what is wrong with the elements.
#include "plugins/reference/exec/executor.h"
#include "plugins/reference/exec/taint.h"
#include "sdk/kir/kir.h"

#include <cstring>
#include <type_traits>

namespace tegula::plugins::reference {

/// Immediate 0: the element's bits.
void runConstant(Executor &ex, const Instruction &inst) {
  TileRef tile = ex.takeFor(*inst.type);
  fillElements(inst.type->width(), tile->data(), &inst.immediates[0], ex.countOf(*inst.type));
  ex.result(inst) = {std::move(tile), {}};
}

/// Immediate 0: the first value.
void runArange(Executor &ex, const Instruction &inst) {
  TileRef tile = ex.takeFor(*inst.type);
  int32_t *values = tile.as<int32_t>();
  const int32_t start = int32_t(inst.immediates[0]);
  for (uint32_t i = 0; i < inst.type->count; ++i)
    values[i] = int32_t(uint32_t(start) + i);
  ex.result(inst) = {std::move(tile), {}};
}

namespace {
void giveInteger(Executor &ex, const Instruction &inst, uint64_t value) {
  TileRef tile = ex.takeFor(*inst.type);
  fillElements(inst.type->width(), tile->data(), &value, ex.countOf(*inst.type));
  ex.result(inst) = {std::move(tile), {}};
}
} // namespace

/// Immediate 0: the axis (also of runNumPrograms).
void runProgramId(Executor &ex, const Instruction &inst) { giveInteger(ex, inst, ex.program->id[inst.immediates[0]]); }
void runNumPrograms(Executor &ex, const Instruction &inst) {
  giveInteger(ex, inst, ex.launch.grid[inst.immediates[0]]);
}

void runPoison(Executor &ex, const Instruction &inst) {
  const size_t n = ex.countOf(*inst.type);
  Value value{ex.takeFor(*inst.type), {}};
  std::memset(value.data->data(), 0, n * inst.type->width());
  if (ex.sanitizing()) {
    value.taint = cleanTaint(ex, n);
    std::memset(value.taint->data(), kUninitialised, n);
    value.taint->origins[0] = inst.location;
  }
  ex.result(inst) = std::move(value);
}

namespace {

/// Which ranges does the exact result of a wrapping operation leave?
template <uint32_t Opcode, class U> uint8_t wrapOf(U a, U b) {
  using S = std::make_signed_t<U>;
  const int64_t x = S(a), y = S(b);
  const uint64_t u = a, v = b;
  int64_t exact = 0;
  uint64_t exactUnsigned = 0;
  if constexpr (Opcode == TEGULA_KIR_OP_ADDI) {
    exact = x + y;
    exactUnsigned = u + v;
  } else if constexpr (Opcode == TEGULA_KIR_OP_SUBI) {
    exact = x - y;
    exactUnsigned = u - v;
  } else if constexpr (Opcode == TEGULA_KIR_OP_MULI) {
    exact = x * y;
    exactUnsigned = u * v;
  } else if (v < sizeof(U) * 8) {
    exact = x * (int64_t(1) << v);
    exactUnsigned = u << v;
  }
  return uint8_t((exact != int64_t(S(exact)) ? kSignedWrap : 0) |
                 (exactUnsigned != uint64_t(U(exactUnsigned)) ? kUnsignedWrap : 0));
}

template <uint32_t Opcode, class U>
void taintWraps(Executor &ex, const Instruction &inst, Value &result, const Value &lhs, const Value &rhs, size_t n,
                uint8_t tracked) {
  const U *a = lhs.data.as<U>(), *b = rhs.data.as<U>();
  uint8_t any = 0;
  for (size_t i = 0; i < n; ++i)
    any = uint8_t(any | wrapOf<Opcode>(a[i], b[i]));
  if (!(any & tracked))
    return;
  for (size_t i = 0; i < n; ++i)
    if (const uint8_t bits = wrapOf<Opcode>(a[i], b[i]) & tracked)
      addTaint(ex, result.taint, n, i, bits, inst.location);
}

template <uint32_t Opcode>
void taintWraps(Executor &ex, const Instruction &inst, Value &result, const Value &lhs, const Value &rhs, size_t n,
                uint8_t tracked) {
  switch (inst.type->kind) {
  case Kind::I8:
    return taintWraps<Opcode, uint8_t>(ex, inst, result, lhs, rhs, n, tracked);
  case Kind::I16:
    return taintWraps<Opcode, uint16_t>(ex, inst, result, lhs, rhs, n, tracked);
  case Kind::I32:
    return taintWraps<Opcode, uint32_t>(ex, inst, result, lhs, rhs, n, tracked);
  default:
    return; // i1 is logic, and 64 bits are taken to be wide enough
  }
}

/// `and` with a clean zero and `or` with clean ones do not depend on the other side.
void absorbTaint(const Instruction &inst, const Value &lhs, const Value &rhs, TileRef &taint, size_t n) {
  const uint32_t width = inst.type->width();
  const uint8_t absorbing = inst.opcode == TEGULA_KIR_OP_ANDI ? 0 : inst.type->kind == Kind::I1 ? 1 : 0xff;
  const auto decides = [&](const Value &side, size_t i) {
    if (side.taint && side.taint->data()[i])
      return false;
    for (uint32_t byte = 0; byte < width; ++byte)
      if (side.data->data()[i * width + byte] != absorbing)
        return false;
    return true;
  };
  for (size_t i = 0; i < n; ++i)
    if (taint->data()[i] && (decides(lhs, i) || decides(rhs, i)))
      taint->data()[i] = 0;
}

} // namespace

/// Immediate 0: the wrap bits that this module's addresses can depend on.
void runIntegerBinary(Executor &ex, const Instruction &inst) {
  const size_t n = ex.countOf(*inst.type);
  const Value &a = ex.operand(inst, 0), &b = ex.operand(inst, 1);
  Value result{ex.takeFor(*inst.type), {}};
  inst.binary(result.data->data(), a.data->data(), b.data->data(), n);
  if (ex.sanitizing()) {
    const uint8_t tracked = uint8_t(inst.immediates[0]);
    uint8_t kept = kUninitialised;
    switch (inst.opcode) {
    case TEGULA_KIR_OP_ADDI:
    case TEGULA_KIR_OP_SUBI:
    case TEGULA_KIR_OP_MULI:
    case TEGULA_KIR_OP_SHLI:
    case TEGULA_KIR_OP_MINSI:
    case TEGULA_KIR_OP_MAXSI:
    case TEGULA_KIR_OP_MINUI:
    case TEGULA_KIR_OP_MAXUI:
      kept |= kWrapBits;
      break;
    default: // a hash that is masked, shifted or divided is meant to wrap
      break;
    }
    if (a.taint || b.taint) {
      result.taint = unionTaint(ex, n, kept, {&a, &b});
      if (result.taint && (inst.opcode == TEGULA_KIR_OP_ANDI || inst.opcode == TEGULA_KIR_OP_ORI))
        absorbTaint(inst, a, b, result.taint, n);
    }
    switch (inst.opcode) {
    case TEGULA_KIR_OP_ADDI:
      taintWraps<TEGULA_KIR_OP_ADDI>(ex, inst, result, a, b, n, tracked);
      break;
    case TEGULA_KIR_OP_SUBI:
      taintWraps<TEGULA_KIR_OP_SUBI>(ex, inst, result, a, b, n, tracked);
      break;
    case TEGULA_KIR_OP_MULI:
      taintWraps<TEGULA_KIR_OP_MULI>(ex, inst, result, a, b, n, tracked);
      break;
    case TEGULA_KIR_OP_SHLI:
      taintWraps<TEGULA_KIR_OP_SHLI>(ex, inst, result, a, b, n, tracked);
      break;
    default:
      break;
    }
  }
  ex.result(inst) = std::move(result);
}

void runCompare(Executor &ex, const Instruction &inst) {
  const size_t n = ex.countOf(*inst.type);
  const Value &a = ex.operand(inst, 0), &b = ex.operand(inst, 1);
  Value result{ex.takeFor(*inst.type), {}};
  inst.binary(result.data->data(), a.data->data(), b.data->data(), n);
  result.taint = unionTaint(ex, n, kUninitialised, {&a, &b});
  ex.result(inst) = std::move(result);
}

void runFloatBinary(Executor &ex, const Instruction &inst) {
  const Kind kind = inst.type->kind;
  const size_t n = ex.countOf(*inst.type);
  const Value &a = ex.operand(inst, 0), &b = ex.operand(inst, 1);
  Value result{ex.takeFor(*inst.type), {}};
  inst.binary(result.data->data(), a.data->data(), b.data->data(), n);
  if (ex.sanitizing()) {
    result.taint = unionTaint(ex, n, kUninitialised, {&a, &b});
    taintNonFinite(ex, inst, result, kind, n, {{&a, kind}, {&b, kind}});
  }
  ex.result(inst) = std::move(result);
}

void runFloatTernary(Executor &ex, const Instruction &inst) {
  const Kind kind = inst.type->kind;
  const size_t n = ex.countOf(*inst.type);
  const Value &a = ex.operand(inst, 0), &b = ex.operand(inst, 1), &c = ex.operand(inst, 2);
  Value result{ex.takeFor(*inst.type), {}};
  inst.ternary(result.data->data(), a.data->data(), b.data->data(), c.data->data(), n);
  if (ex.sanitizing()) {
    result.taint = unionTaint(ex, n, kUninitialised, {&a, &b, &c});
    taintNonFinite(ex, inst, result, kind, n, {{&a, kind}, {&b, kind}, {&c, kind}});
  }
  ex.result(inst) = std::move(result);
}

namespace {
/// Runs the unary kernel and keeps the taint bits in `kept`.
Value applyUnary(Executor &ex, const Instruction &inst, const Value &a, uint8_t kept) {
  const size_t n = ex.countOf(*inst.type);
  Value result{ex.takeFor(*inst.type), {}};
  inst.unary(result.data->data(), a.data->data(), n);
  result.taint = unionTaint(ex, n, kept, {&a});
  return result;
}
} // namespace

/// absi, bits1, classify, floats to integers: the result knows of the operand only whether it was initialised.
void runIntegerUnary(Executor &ex, const Instruction &inst) {
  ex.result(inst) = applyUnary(ex, inst, ex.operand(inst, 0), kUninitialised);
}

/// Float to float of one kind, or integer to float.
void runFloatUnary(Executor &ex, const Instruction &inst) {
  const Value &a = ex.operand(inst, 0);
  Value result = applyUnary(ex, inst, a, kUninitialised);
  if (ex.sanitizing())
    taintNonFinite(ex, inst, result, inst.type->kind, ex.countOf(*inst.type), {{&a, inst.operandType->kind}});
  ex.result(inst) = std::move(result);
}

/// Immediates: rounding, saturate.
void runFloatCast(Executor &ex, const Instruction &inst) {
  const size_t n = ex.countOf(*inst.type);
  const Kind from = inst.operandType->kind, to = inst.type->kind;
  const Value &a = ex.operand(inst, 0);
  Value result{ex.takeFor(*inst.type), {}};
  const Rounding rounding =
      inst.immediates[0] == TEGULA_KIR_ROUNDING_RTZ ? Rounding::TowardZero : Rounding::NearestEven;
  castFloats(from, to, result.data->data(), a.data->data(), n, rounding, inst.immediates[1] != 0);
  if (ex.sanitizing()) {
    result.taint = unionTaint(ex, n, kUninitialised, {&a});
    taintNonFinite(ex, inst, result, to, n, {{&a, from}});
  }
  ex.result(inst) = std::move(result);
}

/// trunci, extsi, extui. An extension settles which range counted: what wrapped in the other one is right after all.
void runResize(Executor &ex, const Instruction &inst) {
  const uint8_t counts = inst.opcode == TEGULA_KIR_OP_EXTSI   ? kSignedWrap
                         : inst.opcode == TEGULA_KIR_OP_EXTUI ? kUnsignedWrap
                                                              : kWrapBits;
  Value result = applyUnary(ex, inst, ex.operand(inst, 0), kUninitialised | counts);
  if (result.taint && counts != kWrapBits)
    for (size_t i = 0, n = ex.countOf(*inst.type); i < n; ++i)
      if (result.taint->data()[i] & kWrapBits)
        result.taint->data()[i] |= kWrapBits;
  ex.result(inst) = std::move(result);
}

/// Same elements under another type: bitcast, pointer and integer casts, reshape, hint, ...
void runSame(Executor &ex, const Instruction &inst) { ex.result(inst) = Value(ex.operand(inst, 0)); }

void runSelect(Executor &ex, const Instruction &inst) {
  const size_t n = ex.countOf(*inst.type);
  const Value &condition = ex.operand(inst, 0), &a = ex.operand(inst, 1), &b = ex.operand(inst, 2);
  const uint8_t *bits = condition.data->data();
  if (n > 1 && ex.countOf(*inst.operandType) == 1) { // a scalar condition takes one side whole
    Value result = bits[0] ? a : b;
    if (condition.taint && (condition.taint->data()[0] & kUninitialised)) {
      TileRef taint = cleanTaint(ex, n);
      for (size_t i = 0; i < n; ++i)
        taint->data()[i] = uint8_t(kUninitialised | (result.taint ? result.taint->data()[i] : 0));
      if (result.taint)
        mergeOrigins(taint.operator->(), result.taint.operator->());
      mergeOrigins(taint.operator->(), condition.taint.operator->());
      result.taint = std::move(taint);
    }
    ex.result(inst) = std::move(result);
    return;
  }
  Value result{ex.takeFor(*inst.type), {}};
  selectElements(inst.type->width(), result.data->data(), bits, a.data->data(), b.data->data(), n);
  if (condition.taint || a.taint || b.taint) {
    result.taint = cleanTaint(ex, n);
    for (size_t i = 0; i < n; ++i) {
      const Value &chosen = bits[i] ? a : b;
      result.taint->data()[i] = uint8_t((chosen.taint ? chosen.taint->data()[i] : 0) |
                                        (condition.taint ? condition.taint->data()[i] & kUninitialised : 0));
    }
    for (const Value *value : {&condition, &a, &b})
      if (value->taint)
        mergeOrigins(result.taint.operator->(), value->taint.operator->());
  }
  ex.result(inst) = std::move(result);
}

} // namespace tegula::plugins::reference
