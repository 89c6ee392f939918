// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow on the flat code: moves between slots, jumps, counted loops, calls.
#include "plugins/reference/exec/executor.h"

#include <cstring>

namespace tegula::plugins::reference {

namespace {

/// result[i] = operand[first + i], all at once: operands may name slots that are results too.
void moveValues(Executor &ex, const Instruction &inst, uint32_t firstOperand, uint32_t firstResult) {
  const uint32_t count = inst.resultCount - firstResult;
  if (count == 1) {
    Value value = ex.operand(inst, firstOperand);
    ex.result(inst, firstResult) = std::move(value);
    return;
  }
  auto &moved = ex.transfer;
  moved.clear();
  for (uint32_t i = 0; i < count; ++i)
    moved.push_back(ex.operand(inst, firstOperand + i));
  for (uint32_t i = 0; i < count; ++i)
    ex.result(inst, firstResult + i) = std::move(moved[i]);
  moved.clear();
}

int64_t signedElement(const Value &value, Kind kind) {
  switch (byteWidth(kind)) {
  case 1:
    return *value.data.as<int8_t>();
  case 2:
    return *value.data.as<int16_t>();
  case 4:
    return *value.data.as<int32_t>();
  default:
    return *value.data.as<int64_t>();
  }
}

} // namespace

void runJump(Executor &ex, const Instruction &inst) { ex.jump(inst.target); }

/// Moves operands to results.
void runMove(Executor &ex, const Instruction &inst) {
  if (inst.resultCount)
    moveValues(ex, inst, 0, 0);
}

/// Operand 0: the condition.
void runBranchIfFalse(Executor &ex, const Instruction &inst) {
  ex.checkInitialised(inst, ex.operand(inst, 0), 0, "a branch");
  if (!ex.scalar<uint8_t>(inst, 0))
    ex.jump(inst.target);
}

/// Operands: lower, upper, step, initial values. Results: trips left, induction, carried values.
void runForBegin(Executor &ex, const Instruction &inst) {
  const Kind kind = inst.operandType->kind;
  for (uint32_t i = 0; i < 3; ++i)
    ex.checkInitialised(inst, ex.operand(inst, i), 0, "a loop bound");
  const __int128 lower = signedElement(ex.operand(inst, 0), kind), upper = signedElement(ex.operand(inst, 1), kind);
  const __int128 step = signedElement(ex.operand(inst, 2), kind);
  const uint64_t trips = step > 0 && lower < upper ? uint64_t((upper - lower + step - 1) / step) : 0;
  Value induction = ex.operand(inst, 0);
  moveValues(ex, inst, 3, 2);
  ex.result(inst, 0) = {ex.take(8), {}};
  *ex.result(inst, 0).data.as<uint64_t>() = trips;
  ex.result(inst, 1) = std::move(induction);
}

/// Operand 0: trips left.
void runForTest(Executor &ex, const Instruction &inst) {
  if (ex.scalar<uint64_t>(inst, 0) == 0)
    ex.jump(inst.target);
}

/// Operands: trips left, induction, step, next values. Results: trips left, induction, carried values.
void runForStep(Executor &ex, const Instruction &inst) {
  const uint64_t trips = ex.scalar<uint64_t>(inst, 0) - 1;
  const Kind kind = inst.operandType->kind;
  const uint64_t next =
      uint64_t(signedElement(ex.operand(inst, 1), kind)) + uint64_t(signedElement(ex.operand(inst, 2), kind));
  moveValues(ex, inst, 3, 2);
  ex.result(inst, 0) = {ex.take(8), {}};
  *ex.result(inst, 0).data.as<uint64_t>() = trips;
  // The counter is the induction's own: its taint (of the lower bound) goes on, its tile may be shared.
  TileRef tile = ex.take(8);
  std::memcpy(tile->data(), &next, 8);
  ex.result(inst, 1).data = std::move(tile);
  runLoopBack(ex, inst);
}

void runLoopBack(Executor &ex, const Instruction &inst) {
  ex.jump(inst.target);
  ex.yieldInLoop(inst);
}

/// Operands: the arguments.
void runCall(Executor &ex, const Instruction &inst) {
  std::vector<Value> arguments;
  for (uint32_t i = 0; i < inst.operandCount; ++i)
    arguments.push_back(ex.operand(inst, i));
  ex.enter(*inst.callee, arguments);
}

/// Operands: the results of the function. They go to the slots of the call that is being left, or to whoever runs a
/// nested function.
void runReturn(Executor &ex, const Instruction &inst) {
  ex.transfer.clear();
  for (uint32_t i = 0; i < inst.operandCount; ++i)
    ex.transfer.push_back(ex.operand(inst, i));
  ex.leave();
}

} // namespace tegula::plugins::reference
