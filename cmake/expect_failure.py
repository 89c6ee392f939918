#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Passes where a command fails for the reason that is meant: with this exit status and a line of output that matches as a whole (a
traceback, which may quote the message's source line, does not).

    expect_failure.py STATUS REGEX COMMAND...

CTest's WILL_FAIL is content with any failure, also with that of a tool which is not installed; its PASS_REGULAR_EXPRESSION ignores the status.
"""
import re
import subprocess
import sys

status, pattern, *command = sys.argv[1:]
done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
right = done.returncode == int(status) and any(re.fullmatch(pattern, line) for line in done.stdout.splitlines())
if not right:
    print(f"exit status {done.returncode}, expected {status} and a line {pattern!r} in:")
print(done.stdout, end="")
sys.exit(not right)
