#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a page of all diagnostics, from the catalogues (*.def) of the layers."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENTRY = re.compile(r'^(?:TEGULA_\w+\(|FINDING\(\w+,)\s*"?([A-Z]\d{4})"?,\s*(\w+),\s*"([^"]*)",\s*"((?:[^"\\]|\\.)*)"', re.M)


def main():
    entries = []
    for path in sorted(ROOT.rglob("*.def")):
        if "build" not in path.relative_to(ROOT).parts:
            entries += ENTRY.findall(path.read_text())
    print("# Diagnostics\n\n| code | severity | what | explanation |\n| --- | --- | --- | --- |")
    for code, severity, title, text in sorted(entries):
        print(f"| {code} | {severity.lower()} | {title} | {text} |")


if __name__ == "__main__":
    main()
