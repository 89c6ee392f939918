// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of the reference device. A device address names its buffer: bits 40 and up are the buffer's number, so
// that pointer arithmetic that leaves a buffer can never arrive in another one. Memory that the host registered keeps
// its own addresses too, and both spellings are understood wherever an address is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tegula::plugins::reference {

struct Buffer {
  uint8_t *bytes = nullptr;
  uint64_t size = 0;
  uint64_t address = 0;     ///< device address of its first byte
  uint64_t hostAddress = 0; ///< of registered memory; else 0
  uint32_t number = 0;
  bool owned = false;
  bool freed = false;
  bool undefined = false;     ///< a byte that is not in `written` has no value
  bool expectWritten = false; ///< an output: bytes that no kernel wrote are a finding
  bool readOnly = false;      ///< a store is a finding
  std::string name;           ///< as the host calls it; may be empty
  // While a launch runs: the first parameter that points into the buffer, the size of what it points to, and whether
  // accesses are written down because some program may store here.
  std::string argument;
  uint32_t elementBytes = 1;
  bool isLogged = true;
  /// Which bytes were written, one byte each; null when nobody needs to know or all were.
  std::unique_ptr<uint8_t, void (*)(void *)> written{nullptr, nullptr};

  /// Is some of these bytes without a value?
  bool holdsGarbage(uint64_t offset, uint64_t length) const;
  void markWritten(uint64_t offset, uint64_t length);
};

/// Do `length` bytes from `offset` on lie in the buffer? Right for all numbers, those included whose sum wraps.
inline bool isWithin(const Buffer &buffer, uint64_t offset, uint64_t length) {
  return offset <= buffer.size && length <= buffer.size - offset;
}

/// A place in a buffer; `offset` may lie outside of it. `buffer` is null when the address names none.
struct Place {
  Buffer *buffer = nullptr;
  int64_t offset = 0;
};

/// Not thread-safe for changes; locating from many threads is safe while nothing changes.
class DeviceMemory {
public:
  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory &) = delete;
  DeviceMemory &operator=(const DeviceMemory &) = delete;
  ~DeviceMemory();

  /// Memory of zero bytes. Returns its device address, or 0 where there is none left. A buffer of no bytes is fine.
  uint64_t allocate(uint64_t size);
  /// Makes host memory known, with contents. It must outlive its registration. Returns its device address.
  uint64_t adopt(void *bytes, uint64_t size);
  /// Forgets a buffer by the address of its first byte (either spelling); false where there is none. Later uses of its
  /// address are findings.
  bool release(uint64_t address);

  Place locate(uint64_t address) const;
  /// The bytes from `address` on if `length` of them are inside one buffer; else null.
  uint8_t *bytesAt(uint64_t address, uint64_t length) const;
  /// Host copies and fills: `length` bytes at `address` now hold a value. The range must be inside a buffer.
  void markWritten(uint64_t address, uint64_t length);
  /// What to watch in the buffer that starts at `address`: are its contents undefined, must a kernel write all of it,
  /// may it be written? False where there is no memory for that.
  bool watch(uint64_t address, bool undefined, bool expectWritten, bool readOnly);

private:
  Buffer &add(uint64_t size);

  std::vector<std::unique_ptr<Buffer>> buffers;
};

} // namespace tegula::plugins::reference
