// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations: element by element in row-major order, in one step of the interleaving; the program lets others
// run first.
#include "plugins/reference/exec/memory_access.h"
#include "plugins/reference/exec/taint.h"
#include "sdk/kir/kir.h"

#include <cstring>

namespace tegula::plugins::reference {

namespace {

/// What the operations have in common. `change(old, i)` gives the new element of lane i in `next`, or false to leave
/// memory alone.
template <class Change>
void atomically(Executor &ex, const Instruction &inst, uint32_t maskOperand,
                std::initializer_list<uint32_t> valueOperands, uint64_t order, uint64_t scope, Change change) {
  const size_t n = ex.countOf(*inst.type);
  const uint32_t width = inst.type->width();
  MemoryAccess access(ex, inst, 0, maskOperand, n, width);
  Value result{ex.takeFor(*inst.type), {}};
  std::memset(result.data->data(), 0, n * width);
  for (uint32_t operand : valueOperands)
    if (ex.operand(inst, operand).taint)
      access.checkStoredTaint(ex.operand(inst, operand));
  const bool wide = scope != TEGULA_KIR_MEMORY_SCOPE_CTA;
  const bool acquires = wide && (order == TEGULA_KIR_MEMORY_ORDER_ACQUIRE || order == TEGULA_KIR_MEMORY_ORDER_ACQ_REL);
  const bool releases = wide && (order == TEGULA_KIR_MEMORY_ORDER_RELEASE || order == TEGULA_KIR_MEMORY_ORDER_ACQ_REL);
  std::vector<ExecutionOrder::Location> locations;
  for (size_t i = 0; i < n; ++i) {
    if (access.mask && !access.mask[i])
      continue;
    const Span span = access.resolve(i, 1, access.pointers[i], FindingKind::OutOfBoundsWrite);
    if (span.count == 0)
      continue;
    const uint64_t offset = uint64_t(span.offset);
    uint8_t *place = span.buffer->bytes + offset, *old = result.data->data() + i * width;
    uint64_t next = 0;
    std::memcpy(old, place, width);
    if (ex.sanitizing() && span.buffer->holdsGarbage(offset, width))
      ex.report(FindingKind::Uninitialised, inst, span.buffer->number, [&](Finding &finding) {
        finding.message = "an atomic operation reads " + ex.launch.describeElement(*span.buffer, span.offset, width) +
                          ", which was never written";
      });
    const bool writes = change(old, i, &next);
    if (writes) {
      ex.launch.memoryChanges += std::memcmp(place, &next, width) != 0;
      std::memcpy(place, &next, width);
      span.buffer->markWritten(offset, width);
    }
    if (!ex.sanitizing())
      continue;
    if (writes)
      access.checkWritable(*span.buffer, span.offset);
    access.log(*span.buffer, offset, width, (writes ? uint32_t(kWrites) : 0u) | (wide ? uint32_t(kAtomic) : 0u));
    if (acquires || releases)
      locations.push_back({span.buffer->address + offset, writes});
  }
  ex.program->segment = ex.launch.order->synchronise(ex.program->segment, locations, acquires, releases);
  ex.result(inst) = std::move(result);
}

} // namespace

/// Operands: pointer, value, mask. Immediates: order, scope. `binary` makes the new element from the old one and the
/// value; null for an exchange.
void runAtomicUpdate(Executor &ex, const Instruction &inst) {
  if (ex.yieldBefore(inst))
    return;
  const uint32_t width = inst.type->width();
  const uint8_t *values = ex.operand(inst, 1).data->data();
  atomically(ex, inst, 2, {1}, inst.immediates[0], inst.immediates[1],
             [&](const uint8_t *old, size_t i, uint64_t *next) {
               if (inst.binary)
                 inst.binary(next, old, values + i * width, 1);
               else
                 std::memcpy(next, values + i * width, width);
               return true;
             });
}

/// Operands: pointer, compare, value. Immediates: order, scope. Elements are compared as bits.
void runAtomicCompareSwap(Executor &ex, const Instruction &inst) {
  if (ex.yieldBefore(inst))
    return;
  const uint32_t width = inst.type->width();
  const uint8_t *expected = ex.operand(inst, 1).data->data(), *values = ex.operand(inst, 2).data->data();
  atomically(ex, inst, kNoSlot, {1, 2}, inst.immediates[0], inst.immediates[1],
             [&](const uint8_t *old, size_t i, uint64_t *next) {
               std::memcpy(next, values + i * width, width);
               return std::memcmp(old, expected + i * width, width) == 0;
             });
}

} // namespace tegula::plugins::reference
