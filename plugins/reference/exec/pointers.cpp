// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointer arithmetic, loads and stores. Active lanes are taken in runs of consecutive addresses, so that a row costs
// one bounds check and one copy; whatever the pointers look like, each element's bounds are checked.
#include "plugins/reference/exec/memory_access.h"
#include "plugins/reference/exec/taint.h"

#include <algorithm>
#include <cstring>

namespace tegula::plugins::reference {

namespace {

template <class Offset>
void addOffsets(uint64_t *result, const uint64_t *pointers, const void *offsets, size_t n, uint64_t elementBytes) {
  const auto *values = static_cast<const Offset *>(offsets);
  for (size_t i = 0; i < n; ++i)
    result[i] = pointers[i] + uint64_t(int64_t(values[i])) * elementBytes;
}

} // namespace

/// Immediates: unsigned, bytes of an element, kind of the offset.
void runAddPointer(Executor &ex, const Instruction &inst) {
  const size_t n = ex.countOf(*inst.type);
  const bool isUnsigned = inst.immediates[0] != 0;
  const uint64_t bytes = inst.immediates[1];
  const Kind kind = Kind(inst.immediates[2]);
  const Value &pointer = ex.operand(inst, 0), &offset = ex.operand(inst, 1);
  Value result{ex.takeFor(*inst.type), {}};
  uint64_t *to = result.data.as<uint64_t>();
  const uint64_t *from = pointer.data.as<uint64_t>();
  const void *offsets = offset.data->data();
  switch (byteWidth(kind)) {
  case 1:
    isUnsigned || kind == Kind::I1 ? addOffsets<uint8_t>(to, from, offsets, n, bytes)
                                   : addOffsets<int8_t>(to, from, offsets, n, bytes);
    break;
  case 2:
    isUnsigned ? addOffsets<uint16_t>(to, from, offsets, n, bytes) : addOffsets<int16_t>(to, from, offsets, n, bytes);
    break;
  case 4:
    isUnsigned ? addOffsets<uint32_t>(to, from, offsets, n, bytes) : addOffsets<int32_t>(to, from, offsets, n, bytes);
    break;
  default:
    addOffsets<int64_t>(to, from, offsets, n, bytes);
    break;
  }
  if (pointer.taint || offset.taint) {
    const uint8_t wrap = isUnsigned && byteWidth(kind) <= 4 ? kUnsignedWrap : kSignedWrap;
    result.taint = unionTaint(ex, n, kUninitialised | wrap, {&offset});
    if (result.taint)
      for (size_t i = 0; i < n; ++i)
        if (result.taint->data()[i] & kWrapBits)
          result.taint->data()[i] = uint8_t((result.taint->data()[i] & ~kWrapBits) | kSignedWrap);
    if (pointer.taint) {
      const Value offsetPart{result.data, result.taint};
      result.taint = unionTaint(ex, n, kUninitialised | kSignedWrap, {&offsetPart, &pointer});
    }
  }
  ex.result(inst) = std::move(result);
}

/// Operands: pointer, mask, other. Immediate 0: volatile.
void runLoad(Executor &ex, const Instruction &inst) {
  const bool isVolatile = inst.immediates[0] != 0;
  if (isVolatile && ex.yieldBefore(inst))
    return;
  const size_t n = ex.countOf(*inst.type);
  const uint32_t width = inst.type->width();
  const bool hasOther = ex.hasOperand(inst, 2);
  MemoryAccess access(ex, inst, 0, 1, n, width);
  Value result{ex.takeFor(*inst.type), {}};
  uint8_t *out = result.data->data();
  if (access.mask) {
    if (hasOther) {
      const Value &other = ex.operand(inst, 2);
      std::memcpy(out, other.data->data(), n * width);
      if (other.taint) {
        result.taint = cleanTaint(ex, n);
        mergeOrigins(result.taint.operator->(), other.taint.operator->());
        for (size_t i = 0; i < n; ++i)
          result.taint->data()[i] = access.mask[i] ? 0 : other.taint->data()[i];
      }
    } else {
      std::memset(out, 0, n * width);
    }
  }
  access.forEachRun([&](size_t first, size_t count, uint64_t address) {
    const Span span = access.resolve(first, count, address, FindingKind::OutOfBoundsRead);
    uint8_t *row = out + first * width;
    if (span.count < count)
      std::memset(row, 0, count * width);
    if (span.count == 0)
      return;
    const uint64_t offset = uint64_t(span.offset), length = span.count * width;
    std::memcpy(row + span.skipped * width, span.buffer->bytes + offset, length);
    if (inst.type->kind == Kind::I1) // a byte of memory; any that is not 0 is true
      for (size_t i = span.skipped; i < span.skipped + span.count; ++i)
        row[i] = row[i] != 0;
    if (!ex.sanitizing())
      return;
    if (span.buffer->holdsGarbage(offset, length))
      for (size_t i = 0; i < span.count; ++i)
        if (span.buffer->holdsGarbage(offset + i * width, width)) {
          addTaint(ex, result.taint, n, first + span.skipped + i, kUninitialised, inst.location);
          ex.noteUnwrittenRead(inst, *span.buffer, int64_t(offset + i * width), width);
        }
    access.log(*span.buffer, offset, length, isVolatile ? uint32_t(kAtomic) : 0u);
  });
  ex.result(inst) = std::move(result);
}

/// Operands: pointer, value, mask.
void runStore(Executor &ex, const Instruction &inst) {
  const size_t n = ex.countOf(*inst.type);
  const uint32_t width = inst.type->width();
  const Value &value = ex.operand(inst, 1);
  const uint8_t *source = value.data->data();
  MemoryAccess access(ex, inst, 0, 2, n, width);
  if (value.taint)
    access.checkStoredTaint(value);
  access.forEachRun([&](size_t first, size_t count, uint64_t address) {
    const Span span = access.resolve(first, count, address, FindingKind::OutOfBoundsWrite);
    if (span.count == 0)
      return;
    const uint64_t offset = uint64_t(span.offset), length = span.count * width;
    const uint8_t *row = source + (first + span.skipped) * width;
    uint8_t *place = span.buffer->bytes + offset;
    if (ex.launch.interleaved && std::memcmp(place, row, length) != 0)
      ++ex.launch.memoryChanges;
    std::memcpy(place, row, length);
    if (!ex.sanitizing())
      return;
    access.checkWritable(*span.buffer, span.offset);
    span.buffer->markWritten(offset, length);
    access.log(*span.buffer, offset, length, kWrites, row);
  });
}

} // namespace tegula::plugins::reference
