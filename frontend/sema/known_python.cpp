// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// os and sys, importlib, packaging.version, and the modules that only give Python its types (typing, enum, collections, functools, ...).

#include "frontend/sema/decorators.h"
#include "frontend/sema/evaluator.h"
#include "frontend/sema/known_modules.h"

#include <cstdlib>

extern char **environ;

namespace tegula::frontend::sema {

namespace {

Value unknownMember(const ModuleObject &module, std::string_view name) {
  return Value::unknown("'" + module.name + "." + std::string(name) + "' is not known when compiling");
}

Value environment() {
  auto dict = std::make_shared<DictObject>();
  for (char **entry = environ; entry && *entry; ++entry) {
    std::string_view text(*entry);
    size_t equals = text.find('=');
    if (equals != std::string_view::npos)
      dict->items.emplace_back(Value::string(std::string(text.substr(0, equals))), Value::string(std::string(text.substr(equals + 1))));
  }
  return Value::object(dict);
}

MaybeValue getenv(Evaluator &ev, const CallArgs &args) {
  if (args.positional.empty() || !args.positional[0].is(Kind::Str))
    return ev.error(args.range, "F2302", "getenv takes the name of a variable");
  if (const char *value = std::getenv(args.positional[0].asString().c_str()))
    return Value::string(value);
  if (args.positional.size() > 1)
    return args.positional[1];
  for (const auto &[name, value] : args.keywords)
    if (name == "default")
      return value;
  return Value::none();
}

Value integers(std::initializer_list<int> items) {
  std::vector<Value> values;
  for (int i : items)
    values.push_back(Value::integer(i));
  return Value::tuple(std::move(values));
}

/// A version as something that compares as versions do: the numbers of its release segment without trailing zeros, then -1 where it is a
/// pre-release ("3.4.0rc1" is before "3.4"). Local parts ("+cu118") do not count.
MaybeValue version(Evaluator &ev, const CallArgs &args) {
  if (args.positional.size() == 1 && args.positional[0].isUnknown())
    return args.positional[0];
  if (args.positional.size() != 1 || !args.positional[0].is(Kind::Str))
    return ev.error(args.range, "F2302", "a version is made from a string");
  const std::string &text = args.positional[0].asString();
  std::vector<int> numbers;
  bool pre = false;
  size_t i = text.size() > 1 && (text[0] == 'v' || text[0] == 'V') ? 1 : 0;
  while (i < text.size() && isdigit(static_cast<unsigned char>(text[i]))) {
    int n = 0;
    while (i < text.size() && isdigit(static_cast<unsigned char>(text[i])) && n < 100000000)
      n = n * 10 + (text[i++] - '0');
    numbers.push_back(n);
    if (i < text.size() && text[i] == '.')
      ++i;
  }
  if (i < text.size() && text[i] != '+' && text.compare(i, 4, "post") != 0)
    pre = true;
  if (numbers.empty())
    return ev.error(args.range, "F2302", "'" + text + "' is not a version");
  while (!numbers.empty() && numbers.back() == 0)
    numbers.pop_back();
  std::vector<Value> values;
  for (int n : numbers)
    values.push_back(Value::integer(n));
  if (pre)
    values.push_back(Value::integer(-1));
  return Value::tuple(std::move(values));
}

Value emptyClass(std::string name, bool isEnum = false) {
  auto cls = std::make_shared<ClassObject>();
  cls->name = std::move(name);
  cls->isEnum = isEnum;
  return Value::object(cls);
}

MaybeValue partial(Evaluator &ev, const CallArgs &args) {
  if (args.positional.empty())
    return ev.error(args.range, "F2301", "partial takes a function");
  auto bound = std::make_shared<PartialObject>();
  bound->function = args.positional[0];
  bound->args = args;
  bound->args.positional.erase(bound->args.positional.begin());
  if (!bound->args.positionalRanges.empty())
    bound->args.positionalRanges.erase(bound->args.positionalRanges.begin());
  return Value::object(bound);
}

MaybeValue reduce(Evaluator &ev, const CallArgs &args) {
  if (args.positional.size() < 2 || args.positional.size() > 3)
    return ev.error(args.range, "F2301", "wrong number of arguments");
  auto items = ev.iterate(args.positional[1], args.range);
  if (!items)
    return std::nullopt;
  std::optional<Value> result;
  if (args.positional.size() == 3)
    result = args.positional[2];
  for (const Value &item : *items) {
    if (!result) {
      result = item;
      continue;
    }
    CallArgs pair;
    pair.range = args.range;
    pair.positional = {*result, item};
    pair.positionalRanges = {args.range, args.range};
    result = ev.call(args.positional[0], pair);
    if (!result)
      return std::nullopt;
  }
  if (!result)
    return ev.error(args.range, "F2303", "reduce of an empty sequence without a first value");
  return result;
}

/// A decorator, or a factory of decorators, that leaves what it decorates as it is.
MaybeValue sameFunction(Evaluator &, const CallArgs &args) {
  bool decorates = args.positional.size() == 1 && args.keywords.empty() &&
                   (args.positional[0].is(Kind::Function) || args.positional[0].is(Kind::Class));
  return decorates ? args.positional[0] : builtin("decorator", sameFunction);
}
MaybeValue decoratorFactory(Evaluator &, const CallArgs &) { return builtin("decorator", sameFunction); }

/// Modules that were not found may be there where the program runs.
MaybeValue findSpec(Evaluator &ev, const CallArgs &args) {
  if (args.positional.empty() || !args.positional[0].is(Kind::Str))
    return ev.error(args.range, "F2302", "find_spec takes the name of a module");
  const std::string &name = args.positional[0].asString();
  if (ev.loader().import(name, nullptr, 0)->member == missingModuleMember)
    return Value::unknown("whether there is a module '" + name + "' is not known when compiling");
  auto spec = std::make_shared<InstanceObject>(), moduleLoader = std::make_shared<InstanceObject>();
  moduleLoader->cls = emptyClass("ModuleLoader");
  // Modules are read when something of them is asked for.
  moduleLoader->members["exec_module"] = builtin("exec_module", [](Evaluator &, const CallArgs &) -> MaybeValue { return Value::none(); });
  spec->cls = emptyClass("ModuleSpec");
  spec->members["name"] = args.positional[0];
  spec->members["loader"] = Value::object(std::move(moduleLoader));
  return Value::object(std::move(spec));
}

MaybeValue importModule(Evaluator &ev, const CallArgs &args) {
  if (args.positional.size() != 1 || !args.positional[0].is(Kind::Str))
    return Value::unknown("only modules that are named in full are known when compiling");
  auto lazy = std::make_shared<LazyImportObject>();
  lazy->module = args.positional[0].asString();
  return ev.loader().resolve(ev, Value::object(std::move(lazy)));
}

MaybeValue moduleFromSpec(Evaluator &ev, const CallArgs &args) {
  if (args.positional.size() != 1 || !args.positional[0].is(Kind::Instance) || !args.positional[0].as<InstanceObject>().members.contains("name"))
    return Value::unknown("what a module specification describes is not known when compiling");
  CallArgs named = args;
  named.positional[0] = args.positional[0].as<InstanceObject>().members.at("name");
  return importModule(ev, named);
}

MaybeValue packageVersion(Evaluator &, const CallArgs &args) {
  bool isTriton = args.positional.size() == 1 && args.positional[0].is(Kind::Str) && args.positional[0].asString() == "triton";
  return isTriton ? *hostLanguageMember("__version__") : Value::unknown("versions of packages are not known when compiling");
}

} // namespace

MaybeValue environmentMember(Evaluator &, const ModuleObject &module, std::string_view name) {
  if (module.name == "os") {
    if (name == "environ")
      return environment();
    if (name == "getenv")
      return builtin("os.getenv", getenv);
    if (name == "name")
      return Value::string("posix");
    if (name == "sep")
      return Value::string("/");
  }
  if (module.name == "sys") {
    if (name == "version_info") {
      Value version = integers({3, 12, 0});
      version.as<TupleObject>().fieldNames = {"major", "minor", "micro"};
      version.as<TupleObject>().typeName = "sys.version_info";
      return version;
    }
    if (name == "platform")
      return Value::string("linux");
    if (name == "byteorder")
      return Value::string("little");
    if (name == "maxsize")
      return Value::integer((Int(1) << 63) - 1);
    if (name == "modules")
      return Value::object(std::make_shared<DictObject>());
  }
  std::string full = module.name + "." + std::string(name);
  if (full == "importlib.import_module")
    return builtin(full, importModule);
  if (full == "importlib.util.find_spec")
    return builtin(full, findSpec);
  if (full == "importlib.util.module_from_spec")
    return builtin(full, moduleFromSpec);
  if (full == "importlib.metadata.version")
    return builtin(full, packageVersion);
  if (knownModule(full))
    return std::nullopt; // a submodule, which the look-up goes on to
  if (module.name == "platform" && name == "system")
    return builtin("platform.system", [](Evaluator &, const CallArgs &) -> MaybeValue { return Value::string("Linux"); });
  return unknownMember(module, name);
}

MaybeValue versionMember(Evaluator &, const ModuleObject &module, std::string_view name) {
  if (name == "Version" || name == "parse")
    return builtin(module.name + "." + std::string(name), version);
  return unknownMember(module, name);
}

MaybeValue pythonTypesMember(Evaluator &, const ModuleObject &module, std::string_view name) {
  std::string full = module.name + "." + std::string(name);
  if (module.name == "enum") {
    if (name == "Enum" || name == "IntEnum" || name == "Flag" || name == "IntFlag" || name == "StrEnum")
      return emptyClass(std::string(name), true);
    if (name == "auto")
      return emptyClass("enum.auto");
    if (name == "unique")
      return builtin(full, sameFunction);
  }
  if (module.name == "functools") {
    if (name == "partial")
      return builtin(full, partial);
    if (name == "reduce")
      return builtin(full, reduce);
    if (name == "lru_cache" || name == "cache" || name == "cached_property" || name == "total_ordering" || name == "singledispatch")
      return builtin(full, sameFunction);
    if (name == "wraps" || name == "update_wrapper")
      return builtin(full, decoratorFactory);
  }
  if (module.name == "typing" || module.name == "typing_extensions") {
    if (name == "TYPE_CHECKING")
      return Value::boolean(false);
    if (name == "NamedTuple")
      return emptyClass("NamedTuple");
    if (name == "overload" || name == "final" || name == "no_type_check" || name == "runtime_checkable" || name == "override")
      return builtin(full, sameFunction);
    if (name == "Protocol" || name == "Generic")
      return emptyClass(std::string(name));
  }
  if (module.name == "dataclasses" && name == "dataclass")
    return builtin("dataclasses.dataclass", sameFunction);
  if (module.name == "abc") {
    if (name == "ABC")
      return emptyClass("ABC");
    if (name == "abstractmethod" || name == "abstractproperty")
      return builtin(full, sameFunction);
  }
  return unknownMember(module, name);
}

} // namespace tegula::frontend::sema
