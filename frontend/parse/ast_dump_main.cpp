// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Test program: reads paths from standard input, one a line, and prints for each file its tree's dump, or "error", and a line "--- end".

#include "frontend/ast/dump.h"
#include "frontend/parse/parser.h"

#include <cstring>
#include <iostream>

using namespace tegula;

int main(int argc, char **argv) {
  bool attributes = argc > 1 && std::strcmp(argv[1], "--attributes") == 0;
  std::string path;
  while (std::getline(std::cin, path)) {
    std::string error;
    auto source = frontend::SourceBuffer::open(path, error);
    base::DiagnosticList list;
    std::shared_ptr<frontend::ast::Module> module = source ? frontend::parseModule(source, list) : nullptr;
    if (module && module->complete) {
      std::cout << frontend::ast::dump(*module, attributes) << "\n--- end\n";
    } else {
      std::cout << "error";
      for (const base::Diagnostic &d : list.diagnostics()) {
        std::cout << " " << d.where.line << ":" << d.where.column << " " << d.code << " " << d.message;
        break;
      }
      std::cout << "\n--- end\n";
    }
  }
  return 0;
}
