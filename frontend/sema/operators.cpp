// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's binary operators and comparisons on compile-time values.
#include "frontend/sema/frame.h"

#include <algorithm>
#include <cmath>

namespace tegula::frontend::sema {

std::string_view spelling(ast::BinOpKind op) {
  static constexpr std::string_view kSpellings[] = {"+", "-", "*", "@", "/", "%", "**", "<<", ">>", "|", "^", "&", "//"};
  return kSpellings[static_cast<unsigned>(op)];
}

std::string_view spelling(ast::CmpOpKind op) {
  static constexpr std::string_view kSpellings[] = {"==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in"};
  return kSpellings[static_cast<unsigned>(op)];
}

namespace {


MaybeValue unsupported(Evaluator &ev, std::string_view op, const Value &lhs, const Value &rhs, ast::Range range) {
  return ev.error(range, "F2309",
                  "'" + std::string(op) + "' does not work on values of types '" + typeNameOf(lhs) + "' and '" + typeNameOf(rhs) + "'");
}

MaybeValue overflow(Evaluator &ev, ast::Range range) { return ev.error(range, "F2305", "integers beyond 127 bits are not supported"); }
MaybeValue zeroDivision(Evaluator &ev, ast::Range range) { return ev.error(range, "F2304", "division by zero"); }

Int floorDiv(Int a, Int b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
Int floorMod(Int a, Int b) { return a - floorDiv(a, b) * b; }

double floorMod(double a, double b) {
  double r = std::fmod(a, b);
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

MaybeValue intPower(Evaluator &ev, Int base, Int exponent, ast::Range range) {
  Int result = 1;
  while (exponent > 0) {
    if ((exponent & 1) && __builtin_mul_overflow(result, base, &result))
      return overflow(ev, range);
    exponent >>= 1;
    if (exponent && __builtin_mul_overflow(base, base, &base))
      return overflow(ev, range);
  }
  return Value::integer(result);
}

MaybeValue intBinary(Evaluator &ev, ast::BinOpKind op, Int a, Int b, ast::Range range) {
  using enum ast::BinOpKind;
  Int r = 0;
  switch (op) {
  case Add: return __builtin_add_overflow(a, b, &r) ? overflow(ev, range) : Value::integer(r);
  case Sub: return __builtin_sub_overflow(a, b, &r) ? overflow(ev, range) : Value::integer(r);
  case Mult: return __builtin_mul_overflow(a, b, &r) ? overflow(ev, range) : Value::integer(r);
  case Div: return b == 0 ? zeroDivision(ev, range) : Value::floating(static_cast<double>(a) / static_cast<double>(b));
  case FloorDiv: return b == 0 ? zeroDivision(ev, range) : Value::integer(floorDiv(a, b));
  case Mod: return b == 0 ? zeroDivision(ev, range) : Value::integer(floorMod(a, b));
  case Pow:
    if (b < 0)
      return a == 0 ? zeroDivision(ev, range) : Value::floating(std::pow(static_cast<double>(a), static_cast<double>(b)));
    return intPower(ev, a, b, range);
  case LShift:
  case RShift:
    if (b < 0)
      return ev.error(range, "F2303", "negative shift count");
    if (op == RShift)
      return Value::integer(b > 126 ? (a < 0 ? Int(-1) : Int(0)) : a >> b);
    if (a == 0)
      return Value::integer(0);
    if (b > 126 || (((a << b) >> b) != a))
      return overflow(ev, range);
    return Value::integer(a << b);
  case BitOr: return Value::integer(a | b);
  case BitXor: return Value::integer(a ^ b);
  case BitAnd: return Value::integer(a & b);
  case MatMult: break;
  }
  return std::nullopt;
}

MaybeValue numberBinary(Evaluator &ev, ast::BinOpKind op, const Value &lhs, const Value &rhs, ast::Range range) {
  using enum ast::BinOpKind;
  if (op == MatMult)
    return unsupported(ev, "@", lhs, rhs, range);
  if (lhs.is(Kind::Bool) && rhs.is(Kind::Bool) && (op == BitOr || op == BitAnd || op == BitXor)) {
    bool a = lhs.asBool(), b = rhs.asBool();
    return Value::boolean(op == BitOr ? (a || b) : op == BitAnd ? (a && b) : a != b);
  }
  if (!lhs.is(Kind::Float) && !rhs.is(Kind::Float))
    return intBinary(ev, op, lhs.asInt(), rhs.asInt(), range);
  double a = lhs.asFloat(), b = rhs.asFloat();
  switch (op) {
  case Add: return Value::floating(a + b);
  case Sub: return Value::floating(a - b);
  case Mult: return Value::floating(a * b);
  case Div: return b == 0 ? zeroDivision(ev, range) : Value::floating(a / b);
  case FloorDiv: return b == 0 ? zeroDivision(ev, range) : Value::floating((a - floorMod(a, b)) / b);
  case Mod: return b == 0 ? zeroDivision(ev, range) : Value::floating(floorMod(a, b));
  case Pow: return Value::floating(std::pow(a, b));
  default: return unsupported(ev, spelling(op), lhs, rhs, range);
  }
}

std::optional<std::string> repeated(std::string_view text, Int times) {
  if (times > 0 && static_cast<unsigned __int128>(times) * text.size() > kMaxText)
    return std::nullopt;
  std::string result;
  for (Int i = 0; i < times; ++i)
    result += text;
  return result;
}

MaybeValue repeatSequence(Evaluator &ev, const Value &sequence, Int times, ast::Range range) {
  std::vector<Value> items;
  if (times > 0 && static_cast<unsigned __int128>(times) * sequence.items().size() > kMaxItems)
    return ev.error(range, "F2305", "the sequence would have more than four million items");
  for (Int i = 0; i < times; ++i)
    items.insert(items.end(), sequence.items().begin(), sequence.items().end());
  return sequence.is(Kind::Tuple) ? Value::tuple(std::move(items)) : Value::list(std::move(items));
}

MaybeValue setBinary(ast::BinOpKind op, const SetObject &lhs, const SetObject &rhs) {
  auto contains = [](const SetObject &set, const Value &v) {
    return std::any_of(set.items.begin(), set.items.end(), [&](const Value &other) { return equalValues(v, other); });
  };
  auto result = std::make_shared<SetObject>();
  using enum ast::BinOpKind;
  for (const Value &v : lhs.items)
    if (op == BitOr || contains(rhs, v) == (op == BitAnd))
      result->items.push_back(v);
  if (op == BitOr || op == BitXor)
    for (const Value &v : rhs.items)
      if (!contains(lhs, v))
        result->items.push_back(v);
  return Value::object(std::move(result));
}

/// __add__ and __radd__ and their like, of instances.
MaybeValue specialBinary(Evaluator &ev, ast::BinOpKind op, const Value &lhs, const Value &rhs, ast::Range range, bool &found) {
  static constexpr std::string_view kNames[] = {"add",    "sub",    "mul", "matmul", "truediv", "mod",     "pow",
                                                "lshift", "rshift", "or",  "xor",    "and",     "floordiv"};
  std::string name(kNames[static_cast<unsigned>(op)]);
  MaybeValue result = callSpecial(ev, lhs, "__" + name + "__", {rhs}, range, found);
  return found ? result : callSpecial(ev, rhs, "__r" + name + "__", {lhs}, range, found);
}

MaybeValue containerBinary(Evaluator &ev, ast::BinOpKind op, const Value &lhs, const Value &rhs, ast::Range range) {
  using enum ast::BinOpKind;
  if (op == Add) {
    if (lhs.is(Kind::Str) && rhs.is(Kind::Str)) {
      if (lhs.asString().size() + rhs.asString().size() > kMaxText)
        return ev.error(range, "F2305", "the string would be longer than 16 MiB");
      return Value::string(lhs.asString() + rhs.asString());
    }
    if (lhs.isSequence() && rhs.isSequence()) {
      if (lhs.items().size() + rhs.items().size() > kMaxItems)
        return ev.error(range, "F2305", "the sequence would have more than four million items");
      // Shapes are tuples and kernels write them as lists, so both mix.
      std::vector<Value> items = lhs.items();
      items.insert(items.end(), rhs.items().begin(), rhs.items().end());
      return lhs.is(Kind::Tuple) ? Value::tuple(std::move(items)) : Value::list(std::move(items));
    }
  }
  if (op == Mult) {
    const Value &sequence = lhs.isNumber() ? rhs : lhs, &count = lhs.isNumber() ? lhs : rhs;
    if (count.is(Kind::Int) || count.is(Kind::Bool)) {
      if (sequence.isSequence())
        return repeatSequence(ev, sequence, count.asInt(), range);
      if (sequence.is(Kind::Str)) {
        auto text = repeated(sequence.asString(), count.asInt());
        return text ? MaybeValue(Value::string(std::move(*text))) : ev.error(range, "F2305", "the string would be longer than 16 MiB");
      }
    }
  }
  if (op == Mod && lhs.is(Kind::Str)) {
    auto text = percentFormat(ev, lhs.asString(), rhs, range);
    return text ? MaybeValue(Value::string(std::move(*text))) : std::nullopt;
  }
  if (op == BitOr && lhs.is(Kind::Dict) && rhs.is(Kind::Dict)) {
    Value merged = Value::dict(lhs.as<DictObject>().items);
    for (const auto &[k, v] : rhs.as<DictObject>().items)
      merged.as<DictObject>().set(k, v);
    return merged;
  }
  if (lhs.is(Kind::Set) && rhs.is(Kind::Set) && (op == BitOr || op == BitAnd || op == Sub || op == BitXor))
    return setBinary(op, lhs.as<SetObject>(), rhs.as<SetObject>());
  // Annotations such as `int | None`.
  auto isTypeLike = [](const Value &v) { return v.isNone() || v.is(Kind::Class) || v.is(Kind::Builtin) || v.is(Kind::Type); };
  if (op == BitOr && isTypeLike(lhs) && isTypeLike(rhs))
    return Value::tuple({lhs, rhs});
  return unsupported(ev, spelling(op), lhs, rhs, range);
}

/// -1, 0, 1, or 2 for unordered (NaN); nullopt where the types have no order.
std::optional<int> order(Value lhs, Value rhs) {
  while (lhs.isSequence() && lhs.kind() == rhs.kind()) { // the first items that differ decide; they may be sequences, to any depth
    const auto &a = lhs.items(), &b = rhs.items();
    size_t shorter = std::min(a.size(), b.size()), i = 0;
    while (i < shorter && equalValues(a[i], b[i]))
      ++i;
    if (i == shorter)
      return a.size() < b.size() ? -1 : a.size() > b.size();
    Value left = a[i], right = b[i];
    lhs = std::move(left);
    rhs = std::move(right);
  }
  if (lhs.isNumber() && rhs.isNumber()) {
    if (lhs.is(Kind::Float) || rhs.is(Kind::Float)) {
      double a = lhs.asFloat(), b = rhs.asFloat();
      return std::isnan(a) || std::isnan(b) ? 2 : a < b ? -1 : a > b;
    }
    return lhs.asInt() < rhs.asInt() ? -1 : lhs.asInt() > rhs.asInt();
  }
  if (lhs.is(Kind::Str) && rhs.is(Kind::Str)) {
    int c = lhs.asString().compare(rhs.asString());
    return c < 0 ? -1 : c > 0;
  }
  return std::nullopt;
}

std::optional<bool> contains(Evaluator &ev, const Value &container, const Value &item, ast::Range range) {
  if (container.is(Kind::Str)) {
    if (item.is(Kind::Str))
      return container.asString().find(item.asString()) != std::string::npos;
    return ev.error(range, "F2309", "'in <str>' needs a str on its left");
  }
  if (container.is(Kind::Dict))
    return container.as<DictObject>().get(item) != nullptr;
  bool found = false;
  MaybeValue special = callSpecial(ev, container, "__contains__", {item}, range, found);
  if (found)
    return special ? ev.truth(*special, range) : std::nullopt;
  auto items = ev.iterate(container, range);
  if (!items)
    return std::nullopt;
  return std::any_of(items->begin(), items->end(), [&](const Value &other) { return equalValues(item, other); });
}
} // namespace

MaybeValue hostBinary(Evaluator &ev, ast::BinOpKind op, const Value &lhs, const Value &rhs, ast::Range range) {
  MaybeValue result;
  if (lhs.isNumber() && rhs.isNumber()) {
    result = numberBinary(ev, op, lhs, rhs, range);
  } else {
    bool found = false;
    result = specialBinary(ev, op, lhs, rhs, range, found);
    if (!found)
      result = containerBinary(ev, op, lhs, rhs, range);
  }
  if (result && (lhs.isConstexprWrapped() || rhs.isConstexprWrapped()))
    return result->wrappedConstexpr();
  return result;
}

MaybeValue hostCompare(Evaluator &ev, ast::CmpOpKind op, const Value &lhs, const Value &rhs, ast::Range range) {
  using enum ast::CmpOpKind;
  auto result = [&](bool b) {
    Value v = Value::boolean(b);
    return lhs.isConstexprWrapped() || rhs.isConstexprWrapped() ? v.wrappedConstexpr() : v;
  };
  if (op == In || op == NotIn) {
    auto found = contains(ev, rhs, lhs, range);
    return found ? MaybeValue(result(*found == (op == In))) : std::nullopt;
  }
  if (lhs.is(Kind::Instance) || rhs.is(Kind::Instance)) {
    static constexpr std::pair<std::string_view, std::string_view> kNames[] = {{"__eq__", "__eq__"}, {"__ne__", "__ne__"}, {"__lt__", "__gt__"},
                                                                              {"__le__", "__ge__"}, {"__gt__", "__lt__"}, {"__ge__", "__le__"}};
    bool found = false;
    MaybeValue special = callSpecial(ev, lhs, kNames[static_cast<unsigned>(op)].first, {rhs}, range, found);
    if (!found)
      special = callSpecial(ev, rhs, kNames[static_cast<unsigned>(op)].second, {lhs}, range, found);
    if (found)
      return special;
  }
  if (op == Eq || op == NotEq)
    return result(equalValues(lhs, rhs) == (op == Eq));
  if (lhs.is(Kind::Set) && rhs.is(Kind::Set)) {
    auto subset = [](const SetObject &a, const SetObject &b) {
      return std::all_of(a.items.begin(), a.items.end(), [&](const Value &v) {
        return std::any_of(b.items.begin(), b.items.end(), [&](const Value &other) { return equalValues(v, other); });
      });
    };
    const auto &a = lhs.as<SetObject>(), &b = rhs.as<SetObject>();
    bool less = op == Lt || op == LtE, strict = op == Lt || op == Gt;
    return result((less ? subset(a, b) : subset(b, a)) && (!strict || a.items.size() != b.items.size()));
  }
  auto relation = order(lhs, rhs);
  if (!relation)
    return unsupported(ev, spelling(op), lhs, rhs, range);
  switch (op) {
  case Lt: return result(*relation == -1);
  case LtE: return result(*relation == -1 || *relation == 0);
  case Gt: return result(*relation == 1);
  default: return result(*relation == 1 || *relation == 0);
  }
}

} // namespace tegula::frontend::sema
