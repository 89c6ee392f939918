// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The builtin families: each file of this folder has one table; language.cpp puts them together.
#pragma once

#include "frontend/sema/language.h"
#include "frontend/sema/tensor_semantics.h"

namespace tegula::frontend::sema {

std::span<const BuiltinEntry> programBuiltins();  ///< program_id, arange, full, cast, types, range, ...
std::span<const BuiltinEntry> shapeBuiltins();
std::span<const BuiltinEntry> memoryBuiltins();
std::span<const BuiltinEntry> atomicBuiltins();
std::span<const BuiltinEntry> mathBuiltins();
std::span<const BuiltinEntry> libdeviceBuiltins();
std::span<const BuiltinEntry> libdeviceNotYet(); ///< functions of the device library whose call is an error that names them
std::span<const BuiltinEntry> collectiveBuiltins(); ///< dot, reduce, associative_scan, gather, histogram
std::span<const BuiltinEntry> effectBuiltins();     ///< hints, barriers, prints, assertions

// ---- shared by the families ----
/// Argument `name` as a tensor (a number becomes a scalar).
std::optional<Tensor> tensorArg(Evaluator &ev, const BoundArgs &args, std::string_view name);
/// An axis, negative ones counted from the end, within `rank`.
std::optional<uint32_t> axisArg(Evaluator &ev, const BoundArgs &args, std::string_view name, size_t rank);
/// A shape whose dimensions are powers of two and not too many; an error names the dimension.
bool checkShape(Evaluator &ev, const Shape &shape, ast::Range range);
inline MaybeValue asValue(const std::optional<Tensor> &t) { return t ? MaybeValue(Value::tensor(*t)) : std::nullopt; }
/// A function's name as a template argument.
struct Name {
  char text[32]{};
  constexpr Name(const char *s) {
    for (int i = 0; s[i]; ++i)
      text[i] = s[i];
  }
};

} // namespace tegula::frontend::sema
