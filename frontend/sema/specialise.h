// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each parameter of a kernel is for one compile: an argument of some type, or a constant from -D, the chosen configuration,
// a heuristic or a default.
#pragma once

#include "frontend/emit/compile.h"
#include "frontend/emit/tile_builder.h"
#include "frontend/sema/evaluator.h"

namespace tegula::frontend::sema {

/// A kernel with the meaning of its parameters decided.
struct Specialisation {
  std::shared_ptr<FunctionObject> function;
  std::vector<Parameter> parameters;             ///< all, in order
  std::vector<emit::ParameterInfo> arguments;    ///< those of the compiled kernel, in order
  std::map<std::string, Value> constants;        ///< the others
  uint32_t numWarps = 4, numStages = 3, numCtas = 1, maxRegisters = 0;
};

/// Names of the jit functions of a file, by their decorators' spelling, in order.
std::vector<std::string> kernelNames(const ast::Module &tree);
/// The kernel of the request, in `main` or (where a factory function defines it) inside one of its functions. Null after an error.
std::shared_ptr<FunctionObject> findKernel(Evaluator &ev, ModuleObject &main);
/// nullopt after an error.
std::optional<Specialisation> specialise(Evaluator &ev, ModuleObject &main, std::shared_ptr<FunctionObject> kernel);
/// A -D value: a Python literal, a dtype, a function of the file, a dotted name of triton, or else the text itself.
Value parseDefine(Evaluator &ev, ModuleObject &main, const std::string &text);

} // namespace tegula::frontend::sema
