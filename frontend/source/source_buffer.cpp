// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/source/source_buffer.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sys/stat.h>

namespace tegula::frontend {

SourceBuffer::SourceBuffer(std::string path, std::string text) : filePath(std::move(path)), content(std::move(text)) {
  lineStarts.push_back(0);
  for (size_t i = 0; i < content.size(); ++i) {
    bool crlf = content[i] == '\r' && i + 1 < content.size() && content[i + 1] == '\n';
    if (content[i] == '\n' || (content[i] == '\r' && !crlf))
      lineStarts.push_back(static_cast<uint32_t>(i + 1));
  }
}

std::shared_ptr<const SourceBuffer> SourceBuffer::open(const std::string &path, std::string &error) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) {
    error = errno == ENOENT ? "no such file" : std::strerror(errno);
    return nullptr;
  }
  if (S_ISDIR(info.st_mode)) {
    error = "it is a directory";
    return nullptr;
  }
  if (info.st_size > (64 << 20)) {
    error = "it is larger than 64 MiB";
    return nullptr;
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    error = std::strerror(errno);
    return nullptr;
  }
  return std::make_shared<SourceBuffer>(path, std::string(std::istreambuf_iterator<char>(in), {}));
}

namespace {

uint32_t codePoints(std::string_view text) {
  uint32_t n = 0;
  for (char c : text)
    n += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return n;
}

} // namespace

SourceBuffer::LineColumn SourceBuffer::locate(uint32_t offset) const {
  auto next = std::upper_bound(lineStarts.begin(), lineStarts.end(), offset);
  auto line = static_cast<uint32_t>(next - lineStarts.begin());
  uint32_t start = lineStarts[line - 1];
  uint32_t end = std::min<uint32_t>(offset, static_cast<uint32_t>(content.size()));
  return {line, codePoints(std::string_view(content).substr(start, end - start)) + 1, offset - start};
}

std::string_view SourceBuffer::line(uint32_t line) const {
  if (line == 0 || line > lineStarts.size())
    return {};
  size_t begin = lineStarts[line - 1], end = line < lineStarts.size() ? lineStarts[line] : content.size();
  while (end > begin && (content[end - 1] == '\n' || content[end - 1] == '\r'))
    --end;
  return std::string_view(content).substr(begin, end - begin);
}

base::SourceRange SourceBuffer::range(uint32_t begin, uint32_t end) const {
  LineColumn from = locate(begin), to = locate(std::max(begin, end));
  base::SourceRange range;
  range.file = filePath;
  range.line = from.line;
  range.column = from.column;
  range.lineText = std::string(line(from.line));
  range.endColumn = to.line == from.line ? to.column : codePoints(range.lineText) + 1;
  range.endColumn = std::max(range.endColumn, range.column + 1);
  return range;
}

} // namespace tegula::frontend
