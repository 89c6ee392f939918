// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Triton's ahead-of-time signature string ("*fp32:16, i32, 1024") and the single items of it that `--arg NAME=TYPE` takes.
#pragma once

#include "driver/session/option_text.h"

#include <vector>

namespace tegula::driver {

struct SignatureItem {
  enum class Kind : uint8_t { Pointer, Scalar, Constant } kind = Kind::Scalar;
  std::string type;          ///< Pointer, Scalar: "*fp32", "*ki8", "i32"
  uint64_t divisibility = 1; ///< 16 with the hint ':16'
  std::string constant;      ///< Constant: a number; with the hint ':1' it is "1"
};

/// One item, in [begin, end) of the text.
std::optional<SignatureItem> parseSignatureItem(const OptionText &text, size_t begin, size_t end, base::DiagnosticSink &sink);
std::optional<std::vector<SignatureItem>> parseSignature(const OptionText &text, base::DiagnosticSink &sink);

} // namespace tegula::driver
