// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All passes, for pipelines written as text.
#pragma once

namespace tegula::middle::transform {

/// Makes Tegula's passes and the upstream ones that its pipelines use known by name. Once in a process is enough; more
/// do no harm.
void registerPasses();

} // namespace tegula::middle::transform
