// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between integer widths and between integers and floats. Float to float is in formats.cpp.
#include "plugins/reference/numerics/kernels.h"
#include "sdk/kir/kir.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

namespace tegula::plugins::reference {

namespace {

template <Kind K>
using BitsOf = std::conditional_t<
    byteWidth(K) == 1, uint8_t,
    std::conditional_t<byteWidth(K) == 2, uint16_t, std::conditional_t<byteWidth(K) == 4, uint32_t, uint64_t>>>;

/// The element's value as a signed (sign-extended) or unsigned 64-bit integer.
template <Kind K, bool Signed> auto widen(BitsOf<K> bits) {
  if constexpr (!Signed)
    return uint64_t(bits);
  else if constexpr (K == Kind::I1)
    return -int64_t(bits);
  else
    return int64_t(std::make_signed_t<BitsOf<K>>(bits));
}

template <Kind From, Kind To, bool Signed> void resize(void *result, const void *value, size_t n) {
  auto *r = static_cast<BitsOf<To> *>(result);
  const auto *a = static_cast<const BitsOf<From> *>(value);
  for (size_t i = 0; i < n; ++i)
    r[i] = BitsOf<To>(uint64_t(widen<From, Signed>(a[i])) & (To == Kind::I1 ? 1 : ~uint64_t(0)));
}

/// An integer as f64 rounded to odd (exact below 2^53), so that a further rounding to a narrow format is the only one.
double toOdd(uint64_t magnitude) {
  if (magnitude >> 53)
    magnitude = (magnitude & ~uint64_t(0x7ff)) | (magnitude & 0x7ff ? 0x800 : 0);
  return double(magnitude);
}
double toOdd(int64_t value) { return value < 0 ? -toOdd(0 - uint64_t(value)) : toOdd(uint64_t(value)); }

template <Kind From, bool Signed, Kind To> void fromInteger(void *result, const void *value, size_t n) {
  const auto *a = static_cast<const BitsOf<From> *>(value);
  if constexpr (To == Kind::F32 || To == Kind::F64) {
    using F = std::conditional_t<To == Kind::F32, float, double>;
    for (size_t i = 0; i < n; ++i)
      static_cast<F *>(result)[i] = F(widen<From, Signed>(a[i]));
  } else {
    double row[kChunk];
    for (size_t begin = 0; begin < n; begin += kChunk) {
      const size_t count = std::min(kChunk, n - begin);
      for (size_t i = 0; i < count; ++i)
        row[i] = toOdd(widen<From, Signed>(a[begin + i]));
      encodeFromDouble(To, static_cast<BitsOf<To> *>(result) + begin, row, count);
    }
  }
}

/// Toward zero; out of range gives the nearest integer there is, NaN gives 0.
template <Kind To, bool Signed> BitsOf<To> saturate(double value) {
  constexpr uint32_t kWidth = bitWidth(To);
  constexpr double kTwoToWidth = kWidth == 64 ? 0x1p64 : double(uint64_t(1) << (kWidth & 63));
  constexpr uint64_t kMask = kWidth == 64 ? ~uint64_t(0) : (uint64_t(1) << (kWidth & 63)) - 1;
  if (std::isnan(value))
    return 0;
  if constexpr (Signed) {
    if (value >= kTwoToWidth / 2)
      return BitsOf<To>(kMask >> 1);
    if (value < -kTwoToWidth / 2)
      return BitsOf<To>((kMask >> 1) + 1);
    return BitsOf<To>(uint64_t(int64_t(value)) & kMask);
  } else {
    if (value >= kTwoToWidth)
      return BitsOf<To>(kMask);
    return value <= 0 ? BitsOf<To>(0) : BitsOf<To>(uint64_t(value));
  }
}

template <Kind From, Kind To, bool Signed> void toInteger(void *result, const void *value, size_t n) {
  double row[kChunk];
  for (size_t begin = 0; begin < n; begin += kChunk) {
    const size_t count = std::min(kChunk, n - begin);
    decodeToDouble(From, row, static_cast<const BitsOf<From> *>(value) + begin, count);
    for (size_t i = 0; i < count; ++i)
      static_cast<BitsOf<To> *>(result)[begin + i] = saturate<To, Signed>(row[i]);
  }
}

template <Kind... Kinds> struct KindList {};
using Integers = KindList<Kind::I1, Kind::I8, Kind::I16, Kind::I32, Kind::I64>;
using Floats = KindList<Kind::F16, Kind::BF16, Kind::F32, Kind::F64, Kind::E4M3FN, Kind::E5M2, Kind::E4M3FNUZ,
                        Kind::E5M2FNUZ, Kind::E4M3B15>;

/// The kernel that `select.operator()<K>()` gives for the member of the list that equals `kind`.
template <Kind... Kinds, class Select> UnaryKernel pick(KindList<Kinds...>, Kind kind, Select select) {
  UnaryKernel kernel = nullptr;
  (void)((Kinds == kind && ((kernel = select.template operator()<Kinds>()), true)) || ...);
  return kernel;
}

} // namespace

UnaryKernel conversionKernel(uint32_t opcode, Kind from, Kind to) {
  const auto integerToInteger = [&]<bool Signed>() {
    return pick(Integers{}, from, [&]<Kind From>() {
      return pick(Integers{}, to, []<Kind To>() -> UnaryKernel { return resize<From, To, Signed>; });
    });
  };
  const auto integerToFloat = [&]<bool Signed>() {
    return pick(Integers{}, from, [&]<Kind From>() {
      return pick(Floats{}, to, []<Kind To>() -> UnaryKernel { return fromInteger<From, Signed, To>; });
    });
  };
  const auto floatToInteger = [&]<bool Signed>() {
    return pick(Floats{}, from, [&]<Kind From>() {
      return pick(Integers{}, to, []<Kind To>() -> UnaryKernel { return toInteger<From, To, Signed>; });
    });
  };
  switch (opcode) {
  case TEGULA_KIR_OP_EXTSI:
    return integerToInteger.template operator()<true>();
  case TEGULA_KIR_OP_EXTUI:
  case TEGULA_KIR_OP_TRUNCI:
    return integerToInteger.template operator()<false>();
  case TEGULA_KIR_OP_SITOFP:
    return integerToFloat.template operator()<true>();
  case TEGULA_KIR_OP_UITOFP:
    return integerToFloat.template operator()<false>();
  case TEGULA_KIR_OP_FPTOSI:
    return floatToInteger.template operator()<true>();
  case TEGULA_KIR_OP_FPTOUI:
    return floatToInteger.template operator()<false>();
  default:
    return nullptr;
  }
}

} // namespace tegula::plugins::reference
