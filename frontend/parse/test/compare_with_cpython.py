#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares our parser's trees with CPython's on every file of the standard library that the running interpreter came with.

    compare_with_cpython.py AST_DUMP_PROGRAM [--show N] [FOLDER...]

Trees are compared with their places under CPython 3.12; older interpreters place the parts of formatted strings elsewhere and know no type
parameters, so there the places are left out. Files that an older interpreter rejects are skipped.
"""
import ast
import pathlib
import re
import subprocess
import sys
import sysconfig
import warnings


def reference(path, attributes):
    try:
        text = path.read_bytes()
        tree = ast.parse(text, str(path))
        compile(text, str(path), "exec", dont_inherit=True)  # reports more than the grammar does
    except (SyntaxError, ValueError, UnicodeDecodeError, LookupError):
        return None
    except (RecursionError, MemoryError):
        return "too deep"
    try:
        return ast.dump(tree, include_attributes=attributes)
    except (RecursionError, ValueError, UnicodeEncodeError):
        return "too deep"


#: 3.12.0 to 3.12.2 end a format specification that ends with a nested field with an empty constant; later ones do not.
EMPTY_TAIL = re.compile(r", Constant\(value=''(?:, lineno=\d+, col_offset=\d+, end_lineno=\d+, end_col_offset=\d+)?\)(?=\](?:, lineno=\d+, col_offset=\d+, end_lineno=\d+, end_col_offset=\d+)?\))")


def main():
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(20000)
    program, rest = sys.argv[1], sys.argv[2:]
    show = int(rest[rest.index("--show") + 1]) if "--show" in rest else 5
    folders = [pathlib.Path(f) for f in rest if not f.isdigit() and f != "--show"] or [pathlib.Path(sysconfig.get_paths()["stdlib"])]
    exact = sys.version_info[:2] == (3, 12)
    paths = sorted(p for folder in folders for p in folder.rglob("*.py") if "site-packages" not in p.parts and "dist-packages" not in p.parts)
    done = subprocess.run([program] + (["--attributes"] if exact else []), input="\n".join(map(str, paths)), capture_output=True, encoding="utf-8",
                          errors="surrogatepass")
    answers = done.stdout.split("\n--- end\n")
    if done.returncode != 0 or len(answers) != len(paths) + 1:
        print(f"the dump program ended with {done.returncode} after {len(answers) - 1} of {len(paths)} files: {paths[len(answers) - 1]}")
        print("stdlib: 0 passed, 1 failed")
        return 1
    equal = rejected = failed = skipped = 0
    for path, ours in zip(paths, answers):
        want = reference(path, exact)
        if want == "too deep" or (want is None and sys.version_info < (3, 12) and not ours.startswith("error")):
            skipped += 1
            continue
        if sys.version_info < (3, 12):
            ours = ours.replace(", type_params=[]", "")
        if want is None and ours.startswith("error"):
            rejected += 1
        elif want == ours or (want and EMPTY_TAIL.sub("", want) == EMPTY_TAIL.sub("", ours)):
            equal += 1
        else:
            failed += 1
            if failed <= show:
                if want is None or ours.startswith("error"):
                    print(f"{path}: CPython {'rejects' if want is None else 'accepts'}, we say {ours[:160]}")
                else:
                    at = next((i for i, (a, b) in enumerate(zip(want, ours)) if a != b), min(len(want), len(ours)))
                    print(f"{path}: differs at {at}\n  CPython {want[max(0, at - 120):at + 80]!r}\n  ours    {ours[max(0, at - 120):at + 80]!r}")
    if equal + rejected < 500:
        print(f"only {equal + rejected} files were compared; expected at least 500")
        failed += 1
    print(f"{equal} equal, {rejected} rejected by both, {failed} different, {skipped} skipped (Python {sys.version.split()[0]}, places {'compared' if exact else 'left out'})")
    print(f"stdlib: {equal + rejected} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
