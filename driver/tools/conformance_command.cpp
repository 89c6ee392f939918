// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tegula conformance`: hands its command line to the suite, where the program was built with it.
#include "driver/tools/command_line.h"

#ifdef TEGULA_WITH_CONFORMANCE
/// Of conformance/harness: runs the suite on a command line (argv[0] is "conformance") and returns the exit status.
extern "C" int tegula_conformance_main(int argc, char **argv);
#endif

namespace tegula::driver::tools {

int conformanceCommand(int argc, char **argv) {
#ifdef TEGULA_WITH_CONFORMANCE
  return tegula_conformance_main(argc, argv);
#else
  (void)argc, (void)argv;
  base::DiagnosticList sink;
  fail(sink, "D1001", "this program was built without the conformance suite");
  printDiagnostics(sink.diagnostics(), false);
  return 2;
#endif
}

} // namespace tegula::driver::tools
