#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records the names of all functions of Triton's libdevice: frontend/sema/test/libdevice_names.txt. Needs an installed Triton.

The gate `libdevice` holds to it both what the frontend knows and the list in docs/language.md.
"""
import ast
import importlib.metadata
import importlib.util
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    extra = pathlib.Path(importlib.util.find_spec("triton").origin).parent / "language" / "extra"
    names = set()
    for path in extra.rglob("libdevice.py"):
        names |= {node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)}
    text = f"# The functions of libdevice in Triton {importlib.metadata.version('triton')}; made by scripts/record_libdevice_names.py.\n"
    (ROOT / "frontend/sema/test/libdevice_names.txt").write_text(text + "".join(f"{name}\n" for name in sorted(names)))


if __name__ == "__main__":
    main()
