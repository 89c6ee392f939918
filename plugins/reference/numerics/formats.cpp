// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of whole rows of elements between float formats.
#include "plugins/reference/numerics/formats.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace tegula::plugins::reference {

const char *kindName(Kind kind) {
  static constexpr const char *kNames[] = {"i1",     "i8",         "i16",        "i32",       "i64",
                                           "f16",    "bf16",       "f32",        "f64",       "f8e4m3fn",
                                           "f8e5m2", "f8e4m3fnuz", "f8e5m2fnuz", "f8e4m3b15", "pointer"};
  return kNames[size_t(kind)];
}

namespace {

template <Kind K> constexpr std::array<float, 256> makeTable() {
  std::array<float, 256> table{};
  for (uint32_t bits = 0; bits < 256; ++bits)
    table[bits] = float(decodeBits(formatOf(K), bits));
  return table;
}
template <Kind K> constexpr std::array<float, 256> kTable = makeTable<K>();

const std::array<float, 256> &tableOf(Kind kind) {
  switch (kind) {
  case Kind::E4M3FN:
    return kTable<Kind::E4M3FN>;
  case Kind::E5M2:
    return kTable<Kind::E5M2>;
  case Kind::E4M3FNUZ:
    return kTable<Kind::E4M3FNUZ>;
  case Kind::E5M2FNUZ:
    return kTable<Kind::E5M2FNUZ>;
  default:
    return kTable<Kind::E4M3B15>;
  }
}

template <Kind K, class Bits, class Number>
void encodeRow(Bits *result, const Number *source, size_t n, Rounding rounding, bool saturate) {
  for (size_t i = 0; i < n; ++i)
    result[i] = Bits(encodeBits(formatOf(K), double(source[i]), rounding, saturate));
}

template <class Number>
void encodeAny(Kind kind, void *result, const Number *source, size_t n, Rounding rounding, bool saturate) {
  switch (kind) {
  case Kind::F16:
    return encodeRow<Kind::F16>(static_cast<uint16_t *>(result), source, n, rounding, saturate);
  case Kind::BF16:
    return encodeRow<Kind::BF16>(static_cast<uint16_t *>(result), source, n, rounding, saturate);
  case Kind::E4M3FN:
    return encodeRow<Kind::E4M3FN>(static_cast<uint8_t *>(result), source, n, rounding, saturate);
  case Kind::E5M2:
    return encodeRow<Kind::E5M2>(static_cast<uint8_t *>(result), source, n, rounding, saturate);
  case Kind::E4M3FNUZ:
    return encodeRow<Kind::E4M3FNUZ>(static_cast<uint8_t *>(result), source, n, rounding, saturate);
  case Kind::E5M2FNUZ:
    return encodeRow<Kind::E5M2FNUZ>(static_cast<uint8_t *>(result), source, n, rounding, saturate);
  case Kind::E4M3B15:
    return encodeRow<Kind::E4M3B15>(static_cast<uint8_t *>(result), source, n, rounding, saturate);
  default:
    return encodeRow<Kind::F32>(static_cast<uint32_t *>(result), source, n, rounding, saturate);
  }
}

template <class Row> void inChunks(size_t n, Row row) {
  for (size_t begin = 0; begin < n; begin += kChunk)
    row(begin, std::min(kChunk, n - begin));
}

} // namespace

void decodeToFloat(Kind kind, float *result, const void *source, size_t n) {
  if (kind == Kind::F32) {
    std::memcpy(result, source, n * sizeof(float));
  } else if (kind == Kind::F16) {
    const auto *bits = static_cast<const uint16_t *>(source);
    for (size_t i = 0; i < n; ++i)
      result[i] = floatFromHalf(bits[i]);
  } else if (kind == Kind::BF16) {
    const auto *bits = static_cast<const uint16_t *>(source);
    for (size_t i = 0; i < n; ++i)
      result[i] = floatFromBrain(bits[i]);
  } else {
    const auto &table = tableOf(kind);
    const auto *bits = static_cast<const uint8_t *>(source);
    for (size_t i = 0; i < n; ++i)
      result[i] = table[bits[i]];
  }
}

void decodeToDouble(Kind kind, double *result, const void *source, size_t n) {
  if (kind == Kind::F64) {
    std::memcpy(result, source, n * sizeof(double));
    return;
  }
  inChunks(n, [&](size_t begin, size_t count) {
    float row[kChunk];
    decodeToFloat(kind, row, elementAt(source, kind, begin), count);
    for (size_t i = 0; i < count; ++i)
      result[begin + i] = row[i];
  });
}

void encodeFromFloat(Kind kind, void *result, const float *source, size_t n, Rounding rounding, bool saturate) {
  const bool plain = rounding == Rounding::NearestEven && !saturate;
  if (kind == Kind::F16 && plain) {
    auto *bits = static_cast<uint16_t *>(result);
    for (size_t i = 0; i < n; ++i)
      bits[i] = halfFromFloat(source[i]);
  } else if (kind == Kind::BF16 && plain) {
    auto *bits = static_cast<uint16_t *>(result);
    for (size_t i = 0; i < n; ++i)
      bits[i] = brainFromFloat(source[i]);
  } else if (kind == Kind::F32 && !saturate) {
    std::memcpy(result, source, n * sizeof(float));
  } else if (kind == Kind::F64) {
    for (size_t i = 0; i < n; ++i)
      static_cast<double *>(result)[i] = source[i];
  } else {
    encodeAny(kind, result, source, n, rounding, saturate);
  }
}

void encodeFromDouble(Kind kind, void *result, const double *source, size_t n, Rounding rounding, bool saturate) {
  if (kind == Kind::F64) {
    std::memcpy(result, source, n * sizeof(double));
  } else if (kind == Kind::F32 && rounding == Rounding::NearestEven && !saturate) {
    for (size_t i = 0; i < n; ++i)
      static_cast<float *>(result)[i] = float(source[i]);
  } else {
    encodeAny(kind, result, source, n, rounding, saturate);
  }
}

void castFloats(Kind from, Kind to, void *result, const void *source, size_t n, Rounding rounding, bool saturate) {
  inChunks(n, [&](size_t begin, size_t count) {
    if (from == Kind::F64) {
      encodeFromDouble(to, elementAt(result, to, begin), static_cast<const double *>(source) + begin, count, rounding,
                       saturate);
    } else {
      float row[kChunk];
      decodeToFloat(from, row, elementAt(source, from, begin), count);
      encodeFromFloat(to, elementAt(result, to, begin), row, count, rounding, saturate);
    }
  });
}

} // namespace tegula::plugins::reference
