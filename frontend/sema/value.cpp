// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making and comparing compile-time values.
#include "frontend/sema/value.h"

#include "frontend/sema/modules.h"

#include <algorithm>
#include <cmath>

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

namespace {
bool equalItems(const std::vector<Value> &lhs, const std::vector<Value> &rhs) {
  return std::equal(lhs.begin(), lhs.end(), rhs.begin(), rhs.end(), equalValues);
}
} // namespace

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

bool equalValues(const Value &lhs, const Value &rhs) {
  if (lhs.kind() == rhs.kind() && lhs.isSequence() && identicalValues(lhs, rhs))
    return true; // also where it holds itself
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
  case Kind::List:
    return equalItems(lhs.items(), rhs.items());
  case Kind::Dict: {
    const auto &a = lhs.as<DictObject>(), &b = rhs.as<DictObject>();
    return a.items.size() == b.items.size() && std::all_of(a.items.begin(), a.items.end(), [&](const auto &item) {
             const Value *other = b.get(item.first);
             return other && equalValues(item.second, *other);
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
