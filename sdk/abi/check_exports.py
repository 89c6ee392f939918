# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks a plugin's symbols: exactly one export, tegula_plugin_query, and needed libraries and undefined symbols from the
baseline of C and C++ only.

usage: check_exports.py PLUGIN.so [--nm NM] [--readelf READELF]
"""
import argparse
import re
import shutil
import subprocess
import sys

EXPORT = "tegula_plugin_query"
LIBRARIES = re.compile(r"(libc|libm|libstdc\+\+|libgcc_s|libpthread|libdl|librt|ld-linux-[a-z0-9-]+)\.so(\.\d+)*")
VERSIONS = re.compile(r"@+(GLIBC|GLIBCXX|CXXABI|GCC)_[A-Z0-9_.]+$")
UNVERSIONED = {"__gmon_start__", "_ITM_deregisterTMCloneTable", "_ITM_registerTMCloneTable", "__cxa_finalize"}


def lines(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def check(plugin, nm, readelf):
    """Texts of all that is wrong."""
    wrong = []
    exports = [line.split()[-1] for line in lines(nm, "-D", "--defined-only", plugin)]
    if exports != [EXPORT]:
        listed = ", ".join(exports[:8]) + (", ..." if len(exports) > 8 else "")
        wrong.append(f"exports {len(exports)} symbols ({listed}), expected {EXPORT} alone (R27)")
    for line in lines(nm, "-D", "--undefined-only", plugin):
        symbol = line.split()[-1]
        if symbol not in UNVERSIONED and not VERSIONS.search(symbol):
            wrong.append(f"needs '{symbol}', which is not of the C or C++ library (R27)")
    for line in lines(readelf, "-d", plugin):
        if "(NEEDED)" in line:
            library = re.search(r"\[(.*)\]", line).group(1)
            if not LIBRARIES.fullmatch(library):
                wrong.append(f"needs the library '{library}' (R27)")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plugin")
    parser.add_argument("--nm", default=shutil.which("nm") or "llvm-nm-22")
    parser.add_argument("--readelf", default=shutil.which("readelf") or "llvm-readelf-22")
    args = parser.parse_args()
    wrong = check(args.plugin, args.nm, args.readelf)
    for text in wrong:
        print(f"{args.plugin}: {text}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
