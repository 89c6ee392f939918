// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much memory there is left to take. An allocation that the system grants may still end the process when it is used, so what is large is
// checked against this first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace tegula::base {

namespace memory_sources {
/// The first number of a file, or `otherwise` where there is none ("max").
inline uint64_t firstNumber(const char *path, uint64_t otherwise) {
  unsigned long long value = 0;
  std::FILE *file = std::fopen(path, "r");
  bool good = file && std::fscanf(file, "%llu", &value) == 1;
  if (file)
    std::fclose(file);
  return good ? value : otherwise;
}

/// The number after `key` at the start of a line.
inline uint64_t lineNumber(const char *path, const char *key, uint64_t otherwise) {
  std::FILE *file = std::fopen(path, "r");
  char line[256];
  unsigned long long value = 0;
  bool found = false;
  while (file && !found && std::fgets(line, sizeof line, file))
    found = std::strncmp(line, key, std::strlen(key)) == 0 && std::sscanf(line + std::strlen(key), "%llu", &value) == 1;
  if (file)
    std::fclose(file);
  return found ? value : otherwise;
}

inline uint64_t left(uint64_t limit, uint64_t used) { return limit > used ? limit - used : 0; }
} // namespace memory_sources

/// Bytes that can be taken before the machine, a control group or a limit of the process refuses; UINT64_MAX where nothing is known. `promised`
/// bytes were allocated and not used yet, so that only the limit counts them already.
inline uint64_t availableMemory(uint64_t promised = 0) {
  using namespace memory_sources;
  uint64_t available = UINT64_MAX;
  if (uint64_t machine = lineNumber("/proc/meminfo", "MemAvailable:", UINT64_MAX); machine != UINT64_MAX)
    available = machine * 1024;
  if (uint64_t limit = firstNumber("/sys/fs/cgroup/memory.max", UINT64_MAX); limit != UINT64_MAX)
    available = std::min(
        available, left(limit, left(firstNumber("/sys/fs/cgroup/memory.current", 0), lineNumber("/sys/fs/cgroup/memory.stat", "inactive_file ", 0))));
  if (available != UINT64_MAX)
    available = left(available, promised);
  rlimit bound;
  if (getrlimit(RLIMIT_AS, &bound) == 0 && bound.rlim_cur != RLIM_INFINITY)
    available = std::min(available, left(bound.rlim_cur, firstNumber("/proc/self/statm", 0) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE))));
  return available;
}

/// Can a buffer of `size` bytes be taken, with something left for everything else? What is small is not worth asking.
inline bool memoryFits(uint64_t size, uint64_t promised = 0) {
  constexpr uint64_t kSmall = uint64_t(16) << 20, kRest = uint64_t(256) << 20;
  if (size <= kSmall && promised <= kSmall)
    return true;
  uint64_t available = availableMemory(promised);
  return available > kRest && size <= available - kRest;
}

} // namespace tegula::base
