// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making and comparing compile-time values.
#include "frontend/sema/value.h"

#include "frontend/sema/modules.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace tegula::frontend::sema {

std::string intToString(Int value) {
  if (value == 0)
    return "0";
  bool negative = value < 0;
  auto magnitude = negative ? -static_cast<unsigned __int128>(value) : static_cast<unsigned __int128>(value);
  std::string digits;
  for (; magnitude; magnitude /= 10)
    digits += static_cast<char>('0' + static_cast<int>(magnitude % 10));
  if (negative)
    digits += '-';
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::optional<Int> floatToInt(double value) {
  return std::fabs(value) < 1.7e38 ? std::optional(static_cast<Int>(value)) : std::nullopt;
}

Value Value::string(std::string text) {
  auto o = std::make_shared<StrObject>();
  o->text = std::move(text);
  return object(std::move(o));
}

Value Value::tuple(std::vector<Value> items) {
  auto o = std::make_shared<TupleObject>();
  o->items = std::move(items);
  return object(std::move(o));
}

Value Value::list(std::vector<Value> items) {
  auto o = std::make_shared<ListObject>();
  o->items = std::move(items);
  return object(std::move(o));
}

Value Value::dict(std::vector<std::pair<Value, Value>> items) {
  auto o = std::make_shared<DictObject>();
  o->items = std::move(items);
  return object(std::move(o));
}

Value Value::builtin(std::string_view name, BuiltinFn fn) {
  auto o = std::make_shared<BuiltinObject>();
  o->name = name;
  o->fn = fn;
  return object(std::move(o));
}

Value Value::unknown(std::string reason, std::string flag) {
  auto o = std::make_shared<UnknownObject>();
  o->reason = std::move(reason);
  o->flag = std::move(flag);
  return object(std::move(o));
}

void Value::release(std::shared_ptr<Object> object) {
  constexpr unsigned kMaxDepth = 100;
  static thread_local unsigned depth = 0;
  static thread_local std::vector<std::shared_ptr<Object>> *waiting = nullptr;
  if (depth == kMaxDepth) {
    waiting->push_back(std::move(object));
    return;
  }
  std::vector<std::shared_ptr<Object>> deeper;
  if (depth == 0)
    waiting = &deeper;
  ++depth;
  object.reset();
  while (depth == 1 && !deeper.empty()) {
    object = std::move(deeper.back());
    deeper.pop_back();
    object.reset();
  }
  --depth;
}

const std::string &Value::asString() const { return as<StrObject>().text; }

const std::vector<Value> &Value::items() const {
  return tag == Kind::Tuple ? as<TupleObject>().items : as<ListObject>().items;
}

const Value *DictObject::get(const Value &key) const {
  for (const auto &[k, v] : items)
    if (equalValues(k, key))
      return &v;
  return nullptr;
}

const Value *DictObject::get(std::string_view key) const {
  for (const auto &[k, v] : items)
    if (k.is(Kind::Str) && k.asString() == key)
      return &v;
  return nullptr;
}

void DictObject::set(Value key, Value value) {
  for (auto &[k, v] : items)
    if (equalValues(k, key)) {
      v = std::move(value);
      return;
    }
  items.emplace_back(std::move(key), std::move(value));
}

bool DictObject::erase(const Value &key) {
  return std::erase_if(items, [&](const auto &item) { return equalValues(item.first, key); }) != 0;
}

bool identicalValues(const Value &lhs, const Value &rhs) {
  if (lhs.kind() != rhs.kind())
    return false;
  switch (lhs.kind()) {
  case Kind::None:
  case Kind::Ellipsis:
    return true;
  case Kind::Bool:
  case Kind::Int:
    return lhs.asInt() == rhs.asInt();
  case Kind::Float:
    return lhs.asFloat() == rhs.asFloat();
  case Kind::Type:
    return lhs.asType() == rhs.asType();
  case Kind::Tensor:
    return lhs.asTensor().value == rhs.asTensor().value && lhs.asTensor().type == rhs.asTensor().type;
  case Kind::Str:
    return lhs.asString() == rhs.asString();
  case Kind::Builtin:
    return lhs.as<BuiltinObject>().fn == rhs.as<BuiltinObject>().fn && lhs.as<BuiltinObject>().name == rhs.as<BuiltinObject>().name;
  default:
    return lhs.shared().get() == rhs.shared().get();
  }
}

namespace {
using Pairs = std::vector<std::pair<Value, Value>>;

/// Compares what is not inside, and adds to `inside` the pairs that have to be equal as well.
bool equalOutside(const Value &lhs, const Value &rhs, Pairs &inside) {
  if (lhs.isNumber() && rhs.isNumber()) {
    if (lhs.is(Kind::Float) || rhs.is(Kind::Float))
      return lhs.asFloat() == rhs.asFloat();
    return lhs.asInt() == rhs.asInt();
  }
  if (lhs.kind() != rhs.kind())
    return false;
  switch (lhs.kind()) {
  case Kind::Bytes:
    return lhs.as<BytesObject>().bytes == rhs.as<BytesObject>().bytes;
  case Kind::Tuple:
  case Kind::List: {
    const auto &a = lhs.items(), &b = rhs.items();
    if (a.size() != b.size())
      return false;
    for (size_t i = a.size(); i-- > 0;) // the first is compared first
      inside.emplace_back(a[i], b[i]);
    return true;
  }
  case Kind::Dict: {
    const auto &a = lhs.as<DictObject>(), &b = rhs.as<DictObject>();
    return a.items.size() == b.items.size() && std::all_of(a.items.begin(), a.items.end(), [&](const auto &item) {
             const Value *other = b.get(item.first);
             return other && (inside.emplace_back(item.second, *other), true);
           });
  }
  case Kind::Set: {
    const auto &a = lhs.as<SetObject>().items, &b = rhs.as<SetObject>().items;
    return a.size() == b.size() && std::all_of(a.begin(), a.end(), [&](const Value &item) {
             return std::any_of(b.begin(), b.end(), [&](const Value &other) { return equalValues(item, other); });
           });
  }
  case Kind::Range: {
    const auto &a = lhs.as<RangeObject>(), &b = rhs.as<RangeObject>();
    return equalValues(a.lower, b.lower) && equalValues(a.upper, b.upper) && equalValues(a.step, b.step);
  }
  case Kind::BoundMethod: {
    const auto &a = lhs.as<BoundMethodObject>(), &b = rhs.as<BoundMethodObject>();
    return identicalValues(a.self, b.self) && identicalValues(a.function, b.function);
  }
  default:
    return identicalValues(lhs, rhs);
  }
}
} // namespace

// Without recursion, and each pair of objects once: values nest deeply, share their parts and hold themselves.
bool equalValues(const Value &lhs, const Value &rhs) {
  Pairs todo;
  std::set<std::pair<const Object *, const Object *>> seen;
  for (Value a = lhs, b = rhs;;) {
    bool holds = a.kind() == b.kind() && (a.isSequence() || a.is(Kind::Dict));
    bool settled = holds && (identicalValues(a, b) || !seen.emplace(a.shared().get(), b.shared().get()).second);
    if (!settled && !equalOutside(a, b, todo))
      return false;
    if (todo.empty())
      return true;
    std::tie(a, b) = std::move(todo.back());
    todo.pop_back();
  }
}

std::string typeNameOf(const Value &value) {
  switch (value.kind()) {
  case Kind::None: return "None";
  case Kind::Bool: return "bool";
  case Kind::Int: return "int";
  case Kind::Float: return "float";
  case Kind::Ellipsis: return "ellipsis";
  case Kind::Type: return "dtype";
  case Kind::Tensor: return value.asTensor().type.str();
  case Kind::Str: return "str";
  case Kind::Bytes: return "bytes";
  case Kind::Tuple: return value.as<TupleObject>().typeName.empty() ? "tuple" : value.as<TupleObject>().typeName;
  case Kind::List: return "list";
  case Kind::Dict: return "dict";
  case Kind::Set: return "set";
  case Kind::Slice: return "slice";
  case Kind::Range: return "range";
  case Kind::Function: return "function";
  case Kind::Builtin: return "builtin function";
  case Kind::BoundMethod: return "method";
  case Kind::Partial: return "partial";
  case Kind::Module: return "module";
  case Kind::Class: return "type";
  case Kind::Instance: {
    const Value &cls = value.as<InstanceObject>().cls;
    return cls.is(Kind::Class) ? cls.as<ClassObject>().name : "object";
  }
  case Kind::BlockPointer: return "block pointer";
  case Kind::LazyImport: return "module";
  case Kind::Unknown: return "unknown";
  }
  return "object";
}

Value moduleValue(ModuleObject &module) {
  return Value::object(std::shared_ptr<Object>(std::shared_ptr<Object>(), &module));
}

} // namespace tegula::frontend::sema
