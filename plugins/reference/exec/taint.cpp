// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Taint of whole tiles.
#include "plugins/reference/exec/taint.h"

#include <cstring>

namespace tegula::plugins::reference {

namespace {
uint32_t &originOf(TileRef &taint, uint8_t bits) {
  return taint->origins[(bits & kUninitialised) ? 0 : (bits & kWrapBits) ? 1 : 2];
}
} // namespace

TileRef cleanTaint(Executor &ex, size_t n) {
  TileRef taint = ex.take(n);
  std::memset(taint->data(), 0, n);
  return taint;
}

TileRef unionTaint(Executor &ex, size_t n, uint8_t mask, std::initializer_list<const Value *> operands) {
  TileRef taint;
  uint8_t any = 0;
  for (const Value *operand : operands) {
    const uint8_t *bits = operand->taintBits();
    if (!bits)
      continue;
    if (!taint)
      taint = cleanTaint(ex, n);
    uint8_t *result = taint->data();
    for (size_t i = 0; i < n; ++i) {
      result[i] = uint8_t(result[i] | (bits[i] & mask));
      any = uint8_t(any | result[i]);
    }
    mergeOrigins(taint.operator->(), operand->taint.operator->());
  }
  if (!any)
    taint.reset();
  return taint;
}

void addTaint(Executor &ex, TileRef &taint, size_t n, size_t index, uint8_t bits, uint32_t location) {
  if (!taint)
    taint = cleanTaint(ex, n);
  taint->data()[index] |= bits;
  uint32_t &origin = originOf(taint, bits);
  if (!origin)
    origin = location;
}

void taintNonFinite(Executor &ex, const Instruction &inst, Value &result, Kind kind, size_t n,
                    std::initializer_list<FloatOperand> operands) {
  if (!anyNonFinite(kind, result.data->data(), n))
    return;
  for (size_t i = 0; i < n; ++i) {
    if (!isNonFinite(kind, result.data->data(), i))
      continue;
    bool fromOutside = false, carried = false;
    for (const FloatOperand &operand : operands) {
      const uint8_t *bits = operand.value->taintBits();
      if (bits && (bits[i] & kNonFinite)) {
        carried = true;
        if (!result.taint)
          result.taint = cleanTaint(ex, n);
        mergeOrigins(result.taint.operator->(), operand.value->taint.operator->());
      }
      fromOutside |= isFloat(operand.kind) && isNonFinite(operand.kind, operand.value->data->data(), i);
    }
    if (carried || !fromOutside)
      addTaint(ex, result.taint, n, i, kNonFinite, inst.location);
  }
}

} // namespace tegula::plugins::reference
