// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A piece of the command line (or of a batch line) as a place that diagnostics can point into.
#pragma once

#include "sdk/base/diagnostic.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace tegula::driver {

struct OptionText {
  std::string option; ///< what stands before the text, "--arg x="
  std::string text;

  base::SourceRange at(size_t begin, size_t end) const {
    base::SourceRange range;
    range.file = "<command line>";
    range.line = 1;
    range.lineText = option + text;
    auto points = [](std::string_view bytes) {
      uint32_t n = 0;
      for (char c : bytes)
        n += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
      return n;
    };
    std::string_view all = range.lineText;
    range.column = points(all.substr(0, option.size() + begin)) + 1;
    range.endColumn = range.column + std::max<uint32_t>(1, points(all.substr(option.size() + begin, end > begin ? end - begin : 0)));
    return range;
  }
  base::SourceRange all() const { return at(0, text.size()); }
};

/// Reports an error and gives nullopt, so that a parser can end with `return fail(...)`.
inline std::nullopt_t fail(base::DiagnosticSink &sink, std::string code, std::string message, base::SourceRange where = {}, std::string help = {}) {
  base::Diagnostic diagnostic;
  diagnostic.code = std::move(code);
  diagnostic.message = std::move(message);
  diagnostic.where = std::move(where);
  diagnostic.help = std::move(help);
  sink.report(std::move(diagnostic));
  return std::nullopt;
}

} // namespace tegula::driver
