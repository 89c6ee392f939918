// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions: computed in f64 by the C library and rounded once into the operand's kind. nextafter works on
// the kind's own bit patterns.
#include "plugins/reference/numerics/kernels.h"
#include "sdk/kir/kir.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tegula::plugins::reference {

namespace {

using Function1 = double (*)(double);
using Function2 = double (*)(double, double);

double exp10Of(double x) { return std::pow(10.0, x); }
double reciprocalSqrt(double x) { return 1.0 / std::sqrt(x); }
double reciprocalCbrt(double x) { return 1.0 / std::cbrt(x); }
double normalCdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }
double logGamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign); // the plain function writes a global
}

/// sin(pi x): the argument is reduced exactly to [-1/2, 1/2] before it is multiplied.
double sinPi(double x) {
  if (!std::isfinite(x))
    return std::numeric_limits<double>::quiet_NaN();
  double r = std::remainder(x, 2.0);
  if (std::fabs(r) > 0.5)
    r = std::copysign(1.0, r) - r;
  return std::sin(std::numbers::pi * r);
}
double cosPi(double x) {
  if (!std::isfinite(x))
    return std::numeric_limits<double>::quiet_NaN();
  return std::sin(std::numbers::pi * (0.5 - std::fabs(std::remainder(x, 2.0))));
}

/// Inverse error function: Winitzki's closed form, then Newton steps on erfc, whose relative precision holds in the
/// tail.
double inverseErf(double y) {
  const double magnitude = std::fabs(y);
  if (!(magnitude < 1.0))
    return magnitude == 1.0 ? std::copysign(std::numeric_limits<double>::infinity(), y)
                            : std::numeric_limits<double>::quiet_NaN();
  if (magnitude < 1e-8)
    return y * (std::sqrt(std::numbers::pi) / 2);
  constexpr double a = 0.147;
  const double tail = 1.0 - magnitude;
  const double l = std::log(tail) + std::log1p(magnitude);
  const double t = 2 / (std::numbers::pi * a) + l / 2;
  double x = std::sqrt(std::sqrt(t * t - l / a) - t);
  for (int step = 0; step < 6; ++step) {
    const double slope = 2 * std::numbers::inv_sqrtpi * std::exp(-x * x);
    const double miss = magnitude < 0.5 ? magnitude - std::erf(x) : std::erfc(x) - tail;
    x += miss / slope;
  }
  return std::copysign(x, y);
}

double positiveDifference(double a, double b) { return std::fdim(a, b); }
double scaleByPowerOfTwo(double a, double b) { return std::ldexp(a, int(std::clamp(b, -100000.0, 100000.0))); }

template <Kind K, Function1 F> void unary(void *result, const void *value, size_t n) {
  if constexpr (K == Kind::F64) {
    for (size_t i = 0; i < n; ++i)
      static_cast<double *>(result)[i] = F(static_cast<const double *>(value)[i]);
  } else if constexpr (K == Kind::F32) {
    for (size_t i = 0; i < n; ++i)
      static_cast<float *>(result)[i] = float(F(double(static_cast<const float *>(value)[i])));
  } else {
    double row[kChunk];
    for (size_t begin = 0; begin < n; begin += kChunk) {
      const size_t count = std::min(kChunk, n - begin);
      decodeToDouble(K, row, elementAt(value, K, begin), count);
      for (size_t i = 0; i < count; ++i)
        row[i] = F(row[i]);
      encodeFromDouble(K, elementAt(result, K, begin), row, count);
    }
  }
}

template <Kind K, Function2 F> void binary(void *result, const void *lhs, const void *rhs, size_t n) {
  double a[kChunk], b[kChunk];
  for (size_t begin = 0; begin < n; begin += kChunk) {
    const size_t count = std::min(kChunk, n - begin);
    decodeToDouble(K, a, elementAt(lhs, K, begin), count);
    decodeToDouble(K, b, elementAt(rhs, K, begin), count);
    for (size_t i = 0; i < count; ++i)
      a[i] = F(a[i], b[i]);
    encodeFromDouble(K, elementAt(result, K, begin), a, count);
  }
}

