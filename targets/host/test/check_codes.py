# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every code that targets/ reports is in its catalogue, and every code of the catalogue is reported somewhere.

usage: check_codes.py TARGETS_FOLDER
"""
import pathlib
import re
import sys

folder = pathlib.Path(sys.argv[1])
catalogue = re.findall(r"^TEGULA_TARGETS_DIAGNOSTIC\((T\d{4}),", (folder / "host/diagnostics.def").read_text(), re.M)
sources = [path for path in folder.rglob("*.cpp") if not path.name.endswith("_test.cpp") and "test" not in path.parent.parts]
used = {code for path in sources for code in re.findall(r'"(T\d{4})"', path.read_text())}
wrong = [f"{code} is in the catalogue twice" for code in set(catalogue) if catalogue.count(code) > 1]
wrong += [f"{code} is reported and not in the catalogue" for code in sorted(used - set(catalogue))]
wrong += [f"{code} is in the catalogue and never reported" for code in sorted(set(catalogue) - used)]
print("\n".join(wrong) or f"{len(catalogue)} codes")
sys.exit(1 if wrong or not catalogue else 0)
