#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adds up what the test logs of scripts/test report and prints `N passed, N failed`.

    count_tests.py LOG_FOLDER FAILED_STAGES

Counted are GoogleTest's and lit's own totals, and lines `NAME: N passed, N failed` of the other runners. A stage that failed without a
failed test in its log (a crash, a build error) counts as one failure.
"""
import pathlib
import re
import sys

GTEST_PASSED = re.compile(r"\[  PASSED  \] (\d+) tests?\.")
GTEST_FAILED = re.compile(r"\[  FAILED  \] (\d+) tests?, listed below")
LIT = re.compile(r"^(?:\d+: )?\s+(Passed|Failed|Unexpectedly Passed|Timed Out|Unresolved)\s*:\s*(\d+)", re.M)
OWN = re.compile(r"^(?:\d+: )?[\w.-]+: (\d+) passed, (\d+) failed", re.M)


def count(text):
    passed = sum(int(n) for n in GTEST_PASSED.findall(text))
    failed = sum(int(n) for n in GTEST_FAILED.findall(text))
    for kind, n in LIT.findall(text):
        if kind == "Passed":
            passed += int(n)
        else:
            failed += int(n)
    for good, bad in OWN.findall(text):
        passed += int(good)
        failed += int(bad)
    return passed, failed


def main():
    passed = failed = 0
    for log in sorted(pathlib.Path(sys.argv[1]).glob("*.log")):
        good, bad = count(log.read_text(errors="replace"))
        passed += good
        failed += bad
    failed = max(failed, int(sys.argv[2]))
    print(f"{passed} passed, {failed} failed")


if __name__ == "__main__":
    main()
