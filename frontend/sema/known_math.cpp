// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's math, operator and itertools modules, for compile-time use.

#include "frontend/sema/evaluator.h"
#include "frontend/sema/known_modules.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace tegula::frontend::sema {

namespace {

/// The numeric arguments of a call, or an error; an Unknown among them makes the result Unknown.
std::optional<std::vector<double>> numbers(Evaluator &ev, const CallArgs &args, size_t least, size_t most) {
  if (!args.keywords.empty() || args.positional.size() < least || args.positional.size() > most)
    return ev.error(args.range, "F2301", "wrong number of arguments");
  std::vector<double> values;
  for (const Value &v : args.positional) {
    if (!v.isNumber())
      return ev.error(args.range, "F2302", "expected a compile-time number, found " + ev.repr(v));
    values.push_back(v.asFloat());
  }
  return values;
}

template <double (*Fn)(double)> MaybeValue unary(Evaluator &ev, const CallArgs &args) {
  auto x = numbers(ev, args, 1, 1);
  return x ? MaybeValue(Value::floating(Fn((*x)[0]))) : std::nullopt;
}

template <double (*Fn)(double, double)> MaybeValue binary(Evaluator &ev, const CallArgs &args) {
  auto x = numbers(ev, args, 2, 2);
  return x ? MaybeValue(Value::floating(Fn((*x)[0], (*x)[1]))) : std::nullopt;
}

template <double (*Fn)(double)> MaybeValue rounded(Evaluator &ev, const CallArgs &args) {
  if (args.positional.size() == 1 && (args.positional[0].is(Kind::Int) || args.positional[0].is(Kind::Bool)))
    return Value::integer(args.positional[0].asInt());
  auto x = numbers(ev, args, 1, 1);
  if (!x)
    return std::nullopt;
  double y = Fn((*x)[0]);
  if (!std::isfinite(y) || std::fabs(y) > 1e36)
    return ev.error(args.range, "F2303", "the result has no integer value");
  return Value::integer(static_cast<Int>(y));
}

MaybeValue logarithm(Evaluator &ev, const CallArgs &args) {
  auto x = numbers(ev, args, 1, 2);
  if (!x)
    return std::nullopt;
  if ((*x)[0] <= 0)
    return ev.error(args.range, "F2303", "logarithm of a number that is not positive");
  return Value::floating(x->size() == 2 ? std::log((*x)[0]) / std::log((*x)[1]) : std::log((*x)[0]));
}

template <bool (*Fn)(double)> MaybeValue test(Evaluator &ev, const CallArgs &args) {
  auto x = numbers(ev, args, 1, 1);
  return x ? MaybeValue(Value::boolean(Fn((*x)[0]))) : std::nullopt;
}
bool isNan(double x) { return std::isnan(x); }
bool isInf(double x) { return std::isinf(x); }
bool isFinite(double x) { return std::isfinite(x); }

std::optional<std::vector<Int>> integers(Evaluator &ev, const CallArgs &args) {
  std::vector<Int> values;
  for (const Value &v : args.positional) {
    if (!v.is(Kind::Int) && !v.is(Kind::Bool))
      return ev.error(args.range, "F2302", "expected a compile-time integer, found " + ev.repr(v));
    values.push_back(v.asInt());
  }
  return values;
}

MaybeValue gcd(Evaluator &ev, const CallArgs &args) {
  auto xs = integers(ev, args);
  if (!xs)
    return std::nullopt;
  Int result = 0;
  for (Int x : *xs) {
    Int a = result, b = x < 0 ? -x : x;
    while (b) {
      Int t = a % b;
      a = b;
      b = t;
    }
    result = a;
  }
  return Value::integer(result);
}

MaybeValue isqrt(Evaluator &ev, const CallArgs &args) {
  auto xs = integers(ev, args);
  if (!xs || xs->size() != 1 || (*xs)[0] < 0)
    return xs ? MaybeValue(ev.error(args.range, "F2303", "isqrt takes one integer that is not negative")) : std::nullopt;
  Int x = (*xs)[0], r = static_cast<Int>(std::sqrt(static_cast<double>(x)));
  while (r * r > x)
    --r;
  while ((r + 1) * (r + 1) <= x)
    ++r;
  return Value::integer(r);
}

MaybeValue product(Evaluator &ev, const CallArgs &args) {
  if (args.positional.size() != 1)
    return ev.error(args.range, "F2301", "wrong number of arguments");
  auto items = ev.iterate(args.positional[0], args.range);
  if (!items)
    return std::nullopt;
  Value result = Value::integer(1);
  for (const Value &item : *items) {
    MaybeValue next = ev.binary(ast::BinOpKind::Mult, result, item, args.range);
    if (!next)
      return std::nullopt;
    result = *next;
  }
  return result;
}

struct Function {
  std::string_view name;
  BuiltinFn fn;
};

constexpr Function kMath[] = {
    {"sqrt", unary<std::sqrt>},   {"exp", unary<std::exp>},     {"exp2", unary<std::exp2>},   {"expm1", unary<std::expm1>},
    {"log", logarithm},           {"log2", unary<std::log2>},   {"log10", unary<std::log10>}, {"log1p", unary<std::log1p>},
    {"sin", unary<std::sin>},     {"cos", unary<std::cos>},     {"tan", unary<std::tan>},     {"asin", unary<std::asin>},
    {"acos", unary<std::acos>},   {"atan", unary<std::atan>},   {"sinh", unary<std::sinh>},   {"cosh", unary<std::cosh>},
    {"tanh", unary<std::tanh>},   {"erf", unary<std::erf>},     {"erfc", unary<std::erfc>},   {"fabs", unary<std::fabs>},
    {"pow", binary<std::pow>},    {"atan2", binary<std::atan2>}, {"fmod", binary<std::fmod>}, {"copysign", binary<std::copysign>},
    {"hypot", binary<std::hypot>}, {"ldexp", binary<+[](double x, double e) { return std::ldexp(x, static_cast<int>(e)); }>},
    {"ceil", rounded<std::ceil>}, {"floor", rounded<std::floor>}, {"trunc", rounded<std::trunc>},
    {"isnan", test<isNan>},       {"isinf", test<isInf>},       {"isfinite", test<isFinite>},
    {"gcd", gcd},                 {"isqrt", isqrt},             {"prod", product},
};

template <ast::BinOpKind Op> MaybeValue binaryOperator(Evaluator &ev, const CallArgs &args) {
  if (args.positional.size() != 2)
    return ev.error(args.range, "F2301", "wrong number of arguments");
  return ev.binary(Op, args.positional[0], args.positional[1], args.range);
}
template <ast::CmpOpKind Op> MaybeValue compareOperator(Evaluator &ev, const CallArgs &args) {
  if (args.positional.size() != 2)
    return ev.error(args.range, "F2301", "wrong number of arguments");
  return ev.compare(Op, args.positional[0], args.positional[1], args.range);
}
template <ast::UnaryOpKind Op> MaybeValue unaryOperator(Evaluator &ev, const CallArgs &args) {
  if (args.positional.size() != 1)
    return ev.error(args.range, "F2301", "wrong number of arguments");
  return ev.unary(Op, args.positional[0], args.range);
}

using B = ast::BinOpKind;
using C = ast::CmpOpKind;
using U = ast::UnaryOpKind;
constexpr Function kOperator[] = {
    {"add", binaryOperator<B::Add>},        {"sub", binaryOperator<B::Sub>},      {"mul", binaryOperator<B::Mult>},
    {"truediv", binaryOperator<B::Div>},    {"floordiv", binaryOperator<B::FloorDiv>}, {"mod", binaryOperator<B::Mod>},
    {"pow", binaryOperator<B::Pow>},        {"lshift", binaryOperator<B::LShift>}, {"rshift", binaryOperator<B::RShift>},
    {"and_", binaryOperator<B::BitAnd>},    {"or_", binaryOperator<B::BitOr>},    {"xor", binaryOperator<B::BitXor>},
    {"eq", compareOperator<C::Eq>},         {"ne", compareOperator<C::NotEq>},    {"lt", compareOperator<C::Lt>},
    {"le", compareOperator<C::LtE>},        {"gt", compareOperator<C::Gt>},       {"ge", compareOperator<C::GtE>},
    {"neg", unaryOperator<U::USub>},        {"not_", unaryOperator<U::Not>},      {"inv", unaryOperator<U::Invert>},
};

MaybeValue itertoolsProduct(Evaluator &ev, const CallArgs &args) {
  std::vector<std::vector<Value>> rows{{}};
  for (const Value &arg : args.positional) {
    auto items = ev.iterate(arg, args.range);
    if (!items)
      return std::nullopt;
    std::vector<std::vector<Value>> longer;
    for (const auto &row : rows)
      for (const Value &item : *items) {
        if (!ev.step(args.range))
          return std::nullopt;
        longer.push_back(row);
        longer.back().push_back(item);
      }
    rows = std::move(longer);
  }
  std::vector<Value> result;
  for (auto &row : rows)
    result.push_back(Value::tuple(std::move(row)));
  return Value::list(std::move(result));
}

MaybeValue itertoolsChain(Evaluator &ev, const CallArgs &args) {
  std::vector<Value> result;
  for (const Value &arg : args.positional) {
    auto items = ev.iterate(arg, args.range);
    if (!items)
      return std::nullopt;
    result.insert(result.end(), items->begin(), items->end());
  }
  return Value::list(std::move(result));
}

constexpr Function kItertools[] = {{"product", itertoolsProduct}, {"chain", itertoolsChain}};

template <size_t N>
MaybeValue find(const Function (&table)[N], const ModuleObject &module, std::string_view name) {
  for (const Function &function : table)
    if (function.name == name)
      return builtin(module.name + "." + std::string(name), function.fn);
  return Value::unknown("'" + module.name + "." + std::string(name) + "' is not known when compiling");
}

} // namespace

MaybeValue mathMember(Evaluator &, const ModuleObject &module, std::string_view name) {
  if (name == "pi")
    return Value::floating(std::numbers::pi);
  if (name == "e")
    return Value::floating(std::numbers::e);
  if (name == "tau")
    return Value::floating(2 * std::numbers::pi);
  if (name == "inf")
    return Value::floating(std::numeric_limits<double>::infinity());
  if (name == "nan")
    return Value::floating(std::numeric_limits<double>::quiet_NaN());
  return find(kMath, module, name);
}

MaybeValue operatorMember(Evaluator &, const ModuleObject &module, std::string_view name) { return find(kOperator, module, name); }
MaybeValue itertoolsMember(Evaluator &, const ModuleObject &module, std::string_view name) { return find(kItertools, module, name); }

} // namespace tegula::frontend::sema
