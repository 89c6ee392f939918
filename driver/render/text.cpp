// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Caret text. Source lines are printed with their tabs expanded, so that carets stand right whatever the terminal does with tabs.
#include "driver/render/render.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::driver {

namespace {
constexpr uint32_t kTab = 8;
constexpr uint32_t kMaxLine = 500; ///< longer source lines are cut around the caret

/// The code point at `pos`, which moves past it; U+FFFD for bytes that are no UTF-8.
char32_t next(std::string_view text, size_t &pos) {
  auto lead = static_cast<unsigned char>(text[pos++]);
  if (lead < 0x80)
    return lead;
  int more = lead >= 0xF0 && lead < 0xF8 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC2 ? 1 : 0;
  if (lead >= 0xF8 || more == 0)
    return 0xFFFD;
  char32_t code = lead & (0x3F >> more);
  for (; more > 0; --more) {
    if (pos >= text.size() || (static_cast<unsigned char>(text[pos]) & 0xC0) != 0x80)
      return 0xFFFD;
    code = code << 6 | (static_cast<unsigned char>(text[pos++]) & 0x3F);
  }
  return code;
}

uint32_t widthOf(char32_t c) {
  if (c < 0x20 || c == 0x7F)
    return 1; // printed as a replacement
  if ((c >= 0x300 && c <= 0x36F) || (c >= 0x200B && c <= 0x200F) || (c >= 0x20D0 && c <= 0x20FF) || (c >= 0xFE00 && c <= 0xFE0F))
    return 0;
  bool wide = (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0x303E) || (c >= 0x3041 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) ||
              (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) || (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x1F300 && c <= 0x1F64F) || (c >= 0x1F900 && c <= 0x1F9FF) ||
              (c >= 0x20000 && c <= 0x3FFFD);
  return wide ? 2 : 1;
}

/// A line with tabs expanded and control characters replaced, and the display columns of two code-point columns in it.
struct Shown {
  std::string text;
  uint32_t begin = 0, end = 0;
};

Shown show(const base::SourceRange &range) {
  Shown shown;
  uint32_t column = 1, width = 0;
  uint32_t endColumn = std::max(range.endColumn, range.column + 1);
  for (size_t pos = 0; pos < range.lineText.size(); ++column) {
    if (column == range.column)
      shown.begin = width;
    if (column == endColumn)
      shown.end = width;
    size_t from = pos;
    char32_t c = next(range.lineText, pos);
    if (c == '\t') {
      uint32_t step = kTab - width % kTab;
      shown.text.append(step, ' ');
      width += step;
    } else {
      if (c < 0x20 || c == 0x7F || c == 0xFFFD)
        shown.text += c == 0xFFFD ? "\xEF\xBF\xBD" : "?";
      else
        shown.text.append(range.lineText, from, pos - from);
      width += widthOf(c);
    }
  }
  if (column <= range.column)
    shown.begin = width + (range.column - column);
  if (column <= endColumn)
    shown.end = width + (column <= range.column ? endColumn - column : 0);
  shown.end = std::max(shown.end, shown.begin + 1);
  return shown;
}

void place(std::string &out, const base::SourceRange &where) {
  if (where.known())
    out += fmt::format("{}:{}:{}: ", where.file, where.line, where.column);
  else if (!where.file.empty())
    out += where.file + ": ";
}

void source(std::string &out, const base::SourceRange &where, std::string_view caretColour, std::string_view reset) {
  if (!where.known() || where.column == 0 || where.lineText.find_first_not_of(" \t\r") == std::string::npos || where.lineText.size() > kMaxLine)
    return;
  Shown shown = show(where);
  out += "  " + shown.text + "\n  ";
  out += std::string(shown.begin, ' ');
  out += caretColour;
  out += "^" + std::string(shown.end - shown.begin - 1, '~');
  out += reset;
  out += '\n';
}
} // namespace

uint32_t displayWidth(std::string_view text, uint32_t from) {
  uint32_t width = from;
  for (size_t pos = 0; pos < text.size();) {
    char32_t c = next(text, pos);
    width += c == '\t' ? kTab - width % kTab : widthOf(c);
  }
  return width - from;
}

std::string renderText(const base::Diagnostic &diagnostic, bool colour) {
  bool isError = diagnostic.severity == base::Severity::Error, isWarning = diagnostic.severity == base::Severity::Warning;
  std::string_view bold = colour ? "\x1b[1m" : "", reset = colour ? "\x1b[0m" : "", green = colour ? "\x1b[32m" : "", cyan = colour ? "\x1b[36m" : "";
  std::string_view tint = !colour ? "" : isError ? "\x1b[1;31m" : isWarning ? "\x1b[1;35m" : "\x1b[1;34m";
  std::string out;
  out += bold;
  place(out, diagnostic.where);
  out += fmt::format("{}{}{}{}{}: ", reset, tint, isError ? "error" : isWarning ? "warning" : "remark", diagnostic.code.empty() ? "" : "[" + diagnostic.code + "]", reset);
  out += fmt::format("{}{}{}\n", bold, diagnostic.message, reset);
  source(out, diagnostic.where, green, reset);
  for (const base::Note &note : diagnostic.notes) {
    out += bold;
    place(out, note.where);
    out += fmt::format("{}{}note{}: {}\n", reset, cyan, reset, note.message);
    source(out, note.where, green, reset);
  }
  if (!diagnostic.help.empty())
    out += fmt::format("{}help{}: {}\n", cyan, reset, diagnostic.help);
  return out;
}

} // namespace tegula::driver
