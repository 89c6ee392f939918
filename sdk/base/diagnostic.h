// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The diagnostic record and the sink it goes to. Every layer reports through these and nothing else; turning records into
// text or JSON is left to driver/render. A record carries its source line, so that rendering needs no file.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace tegula::base {

enum class Severity : uint8_t { Error, Warning, Remark };

/// A stretch of source text. `line` and `column` count from 1, columns in Unicode code points; line 0 means "no place".
/// `endColumn` is one past the last character, on the same line as `column` (a longer stretch is cut at its first line).
struct SourceRange {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t endColumn = 0;
  std::string lineText; ///< the whole source line without its line end

  bool known() const { return line != 0; }
};

/// Further information attached to a diagnostic, at a place of its own (a call chain, an earlier definition).
struct Note {
  std::string message;
  SourceRange where;
};

/// One thing to tell the user. `code` is a catalogue entry such as "F1203": F frontend, M middle, T target, P plugin,
/// D driver; S is the sanitizer. Messages are lower case, without a final stop, with names in quotes.
struct Diagnostic {
  Severity severity = Severity::Error;
  std::string code;
  std::string message;
  SourceRange where;
  std::vector<Note> notes;
  std::string help; ///< what to do about it, where that is known; else empty
};

/// Receives diagnostics. Implementations may be called from any thread that compiles or runs; see each one's contract.
class DiagnosticSink {
public:
  virtual ~DiagnosticSink() = default;
  virtual void report(Diagnostic diagnostic) = 0;
};

/// Keeps all it is told, in order. Thread-safe.
class DiagnosticList final : public DiagnosticSink {
public:
  void report(Diagnostic diagnostic) override {
    std::lock_guard<std::mutex> lock(mutex);
    if (diagnostic.severity == Severity::Error)
      ++errors;
    all.push_back(std::move(diagnostic));
  }
  bool hasErrors() const { return errors != 0; }
  const std::vector<Diagnostic> &diagnostics() const { return all; }
  std::vector<Diagnostic> take() { return std::move(all); }

private:
  std::mutex mutex;
  std::vector<Diagnostic> all;
  size_t errors = 0;
};

} // namespace tegula::base
