// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boost.DLL, contained.
#include "targets/host/library.h"

#define BOOST_DLL_USE_STD_FS
#include <boost/dll/shared_library.hpp>

namespace tegula::targets {

void *openSymbol(const std::string &path, const char *symbol, bool &loaded, std::string &why) {
  loaded = false;
  try {
    // Libraries stay open until the process ends (R25): unmapping code that threads or callbacks may still be in is never worth it.
    auto *library = new boost::dll::shared_library(
        path, boost::dll::load_mode::rtld_now | boost::dll::load_mode::rtld_local);
    loaded = true;
    if (!library->has(symbol)) {
      why = std::string("it does not export '") + symbol + "'";
      return nullptr;
    }
    return reinterpret_cast<void *>(&library->get<void()>(symbol));
  } catch (const std::exception &thrown) {
    why = thrown.what();
    return nullptr;
  }
}

} // namespace tegula::targets
