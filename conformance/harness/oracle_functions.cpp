// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the oracle's language: mathematics in extended precision, shapes, reductions, scans, orders, formats.

#include "conformance/harness/oracle.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace tegula::conformance {

namespace {

using I = Integer;
using R = Real;

const Array &arg(const OracleArgs &args, size_t i) {
  if (i >= args.arrays.size())
    throw OracleError{"too few arguments"};
  return args.arrays[i];
}

Format format(const OracleArgs &args, size_t i = 0) {
  auto f = i < args.texts.size() ? parseFormat(args.texts[i]) : std::nullopt;
  if (!f)
    throw OracleError{"expected a format such as 'f16'"};
  return *f;
}

// ---- elementwise ----

template <R (*F)(R)> Array map(const OracleArgs &args) {
  Array a = arg(args, 0).asReal();
  for (R &x : a.reals)
    x = F(x);
  return a;
}
template <I (*F)(I)> Array mapInteger(const OracleArgs &args) {
  Array a = arg(args, 0);
  if (a.isReal)
    throw OracleError{"expected integers"};
  for (I &x : a.integers)
    x = F(x);
  return a;
}

R rsqrt(R x) { return 1 / std::sqrt(x); }
R exp10(R x) { return std::pow(R(10), x); }
R sigmoid(R x) { return 1 / (1 + std::exp(-x)); }

Array absolute(const OracleArgs &args) {
  Array a = arg(args, 0);
  for (R &x : a.reals)
    x = std::fabs(x);
  for (I &x : a.integers)
    x = x < 0 ? -x : x;
  return a;
}
Array truth(const OracleArgs &args) { // isnan, isinf, isfinite and bool conversions as integers
  const Array &a = arg(args, 0);
  Array r = Array::integersOf(a.shape);
  for (size_t i = 0; i < a.size(); ++i)
    r.integers[i] = a.real(i) != 0;
  return r;
}
template <bool (*F)(R)> Array classify(const OracleArgs &args) {
  const Array &a = arg(args, 0);
  Array r = Array::integersOf(a.shape);
  for (size_t i = 0; i < a.size(); ++i)
    r.integers[i] = F(a.real(i));
  return r;
}
bool nanTest(R x) { return std::isnan(x); }
bool infTest(R x) { return std::isinf(x); }
bool finiteTest(R x) { return std::isfinite(x); }

/// A number where one side is NaN; minimum_nan and maximum_nan give NaN there.
Array minimum(const OracleArgs &a) {
  return zip(arg(a, 0), arg(a, 1), [](I x, I y) { return std::min(x, y); }, [](R x, R y) { return std::fmin(x, y); });
}
Array maximum(const OracleArgs &a) {
  return zip(arg(a, 0), arg(a, 1), [](I x, I y) { return std::max(x, y); }, [](R x, R y) { return std::fmax(x, y); });
}
Array minimumNan(const OracleArgs &a) {
  return zip(arg(a, 0), arg(a, 1), nullptr, [](R x, R y) { return std::isnan(x) || std::isnan(y) ? x + y : std::fmin(x, y); });
}
Array maximumNan(const OracleArgs &a) {
  return zip(arg(a, 0), arg(a, 1), nullptr, [](R x, R y) { return std::isnan(x) || std::isnan(y) ? x + y : std::fmax(x, y); });
}
template <R (*F)(R, R)> Array zipReal(const OracleArgs &a) { return zip(arg(a, 0), arg(a, 1), nullptr, F); }
R ldexpReal(R x, R e) { return std::ldexp(x, static_cast<int>(e)); }

Array where(const OracleArgs &args) {
  const Array &c = arg(args, 0), &x = arg(args, 1), &y = arg(args, 2);
  auto shape = broadcastShapes(c.shape, broadcastShapes(x.shape, y.shape));
  Array cc = broadcastTo(c, shape), xx = broadcastTo(x, shape), yy = broadcastTo(y, shape);
  bool real = x.isReal || y.isReal;
  Array r = real ? Array::realsOf(shape) : Array::integersOf(shape);
  for (size_t i = 0; i < cc.size(); ++i) {
    const Array &from = cc.real(i) != 0 ? xx : yy;
    if (real)
      r.reals[i] = from.real(i);
    else
      r.integers[i] = from.integers[i];
  }
  return r;
}

Array popcount(const OracleArgs &args) {
  Format f = format(args);
  Array a = arg(args, 0);
  for (I &x : a.integers)
    x = std::popcount(encodeInteger(x, f));
  return a;
}
Array leadingZeros(const OracleArgs &args) {
  Format f = format(args);
  Array a = arg(args, 0);
  for (I &x : a.integers)
    x = std::countl_zero(encodeInteger(x, f)) - static_cast<int>(64 - f.bits);
  return a;
}

// ---- formats ----

/// round(x, 'f16'): the nearest value of a float format; wrap(x, 'i8'): modulo 2^bits; convert(x, 'i32'): float to integer toward zero.
Array roundToFormat(const OracleArgs &args) {
  Format f = format(args);
  Array a = arg(args, 0).asReal();
  for (R &x : a.reals)
    x = roundTo(x, f);
  return a;
}
Array truncateToFormat(const OracleArgs &args) {
  Format f = format(args);
  Array a = arg(args, 0).asReal();
  for (R &x : a.reals)
    x = truncateTo(x, f);
  return a;
}
Array wrapToFormat(const OracleArgs &args) {
  Format f = format(args);
  Array a = arg(args, 0);
  if (a.isReal)
    throw OracleError{"wrap takes integers"};
  for (I &x : a.integers)
    x = wrapTo(x, f);
  return a;
}
Array convertToInteger(const OracleArgs &args) {
  const Array &a = arg(args, 0);
  Array r = Array::integersOf(a.shape);
  for (size_t i = 0; i < a.size(); ++i)
    r.integers[i] = a.isReal ? static_cast<I>(std::trunc(a.reals[i])) : a.integers[i];
  return r;
}
/// bits(x, 'f32'): the bit pattern; frombits(i, 'f32'): back.
Array bitsOf(const OracleArgs &args) {
  Format f = format(args);
  const Array &a = arg(args, 0);
  Array r = Array::integersOf(a.shape);
  for (size_t i = 0; i < a.size(); ++i)
    r.integers[i] = f.isFloat() ? encode(a.real(i), f) : encodeInteger(a.integer(i), f);
  return r;
}
Array fromBits(const OracleArgs &args) {
  Format f = format(args);
  const Array &a = arg(args, 0);
  Array r = f.isFloat() ? Array::realsOf(a.shape) : Array::integersOf(a.shape);
  for (size_t i = 0; i < a.size(); ++i) {
    uint64_t raw = encodeInteger(a.integer(i), {Format::Class::Unsigned, f.bits, 0, 0, Format::Top::Ieee, {}});
    if (f.isFloat())
      r.reals[i] = decode(raw, f);
    else
      r.integers[i] = decodeInteger(raw, f);
  }
  return r;
}
Array ulp(const OracleArgs &args) {
  Format f = format(args);
  Array a = arg(args, 0).asReal();
  for (R &x : a.reals)
    x = ulpOf(x, f);
  return a;
}

// ---- shapes ----

std::vector<int64_t> sizes(const OracleArgs &args, size_t from) {
  std::vector<int64_t> shape;
  for (size_t i = from; i < args.arrays.size(); ++i)
    shape.push_back(static_cast<int64_t>(args.arrays[i].integer(0)));
  return shape;
}
Array arange(const OracleArgs &args) {
  int64_t n = static_cast<int64_t>(arg(args, 0).integer(0));
  Array a = Array::integersOf({n});
  std::iota(a.integers.begin(), a.integers.end(), 0);
  return a;
}
Array full(const OracleArgs &args) {
  Array value = arg(args, 0);
  return broadcastTo(value, sizes(args, 1));
}
Array reshape(const OracleArgs &args) {
  Array a = arg(args, 0);
  std::vector<int64_t> shape = sizes(args, 1);
  if (elementCount(shape) != static_cast<int64_t>(a.size()))
    throw OracleError{"reshape changes the number of elements"};
  a.shape = std::move(shape);
  return a;
}
Array broadcast(const OracleArgs &args) { return broadcastTo(arg(args, 0), sizes(args, 1)); }

size_t axisOf(const OracleArgs &args, const Array &a) {
  int64_t axis = args.keyword("axis", -1);
  if (axis < 0)
    axis += static_cast<int64_t>(a.shape.size());
  if (axis < 0 || axis >= static_cast<int64_t>(a.shape.size()))
    throw OracleError{"axis out of range"};
  return static_cast<size_t>(axis);
}

/// Copies element `from` of `a` to the end of `r`.
void append(Array &r, const Array &a, size_t from) {
  if (a.isReal)
    r.reals.push_back(a.reals[from]);
  else
    r.integers.push_back(a.integers[from]);
}

Array transpose(const OracleArgs &args) {
  const Array &a = arg(args, 0);
  std::vector<int64_t> order = sizes(args, 1);
  size_t rank = a.shape.size();
  if (order.empty())
    for (size_t i = rank; i-- > 0;)
      order.push_back(static_cast<int64_t>(i));
  if (order.size() != rank)
    throw OracleError{"transpose: one axis per dimension"};
  std::vector<size_t> strides(rank, 1);
  for (size_t d = rank; d-- > 1;)
    strides[d - 1] = strides[d] * static_cast<size_t>(a.shape[d]);
  Array r;
  r.isReal = a.isReal;
  for (int64_t axis : order)
    r.shape.push_back(a.shape.at(static_cast<size_t>(axis)));
  for (size_t i = 0; i < a.size(); ++i) {
    size_t left = i, from = 0;
    for (size_t d = rank; d-- > 0;) {
      from += left % static_cast<size_t>(r.shape[d]) * strides[static_cast<size_t>(order[d])];
      left /= static_cast<size_t>(r.shape[d]);
    }
    append(r, a, from);
  }
  return r;
}

Array concat(const OracleArgs &args) {
  Array a = arg(args, 0), b = arg(args, 1);
  if (a.isReal || b.isReal) {
    a = a.asReal();
    b = b.asReal();
  }
  size_t axis = axisOf(args, a);
  Array r;
  r.isReal = a.isReal;
  r.shape = a.shape;
  r.shape[axis] += b.shape.at(axis);
  int64_t outer = elementCount({a.shape.begin(), a.shape.begin() + static_cast<long>(axis)});
  for (int64_t o = 0; o < outer; ++o)
    for (const Array *part : {&a, &b}) {
      size_t chunk = part->size() / static_cast<size_t>(outer);
      for (size_t i = 0; i < chunk; ++i)
        append(r, *part, static_cast<size_t>(o) * chunk + i);
    }
  return r;
}

// ---- along an axis ----

/// The array as lines along an axis: element j of line (o, i) is at o * length * inner + j * inner + i.
struct Lines {
  size_t outer, length, inner;
  size_t at(size_t o, size_t j, size_t i) const { return (o * length + j) * inner + i; }
};
Lines linesOf(const Array &a, size_t axis) {
  auto begin = a.shape.begin() + static_cast<long>(axis);
  return {static_cast<size_t>(elementCount({a.shape.begin(), begin})), static_cast<size_t>(a.shape[axis]),
          static_cast<size_t>(elementCount({begin + 1, a.shape.end()}))};
}

/// Calls `f(line, write)`: `line` holds the indices of one line, in order (from the end where `reverse=1`).
template <typename F> void eachLine(const OracleArgs &args, const Array &a, size_t axis, F f) {
  Lines lines = linesOf(a, axis);
  std::vector<size_t> line(lines.length);
  for (size_t o = 0; o < lines.outer; ++o)
    for (size_t i = 0; i < lines.inner; ++i) {
      for (size_t j = 0; j < lines.length; ++j)
        line[j] = lines.at(o, j, i);
      if (args.keyword("reverse", 0))
        std::reverse(line.begin(), line.end());
      f(line, o * lines.inner + i);
    }
}

/// Without `axis` the whole array is one line and the result a scalar.
Array flattened(const OracleArgs &args, size_t &axis) {
  Array a = arg(args, 0);
  if (args.keywords.count("axis") == 0) {
    a.shape = {static_cast<int64_t>(a.size())};
    axis = 0;
  } else {
    axis = axisOf(args, a);
  }
  return a;
}

template <I (*F)(I, I), R (*G)(R, R)> Array fold(const OracleArgs &args) {
  size_t axis;
  Array a = flattened(args, axis);
  Array r;
  r.isReal = a.isReal;
  r.shape = a.shape;
  if (args.keyword("keep", 0))
    r.shape[axis] = 1;
  else
    r.shape.erase(r.shape.begin() + static_cast<long>(axis));
  size_t count = a.size() / static_cast<size_t>(a.shape[axis]);
  r.reals.resize(a.isReal ? count : 0);
  r.integers.resize(a.isReal ? 0 : count);
  eachLine(args, a, axis, [&](const std::vector<size_t> &line, size_t to) {
    if (a.isReal) {
      R x = a.reals[line[0]];
      for (size_t j = 1; j < line.size(); ++j)
        x = G(x, a.reals[line[j]]);
      r.reals[to] = x;
    } else {
      I x = a.integers[line[0]];
      for (size_t j = 1; j < line.size(); ++j)
        x = F(x, a.integers[line[j]]);
      r.integers[to] = x;
    }
  });
  return r;
}

template <I (*F)(I, I), R (*G)(R, R)> Array prefix(const OracleArgs &args) {
  Array a = arg(args, 0);
  eachLine(args, a, axisOf(args, a), [&](const std::vector<size_t> &line, size_t) {
    for (size_t j = 1; j < line.size(); ++j) {
      if (a.isReal)
        a.reals[line[j]] = G(a.reals[line[j - 1]], a.reals[line[j]]);
      else
        a.integers[line[j]] = F(a.integers[line[j - 1]], a.integers[line[j]]);
    }
  });
  return a;
}

I addI(I a, I b) { return a + b; }
R addR(R a, R b) { return a + b; }
I mulI(I a, I b) { return a * b; }
R mulR(R a, R b) { return a * b; }
I minI(I a, I b) { return std::min(a, b); }
R minR(R a, R b) { return std::fmin(a, b); }
I maxI(I a, I b) { return std::max(a, b); }
R maxR(R a, R b) { return std::fmax(a, b); }
I xorI(I a, I b) { return a ^ b; }
I orI(I a, I b) { return a | b; }
R noReal(R, R) { throw OracleError{"expected integers"}; }

/// Index of the greatest (least) element; the first of equals, or the last with `last=1`.
template <bool Greatest> Array argBest(const OracleArgs &args) {
  size_t axis;
  Array a = flattened(args, axis);
  Array r;
  r.shape = a.shape;
  if (args.keyword("keep", 0))
    r.shape[axis] = 1;
  else
    r.shape.erase(r.shape.begin() + static_cast<long>(axis));
  r.integers.resize(a.size() / static_cast<size_t>(a.shape[axis]));
  bool last = args.keyword("last", 0);
  eachLine(args, a, axis, [&](const std::vector<size_t> &line, size_t to) {
    size_t best = 0;
    for (size_t j = 1; j < line.size(); ++j) {
      R x = a.real(line[j]), y = a.real(line[best]);
      bool better = Greatest ? x > y : x < y;
      if (better || (last && x == y))
        best = j;
    }
    r.integers[to] = static_cast<I>(best);
  });
  return r;
}

Array sort(const OracleArgs &args) {
  Array a = arg(args, 0), r = a;
  bool descending = args.keyword("descending", 0);
  eachLine(args, a, axisOf(args, a), [&](const std::vector<size_t> &line, size_t) {
    std::vector<size_t> order = line;
    std::stable_sort(order.begin(), order.end(), [&](size_t x, size_t y) {
      if (a.isReal)
        return descending ? a.reals[x] > a.reals[y] : a.reals[x] < a.reals[y];
      return descending ? a.integers[x] > a.integers[y] : a.integers[x] < a.integers[y];
    });
    for (size_t j = 0; j < line.size(); ++j) {
      if (a.isReal)
        r.reals[line[j]] = a.reals[order[j]];
      else
        r.integers[line[j]] = a.integers[order[j]];
    }
  });
  return r;
}

Array flip(const OracleArgs &args) {
  Array a = arg(args, 0), r = a;
  eachLine(args, a, axisOf(args, a), [&](const std::vector<size_t> &line, size_t) {
    for (size_t j = 0; j < line.size(); ++j) {
      if (a.isReal)
        r.reals[line[j]] = a.reals[line[line.size() - 1 - j]];
      else
        r.integers[line[j]] = a.integers[line[line.size() - 1 - j]];
    }
  });
  return r;
}

/// take(source, index): elements of the flattened source; gather(source, index, axis=): along an axis, index of the result's shape.
Array take(const OracleArgs &args) {
  const Array &a = arg(args, 0), &index = arg(args, 1);
  Array r;
  r.shape = index.shape;
  r.isReal = a.isReal;
  for (size_t i = 0; i < index.size(); ++i) {
    I at = index.integer(i);
    if (at < 0 || at >= static_cast<I>(a.size()))
      throw OracleError{"take: index out of range"};
    append(r, a, static_cast<size_t>(at));
  }
  return r;
}
Array ceilingDivide(const OracleArgs &args) {
  return zip(arg(args, 0), arg(args, 1), [](I x, I y) { return (x + y - 1) / y; }, nullptr);
}
Array gather(const OracleArgs &args) {
  const Array &a = arg(args, 0), &index = arg(args, 1);
  size_t axis = axisOf(args, a);
  Lines from = linesOf(a, axis), to = linesOf(index, axis);
  Array r;
  r.shape = index.shape;
  r.isReal = a.isReal;
  for (size_t o = 0; o < to.outer; ++o)
    for (size_t j = 0; j < to.length; ++j)
      for (size_t i = 0; i < to.inner; ++i)
        append(r, a, from.at(o, static_cast<size_t>(index.integer(to.at(o, j, i))), i));
  return r;
}
/// scatter_add(base, index, value): base with value[i] added at index[i], all flattened.
Array scatterAdd(const OracleArgs &args) {
  Array a = arg(args, 0);
  const Array &index = arg(args, 1);
  Array value = broadcastTo(arg(args, 2), index.shape);
  for (size_t i = 0; i < index.size(); ++i) {
    size_t at = static_cast<size_t>(index.integer(i));
    if (at >= a.size())
      throw OracleError{"scatter_add: index out of range"};
    if (a.isReal)
      a.reals[at] += value.real(i);
    else
      a.integers[at] += value.integer(i);
  }
  return a;
}
Array histogram(const OracleArgs &args) {
  const Array &a = arg(args, 0);
  int64_t bins = static_cast<int64_t>(arg(args, 1).integer(0));
  Array r = Array::integersOf({bins});
  for (size_t i = 0; i < a.size(); ++i)
    if (I x = a.integer(i); x >= 0 && x < bins)
      ++r.integers[static_cast<size_t>(x)];
  return r;
}

/// philox(seed, offset, word): word 0..3 of Philox4x32-10 with counter (offset, 0, 0, 0) and the 64-bit seed as key (Salmon et al., SC11).
Array philox(const OracleArgs &args) {
  const Array &seed = arg(args, 0), &offset = arg(args, 1);
  auto word = static_cast<size_t>(arg(args, 2).integer(0));
  int64_t rounds = args.keyword("rounds", 10);
  Array r = Array::integersOf(offset.shape);
  for (size_t i = 0; i < offset.size(); ++i) {
    auto key = static_cast<uint64_t>(seed.integer(0)), at = static_cast<uint64_t>(offset.integer(i));
    uint32_t k0 = static_cast<uint32_t>(key), k1 = static_cast<uint32_t>(key >> 32);
    uint32_t c[4] = {static_cast<uint32_t>(at), static_cast<uint32_t>(at >> 32), 0, 0};
    for (int64_t n = 0; n < rounds; ++n) {
      uint64_t p0 = uint64_t(0xD2511F53) * c[0], p1 = uint64_t(0xCD9E8D57) * c[2];
      uint32_t next[4] = {static_cast<uint32_t>(p1 >> 32) ^ c[1] ^ k0, static_cast<uint32_t>(p1), static_cast<uint32_t>(p0 >> 32) ^ c[3] ^ k1,
                          static_cast<uint32_t>(p0)};
      std::copy(next, next + 4, c);
      k0 += 0x9E3779B9;
      k1 += 0xBB67AE85;
    }
    r.integers[i] = c[word & 3];
  }
  return r;
}

struct Entry {
  std::string_view name;
  OracleFunction function;
};

constexpr Entry kFunctions[] = {
    {"exp", map<std::exp>}, {"exp2", map<std::exp2>}, {"exp10", map<exp10>}, {"expm1", map<std::expm1>}, {"log", map<std::log>},
    {"log2", map<std::log2>}, {"log10", map<std::log10>}, {"log1p", map<std::log1p>}, {"sin", map<std::sin>}, {"cos", map<std::cos>},
    {"tan", map<std::tan>}, {"asin", map<std::asin>}, {"acos", map<std::acos>}, {"atan", map<std::atan>}, {"sinh", map<std::sinh>},
    {"cosh", map<std::cosh>}, {"tanh", map<std::tanh>}, {"asinh", map<std::asinh>}, {"acosh", map<std::acosh>}, {"atanh", map<std::atanh>},
    {"sqrt", map<std::sqrt>}, {"rsqrt", map<rsqrt>}, {"cbrt", map<std::cbrt>}, {"erf", map<std::erf>}, {"erfc", map<std::erfc>},
    {"floor", map<std::floor>}, {"ceil", map<std::ceil>}, {"trunc", map<std::trunc>}, {"rint", map<std::nearbyint>}, {"nearest", map<std::round>},
    {"lgamma", map<std::lgamma>}, {"tgamma", map<std::tgamma>}, {"sigmoid", map<sigmoid>},
    {"pow", zipReal<std::pow>}, {"atan2", zipReal<std::atan2>}, {"hypot", zipReal<std::hypot>}, {"copysign", zipReal<std::copysign>},
    {"fmod", zipReal<std::fmod>}, {"remainder", zipReal<std::remainder>}, {"fdim", zipReal<std::fdim>}, {"ldexp", zipReal<ldexpReal>},
    {"abs", absolute}, {"bool", truth}, {"isnan", classify<nanTest>}, {"isinf", classify<infTest>}, {"isfinite", classify<finiteTest>},
    {"minimum", minimum}, {"maximum", maximum}, {"minimum_nan", minimumNan}, {"maximum_nan", maximumNan}, {"where", where},
    {"popcount", popcount}, {"clz", leadingZeros}, {"round", roundToFormat}, {"truncate", truncateToFormat}, {"wrap", wrapToFormat},
    {"int", convertToInteger}, {"bits", bitsOf}, {"frombits", fromBits}, {"ulp", ulp},
    {"arange", arange}, {"full", full}, {"reshape", reshape}, {"broadcast", broadcast}, {"transpose", transpose}, {"concat", concat},
    {"sum", fold<addI, addR>}, {"prod", fold<mulI, mulR>}, {"min", fold<minI, minR>}, {"max", fold<maxI, maxR>}, {"xor", fold<xorI, noReal>},
    {"any", fold<orI, noReal>}, {"cumsum", prefix<addI, addR>}, {"cumprod", prefix<mulI, mulR>}, {"cummax", prefix<maxI, maxR>},
    {"cummin", prefix<minI, minR>}, {"argmax", argBest<true>}, {"argmin", argBest<false>}, {"sort", sort}, {"flip", flip}, {"take", take},
    {"gather", gather}, {"scatter_add", scatterAdd}, {"histogram", histogram}, {"philox", philox}, {"cdiv", ceilingDivide},
};

} // namespace

OracleFunction findOracleFunction(std::string_view name) {
  for (const Entry &entry : kFunctions)
    if (entry.name == name)
      return entry.function;
  return nullptr;
}

} // namespace tegula::conformance
