#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every code that is reported stands in its family's catalogue (F21xx, F30xx ...), every entry is used, and none stands twice. Argument: the
frontend's folder."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
entries = re.findall(r"^TEGULA_DIAGNOSTIC\((\w+),", "".join(p.read_text() for p in sorted(root.rglob("*.def"))), re.M)
sources = [p for folder in ("lex", "parse", "sema", "emit") for p in (root / folder).rglob("*.cpp") if "test" not in p.stem and p.parent.name != "test"]
used = {code for p in sources for code in re.findall(r'"(F[1234]\d{3})"', p.read_text())}
known = {code for code in entries if code[1] in "1234"}
families = {code[:3] for code in known}
used = {code for code in used if code[:3] in families}
for title, codes in (("not in a catalogue", used - known), ("never reported", known - used), ("listed twice", {c for c in entries if entries.count(c) > 1})):
    if codes:
        print(f"{title}: {', '.join(sorted(codes))}")
        sys.exit(1)
print(f"{len(used)} codes")
