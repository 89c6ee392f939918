#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes docs/diagnostics.md, the page of all diagnostics, from the catalogues (*.def) of the layers and the codes of KIR's reader (kir.h).

    make_diagnostics_page.py [--print]

scripts/gates.py holds the page to what this makes.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = "docs/diagnostics.md"
STRING = r'"(?:[^"\\]|\\.)*"'
#: MACRO(code, severity, title, explanation), perhaps with a name in front. Refusals have no severity: they are errors.
ENTRY = re.compile(rf'^[A-Z_]+\((?:\w+,\s*)??"?([A-Z]\d{{4}})"?,\s*(?:(\w+),\s*)?({STRING}),\s*((?:{STRING}\s*)+)\)', re.M)
#: Whatever looks like an entry, so that one which ENTRY does not understand is not dropped in silence.
CANDIDATE = re.compile(r'^[A-Z_]+\((?:\w+,\s*)?"?([A-Z]\d{4})"?,', re.M)
KIR_CODE = re.compile(r"TEGULA_KIR_ERROR_(\w+) = (\d{4}),?\s*/\* (.+?) \*/")
PARTS = {"D": "The driver", "F": "The frontend", "K": "The kernel IR's reader, writer and verifier", "M": "The middle", "P": "The reference plugin's refusals",
         "S": "The reference plugin's sanitizer", "T": "Targets and their plugins"}


def unquoted(literals):
    return "".join(s[1:-1] for s in re.findall(STRING, literals)).replace('\\"', '"').replace("\\\\", "\\")


def entries():
    """(code, severity, title, explanation) of every diagnostic."""
    for path in sorted(ROOT.rglob("*.def")):
        if "build" in path.relative_to(ROOT).parts:
            continue
        text = path.read_text()
        found = ENTRY.findall(text)
        unread = set(CANDIDATE.findall(text)) - {code for code, *_ in found}
        if unread:
            raise ValueError(f"{path.relative_to(ROOT)}: entries of another form: {', '.join(sorted(unread))}")
        for code, severity, title, explanation in found:
            yield code, (severity or "Error").lower(), unquoted(title), unquoted(explanation)
    for name, number, meaning in KIR_CODE.findall((ROOT / "sdk/kir/kir.h").read_text()):
        yield "K" + number, "error", name.lower(), meaning[0].upper() + meaning[1:] + "."


def page():
    lines = ["# Diagnostics", "", "Everything that Tegula reports, by code. This page is made by `scripts/make_diagnostics_page.py` from the catalogues beside "
             "the code;", "[adding-an-error.md](adding-an-error.md) says how a code comes into one."]
    part = None
    for code, severity, title, explanation in sorted(entries()):
        if code[0] != part:
            part = code[0]
            lines += ["", f"## {PARTS[part]}", "", "| code | severity | what | explanation |", "| --- | --- | --- | --- |"]
        lines.append("| {} | {} | {} | {} |".format(code, severity, title.replace("|", "\\|"), explanation.replace("|", "\\|")))
    return "\n".join(lines) + "\n"


def main():
    if sys.argv[1:] == ["--print"]:
        print(page(), end="")
    else:
        (ROOT / PAGE).write_text(page())


if __name__ == "__main__":
    main()
