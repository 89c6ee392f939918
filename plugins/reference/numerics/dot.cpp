// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products. Each element of the result is its own sum in ascending k that starts from the accumulator; the loop
// over columns is innermost, so that it vectorises without changing that order.
#include "plugins/reference/numerics/kernels.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>

namespace tegula::plugins::reference {

namespace {

constexpr uint32_t kColumns = 64;

/// result (m x n) += a (m x k) * b (k x n). `round` rounds a row of columns after each product and after each sum.
template <class T, class Round> void accumulate(const DotShape &shape, T *result, const T *a, const T *b, Round round) {
  for (uint32_t column = 0; column < shape.n; column += kColumns) {
    const uint32_t width = std::min(kColumns, shape.n - column);
    for (uint32_t row = 0; row < shape.m; ++row) {
      T sums[kColumns];
      T *out = result + size_t(row) * shape.n + column;
      std::copy_n(out, width, sums);
      const auto step = [&](uint32_t k, uint32_t count) {
        const T factor = a[size_t(row) * shape.k + k];
        const T *factors = b + size_t(k) * shape.n + column;
        for (uint32_t j = 0; j < count; ++j)
          sums[j] = round(T(sums[j] + round(T(factor * factors[j]))));
      };
      if (width == kColumns) { // a constant width keeps the sums in registers
        for (uint32_t k = 0; k < shape.k; ++k)
          step(k, kColumns);
      } else {
        for (uint32_t k = 0; k < shape.k; ++k)
          step(k, width);
      }
      std::copy_n(sums, width, out);
    }
  }
}

template <class T> T exactly(T value) { return value; }

std::vector<float> asFloats(Kind kind, const void *values, size_t n, bool tf32) {
  std::vector<float> floats(n);
  decodeToFloat(kind, floats.data(), values, n);
  if (tf32 && kind == Kind::F32)
    for (float &value : floats)
      value = cutToTf32(value);
  return floats;
}

std::vector<double> asDoubles(Kind kind, const void *values, size_t n) {
  std::vector<double> doubles(n);
  decodeToDouble(kind, doubles.data(), values, n);
  return doubles;
}

/// Integers modulo 2^32 or 2^64; unsigned arithmetic, so that wrapping is defined.
template <class T> std::vector<T> asIntegers(Kind kind, const void *values, size_t n, bool isSigned) {
  std::vector<T> integers(n);
  const auto convert = [&]<class Unsigned>(Unsigned) {
    const auto *bits = static_cast<const Unsigned *>(values);
    for (size_t i = 0; i < n; ++i)
      integers[i] = isSigned ? T(std::make_signed_t<Unsigned>(bits[i])) : T(bits[i]);
  };
  switch (byteWidth(kind)) {
  case 1:
    convert(uint8_t());
    break;
  case 2:
    convert(uint16_t());
    break;
  case 4:
    convert(uint32_t());
    break;
  default:
    convert(uint64_t());
    break;
  }
  return integers;
}

template <class T> void multiplyIntegers(const DotShape &s, void *result, const void *lhs, const void *rhs) {
  const auto a = asIntegers<T>(s.lhs, lhs, size_t(s.m) * s.k, s.lhsSigned);
  const auto b = asIntegers<T>(s.rhs, rhs, size_t(s.k) * s.n, s.rhsSigned);
  accumulate(s, static_cast<T *>(result), a.data(), b.data(), exactly<T>);
}

} // namespace

bool dotKindsExist(const DotShape &s) {
  if (isInteger(s.accumulator))
    return (s.accumulator == Kind::I32 || s.accumulator == Kind::I64) && isInteger(s.lhs) && isInteger(s.rhs);
  return isFloat(s.accumulator) && isFloat(s.lhs) && isFloat(s.rhs);
}

void multiply(const DotShape &s, void *result, const void *lhs, const void *rhs) {
  const size_t sizeA = size_t(s.m) * s.k, sizeB = size_t(s.k) * s.n, sizeC = size_t(s.m) * s.n;
  if (s.accumulator == Kind::I32)
    return multiplyIntegers<uint32_t>(s, result, lhs, rhs);
  if (s.accumulator == Kind::I64)
    return multiplyIntegers<uint64_t>(s, result, lhs, rhs);
  if (s.accumulator == Kind::F64) {
    const auto a = asDoubles(s.lhs, lhs, sizeA), b = asDoubles(s.rhs, rhs, sizeB);
    return accumulate(s, static_cast<double *>(result), a.data(), b.data(), exactly<double>);
  }
  const auto a = asFloats(s.lhs, lhs, sizeA, s.tf32), b = asFloats(s.rhs, rhs, sizeB, s.tf32);
  if (s.accumulator == Kind::F32)
    return accumulate(s, static_cast<float *>(result), a.data(), b.data(), exactly<float>);
  std::vector<float> sums = asFloats(s.accumulator, result, sizeC, false);
  if (s.accumulator == Kind::F16) {
    accumulate(s, sums.data(), a.data(), b.data(), [](float value) { return floatFromHalf(halfFromFloat(value)); });
  } else {
    const FloatFormat format = formatOf(s.accumulator);
    accumulate(s, sums.data(), a.data(), b.data(), [format](float value) {
      return float(decodeBits(format, encodeBits(format, value, Rounding::NearestEven, false)));
    });
  }
  encodeFromFloat(s.accumulator, result, sums.data(), sizeC);
}

} // namespace tegula::plugins::reference
