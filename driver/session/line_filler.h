// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Completes diagnostics that know their place but not its text: those of the middle and of plugins.
#pragma once

#include "sdk/base/diagnostic.h"

#include <map>
#include <mutex>
#include <optional>

namespace tegula::driver {

/// Passes diagnostics on with their source lines read from the files, or from `text`, which stands for the file `path`. Thread-safe.
class LineFiller final : public base::DiagnosticSink {
public:
  LineFiller(base::DiagnosticSink &next, std::string path, std::optional<std::string> text);
  void report(base::Diagnostic diagnostic) override;
  bool hasErrors() const { return errors != 0; }

private:
  void fill(base::SourceRange &range);

  base::DiagnosticSink &next;
  std::mutex mutex;
  std::map<std::string, std::string> files;
  size_t errors = 0;
};

} // namespace tegula::driver
