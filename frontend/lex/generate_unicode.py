#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes unicode_tables.inc: ranges of identifier and of unprintable characters, and what normalisation form KC needs. generate_unicode.py OUT"""
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
        f.write("constexpr Mapping kDecomposition[] = {\n")
        for code in range(0x80, 0x110000):
            c = chr(code)
            full = unicodedata.normalize("NFKD", c)
            if ("a" + c).isidentifier() and full != c and not 0xAC00 <= code <= 0xD7A3:  # Hangul syllables are computed
                f.write(f"{{{code}u, \"" + "".join(f"\\x{b:02x}" for b in full.encode()) + "\"},\n")
        f.write("};\nconstexpr CombiningClass kCombiningClasses[] = {\n")
        for code in range(0x80, 0x110000):
            if unicodedata.combining(chr(code)):
                f.write(f"{{{code}u, {unicodedata.combining(chr(code))}u}},\n")
        f.write("};\nconstexpr Composition kCompositions[] = {\n")
        pairs = []
        for code in range(0x80, 0x110000):
            parts = unicodedata.decomposition(chr(code)).split()
            if len(parts) == 2 and parts[0][0] != "<" and unicodedata.normalize("NFC", chr(code)) == chr(code):
                pairs.append((int(parts[0], 16), int(parts[1], 16), code))
        for first, second, whole in sorted(pairs):
            f.write(f"{{{first}u, {second}u, {whole}u}},\n")
        f.write("};\n")


if __name__ == "__main__":
    main()
