// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of number and string literals.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tegula::frontend {

struct NumberLiteral {
  enum class Kind : uint8_t { Int, Float, Imaginary } kind = Kind::Int;
  std::string digits; ///< Int: decimal
  double value = 0;
};
/// `text` is a Number token.
NumberLiteral readNumber(std::string_view text);

/// Replaces the escapes of a string's (or bytes') body. False with `error` where one is malformed; `errorAt` is its offset in `body`.
bool unescape(std::string_view body, bool bytes, std::string &out, std::string &error, size_t &errorAt);

} // namespace tegula::frontend
