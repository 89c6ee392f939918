// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs from recipes, and outputs against what the oracle says.

#include "conformance/harness/case.h"

#include <cmath>
#include <limits>
#include <random>
#include <sstream>

namespace tegula::conformance {

namespace {

/// Values at which implementations differ: zeros, the ends of each range, neighbours of one, and what is no number.
std::vector<Real> specialReals(const Format &f) {
  Real greatest = f.greatest(), smallest = f.smallest();
  Real least = std::ldexp(smallest, -static_cast<int>(f.fraction));
  std::vector<Real> values{0.0L, 1.0L, 0.5L, 2.0L, greatest, greatest / 2, smallest, least, 1 + std::ldexp(1.0L, -static_cast<int>(f.fraction)),
                           1 - std::ldexp(1.0L, -static_cast<int>(f.fraction) - 1), 3.0L, 0.1L, std::numeric_limits<Real>::infinity(),
                           std::numeric_limits<Real>::quiet_NaN()};
  std::vector<Real> all;
  for (Real v : values) {
    all.push_back(v);
    all.push_back(-v);
  }
  return all;
}

std::vector<Integer> specialIntegers(const Format &f) {
  Integer top = Integer(1) << (f.bits - (f.kind == Format::Class::Signed));
  std::vector<Integer> values{0, 1, 2, 3, 7, top - 1, top / 2, top / 2 - 1};
  if (f.kind == Format::Class::Signed)
    for (Integer v : {Integer(-1), Integer(-2), -top, -top + 1})
      values.push_back(v);
  return values;
}

Integer randomInteger(std::mt19937_64 &random, Integer low, Integer high) {
  unsigned __int128 span = static_cast<unsigned __int128>(high - low) + 1;
  unsigned __int128 wide = (static_cast<unsigned __int128>(random()) << 64) | random();
  return low + static_cast<Integer>(wide % span);
}

Array reals(const Argument &a, std::mt19937_64 &random) {
  Array array = Array::realsOf(a.shape);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(a.low, a.high);
  std::vector<Real> special = specialReals(a.format);
  for (size_t i = 0; i < array.size(); ++i) {
    Real v = 0;
    if (a.data == "normal")
      v = normal(random);
    else if (a.data == "uniform")
      v = uniform(random);
    else if (a.data == "integers")
      v = static_cast<Real>(randomInteger(random, static_cast<Integer>(a.low), static_cast<Integer>(a.high)));
    else if (a.data == "special")
      v = i < special.size() ? special[i] : random() % 4 ? normal(random) : special[random() % special.size()];
    array.reals[i] = roundTo(v, a.format);
  }
  return array;
}

Array integers(const Argument &a, std::mt19937_64 &random) {
  Array array = Array::integersOf(a.shape);
  Integer top = Integer(1) << (a.format.bits - (a.format.kind == Format::Class::Signed));
  Integer least = a.format.kind == Format::Class::Signed ? -top : Integer(0), most = top - 1;
  std::vector<Integer> special = specialIntegers(a.format);
  if (a.format.kind == Format::Class::Bool) {
    most = 1;
    special = {0, 1};
  }
  bool bounded = a.data == "integers" || a.data == "uniform";
  for (size_t i = 0; i < array.size(); ++i) {
    Integer v = 0;
    if (bounded)
      v = randomInteger(random, static_cast<Integer>(a.low), static_cast<Integer>(a.high));
    else if (a.data == "special" && (i < special.size() || random() % 4 == 0))
      v = special[i < special.size() ? i : random() % special.size()];
    else if (a.data == "special" || a.data == "normal")
      v = randomInteger(random, least, most);
    array.integers[i] = wrapTo(v, a.format);
  }
  return array;
}

std::string place(size_t index, const std::vector<int64_t> &shape) {
  std::vector<int64_t> at(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    at[d] = static_cast<int64_t>(index) % shape[d];
    index /= static_cast<size_t>(shape[d]);
  }
  std::string text = "[";
  for (size_t d = 0; d < at.size(); ++d)
    text += (d ? ", " : "") + std::to_string(at[d]);
  return text + "]";
}

std::string print(const Array &a, size_t i) {
  std::ostringstream out;
  if (a.isReal) {
    out.precision(10);
    out << a.reals[i];
  } else {
    out << static_cast<long long>(a.integers[i]);
  }
  return out.str();
}

bool same(Real a, Real b) { return a == b || (std::isnan(a) && std::isnan(b)); }

} // namespace

std::optional<Array> initialValues(const Argument &a, const Case &c, std::string &error) {
  if (a.role == Argument::Role::Output) {
    Array array = a.format.isFloat() ? Array::realsOf(a.shape, std::numeric_limits<Real>::quiet_NaN()) : Array::integersOf(a.shape, 0x55);
    return array;
  }
  uint64_t seed = c.seed;
  for (char ch : a.name)
    seed = seed * 1099511628211ull + static_cast<unsigned char>(ch);
  std::mt19937_64 random(seed);
  for (std::string_view recipe : {"normal", "uniform", "integers", "special", "zeros"})
    if (a.data == recipe)
      return a.format.isFloat() ? reals(a, random) : integers(a, random);
  auto value = evaluateOracle(a.data, c.parameters, error);
  if (!value)
    return std::nullopt;
  try {
    Array array = broadcastTo(*value, a.shape);
    if (a.format.isFloat()) {
      array = array.asReal();
      for (Real &x : array.reals)
        x = roundTo(x, a.format);
    } else {
      for (Integer &x : array.integers)
        x = wrapTo(x, a.format);
    }
    return array;
  } catch (const OracleError &e) {
    error = "argument '" + a.name + "': " + e.message;
    return std::nullopt;
  }
}

Comparison compare(const Array &got, const Array &want, const Format &format, const Tolerance &tolerance, const Names &names) {
  Comparison result;
  Array expected;
  Array bound;
  try {
    expected = broadcastTo(want, got.shape);
    if (tolerance.kind == Tolerance::Kind::Absolute) {
      std::string error;
      auto value = evaluateOracle(tolerance.bound, names, error);
      if (!value)
        throw OracleError{error};
      bound = broadcastTo(*value, got.shape);
    }
  } catch (const OracleError &e) {
    return {false, 0, 0, got.size(), "the oracle does not fit the output: " + e.message};
  }
  for (size_t i = 0; i < got.size(); ++i) {
    bool exact = tolerance.kind == Tolerance::Kind::Exact;
    double ratio;
    if (!got.isReal) {
      ratio = got.integers[i] == wrapTo(expected.integer(i), format) ? 0 : INFINITY;
    } else {
      // The allowed values are those within the bound of the exact one, and the exact one's own rounding (which may be infinite).
      Real exactValue = expected.real(i), rounded = roundTo(exactValue, format);
      if (same(got.reals[i], rounded) && (!exact || std::isnan(rounded) || std::signbit(got.reals[i]) == std::signbit(rounded))) {
        ratio = 0;
      } else if (exact || std::isnan(got.reals[i]) || std::isnan(exactValue)) {
        ratio = INFINITY;
      } else {
        Real limit = tolerance.kind == Tolerance::Kind::Ulp ? static_cast<Real>(tolerance.ulps) * ulpOf(exactValue, format) : bound.real(i);
        Real greatest = format.greatest();
        // An overflow to infinity counts as the value it stands for.
        Real value = std::isinf(got.reals[i]) ? std::copysign(greatest + ulpOf(greatest, format), got.reals[i]) : got.reals[i];
        Real target = std::isinf(exactValue) ? std::copysign(greatest + ulpOf(greatest, format), exactValue) : exactValue;
        Real error = std::fabs(value - target);
        // A bound that bounds nothing is met by nothing.
        ratio = limit > 0 && (std::isfinite(limit) || !std::isfinite(exactValue)) ? static_cast<double>(error / limit) : INFINITY;
      }
    }
    if (!(ratio <= 1))
      ++result.wrong;
    if (!(ratio <= result.worstRatio)) {
      result.worstRatio = ratio;
      result.worstIndex = i;
    }
  }
  result.equal = result.wrong == 0;
  if (!result.equal)
    result.text = std::to_string(result.wrong) + " of " + std::to_string(got.size()) + " elements are off; worst at " +
                  place(result.worstIndex, got.shape) + ": " + print(got, result.worstIndex) + ", expected " + print(expected, result.worstIndex);
  return result;
}

} // namespace tegula::conformance
