// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a verified KIR module at tile level to executable form.
#pragma once

#include "plugins/reference/exec/code.h"
#include "sdk/kir/kir.h"

#include <memory>
#include <string>

namespace tegula::plugins::reference {

struct DecodeError {
  std::string message; ///< empty: no error
  uint32_t loc = 0;    ///< KIR id of the place, or 0
};

/// Null where the module holds something that this plugin does not execute; `error` names it. The result does not refer
/// to `module`.
std::unique_ptr<Module> decodeModule(const tegula_kir_module_t &module, DecodeError &error);

} // namespace tegula::plugins::reference
