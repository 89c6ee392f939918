// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/ast/ast.h"

#include <algorithm>
#include <cstring>

namespace tegula::frontend::ast {

void *Arena::allocate(size_t size, size_t alignment) {
  constexpr size_t kBlock = 64 * 1024;
  size_t start = (used + alignment - 1) / alignment * alignment;
  if (blocks.empty() || start + size > capacity) {
    capacity = std::max(kBlock, size);
    blocks.push_back(std::make_unique<char[]>(capacity)); // aligned for any node
    start = 0;
  }
  used = start + size;
  return blocks.back().get() + start;
}

Text Arena::copy(std::string_view text) {
  if (text.empty())
    return {};
  auto *memory = static_cast<char *>(allocate(text.size(), 1));
  std::memcpy(memory, text.data(), text.size());
  return {memory, text.size()};
}

} // namespace tegula::frontend::ast
