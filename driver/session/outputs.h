// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files that one command writes: all of them, each whole, or none.
#pragma once

#include "driver/session/npy.h"

namespace tegula::driver {

class Outputs {
public:
  Outputs() = default;
  Outputs(const Outputs &) = delete;
  Outputs &operator=(const Outputs &) = delete;
  /// Removes what was not put in place.
  ~Outputs();

  /// Writes a temporary file beside `path`. False after an error, where the target stays as it was. `body` must live until `place`: devices and
  /// pipes, which nothing can be renamed over, are written then.
  bool add(const std::string &path, std::string head, std::string_view body, base::DiagnosticSink &sink);
  bool addNpy(const std::string &path, const Array &array, base::DiagnosticSink &sink);
  /// Puts all of them in place. False after an error.
  bool place(base::DiagnosticSink &sink);

private:
  struct Output {
    std::string path, temporary; ///< no temporary: written in place
    std::string head;
    std::string_view body;
  };
  std::vector<Output> outputs;
};

} // namespace tegula::driver
