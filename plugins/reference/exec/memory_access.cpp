// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of memory accesses.
#include "plugins/reference/exec/memory_access.h"

#include <algorithm>
#include <cstring>

namespace tegula::plugins::reference {

MemoryAccess::MemoryAccess(Executor &ex, const Instruction &inst, uint32_t pointerOperand, uint32_t maskOperand,
                           size_t n, uint32_t width)
    : ex(ex), inst(inst), n(n), width(width) {
  const Value &pointer = ex.operand(inst, pointerOperand);
  pointers = pointer.data.as<uint64_t>();
  if (ex.hasOperand(inst, maskOperand)) {
    const Value &maskValue = ex.operand(inst, maskOperand);
    mask = maskValue.data->data();
    if (maskValue.taint)
      for (size_t i = 0; i < n; ++i)
        ex.checkInitialised(inst, maskValue, i, "a mask");
  }
  if (!pointer.taint)
    return;
  for (size_t i = 0; i < n; ++i) {
    const uint8_t bits = pointer.taint->data()[i];
    if (!bits || (mask && !mask[i]))
      continue;
    ex.checkInitialised(inst, pointer, i, "an address");
    if (bits & kSignedWrap)
      ex.report(FindingKind::WrappedAddress, inst, 0, [&](Finding &finding) {
        const Place place = ex.launch.memory->locate(pointers[i]);
        finding.message = "the address comes from arithmetic of at most 32 bits that wrapped around";
        if (place.buffer)
          finding.message += "; it means " + ex.launch.describeElement(*place.buffer, place.offset, this->width);
        if (pointer.taint->origins[1])
          finding.notes.push_back({"the arithmetic wrapped here", pointer.taint->origins[1]});
      });
  }
}

void MemoryAccess::reportOutside(const Buffer &buffer, int64_t offset, size_t elements, FindingKind kind) const {
  ex.report(
      kind, inst, buffer.number,
      [&](Finding &finding) {
        finding.message = std::string(kind == FindingKind::OutOfBoundsRead ? "read of " : "write to ") +
                          ex.launch.describeElement(buffer, offset, width) + " is out of bounds";
      },
      elements);
}

Span MemoryAccess::resolve(size_t first, size_t count, uint64_t address, FindingKind outOfBounds) const {
  Buffer *buffer = ex.recentBuffer;
  int64_t offset = buffer ? int64_t(address - buffer->address) : 0;
  // The common case: inside the buffer of the last access.
  if (!buffer || buffer->freed || offset < 0 || uint64_t(offset) >= buffer->size) {
    const Place place = ex.launch.memory->locate(address);
    if (!place.buffer || place.buffer->freed) {
      ex.report(
          FindingKind::WildAddress, inst, place.buffer ? place.buffer->number : 0,
          [&](Finding &finding) {
            finding.message = place.buffer ? "access to " + ex.launch.nameOf(*place.buffer) + ", which was freed"
                                           : "address " + std::to_string(address) + " lies in no buffer";
          },
          count);
      return {};
    }
    ex.recentBuffer = buffer = place.buffer;
    offset = place.offset;
  }
  if ((uint64_t(offset) + buffer->hostAddress) % width != 0 && ex.sanitizing())
    ex.report(
        FindingKind::Misaligned, inst, buffer->number,
        [&](Finding &finding) {
          finding.message = "access of " + std::to_string(width) + " bytes at byte " + std::to_string(offset) + " of " +
                            ex.launch.nameOf(*buffer) + " is not aligned";
        },
        count);
  Span span{buffer, offset, 0, count};
  if (offset < 0) {
    span.skipped = std::min<size_t>(count, size_t((-offset + width - 1) / width));
    span.count -= span.skipped;
    span.offset += int64_t(span.skipped * width);
    reportOutside(*buffer, offset, span.skipped, outOfBounds);
  }
  if (span.count) {
    const uint64_t room = uint64_t(span.offset) < buffer->size ? (buffer->size - uint64_t(span.offset)) / width : 0;
    if (room < span.count) {
      reportOutside(*buffer, span.offset + int64_t(room * width), span.count - room, outOfBounds);
      span.count = room;
    }
  }
  return span;
}

void MemoryAccess::checkWritable(const Buffer &buffer, int64_t offset) const {
  if (buffer.readOnly)
    ex.report(FindingKind::ReadOnlyWrite, inst, buffer.number, [&](Finding &finding) {
      finding.message = "store to " + ex.launch.describeElement(buffer, offset, width) + ", which is read-only";
    });
}

void MemoryAccess::log(const Buffer &buffer, uint64_t offset, uint64_t length, uint32_t flags,
                       const uint8_t *written) const {
  if (!buffer.isLogged)
    return;
  Program &program = *ex.program;
  Access access{offset, offset + length, 0, uint32_t(program.index), program.segment, inst.location, flags};
  if (written && std::memcmp(written, written + width, length - width) == 0) {
    std::memcpy(&access.value, written, width);
    access.flags |= kUniform | width << kWidthShift;
    written = nullptr;
  }
  if (flags == kAtomic) {
    const Access &last = program.polled;
    if (last.flags == kAtomic && last.begin == access.begin && last.segment == access.segment &&
        last.location == access.location && program.polledBuffer == buffer.number)
      return;
    program.polled = access;
    program.polledBuffer = buffer.number;
  }
  ex.accesses.add(buffer.number, access, written);
}

void MemoryAccess::checkStoredTaint(const Value &value) const {
  for (size_t i = 0; i < n; ++i) {
    if (mask && !mask[i])
      continue;
    ex.checkInitialised(inst, value, i, "a stored value");
    if (value.taint->data()[i] & kNonFinite)
      ex.report(FindingKind::NonFinite, inst, 0, [&](Finding &finding) {
        const Place place = ex.launch.memory->locate(pointers[i]);
        finding.message = "a NaN or infinity that was made from finite values is stored";
        if (place.buffer)
          finding.message += " to " + ex.launch.describeElement(*place.buffer, place.offset, width);
        if (value.taint->origins[2])
          finding.notes.push_back({"it was made here", value.taint->origins[2]});
      });
  }
}

} // namespace tegula::plugins::reference