/// The neighbour of `a` in the direction of `b`, found among the kind's bit patterns.
template <Kind K, class Bits> void nextAfter(void *result, const void *lhs, const void *rhs, size_t n) {
  constexpr FloatFormat kFormat = formatOf(K);
  auto *r = static_cast<Bits *>(result);
  for (size_t i = 0; i < n; ++i) {
    const Bits bits = static_cast<const Bits *>(lhs)[i];
    const double a = decodeBits(kFormat, bits), b = decodeBits(kFormat, static_cast<const Bits *>(rhs)[i]);
    if (std::isnan(a) || std::isnan(b))
      r[i] = Bits(kFormat.nan());
    else if (a == b)
      r[i] = static_cast<const Bits *>(rhs)[i];
    else if (a == 0)
      r[i] = Bits(1 | (b < 0 ? kFormat.signBit() : 0));
    else
      r[i] = Bits((a < b) == (a > 0) ? bits + 1 : bits - 1);
    if (kFormat.specials == Specials::Unsigned && r[i] == kFormat.signBit() && !std::isnan(a) && !std::isnan(b))
      r[i] = 0; // stepping up from the smallest negative number
  }
}
void nextAfterDouble(void *result, const void *lhs, const void *rhs, size_t n) {
  for (size_t i = 0; i < n; ++i)
    static_cast<double *>(result)[i] =
        std::nextafter(static_cast<const double *>(lhs)[i], static_cast<const double *>(rhs)[i]);
}

BinaryKernel nextAfterKernel(Kind kind) {
  switch (kind) {
  case Kind::F64:
    return nextAfterDouble;
  case Kind::F32:
    return nextAfter<Kind::F32, uint32_t>;
  case Kind::F16:
    return nextAfter<Kind::F16, uint16_t>;
  case Kind::BF16:
    return nextAfter<Kind::BF16, uint16_t>;
  default:
    return nullptr;
  }
}

template <Function1 F> UnaryKernel unaryForKind(Kind kind) {
  switch (kind) {
  case Kind::F16:
    return unary<Kind::F16, F>;
  case Kind::BF16:
    return unary<Kind::BF16, F>;
  case Kind::F32:
    return unary<Kind::F32, F>;
  case Kind::F64:
    return unary<Kind::F64, F>;
  default:
    return nullptr;
  }
}
template <Function2 F> BinaryKernel binaryForKind(Kind kind) {
  switch (kind) {
  case Kind::F16:
    return binary<Kind::F16, F>;
  case Kind::BF16:
    return binary<Kind::BF16, F>;
  case Kind::F32:
    return binary<Kind::F32, F>;
  case Kind::F64:
    return binary<Kind::F64, F>;
  default:
    return nullptr;
  }
}

// The standard functions are overloaded; a lambda picks the one for double.
#define FUNCTION1(call) unaryForKind<+[](double x) -> double { return call(x); }>(kind)
#define FUNCTION2(call) binaryForKind<+[](double a, double b) -> double { return call(a, b); }>(kind)

} // namespace

