// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host-side names of the `triton` module that the evaluator implements itself: decorators, Config, cdiv and the like.
#pragma once

#include "frontend/sema/value.h"

#include <string_view>

namespace tegula::frontend::sema {

/// Member `name` of "triton" (or of a module below it that offers the same name, such as "triton.runtime.autotuner"); nullopt where
/// it is none of the evaluator's.
MaybeValue hostLanguageMember(std::string_view name);
/// Is `value` an instance of triton.Config?
bool isConfig(const Value &value);

} // namespace tegula::frontend::sema
