// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles the text of one kernel with the real language and builder, and tells what came of it: for the tests of builtins.
#pragma once

#include "frontend/emit/compile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"

namespace tegula::frontend::sema {

struct Outcome {
  std::string ir;                  ///< of the module; empty after an error
  std::string code, message, help; ///< of the first error
  std::string caret;               ///< the source text that the first error points at
  std::vector<std::string> printed; ///< by static_print, in order

  bool has(std::string_view text) const { return ir.find(text) != std::string::npos; }
};

/// One context for many kernels.
class KernelCompiler {
public:
  explicit KernelCompiler(bool printsIr = true) : printsIr(printsIr), context(mlir::MLIRContext::Threading::DISABLED) {}

  /// `parameters` as "A: *fp32, n: i32"; `body` is one statement a line.
  Outcome compile(std::string_view parameters, std::string_view body) {
    CompileRequest request;
    request.path = "kernel.py";
    request.kernel = "kernel";
    std::string names;
    for (size_t at = 0; at < parameters.size();) {
      size_t colon = parameters.find(": ", at), end = std::min(parameters.find(", ", at), parameters.size());
      std::string name(parameters.substr(at, colon - at)), type(parameters.substr(colon + 2, end - colon - 2));
      names += (names.empty() ? "" : ", ") + name;
      ArgumentSpec spec;
      spec.kind = type[0] == '*' ? ArgumentSpec::Kind::Pointer : ArgumentSpec::Kind::Scalar;
      spec.type = type;
      request.arguments[name] = spec;
      at = end + 2;
    }
    std::string text = "import triton\nimport triton.language as tl\nfrom triton.language.extra import libdevice\n\n@triton.jit\ndef add(a, b):\n    "
                       "return a + b\n\n@triton.constexpr_function\ndef rows(x):\n    return x.shape[0]\n\n@triton.jit\ndef halves(a, b):\n    "
                       "return a * 0.5 + b\n\n@triton.jit\ndef first(a, b, c, d):\n    return a\n\n@triton.jit\ndef kernel(" +
                       names + "):\n";
    for (size_t at = 0; at < body.size();) {
      size_t end = std::min(body.find('\n', at), body.size());
      text += "    " + std::string(body.substr(at, end - at)) + "\n";
      at = end + 1;
    }
    request.text = text;
    base::DiagnosticList list;
    auto compiled = session.compile(request, context, list);
    Outcome outcome;
    for (const base::Diagnostic &d : list.diagnostics()) {
      if (d.code == "F3703")
        outcome.printed.push_back(d.message);
      if (d.severity != base::Severity::Error || !outcome.code.empty())
        continue;
      outcome.code = d.code;
      outcome.message = d.message;
      outcome.help = d.help;
      if (d.where.known())
        outcome.caret = d.where.lineText.substr(d.where.column - 1, d.where.endColumn - d.where.column);
    }
    if (compiled) {
      mlir::OwningOpRef<mlir::ModuleOp> module(mlir::ModuleOp::getFromOpaquePointer(compiled->module));
      llvm::raw_string_ostream out(outcome.ir);
      if (printsIr)
        module->print(out);
      else
        out << "built";
    }
    return outcome;
  }

private:
  const bool printsIr;
  mlir::MLIRContext context;
  Session session;
};

} // namespace tegula::frontend::sema
