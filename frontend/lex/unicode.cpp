// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/lex/unicode.h"

#include <algorithm>
#include <iterator>

namespace tegula::frontend {

namespace {

struct Range {
  uint32_t first, last;
};
struct Mapping {
  uint32_t code;
  const char *text;
};

#include "unicode_tables.inc"

template <size_t N> bool contains(const Range (&table)[N], uint32_t code) {
  const Range *it = std::lower_bound(std::begin(table), std::end(table), code, [](const Range &r, uint32_t c) { return r.last < c; });
  return it != std::end(table) && it->first <= code;
}

} // namespace

uint32_t decodeUtf8(std::string_view text, size_t &length) {
  auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(text[i])); };
  length = 1;
  if (text.empty())
    return 0xFFFD;
  uint32_t first = byte(0);
  if (first < 0x80)
    return first;
  size_t n = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 0;
  if (n == 0 || n > text.size())
    return 0xFFFD;
  uint32_t code = first & (0xFFu >> (n + 1));
  for (size_t i = 1; i < n; ++i) {
    if ((byte(i) & 0xC0) != 0x80)
      return 0xFFFD;
    code = code << 6 | (byte(i) & 0x3F);
  }
  length = n;
  return code;
}

void appendUtf8(std::string &out, uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | code >> 18);
    out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

bool isXidStart(uint32_t code) { return contains(kXidStart, code); }
bool isXidContinue(uint32_t code) { return contains(kXidContinue, code); }
bool isPrintable(uint32_t code) { return code < 0x80 ? code >= 0x20 && code != 0x7F : !contains(kUnprintable, code); }

std::string normalizeIdentifier(std::string_view name) {
  std::string out;
  for (size_t i = 0, length; i < name.size(); i += length) {
    uint32_t code = decodeUtf8(name.substr(i), length);
    const Mapping *it = std::lower_bound(std::begin(kCompatibility), std::end(kCompatibility), code, [](const Mapping &m, uint32_t c) { return m.code < c; });
    if (it != std::end(kCompatibility) && it->code == code)
      out += it->text;
    else
      out += name.substr(i, length);
  }
  return out;
}

} // namespace tegula::frontend
