// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints a tree as CPython's `ast.dump` does, for comparison with CPython.
#pragma once

#include "frontend/ast/ast.h"

#include <string>

namespace tegula::frontend::ast {

/// The text that `ast.dump(ast.parse(text))` of CPython 3.12 gives. With `attributes`, also lineno, col_offset,
/// end_lineno and end_col_offset as `ast.dump(..., include_attributes=True)`.
std::string dump(const Module &module, bool attributes = false);

} // namespace tegula::frontend::ast
