// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// reduce, scan and dot. The combine function of reduce and scan is run on whole halves of a tile, so that a dimension
// of n elements costs log2(n) evaluations. The bracketing is part of what the reference promises:
//   reduce of a b c d e f g h:  ((a b)(c d)) ((e f)(g h))
//   scan: step d = 1, 2, 4, ...: every element takes in the one d places before it, from the left: x[i] = f(x[i - d],
//   x[i])
#include "plugins/reference/exec/executor.h"
#include "plugins/reference/exec/taint.h"

#include <cstring>

namespace tegula::plugins::reference {

namespace {

template <class T> void takeOdd(T *result, const T *source, size_t pairs, size_t which) {
  for (size_t i = 0; i < pairs; ++i)
    result[i] = source[2 * i + which];
}

/// The even or odd (`which`) blocks of `block` elements of `width` bytes.
void takeAlternate(uint32_t width, uint8_t *result, const uint8_t *source, size_t pairs, size_t block, size_t which) {
  if (block > 1) {
    const size_t bytes = block * width;
    for (size_t i = 0; i < pairs; ++i)
      std::memcpy(result + i * bytes, source + (2 * i + which) * bytes, bytes);
    return;
  }
  switch (width) {
  case 1:
    return takeOdd(result, source, pairs, which);
  case 2:
    return takeOdd(reinterpret_cast<uint16_t *>(result), reinterpret_cast<const uint16_t *>(source), pairs, which);
  case 4:
    return takeOdd(reinterpret_cast<uint32_t *>(result), reinterpret_cast<const uint32_t *>(source), pairs, which);
  default:
    return takeOdd(reinterpret_cast<uint64_t *>(result), reinterpret_cast<const uint64_t *>(source), pairs, which);
  }
}

/// A new value of `n` elements whose data and taint `move(result, source, width)` makes from those of `source`.
template <class Move> Value derive(Executor &ex, const Value &source, uint32_t width, size_t n, Move move) {
  Value result{ex.take(n * width), {}};
  move(result.data->data(), source.data->data(), width);
  if (source.taint) {
    result.taint = ex.take(n);
    move(result.taint->data(), source.taint->data(), 1u);
    result.taint->origins = source.taint->origins;
  }
  return result;
}

uint32_t elementWidth(const Instruction &inst, uint32_t value) { return inst.callee->results[value]->width(); }

} // namespace

/// Immediate 0: the axis. callee: the combine function.
void runReduce(Executor &ex, const Instruction &inst) {
  const uint32_t count = inst.operandCount;
  const AxisView view(*inst.operandType, uint32_t(inst.immediates[0]));
  std::vector<Value> values;
  for (uint32_t i = 0; i < count; ++i)
    values.push_back(ex.operand(inst, i));
  for (size_t length = view.length; length > 1; length /= 2) {
    const size_t pairs = view.outer * (length / 2), n = pairs * view.inner;
    std::vector<Value> arguments;
    for (size_t which = 0; which < 2; ++which)
      for (uint32_t i = 0; i < count; ++i)
        arguments.push_back(derive(ex, values[i], elementWidth(inst, i), n,
                                   [&](uint8_t *result, const uint8_t *source, uint32_t width) {
                                     takeAlternate(width, result, source, pairs, view.inner, which);
                                   }));
    values.clear();
    if (!ex.runNested(*inst.callee, arguments, uint32_t(n)))
      return;
    values = std::move(arguments);
  }
  for (uint32_t i = 0; i < count; ++i)
    ex.result(inst, i) = std::move(values[i]);
}

/// Immediates: the axis, reverse. callee: the combine function.
void runScan(Executor &ex, const Instruction &inst) {
  const uint32_t count = inst.operandCount;
  const AxisView view(*inst.operandType, uint32_t(inst.immediates[0]));
  const bool reverse = inst.immediates[1] != 0;
  std::vector<Value> values;
  for (uint32_t i = 0; i < count; ++i)
    values.push_back(ex.operand(inst, i));
  for (size_t distance = 1; distance < view.length; distance *= 2) {
    const size_t rows = view.length - distance, block = rows * view.inner, whole = view.length * view.inner;
    const size_t n = view.outer * block, late = distance * view.inner;
    // The operand that comes first in the scan's direction, and the one that takes it in.
    const size_t first = reverse ? late : 0, second = reverse ? 0 : late;
    std::vector<Value> arguments;
    for (size_t begin : {first, second})
      for (uint32_t i = 0; i < count; ++i)
        arguments.push_back(derive(
            ex, values[i], elementWidth(inst, i), n, [&](uint8_t *result, const uint8_t *source, uint32_t width) {
              for (size_t o = 0; o < view.outer; ++o)
                std::memcpy(result + o * block * width, source + (o * whole + begin) * width, block * width);
            }));
    if (!ex.runNested(*inst.callee, arguments, uint32_t(n)))
      return;
    for (uint32_t i = 0; i < count; ++i) {
      const size_t all = view.outer * whole;
      const auto merge = [&](uint8_t *result, const uint8_t *combined, uint32_t width) {
        for (size_t o = 0; o < view.outer; ++o)
          std::memcpy(result + (o * whole + second) * width, combined + o * block * width, block * width);
      };
      Value next = derive(
          ex, values[i], elementWidth(inst, i), all,
          [&](uint8_t *result, const uint8_t *source, uint32_t width) { std::memcpy(result, source, all * width); });
      merge(next.data->data(), arguments[i].data->data(), elementWidth(inst, i));
      if (arguments[i].taint || next.taint) {
        if (!next.taint)
          next.taint = cleanTaint(ex, all);
        const TileRef combined = arguments[i].taint ? arguments[i].taint : cleanTaint(ex, n);
        merge(next.taint->data(), combined->data(), 1);
        mergeOrigins(next.taint.operator->(), combined.operator->());
      }
      values[i] = std::move(next);
    }
  }
  for (uint32_t i = 0; i < count; ++i)
    ex.result(inst, i) = std::move(values[i]);
}

namespace {

/// Taint of one product: uninitialised where a row, a column or the accumulator's element is; non-finite where the
/// result is and neither had an infinity or NaN that came from outside.
void taintDot(Executor &ex, const Instruction &inst, Value &result, size_t batch, const Value &lhs, const Value &rhs,
              const Value &acc) {
  const DotShape &s = *inst.dot;
  const size_t sizeA = size_t(s.m) * s.k, sizeB = size_t(s.k) * s.n, sizeC = size_t(s.m) * s.n;
  const auto stateOf = [](const Value &value, Kind kind, size_t i) {
    const uint8_t bits = value.taint ? value.taint->data()[i] : 0;
    const bool outside = isFloat(kind) && !(bits & kNonFinite) && isNonFinite(kind, value.data->data(), i);
    return uint8_t((bits & (kUninitialised | kNonFinite)) | (outside ? 0x80 : 0));
  };
  std::vector<uint8_t> rows(s.m), columns(s.n);
  for (size_t i = 0; i < sizeA; ++i)
    rows[i / s.k] |= stateOf(lhs, s.lhs, batch * sizeA + i);
  for (size_t i = 0; i < sizeB; ++i)
    columns[i % s.n] |= stateOf(rhs, s.rhs, batch * sizeB + i);
  for (size_t i = 0; i < sizeC; ++i) {
    const size_t at = batch * sizeC + i;
    const uint8_t state = rows[i / s.n] | columns[i % s.n] | stateOf(acc, s.accumulator, at);
    if (state & kUninitialised)
      addTaint(ex, result.taint, inst.type->count, at, kUninitialised, 0);
    const bool bad = isFloat(s.accumulator) && isNonFinite(s.accumulator, result.data->data(), at);
    if (bad && ((state & kNonFinite) || !(state & 0x80)))
      addTaint(ex, result.taint, inst.type->count, at, kNonFinite, (state & kNonFinite) ? 0 : inst.location);
  }
}

} // namespace

/// Operands: lhs, rhs, accumulator; `dot` describes one product, rank 3 is a batch of them.
void runDot(Executor &ex, const Instruction &inst) {
  DotShape shape = *inst.dot;
  shape.tf32 = shape.tf32 && ex.launch.tf32;
  const Value &lhs = ex.operand(inst, 0), &rhs = ex.operand(inst, 1), &acc = ex.operand(inst, 2);
  const size_t sizeA = size_t(shape.m) * shape.k, sizeB = size_t(shape.k) * shape.n, sizeC = size_t(shape.m) * shape.n;
  const size_t batches = inst.type->count / sizeC;
  Value result{ex.takeFor(*inst.type), {}};
  std::memcpy(result.data->data(), acc.data->data(), inst.type->count * inst.type->width());
  for (size_t batch = 0; batch < batches; ++batch)
    multiply(shape, result.data->data() + batch * sizeC * byteWidth(shape.accumulator),
             lhs.data->data() + batch * sizeA * byteWidth(shape.lhs),
             rhs.data->data() + batch * sizeB * byteWidth(shape.rhs));
  const bool check =
      ex.sanitizing() &&
      (lhs.taint || rhs.taint || acc.taint ||
       (isFloat(shape.accumulator) && anyNonFinite(shape.accumulator, result.data->data(), inst.type->count)));
  if (check) {
    for (size_t batch = 0; batch < batches; ++batch)
      taintDot(ex, inst, result, batch, lhs, rhs, acc);
    if (result.taint)
      for (const Value *value : {&lhs, &rhs, &acc})
        if (value->taint)
          mergeOrigins(result.taint.operator->(), value->taint.operator->());
  }
  ex.result(inst) = std::move(result);
}

} // namespace tegula::plugins::reference
