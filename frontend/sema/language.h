// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of triton.language and its submodules: builtins, dtypes, constants and the embedded library (written in the
// language). Also the registry that each builtin family adds its table to.
#pragma once

#include "frontend/sema/value.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::frontend::sema {

class ModuleLoader;

struct BuiltinEntry {
  std::string_view name; ///< last component: "load"
  BuiltinFn fn;
};

/// Member `name` of a module of the language: "triton.language", "triton.language.math", "triton.language.extra.libdevice",
/// "triton.language.core", "triton.language.standard", "triton.language.random" ... nullopt where there is none. Names that exist in the
/// language but are not supported yet give a builtin whose call is the error that says so.
/// `loader` parses the embedded library on first use.
MaybeValue languageMember(ModuleLoader &loader, std::string_view module, std::string_view name);
/// A function of triton.language, ready to be called.
MaybeValue languageFunction(Evaluator &ev, std::string_view name);
/// Is `module` one of the language's modules (so that `import` of it succeeds)?
bool isLanguageModule(std::string_view module);
/// Text of an embedded library file ("standard", "random", ...), or empty.
std::string_view librarySource(std::string_view name);
/// What `languageMember` of that module has to offer, for hints.
std::vector<std::string> languageNames(std::string_view module);
/// The names of a tensor's methods and attributes, for hints.
std::vector<std::string> tensorNames();
/// Methods of tensors by name (`x.sum(...)` is sum with x as first argument); null where there is none.
BuiltinFn tensorMethod(std::string_view name);
/// Is `name` a function of the embedded library that tensors also offer as a method (`x.sum(0)`)?
bool isLibraryMethod(std::string_view name);

} // namespace tegula::frontend::sema
