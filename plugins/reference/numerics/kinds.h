// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The element kinds a tile can hold and how wide each is in a tile and in memory (the two are the same: i1 is one byte,
// 0 or 1).
#pragma once

#include <cstddef>
#include <cstdint>

namespace tegula::plugins::reference {

enum class Kind : uint8_t {
  I1,
  I8,
  I16,
  I32,
  I64,
  F16,
  BF16,
  F32,
  F64,
  E4M3FN,
  E5M2,
  E4M3FNUZ,
  E5M2FNUZ,
  E4M3B15,
  Pointer
};

constexpr bool isInteger(Kind kind) { return kind <= Kind::I64; }
constexpr bool isFloat(Kind kind) { return kind >= Kind::F16 && kind <= Kind::E4M3B15; }
/// A float that is computed in f32 and rounded once.
constexpr bool isNarrowFloat(Kind kind) { return isFloat(kind) && kind != Kind::F32 && kind != Kind::F64; }

constexpr uint32_t byteWidth(Kind kind) {
  switch (kind) {
  case Kind::I16:
  case Kind::F16:
  case Kind::BF16:
    return 2;
  case Kind::I32:
  case Kind::F32:
    return 4;
  case Kind::I64:
  case Kind::F64:
  case Kind::Pointer:
    return 8;
  default:
    return 1;
  }
}

constexpr uint32_t bitWidth(Kind kind) { return kind == Kind::I1 ? 1 : 8 * byteWidth(kind); }

/// Element `i` of a row.
inline const void *elementAt(const void *row, Kind kind, size_t i) {
  return static_cast<const uint8_t *>(row) + i * byteWidth(kind);
}
inline void *elementAt(void *row, Kind kind, size_t i) { return static_cast<uint8_t *>(row) + i * byteWidth(kind); }

/// Rows are converted between kinds in pieces of this many elements.
constexpr size_t kChunk = 256;

/// The kind's name in messages ("f32").
const char *kindName(Kind kind);

} // namespace tegula::plugins::reference
