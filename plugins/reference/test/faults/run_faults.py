#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the kernels of faults.py: each planted fault must be reported at its line, with its buffer and element, and nothing else; each twin without
a fault must be silent. run_faults.py TEGULA

A case: id, kernel, arguments, defines, expected (code, marker of the line, buffer, element) or None.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE / "faults.py"
F = "rand:f32[{}],seed=1"


def f32(n):
    return F.format(n)


#: id, kernel, grid, arguments, defines, expected
CASES = [
    ("oob-read", "read_past_end", 1, dict(x=f32(100), out="empty:f32[100]", n=100), dict(BLOCK=128, MASK=False), ("S1001", "read", "x", 100)),
    ("oob-read-2", "read_past_end", 3, dict(x=f32(70), out="empty:f32[70]", n=70), dict(BLOCK=32, MASK=False), ("S1001", "read", "x", 70)),
    ("oob-read-f16", "read_past_end", 1, dict(x="rand:f16[7],seed=1", out="empty:f16[7]", n=7), dict(BLOCK=8, MASK=False), ("S1001", "read", "x", 7)),
    ("oob-read-i64", "read_past_end", 1, dict(x="zeros:i64[5]", out="empty:i64[5]", n=5), dict(BLOCK=8, MASK=False), ("S1001", "read", "x", 5)),
    ("ok-read", "read_past_end", 1, dict(x=f32(100), out="empty:f32[100]", n=100), dict(BLOCK=128, MASK=True), None),
    ("ok-read-exact", "read_past_end", 2, dict(x=f32(64), out="empty:f32[64]", n=64), dict(BLOCK=32, MASK=False), None),
    ("oob-write", "write_past_end", 1, dict(x=f32(100), out="empty:f32[100]", n=100), dict(BLOCK=128, MASK=False), ("S1002", "write", "out", 100)),
    ("oob-write-2", "write_past_end", 4, dict(x=f32(50), out="empty:f32[50]", n=50), dict(BLOCK=16, MASK=False), ("S1002", "write", "out", 50)),
    ("oob-write-i8", "write_past_end", 1, dict(x="zeros:i8[3]", out="empty:i8[3]", n=3), dict(BLOCK=4, MASK=False), ("S1002", "write", "out", 3)),
    ("ok-write", "write_past_end", 4, dict(x=f32(50), out="empty:f32[50]", n=50), dict(BLOCK=16, MASK=True), None),
    ("off-by-one", "off_by_one", 1, dict(x=f32(20), out="empty:f32[20]", n=20), dict(BLOCK=32, SLACK=1), ("S1001", "off_by_one", "x", 20)),
    ("ok-off-by-none", "off_by_one", 1, dict(x=f32(20), out="empty:f32[20]", n=20), dict(BLOCK=32, SLACK=0), None),
    ("before-begin", "before_begin", 1, dict(x=f32(20), out="empty:f32[20]", n=20), dict(BLOCK=32, BACK=1), ("S1001", "before", "x", -1)),
    ("before-begin-3", "before_begin", 1, dict(x=f32(20), out="empty:f32[20]", n=20), dict(BLOCK=32, BACK=3), ("S1001", "before", "x", -3)),
    ("ok-begin", "before_begin", 1, dict(x=f32(20), out="empty:f32[20]", n=20), dict(BLOCK=32, BACK=0), None),
    ("stride", "wrong_stride", 1, dict(x=f32(30), out="empty:f32[5,6]", rows=5, columns=6, stride=7), dict(M=8, N=8), ("S1001", "stride", "x", 30)),
    ("ok-stride", "wrong_stride", 1, dict(x=f32(30), out="empty:f32[5,6]", rows=5, columns=6, stride=6), dict(M=8, N=8), None),
    ("one-axis", "mask_one_axis", 1, dict(x=f32(30), out="empty:f32[5,6]", rows=5, columns=6), dict(M=8, N=8, BOTH=False), ("S1001", "one_axis", "x", 30)),
    ("ok-both-axes", "mask_one_axis", 1, dict(x=f32(30), out="empty:f32[5,6]", rows=5, columns=6), dict(M=8, N=8, BOTH=True), None),
    ("helper", "in_helper", 1, dict(x=f32(10), out="empty:f32[10]", n=10), dict(BLOCK=16), ("S1001", "helper", "x", 10)),
    ("loop", "in_loop", 1, dict(x=f32(40), out="empty:f32[16]", n=40), dict(BLOCK=16, STEPS=3), ("S1001", "loop", "x", 40)),
    ("ok-loop", "in_loop", 1, dict(x=f32(48), out="empty:f32[16]", n=48), dict(BLOCK=16, STEPS=3), None),
    ("block-pointer", "block_pointer", 1, dict(x=f32(10), out="empty:f32[10]", n=10), dict(BLOCK=16, CHECK=False), ("S1001", "block_pointer", "x", 10)),
    ("ok-block-pointer", "block_pointer", 1, dict(x=f32(10), out="empty:f32[10]", n=10), dict(BLOCK=16, CHECK=True), None),
    ("scalar", "scalar_read", 1, dict(x=f32(8), out="empty:f32[1]", at=8), {}, ("S1001", "scalar", "x", 8)),
    ("scalar-far", "scalar_read", 1, dict(x=f32(8), out="empty:f32[1]", at=1000), {}, ("S1001", "scalar", "x", 1000)),
    ("ok-scalar", "scalar_read", 1, dict(x=f32(8), out="empty:f32[1]", at=7), {}, None),
    ("offset-view", "scalar_read", 1, dict(x=f32(8) + ",offset=4", out="empty:f32[1]", at=4), {}, ("S1001", "scalar", "x", 8)),
    ("gather", "gather_index", 1, dict(x=f32(100), index="ones", out="empty:f32[4]", n=4), dict(BLOCK=4), ("S1001", "gather", "x", 100)),
    ("atomic", "atomic_past_end", 1, dict(x=f32(10), n=10), dict(BLOCK=16, MASK=False), ("S1002", "atomic", "x", 10)),
    ("ok-atomic", "atomic_past_end", 1, dict(x=f32(10), n=10), dict(BLOCK=16, MASK=True), None),
    ("misaligned", "misaligned", 1, dict(x=f32(16), out="empty:f32[8]"), dict(SHIFT=1), ("S1003", "misaligned", "x", None)),
    ("misaligned-2", "misaligned", 1, dict(x=f32(16), out="empty:f32[8]"), dict(SHIFT=6), ("S1003", "misaligned", "x", None)),
    ("ok-aligned", "misaligned", 1, dict(x=f32(16), out="empty:f32[8]"), dict(SHIFT=4), None),
    ("misaligned-store", "misaligned_store", 1, dict(out="zeros:i32[8]"), dict(SHIFT=4), ("S1003", "misaligned_store", "out", None)),
    ("ok-aligned-store", "misaligned_store", 1, dict(out="zeros:i32[8]"), dict(SHIFT=8), None),
    ("uninitialised", "uninitialised", 1, dict(x="empty:f32[8]", out="zeros:f32[8]", n=8), dict(BLOCK=8), ("S1008", "uninitialised", "x", 0)),
    ("uninitialised-branch", "uninitialised_branch", 1, dict(x="empty:i32[1]", out="zeros:i32[1]"), {}, ("S1008", "uninitialised_branch", "x", 0)),
    ("uninitialised-address", "uninitialised_address", 1, dict(x="empty:i32[1]", table=f32(8), out="zeros:f32[1]"), {}, ("S1008", "uninitialised_address", "x", 0)),
    ("uninitialised-mask", "uninitialised_mask", 1, dict(x="empty:i32[8]", out="zeros:i32[8]"), {}, ("S1008", "uninitialised_mask", "x", 0)),
    ("uninitialised-sum", "uninitialised_sum", 1, dict(x="empty:f32[8]", out="zeros:f32[1]", n=8), dict(BLOCK=8), ("S1008", "uninitialised_sum", "x", 0)),
    ("ok-unused-uninitialised", "unused_uninitialised", 1, dict(x="empty:f32[8]", out="zeros:f32[8]"), {}, None),
    ("ok-write-then-read", "write_then_read", 1, dict(scratch="empty:i32[8]", out="empty:i32[8]"), {}, None),
    ("race-write", "race_write", 2, dict(out="zeros:i32[8]", n=8), dict(BLOCK=8, SAME=False), ("S1006", "race_write", "out", 0)),
    ("race-write-many", "race_write", 9, dict(out="zeros:i32[8]", n=8), dict(BLOCK=8, SAME=False), ("S1006", "race_write", "out", 0)),
    ("race-overlap", "race_overlap", 2, dict(x=f32(24), out="empty:f32[24]"), dict(BLOCK=16, STEP=8), ("S1006", "race_overlap", "out", 8)),
    ("race-overlap-1", "race_overlap", 2, dict(x=f32(31), out="empty:f32[31]"), dict(BLOCK=16, STEP=15), ("S1006", "race_overlap", "out", 15)),
    ("ok-no-overlap", "race_overlap", 2, dict(x=f32(32), out="empty:f32[32]"), dict(BLOCK=16, STEP=16), None),
    ("race-read", "race_read", 2, dict(x="zeros:i32[8]", out="zeros:i32[16]"), dict(BLOCK=8), ("S1006", "race_read", "x", 0)),
    ("race-sum", "race_sum", 4, dict(x=f32(32), total="zeros:f32[1]"), dict(BLOCK=8, ATOMIC=False), ("S1006", "race_sum", "total", 0)),
    ("ok-atomic-sum", "race_sum", 4, dict(x=f32(32), total="zeros:f32[1]"), dict(BLOCK=8, ATOMIC=True), None),
    ("race-relaxed", "race_relaxed", 2, dict(data="zeros:i32[1]", flag="zeros:i32[1]", out="empty:i32[1]"), dict(ORDER="'relaxed'"), ("S1006", "race_relaxed", "data", 0)),
    ("ok-ordered", "race_relaxed", 2, dict(data="zeros:i32[1]", flag="zeros:i32[1]", out="empty:i32[1]"), dict(ORDER="'acq_rel'"), None),
    ("race-atomic-plain", "race_atomic_plain", 2, dict(counter="zeros:i32[1]", out="empty:i32[2]"), {}, ("S1006", "race_atomic_plain", "counter", 0)),
    ("race-unlocked", "locked", 4, dict(x=f32(32), total="zeros:f32[1]", lock="zeros:i32[1]"), dict(BLOCK=8, LOCK=False), ("S1006", "locked", "total", 0)),
    ("ok-locked", "locked", 4, dict(x=f32(32), total="zeros:f32[1]", lock="zeros:i32[1]"), dict(BLOCK=8, LOCK=True), None),
    ("ok-ticket", "ticket", 16, dict(counter="zeros:i32[1]", out="empty:i32[16]"), {}, None),
    ("ok-last-block", "last_block", 4, dict(x=f32(32), partial="empty:f32[4]", counter="zeros:i32[1]", out="empty:f32[1]", n=4), dict(BLOCK=8), None),
    ("overflow-mul", "overflow_mul", 1, dict(x=f32(8), out="empty:f32[1]", rows=65536), dict(WIDE=False), ("S1005", None, "x", None)),
    ("wide-mul", "overflow_mul", 1, dict(x=f32(8), out="empty:f32[1]", rows=65536), dict(WIDE=True), ("S1001", "overflow_mul", "x", 4294967296)),
    ("ok-mul", "overflow_mul", 1, dict(x=f32(8), out="empty:f32[1]", rows=0), dict(WIDE=False), None),
    ("overflow-add", "overflow_add", 1, dict(x=f32(8), out="empty:f32[1]", start=5), {}, ("S1005", "overflow_add", "x", None)),
    ("overflow-shift", "overflow_shift", 1, dict(x=f32(8), out="empty:f32[1]", n=3), {}, ("S1005", "overflow_shift", "x", None)),
    ("overflow-block", "overflow_block", 1, dict(x=f32(8), out="empty:f32[8]", stride=100000), dict(BLOCK=8), ("S1005", "overflow_block", "x", None)),
    ("ok-hash", "hash_wraps", 1, dict(x=f32(8), out="empty:i32[64]"), dict(BLOCK=64), None),
    ("ok-hash-masked-address", "hash_address", 1, dict(x=f32(16), out="empty:f32[64]"), dict(BLOCK=64), None),
    ("not-written", "not_written", 1, dict(x=f32(10), out="empty:f32[10]", n=10), dict(BLOCK=16, SHORT=1), ("S1009", None, "out", 9)),
    ("not-written-3", "not_written", 1, dict(x=f32(10), out="empty:f32[10]", n=10), dict(BLOCK=16, SHORT=3), ("S1009", None, "out", 7)),
    ("ok-written", "not_written", 1, dict(x=f32(10), out="empty:f32[10]", n=10), dict(BLOCK=16, SHORT=0), None),
    ("not-written-program", "not_written_program", 4, dict(out="empty:i32[32]", n=32), dict(BLOCK=8, SKIP=2), ("S1009", None, "out", 16)),
    ("ok-written-programs", "not_written_program", 4, dict(out="empty:i32[32]", n=32), dict(BLOCK=8, SKIP=9), None),
    ("nan", "nan_made", 1, dict(x="zeros:f32[8]", out="empty:f32[8]"), dict(BLOCK=8), ("S1010", "nan_made", None, None)),
    ("infinity", "infinity_made", 1, dict(x="zeros:f32[8]", out="empty:f32[8]"), dict(BLOCK=8), ("S1010", "infinity_made", None, None)),
    ("ok-division", "infinity_made", 1, dict(x=f32(8), out="empty:f32[8]"), dict(BLOCK=8), None),
    ("log-of-zero", "log_of_zero", 1, dict(x="zeros:f32[8]", out="empty:f32[8]"), dict(BLOCK=8, SAFE=False), ("S1010", "log_of_zero", None, None)),
    ("ok-log", "log_of_zero", 1, dict(x="zeros:f32[8]", out="empty:f32[8]"), dict(BLOCK=8, SAFE=True), None),
    ("exp-overflow", "exp_overflow", 1, dict(x="zeros:f32[8]", out="empty:f32[8]"), dict(BLOCK=8, SCALE=200.0), ("S1010", "exp_overflow", None, None)),
    ("ok-exp", "exp_overflow", 1, dict(x="zeros:f32[8]", out="empty:f32[8]"), dict(BLOCK=8, SCALE=20.0), None),
    ("narrow-overflow", "narrow_overflow", 1, dict(x="zeros:f32[8]", out="empty:f16[8]"), dict(BLOCK=8, SCALE=1e5), ("S1010", "narrow_overflow", None, None)),
    ("ok-narrow", "narrow_overflow", 1, dict(x="zeros:f32[8]", out="empty:f16[8]"), dict(BLOCK=8, SCALE=1e4), None),
    ("ok-masked-infinity", "masked_infinity", 1, dict(x=f32(5), out="empty:f32[5]", n=5), dict(BLOCK=8), None),
    ("ok-masked-garbage", "masked_garbage", 1, dict(x=f32(5), out="empty:f32[5]", n=5), dict(BLOCK=8), None),
    ("assert", "asserts", 1, dict(x="zeros:f32[8]", out="empty:f32[8]"), dict(BLOCK=8, LIMIT=-1.0), ("S1011", "asserts", None, None)),
    ("ok-assert", "asserts", 1, dict(x="zeros:f32[8]", out="empty:f32[8]"), dict(BLOCK=8, LIMIT=1.0), None),
    ("assume", "assumes", 1, dict(out="empty:i32[1]", n=2), {}, ("S1012", "assumes", None, None)),
    ("ok-assume", "assumes", 1, dict(out="empty:i32[1]", n=4), {}, None),
    ("deadlock", "deadlock", 1, dict(flag="zeros:i32[1]", out="zeros:i32[1]"), {}, ("S1013", None, None, None)),
    ("wild", "wild", 1, dict(out="zeros:f32[1]"), {}, ("S1004", "wild", None, None)),
    ("partly-written", "partly_written", 1, dict(scratch="empty:i32[8]", out="zeros:i32[8]"), dict(WRITTEN=5), ("S1008", "partly_written", "scratch", 5)),
    ("ok-wholly-written", "partly_written", 1, dict(scratch="empty:i32[8]", out="zeros:i32[8]"), dict(WRITTEN=8), None),
    ("uninitialised-atomic", "uninitialised_atomic", 1, dict(counter="empty:i32[1]", out="zeros:i32[1]"), {}, ("S1008", "uninitialised_atomic", "counter", 0)),
    ("ok-atomic-on-zeros", "uninitialised_atomic", 1, dict(counter="zeros:i32[1]", out="zeros:i32[1]"), {}, None),
    ("uninitialised-loop", "uninitialised_loop", 1, dict(x="empty:i32[1]", out="zeros:i32[1]"), {}, ("S1008", "uninitialised_loop", "x", 0)),
    ("block-pointer-2d", "block_pointer_2d", 1, dict(x=f32(30), out="empty:f32[5,6]", rows=5, columns=6), dict(CHECK=False), ("S1001", "block_pointer_2d", "x", 30)),
    ("ok-block-pointer-2d", "block_pointer_2d", 1, dict(x=f32(30), out="empty:f32[5,6]", rows=5, columns=6), dict(CHECK=True), None),
    ("block-pointer-store", "block_pointer_store", 1, dict(out="zeros:f32[11]", n=11), dict(CHECK=False), ("S1002", "block_pointer_store", "out", 11)),
    ("ok-block-pointer-store", "block_pointer_store", 1, dict(out="zeros:f32[11]", n=11), dict(CHECK=True), None),
    ("race-grid", "race_grid", (2, 3), dict(out="zeros:i32[6]"), dict(M=2, N=3, AXES=1), ("S1006", "race_grid", "out", 0)),
    ("ok-grid", "race_grid", (2, 3), dict(out="zeros:i32[6]"), dict(M=2, N=3, AXES=2), None),
    ("race-halo", "race_halo", 2, dict(x="zeros:f32[20]"), dict(BLOCK=8, HALO=1), ("S1006", "race_halo", "x", 8)),
    ("ok-no-halo", "race_halo", 2, dict(x="zeros:f32[20]"), dict(BLOCK=8, HALO=0), None),
    ("helper-chain", "chain", 1, dict(x=f32(16), out="empty:f32[16]"), dict(BLOCK=16), ("S1001", "inner", "x", 16)),
    ("overflow-stride", "overflow_stride", 1, dict(x=f32(8), out="empty:f32[1]", row=70000, stride=70000), {}, ("S1005", "overflow_stride", "x", None)),
    ("ok-stride-arguments", "overflow_stride", 1, dict(x=f32(8), out="empty:f32[1]", row=2, stride=2), {}, None),
    ("ok-same-value", "race_write", 4, dict(out="zeros:i32[8]", n=8), dict(BLOCK=8, SAME=True), None),
    ("ok-philox", "philox", 1, dict(out="empty:f32[64]", seed=7), dict(BLOCK=64), None),
    ("ok-masked-rows", "masked_rows", 1, dict(x=f32(15), out="empty:f32[3,5]", rows=3, columns=5), dict(M=4, N=8), None),
]


