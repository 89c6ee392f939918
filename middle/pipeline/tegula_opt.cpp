// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass driver as a program of its own, for tests.
#include "middle/pipeline/opt_main.h"

int main(int argc, char **argv) { return tegula::middle::pipeline::tegulaOptMain(argc, argv); }
