// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One file's text and its line table: offsets to lines and columns, and to the ranges that diagnostics carry. Reading files
// and decoding errors are here; finding files (import search) is sema's.
#pragma once

#include "sdk/base/diagnostic.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::frontend {

/// Immutable text with a path; shared by every AST node's module. Offsets are bytes of the UTF-8 text.
class SourceBuffer {
public:
  /// Takes text as it is (no decoding); `path` is what diagnostics print.
  SourceBuffer(std::string path, std::string text);

  /// Reads a file; nullopt with `error` set to a sentence fragment ("no such file", "is a directory") where it cannot.
  static std::shared_ptr<const SourceBuffer> open(const std::string &path, std::string &error);

  const std::string &path() const { return filePath; }
  std::string_view text() const { return content; }

  struct LineColumn {
    uint32_t line = 0;       ///< from 1
    uint32_t column = 0;     ///< from 1, code points
    uint32_t byteColumn = 0; ///< from 0, UTF-8 bytes (CPython's col_offset)
  };
  LineColumn locate(uint32_t offset) const;
  uint32_t lineCount() const { return static_cast<uint32_t>(lineStarts.size()); }
  /// The text of line `line` (from 1) without its line end.
  std::string_view line(uint32_t line) const;
  /// The range [begin, end) as a diagnostic carries it.
  base::SourceRange range(uint32_t begin, uint32_t end) const;

private:
  std::string filePath;
  std::string content;
  std::vector<uint32_t> lineStarts;
};

} // namespace tegula::frontend
