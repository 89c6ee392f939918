// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/lex/literals.h"

#include "frontend/lex/unicode.h"

#include <llvm/ADT/APInt.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Unicode.h>

#include <cstdlib>

namespace tegula::frontend {

namespace {

int hexValue(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; }

/// Digits of base 2, 8 or 16 as decimal.
std::string toDecimal(std::string_view digits, unsigned base) {
  auto bits = static_cast<unsigned>(digits.size()) * 4 + 1;
  llvm::SmallString<64> text;
  llvm::APInt(bits, llvm::StringRef(digits.data(), digits.size()), static_cast<uint8_t>(base)).toString(text, 10, false);
  return std::string(text);
}

} // namespace

NumberLiteral readNumber(std::string_view text) {
  std::string clean;
  for (char c : text)
    if (c != '_')
      clean += c;
  NumberLiteral literal;
  char base = clean.size() > 2 && clean[0] == '0' ? static_cast<char>(clean[1] | 0x20) : '\0';
  if (base == 'x' || base == 'o' || base == 'b') {
    literal.digits = toDecimal(std::string_view(clean).substr(2), base == 'x' ? 16 : base == 'o' ? 8 : 2);
    return literal;
  }
  if (clean.find_first_not_of("0123456789") == std::string::npos) {
    size_t first = clean.find_first_not_of('0');
    literal.digits = first == std::string::npos ? "0" : clean.substr(first);
    return literal;
  }
  literal.kind = NumberLiteral::Kind::Float;
  if ((clean.back() | 0x20) == 'j') {
    literal.kind = NumberLiteral::Kind::Imaginary;
    clean.pop_back();
  }
  literal.value = std::strtod(clean.c_str(), nullptr);
  return literal;
}

bool unescape(std::string_view body, bool bytes, std::string &out, std::string &error, size_t &errorAt) {
  for (size_t i = 0; i < body.size();) {
    char c = body[i];
    if (c == '\r') { // line ends are read as \n
      out += '\n';
      i += i + 1 < body.size() && body[i + 1] == '\n' ? 2 : 1;
      continue;
    }
    if (c != '\\' || i + 1 >= body.size()) {
      out += c;
      ++i;
      continue;
    }
    errorAt = i;
    char e = body[i + 1];
    i += 2;
    auto hex = [&](size_t count) -> int64_t {
      int64_t value = 0;
      for (size_t k = 0; k < count; ++k, ++i) {
        int digit = i < body.size() ? hexValue(body[i]) : -1;
        if (digit < 0)
          return -1;
        value = value * 16 + digit;
      }
      return value;
    };
    auto put = [&](uint32_t code) {
      if (bytes)
        out += static_cast<char>(code);
      else
        appendUtf8(out, code);
    };
    switch (e) {
    case '\r':
      if (i < body.size() && body[i] == '\n')
        ++i;
      break;
    case '\n':
      break;
    case '\\':
    case '\'':
    case '"':
      out += e;
      break;
    case 'a':
      out += '\a';
      break;
    case 'b':
      out += '\b';
      break;
    case 'f':
      out += '\f';
      break;
    case 'n':
      out += '\n';
      break;
    case 'r':
      out += '\r';
      break;
    case 't':
      out += '\t';
      break;
    case 'v':
      out += '\v';
      break;
    case 'x': {
      int64_t value = hex(2);
      if (value < 0) {
        error = "'\\x' needs two hexadecimal digits";
        return false;
      }
      put(static_cast<uint32_t>(value));
      break;
    }
    case 'u':
    case 'U': {
      if (bytes) {
        out += '\\';
        out += e;
        break;
      }
      int64_t value = hex(e == 'u' ? 4 : 8);
      if (value < 0 || value > 0x10FFFF) {
        error = std::string("'\\") + e + "' needs " + (e == 'u' ? "four" : "eight") + " hexadecimal digits of a code point";
        return false;
      }
      put(static_cast<uint32_t>(value));
      break;
    }
    case 'N': {
      if (bytes) {
        out += "\\N";
        break;
      }
      size_t end = i < body.size() && body[i] == '{' ? body.find('}', i) : std::string_view::npos;
      if (end == std::string_view::npos) {
        error = "'\\N' needs a character's name in braces";
        return false;
      }
      std::string name;
      for (char ch : body.substr(i + 1, end - i - 1))
        name += ch >= 'a' && ch <= 'z' ? static_cast<char>(ch - 32) : ch;
      auto code = llvm::sys::unicode::nameToCodepointStrict(llvm::StringRef(name));
      if (!code) {
        error = "unknown Unicode character name '" + name + "'";
        return false;
      }
      put(static_cast<uint32_t>(*code));
      i = end + 1;
      break;
    }
    default:
      if (e >= '0' && e <= '7') {
        uint32_t value = static_cast<uint32_t>(e - '0');
        for (int k = 0; k < 2 && i < body.size() && body[i] >= '0' && body[i] <= '7'; ++k, ++i)
          value = value * 8 + static_cast<uint32_t>(body[i] - '0');
        put(bytes ? value & 0xFF : value);
      } else {
        out += '\\';
        out += e;
      }
    }
  }
  return true;
}

} // namespace tegula::frontend
