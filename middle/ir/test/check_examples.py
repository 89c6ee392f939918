#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each example in an op's description stands, but for names of values, in ops.mlir, which is parsed, printed and lowered by tests.

    check_examples.py IR_FOLDER
"""
import pathlib
import re
import sys


def shape(text):
    """The text without names of values, comments and needless blanks."""
    text = re.sub(r"//.*", "", text)
    return re.sub(r"\s+", " ", re.sub(r"%[\w#:]+", "%", text)).strip()


def main(folder):
    folder = pathlib.Path(folder)
    tested = shape((folder / "test" / "ops.mlir").read_text())
    missing = count = 0
    for source in sorted(folder.glob("*_ops.td")):
        for block in re.findall(r"```mlir\n(.*?)```", source.read_text(), re.S):
            for example in re.split(r"\n(?=    \S)(?!    \}|    \^)", block):
                count += 1
                if shape(example) not in tested:
                    missing += 1
                    print(f"{source.name}: not tested: {shape(example)}")
    print(f"{count} examples, {missing} not tested")
    return missing or not count


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
