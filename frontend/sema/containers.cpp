// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Methods of list, tuple, dict and set; subscripts and slices; iteration.
#include "frontend/sema/frame.h"

#include <algorithm>

namespace tegula::frontend::sema {

namespace {

template <typename T> T &self(const CallArgs &args) { return args.positional[0].as<T>(); }

bool arity(Evaluator &ev, const CallArgs &args, size_t least, size_t most) {
  size_t given = args.positional.size() - 1;
  if (given >= least && given <= most)
    return true;
  ev.error(args.range, "F2301", "this method takes " + (least == most ? std::to_string(least) : std::to_string(least) + " to " + std::to_string(most)) +
                                    " arguments, not " + std::to_string(given));
  return false;
}

/// A position in [0, size]; negative counts from the end.
size_t clamped(Int index, size_t size) {
  if (index < 0)
    index += Int(size);
  return static_cast<size_t>(std::clamp(index, Int(0), Int(size)));
}

std::optional<size_t> position(Evaluator &ev, const Value &index, size_t size, ast::Range range) {
  if (!index.is(Kind::Int) && !index.is(Kind::Bool))
    return ev.error(range, "F2302", index.isTensor() ? "an index into a compile-time sequence must be known when compiling"
                                                     : "an index must be an int, not a value of type '" + typeNameOf(index) + "'");
  Int i = index.asInt() < 0 ? index.asInt() + Int(size) : index.asInt();
  if (i < 0 || i >= Int(size))
    return ev.error(range, "F2306", "index " + intToString(index.asInt()) + " is out of range for length " + std::to_string(size));
  return static_cast<size_t>(i);
}

std::optional<std::vector<size_t>> slicePositions(Evaluator &ev, const SliceObject &slice, size_t size, ast::Range range) {
  for (const Value *part : {&slice.lower, &slice.upper, &slice.step})
    if (!part->isNone() && !part->is(Kind::Int) && !part->is(Kind::Bool))
      return ev.error(range, "F2302", "bounds of a slice must be ints known when compiling");
  Int step = slice.step.isNone() ? Int(1) : slice.step.asInt();
  if (step == 0)
    return ev.error(range, "F2303", "the step of a slice must not be zero");
  std::vector<size_t> positions;
  auto bound = [&](const Value &v, Int otherwise) {
    if (v.isNone())
      return otherwise;
    Int i = v.asInt() < 0 ? v.asInt() + Int(size) : v.asInt();
    return step > 0 ? std::clamp(i, Int(0), Int(size)) : std::clamp(i, Int(-1), Int(size) - 1);
  };
  Int from = bound(slice.lower, step > 0 ? Int(0) : Int(size) - 1), to = bound(slice.upper, step > 0 ? Int(size) : Int(-1));
  step = std::clamp(step, -Int(size) - 1, Int(size) + 1); // one step beyond the end is as good as any
  for (Int i = from; step > 0 ? i < to : i > to; i += step)
    positions.push_back(static_cast<size_t>(i));
  return positions;
}

bool contains(const std::vector<Value> &items, const Value &value) {
  return std::any_of(items.begin(), items.end(), [&](const Value &other) { return equalValues(value, other); });
}

/// Before `item` is put into `holder`.
void trackHolder(Evaluator &ev, const Value &holder, const Value &item) {
  if (item.is(Kind::List) || item.is(Kind::Tuple) || item.is(Kind::Dict) || item.is(Kind::Instance) || item.is(Kind::BoundMethod) || item.is(Kind::Partial))
    ev.loader().track(holder.shared());
}

/// May a container change here? What stands under a run-time condition or in a run-time loop is evaluated once, so it can only change containers
/// that are made there too.
bool mayChange(Evaluator &ev, const Value &container, ast::Range range) {
  if (container.shared()->born >= ev.internals().regionStart)
    return true;
  ev.error(range, "F2228", "a " + typeNameOf(container) + " cannot change under a run-time condition or in a run-time loop", "make a new one, as in x = x + [item], or loop with tl.static_range");
  return false;
}

/// A method that changes its container.
template <BuiltinFn Method> MaybeValue changing(Evaluator &ev, const CallArgs &args) { return mayChange(ev, args.positional[0], args.range) ? Method(ev, args) : std::nullopt; }

// ---- list and tuple ----
MaybeValue append(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, 1, 1))
    return std::nullopt;
  trackHolder(ev, args.positional[0], args.positional[1]);
  self<ListObject>(args).items.push_back(args.positional[1]);
  return Value::none();
}
MaybeValue extend(Evaluator &ev, const CallArgs &args) {
  auto items = arity(ev, args, 1, 1) ? ev.iterate(args.positional[1], args.range) : std::nullopt;
  if (!items)
    return std::nullopt;
  auto &list = self<ListObject>(args).items;
  list.insert(list.end(), items->begin(), items->end());
  return Value::none();
}
MaybeValue insert(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, 2, 2))
    return std::nullopt;
  if (!args.positional[1].is(Kind::Int))
    return ev.error(args.range, "F2302", "an index must be an int");
  auto &list = self<ListObject>(args).items;
  list.insert(list.begin() + static_cast<std::ptrdiff_t>(clamped(args.positional[1].asInt(), list.size())), args.positional[2]);
  return Value::none();
}
MaybeValue pop(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, 0, 1))
    return std::nullopt;
  auto &list = self<ListObject>(args).items;
  auto at = position(ev, args.positional.size() > 1 ? args.positional[1] : Value::integer(-1), list.size(), args.range);
  if (!at)
    return std::nullopt;
  Value value = list[*at];
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(*at));
  return value;
}
MaybeValue removeItem(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, 1, 1))
    return std::nullopt;
  auto &list = self<ListObject>(args).items;
  auto at = std::find_if(list.begin(), list.end(), [&](const Value &v) { return equalValues(v, args.positional[1]); });
  if (at == list.end())
    return ev.error(args.range, "F2303", "the value is not in the list");
  list.erase(at);
  return Value::none();
}
MaybeValue index(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, 1, 3))
    return std::nullopt;
  const auto &items = args.positional[0].items();
  for (size_t i = 0; i < items.size(); ++i)
    if (equalValues(items[i], args.positional[1]))
      return Value::integer(Int(i));
  return ev.error(args.range, "F2303", ev.repr(args.positional[1]) + " is not in the " + typeNameOf(args.positional[0]));
}
MaybeValue count(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, 1, 1))
    return std::nullopt;
  const auto &items = args.positional[0].items();
  return Value::integer(std::count_if(items.begin(), items.end(), [&](const Value &v) { return equalValues(v, args.positional[1]); }));
}
MaybeValue reverse(Evaluator &, const CallArgs &args) {
  auto &list = self<ListObject>(args).items;
  std::reverse(list.begin(), list.end());
  return Value::none();
}
MaybeValue sortList(Evaluator &ev, const CallArgs &args) {
  CallArgs call = args;
  MaybeValue sorted = ev.call(*pythonBuiltin("sorted"), call);
  if (!sorted || sorted->isUnknown())
    return sorted;
  self<ListObject>(args).items = sorted->items();
  return Value::none();
}
MaybeValue clearList(Evaluator &, const CallArgs &args) {
  self<ListObject>(args).items.clear();
  return Value::none();
}
MaybeValue copyList(Evaluator &, const CallArgs &args) { return Value::list(args.positional[0].items()); }

