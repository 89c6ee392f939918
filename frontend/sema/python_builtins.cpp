// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's builtin functions. Types (int, str, list ...) and exceptions are in builtin_types.cpp.
#include "frontend/sema/builtin_types.h"
#include "frontend/sema/frame.h"
#include "frontend/sema/language.h"

#include <algorithm>
#include <cmath>

namespace tegula::frontend::sema {

namespace {

bool arity(Evaluator &ev, const CallArgs &args, std::string_view name, size_t least, size_t most) {
  if (args.positional.size() >= least && args.positional.size() <= most)
    return true;
  ev.error(args.range, "F2301",
           "'" + std::string(name) + "' takes " + (least == most ? std::to_string(least) : std::to_string(least) + " to " + std::to_string(most)) +
               " arguments, not " + std::to_string(args.positional.size()));
  return false;
}

const Value *keyword(const CallArgs &args, std::string_view name) {
  for (const auto &[key, value] : args.keywords)
    if (key == name)
      return &value;
  return nullptr;
}

MaybeValue callLanguage(Evaluator &ev, std::string_view name, CallArgs args) {
  MaybeValue function = languageFunction(ev, name);
  if (!function)
    return ev.error(args.range, "F2105", "'triton.language' has no name '" + std::string(name) + "'");
  return ev.call(*function, args);
}

/// min and max: tensors pairwise through the language, compile-time values by Python's order.
template <ast::CmpOpKind Op> MaybeValue extremum(Evaluator &ev, const CallArgs &args) {
  constexpr bool isMin = Op == ast::CmpOpKind::Lt;
  std::vector<Value> items = args.positional;
  if (items.size() == 1 && !items[0].isTensor()) {
    auto all = ev.iterate(items[0], args.range);
    if (!all)
      return std::nullopt;
    items = std::move(*all);
  }
  if (items.empty()) {
    if (const Value *otherwise = keyword(args, "default"))
      return *otherwise;
    return ev.error(args.range, "F2303", std::string(isMin ? "min" : "max") + "() of nothing");
  }
  const Value *key = keyword(args, "key");
  auto keyOf = [&](const Value &v) -> MaybeValue {
    return key && !key->isNone() ? ev.call(*key, CallArgs{{v}, {}, args.range, {args.range}, {}}) : MaybeValue(v);
  };
  Value best = items[0];
  MaybeValue bestKey = keyOf(best);
  for (size_t i = 1; bestKey && i < items.size(); ++i) {
    if (best.isTensor() || items[i].isTensor()) {
      MaybeValue next = callLanguage(ev, isMin ? "minimum" : "maximum", CallArgs{{best, items[i]}, {}, args.range, {args.range, args.range}, {}});
      if (!next)
        return std::nullopt;
      best = *next;
      bestKey = next;
      continue;
    }
    MaybeValue itemKey = keyOf(items[i]);
    MaybeValue comparison = itemKey ? ev.compare(Op, *itemKey, *bestKey, args.range) : std::nullopt;
    if (!comparison || comparison->isUnknown())
      return comparison;
    auto better = ev.truth(*comparison, args.range);
    if (!better)
      return std::nullopt;
    if (*better) {
      best = items[i];
      bestKey = itemKey;
    }
  }
  return bestKey ? MaybeValue(best) : std::nullopt;
}

MaybeValue len(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, "len", 1, 1))
    return std::nullopt;
  const Value &v = args.positional[0];
  if (v.is(Kind::Dict))
    return Value::integer(Int(v.as<DictObject>().items.size()));
  if (v.is(Kind::Str))
    return Value::integer(Int(codePoints(v.asString())));
  bool found = false;
  MaybeValue special = callSpecial(ev, v, "__len__", {}, args.range, found);
  if (found)
    return special;
  if (v.isTensor())
    return ev.error(args.range, "F2302", "a tensor has no length", "use its shape");
  auto items = ev.iterate(v, args.range);
  return items ? MaybeValue(Value::integer(Int(items->size()))) : std::nullopt;
}

