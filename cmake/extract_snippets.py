#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the files that a page shows: extract_snippets.py PAGE FOLDER

A file is a fenced block whose info string has a path behind the language (```cpp plugins/x/plugin.cpp); the indentation of the fence is taken off.
"""
import pathlib
import re
import sys
import textwrap

page, folder = map(pathlib.Path, sys.argv[1:])
blocks = re.findall(r"^([ ]*)```\w+ ([\w./-]+)\n(.*?)^\1```$", page.read_text(), re.S | re.M)
files = {path: textwrap.dedent(body) for _, path, body in blocks if "/" in path}
if not files:
    sys.exit(f"{page}: no files")
for path, body in files.items():
    path = folder / path
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != body:
        path.write_text(body)