// ---- dict ----
MaybeValue get(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, 1, 2))
    return std::nullopt;
  if (const Value *found = self<DictObject>(args).get(args.positional[1]))
    return *found;
  if (args.positional[1].isUnknown())
    return args.positional[1];
  for (const auto &[name, value] : args.keywords)
    if (name == "default")
      return value;
  return args.positional.size() > 2 ? args.positional[2] : Value::none();
}
MaybeValue setDefault(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, 1, 2))
    return std::nullopt;
  auto &dict = self<DictObject>(args);
  if (!dict.get(args.positional[1]))
    dict.set(args.positional[1], args.positional.size() > 2 ? args.positional[2] : Value::none());
  return *dict.get(args.positional[1]);
}
MaybeValue popKey(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, 1, 2))
    return std::nullopt;
  auto &dict = self<DictObject>(args);
  if (const Value *found = dict.get(args.positional[1])) {
    Value value = *found;
    dict.erase(args.positional[1]);
    return value;
  }
  if (args.positional.size() > 2)
    return args.positional[2];
  return ev.error(args.range, "F2307", "there is no key " + ev.repr(args.positional[1]));
}
MaybeValue update(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, 0, 1))
    return std::nullopt;
  auto &dict = self<DictObject>(args);
  if (args.positional.size() > 1) {
    MaybeValue other = ev.call(*pythonBuiltin("dict"), CallArgs{{args.positional[1]}, {}, args.range, {args.range}, {}});
    if (!other || !other->is(Kind::Dict))
      return other;
    for (const auto &[k, v] : other->as<DictObject>().items)
      dict.set(k, v);
  }
  for (const auto &[name, value] : args.keywords)
    dict.set(Value::string(name), value);
  return Value::none();
}
MaybeValue keys(Evaluator &, const CallArgs &args) {
  std::vector<Value> out;
  for (const auto &[k, v] : self<DictObject>(args).items)
    out.push_back(k);
  return Value::list(std::move(out));
}
MaybeValue values(Evaluator &, const CallArgs &args) {
  std::vector<Value> out;
  for (const auto &[k, v] : self<DictObject>(args).items)
    out.push_back(v);
  return Value::list(std::move(out));
}
MaybeValue items(Evaluator &, const CallArgs &args) {
  std::vector<Value> out;
  for (const auto &[k, v] : self<DictObject>(args).items)
    out.push_back(Value::tuple({k, v}));
  return Value::list(std::move(out));
}
MaybeValue copyDict(Evaluator &, const CallArgs &args) { return Value::dict(self<DictObject>(args).items); }
MaybeValue clearDict(Evaluator &, const CallArgs &args) {
  self<DictObject>(args).items.clear();
  return Value::none();
}