MaybeValue absolute(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, "abs", 1, 1))
    return std::nullopt;
  const Value &v = args.positional[0];
  if (v.isTensor())
    return callLanguage(ev, "abs", args);
  if (!v.isNumber())
    return ev.error(args.range, "F2302", "abs() takes a number, not a value of type '" + typeNameOf(v) + "'");
  if (v.is(Kind::Float))
    return Value::floating(std::fabs(v.asFloat()));
  return Value::integer(v.asInt() < 0 ? -v.asInt() : v.asInt());
}

MaybeValue sum(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, "sum", 1, 2))
    return std::nullopt;
  auto items = ev.iterate(args.positional[0], args.range);
  if (!items)
    return std::nullopt;
  MaybeValue total = args.positional.size() > 1 ? args.positional[1] : keyword(args, "start") ? *keyword(args, "start") : Value::integer(0);
  for (size_t i = 0; total && i < items->size(); ++i)
    total = ev.binary(ast::BinOpKind::Add, *total, (*items)[i], args.range);
  return total;
}

template <bool Wanted> MaybeValue anyAll(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, Wanted ? "any" : "all", 1, 1))
    return std::nullopt;
  auto items = ev.iterate(args.positional[0], args.range);
  if (!items)
    return std::nullopt;
  MaybeValue unknown;
  for (const Value &item : *items) {
    if (item.isUnknown()) {
      unknown = item;
      continue;
    }
    auto known = ev.truth(item, args.range);
    if (!known)
      return std::nullopt;
    if (*known == Wanted)
      return Value::boolean(Wanted);
  }
  return unknown ? unknown : MaybeValue(Value::boolean(!Wanted));
}

MaybeValue range(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, "range", 1, 3))
    return std::nullopt;
  for (const Value &bound : args.positional)
    if (!bound.is(Kind::Int) && !bound.is(Kind::Bool) && !bound.isTensor())
      return ev.error(args.range, "F2302", "a bound of a range must be an int, not a value of type '" + typeNameOf(bound) + "'");
  auto r = std::make_shared<RangeObject>();
  bool one = args.positional.size() == 1;
  r->lower = one ? Value::integer(0) : args.positional[0];
  r->upper = one ? args.positional[0] : args.positional[1];
  r->step = args.positional.size() > 2 ? args.positional[2] : Value::integer(1);
  return Value::object(std::move(r));
}

MaybeValue enumerate(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, "enumerate", 1, 2))
    return std::nullopt;
  auto items = ev.iterate(args.positional[0], args.range);
  const Value *start = args.positional.size() > 1 ? &args.positional[1] : keyword(args, "start");
  if (!items)
    return std::nullopt;
  Int i = start && start->is(Kind::Int) ? start->asInt() : 0;
  for (Value &item : *items)
    item = Value::tuple({Value::integer(i++), item});
  return Value::list(std::move(*items));
}

MaybeValue zip(Evaluator &ev, const CallArgs &args) {
  std::vector<std::vector<Value>> columns;
  size_t length = SIZE_MAX;
  for (const Value &arg : args.positional) {
    auto items = ev.iterate(arg, args.range);
    if (!items)
      return std::nullopt;
    length = std::min(length, items->size());
    columns.push_back(std::move(*items));
  }
  std::vector<Value> rows;
  for (size_t i = 0; !columns.empty() && i < length; ++i) {
    std::vector<Value> row;
    for (const auto &column : columns)
      row.push_back(column[i]);
    rows.push_back(Value::tuple(std::move(row)));
  }
  return Value::list(std::move(rows));
}

