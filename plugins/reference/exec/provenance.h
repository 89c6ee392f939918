// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Through which parameters may a kernel store? Buffers that no store can reach need no race check for their reads.
#pragma once

#include "plugins/reference/exec/code.h"

namespace tegula::plugins::reference {

/// Sets Parameter::storedThrough and Function::storesAnywhere of all functions. `slotTypes[f][slot]` are the types of
/// the values.
void findStoredParameters(Module &module, const std::vector<std::vector<const Type *>> &slotTypes);

} // namespace tegula::plugins::reference
