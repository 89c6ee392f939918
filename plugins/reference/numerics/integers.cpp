// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer arithmetic: modulo 2^width, with the results for undefined cases that README.md lists. i1 is computed as a
// one-bit integer: its signed value is 0 or -1.
#include "plugins/reference/numerics/kernels.h"
#include "sdk/kir/kir.h"

#include <bit>
#include <type_traits>

namespace tegula::plugins::reference {

namespace {

/// How a kind's elements are read and written. `Unsigned` and `Signed` are the types that arithmetic is done in.
template <class Bits> struct Integer {
  using Stored = Bits;
  using Unsigned = Bits;
  using Signed = std::make_signed_t<Bits>;
  static constexpr uint32_t kWidth = sizeof(Bits) * 8;
  static Unsigned value(Stored bits) { return bits; }
  static Signed signedValue(Stored bits) { return Signed(bits); }
  static Stored store(uint64_t bits) { return Stored(bits); }
};
struct Bool {
  using Stored = uint8_t;
  using Unsigned = uint8_t;
  using Signed = int8_t;
  static constexpr uint32_t kWidth = 1;
  static Unsigned value(Stored bits) { return bits; }
  static Signed signedValue(Stored bits) { return Signed(-int(bits)); }
  static Stored store(uint64_t bits) { return Stored(bits & 1); }
};

template <class I> using Pair = typename I::Stored (*)(typename I::Stored, typename I::Stored);

template <class I, auto Function> void binary(void *result, const void *lhs, const void *rhs, size_t n) {
  using T = typename I::Stored;
  auto *r = static_cast<T *>(result);
  const auto *a = static_cast<const T *>(lhs);
  const auto *b = static_cast<const T *>(rhs);
  for (size_t i = 0; i < n; ++i)
    r[i] = Function(a[i], b[i]);
}

template <class I> struct Ops {
  using T = typename I::Stored;
  using U = typename I::Unsigned;
  using S = typename I::Signed;
  // 64-bit intermediates, so that narrow types do not meet the promotion to int (65535 * 65535 overflows it).
  static T add(T a, T b) { return I::store(uint64_t(a) + b); }
  static T sub(T a, T b) { return I::store(uint64_t(a) - b); }
  static T mul(T a, T b) {
    using Wide = std::conditional_t<(sizeof(T) < 4), uint32_t, U>;
    return I::store(Wide(a) * Wide(b));
  }
  static T divS(T a, T b) {
    const S x = I::signedValue(a), y = I::signedValue(b);
    if (y == 0)
      return 0;
    return y == -1 ? I::store(0 - uint64_t(int64_t(x))) : I::store(uint64_t(int64_t(x / y)));
  }
  static T divU(T a, T b) { return b == 0 ? T(0) : T(a / b); }
  static T remS(T a, T b) {
    const S x = I::signedValue(a), y = I::signedValue(b);
    if (y == 0)
      return a;
    return y == -1 ? T(0) : I::store(uint64_t(int64_t(x % y)));
  }
  static T remU(T a, T b) { return b == 0 ? a : T(a % b); }
  static T bitAnd(T a, T b) { return T(a & b); }
  static T bitOr(T a, T b) { return T(a | b); }
  static T bitXor(T a, T b) { return T(a ^ b); }
  static T shiftLeft(T a, T b) { return b >= I::kWidth ? T(0) : I::store(uint64_t(a) << b); }
  static T shiftRightS(T a, T b) {
    const S x = I::signedValue(a);
    return I::store(uint64_t(int64_t(b >= I::kWidth ? (x < 0 ? -1 : 0) : x >> b)));
  }
  static T shiftRightU(T a, T b) { return b >= I::kWidth ? T(0) : T(a >> b); }
  static T minS(T a, T b) { return I::signedValue(a) < I::signedValue(b) ? a : b; }
  static T maxS(T a, T b) { return I::signedValue(a) > I::signedValue(b) ? a : b; }
  static T minU(T a, T b) { return a < b ? a : b; }
  static T maxU(T a, T b) { return a > b ? a : b; }
  static T mulHighU(T a, T b) {
    if constexpr (I::kWidth == 64)
      return T((static_cast<unsigned __int128>(a) * b) >> 64);
    else
      return I::store((uint64_t(a) * uint64_t(b)) >> I::kWidth);
  }
  static T mulHighS(T a, T b) {
    if constexpr (I::kWidth == 64)
      return T(uint64_t((static_cast<__int128>(int64_t(a)) * int64_t(b)) >> 64));
    else
      return I::store(uint64_t((int64_t(I::signedValue(a)) * int64_t(I::signedValue(b))) >> I::kWidth));
  }
};

template <class I> BinaryKernel selectBinary(uint32_t opcode) {
  using O = Ops<I>;
  switch (opcode) {
  case TEGULA_KIR_OP_ADDI:
    return binary<I, O::add>;
  case TEGULA_KIR_OP_SUBI:
    return binary<I, O::sub>;
  case TEGULA_KIR_OP_MULI:
    return binary<I, O::mul>;
  case TEGULA_KIR_OP_DIVSI:
    return binary<I, O::divS>;
  case TEGULA_KIR_OP_DIVUI:
    return binary<I, O::divU>;
  case TEGULA_KIR_OP_REMSI:
    return binary<I, O::remS>;
  case TEGULA_KIR_OP_REMUI:
    return binary<I, O::remU>;
  case TEGULA_KIR_OP_ANDI:
    return binary<I, O::bitAnd>;
  case TEGULA_KIR_OP_ORI:
    return binary<I, O::bitOr>;
  case TEGULA_KIR_OP_XORI:
    return binary<I, O::bitXor>;
  case TEGULA_KIR_OP_SHLI:
    return binary<I, O::shiftLeft>;
  case TEGULA_KIR_OP_SHRSI:
    return binary<I, O::shiftRightS>;
  case TEGULA_KIR_OP_SHRUI:
    return binary<I, O::shiftRightU>;
  case TEGULA_KIR_OP_MINSI:
    return binary<I, O::minS>;
  case TEGULA_KIR_OP_MAXSI:
    return binary<I, O::maxS>;
  case TEGULA_KIR_OP_MINUI:
    return binary<I, O::minU>;
  case TEGULA_KIR_OP_MAXUI:
    return binary<I, O::maxU>;
  case TEGULA_KIR_OP_MULHUI:
    return binary<I, O::mulHighU>;
  case TEGULA_KIR_OP_MULHSI:
    return binary<I, O::mulHighS>;
  default:
    return nullptr;
  }
}

enum class Order { Eq, Ne, Slt, Sle, Ult, Ule };

template <class I, Order O, bool Swapped> void compare(void *result, const void *lhs, const void *rhs, size_t n) {
  using T = typename I::Stored;
  auto *r = static_cast<uint8_t *>(result);
  const auto *a = static_cast<const T *>(Swapped ? rhs : lhs);
  const auto *b = static_cast<const T *>(Swapped ? lhs : rhs);
  for (size_t i = 0; i < n; ++i) {
    if constexpr (O == Order::Eq)
      r[i] = a[i] == b[i];
    else if constexpr (O == Order::Ne)
      r[i] = a[i] != b[i];
    else if constexpr (O == Order::Slt)
      r[i] = I::signedValue(a[i]) < I::signedValue(b[i]);
    else if constexpr (O == Order::Sle)
      r[i] = I::signedValue(a[i]) <= I::signedValue(b[i]);
    else if constexpr (O == Order::Ult)
      r[i] = a[i] < b[i];
    else
      r[i] = a[i] <= b[i];
  }
}

template <class I> BinaryKernel selectCompare(uint32_t predicate) {
  switch (predicate) {
  case TEGULA_KIR_INT_PREDICATE_EQ:
    return compare<I, Order::Eq, false>;
  case TEGULA_KIR_INT_PREDICATE_NE:
    return compare<I, Order::Ne, false>;
  case TEGULA_KIR_INT_PREDICATE_SLT:
    return compare<I, Order::Slt, false>;
  case TEGULA_KIR_INT_PREDICATE_SLE:
    return compare<I, Order::Sle, false>;
  case TEGULA_KIR_INT_PREDICATE_SGT:
    return compare<I, Order::Slt, true>;
  case TEGULA_KIR_INT_PREDICATE_SGE:
    return compare<I, Order::Sle, true>;
  case TEGULA_KIR_INT_PREDICATE_ULT:
    return compare<I, Order::Ult, false>;
  case TEGULA_KIR_INT_PREDICATE_ULE:
    return compare<I, Order::Ule, false>;
  case TEGULA_KIR_INT_PREDICATE_UGT:
    return compare<I, Order::Ult, true>;
  case TEGULA_KIR_INT_PREDICATE_UGE:
    return compare<I, Order::Ule, true>;
  default:
    return nullptr;
  }
}

template <class I, auto Function> void unary(void *result, const void *value, size_t n) {
  using T = typename I::Stored;
  auto *r = static_cast<T *>(result);
  const auto *a = static_cast<const T *>(value);
  for (size_t i = 0; i < n; ++i)
    r[i] = Function(a[i]);
}

template <class I> struct BitOps {
  using T = typename I::Stored;
  static T absolute(T a) { return I::signedValue(a) < 0 ? I::store(0 - uint64_t(a)) : a; }
  static T popcount(T a) { return T(std::popcount(a)); }
  static T leadingZeros(T a) { return T(std::countl_zero(a) - int(sizeof(T) * 8 - I::kWidth)); }
  static T firstSet(T a) { return a ? T(std::countr_zero(a) + 1) : T(0); }
  static T reverse(T a) {
    T r = 0;
    for (uint32_t i = 0; i < I::kWidth; ++i)
      r = T(r | T(((a >> i) & 1) ? T(1) << (I::kWidth - 1 - i) : 0));
    return r;
  }
  static T complement(T a) { return I::store(~uint64_t(a)); }
};

template <class I> UnaryKernel selectBits(uint32_t function) {
  using O = BitOps<I>;
  switch (function) {
  case TEGULA_KIR_BIT_FUNCTION_POPCOUNT:
    return unary<I, O::popcount>;
  case TEGULA_KIR_BIT_FUNCTION_CLZ:
    return unary<I, O::leadingZeros>;
  case TEGULA_KIR_BIT_FUNCTION_FFS:
    return unary<I, O::firstSet>;
  case TEGULA_KIR_BIT_FUNCTION_BREV:
    return unary<I, O::reverse>;
  case TEGULA_KIR_BIT_FUNCTION_NOT:
    return unary<I, O::complement>;
  default:
    return nullptr;
  }
}

/// Calls `select.template operator()<Integer...>()` for the kind.
template <class Select> auto forKind(Kind kind, Select select) -> decltype(select.template operator()<Bool>()) {
  switch (kind) {
  case Kind::I1:
    return select.template operator()<Bool>();
  case Kind::I8:
    return select.template operator()<Integer<uint8_t>>();
  case Kind::I16:
    return select.template operator()<Integer<uint16_t>>();
  case Kind::I32:
    return select.template operator()<Integer<uint32_t>>();
  case Kind::I64:
  case Kind::Pointer:
    return select.template operator()<Integer<uint64_t>>();
  default:
    return nullptr;
  }
}

} // namespace

BinaryKernel integerBinaryKernel(uint32_t opcode, Kind kind) {
  return forKind(kind, [&]<class I>() { return selectBinary<I>(opcode); });
}

BinaryKernel integerCompareKernel(uint32_t predicate, Kind kind) {
  return forKind(kind, [&]<class I>() { return selectCompare<I>(predicate); });
}

UnaryKernel integerUnaryKernel(uint32_t opcode, Kind kind) {
  if (opcode != TEGULA_KIR_OP_ABSI)
    return nullptr;
  return forKind(kind, []<class I>() -> UnaryKernel { return unary<I, BitOps<I>::absolute>; });
}

UnaryKernel bitFunctionKernel(uint32_t function, Kind kind) {
  return forKind(kind, [&]<class I>() { return selectBits<I>(function); });
}

namespace {
template <class T>
void selectRow(void *result, const uint8_t *condition, const void *onTrue, const void *onFalse, size_t n) {
  auto *r = static_cast<T *>(result);
  const auto *a = static_cast<const T *>(onTrue);
  const auto *b = static_cast<const T *>(onFalse);
  for (size_t i = 0; i < n; ++i)
    r[i] = condition[i] ? a[i] : b[i];
}
template <class T> void fillRow(void *result, const void *element, size_t n) {
  const T value = *static_cast<const T *>(element);
  auto *r = static_cast<T *>(result);
  for (size_t i = 0; i < n; ++i)
    r[i] = value;
}
} // namespace

void selectElements(uint32_t width, void *result, const uint8_t *condition, const void *onTrue, const void *onFalse,
                    size_t n) {
  switch (width) {
  case 1:
    return selectRow<uint8_t>(result, condition, onTrue, onFalse, n);
  case 2:
    return selectRow<uint16_t>(result, condition, onTrue, onFalse, n);
  case 4:
    return selectRow<uint32_t>(result, condition, onTrue, onFalse, n);
  default:
    return selectRow<uint64_t>(result, condition, onTrue, onFalse, n);
  }
}

void fillElements(uint32_t width, void *result, const void *element, size_t n) {
  switch (width) {
  case 1:
    return fillRow<uint8_t>(result, element, n);
  case 2:
    return fillRow<uint16_t>(result, element, n);
  case 4:
    return fillRow<uint32_t>(result, element, n);
  default:
    return fillRow<uint64_t>(result, element, n);
  }
}

} // namespace tegula::plugins::reference