MaybeValue sorted(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, "sorted", 1, 1))
    return std::nullopt;
  auto items = ev.iterate(args.positional[0], args.range);
  if (!items)
    return std::nullopt;
  const Value *key = keyword(args, "key"), *reverse = keyword(args, "reverse");
  std::vector<std::pair<Value, Value>> keyed;
  for (const Value &item : *items) {
    MaybeValue k = key && !key->isNone() ? ev.call(*key, CallArgs{{item}, {}, args.range, {args.range}, {}}) : MaybeValue(item);
    if (!k || k->isUnknown())
      return k;
    keyed.emplace_back(*k, item);
  }
  auto descending = reverse ? ev.truth(*reverse, args.range) : std::optional(false);
  if (!descending)
    return std::nullopt;
  bool failed = false;
  std::stable_sort(keyed.begin(), keyed.end(), [&](const auto &a, const auto &b) {
    if (failed)
      return false;
    MaybeValue less =
        *descending ? ev.compare(ast::CmpOpKind::Lt, b.first, a.first, args.range) : ev.compare(ast::CmpOpKind::Lt, a.first, b.first, args.range);
    failed |= !less || !less->is(Kind::Bool);
    return !failed && less->asBool();
  });
  if (failed)
    return std::nullopt;
  for (size_t i = 0; i < keyed.size(); ++i)
    (*items)[i] = keyed[i].second;
  return Value::list(std::move(*items));
}

MaybeValue reversed(Evaluator &ev, const CallArgs &args) {
  auto items = arity(ev, args, "reversed", 1, 1) ? ev.iterate(args.positional[0], args.range) : std::nullopt;
  if (!items)
    return std::nullopt;
  std::reverse(items->begin(), items->end());
  return Value::list(std::move(*items));
}

MaybeValue map(Evaluator &ev, const CallArgs &args) {
  if (args.positional.size() < 2)
    return ev.error(args.range, "F2301", "'map' takes a function and at least one iterable");
  CallArgs columns = args;
  columns.positional.erase(columns.positional.begin());
  MaybeValue rows = zip(ev, columns);
  if (!rows)
    return std::nullopt;
  std::vector<Value> out;
  for (const Value &row : rows->items()) {
    MaybeValue result = ev.call(args.positional[0], CallArgs{row.items(), {}, args.range, std::vector(row.items().size(), args.range), {}});
    if (!result)
      return std::nullopt;
    out.push_back(*result);
  }
  return Value::list(std::move(out));
}

MaybeValue filter(Evaluator &ev, const CallArgs &args) {
  auto items = arity(ev, args, "filter", 2, 2) ? ev.iterate(args.positional[1], args.range) : std::nullopt;
  if (!items)
    return std::nullopt;
  std::vector<Value> out;
  for (const Value &item : *items) {
    MaybeValue test =
        args.positional[0].isNone() ? MaybeValue(item) : ev.call(args.positional[0], CallArgs{{item}, {}, args.range, {args.range}, {}});
    if (!test || test->isUnknown())
      return test;
    auto known = ev.truth(*test, args.range);
    if (!known)
      return std::nullopt;
    if (*known)
      out.push_back(item);
  }
  return Value::list(std::move(out));
}

MaybeValue isinstance(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, "isinstance", 2, 2))
    return std::nullopt;
  auto result = isInstance(ev, args.positional[0], args.positional[1], args.range);
  return result ? MaybeValue(Value::boolean(*result)) : std::nullopt;
}

MaybeValue issubclass(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, "issubclass", 2, 2))
    return std::nullopt;
  bool classes = args.positional[0].is(Kind::Class) && args.positional[1].is(Kind::Class);
  return Value::boolean(classes && isSubclass(args.positional[0].as<ClassObject>(), args.positional[1].as<ClassObject>()));
}

MaybeValue getattr(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, "getattr", 2, 3))
    return std::nullopt;
  if (!args.positional[1].is(Kind::Str))
    return ev.error(args.range, "F2302", "the name of an attribute must be a string");
  const std::string &name = args.positional[1].asString();
  if (args.positional.size() == 3 && !ev.hasAttribute(args.positional[0], name))
    return args.positional[2];
  return ev.attribute(args.positional[0], name, args.range);
}

MaybeValue hasattr(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, "hasattr", 2, 2))
    return std::nullopt;
  if (!args.positional[1].is(Kind::Str))
    return ev.error(args.range, "F2302", "the name of an attribute must be a string");
  // What a module may have that is not known here is not known either.
  if (args.positional[0].is(Kind::Module) && ev.hasAttribute(args.positional[0], args.positional[1].asString())) {
    MaybeValue value = ev.attribute(args.positional[0], args.positional[1].asString(), args.range);
    if (value && value->isUnknown())
      return value;
  }
  return Value::boolean(ev.hasAttribute(args.positional[0], args.positional[1].asString()));
}