// ---- set ----
MaybeValue add(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, 1, 1))
    return std::nullopt;
  auto &set = self<SetObject>(args).items;
  if (!contains(set, args.positional[1]))
    set.push_back(args.positional[1]);
  return Value::none();
}
MaybeValue discard(Evaluator &ev, const CallArgs &args) {
  if (!arity(ev, args, 1, 1))
    return std::nullopt;
  std::erase_if(self<SetObject>(args).items, [&](const Value &v) { return equalValues(v, args.positional[1]); });
  return Value::none();
}
template <ast::BinOpKind Op> MaybeValue combine(Evaluator &ev, const CallArgs &args) {
  Value result = args.positional[0];
  for (size_t i = 1; i < args.positional.size(); ++i) {
    MaybeValue other = ev.call(*pythonBuiltin("set"), CallArgs{{args.positional[i]}, {}, args.range, {args.range}, {}});
    MaybeValue next = other ? ev.binary(Op, result, *other, args.range) : std::nullopt;
    if (!next)
      return std::nullopt;
    result = *next;
  }
  return result;
}
MaybeValue updateSet(Evaluator &ev, const CallArgs &args) {
  MaybeValue all = combine<ast::BinOpKind::BitOr>(ev, args);
  if (all && all->is(Kind::Set) && all->shared() != args.positional[0].shared())
    self<SetObject>(args).items = all->as<SetObject>().items;
  return all ? MaybeValue(Value::none()) : std::nullopt;
}

