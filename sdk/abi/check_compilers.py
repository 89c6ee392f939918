# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the layout asserts with every C and C++ compiler at hand; layouts must hold, also with short enumerations, and a 32-bit
build must fail. The C++ wrapper is compiled alone, with and without exceptions.

usage: check_compilers.py layout_asserts.c INCLUDE WRAPPER_INCLUDE
"""
import shutil
import subprocess
import sys

asserts, include, wrapper = sys.argv[1:]
failures = tried = 0


def compile(command, source, expect_success=True):
    global failures, tried
    tried += 1
    done = subprocess.run(command + ["-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I" + include, "-I" + wrapper] + source,
                          capture_output=True, text=True)
    if (done.returncode == 0) != expect_success:
        failures += 1
        print("unexpected", "failure" if expect_success else "success", " ".join(command), "\n" + done.stderr[:2000])


for c, cxx in (("gcc", "g++"), ("clang-22", "clang++-22"), ("clang", "clang++")):
    if shutil.which(c):
        compile([c, "-std=c11", "-x", "c"], [asserts])
        compile([c, "-std=c11", "-fshort-enums", "-x", "c"], [asserts])
        compile([c, "-std=c11", "-m32", "-x", "c"], [asserts], expect_success=False)
    if shutil.which(cxx):
        for standard in ("c++17", "c++20"):
            compile([cxx, "-std=" + standard, "-x", "c++"], [asserts])
            for flag in ("-fexceptions", "-fno-exceptions"):
                for text in ("values.hpp", "plugin.hpp", "device.hpp"):
                    compile([cxx, "-std=" + standard, flag, "-x", "c++"], [wrapper + "/tegula/" + text])
print(f"{tried} compilations, {failures} unexpected")
sys.exit(1 if failures or tried < 8 else 0)
