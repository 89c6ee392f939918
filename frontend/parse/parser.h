// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python 3.12 text to AST. Accepts what CPython 3.12's compiler accepts (its post-parse syntax checks included) and recovers
// after an error at the next statement, so that one run reports several.
#pragma once

#include "frontend/ast/ast.h"
#include "frontend/source/source_buffer.h"
#include "sdk/base/diagnostic.h"

#include <memory>

namespace tegula::frontend {

/// Parses a whole file. Never null: where errors were reported to `sink`, `complete` is false and the damaged statements are
/// StmtKind::Invalid. Depth of nesting is limited (a diagnostic, not a crash). Thread-safe for distinct sinks.
std::shared_ptr<ast::Module> parseModule(std::shared_ptr<const SourceBuffer> source, base::DiagnosticSink &sink);

} // namespace tegula::frontend
