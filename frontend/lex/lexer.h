// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text to tokens: indentation, line joining, string and f-string modes (PEP 701). Values of literals are literals.h's.
#pragma once

#include "frontend/lex/token.h"
#include "frontend/source/source_buffer.h"
#include "sdk/base/diagnostic.h"

namespace tegula::frontend {

/// All tokens of a source, ending with End. Errors go to `sink`; the tokens then still form a sequence (a bad character is left out, an
/// unfinished string ends at its line). `failed` says whether there was one.
std::vector<Token> lex(const SourceBuffer &source, base::DiagnosticSink &sink, bool &failed);

} // namespace tegula::frontend
