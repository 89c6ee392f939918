// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Propagation of taint through whole tiles. Clean operands, the normal case, cost one test of a pointer.
#pragma once

#include "plugins/reference/exec/executor.h"

#include <initializer_list>

namespace tegula::plugins::reference {

constexpr uint8_t kWrapBits = kSignedWrap | kUnsignedWrap;

/// A taint tile of `n` clean elements.
TileRef cleanTaint(Executor &ex, size_t n);

/// The union of the operands' taint, element by element, cut down to `mask`; null where nothing is left.
TileRef unionTaint(Executor &ex, size_t n, uint8_t mask, std::initializer_list<const Value *> operands);

/// Sets bits of one element and remembers where they come from; makes the tile where there is none yet.
void addTaint(Executor &ex, TileRef &taint, size_t n, size_t index, uint8_t bits, uint32_t location);

/// For the result of a float operation: adds kNonFinite where the result is NaN or infinite although all operands are
/// finite, or where an operand has the bit; an infinity that came in from outside is nobody's fault.
struct FloatOperand {
  const Value *value;
  Kind kind;
};
void taintNonFinite(Executor &ex, const Instruction &inst, Value &result, Kind kind, size_t n,
                    std::initializer_list<FloatOperand> operands);

} // namespace tegula::plugins::reference
