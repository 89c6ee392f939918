// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/lex/unicode.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <utility>
#include <vector>

namespace tegula::frontend {

namespace {

struct Range {
  uint32_t first, last;
};
struct Mapping {
  uint32_t code;
  const char *text;
};
struct CombiningClass {
  uint32_t code, value;
};
struct Composition {
  uint32_t first, second, whole;
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

std::string codePointName(uint32_t code) {
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, "U+%04X", code);
  return buffer;
}

bool isXidStart(uint32_t code) { return contains(kXidStart, code); }
bool isXidContinue(uint32_t code) { return contains(kXidContinue, code); }
bool isPrintable(uint32_t code) { return code < 0x80 ? code >= 0x20 && code != 0x7F : !contains(kUnprintable, code); }

namespace {

constexpr uint32_t kHangulBase = 0xAC00, kHangulCount = 11172, kLead = 0x1100, kVowel = 0x1161, kTrail = 0x11A7;
constexpr uint32_t kVowels = 21, kTrails = 28;

uint32_t combiningClass(uint32_t code) {
  const auto *it = std::lower_bound(std::begin(kCombiningClasses), std::end(kCombiningClasses), code,
                                    [](const CombiningClass &c, uint32_t wanted) { return c.code < wanted; });
  return it != std::end(kCombiningClasses) && it->code == code ? it->value : 0;
}

/// The character that the two compose to; 0 for none.
uint32_t compose(uint32_t first, uint32_t second) {
  if (first - kLead < 19 && second - kVowel < kVowels)
    return kHangulBase + ((first - kLead) * kVowels + (second - kVowel)) * kTrails;
  if (first - kHangulBase < kHangulCount && (first - kHangulBase) % kTrails == 0 && second - kTrail - 1 < kTrails - 1)
    return first + (second - kTrail);
  auto key = std::pair(first, second);
  const auto *it =
      std::lower_bound(std::begin(kCompositions), std::end(kCompositions), key,
                       [](const Composition &c, const std::pair<uint32_t, uint32_t> &wanted) { return std::pair(c.first, c.second) < wanted; });
  return it != std::end(kCompositions) && it->first == first && it->second == second ? it->whole : 0;
}

void decompose(uint32_t code, std::vector<uint32_t> &out) {
  if (code - kHangulBase < kHangulCount) {
    uint32_t index = code - kHangulBase;
    out.push_back(kLead + index / (kVowels * kTrails));
    out.push_back(kVowel + index / kTrails % kVowels);
    if (index % kTrails)
      out.push_back(kTrail + index % kTrails);
    return;
  }
  const Mapping *it =
      std::lower_bound(std::begin(kDecomposition), std::end(kDecomposition), code, [](const Mapping &m, uint32_t c) { return m.code < c; });
  if (it == std::end(kDecomposition) || it->code != code) {
    out.push_back(code);
    return;
  }
  std::string_view text = it->text;
  for (size_t length; !text.empty(); text.remove_prefix(length))
    out.push_back(decodeUtf8(text, length));
}

} // namespace

/// Unicode's three steps: decompose, put marks in order of their classes, compose.
std::string normalizeIdentifier(std::string_view name) {
  std::vector<uint32_t> codes;
  for (size_t length; !name.empty(); name.remove_prefix(length))
    decompose(decodeUtf8(name, length), codes);
  for (size_t i = 0; i < codes.size();) {
    size_t end = i;
    while (end < codes.size() && combiningClass(codes[end]))
      ++end;
    std::stable_sort(codes.begin() + static_cast<ptrdiff_t>(i), codes.begin() + static_cast<ptrdiff_t>(end),
                     [](uint32_t a, uint32_t b) { return combiningClass(a) < combiningClass(b); });
    i = end + 1;
  }
  std::vector<uint32_t> out;
  size_t starter = SIZE_MAX; // the last character of class 0 in `out`
  uint32_t lastClass = 0;
  for (uint32_t code : codes) {
    uint32_t own = combiningClass(code);
    bool adjacent = starter != SIZE_MAX && starter + 1 == out.size();
    if (starter != SIZE_MAX && (adjacent || (lastClass < own && lastClass)))
      if (uint32_t whole = compose(out[starter], code)) {
        out[starter] = whole;
        continue;
      }
    if (!own)
      starter = out.size();
    lastClass = own;
    out.push_back(code);
  }
  std::string text;
  for (uint32_t code : out)
    appendUtf8(text, code);
  return text;
}

} // namespace tegula::frontend