MaybeValue setattr(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, "setattr", 3, 3))
    return std::nullopt;
  if (args.positional[0].is(Kind::Instance) && args.positional[1].is(Kind::Str))
    args.positional[0].as<InstanceObject>().members.insert_or_assign(args.positional[1].asString(), args.positional[2]);
  return Value::none();
}

MaybeValue printValues(Evaluator &ev, const CallArgs &args) {
  if (ev.mode() == Mode::Kernel)
    return callLanguage(ev, "device_print", args);
  return Value::none(); // module level says nothing when a kernel is compiled
}

MaybeValue reprOf(Evaluator &ev, const CallArgs &args) {
  return arity(ev, args, "repr", 1, 1) ? MaybeValue(Value::string(ev.repr(args.positional[0]))) : std::nullopt;
}

MaybeValue roundNumber(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, "round", 1, 2))
    return std::nullopt;
  const Value &v = args.positional[0];
  if (!v.isNumber())
    return ev.error(args.range, "F2302", "round() takes a number known when compiling");
  if (!v.is(Kind::Float))
    return Value::integer(v.asInt());
  if (args.positional.size() == 1 || args.positional[1].isNone()) {
    auto whole = floatToInt(std::nearbyint(v.asFloat()));
    return whole ? MaybeValue(Value::integer(*whole)) : ev.error(args.range, "F2305", "this float has no int that fits 127 bits");
  }
  if (!args.positional[1].is(Kind::Int))
    return ev.error(args.range, "F2302", "the number of digits must be an int");
  char buffer[512];
  int digits = static_cast<int>(std::clamp(args.positional[1].asInt(), Int(-300), Int(300)));
  if (digits < 0) {
    double scale = std::pow(10.0, -digits);
    return Value::floating(std::nearbyint(v.asFloat() / scale) * scale);
  }
  std::snprintf(buffer, sizeof buffer, "%.*f", std::min(digits, 100), v.asFloat());
  return Value::floating(std::strtod(buffer, nullptr));
}

MaybeValue divmod(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, "divmod", 2, 2))
    return std::nullopt;
  MaybeValue q = ev.binary(ast::BinOpKind::FloorDiv, args.positional[0], args.positional[1], args.range);
  MaybeValue r = q ? ev.binary(ast::BinOpKind::Mod, args.positional[0], args.positional[1], args.range) : std::nullopt;
  return r ? MaybeValue(Value::tuple({*q, *r})) : std::nullopt;
}

MaybeValue power(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, "pow", 2, 3))
    return std::nullopt;
  if (args.positional.size() == 2)
    return ev.binary(ast::BinOpKind::Pow, args.positional[0], args.positional[1], args.range);
  for (const Value &v : args.positional)
    if (!v.is(Kind::Int))
      return ev.error(args.range, "F2302", "pow() with a modulus takes ints");
  Int base = args.positional[0].asInt(), exponent = args.positional[1].asInt(), modulus = args.positional[2].asInt();
  if (modulus <= 0 || exponent < 0 || modulus > (Int(1) << 62))
    return ev.error(args.range, "F2303", "pow() takes an exponent from 0 and a modulus from 1 to 2**62");
  Int result = 1 % modulus;
  for (base %= modulus; exponent; exponent >>= 1, base = base * base % modulus)
    if (exponent & 1)
      result = result * base % modulus;
  return Value::integer(result < 0 ? result + modulus : result);
}

MaybeValue callable(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, "callable", 1, 1))
    return std::nullopt;
  const Value &v = args.positional[0];
  bool direct = v.is(Kind::Function) || v.is(Kind::Builtin) || v.is(Kind::BoundMethod) || v.is(Kind::Partial) || v.is(Kind::Class);
  return Value::boolean(direct || (v.is(Kind::Instance) && ev.hasAttribute(v, "__call__")));
}

