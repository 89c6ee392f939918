// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's builtin types as callables (int, str, list ...), the descriptors of classes (property, staticmethod, classmethod) and
// the exceptions.
#pragma once

#include "frontend/sema/known_modules.h"

#include <vector>

namespace tegula::frontend::sema {

struct NamedBuiltin {
  std::string_view name;
  BuiltinFn fn;
};

/// The type `name`; nullopt where there is none.
MaybeValue builtinType(std::string_view name);
std::vector<std::string_view> builtinTypeNames();
/// What property(), staticmethod() or classmethod() made of a function: an instance with the function as member "function".
bool isDescriptor(const Value &value, std::string_view kind);

} // namespace tegula::frontend::sema
