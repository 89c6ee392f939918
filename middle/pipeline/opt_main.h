// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass driver as a function: reads tile IR, runs passes, writes tile IR.
#pragma once

namespace tegula::middle::pipeline {

/// Runs `opt` on a command line (argv[0] is the program's name) and returns the exit code. Call it once in a process.
int tegulaOptMain(int argc, char **argv);

} // namespace tegula::middle::pipeline
