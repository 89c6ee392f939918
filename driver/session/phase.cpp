// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thread-local and free of allocation where it is read.
#include "driver/session/phase.h"

#include "tegula/tegula.h"

#include <algorithm>
#include <cstring>
#include <unistd.h>

namespace tegula::driver {

namespace {
thread_local char currentPhase[160] = "";
thread_local const std::string *currentRequest = nullptr;
thread_local const std::function<void(int)> *currentIr = nullptr;

void append(char *to, size_t room, std::string_view text) {
  size_t used = std::strlen(to), n = std::min(text.size(), room - 1 - used);
  std::memcpy(to + used, text.data(), n);
  to[used + n] = 0;
}
} // namespace

ReproducerScope::ReproducerScope(std::string text) : request(std::move(text)), before(currentRequest) { currentRequest = &request; }
ReproducerScope::~ReproducerScope() { currentRequest = before; }

PhaseScope::PhaseScope(std::string_view phase, std::string_view kernel, std::function<void(int)> print) : ir(std::move(print)), before(currentIr) {
  std::memcpy(name, currentPhase, sizeof name);
  currentPhase[0] = 0;
  append(currentPhase, sizeof currentPhase, phase);
  append(currentPhase, sizeof currentPhase, ", kernel '");
  append(currentPhase, sizeof currentPhase, kernel);
  append(currentPhase, sizeof currentPhase, "'");
  if (ir)
    currentIr = &ir;
}

PhaseScope::~PhaseScope() {
  std::memcpy(currentPhase, name, sizeof name);
  currentIr = before;
}

} // namespace tegula::driver

const char *tegula_current_phase(void) { return tegula::driver::currentPhase; }

void tegula_write_reproducer(int32_t file) {
  using namespace tegula::driver;
  auto put = [&](std::string_view text) {
    while (!text.empty()) {
      ssize_t n = ::write(file, text.data(), text.size());
      if (n <= 0)
        return;
      text.remove_prefix(static_cast<size_t>(n));
    }
  };
  if (currentRequest) {
    put(*currentRequest);
    put("\n");
  }
  if (currentIr)
    (*currentIr)(file);
}
