// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of known modules.

#include "frontend/sema/known_modules.h"

#include "frontend/sema/decorators.h"
#include "frontend/sema/evaluator.h"
#include "frontend/sema/language.h"

namespace tegula::frontend::sema {

Value builtin(std::string name, BuiltinFn fn) {
  auto object = std::make_shared<BuiltinObject>();
  object->name = std::move(name);
  object->fn = fn;
  return Value::object(object);
}

// Packages hand Triton on from modules of their own; a file that is taken out of its package still means Triton by those names.
MaybeValue missingModuleMember(Evaluator &ev, const ModuleObject &module, std::string_view name) {
  if (name == "triton" || name == "tl") {
    auto lazy = std::make_shared<LazyImportObject>();
    lazy->module = name == "tl" ? "triton.language" : "triton";
    return ev.loader().resolve(ev, Value::object(std::move(lazy)));
  }
  return Value::unknown("module '" + module.name + "', which '" + std::string(name) + "' is taken from, was not found");
}

MaybeValue damagedModuleMember(Evaluator &, const ModuleObject &module, std::string_view name) {
  return Value::unknown("module '" + module.name + "', which '" + std::string(name) + "' is taken from, does not parse");
}

namespace {

MaybeValue languageModuleMember(Evaluator &ev, const ModuleObject &module, std::string_view name) {
  if (module.name == "triton")
    if (MaybeValue value = hostLanguageMember(name))
      return value;
  if (MaybeValue value = languageMember(ev.loader(), module.name, name))
    return value;
  // A submodule answers through the module look-up; any other name of triton itself is host-side Python.
  if (module.name == "triton" && !isLanguageModule("triton." + std::string(name)))
    return Value::unknown("'triton." + std::string(name) + "' is not known when compiling");
  return std::nullopt;
}

/// Modules of Python or of packages that are there at run time, of which nothing can be computed here.
MaybeValue opaqueMember(Evaluator &, const ModuleObject &module, std::string_view name) {
  std::string full = module.name + "." + std::string(name);
  if (ModuleMember member = knownModule(full); member && member != opaqueMember)
    return std::nullopt; // a submodule, which the look-up goes on to
  // triton.runtime.autotuner.Config and the like are the names of triton itself.
  if (module.name.starts_with("triton."))
    if (MaybeValue value = hostLanguageMember(name))
      return value;
  return Value::unknown("'" + full + "' is not known when compiling");
}

struct KnownModule {
  std::string_view name;
  ModuleMember member;
};

constexpr KnownModule kModules[] = {
    {"triton", languageModuleMember},
    {"math", mathMember},
    {"cmath", mathMember},
    {"triton.runtime.driver", targetMember},
    {"torch", arrayLibraryMember},
    {"torch.version", targetMember},
    {"numpy", arrayLibraryMember},
    {"operator", operatorMember},
    {"itertools", itertoolsMember},
    {"os", environmentMember},
    {"sys", environmentMember},
    {"platform", environmentMember},
    {"importlib", environmentMember},
    {"importlib.util", environmentMember},
    {"importlib.metadata", environmentMember},
    {"packaging.version", versionMember},
    {"typing", pythonTypesMember},
    {"typing_extensions", pythonTypesMember},
    {"enum", pythonTypesMember},
    {"collections", pythonTypesMember},
    {"functools", pythonTypesMember},
    {"dataclasses", pythonTypesMember},
    {"abc", pythonTypesMember},
};

/// Python's library and the usual companions; their submodules too.
constexpr std::string_view kOpaque[] = {
    "packaging", "logging", "warnings", "importlib", "inspect",  "contextlib", "collections.abc", "numbers", "weakref", "re",
    "json",      "time",    "types",    "copy",      "pathlib",  "hashlib",    "threading",       "multiprocessing",  "subprocess",
    "builtins",  "ctypes",  "random",   "string",    "textwrap", "traceback",  "ast",             "shutil",  "tempfile", "unittest",
    "pytest",    "__future__", "torch", "numpy",     "os",       "triton",
};

bool isOrIsBelow(std::string_view name, std::string_view top) {
  return name == top || (name.size() > top.size() && name.substr(0, top.size()) == top && name[top.size()] == '.');
}

} // namespace

bool isOpaqueModule(std::string_view name) { return knownModule(name) == opaqueMember; }

ModuleMember knownModule(std::string_view name) {
  if (isLanguageModule(name))
    return languageModuleMember;
  for (const KnownModule &module : kModules)
    if (module.name == name)
      return module.member;
  for (std::string_view top : kOpaque)
    if (isOrIsBelow(name, top))
      return opaqueMember;
  return nullptr;
}

} // namespace tegula::frontend::sema