def marked_lines():
    lines = {}
    for number, line in enumerate(SOURCE.read_text().splitlines(), 1):
        if "# FAULT " in line:
            lines[line.split("# FAULT ")[1].strip()] = number
    return lines


def ones(folder):
    """A .npy of four ones (int32), written by hand: no dependency for one file."""
    header = b"{'descr': '<i4', 'fortran_order': False, 'shape': (4,), }"
    header += b" " * (63 - (len(header) + 10) % 64) + b"\n"
    path = folder / "ones.npy"
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + b"".join((1).to_bytes(4, "little") for _ in range(4)))
    return path


def judge(expected, answer, lines):
    found = [d for d in answer["diagnostics"] if d["code"].startswith("S1") and d["code"] not in ("S1007", "S1015")]
    other = [d for d in answer["diagnostics"] if not d["code"].startswith("S1") and answer["exit"] not in (0, 5)]
    if other:
        return f"{other[0]['code']} {other[0]['message']}"
    if expected is None:
        return None if not found else f"false alarm: {found[0]['code']} line {found[0].get('line')}: {found[0]['message']}"
    code, marker, buffer, element = expected
    for d in found:
        if d["code"] != code:
            continue
        message = d["message"]
        if marker and d.get("line") != lines[marker]:
            return f"{code} at line {d.get('line')}, expected {lines[marker]}: {message}"
        if buffer and f"'{buffer}'" not in message:
            return f"{code} does not name '{buffer}': {message}"
        if element is not None and f"element {element} of" not in message:
            return f"{code} does not name element {element}: {message}"
        if code != "S1010" and answer["exit"] != 5:
            return f"exit {answer['exit']}, expected 5"
        return None
    return f"{code} was not reported; found {[(d['code'], d.get('line')) for d in found]}"


