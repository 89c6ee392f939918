// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers and their addresses.
#include "plugins/reference/memory/device_memory.h"

#include "sdk/base/available_memory.h"

#include <cstdlib>
#include <cstring>

namespace tegula::plugins::reference {

namespace {

constexpr uint32_t kNumberShift = 40;
constexpr uint64_t kMiddle =
    uint64_t(1) << (kNumberShift - 1); ///< offset 0: half of a buffer's address space lies below it
constexpr uint64_t kFirstNumber = 256; ///< above any address of a user process
constexpr uint64_t kMaxBytes = uint64_t(1) << 38;

std::unique_ptr<uint8_t, void (*)(void *)> zeros(uint64_t size) {
  return {base::memoryFits(size) ? static_cast<uint8_t *>(std::calloc(size ? size : 1, 1)) : nullptr, std::free};
}

} // namespace

bool Buffer::holdsGarbage(uint64_t offset, uint64_t length) const {
  return undefined && written && std::memchr(written.get() + offset, 0, length);
}

void Buffer::markWritten(uint64_t offset, uint64_t length) {
  if (written)
    std::memset(written.get() + offset, 1, length);
}

DeviceMemory::~DeviceMemory() {
  for (auto &buffer : buffers)
    if (buffer->owned && !buffer->freed)
      std::free(buffer->bytes);
}

Buffer &DeviceMemory::add(uint64_t size) {
  auto buffer = std::make_unique<Buffer>();
  buffer->size = size;
  buffer->number = uint32_t(buffers.size());
  buffer->address = ((buffers.size() + kFirstNumber) << kNumberShift) + kMiddle;
  buffers.push_back(std::move(buffer));
  return *buffers.back();
}

uint64_t DeviceMemory::allocate(uint64_t size) {
  if (size > kMaxBytes || !base::memoryFits(size))
    return 0;
  const uint64_t rounded = (size + 63) / 64 * 64 + 64;
  auto *bytes = static_cast<uint8_t *>(std::aligned_alloc(64, rounded));
  if (!bytes)
    return 0;
  std::memset(bytes, 0, rounded);
  Buffer &buffer = add(size);
  buffer.bytes = bytes;
  buffer.owned = true;
  return buffer.address;
}

uint64_t DeviceMemory::adopt(void *bytes, uint64_t size) {
  if (size > kMaxBytes)
    return 0;
  Buffer &buffer = add(size);
  buffer.bytes = static_cast<uint8_t *>(bytes);
  buffer.hostAddress = reinterpret_cast<uint64_t>(bytes);
  return buffer.address;
}

bool DeviceMemory::release(uint64_t address) {
  const Place place = locate(address);
  if (!place.buffer || place.offset != 0 || place.buffer->freed)
    return false;
  if (place.buffer->owned)
    std::free(place.buffer->bytes);
  place.buffer->bytes = nullptr;
  place.buffer->hostAddress = 0;
  place.buffer->written.reset();
  place.buffer->freed = true;
  return true;
}

Place DeviceMemory::locate(uint64_t address) const {
  const uint64_t number = address >> kNumberShift;
  if (number >= kFirstNumber) {
    const uint64_t index = number - kFirstNumber;
    if (index >= buffers.size())
      return {};
    return {buffers[index].get(), int64_t(address - buffers[index]->address)};
  }
  // Registered memory is rare and few. The end of one buffer may be the start of another: being inside counts first.
  Place end;
  for (auto &buffer : buffers) {
    if (!buffer->hostAddress || address < buffer->hostAddress || address - buffer->hostAddress > buffer->size)
      continue;
    const Place place{buffer.get(), int64_t(address - buffer->hostAddress)};
    if (uint64_t(place.offset) < buffer->size)
      return place;
    end = place;
  }
  return end;
}

uint8_t *DeviceMemory::bytesAt(uint64_t address, uint64_t length) const {
  const Place place = locate(address);
  if (!place.buffer || place.buffer->freed || place.offset < 0 || !isWithin(*place.buffer, uint64_t(place.offset), length))
    return nullptr;
  return place.buffer->bytes + place.offset;
}

void DeviceMemory::markWritten(uint64_t address, uint64_t length) {
  const Place place = locate(address);
  Buffer &buffer = *place.buffer;
  buffer.markWritten(uint64_t(place.offset), length);
  if (length == buffer.size && !buffer.expectWritten)
    buffer.written.reset();
}

bool DeviceMemory::watch(uint64_t address, bool undefined, bool expectWritten, bool readOnly) {
  Buffer &buffer = *locate(address).buffer;
  buffer.undefined = undefined;
  buffer.expectWritten = expectWritten;
  buffer.readOnly = readOnly;
  buffer.written.reset();
  if (undefined || expectWritten)
    buffer.written = zeros(buffer.size);
  return buffer.written || !(undefined || expectWritten);
}

} // namespace tegula::plugins::reference
