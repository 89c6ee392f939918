// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boost.DLL, contained.
#include "targets/host/library.h"

#define BOOST_DLL_USE_STD_FS
#include <boost/dll/shared_library.hpp>

#include <memory>
#include <mutex>
#include <vector>

namespace tegula::targets {

namespace {
/// Libraries stay open until the process ends (R25): unmapping code that threads or callbacks may still be in is never worth it.
boost::dll::shared_library &keepOpen(std::unique_ptr<boost::dll::shared_library> library) {
  static std::mutex mutex;
  static auto &open = *new std::vector<std::unique_ptr<boost::dll::shared_library>>;
  std::lock_guard<std::mutex> lock(mutex);
  return *open.emplace_back(std::move(library));
}
} // namespace

void *openSymbol(const std::string &path, const char *symbol, bool &loaded, std::string &why) {
  loaded = false;
  try {
    auto library =
        std::make_unique<boost::dll::shared_library>(path, boost::dll::load_mode::rtld_now | boost::dll::load_mode::rtld_local);
    loaded = true;
    boost::dll::shared_library &kept = keepOpen(std::move(library));
    if (!kept.has(symbol)) {
      why = std::string("it does not export '") + symbol + "'";
      return nullptr;
    }
    return reinterpret_cast<void *>(&kept.get<void()>(symbol));
  } catch (const std::exception &thrown) {
    why = thrown.what();
    return nullptr;
  }
}

} // namespace tegula::targets
