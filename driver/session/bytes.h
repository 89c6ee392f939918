// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of an array, which may be more than there is.
#pragma once

#include "sdk/base/available_memory.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace tegula::driver {

class Bytes {
public:
  /// Zeros, instead of what was there; pages are taken when they are written. False where memory is short: nothing has changed then.
  bool allocate(uint64_t count) {
    if (!base::memoryFits(count))
      return false;
    std::unique_ptr<uint8_t, void (*)(void *)> made(static_cast<uint8_t *>(std::calloc(count ? count : 1, 1)), std::free);
    if (!made)
      return false;
    memory = std::move(made);
    length = count;
    return true;
  }
  uint64_t size() const { return length; }
  uint8_t *data() { return memory.get(); }
  const uint8_t *data() const { return memory.get(); }
  uint8_t &operator[](uint64_t i) { return memory.get()[i]; }
  const uint8_t &operator[](uint64_t i) const { return memory.get()[i]; }
  friend bool operator==(const Bytes &a, const Bytes &b) { return std::equal(a.data(), a.data() + a.size(), b.data(), b.data() + b.size()); }

private:
  std::unique_ptr<uint8_t, void (*)(void *)> memory{nullptr, std::free};
  uint64_t length = 0;
};

} // namespace tegula::driver
