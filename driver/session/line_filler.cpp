// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See the header.
#include "driver/session/line_filler.h"

#include "driver/session/npy.h"

namespace tegula::driver {

LineFiller::LineFiller(base::DiagnosticSink &next, std::string path, std::optional<std::string> text) : next(next) {
  if (text)
    files.emplace(std::move(path), std::move(*text));
}

void LineFiller::report(base::Diagnostic diagnostic) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    fill(diagnostic.where);
    for (base::Note &note : diagnostic.notes)
      fill(note.where);
    errors += diagnostic.severity == base::Severity::Error;
  }
  next.report(std::move(diagnostic));
}

void LineFiller::fill(base::SourceRange &range) {
  if (!range.known() || !range.lineText.empty() || range.file.empty() || range.file[0] == '<')
    return;
  auto it = files.find(range.file);
  if (it == files.end()) {
    base::DiagnosticList ignored;
    it = files.emplace(range.file, readFile(range.file, ignored).value_or("")).first;
  }
  const std::string &text = it->second;
  size_t begin = 0;
  for (uint32_t line = 1; line < range.line; ++line) {
    begin = text.find('\n', begin);
    if (begin == std::string::npos)
      return;
    ++begin;
  }
  range.lineText = text.substr(begin, text.find('\n', begin) - begin);
  if (!range.lineText.empty() && range.lineText.back() == '\r')
    range.lineText.pop_back();
}

} // namespace tegula::driver
