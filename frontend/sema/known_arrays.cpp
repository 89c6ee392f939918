// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernel packages compute with at module level from torch and numpy: dtypes and their limits. The rest of both is Unknown.

#include "frontend/sema/evaluator.h"
#include "frontend/sema/known_modules.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace tegula::frontend::sema {

namespace {

/// Limits of a float format: `digits` counts the significand's bits with the hidden one; finite maximum given, since the fp8 formats
/// without infinity do not follow from the exponent range.
struct FloatLimits {
  std::string_view name;
  unsigned bits;
  int digits, minExponent;
  double max;
};
const FloatLimits kFloats[] = {
    {"float64", 64, 53, -1022, std::numeric_limits<double>::max()},
    {"float32", 32, 24, -126, std::numeric_limits<float>::max()},
    {"float16", 16, 11, -14, 65504.0},
    {"bfloat16", 16, 8, -126, 3.38953138925153547590470800371487866880e38},
    {"float8_e4m3fn", 8, 4, -6, 448.0},
    {"float8_e5m2", 8, 3, -14, 57344.0},
    {"float8_e4m3fnuz", 8, 4, -7, 240.0},
    {"float8_e5m2fnuz", 8, 3, -15, 57344.0},
};

struct IntLimits {
  std::string_view name;
  unsigned bits;
  bool isSigned;
};
constexpr IntLimits kInts[] = {
    {"int8", 8, true},   {"int16", 16, true},   {"int32", 32, true},   {"int64", 64, true},
    {"uint8", 8, false}, {"uint16", 16, false}, {"uint32", 32, false}, {"uint64", 64, false},
};

/// Other spellings, and dtypes without limits (an empty canonical name means "itself").
struct Alias {
  std::string_view name, canonical;
};
constexpr Alias kAliases[] = {
    {"half", "float16"}, {"float", "float32"}, {"double", "float64"}, {"short", "int16"}, {"int", "int32"}, {"long", "int64"},
    {"bool", "bool"},    {"bool_", "bool"},    {"complex64", "complex64"}, {"complex128", "complex128"},
};

const FloatLimits *floatLimits(std::string_view name) {
  for (const FloatLimits &f : kFloats)
    if (f.name == name)
      return &f;
  return nullptr;
}
const IntLimits *intLimits(std::string_view name) {
  for (const IntLimits &i : kInts)
    if (i.name == name)
      return &i;
  return nullptr;
}

Value instance(std::string className, std::map<std::string, Value, std::less<>> members) {
  auto cls = std::make_shared<ClassObject>();
  cls->name = std::move(className);
  auto object = std::make_shared<InstanceObject>();
  object->cls = Value::object(cls);
  object->members = std::move(members);
  return Value::object(object);
}

/// The dtype name that an argument of finfo or iinfo stands for; empty where it is no dtype.
std::string dtypeName(const Value &value) {
  if (value.is(Kind::Instance)) {
    const auto &members = value.as<InstanceObject>().members;
    auto it = members.find("__name__");
    return it != members.end() && it->second.is(Kind::Str) ? it->second.asString() : std::string();
  }
  return value.is(Kind::Str) ? value.asString() : std::string();
}

MaybeValue finfo(Evaluator &ev, const CallArgs &args) {
  if (args.positional.size() != 1)
    return ev.error(args.range, "F2301", "wrong number of arguments");
  if (args.positional[0].isUnknown())
    return args.positional[0];
  std::string name = dtypeName(args.positional[0]);
  const FloatLimits *f = floatLimits(name);
  if (!f)
    return ev.error(args.range, "F2302", "finfo takes a floating-point dtype");
  double tiny = std::ldexp(1.0, f->minExponent);
  return instance("finfo", {{"bits", Value::integer(f->bits)},
                            {"max", Value::floating(f->max)},
                            {"min", Value::floating(-f->max)},
                            {"eps", Value::floating(std::ldexp(1.0, 1 - f->digits))},
                            {"tiny", Value::floating(tiny)},
                            {"smallest_normal", Value::floating(tiny)},
                            {"smallest_subnormal", Value::floating(std::ldexp(1.0, f->minExponent - f->digits + 1))},
                            {"dtype", Value::string(name)}});
}

MaybeValue iinfo(Evaluator &ev, const CallArgs &args) {
  if (args.positional.size() != 1)
    return ev.error(args.range, "F2301", "wrong number of arguments");
  if (args.positional[0].isUnknown())
    return args.positional[0];
  const IntLimits *i = intLimits(dtypeName(args.positional[0]));
  if (!i)
    return ev.error(args.range, "F2302", "iinfo takes an integer dtype");
  Int one = 1;
  Int max = (one << (i->isSigned ? i->bits - 1 : i->bits)) - 1;
  return instance("iinfo", {{"bits", Value::integer(i->bits)},
                            {"max", Value::integer(max)},
                            {"min", Value::integer(i->isSigned ? -max - 1 : Int(0))},
                            {"dtype", Value::string(std::string(i->name))}});
}

Value dtype(const std::string &library, std::string_view name) {
  const FloatLimits *f = floatLimits(name);
  const IntLimits *i = intLimits(name);
  unsigned bits = f ? f->bits : i ? i->bits : name == "complex64" ? 64 : name == "complex128" ? 128 : 8;
  return instance(library + ".dtype", {{"__name__", Value::string(std::string(name))},
                                       {"itemsize", Value::integer(bits / 8)},
                                       {"is_floating_point", Value::boolean(f != nullptr)},
                                       {"is_signed", Value::boolean(f || (i && i->isSigned))},
                                       {"is_complex", Value::boolean(name.substr(0, 7) == "complex")}});
}

} // namespace

MaybeValue arrayLibraryMember(Evaluator &, const ModuleObject &module, std::string_view name) {
  if (name == "finfo")
    return builtin(module.name + ".finfo", finfo);
  if (name == "iinfo")
    return builtin(module.name + ".iinfo", iinfo);
  if (name == "inf")
    return Value::floating(std::numeric_limits<double>::infinity());
  if (name == "nan")
    return Value::floating(std::numeric_limits<double>::quiet_NaN());
  if (name == "pi")
    return Value::floating(std::numbers::pi);
  if (name == "e")
    return Value::floating(std::numbers::e);
  if (floatLimits(name) || intLimits(name))
    return dtype(module.name, name);
  for (const Alias &alias : kAliases)
    if (alias.name == name) {
      if (alias.canonical == name)
        return dtype(module.name, name);
      // The same object under both names, as in torch.
      auto &names = module.scope->names;
      auto it = names.find(alias.canonical);
      if (it == names.end())
        it = names.emplace(std::string(alias.canonical), dtype(module.name, alias.canonical)).first;
      return it->second;
    }
  std::string full = module.name + "." + std::string(name);
  if (knownModule(full) && !isOpaqueModule(full))
    return std::nullopt; // a submodule, which the look-up goes on to
  return Value::unknown("'" + full + "' is not known when compiling");
}

} // namespace tegula::frontend::sema
