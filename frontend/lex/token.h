// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tokens of Python text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tegula::frontend {

enum class TokenKind : uint8_t {
  End, Newline, Indent, Dedent,
  Name,          ///< identifiers and keywords; the parser tells them apart by text
  Number, String, ///< String: prefix, quotes and body, bytes literals too
  FStringStart, FStringMiddle, FStringEnd, ///< PEP 701
  Operator,
};

struct Token {
  TokenKind kind = TokenKind::End;
  uint32_t begin = 0, end = 0; ///< bytes of the source; an FStringMiddle may be followed by a skipped brace
  std::string_view text;       ///< the source's bytes; FStringMiddle: the raw body
  bool raw = false;            ///< FStringMiddle: of a raw string
  bool isFormatSpec = false;   ///< FStringMiddle: inside a format specification

  bool is(TokenKind wanted) const { return kind == wanted; }
  bool isOp(std::string_view wanted) const { return kind == TokenKind::Operator && text == wanted; }
  bool isName(std::string_view wanted) const { return kind == TokenKind::Name && text == wanted; }
};

/// A keyword that begins statements or clauses and can stand in no expression.
inline bool isStatementWord(std::string_view word) {
  for (std::string_view known : {"assert", "break", "class", "continue", "def", "del", "elif", "except", "finally", "global", "import", "nonlocal",
                                 "pass", "raise", "return", "try", "while", "with"})
    if (word == known)
      return true;
  return false;
}

} // namespace tegula::frontend