UnaryKernel mathUnaryKernel(uint32_t function, Kind kind) {
  switch (function) {
  case TEGULA_KIR_MATH_FUNCTION_EXP:
    return FUNCTION1(std::exp);
  case TEGULA_KIR_MATH_FUNCTION_EXP2:
    return FUNCTION1(std::exp2);
  case TEGULA_KIR_MATH_FUNCTION_EXP10:
    return FUNCTION1(exp10Of);
  case TEGULA_KIR_MATH_FUNCTION_EXPM1:
    return FUNCTION1(std::expm1);
  case TEGULA_KIR_MATH_FUNCTION_LOG:
    return FUNCTION1(std::log);
  case TEGULA_KIR_MATH_FUNCTION_LOG2:
    return FUNCTION1(std::log2);
  case TEGULA_KIR_MATH_FUNCTION_LOG10:
    return FUNCTION1(std::log10);
  case TEGULA_KIR_MATH_FUNCTION_LOG1P:
    return FUNCTION1(std::log1p);
  case TEGULA_KIR_MATH_FUNCTION_SIN:
    return FUNCTION1(std::sin);
  case TEGULA_KIR_MATH_FUNCTION_COS:
    return FUNCTION1(std::cos);
  case TEGULA_KIR_MATH_FUNCTION_TAN:
    return FUNCTION1(std::tan);
  case TEGULA_KIR_MATH_FUNCTION_ASIN:
    return FUNCTION1(std::asin);
  case TEGULA_KIR_MATH_FUNCTION_ACOS:
    return FUNCTION1(std::acos);
  case TEGULA_KIR_MATH_FUNCTION_ATAN:
    return FUNCTION1(std::atan);
  case TEGULA_KIR_MATH_FUNCTION_SINH:
    return FUNCTION1(std::sinh);
  case TEGULA_KIR_MATH_FUNCTION_COSH:
    return FUNCTION1(std::cosh);
  case TEGULA_KIR_MATH_FUNCTION_TANH:
    return FUNCTION1(std::tanh);
  case TEGULA_KIR_MATH_FUNCTION_ASINH:
    return FUNCTION1(std::asinh);
  case TEGULA_KIR_MATH_FUNCTION_ACOSH:
    return FUNCTION1(std::acosh);
  case TEGULA_KIR_MATH_FUNCTION_ATANH:
    return FUNCTION1(std::atanh);
  case TEGULA_KIR_MATH_FUNCTION_SQRT:
  case TEGULA_KIR_MATH_FUNCTION_SQRT_RN:
    return FUNCTION1(std::sqrt);
  case TEGULA_KIR_MATH_FUNCTION_RSQRT:
    return FUNCTION1(reciprocalSqrt);
  case TEGULA_KIR_MATH_FUNCTION_CBRT:
    return FUNCTION1(std::cbrt);
  case TEGULA_KIR_MATH_FUNCTION_RCBRT:
    return FUNCTION1(reciprocalCbrt);
  case TEGULA_KIR_MATH_FUNCTION_ERF:
    return FUNCTION1(std::erf);
  case TEGULA_KIR_MATH_FUNCTION_ERFC:
    return FUNCTION1(std::erfc);
  case TEGULA_KIR_MATH_FUNCTION_ERFINV:
    return FUNCTION1(inverseErf);
  case TEGULA_KIR_MATH_FUNCTION_NORMCDF:
    return FUNCTION1(normalCdf);
  case TEGULA_KIR_MATH_FUNCTION_FLOOR:
    return FUNCTION1(std::floor);
  case TEGULA_KIR_MATH_FUNCTION_CEIL:
    return FUNCTION1(std::ceil);
  case TEGULA_KIR_MATH_FUNCTION_TRUNC:
    return FUNCTION1(std::trunc);
  case TEGULA_KIR_MATH_FUNCTION_ROUND:
    return FUNCTION1(std::round);
  case TEGULA_KIR_MATH_FUNCTION_RINT:
    return FUNCTION1(std::nearbyint);
  case TEGULA_KIR_MATH_FUNCTION_LGAMMA:
    return FUNCTION1(logGamma);
  case TEGULA_KIR_MATH_FUNCTION_TGAMMA:
    return FUNCTION1(std::tgamma);
  case TEGULA_KIR_MATH_FUNCTION_SINPI:
    return FUNCTION1(sinPi);
  case TEGULA_KIR_MATH_FUNCTION_COSPI:
    return FUNCTION1(cosPi);
  case TEGULA_KIR_MATH_FUNCTION_J0:
    return FUNCTION1(::j0);
  case TEGULA_KIR_MATH_FUNCTION_J1:
    return FUNCTION1(::j1);
  case TEGULA_KIR_MATH_FUNCTION_Y0:
    return FUNCTION1(::y0);
  case TEGULA_KIR_MATH_FUNCTION_Y1:
    return FUNCTION1(::y1);
  default:
    return nullptr;
  }
}

BinaryKernel mathBinaryKernel(uint32_t function, Kind kind) {
  switch (function) {
  case TEGULA_KIR_MATH_FUNCTION_POW:
    return FUNCTION2(std::pow);
  case TEGULA_KIR_MATH_FUNCTION_ATAN2:
    return FUNCTION2(std::atan2);
  case TEGULA_KIR_MATH_FUNCTION_HYPOT:
    return FUNCTION2(std::hypot);
  case TEGULA_KIR_MATH_FUNCTION_COPYSIGN:
    return FUNCTION2(std::copysign);
  case TEGULA_KIR_MATH_FUNCTION_FDIM:
    return FUNCTION2(positiveDifference);
  case TEGULA_KIR_MATH_FUNCTION_REMAINDER:
    return FUNCTION2(std::remainder);
  case TEGULA_KIR_MATH_FUNCTION_LDEXP:
    return FUNCTION2(scaleByPowerOfTwo);
  case TEGULA_KIR_MATH_FUNCTION_NEXTAFTER:
    return nextAfterKernel(kind);
  default:
    return nullptr;
  }
}

#undef FUNCTION1
#undef FUNCTION2

} // namespace tegula::plugins::reference
