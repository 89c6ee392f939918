#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The part of the demo that computes: runs examples/softmax.py and compares it with float64, or runs it without its load mask.

    demo_softmax.py --program TEGULA --folder SCRATCH [--broken]
"""
import argparse
import pathlib
import subprocess
import sys
import time

import numpy as np

ROWS, COLUMNS, BLOCK = 1823, 781, 1024
#: In units of half an ulp (2**-24): exp itself, its terms in the sum, a balanced sum of 1024 terms, the division. The rounding of x - max, a
#: relative error of the exponent's size, comes on top, once in the numerator and once, at most, in the sum.
ROUNDINGS = 3 + 3 + 10 + 1


def command(options, kernel, x, out):
    return [options.program, "run", str(kernel), "-k", "softmax", "--grid", "rows",
            "--arg", f"out=empty:f32[{ROWS},{COLUMNS}]", "--arg", f"x=@{x}", "--arg", f"out_stride={COLUMNS}", "--arg", f"x_stride={COLUMNS}",
            "--arg", f"rows={ROWS}", "--arg", f"columns={COLUMNS}", "-D", f"BLOCK={BLOCK}", "--out", f"out={out}"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--folder", required=True, type=pathlib.Path)
    parser.add_argument("--broken", action="store_true")
    options = parser.parse_args()
    kernel = pathlib.Path(__file__).resolve().parent.parent / "examples" / "softmax.py"
    x, out = options.folder / "x.npy", options.folder / "out.npy"
    values = np.random.default_rng(7).standard_normal((ROWS, COLUMNS), dtype=np.float32) * 4
    np.save(x, values)

    if options.broken:
        text = kernel.read_text().replace(", mask=inside, other=-float(\"inf\")", "")
        kernel = options.folder / "softmax_without_mask.py"
        kernel.write_text(text)
        done = subprocess.run(command(options, kernel, x, options.folder / "broken.npy"), capture_output=True, text=True)
        print("\n".join("      " + line for line in done.stderr.splitlines()[:14]))
        print(f"      exit code {done.returncode} (5: the sanitizer fired); nothing was written")
        return 0 if done.returncode == 5 and not (options.folder / "broken.npy").exists() else 1

    begin = time.monotonic()
    done = subprocess.run(command(options, kernel, x, out), capture_output=True, text=True)
    seconds = time.monotonic() - begin
    if done.returncode != 0:
        print(done.stderr, file=sys.stderr)
        return done.returncode
    for line in done.stderr.splitlines():
        print("      " + line)
    wide = values.astype(np.float64)
    exponent = wide - wide.max(axis=1, keepdims=True)
    wide = np.exp(exponent)
    wide /= wide.sum(axis=1, keepdims=True)
    error = np.abs(np.load(out).astype(np.float64) - wide) / wide
    bound = (ROUNDINGS + 2 * np.abs(exponent)) * 2.0**-24
    worst = np.unravel_index(np.argmax(error / bound), error.shape)
    right = bool((error <= bound).all())
    print(f"      {seconds:.2f} s; greatest relative error against float64 {error[worst]:.3g} where the bound is {bound[worst]:.3g}: {'right' if right else 'wrong'}")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
