// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of Python's builtin types, isinstance, and the tree of exceptions.
#include "frontend/sema/builtin_types.h"

#include "frontend/sema/frame.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace tegula::frontend::sema {

namespace {

const Value *argument(const CallArgs &args) { return args.positional.empty() ? nullptr : &args.positional[0]; }

MaybeValue runtimeConversion(Evaluator &ev, const CallArgs &args, std::string_view type) {
  return ev.error(args.range, "F2302",
                  "'" + std::string(type) + "' converts values that are known when compiling, not one of type '" + typeNameOf(args.positional[0]) +
                      "'",
                  "use .to(dtype)");
}

std::string_view trimmed(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t\n");
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

std::optional<Int> parseInt(std::string_view text, unsigned base) {
  text = trimmed(text);
  bool negative = text.starts_with('-');
  if (negative || text.starts_with('+'))
    text.remove_prefix(1);
  if (text.size() > 2 && text[0] == '0') {
    char prefix = static_cast<char>(text[1] | 0x20);
    unsigned prefixed = prefix == 'x' ? 16 : prefix == 'o' ? 8 : prefix == 'b' ? 2 : 0;
    if (prefixed && (base == prefixed || base == 0)) {
      base = prefixed;
      text.remove_prefix(2);
    }
  }
  base = base ? base : 10;
  if (text.empty())
    return std::nullopt;
  Int value = 0;
  for (char c : text) {
    if (c == '_')
      continue;
    unsigned digit = c >= '0' && c <= '9' ? unsigned(c - '0') : (c | 0x20) >= 'a' && (c | 0x20) <= 'z' ? unsigned((c | 0x20) - 'a' + 10) : 99;
    if (digit >= base || __builtin_mul_overflow(value, Int(base), &value) || __builtin_add_overflow(value, Int(digit), &value))
      return std::nullopt;
  }
  return negative ? -value : value;
}

MaybeValue toInt(Evaluator &ev, const CallArgs &args) {
  const Value *v = argument(args);
  if (!v)
    return Value::integer(0);
  if (v->isTensor())
    return runtimeConversion(ev, args, "int");
  if (v->is(Kind::Float)) {
    auto whole = floatToInt(v->asFloat());
    return whole ? MaybeValue(Value::integer(*whole)) : ev.error(args.range, "F2305", "this float has no int that fits 127 bits");
  }
  if (v->isNumber())
    return Value::integer(v->asInt());
  if (v->is(Kind::Str)) {
    unsigned base = args.positional.size() > 1 && args.positional[1].is(Kind::Int) ? static_cast<unsigned>(args.positional[1].asInt()) : 10;
    if (auto parsed = base <= 36 ? parseInt(v->asString(), base) : std::nullopt)
      return Value::integer(*parsed);
    return ev.error(args.range, "F2303", quoted(v->asString()) + " is not an int");
  }
  bool found = false;
  MaybeValue special = callSpecial(ev, *v, "__int__", {}, args.range, found);
  if (!found && v->is(Kind::Instance))
    if (MaybeValue value = ev.hasAttribute(*v, "value") ? ev.attribute(*v, "value", args.range) : std::nullopt; value && value->is(Kind::Int))
      return value; // IntEnum
  return found ? special : ev.error(args.range, "F2302", "'int' does not take a value of type '" + typeNameOf(*v) + "'");
}

MaybeValue toFloat(Evaluator &ev, const CallArgs &args) {
  const Value *v = argument(args);
  if (!v)
    return Value::floating(0);
  if (v->isTensor())
    return runtimeConversion(ev, args, "float");
  if (v->isNumber())
    return Value::floating(v->asFloat());
  if (!v->is(Kind::Str))
    return ev.error(args.range, "F2302", "'float' does not take a value of type '" + typeNameOf(*v) + "'");
  std::string text(trimmed(v->asString()));
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  std::string_view digits = text;
  double sign = digits.starts_with('-') ? -1 : 1;
  if (digits.starts_with('-') || digits.starts_with('+'))
    digits.remove_prefix(1);
  if (digits == "inf" || digits == "infinity")
    return Value::floating(sign * std::numeric_limits<double>::infinity());
  if (digits == "nan")
    return Value::floating(std::numeric_limits<double>::quiet_NaN());
  double value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (end != digits.data() + digits.size() || digits.empty() || error == std::errc::invalid_argument)
    return ev.error(args.range, "F2303", quoted(v->asString()) + " is not a float");
  if (error == std::errc::result_out_of_range) // infinity or zero, as in Python
    value = std::strtod(std::string(digits).c_str(), nullptr);
  return Value::floating(sign * value);
}

MaybeValue toBool(Evaluator &ev, const CallArgs &args) {
  const Value *v = argument(args);
  auto known = v ? ev.truth(*v, args.range) : std::optional(false);
  return known ? MaybeValue(Value::boolean(*known)) : std::nullopt;
}

MaybeValue toStr(Evaluator &ev, const CallArgs &args) {
  const Value *v = argument(args);
  if (v && v->isTensor())
    return ev.error(args.range, "F2302", "a run-time value has no text when compiling", "use tl.device_print to print it");
  return Value::string(v ? ev.str(*v) : std::string());
}

std::optional<std::vector<Value>> itemsOf(Evaluator &ev, const CallArgs &args) {
  return args.positional.empty() ? std::optional(std::vector<Value>()) : ev.iterate(args.positional[0], args.range);
}

MaybeValue toList(Evaluator &ev, const CallArgs &args) {
  auto items = itemsOf(ev, args);
  return items ? MaybeValue(Value::list(std::move(*items))) : std::nullopt;
}

MaybeValue toTuple(Evaluator &ev, const CallArgs &args) {
  auto items = itemsOf(ev, args);
  return items ? MaybeValue(Value::tuple(std::move(*items))) : std::nullopt;
}

MaybeValue toSet(Evaluator &ev, const CallArgs &args) {
  auto items = itemsOf(ev, args);
  if (!items)
    return std::nullopt;
  auto set = std::make_shared<SetObject>();
  for (Value &item : *items)
    if (std::none_of(set->items.begin(), set->items.end(), [&](const Value &other) { return equalValues(item, other); }))
      set->items.push_back(std::move(item));
  return Value::object(std::move(set));
}

MaybeValue toDict(Evaluator &ev, const CallArgs &args) {
  Value dict = Value::dict();
  auto &target = dict.as<DictObject>();
  if (const Value *v = argument(args)) {
    if (v->is(Kind::Dict)) {
      target.items = v->as<DictObject>().items;
    } else {
      auto items = ev.iterate(*v, args.range);
      if (!items)
        return std::nullopt;
      for (const Value &item : *items) {
        if (!item.isSequence() || item.items().size() != 2)
          return ev.error(args.range, "F2302", "'dict' takes pairs");
        target.set(item.items()[0], item.items()[1]);
      }
    }
  }
  for (const auto &[name, value] : args.keywords)
    target.set(Value::string(name), value);
  return dict;
}

MaybeValue toSlice(Evaluator &, const CallArgs &args) {
  auto slice = std::make_shared<SliceObject>();
  const auto &given = args.positional;
  slice->lower = given.size() > 1 ? given[0] : Value();
  slice->upper = given.empty() ? Value() : given.size() > 1 ? given[1] : given[0];
  slice->step = given.size() > 2 ? given[2] : Value();
  return Value::object(std::move(slice));
}

MaybeValue toBytes(Evaluator &ev, const CallArgs &args) { return ev.error(args.range, "F2309", "bytes cannot be made when compiling"); }

MaybeValue typeOf(Evaluator &ev, const CallArgs &args) {
  const Value *v = argument(args);
  if (!v || args.positional.size() != 1)
    return ev.error(args.range, "F2301", "'type' takes one argument");
  if (v->is(Kind::Instance))
    return v->as<InstanceObject>().cls;
  if (MaybeValue type = builtinType(typeNameOf(*v)))
    return type;
  auto cls = std::make_shared<ClassObject>();
  cls->name = v->isNone() ? "NoneType" : typeNameOf(*v);
  return Value::object(std::move(cls));
}

template <const std::string_view &Name> MaybeValue descriptor(Evaluator &ev, const CallArgs &args) {
  const Value *v = argument(args);
  if (!v)
    return ev.error(args.range, "F2301", "'" + std::string(Name) + "' takes a function");
  auto cls = std::make_shared<ClassObject>();
  cls->name = Name;
  auto instance = std::make_shared<InstanceObject>();
  instance->cls = Value::object(std::move(cls));
  instance->members.emplace("function", *v);
  return Value::object(std::move(instance));
}
constexpr std::string_view kProperty = "property", kStatic = "staticmethod", kClass = "classmethod";

constexpr NamedBuiltin kTypes[] = {
    {"bool", toBool}, {"bytes", toBytes}, {"classmethod", descriptor<kClass>}, {"dict", toDict}, {"float", toFloat}, {"frozenset", toSet},
    {"int", toInt}, {"list", toList}, {"property", descriptor<kProperty>}, {"set", toSet}, {"slice", toSlice},
    {"staticmethod", descriptor<kStatic>}, {"str", toStr}, {"tuple", toTuple}, {"type", typeOf},
};

struct ExceptionEntry {
  std::string_view name, base;
};
constexpr ExceptionEntry kExceptions[] = {
    {"object", ""},
    {"BaseException", "object"},
    {"Exception", "BaseException"},
    {"KeyboardInterrupt", "BaseException"},
    {"SystemExit", "BaseException"},
    {"ArithmeticError", "Exception"},
    {"ZeroDivisionError", "ArithmeticError"},
    {"OverflowError", "ArithmeticError"},
    {"AssertionError", "Exception"},
    {"AttributeError", "Exception"},
    {"ImportError", "Exception"},
    {"ModuleNotFoundError", "ImportError"},
    {"LookupError", "Exception"},
    {"IndexError", "LookupError"},
    {"KeyError", "LookupError"},
    {"NameError", "Exception"},
    {"UnboundLocalError", "NameError"},
    {"OSError", "Exception"},
    {"IOError", "OSError"},
    {"FileNotFoundError", "OSError"},
    {"RuntimeError", "Exception"},
    {"NotImplementedError", "RuntimeError"},
    {"RecursionError", "RuntimeError"},
    {"StopIteration", "Exception"},
    {"TypeError", "Exception"},
    {"ValueError", "Exception"},
    {"Warning", "Exception"},
    {"UserWarning", "Warning"},
    {"DeprecationWarning", "Warning"},
    {"RuntimeWarning", "Warning"},
    {"FutureWarning", "Warning"},
};

bool isNamed(const Value &value, std::string_view type) {
  switch (value.kind()) {
  case Kind::Bool: return type == "bool" || type == "int";
  case Kind::Int: return type == "int";
  case Kind::Float: return type == "float";
  case Kind::Str: return type == "str";
  case Kind::None: return type == "NoneType";
  case Kind::Tuple: return type == "tuple";
  case Kind::Type:
    return type == "dtype" || (type == "pointer_type" && value.asType().isPointer() && !value.asType().isBlock()) ||
           (type == "block_type" && value.asType().isBlock());
  case Kind::Tensor: return type == "tensor";
  case Kind::Function: return type == "JITFunction" && value.as<FunctionObject>().functionKind == FunctionKind::Jit;
  case Kind::BlockPointer: return type == "tensor";
  default: return type == typeNameOf(value);
  }
}
} // namespace

bool isDescriptor(const Value &value, std::string_view kind) {
  if (!value.is(Kind::Instance))
    return false;
  const Value &cls = value.as<InstanceObject>().cls;
  return cls.is(Kind::Class) && cls.as<ClassObject>().name == kind;
}

MaybeValue builtinType(std::string_view name) {
  for (const NamedBuiltin &type : kTypes)
    if (type.name == name)
      return builtin(std::string(name), type.fn);
  return std::nullopt;
}

std::vector<std::string_view> builtinTypeNames() {
  std::vector<std::string_view> names;
  for (const NamedBuiltin &type : kTypes)
    names.push_back(type.name);
  return names;
}

Value exceptionClass(std::string_view name) {
  // Made once: classes compare by identity, and nothing changes them.
  static const std::map<std::string_view, Value> kClasses = [] {
    std::map<std::string_view, Value> classes;
    for (const ExceptionEntry &entry : kExceptions) {
      auto cls = std::make_shared<ClassObject>();
      cls->name = entry.name;
      if (!entry.base.empty())
        cls->bases.push_back(classes.at(entry.base));
      classes.emplace(entry.name, Value::object(std::move(cls)));
    }
    return classes;
  }();
  auto it = kClasses.find(name);
  return it == kClasses.end() ? Value() : it->second;
}

std::optional<bool> isInstance(Evaluator &ev, const Value &value, const Value &cls, ast::Range range) {
  switch (cls.kind()) {
  case Kind::Tuple:
    for (const Value &one : cls.items()) {
      auto result = isInstance(ev, value, one, range);
      if (!result || *result)
        return result;
    }
    return false;
  case Kind::Class: {
    const auto &wanted = cls.as<ClassObject>();
    if (wanted.name == "object")
      return true;
    if (value.is(Kind::Instance)) {
      const Value &own = value.as<InstanceObject>().cls;
      return own.is(Kind::Class) && isSubclass(own.as<ClassObject>(), wanted);
    }
    return isNamed(value, wanted.name);
  }
  case Kind::Builtin: {
    std::string_view name = cls.as<BuiltinObject>().name;
    name.remove_prefix(name.rfind('.') + 1);
    if (name == "constexpr") // in kernels, all that is known when compiling is one
      return value.isConstexprWrapped() || (ev.mode() == Mode::Kernel && !containsTensor(value));
    return isNamed(value, name);
  }
  case Kind::Type:
    return false;
  default:
    // A class that is not known here is none of ours.
    if (cls.isUnknown() && !value.isUnknown())
      return false;
    return ev.error(range, "F2302", "isinstance() takes a type, not a value of type '" + typeNameOf(cls) + "'");
  }
}

} // namespace tegula::frontend::sema