def main():
    program = sys.argv[1]
    lines = marked_lines()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        batch = folder / "batch.jsonl"
        with open(batch, "w") as out:
            for name, kernel, grid, args, defines, _ in CASES:
                spec = {k: (f"@{ones(folder)}" if v == "ones" else str(v)) for k, v in args.items()}
                outs = {k: str(folder / f"{name}.{k}.npy") for k, v in args.items() if str(v).startswith("empty:") and k == "out"}
                out.write(json.dumps({"id": name, "file": str(SOURCE), "kernel": kernel, "grid": list(grid) if isinstance(grid, tuple) else [grid], "target": "reference", "args": spec,
                                      "defines": {k: str(v) for k, v in defines.items()}, "out": outs}) + "\n")
        done = subprocess.run([program, "run", "--batch", str(batch), "--debug", "--json"], capture_output=True, text=True)
    answers = {a["id"]: a for a in map(json.loads, (line for line in done.stdout.splitlines() if line.startswith("{")))}
    failed = 0
    for name, *_, expected in CASES:
        why = judge(expected, answers[name], lines) if name in answers else "no answer"
        if why:
            failed += 1
            print(f"{name}: {why}")
    print(f"{sum(c[-1] is not None for c in CASES)} planted faults, {sum(c[-1] is None for c in CASES)} twins without")
    print(f"faults: {len(CASES) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
