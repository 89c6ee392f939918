// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float arithmetic in the operands' own kind. f32 and f64 use the machine's operations. Narrow floats are computed in
// f32 and rounded once, which gives the correctly rounded result for + - * / and fmod because f32 has at least 2p + 2
// bits; fma goes through f64 rounded to odd.
#include "plugins/reference/numerics/kernels.h"
#include "sdk/kir/kir.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

namespace tegula::plugins::reference {

namespace {

template <class F> using BitsOf = std::conditional_t<sizeof(F) == 4, uint32_t, uint64_t>;

template <class F> bool isNan(F value) { return value != value; }

template <class F> struct Ops {
  static F add(F a, F b) { return a + b; }
  static F sub(F a, F b) { return a - b; }
  static F mul(F a, F b) { return a * b; }
  static F div(F a, F b) { return a / b; }
  static F rem(F a, F b) { return std::fmod(a, b); }
  // Equal operands may be zeros of either sign: -0 is the smaller one, so minimum takes the union of the sign bits,
  // maximum the common ones.
  static F merged(F a, F b, bool smaller) {
    using Bits = BitsOf<F>;
    const Bits x = std::bit_cast<Bits>(a), y = std::bit_cast<Bits>(b);
    return std::bit_cast<F>(smaller ? Bits(x | y) : Bits(x & y));
  }
  static F lower(F a, F b) { return a < b ? a : (b < a ? b : merged(a, b, true)); }
  static F upper(F a, F b) { return a > b ? a : (b > a ? b : merged(a, b, false)); }
  static F minNum(F a, F b) { return isNan(a) ? b : (isNan(b) ? a : lower(a, b)); }
  static F maxNum(F a, F b) { return isNan(a) ? b : (isNan(b) ? a : upper(a, b)); }
  static F minimum(F a, F b) { return (isNan(a) || isNan(b)) ? a + b : lower(a, b); }
  static F maximum(F a, F b) { return (isNan(a) || isNan(b)) ? a + b : upper(a, b); }
};

template <class F, auto Function> void binary(void *result, const void *lhs, const void *rhs, size_t n) {
  auto *r = static_cast<F *>(result);
  const auto *a = static_cast<const F *>(lhs);
  const auto *b = static_cast<const F *>(rhs);
  for (size_t i = 0; i < n; ++i)
    r[i] = Function(a[i], b[i]);
}

/// Runs an f32 kernel on a narrow kind.
template <Kind K, BinaryKernel InFloat> void narrowBinary(void *result, const void *lhs, const void *rhs, size_t n) {
  float a[kChunk], b[kChunk], r[kChunk];
  for (size_t begin = 0; begin < n; begin += kChunk) {
    const size_t count = std::min(kChunk, n - begin);
    decodeToFloat(K, a, elementAt(lhs, K, begin), count);
    decodeToFloat(K, b, elementAt(rhs, K, begin), count);
    InFloat(r, a, b, count);
    encodeFromFloat(K, elementAt(result, K, begin), r, count);
  }
}

/// Like narrowBinary, for comparisons: the result is already i1.
template <Kind K, BinaryKernel InFloat> void narrowCompare(void *result, const void *lhs, const void *rhs, size_t n) {
  float a[kChunk], b[kChunk];
  for (size_t begin = 0; begin < n; begin += kChunk) {
    const size_t count = std::min(kChunk, n - begin);
    decodeToFloat(K, a, elementAt(lhs, K, begin), count);
    decodeToFloat(K, b, elementAt(rhs, K, begin), count);
    InFloat(static_cast<uint8_t *>(result) + begin, a, b, count);
  }
}

template <BinaryKernel InFloat> BinaryKernel forNarrowKind(Kind kind) {
  switch (kind) {
  case Kind::F16:
    return narrowBinary<Kind::F16, InFloat>;
  case Kind::BF16:
    return narrowBinary<Kind::BF16, InFloat>;
  case Kind::E4M3FN:
    return narrowBinary<Kind::E4M3FN, InFloat>;
  case Kind::E5M2:
    return narrowBinary<Kind::E5M2, InFloat>;
  case Kind::E4M3FNUZ:
    return narrowBinary<Kind::E4M3FNUZ, InFloat>;
  case Kind::E5M2FNUZ:
    return narrowBinary<Kind::E5M2FNUZ, InFloat>;
  case Kind::E4M3B15:
    return narrowBinary<Kind::E4M3B15, InFloat>;
  default:
    return nullptr;
  }
}

template <BinaryKernel InFloat> BinaryKernel compareForNarrowKind(Kind kind) {
  switch (kind) {
  case Kind::F16:
    return narrowCompare<Kind::F16, InFloat>;
  case Kind::BF16:
    return narrowCompare<Kind::BF16, InFloat>;
  case Kind::E4M3FN:
    return narrowCompare<Kind::E4M3FN, InFloat>;
  case Kind::E5M2:
    return narrowCompare<Kind::E5M2, InFloat>;
  case Kind::E4M3FNUZ:
    return narrowCompare<Kind::E4M3FNUZ, InFloat>;
  case Kind::E5M2FNUZ:
    return narrowCompare<Kind::E5M2FNUZ, InFloat>;
  case Kind::E4M3B15:
    return narrowCompare<Kind::E4M3B15, InFloat>;
  default:
    return nullptr;
  }
}

template <auto InFloat, auto InDouble> BinaryKernel binaryForKind(Kind kind) {
  if (kind == Kind::F64)
    return binary<double, InDouble>;
  if (kind == Kind::F32)
    return binary<float, InFloat>;
  return forNarrowKind<binary<float, InFloat>>(kind);
}

/// A predicate is the set of outcomes it accepts.
enum Outcome : uint32_t { kEqual = 1, kGreater = 2, kLess = 4, kUnordered = 8 };

template <class F, uint32_t Accepts> void compare(void *result, const void *lhs, const void *rhs, size_t n) {
  auto *r = static_cast<uint8_t *>(result);
  const auto *a = static_cast<const F *>(lhs);
  const auto *b = static_cast<const F *>(rhs);
  for (size_t i = 0; i < n; ++i) {
    bool accepted = false;
    if constexpr (Accepts & kEqual)
      accepted |= a[i] == b[i];
    if constexpr (Accepts & kGreater)
      accepted |= a[i] > b[i];
    if constexpr (Accepts & kLess)
      accepted |= a[i] < b[i];
    if constexpr (Accepts & kUnordered)
      accepted |= isNan(a[i]) || isNan(b[i]);
    r[i] = accepted;
  }
}

template <uint32_t Accepts> BinaryKernel compareForKind(Kind kind) {
  if (kind == Kind::F64)
    return compare<double, Accepts>;
  if (kind == Kind::F32)
    return compare<float, Accepts>;
  return compareForNarrowKind<compare<float, Accepts>>(kind);
}

/// a * b + c rounded to odd in f64: inexact results get an odd last bit, so that a further rounding to a narrow format
/// is the only one. The product of two narrow floats is exact in f64.
double fmaToOdd(double a, double b, double c) {
  const double product = a * b;
  const double sum = product + c;
  if (!std::isfinite(sum))
    return sum;
  const double back = sum - product;
  const double error = (product - (sum - back)) + (c - back);
  const uint64_t bits = std::bit_cast<uint64_t>(sum);
  if (error == 0 || (bits & 1))
    return sum;
  return std::bit_cast<double>((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

template <bool Fused, class F> F multiplyAdd(F a, F b, F c) {
  if constexpr (Fused)
    return std::fma(a, b, c);
  else
    return a * b + c;
}

template <bool Fused, class F> void ternary(void *result, const void *a, const void *b, const void *c, size_t n) {
  auto *r = static_cast<F *>(result);
  for (size_t i = 0; i < n; ++i)
    r[i] = multiplyAdd<Fused>(static_cast<const F *>(a)[i], static_cast<const F *>(b)[i], static_cast<const F *>(c)[i]);
}

template <Kind K> void narrowFma(void *result, const void *a, const void *b, const void *c, size_t n) {
  double x[kChunk], y[kChunk], z[kChunk];
  for (size_t begin = 0; begin < n; begin += kChunk) {
    const size_t count = std::min(kChunk, n - begin);
    decodeToDouble(K, x, elementAt(a, K, begin), count);
    decodeToDouble(K, y, elementAt(b, K, begin), count);
    decodeToDouble(K, z, elementAt(c, K, begin), count);
    for (size_t i = 0; i < count; ++i)
      x[i] = fmaToOdd(x[i], y[i], z[i]);
    encodeFromDouble(K, elementAt(result, K, begin), x, count);
  }
}

template <Kind K> void narrowMulAdd(void *result, const void *a, const void *b, const void *c, size_t n) {
  narrowBinary<K, binary<float, Ops<float>::mul>>(result, a, b, n);
  float x[kChunk], y[kChunk];
  for (size_t begin = 0; begin < n; begin += kChunk) {
    const size_t count = std::min(kChunk, n - begin);
    decodeToFloat(K, x, elementAt(static_cast<const void *>(result), K, begin), count);
    decodeToFloat(K, y, elementAt(c, K, begin), count);
    for (size_t i = 0; i < count; ++i)
      x[i] += y[i];
    encodeFromFloat(K, elementAt(result, K, begin), x, count);
  }
}

template <Kind K> TernaryKernel narrowTernary(bool fused) { return fused ? narrowFma<K> : narrowMulAdd<K>; }

/// Sign operations on bits. The unsigned-zero formats keep their one zero and their NaN.
template <class Bits, bool UnsignedZero, bool Negate> void signRow(void *result, const void *value, size_t n) {
  constexpr Bits kSign = Bits(Bits(1) << (sizeof(Bits) * 8 - 1));
  auto *r = static_cast<Bits *>(result);
  const auto *a = static_cast<const Bits *>(value);
  for (size_t i = 0; i < n; ++i) {
    const Bits flipped = Negate ? Bits(a[i] ^ kSign) : Bits(a[i] & ~kSign);
    r[i] = UnsignedZero && (a[i] == 0 || a[i] == kSign) ? a[i] : flipped;
  }
}

template <bool Negate> UnaryKernel signKernel(Kind kind) {
  switch (kind) {
  case Kind::F64:
    return signRow<uint64_t, false, Negate>;
  case Kind::F32:
    return signRow<uint32_t, false, Negate>;
  case Kind::F16:
  case Kind::BF16:
    return signRow<uint16_t, false, Negate>;
  case Kind::E4M3FNUZ:
  case Kind::E5M2FNUZ:
    return signRow<uint8_t, true, Negate>;
  case Kind::E4M3FN:
  case Kind::E5M2:
  case Kind::E4M3B15:
    return signRow<uint8_t, false, Negate>;
  default:
    return nullptr;
  }
}

template <Kind K, uint32_t Test> void classify(void *result, const void *value, size_t n) {
  auto *r = static_cast<uint8_t *>(result);
  double row[kChunk];
  for (size_t begin = 0; begin < n; begin += kChunk) {
    const size_t count = std::min(kChunk, n - begin);
    decodeToDouble(K, row, elementAt(value, K, begin), count);
    for (size_t i = 0; i < count; ++i) {
      if constexpr (Test == TEGULA_KIR_FLOAT_CLASS_NAN)
        r[begin + i] = isNan(row[i]);
      else if constexpr (Test == TEGULA_KIR_FLOAT_CLASS_INFINITE)
        r[begin + i] = std::isinf(row[i]);
      else if constexpr (Test == TEGULA_KIR_FLOAT_CLASS_FINITE)
        r[begin + i] = std::isfinite(row[i]);
      else
        r[begin + i] = std::signbit(row[i]);
    }
  }
}

template <Kind K> UnaryKernel selectClassify(uint32_t test) {
  switch (test) {
  case TEGULA_KIR_FLOAT_CLASS_NAN:
    return classify<K, TEGULA_KIR_FLOAT_CLASS_NAN>;
  case TEGULA_KIR_FLOAT_CLASS_INFINITE:
    return classify<K, TEGULA_KIR_FLOAT_CLASS_INFINITE>;
  case TEGULA_KIR_FLOAT_CLASS_FINITE:
    return classify<K, TEGULA_KIR_FLOAT_CLASS_FINITE>;
  case TEGULA_KIR_FLOAT_CLASS_SIGN_BIT:
    return classify<K, TEGULA_KIR_FLOAT_CLASS_SIGN_BIT>;
  default:
    return nullptr;
  }
}

template <class Bits> bool anyExponentFull(const void *values, size_t n, Bits exponentMask) {
  const auto *bits = static_cast<const Bits *>(values);
  Bits found = 0;
  for (size_t i = 0; i < n; ++i)
    found = Bits(found | Bits((bits[i] & exponentMask) == exponentMask));
  return found != 0;
}

template <auto NanPattern> bool anyEqual(const void *values, size_t n, uint8_t mask) {
  const auto *bits = static_cast<const uint8_t *>(values);
  bool found = false;
  for (size_t i = 0; i < n; ++i)
    found |= (bits[i] & mask) == NanPattern;
  return found;
}

} // namespace

BinaryKernel floatBinaryKernel(uint32_t opcode, Kind kind) {
  using F = Ops<float>;
  using D = Ops<double>;
  switch (opcode) {
  case TEGULA_KIR_OP_ADDF:
    return binaryForKind<F::add, D::add>(kind);
  case TEGULA_KIR_OP_SUBF:
    return binaryForKind<F::sub, D::sub>(kind);
  case TEGULA_KIR_OP_MULF:
    return binaryForKind<F::mul, D::mul>(kind);
  case TEGULA_KIR_OP_DIVF:
  case TEGULA_KIR_OP_DIVF_RN:
    return binaryForKind<F::div, D::div>(kind);
  case TEGULA_KIR_OP_REMF:
    return binaryForKind<F::rem, D::rem>(kind);
  case TEGULA_KIR_OP_MINNUMF:
    return binaryForKind<F::minNum, D::minNum>(kind);
  case TEGULA_KIR_OP_MAXNUMF:
    return binaryForKind<F::maxNum, D::maxNum>(kind);
  case TEGULA_KIR_OP_MINIMUMF:
    return binaryForKind<F::minimum, D::minimum>(kind);
  case TEGULA_KIR_OP_MAXIMUMF:
    return binaryForKind<F::maximum, D::maximum>(kind);
  default:
    return nullptr;
  }
}

BinaryKernel floatCompareKernel(uint32_t predicate, Kind kind) {
  switch (predicate) {
  case TEGULA_KIR_FLOAT_PREDICATE_FALSE:
    return compareForKind<0>(kind);
  case TEGULA_KIR_FLOAT_PREDICATE_OEQ:
    return compareForKind<kEqual>(kind);
  case TEGULA_KIR_FLOAT_PREDICATE_OGT:
    return compareForKind<kGreater>(kind);
  case TEGULA_KIR_FLOAT_PREDICATE_OGE:
    return compareForKind<kGreater | kEqual>(kind);
  case TEGULA_KIR_FLOAT_PREDICATE_OLT:
    return compareForKind<kLess>(kind);
  case TEGULA_KIR_FLOAT_PREDICATE_OLE:
    return compareForKind<kLess | kEqual>(kind);
  case TEGULA_KIR_FLOAT_PREDICATE_ONE:
    return compareForKind<kLess | kGreater>(kind);
  case TEGULA_KIR_FLOAT_PREDICATE_ORD:
    return compareForKind<kLess | kGreater | kEqual>(kind);
  case TEGULA_KIR_FLOAT_PREDICATE_UEQ:
    return compareForKind<kUnordered | kEqual>(kind);
  case TEGULA_KIR_FLOAT_PREDICATE_UGT:
    return compareForKind<kUnordered | kGreater>(kind);
  case TEGULA_KIR_FLOAT_PREDICATE_UGE:
    return compareForKind<kUnordered | kGreater | kEqual>(kind);
  case TEGULA_KIR_FLOAT_PREDICATE_ULT:
    return compareForKind<kUnordered | kLess>(kind);
  case TEGULA_KIR_FLOAT_PREDICATE_ULE:
    return compareForKind<kUnordered | kLess | kEqual>(kind);
  case TEGULA_KIR_FLOAT_PREDICATE_UNE:
    return compareForKind<kUnordered | kLess | kGreater>(kind);
  case TEGULA_KIR_FLOAT_PREDICATE_UNO:
    return compareForKind<kUnordered>(kind);
  case TEGULA_KIR_FLOAT_PREDICATE_TRUE:
    return compareForKind<kUnordered | kLess | kGreater | kEqual>(kind);
  default:
    return nullptr;
  }
}

UnaryKernel floatUnaryKernel(uint32_t opcode, Kind kind) {
  switch (opcode) {
  case TEGULA_KIR_OP_NEGF:
    return signKernel<true>(kind);
  case TEGULA_KIR_OP_ABSF:
    return signKernel<false>(kind);
  default:
    return nullptr;
  }
}

UnaryKernel classifyKernel(uint32_t test, Kind kind) {
  switch (kind) {
  case Kind::F16:
    return selectClassify<Kind::F16>(test);
  case Kind::BF16:
    return selectClassify<Kind::BF16>(test);
  case Kind::F32:
    return selectClassify<Kind::F32>(test);
  case Kind::F64:
    return selectClassify<Kind::F64>(test);
  case Kind::E4M3FN:
    return selectClassify<Kind::E4M3FN>(test);
  case Kind::E5M2:
    return selectClassify<Kind::E5M2>(test);
  case Kind::E4M3FNUZ:
    return selectClassify<Kind::E4M3FNUZ>(test);
  case Kind::E5M2FNUZ:
    return selectClassify<Kind::E5M2FNUZ>(test);
  case Kind::E4M3B15:
    return selectClassify<Kind::E4M3B15>(test);
  default:
    return nullptr;
  }
}

TernaryKernel floatTernaryKernel(uint32_t opcode, Kind kind) {
  if (opcode != TEGULA_KIR_OP_FMA && opcode != TEGULA_KIR_OP_MUL_ADD)
    return nullptr;
  const bool fused = opcode == TEGULA_KIR_OP_FMA;
  switch (kind) {
  case Kind::F64:
    return fused ? ternary<true, double> : ternary<false, double>;
  case Kind::F32:
    return fused ? ternary<true, float> : ternary<false, float>;
  case Kind::F16:
    return narrowTernary<Kind::F16>(fused);
  case Kind::BF16:
    return narrowTernary<Kind::BF16>(fused);
  case Kind::E4M3FN:
    return narrowTernary<Kind::E4M3FN>(fused);
  case Kind::E5M2:
    return narrowTernary<Kind::E5M2>(fused);
  case Kind::E4M3FNUZ:
    return narrowTernary<Kind::E4M3FNUZ>(fused);
  case Kind::E5M2FNUZ:
    return narrowTernary<Kind::E5M2FNUZ>(fused);
  case Kind::E4M3B15:
    return narrowTernary<Kind::E4M3B15>(fused);
  default:
    return nullptr;
  }
}

bool anyNonFinite(Kind kind, const void *values, size_t n) {
  switch (kind) {
  case Kind::F64:
    return anyExponentFull<uint64_t>(values, n, 0x7ff0000000000000ull);
  case Kind::F32:
    return anyExponentFull<uint32_t>(values, n, 0x7f800000u);
  case Kind::F16:
    return anyExponentFull<uint16_t>(values, n, 0x7c00u);
  case Kind::BF16:
    return anyExponentFull<uint16_t>(values, n, 0x7f80u);
  case Kind::E5M2:
    return anyExponentFull<uint8_t>(values, n, 0x7cu);
  case Kind::E4M3FN:
    return anyEqual<0x7f>(values, n, 0x7f);
  case Kind::E4M3FNUZ:
  case Kind::E5M2FNUZ:
    return anyEqual<0x80>(values, n, 0xff);
  default:
    return false;
  }
}

bool isNonFinite(Kind kind, const void *values, size_t index) {
  return anyNonFinite(kind, elementAt(values, kind, index), 1);
}

} // namespace tegula::plugins::reference
