// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See the header for the definition.
#include "driver/session/random.h"

#include <cmath>
#include <numbers>

namespace tegula::driver {

namespace {
uint64_t splitmix64(uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ x >> 27) * 0x94D049BB133111EBull;
  return x ^ x >> 31;
}
} // namespace

void fillRandom(Array &array, uint64_t seed) {
  auto bits = [&](uint64_t k) { return splitmix64(seed * 0x9E3779B97F4A7C15ull + k + 1); };
  auto uniform = [&](uint64_t k) { return static_cast<double>(bits(k) >> 11) * 0x1p-53; };
  const ElementType &type = *array.type;
  for (uint64_t i = 0; i < array.count(); ++i) {
    void *to = &array.bytes[i * type.bytes];
    switch (type.kind) {
    case ElementType::Kind::Float:
      writeNumber(type, std::sqrt(-2 * std::log(1 - uniform(2 * i))) * std::cos(2 * std::numbers::pi * uniform(2 * i + 1)), to);
      break;
    case ElementType::Kind::Int: writeInteger(type, static_cast<int64_t>(bits(i) % 201) - 100, to); break;
    case ElementType::Kind::UInt: writeInteger(type, static_cast<int64_t>(bits(i) % 101), to); break;
    case ElementType::Kind::Bool: writeInteger(type, static_cast<int64_t>(bits(i) & 1), to); break;
    }
  }
}

} // namespace tegula::driver
