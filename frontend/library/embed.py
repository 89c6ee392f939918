#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the library's files as C++ string literals: embed.py OUT FILE..."""
import pathlib
import sys


def main():
    out = ["// Generated from frontend/library by embed.py.\nstruct EmbeddedFile { std::string_view name, text; };\nconstexpr EmbeddedFile kFiles[] = {\n"]
    for name in sys.argv[2:]:
        path = pathlib.Path(name)
        out.append(f'{{"{path.stem}", R"__library__({path.read_text()})__library__"}},\n')
    out.append("};\n")
    pathlib.Path(sys.argv[1]).write_text("".join(out))


if __name__ == "__main__":
    main()
