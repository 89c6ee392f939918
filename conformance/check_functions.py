#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every function that the language offers is used by a case: check_functions.py SOURCE_FOLDER

The names come from the tables of builtins and from the library in the language itself; uses from the cases' kernels, the examples, and the
constants that the case files hand to getattr.
"""
import ast
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
#: Names that are types or ways to spell them, not functions of a kernel.
TYPES = {"base_type", "base_value", "block_type", "const", "constexpr_type", "tensor", "tensor_descriptor", "tuple"}


def offered():
    for path in (ROOT / "frontend/sema/builtins").glob("*.cpp"):
        for table in re.findall(r"BuiltinEntry k\w+\[\] = \{(.*?)\n\};", path.read_text(), re.S):
            yield from re.findall(r'\{"(\w+)",', table)
    for path in (ROOT / "frontend/library").glob("*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef) and node.decorator_list and not node.name.startswith("_"):
                yield node.name


def used():
    kernels = [*(ROOT / "conformance/cases").rglob("*.py"), *(ROOT / "examples").glob("*.py")]
    for path in kernels:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Attribute):
                yield node.attr
    for path in (ROOT / "conformance/cases").rglob("*.json"):
        for case in json.loads(path.read_text())["cases"]:
            for value in [*case.get("defines", {}).values(), *case.get("parameters", {}).values()]:
                yield from (v for v in (value if isinstance(value, list) else [value]) if isinstance(v, str))


names = set(offered()) - TYPES
missing = sorted(names - set(used()))
for name in missing:
    print(f"no case uses {name}")
print(f"{len(names)} functions, {len(missing)} without a case")
sys.exit(bool(missing) or not names)
