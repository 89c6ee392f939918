// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the calling thread is doing, kept where a crash handler can read it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace tegula::driver {

/// For the life of one compile: the request that reproduces it.
class ReproducerScope {
public:
  explicit ReproducerScope(std::string request);
  ~ReproducerScope();
  ReproducerScope(const ReproducerScope &) = delete;

private:
  std::string request;
  const std::string *before;
};

/// Sets the phase's name until the end of the scope. `ir`, where given, prints what is being worked on; it is called in a crash handler, where it
/// may fail, too.
class PhaseScope {
public:
  PhaseScope(std::string_view phase, std::string_view kernel, std::function<void(int file)> ir = {});
  ~PhaseScope();
  PhaseScope(const PhaseScope &) = delete;

private:
  std::function<void(int)> ir;
  const std::function<void(int)> *before;
  char name[160];
};


} // namespace tegula::driver
