// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matching a call against a builtin's parameter list.
#include "frontend/sema/evaluator.h"

#include "sdk/base/nearest_name.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>

namespace tegula::frontend::sema {

namespace {
std::string_view trim(std::string_view text) {
  size_t begin = text.find_first_not_of(' ');
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

/// A default as signatures write it: None, a bool, a number, a quoted string or ().
Value literal(std::string_view text) {
  if (text == "True" || text == "False")
    return Value::boolean(text == "True");
  if (text == "None")
    return Value::none();
  if (text == "()")
    return Value::tuple({});
  if (text.starts_with('\'') || text.starts_with('"'))
    return Value::string(std::string(text.substr(1, text.size() - 2)));
  if (text.find_first_of(".e") != std::string_view::npos)
    return Value::floating(std::strtod(std::string(text).c_str(), nullptr));
  return Value::integer(std::strtoll(std::string(text).c_str(), nullptr, 10));
}
} // namespace

std::optional<BoundArgs> BoundArgs::bind(Evaluator &ev, std::string_view builtin, std::string_view signature, const CallArgs &args) {
  BoundArgs bound;
  bound.ev = &ev;
  bound.builtin = builtin;
  bound.call = args.range;
  auto fail = [&](ast::Range range, std::string message, std::string help = {}) {
    return ev.error(range, "F2301", "'" + std::string(builtin) + "' " + message, std::move(help));
  };
  std::vector<bool> required;
  size_t positional = SIZE_MAX; // how many entries a position can name
  std::optional<size_t> star;
  while (!signature.empty()) {
    size_t comma = std::min(signature.find(','), signature.size());
    std::string_view item = trim(signature.substr(0, comma));
    signature.remove_prefix(std::min(comma + 1, signature.size()));
    if (item.starts_with('*')) {
      positional = bound.entries.size();
      if (item.size() > 1) {
        star = bound.entries.size();
        bound.entries.push_back({std::string(item.substr(1)), Value::tuple({}), args.range, false});
        required.push_back(false);
      }
      continue;
    }
    size_t equals = item.find('=');
    bool hasDefault = equals != std::string_view::npos;
    bound.entries.push_back(
        {std::string(trim(item.substr(0, equals))), hasDefault ? literal(trim(item.substr(equals + 1))) : Value(), args.range, false});
    required.push_back(!hasDefault);
  }
  positional = std::min(positional, bound.entries.size());
  std::vector<Value> extra;
  for (size_t i = 0; i < args.positional.size(); ++i) {
    if (i >= positional) {
      extra.push_back(args.positional[i]);
      continue;
    }
    bound.entries[i].value = args.positional[i];
    bound.entries[i].range = i < args.positionalRanges.size() ? args.positionalRanges[i] : args.range;
    bound.entries[i].given = true;
  }
  if (!extra.empty() && !star)
    return fail(args.range, "takes " + std::to_string(positional) + " positional arguments, not " + std::to_string(args.positional.size()));
  if (star) {
    bound.entries[*star].given = !extra.empty();
    bound.entries[*star].value = Value::tuple(std::move(extra));
  }
  for (size_t i = 0; i < args.keywords.size(); ++i) {
    const auto &[name, value] = args.keywords[i];
    ast::Range range = i < args.keywordRanges.size() ? args.keywordRanges[i] : args.range;
    if (name == "_semantic" || name == "_builder" || name == "_generator") // what the language's Python sources pass around
      continue;
    auto entry = std::find_if(bound.entries.begin(), bound.entries.end(), [&, &name = name](const Entry &e) { return e.name == name; });
    if (entry == bound.entries.end()) {
      std::vector<std::string> names;
      for (const Entry &e : bound.entries)
        names.push_back(e.name);
      return fail(range, "has no parameter '" + name + "'", base::didYouMean(name, names));
    }
    if (entry->given)
      return fail(range, "is given '" + name + "' twice");
    entry->value = value;
    entry->range = range;
    entry->given = true;
  }
  for (size_t i = 0; i < bound.entries.size(); ++i)
    if (required[i] && !bound.entries[i].given)
      return fail(args.range, "needs a value for '" + bound.entries[i].name + "'");
  return bound;
}

const Value &BoundArgs::operator[](std::string_view name) const {
  for (const Entry &entry : entries)
    if (entry.name == name)
      return entry.value;
  assert(false && "a name of the signature");
  static const Value kNone;
  return kNone;
}

bool BoundArgs::given(std::string_view name) const {
  return std::any_of(entries.begin(), entries.end(), [&](const Entry &e) { return e.name == name && e.given; });
}

ast::Range BoundArgs::range(std::string_view name) const {
  for (const Entry &entry : entries)
    if (entry.name == name)
      return entry.range;
  return call;
}

ast::Range BoundArgs::callRange() const { return call; }

namespace {
std::nullopt_t wrongType(Evaluator &ev, std::string_view builtin, std::string_view name, std::string_view wanted, const Value &value,
                         ast::Range range) {
  if (value.isUnknown()) {
    ev.truth(value, range); // says why it is unknown
    return std::nullopt;
  }
  std::string found = value.isTensor() ? "a run-time value of type '" + typeNameOf(value) + "'" : "a value of type '" + typeNameOf(value) + "'";
  return ev.error(range, "F2302", "'" + std::string(name) + "' of '" + std::string(builtin) + "' must be " + std::string(wanted) + ", not " + found);
}
} // namespace

std::optional<int64_t> BoundArgs::integer(std::string_view name) const {
  const Value &value = (*this)[name];
  if ((value.is(Kind::Int) || value.is(Kind::Bool)) && value.asInt() == Int(static_cast<int64_t>(value.asInt())))
    return static_cast<int64_t>(value.asInt());
  return wrongType(*ev, builtin, name, "an int known when compiling", value, range(name));
}

std::optional<bool> BoundArgs::boolean(std::string_view name) const {
  const Value &value = (*this)[name];
  if (value.is(Kind::Bool) || value.is(Kind::Int))
    return value.asInt() != 0;
  if (value.isNone())
    return false;
  return wrongType(*ev, builtin, name, "a bool known when compiling", value, range(name));
}

std::optional<std::string> BoundArgs::string(std::string_view name) const {
  const Value &value = (*this)[name];
  if (value.is(Kind::Str))
    return value.asString();
  return wrongType(*ev, builtin, name, "a string", value, range(name));
}

std::optional<Type> BoundArgs::type(std::string_view name) const {
  const Value &value = (*this)[name];
  if (value.is(Kind::Type))
    return value.asType();
  return wrongType(*ev, builtin, name, "a dtype", value, range(name));
}

std::optional<Shape> BoundArgs::shape(std::string_view name) const {
  const Value &value = (*this)[name];
  const Value *sequence = &value;
  // shape(*dims) given one list: f(x, [1, 2]) and f(x, 1, 2) mean the same.
  if (value.isSequence() && value.items().size() == 1 && value.items()[0].isSequence())
    sequence = &value.items()[0];
  std::vector<Value> items = sequence->isSequence() ? sequence->items() : std::vector<Value>{*sequence};
  Shape shape;
  for (const Value &item : items) {
    if (!item.is(Kind::Int) && !item.is(Kind::Bool))
      return wrongType(*ev, builtin, name, "ints known when compiling", item, range(name));
    shape.push_back(static_cast<int64_t>(item.asInt()));
  }
  return shape;
}

} // namespace tegula::frontend::sema
