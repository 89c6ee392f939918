// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/parse/decode.h"

#include <cstring>
#include <iconv.h>

namespace tegula::frontend {

namespace {

/// The name a coding declaration in the first two lines gives; the second line counts only where the first is blank or a comment.
std::string declaredEncoding(const SourceBuffer &source) {
  for (uint32_t n = 1; n <= 2 && n <= source.lineCount(); ++n) {
    std::string_view line = source.line(n);
    if (n == 1 && line.substr(0, 3) == "\xEF\xBB\xBF")
      line.remove_prefix(3);
    size_t first = line.find_first_not_of(" \t\f");
    if (first == std::string_view::npos)
      continue;
    if (line[first] != '#')
      return {};
    for (size_t at = line.find("coding"); at != std::string_view::npos; at = line.find("coding", at + 1)) {
      size_t i = at + 6;
      if (i >= line.size() || (line[i] != ':' && line[i] != '='))
        continue;
      ++i;
      while (i < line.size() && (line[i] == ' ' || line[i] == '\t'))
        ++i;
      size_t end = i;
      while (end < line.size() && (isalnum(static_cast<unsigned char>(line[end])) || strchr("-_.", line[end])))
        ++end;
      if (end > i)
        return std::string(line.substr(i, end - i));
    }
  }
  return {};
}

bool validUtf8(std::string_view text, size_t &bad) {
  for (size_t i = 0; i < text.size();) {
    auto byte = [&](size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
    unsigned c = byte(i);
    size_t n = c < 0x80 ? 1 : c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xF0 && c < 0xF5 ? 4 : 0;
    bool good = n != 0;
    for (size_t k = 1; good && k < n; ++k)
      good = (byte(i + k) & 0xC0) == 0x80;
    if (good && ((c == 0xE0 && byte(i + 1) < 0xA0) || (c == 0xED && byte(i + 1) > 0x9F) || (c == 0xF0 && byte(i + 1) < 0x90) ||
                 (c == 0xF4 && byte(i + 1) > 0x8F)))
      good = false;
    if (!good) {
      bad = i;
      return false;
    }
    i += n;
  }
  return true;
}

std::string normalized(std::string_view name) {
  std::string out;
  for (char c : name)
    out += c == '_' ? '-' : static_cast<char>(tolower(static_cast<unsigned char>(c)));
  return out;
}

} // namespace

std::shared_ptr<const SourceBuffer> decodeSource(const std::shared_ptr<const SourceBuffer> &source, std::string &error) {
  std::string_view text = source->text();
  if (text.find('\0') != std::string_view::npos) {
    error = "the source contains a null byte";
    return nullptr;
  }
  std::string encoding = normalized(declaredEncoding(*source));
  bool marked = text.substr(0, 3) == "\xEF\xBB\xBF";
  bool utf8 = encoding.empty() || encoding == "utf-8" || encoding == "utf8" || encoding.rfind("utf-8-", 0) == 0;
  // CPython knows this one spelling beside the mark.
  if (marked && !encoding.empty() && encoding != "utf-8" && encoding.rfind("utf-8-", 0) != 0) {
    error = "the file begins with a UTF-8 mark and declares the encoding '" + encoding + "'";
    return nullptr;
  }
  size_t bad = 0;
  if (utf8) {
    if (validUtf8(text, bad)) // without the mark, so that columns count from the first character
      return marked ? std::make_shared<SourceBuffer>(source->path(), std::string(text.substr(3))) : source;
    error = "byte " + std::to_string(bad) + " is not valid UTF-8; declare the encoding in the first line (# -*- coding: ... -*-)";
    return nullptr;
  }
  if (encoding.rfind("latin-1", 0) == 0 || encoding.rfind("iso-latin-1", 0) == 0)
    encoding = "iso-8859-1";
  iconv_t converter = iconv_open("UTF-8", encoding.c_str());
  if (converter == reinterpret_cast<iconv_t>(-1)) {
    error = "unknown encoding '" + encoding + "'";
    return nullptr;
  }
  std::string out(text.size() * 4 + 16, '\0');
  char *from = const_cast<char *>(text.data()), *to = out.data();
  size_t left = text.size(), room = out.size();
  size_t status = iconv(converter, &from, &left, &to, &room);
  iconv_close(converter);
  if (status == static_cast<size_t>(-1)) {
    error = "the file is not valid " + encoding;
    return nullptr;
  }
  out.resize(out.size() - room);
  return std::make_shared<SourceBuffer>(source->path(), std::move(out));
}

} // namespace tegula::frontend
