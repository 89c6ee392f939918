#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes unicode_tables.inc: ranges of identifier and of unprintable characters, and the compatibility forms of single characters. generate_unicode.py OUT"""
import sys
import unicodedata


def ranges(test):
    out, start = [], None
    for code in range(0x80, 0x110001):
        inside = code <= 0x10FFFF and test(chr(code))
        if inside and start is None:
            start = code
        elif not inside and start is not None:
            out.append((start, code - 1))
            start = None
    return out


def main():
    with open(sys.argv[1], "w") as f:
        for name, test in (("kXidStart", str.isidentifier), ("kXidContinue", lambda c: ("a" + c).isidentifier()),
                           ("kUnprintable", lambda c: not c.isprintable())):
            f.write(f"constexpr Range {name}[] = {{\n" + "".join(f"{{{a}u, {b}u}},\n" for a, b in ranges(test)) + "};\n")
        f.write("constexpr Mapping kCompatibility[] = {\n")
        for code in range(0x80, 0x110000):
            c = chr(code)
            if ("a" + c).isidentifier() and unicodedata.normalize("NFKC", c) != c:
                f.write(f"{{{code}u, \"" + "".join(f"\\x{b:02x}" for b in unicodedata.normalize("NFKC", c).encode()) + "\"},\n")
        f.write("};\n")


if __name__ == "__main__":
    main()
