// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers, prints, assertions and assumptions.
#include "plugins/reference/exec/executor.h"

#include <cinttypes>
#include <cstdio>
#include <cstring>

namespace tegula::plugins::reference {

/// Memory operations of a program take effect in order and at once here; only other programs get a turn.
void runBarrier(Executor &ex, const Instruction &inst) { (void)ex.yieldBefore(inst); }

namespace {

/// A program prints at most this much; the rest is cut off with a mark.
constexpr size_t kMaxPrinted = size_t(1) << 20;

std::string elementText(const Value &value, Kind kind, size_t i, bool hex, bool isSigned) {
  char text[64];
  uint64_t bits = 0;
  const uint32_t width = byteWidth(kind);
  std::memcpy(&bits, value.data->data() + i * width, width);
  if (hex || kind == Kind::Pointer) {
    std::snprintf(text, sizeof text, "0x%0*" PRIx64, int(width * 2), bits);
  } else if (isFloat(kind)) {
    double number = 0;
    decodeToDouble(kind, &number, value.data->data() + i * width, 1);
    std::snprintf(text, sizeof text, kind == Kind::F64 ? "%.17g" : "%.9g", number);
  } else if (isSigned && kind != Kind::I1) {
    const uint32_t shift = 64 - 8 * width;
    std::snprintf(text, sizeof text, "%" PRId64, int64_t(bits << shift) >> shift);
  } else {
    std::snprintf(text, sizeof text, "%" PRIu64, bits);
  }
  return text;
}

} // namespace

/// Operands: the values. `text`: the prefix. `printed` describes them. Immediate 0: hex.
void runPrint(Executor &ex, const Instruction &inst) {
  const auto print = [&](std::string line) {
    Program &program = *ex.program;
    if (program.printedBytes >= kMaxPrinted)
      return;
    program.printedBytes += line.size() + 1;
    program.prints.push_back(
        {program.printedBytes >= kMaxPrinted ? "... (more than is kept)" : std::move(line), inst.location});
  };
  if (inst.operandCount == 0)
    print(*inst.text);
  for (uint32_t v = 0; v < inst.operandCount; ++v) {
    const PrintOperand &operand = (*inst.printed)[v];
    const Value &value = ex.operand(inst, v);
    for (size_t i = 0; i < operand.type->count && ex.program->printedBytes < kMaxPrinted; ++i) {
      std::string index;
      size_t rest = i;
      for (uint32_t d = operand.type->rank; d-- > 0; rest /= operand.type->shape[d])
        index = std::to_string(rest % operand.type->shape[d]) + (index.empty() ? "" : ", ") + index;
      print((index.empty() ? "" : "idx (" + index + ") ") + *inst.text +
            elementText(value, operand.type->kind, i, inst.immediates[0] != 0, operand.isSigned));
    }
  }
}

namespace {

/// The first element for which the condition is false where the mask is true; `n` when there is none.
size_t firstFailure(Executor &ex, const Instruction &inst, size_t n) {
  const Value &condition = ex.operand(inst, 0);
  const uint8_t *mask = ex.hasOperand(inst, 1) ? ex.operand(inst, 1).data->data() : nullptr;
  for (size_t i = 0; i < n; ++i) {
    if (mask && !mask[i])
      continue;
    ex.checkInitialised(inst, condition, i, "an asserted condition");
    if (!condition.data->data()[i])
      return i;
  }
  return n;
}

} // namespace

/// Operands: condition, mask. `text`: the message. A program ends at an assertion that fails.
void runAssert(Executor &ex, const Instruction &inst) {
  const size_t n = ex.countOf(*inst.operandType), failed = firstFailure(ex, inst, n);
  if (failed == n)
    return;
  ex.report(FindingKind::AssertFailed, inst, 0, [&](Finding &finding) {
    const auto &id = ex.program->id;
    finding.message = "assertion failed: " + *inst.text + " (program " + std::to_string(id[0]) + ", " +
                      std::to_string(id[1]) + ", " + std::to_string(id[2]) +
                      (n > 1 ? "; element " + std::to_string(failed) : "") + ")";
  });
  ex.stop();
}

/// Operand: the condition.
void runAssume(Executor &ex, const Instruction &inst) {
  if (!ex.sanitizing() || firstFailure(ex, inst, ex.countOf(*inst.operandType)) == ex.countOf(*inst.operandType))
    return;
  ex.report(FindingKind::AssumptionFailed, inst, 0, [&](Finding &finding) {
    finding.message = "the condition given to assume is false in program " + std::to_string(ex.program->index);
  });
}

} // namespace tegula::plugins::reference