struct Method {
  Kind kind;
  std::string_view name;
  BuiltinFn fn;
};
constexpr Method kMethods[] = {
    {Kind::List, "append", changing<append>}, {Kind::List, "extend", changing<extend>}, {Kind::List, "insert", changing<insert>}, {Kind::List, "pop", changing<pop>},
    {Kind::List, "remove", changing<removeItem>}, {Kind::List, "index", index}, {Kind::List, "count", count}, {Kind::List, "reverse", changing<reverse>},
    {Kind::List, "sort", changing<sortList>}, {Kind::List, "clear", changing<clearList>}, {Kind::List, "copy", copyList},
    {Kind::Tuple, "index", index}, {Kind::Tuple, "count", count},
    {Kind::Dict, "get", get}, {Kind::Dict, "setdefault", changing<setDefault>}, {Kind::Dict, "pop", changing<popKey>}, {Kind::Dict, "update", changing<update>},
    {Kind::Dict, "keys", keys}, {Kind::Dict, "values", values}, {Kind::Dict, "items", items}, {Kind::Dict, "copy", copyDict},
    {Kind::Dict, "clear", changing<clearDict>},
    {Kind::Set, "add", changing<add>}, {Kind::Set, "discard", changing<discard>}, {Kind::Set, "remove", changing<discard>}, {Kind::Set, "update", changing<updateSet>},
    {Kind::Set, "union", combine<ast::BinOpKind::BitOr>}, {Kind::Set, "intersection", combine<ast::BinOpKind::BitAnd>},
    {Kind::Set, "difference", combine<ast::BinOpKind::Sub>},
};

std::vector<std::string> characters(std::string_view text) {
  std::vector<std::string> out;
  for (char c : text) {
    if ((static_cast<unsigned char>(c) & 0xc0) == 0x80 && !out.empty())
      out.back() += c;
    else
      out.emplace_back(1, c);
  }
  return out;
}

} // namespace

BuiltinFn containerMethod(Kind kind, std::string_view name) {
  for (const Method &method : kMethods)
    if (method.kind == kind && method.name == name)
      return method.fn;
  return nullptr;
}

MaybeValue subscriptContainer(Evaluator &ev, const Value &object, const Value &index, ast::Range range) {
  switch (object.kind()) {
  case Kind::Tuple:
  case Kind::List: {
    const auto &items = object.items();
    if (index.is(Kind::Slice)) {
      auto positions = slicePositions(ev, index.as<SliceObject>(), items.size(), range);
      if (!positions)
        return std::nullopt;
      std::vector<Value> part;
      for (size_t i : *positions)
        part.push_back(items[i]);
      return object.is(Kind::Tuple) ? Value::tuple(std::move(part)) : Value::list(std::move(part));
    }
    auto at = position(ev, index, items.size(), range);
    return at ? MaybeValue(items[*at]) : std::nullopt;
  }
  case Kind::Str: {
    std::vector<std::string> chars = characters(object.asString());
    if (index.is(Kind::Slice)) {
      auto positions = slicePositions(ev, index.as<SliceObject>(), chars.size(), range);
      if (!positions)
        return std::nullopt;
      std::string part;
      for (size_t i : *positions)
        part += chars[i];
      return Value::string(std::move(part));
    }
    auto at = position(ev, index, chars.size(), range);
    return at ? MaybeValue(Value::string(chars[*at])) : std::nullopt;
  }
  case Kind::Dict: {
    if (const Value *found = object.as<DictObject>().get(index))
      return *found;
    return ev.error(range, "F2307", "there is no key " + ev.repr(index));
  }
  case Kind::Range: {
    auto items = ev.iterate(object, range);
    return items ? subscriptContainer(ev, Value::list(std::move(*items)), index, range) : std::nullopt;
  }
  case Kind::Class: {
    const auto &cls = object.as<ClassObject>();
    if (cls.isEnum && index.is(Kind::Str))
      return ev.attribute(object, index.asString(), range);
    return object; // a generic type such as List[int]
  }
  case Kind::Builtin:
    return object;
  case Kind::Function:
    if (object.as<FunctionObject>().functionKind == FunctionKind::Jit)
      return Value::unknown("'" + object.as<FunctionObject>().name + "[grid]' launches a kernel, which does not happen when compiling");
    break;
  case Kind::Instance: {
    bool found = false;
    MaybeValue result = callSpecial(ev, object, "__getitem__", {index}, range, found);
    if (found)
      return result;
    break;
  }
  default:
    break;
  }
  return ev.error(range, "F2309", "a value of type '" + typeNameOf(object) + "' cannot be subscripted");
}

