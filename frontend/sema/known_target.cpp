// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What packages ask of the device when they are imported, as far as the target answers it: triton.runtime.driver and torch.version.

#include "frontend/sema/evaluator.h"
#include "frontend/sema/known_modules.h"

#include <algorithm>

namespace tegula::frontend::sema {

namespace {

/// Triton's GPUTarget: a backend, an architecture (a number where it is one) and lanes of a warp.
MaybeValue currentTarget(Evaluator &ev, const CallArgs &) {
  const LanguageDefaults &target = ev.defaults();
  bool isNumber = !target.arch.empty() && target.arch.size() < 9 &&
                  std::all_of(target.arch.begin(), target.arch.end(), [](unsigned char c) { return std::isdigit(c); });
  Value value = Value::tuple({Value::string(target.backendName), isNumber ? Value::integer(std::stoi(target.arch)) : Value::string(target.arch),
                              Value::integer(target.warpSize)});
  value.as<TupleObject>().fieldNames = {"backend", "arch", "warp_size"};
  value.as<TupleObject>().typeName = "GPUTarget";
  return value;
}

} // namespace

MaybeValue targetMember(Evaluator &ev, const ModuleObject &module, std::string_view name) {
  if (module.name == "torch.version" && name == "hip" && ev.defaults().backendName != "hip")
    return Value::none();
  if (module.name == "triton.runtime.driver" && name == "active") {
    Value active = Value::tuple({builtin("triton.runtime.driver.active.get_current_target", currentTarget)});
    active.as<TupleObject>().fieldNames = {"get_current_target"};
    active.as<TupleObject>().typeName = "Driver";
    return active;
  }
  return Value::unknown("'" + module.name + "." + std::string(name) + "' is not known when compiling");
}

} // namespace tegula::frontend::sema