MaybeValue character(Evaluator &ev, const CallArgs &args) {
  if (args.positional.size() == 1 && args.positional[0].is(Kind::Int) && args.positional[0].asInt() >= 0 && args.positional[0].asInt() < 128)
    return Value::string(std::string(1, static_cast<char>(args.positional[0].asInt())));
  return ev.error(args.range, "F2303", "chr() takes the code of an ASCII character");
}

MaybeValue ordinal(Evaluator &ev, const CallArgs &args) {
  if (args.positional.size() == 1 && args.positional[0].is(Kind::Str) && args.positional[0].asString().size() == 1)
    return Value::integer(static_cast<unsigned char>(args.positional[0].asString()[0]));
  return ev.error(args.range, "F2303", "ord() takes one ASCII character");
}

template <char Type> MaybeValue based(Evaluator &ev, const CallArgs &args) {
  if (args.positional.size() != 1 || !args.positional[0].is(Kind::Int))
    return ev.error(args.range, "F2302", "this function takes an int");
  auto text = formatValue(ev, args.positional[0], std::string("#") + Type, args.range);
  return text ? MaybeValue(Value::string(*text)) : std::nullopt;
}

MaybeValue iter(Evaluator &ev, const CallArgs &args) {
  auto items = arity(ev, args, "iter", 1, 1) ? ev.iterate(args.positional[0], args.range) : std::nullopt;
  return items ? MaybeValue(Value::list(std::move(*items))) : std::nullopt;
}

/// Iterators are lists here; the first item is consumed.
MaybeValue next(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, "next", 1, 2))
    return std::nullopt;
  if (!args.positional[0].is(Kind::List))
    return ev.error(args.range, "F2302", "next() takes an iterator");
  auto &items = args.positional[0].as<ListObject>().items;
  if (items.empty())
    return args.positional.size() > 1 ? MaybeValue(args.positional[1]) : ev.error(args.range, "F2303", "the iterator is at its end");
  Value first = items.front();
  items.erase(items.begin());
  return first;
}

MaybeValue formatBuiltin(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, "format", 1, 2))
    return std::nullopt;
  auto text = formatValue(ev, args.positional[0], args.positional.size() > 1 ? ev.str(args.positional[1]) : "", args.range);
  return text ? MaybeValue(Value::string(*text)) : std::nullopt;
}

constexpr NamedBuiltin kFunctions[] = {
    {"abs", absolute}, {"all", anyAll<false>}, {"any", anyAll<true>}, {"bin", based<'b'>}, {"callable", callable}, {"chr", character},
    {"divmod", divmod}, {"enumerate", enumerate}, {"filter", filter}, {"format", formatBuiltin}, {"getattr", getattr}, {"hasattr", hasattr},
    {"hex", based<'x'>}, {"isinstance", isinstance}, {"issubclass", issubclass}, {"iter", iter}, {"len", len}, {"map", map},
    {"max", extremum<ast::CmpOpKind::Gt>}, {"min", extremum<ast::CmpOpKind::Lt>}, {"next", next}, {"oct", based<'o'>}, {"ord", ordinal},
    {"pow", power}, {"print", printValues}, {"range", range}, {"repr", reprOf}, {"reversed", reversed}, {"round", roundNumber},
    {"setattr", setattr}, {"sorted", sorted}, {"sum", sum}, {"zip", zip},
};

} // namespace

MaybeValue pythonBuiltin(std::string_view name) {
  for (const NamedBuiltin &function : kFunctions)
    if (function.name == name)
      return builtin(std::string(name), function.fn);
  if (MaybeValue type = builtinType(name))
    return type;
  if (Value exception = exceptionClass(name); exception.is(Kind::Class))
    return exception;
  if (name == "NotImplemented")
    return Value::none();
  if (name == "__debug__")
    return Value::boolean(true);
  return std::nullopt;
}

std::vector<std::string_view> pythonBuiltinNames() {
  std::vector<std::string_view> names;
  for (const NamedBuiltin &function : kFunctions)
    names.push_back(function.name);
  for (std::string_view name : builtinTypeNames())
    names.push_back(name);
  return names;
}

} // namespace tegula::frontend::sema
