// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place that opens a shared library. Kept apart because Boost.DLL throws: this file alone is compiled with exceptions, and none
// leaves it.
#pragma once

#include <string>

namespace tegula::targets {

/// Opens `path` (absolute), all symbols resolved and local, never to be closed again, and looks `symbol` up. Null with `why` set: the library
/// does not load (`loaded` false) or has no such symbol.
void *openSymbol(const std::string &path, const char *symbol, bool &loaded, std::string &why);

} // namespace tegula::targets
