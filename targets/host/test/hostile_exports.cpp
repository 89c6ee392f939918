// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library that exports what it should not, and no entry point.
extern "C" __attribute__((visibility("default"))) int tegula_private_part() { return 1; }
extern "C" __attribute__((visibility("default"))) int tegula_other_part() { return 2; }