bool assignSubscript(Evaluator &ev, const Value &object, const Value &index, Value value, ast::Range range) {
  if ((object.is(Kind::List) || object.is(Kind::Dict)) && !mayChange(ev, object, range))
    return false;
  if (object.isUnknown())
    return true;
  if (object.is(Kind::Dict) || object.is(Kind::List))
    trackHolder(ev, object, value);
  if (object.is(Kind::Dict)) {
    object.as<DictObject>().set(index, std::move(value));
    return true;
  }
  if (object.is(Kind::List)) {
    auto &items = object.as<ListObject>().items;
    if (!index.is(Kind::Slice)) {
      auto at = position(ev, index, items.size(), range);
      if (at)
        items[*at] = std::move(value);
      return at.has_value();
    }
    auto positions = slicePositions(ev, index.as<SliceObject>(), items.size(), range);
    auto given = positions ? ev.iterate(value, range) : std::nullopt;
    if (!given)
      return false;
    const Value &step = index.as<SliceObject>().step;
    if (!step.isNone() && step.asInt() != 1) {
      if (given->size() != positions->size())
        return ev.error(range, "F2303", "the slice and what is assigned to it differ in length"), false;
      for (size_t i = 0; i < positions->size(); ++i)
        items[(*positions)[i]] = (*given)[i];
      return true;
    }
    size_t at = positions->empty() ? clamped(index.as<SliceObject>().lower.isNone() ? Int(0) : index.as<SliceObject>().lower.asInt(), items.size())
                                   : positions->front();
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(at), items.begin() + static_cast<std::ptrdiff_t>(at + positions->size()));
    items.insert(items.begin() + static_cast<std::ptrdiff_t>(at), given->begin(), given->end());
    return true;
  }
  bool found = false;
  MaybeValue result = callSpecial(ev, object, "__setitem__", {index, std::move(value)}, range, found);
  if (!found)
    ev.error(range, "F2309", "items of a value of type '" + typeNameOf(object) + "' cannot be assigned");
  return result.has_value();
}

std::optional<std::vector<Value>> Evaluator::iterate(const Value &value, ast::Range range) {
  std::vector<Value> out;
  switch (value.kind()) {
  case Kind::Tuple:
  case Kind::List:
    return value.items();
  case Kind::Set:
    return value.as<SetObject>().items;
  case Kind::Dict:
    for (const auto &[k, v] : value.as<DictObject>().items)
      out.push_back(k);
    return out;
  case Kind::Str:
    if (codePoints(value.asString()) > kMaxItems)
      return error(range, "F2305", "the sequence would have more than four million items");
    for (std::string &c : characters(value.asString()))
      out.push_back(Value::string(std::move(c)));
    return out;
  case Kind::Range: {
    const auto &r = value.as<RangeObject>();
    for (const Value *bound : {&r.lower, &r.upper, &r.step})
      if (!bound->is(Kind::Int) && !bound->is(Kind::Bool))
        return error(range, "F3005", "this range must have bounds that are known when compiling");
    Int step = r.step.asInt();
    if (step == 0)
      return error(range, "F2303", "the step of a range must not be zero");
    for (Int i = r.lower.asInt(); step > 0 ? i < r.upper.asInt() : i > r.upper.asInt();) {
      if (out.size() == (1u << 20))
        return error(range, "F2316", "the range has more than a million items");
      out.push_back(Value::integer(i));
      if (__builtin_add_overflow(i, step, &i))
        break;
    }
    return out;
  }
  case Kind::Class:
    if (const auto &cls = value.as<ClassObject>(); cls.isEnum) {
      for (const std::string &name : cls.memberOrder)
        if (const Value &member = cls.members.find(name)->second; member.is(Kind::Instance))
          out.push_back(member);
      return out;
    }
    break;
  case Kind::Unknown:
    truth(value, range); // reports, or captures the reason
    return std::nullopt;
  case Kind::Instance: {
    bool found = false;
    MaybeValue items = callSpecial(*this, value, "__iter__", {}, range, found);
    if (found)
      return items ? iterate(*items, range) : std::nullopt;
    break;
  }
  default:
    break;
  }
  return error(range, "F2311", "a value of type '" + typeNameOf(value) + "' cannot be iterated over");
}

} // namespace tegula::frontend::sema
