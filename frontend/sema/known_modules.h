// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules that the evaluator knows without a file: the language's own, and the parts of Python's library and of torch and numpy
// that the module level of kernel packages computes with. Everything else of them is Unknown, with its reason.
#pragma once

#include "frontend/sema/modules.h"

namespace tegula::frontend::sema {

using ModuleMember = MaybeValue (*)(Evaluator &ev, const ModuleObject &module, std::string_view name);

/// How the names of module `name` are found; null where the module is not known.
ModuleMember knownModule(std::string_view name);
/// Is it known to be there, and no more than that?
bool isOpaqueModule(std::string_view name);

/// Members of modules that are not there (`triton` and `tl` are what they are elsewhere, all else is Unknown), or do not parse (Unknown).
MaybeValue missingModuleMember(Evaluator &ev, const ModuleObject &module, std::string_view name);
MaybeValue damagedModuleMember(Evaluator &ev, const ModuleObject &module, std::string_view name);

// ---- one function per module family; each in a file of its own ----
MaybeValue mathMember(Evaluator &, const ModuleObject &, std::string_view name);         ///< math, cmath's constants
MaybeValue arrayLibraryMember(Evaluator &, const ModuleObject &, std::string_view name); ///< torch, numpy: dtypes, finfo, iinfo
MaybeValue operatorMember(Evaluator &, const ModuleObject &, std::string_view name);
MaybeValue itertoolsMember(Evaluator &, const ModuleObject &, std::string_view name);
MaybeValue environmentMember(Evaluator &, const ModuleObject &, std::string_view name); ///< os, sys, platform, importlib
MaybeValue targetMember(Evaluator &, const ModuleObject &, std::string_view name);      ///< triton.runtime.driver, torch.version
MaybeValue versionMember(Evaluator &, const ModuleObject &, std::string_view name);     ///< packaging.version
MaybeValue pythonTypesMember(Evaluator &, const ModuleObject &, std::string_view name); ///< typing, enum, collections, functools, dataclasses, abc

/// A builtin as a value; `name` is what messages call it.
Value builtin(std::string name, BuiltinFn fn);

} // namespace tegula::frontend::sema
