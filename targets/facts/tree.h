// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tree form of facts, options and resources, owned by the host: what came over the ABI or out of a recorded file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::facts {

/// A typed value with a key (empty inside lists). Kinds have the numbers of the ABI's node kinds.
struct Tree {
  enum class Kind : uint32_t { Invalid = 0, Bool, Int, Float, String, List, Map };

  std::string key;
  Kind kind = Kind::Map;
  bool mustUnderstand = false;
  int64_t integer = 0; ///< Bool, Int
  double number = 0;   ///< Float
  std::string text;    ///< String
  std::vector<Tree> children;

  /// The child of a map with this key, or null.
  const Tree *find(std::string_view name) const {
    for (const Tree &child : children)
      if (child.key == name)
        return &child;
    return nullptr;
  }
  bool operator==(const Tree &) const = default;
};

} // namespace tegula::facts
