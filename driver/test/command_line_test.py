#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the program as a user does, on the reference target: commands, files, diagnostics, exit statuses, batches.

    command_line_test.py TEGULA [TEST...]
"""
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import numpy as np

TEGULA = None
ADD = """\
import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out + offsets, tl.load(x + offsets, mask=mask) + tl.load(y + offsets, mask=mask), mask=mask)
"""
SPIN = """\
import triton
import triton.language as tl


@triton.jit
def spin(out, n):
    total = 0
    for i in range(n):
        total += i % 7
    tl.store(out, total)
"""


class Program(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        self.write("add.py", ADD)
        self.write("spin.py", SPIN)

    def tearDown(self):
        self.scratch.cleanup()

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def tegula(self, *arguments, exit=0, **more):
        done = subprocess.run([TEGULA, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, timeout=120, **more)
        self.assertEqual(done.returncode, exit, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def run_add(self, *more, x="rand:f32[100],seed=1", y="rand:f32[100],seed=2", out="empty:f32[100]", n="100", grid="cdiv(n, BLOCK)", exit=0, **how):
        return self.tegula("run", "add.py", "-k", "add", "-t", "reference", "--grid", grid, "--arg", f"x={x}", "--arg", f"y={y}", "--arg", f"out={out}",
                           "--arg", f"n={n}", "-D", "BLOCK=32", *more, exit=exit, **how)

    def fails(self, done, code, *parts):
        """The first error has this code; stderr holds all parts."""
        first = next(line for line in done.stderr.splitlines() if "error[" in line)
        self.assertIn(f"error[{code}]", first, done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)


class Runs(Program):
    def test_files_in_and_out(self):
        x, y = np.arange(100, dtype="f4"), np.ones(100, "f4")
        np.save(self.folder / "x.npy", x)
        np.save(self.folder / "y.npy", y)
        np.save(self.folder / "sum.npy", x + y)
        done = self.run_add("--out", "out=out.npy", "--check", "out=sum.npy", x="@x.npy", y="@y.npy")
        np.testing.assert_array_equal(np.load(self.folder / "out.npy"), x + y)
        self.assertIn("out: 100 elements right", done.stdout)
        self.assertEqual(done.stderr, "")

    def test_constant_for_a_runtime_parameter_is_told(self):
        self.write("fixed.py", ADD.replace("BLOCK: tl.constexpr", "BLOCK"))
        arguments = [part for name in ("x", "y", "out") for part in ("--arg", f"{name}=zeros:f32[32]")]
        done = self.tegula("run", "fixed.py", "-t", "reference", "--grid", "1", *arguments, "--arg", "n=32", "-D", "BLOCK=32")
        self.assertIn("remark[F4011]", done.stderr)
        self.assertNotIn("F4011", self.run_add().stderr)

    def test_what_is_no_option(self):
        self.fails(self.run_add("--targt", "reference", exit=2), "D1001", "unknown option '--targt'", "did you mean '--target'?")
        self.fails(self.run_add("-t", "reference", exit=2), "D1001", "is given 2 times")

    def test_options_without_effect_are_told(self):
        for option, value, message in [("--plugin", "none.json", "warning[T1001]"), ("--module-path", "nowhere", "warning[D1009]"),
                                       ("--global", "no.SUCH=1", "remark[F2229]")]:
            self.assertIn(message, self.run_add(option, value).stderr)
        self.assertEqual(self.run_add("--global", "add.UNUSED=1").stderr, "")

    def test_every_dtype(self):
        for dtype in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"):
            x = np.arange(100).astype(dtype)
            np.save(self.folder / "x.npy", x)
            name = {"i": "i", "u": "u", "f": "f"}[dtype[0]] + str(8 * int(dtype[1]))
            self.run_add("--out", "out=out.npy", x="@x.npy", y="@x.npy", out=f"empty:{name}[100]")
            got = np.load(self.folder / "out.npy")
            self.assertEqual(got.dtype, x.dtype)
            np.testing.assert_array_equal(got, x + x)

    def test_bf16_is_raw_integers_in_and_out(self):
        bits = (np.arange(100, dtype="f4").view("u4") >> 16).astype("u2")
        np.save(self.folder / "x.npy", bits)
        self.run_add("--out", "out=out.npy", x="@x.npy:bf16", y="@x.npy:bf16", out="empty:bf16[100]")
        got = np.load(self.folder / "out.npy")
        self.assertEqual(got.dtype, np.uint16)
        value = (got.astype("u4") << 16).view("f4")
        np.testing.assert_allclose(value, 2 * (bits.astype("u4") << 16).view("f4"))

    def test_offsets_and_shared_buffers(self):
        x = np.arange(64, dtype="f4")
        np.save(self.folder / "x.npy", x)
        self.run_add("--out", "x=out.npy", x="@x.npy", y="same:x:f32,offset=32", out="same:x", n="32")
        want = x.copy()
        want[:32] += x[32:]
        np.testing.assert_array_equal(np.load(self.folder / "out.npy"), want)

    def test_specialisation_follows_values(self):
        done = self.tegula("compile", "add.py", "--emit", "tile", "-t", "reference", "--arg", "x=*fp32", "--arg", "y=*fp32:16", "--arg", "out=*fp32:16", "--arg", "n=i32:16", "-D", "BLOCK=32")
        self.assertEqual(done.stdout.count("tile.divisibility = 16"), 3)
        self.run_add(n="1", grid="1", out="zeros:f32[100]")  # folded: the grid and the kernel still know it

    def test_default_target_is_named(self):
        done = self.tegula("run", "add.py", "--grid", "4", "--arg", "x=zeros:f32[100]", "--arg", "y=zeros:f32[100]", "--arg", "out=empty:f32[100]", "--arg", "n=100", "-D", "BLOCK=32")
        self.assertIn("target: ", done.stderr)

    def test_repeat_prints_time_and_bandwidth(self):
        self.assertRegex(self.run_add("--repeat", "3").stdout, r"median [0-9.]+ ms of 3, [0-9.]+ GB/s over 1200 bytes of buffers")

    def test_prints_name_place_and_program(self):
        self.write("prints.py", "import triton\nimport triton.language as tl\n\n@triton.jit\ndef k(x):\n    pid = tl.program_id(0)\n    tl.device_print(\"at\", pid)\n    tl.device_assert(pid < 1, \"too far\")\n    tl.store(x + pid, pid)\n")
        done = self.tegula("run", "prints.py", "-t", "reference", "--grid", "2", "--arg", "x=empty:i32[2]")
        self.assertRegex(done.stderr, r"prints\.py:7: program \(0, 0, 0\): at: 0\n.*program \(1, 0, 0\): at: 1\n")
        self.assertEqual(done.stdout, "")
        self.fails(self.tegula("run", "prints.py", "-t", "reference", "--grid", "2", "--arg", "x=empty:i32[2]", "--debug", exit=5), "S1011", "prints.py:8:", "too far")

    def test_json(self):
        np.save(self.folder / "zero.npy", np.zeros(100, "f4"))
        done = self.run_add("--json", "--check", "out=zero.npy", exit=4)
        result = json.loads(done.stdout)
        self.assertEqual(result["exit"], 4)
        self.assertEqual(result["diagnostics"][0]["code"], "D1401")
        self.assertFalse(result["checks"][0]["passed"])

    def test_optimised_bits_are_the_same(self):
        for level in ("-O0", "-O2"):
            self.run_add(level, "--out", f"out={level}.npy")
        np.testing.assert_array_equal(np.load(self.folder / "-O0.npy"), np.load(self.folder / "-O2.npy"))

    def test_passes_are_timed_and_dumped(self):
        self.assertIn("canonicalize", self.run_add("-O2", "--time-passes").stderr.lower())
        self.assertIn("func.func @add", self.run_add("-O2", "--dump-ir").stderr)
        self.assertIn("no pass ran", self.run_add("--time-passes").stderr)


class Faults(Program):
    def test_each_has_its_code_place_and_hint(self):
        np.save(self.folder / "complex.npy", np.zeros(100, "c8"))
        np.save(self.folder / "fortran.npy", np.asfortranarray(np.zeros((10, 10), "f4")))
        np.save(self.folder / "double.npy", np.zeros(100, "f8"))
        np.save(self.folder / "short.npy", np.zeros(3, "f4"))
        for change, code, *parts in [
            ({"grid": "0"}, "D1304", "--grid 0", "^"),
            ({"grid": "n - n"}, "D1304"),
            ({"grid": "cdiv(n, BLOK)"}, "D1302", "did you mean 'BLOCK'?"),
            ({"grid": "cdiv(n"}, "D1301"),
            ({"x": "@absent.npy"}, "D1002", "absent.npy"),
            ({"x": "@add.py"}, "D1004"),
            ({"x": "@fortran.npy"}, "D1005", "ascontiguousarray"),
            ({"x": "@complex.npy"}, "D1006", "c8"),
            ({"x": "@double.npy:bf16"}, "D1008"),
            ({"x": "zeros:f33[100]"}, "D1102", "did you mean 'f32'?"),
            ({"x": "zeros:f32"}, "D1103"),
            ({"x": "same:z"}, "D1105"),
            ({"x": "zeros:f32[100],offset=101"}, "D1106"),
            ({"n": "300:i8"}, "D1104"),
            ({"n": "many"}, "D1101"),
        ]:
            with self.subTest(code=code, **change):
                # Exit status 1: a file is wrong; 2: what was typed is.
                self.fails(self.run_add("--out", "out=never.npy", exit=1 if code.startswith("D100") else 2, **change), code, *parts)
                self.assertFalse((self.folder / "never.npy").exists())
        self.fails(self.run_add("--out", "outt=never.npy", exit=2), "D1105", "did you mean 'out'?")
        self.fails(self.run_add("--arg", "x=1", exit=2), "D1107")
        self.fails(self.run_add("--arg", "x", exit=2), "D1108")
        self.fails(self.run_add("--arg", "nn=1", exit=2), "F4002", "add.py:6:", "did you mean 'n'?")
        self.fails(self.run_add("--check", "out=short.npy", exit=1), "D1402")
        self.fails(self.run_add("--out", "out=no/such/folder.npy", exit=1), "D1003")

    def test_missing_argument_file_kernel_target_plugin(self):
        self.fails(self.tegula("run", "add.py", "-t", "reference", "--grid", "1", exit=2), "F4001", "add.py:6:9")
        self.fails(self.tegula("run", "nothing.py", "-k", "add", "-t", "reference", "--grid", "1", exit=1), "F2001")
        self.fails(self.tegula("run", "add.py", "-k", "ad", "-t", "reference", "--grid", "1", exit=2), "F2002")
        self.fails(self.tegula("run", "add.py", "-t", "no_such", "--grid", "1", exit=3), "T1020")
        self.fails(self.tegula("run", "add.py", "-t", "reference", exit=2), "D1001", "--grid")
        self.tegula("run", "add.py", "--nonsense", exit=2)
        self.tegula("frobnicate", exit=2)
        self.tegula(exit=2)

    def test_exit_status_tells_what_is_typed_from_what_files_say(self):
        self.write("two.py", ADD + ADD.replace("def add", "def other")[len("import triton\nimport triton.language as tl\n"):])
        self.write("broken.py", "import triton\n\n@triton.jit\ndef k(x:\n    pass\n")
        run = ["run", "add.py", "-t", "reference", "--grid", "1", "--arg", "x=zeros:f32[32]", "--arg", "y=same:x", "--arg", "out=same:x", "--arg", "n=32", "-D", "BLOCK=32"]
        np.save(self.folder / "x.npy", np.zeros(31, "f4"))
        table = [
            (["run", "add.py", "--nonsense"], 2, "D1001"),
            ([*run, "--num-warps", "3"], 2, "D1001"),
            ([*run, "--num-stages", "99"], 2, "D1001"),
            ([*run, "--repeat", "often"], 2, "D1001"),
            (["run", "two.py", *run[2:]], 2, "D1001"),
            ([*run, "-k", "ad"], 2, "F2002"),
            ([*run[:-4], "-D", "BLOCK=32"], 2, "F4001"),
            ([*run, "--arg", "m=1"], 2, "F4002"),
            ([*run, "--arg", "BLOCK"], 2, "D1108"),
            ([*run, "--grid", "cdiv("], 2, "D1001"),
            ([*run, "--check", "x=x.npy,rtol=few"], 2, "D1403"),
            ([*run, "--check", "z=x.npy"], 2, "D1105"),
            ([*run, "--option", "no_such=1"], 2, "P1006"),
            ([*run, "--option", "no_value"], 2, "D1108"),
            (["compile", "add.py", "-t", "reference", "--sig", "*fp32, f99"], 2, "D1201"),
            (["run", "absent.py", *run[2:]], 1, "F2001"),
            (["run", "broken.py", *run[2:]], 1, "F1"),
            ([*run, "--check", "x=x.npy"], 1, "D1402"),
            ([*run, "--check", "x=absent.npy"], 1, "D1002"),
            ([*run, "--out", "x=no/such.npy"], 1, "D1003"),
            (["run", "--batch", "absent.jsonl"], 1, "D1002"),
            (["inspect", "absent.kir"], 1, "D1002"),
            ([*run, "-t", "no_such"][0:2] + ["-t", "no_such", *run[4:]], 3, "T1020"),
            ([*run, "--device", "7"], 3, "T1030"),
        ]
        for arguments, exit, code in table:
            with self.subTest(arguments=arguments):
                done = self.tegula(*arguments, exit=exit)
                self.assertIn(f"error[{code}", done.stderr.splitlines()[0])

    def test_faults_of_the_command_line_have_place_and_hint(self):
        for arguments, column, hint in [
            (["rn"], 8, "did you mean 'run'?"),
            (["frobnicate"], 8, "commands are compile, run"),
            ([], 8, "commands are compile, run"),
            (["run", "add.py", "--gird", "1"], 19, "did you mean '--grid'?"),
            (["run", "add.py", "b.py"], 19, "tegula run --help"),
            (["compile", "add.py", "-O9"], 23, "tegula compile --help"),
            (["run", "add.py", "--grid"], 19, "tegula run --help"),
            (["inspect"], 16, "tegula inspect --help"),
        ]:
            with self.subTest(arguments=arguments):
                done = self.tegula(*arguments, exit=2)
                self.assertRegex(done.stderr, rf"^<command line>:1:{column}: error\[D1001\]: ")
                self.assertIn("^", done.stderr)
                self.assertIn(hint, done.stderr)
        self.assertIn("USAGE: tegula opt ", self.tegula("opt", "--help").stdout)
        for command in ("run", "compile"):
            self.assertNotRegex(self.tegula(command, "--help").stdout, r"cpu|nvptx|cuda|llvm|asm")
        self.fails(self.tegula("conformance", "--target", "no_such", exit=3), "T1020", "reference")
        self.assertNotIn("line 0", self.tegula("conformance", "--target", "no_such", exit=3).stderr)
        self.fails(self.tegula("conformance", "--tier", "huge", exit=2), "D1001", "smoke, quick and full")

    def test_syntax_error_has_a_caret(self):
        self.write("broken.py", "import triton\n\n@triton.jit\ndef k(x:\n    pass\n")
        done = self.tegula("compile", "broken.py", "-k", "k", "-t", "reference", "--sig", "*fp32", exit=1)
        self.assertRegex(done.stderr, r"broken\.py:\d+:\d+: error\[F1\d\d\d\]")
        self.assertIn("^", done.stderr)

    def test_errors_in_helpers_show_the_chain(self):
        self.write("chain.py", "import triton\nimport triton.language as tl\n\n@triton.jit\ndef inner(n):\n    return tl.arange(0, 3)\n\n@triton.jit\ndef outer(x):\n    tl.store(x + inner(1), 1.0)\n")
        done = self.tegula("compile", "chain.py", "-k", "outer", "-t", "reference", "--sig", "*fp32", exit=1)
        self.assertRegex(done.stderr, r"chain\.py:6:\d+: error\[F3")
        self.assertRegex(done.stderr, r"chain\.py:10:\d+: note: ")

    def test_sanitizer_names_line_buffer_and_index(self):
        done = self.run_add(x="zeros:f32[10]", exit=5)
        self.fails(done, "S1001", "add.py:9:", "'x'", "element 10")
        self.run_add("--no-sanitize", "--out", "out=o.npy", n="50")  # half of it is never written, and nobody watches

    def test_output_that_is_not_written(self):
        self.fails(self.run_add("--out", "out=never.npy", n="50", exit=5), "S1009", "'out'")
        self.assertFalse((self.folder / "never.npy").exists())

    def test_too_little_memory(self):
        limit = 3 << 30

        def limited():
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

        if subprocess.run([TEGULA, "targets"], capture_output=True, preexec_fn=limited).returncode != 0:
            self.skipTest("the program does not start in 3 GB of addresses")
        head = ["run", "add.py", "-t", "reference", "--grid", "1", "-D", "BLOCK=32", "--arg", "n=32"]
        with open(self.folder / "large.npy", "wb") as file:  # all but the header is a hole
            np.lib.format.write_array_header_1_0(file, {"descr": "<f4", "fortran_order": False, "shape": (900000000,)})
            file.truncate(file.tell() + 3600000000)
        files = sorted(p.name for p in self.folder.iterdir())
        for x in ("zeros:f32[900000000]", "empty:f32[900000000]", "full:f32[900000000],value=1", "rand:f32[900000000]", "@large.npy", "zeros:f32[30000000000]", "zeros:f32[800000000000]",
                  "zeros:f32[400000000]"):  # the last fits once, but not once more on the device
            for more in ([], ["--arg", "y=same:x", "--arg", "out=same:x"]):
                with self.subTest(x=x):
                    done = self.tegula(*head, "--arg", f"x={x}", *(more or ["--arg", "y=zeros:f32[32]", "--arg", "out=zeros:f32[32]"]), exit=2, preexec_fn=limited)
                    self.assertRegex(done.stderr, r"^<command line>:1:(9|18): error\[D1103\].*\n  --arg x=.*\n          .*\^")
                    self.assertEqual("note: " in done.stderr, x == "zeros:f32[400000000]")
        done = self.tegula(*head, "--arg", "x=zeros:f32[300000000]", "--arg", "y=zeros:f32[500000000]", "--arg", "out=zeros:f32[32]", exit=2, preexec_fn=limited)
        self.assertIn("--arg y=", done.stderr)  # the second is the one too many
        self.fails(self.run_add("--check", "out=large.npy", exit=2, preexec_fn=limited), "D1103", "--check out=large.npy")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), files)
        # Where only the types matter, no memory is taken.
        self.tegula("compile", "add.py", "-t", "reference", "-D", "BLOCK=32", "--arg", "n=32", *(a for n in ("x", "y", "out") for a in ("--arg", n + "=rand:f32[30000000000]")), "-o", "a.bin", preexec_fn=limited)

    def test_outputs_are_written_all_or_none(self):
        (self.folder / "out.npy").write_text("before")
        files = sorted(p.name for p in self.folder.iterdir())
        self.fails(self.run_add("--out", "out=out.npy", "--out", "x=no/such.npy", exit=1), "D1003", "there is no folder 'no'")
        self.fails(self.run_add("--out", "x=x.npy", "--out", "out=add.py/o.npy", exit=1), "D1003")
        self.fails(self.run_add("--out", "x=both.npy", "--out", "out=both.npy", exit=2), "D1107", "both.npy")
        for emit in ("bin", "tile"):
            done = self.tegula("compile", "add.py", "-t", "reference", "--sig", Compiles.SIG, "--emit", emit, "-o", "o.bin", "--depfile", "no/d", exit=1)
            self.fails(done, "D1003")
        self.assertEqual(self.tegula("compile", "add.py", "-t", "reference", "--sig", Compiles.SIG, "--emit", "tile", "--depfile", "no/d", exit=1).stdout, "")
        self.assertEqual((self.folder / "out.npy").read_text(), "before")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), files)

    def test_failed_check_writes_nothing(self):
        np.save(self.folder / "zero.npy", np.zeros(100, "f4"))
        self.fails(self.run_add("--out", "out=never.npy", "--check", "out=zero.npy", exit=4), "D1401")
        self.assertFalse((self.folder / "never.npy").exists())

    def test_plugin_that_is_not_there(self):
        done = self.tegula("targets", "--plugin", "absent.tegula-plugin.json")
        self.assertIn("absent.tegula-plugin.json", done.stdout)
        self.assertIn("target reference", done.stdout)

    def test_option_of_the_plugin(self):
        self.fails(self.run_add("--option", "frob=1", exit=2), "P1006")
        self.run_add("--option", "threads=1", "--as", "cuda:90")
        self.fails(self.run_add("--option", "max_steps=5", exit=5), "S1014")


class Compiles(Program):
    SIG = "*fp32:16, *fp32:16, *fp32:16, i32, 32"

    def test_every_stage(self):
        for stage, part in [("tile", "tile.load"), ("tile-opt", "tile.load"), ("kir", "func.begin")]:
            self.assertIn(part, self.tegula("compile", "add.py", "-t", "reference", "--sig", self.SIG, "--emit", stage).stdout)
        for stage, hint in [("thread", "help: "), ("layout", "help: "), ("asm", "help: stages of every target"), ("tile-optt", "help: did you mean 'tile-opt'?")]:
            self.fails(self.tegula("compile", "add.py", "-t", "reference", "--sig", self.SIG, "--emit", stage, exit=2), "D1502", hint)

    def test_a_full_disk_behind_the_standard_output(self):
        for arguments in [("compile", "add.py", "-t", "reference", "--sig", self.SIG, "--emit", "kir"), ("targets",), ("run", "--help")]:
            with open("/dev/full", "w") as full:
                done = subprocess.run([TEGULA, *arguments], cwd=self.folder, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.fails(done, "D1003", "standard output")

    def test_bytes_and_their_text(self):
        self.tegula("compile", "add.py", "-t", "reference", "--sig", self.SIG, "--emit", "kir", "-o", "a.kir")
        text = self.tegula("inspect", "a.kir").stdout
        self.write("a.txt", text)
        self.tegula("inspect", "a.txt", "-o", "b.kir")
        self.assertEqual((self.folder / "a.kir").read_bytes(), (self.folder / "b.kir").read_bytes())
        self.write("bad.kir", "kir 0.1 tile\n%1 = type.nothing\n")
        self.fails(self.tegula("inspect", "bad.kir", exit=1), "K1014", "bad.kir:2:")
        (self.folder / "cut.kir").write_bytes((self.folder / "a.kir").read_bytes()[:-6])
        self.fails(self.tegula("inspect", "cut.kir", exit=1), "K1002")

    def test_compiles_are_deterministic(self):
        for name in "ab":
            self.tegula("compile", "add.py", "-t", "reference", "--sig", self.SIG, "-o", f"{name}.bin")
        self.assertEqual((self.folder / "a.bin").read_bytes(), (self.folder / "b.bin").read_bytes())

    def test_report_and_depfile(self):
        self.write("part.py", "import triton\nimport triton.language as tl\n\n@triton.jit\ndef twice(v):\n    return v + v\n")
        self.write("uses.py", "import triton\nimport triton.language as tl\nfrom part import twice\n\n@triton.jit\ndef k(x, n):\n    tl.store(x, twice(tl.load(x)))\n")
        done = self.tegula("compile", "uses.py", "-k", "k", "-t", "reference", "--sig", "*fp32, i32:1", "--report", "-o", "k.bin", "--depfile", "k.d")
        self.assertIn("n = 1", done.stdout)
        self.assertIn("x: *fp32", done.stdout)
        rule = (self.folder / "k.d").read_text()
        self.assertTrue(rule.startswith("k.bin:"))
        self.assertIn("part.py", rule)
        self.assertIn("uses.py", rule)

    def test_signature_faults(self):
        for signature, code in [("*fp33", "D1201"), ("*fp32", "F4010"), (self.SIG + ", i32", "F4010")]:
            self.fails(self.tegula("compile", "add.py", "-t", "reference", "--sig", signature, exit=2), code)
        self.tegula("compile", "add.py", "-t", "reference", "--sig", "*fp32:16, *fp32:16, *fp32:16, i32", "-D", "BLOCK=32", "-o", "a.bin")

    def test_configurations_and_heuristics(self):
        self.write("tuned.py", """\
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 64}, num_warps=2), triton.Config({"BLOCK": 128}, num_warps=8)], key=["n"])
@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@triton.jit
def k(x, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if EVEN:
        tl.store(x + i, i)
    else:
        tl.store(x + i, i, mask=i < n)
""")
        for more, n in [((), 100), ((), 128), (("--config", "1"), 200), (("-D", "BLOCK=32"), 96)]:
            self.tegula("run", "tuned.py", "-t", "reference", "--grid", "cdiv(n, BLOCK)", "--arg", f"x=empty:i32[{n}]", "--arg", f"n={n}", "--out", "x=x.npy", *more)
            np.testing.assert_array_equal(np.load(self.folder / "x.npy"), np.arange(n))
        self.fails(self.tegula("run", "tuned.py", "-t", "reference", "--grid", "1", "--arg", "x=empty:i32[9]", "--arg", "n=9", "--config", "2", exit=2), "F4005")
        done = self.tegula("compile", "tuned.py", "-t", "reference", "--sig", "*i32, i32", "-D", "EVEN=False", "--config", "1", "--report", "-o", "k.bin")
        self.assertIn("8 warps", done.stdout)
        self.assertIn("BLOCK = 128", done.stdout)

    def test_kernels_see_the_warps_of_their_configuration(self):
        self.write("warps.py", """\
import triton
import triton.language as tl
from triton.language.extra import cuda


@triton.autotune(configs=[triton.Config({}, num_warps=8), triton.Config({}, num_warps=2)], key=[])
@triton.jit
def k(x):
    tl.store(x, cuda.num_warps())


@triton.autotune(configs=[triton.Config({"BLOCK": 3}, num_warps=1)], key=[])
@triton.jit
def defaulted(x, BLOCK: tl.constexpr = 5):
    tl.store(x, BLOCK * 10 + cuda.num_warps())
""")
        for more, value in [((), 31), (("-D", "BLOCK=7"), 74)]:
            self.tegula("run", "warps.py", "-k", "defaulted", "-t", "reference", "--grid", "1", "--arg", "x=empty:i32[1]", "--out", "x=x.npy", *more)
            self.assertEqual(np.load(self.folder / "x.npy")[0], value)
        for more, warps in [((), 8), (("--config", "1"), 2), (("--num-warps", "16"), 16)]:
            self.tegula("run", "warps.py", "-k", "k", "-t", "reference", "--grid", "1", "--arg", "x=empty:i32[1]", "--out", "x=x.npy", *more)
            self.assertEqual(np.load(self.folder / "x.npy")[0], warps)

    def test_nothing_is_written_where_compiling_fails(self):
        self.tegula("compile", "add.py", "-t", "reference", "--sig", "*fp32", "-o", "a.bin", "--depfile", "a.d", exit=2)
        self.assertEqual({p.name for p in self.folder.iterdir()}, {"add.py", "spin.py"})

    def test_targets(self):
        described = json.loads(self.tegula("targets", "--json").stdout)
        reference = next(p for p in described["plugins"] if p["name"] == "reference")
        self.assertEqual(reference["targets"][0]["level"], "tile")
        self.assertRegex(reference["abi"], r"^\d+\.\d+$")
        self.assertTrue(reference["devices"])
        self.assertIn("tegula ", self.tegula("--version").stdout)

    def test_opt(self):
        self.tegula("compile", "add.py", "-t", "reference", "--sig", self.SIG, "--emit", "tile", "-o", "a.mlir")
        self.assertIn("tile.load", self.tegula("opt", "--canonicalize", "a.mlir").stdout)


class Batches(Program):
    def case(self, name, **more):
        return {"id": name, "file": "add.py", "kernel": "add", "grid": [4, 1, 1], "args": {"x": "full:f32[100],value=1", "y": "full:f32[100],value=2", "out": "empty:f32[100]", "n": "100"},
                "defines": {"BLOCK": "32"}, "out": {"out": f"{name}.npy"}, **more}

    def spin(self, name, steps):
        return {"id": name, "file": "spin.py", "grid": "1", "args": {"out": "empty:i32[1]", "n": str(steps)}}

    def batch(self, *cases, exit=0, options=()):
        self.write("batch.jsonl", "".join((c if isinstance(c, str) else json.dumps(c)) + "\n" for c in cases))
        done = self.tegula("run", "--batch", "batch.jsonl", "--target", "reference", "--json", *options, exit=exit)
        return {r["id"]: r for r in map(json.loads, done.stdout.splitlines())}

    def test_one_line_per_case_and_failures_do_not_stop_the_rest(self):
        bad = self.case("bad", args={"x": "@absent.npy"})
        answers = self.batch(self.case("a"), bad, self.case("out_of_bounds", defines={"BLOCK": "64"}, args={"x": "zeros:f32[9]", "y": "zeros:f32[100]", "out": "zeros:f32[100]", "n": "100"}), self.case("b"),
                             "{nonsense", exit=5)
        self.assertEqual({k: v["exit"] for k, v in answers.items()}, {"a": 0, "bad": 1, "out_of_bounds": 5, "b": 0, "batch.jsonl:5": 2})
        nonsense = answers["batch.jsonl:5"]["diagnostics"][0]
        self.assertEqual((nonsense["code"], nonsense["file"], nonsense["line"], nonsense["column"]), ("D1601", "batch.jsonl", 5, 3))
        self.assertEqual(set(answers["a"]) >= {"id", "exit", "ms", "compile_ms", "diagnostics", "checks"}, True)
        self.assertEqual(answers["bad"]["diagnostics"][0]["code"], "D1002")
        found = answers["out_of_bounds"]["diagnostics"][0]
        self.assertEqual((found["code"], found["file"], found["line"]), ("S1001", "add.py", 9))
        np.testing.assert_array_equal(np.load(self.folder / "b.npy"), np.full(100, 3, "f4"))
        self.assertFalse((self.folder / "bad.npy").exists())

    def test_faults_of_a_batch_say_where(self):
        answers = self.batch(self.case("a", grid=4), self.case("b", grid=[4, 1]), self.case("c", num_warps=3), exit=2)
        self.assertEqual({k: v["exit"] for k, v in answers.items()}, {"a": 0, "b": 0, "c": 2})
        found = answers["c"]["diagnostics"][0]
        self.assertEqual((found["code"], found["file"], found["line"]), ("D1601", "batch.jsonl", 3))
        self.assertIn("No such file", self.tegula("run", "--batch", "absent.jsonl", exit=1).stderr)

    def test_compile_only(self):
        answers = self.batch(self.case("c", compile_only=True), {"id": "types", "file": "add.py", "compile_only": True, "sig": Compiles.SIG})
        self.assertEqual([a["exit"] for a in answers.values()], [0, 0])
        self.assertFalse((self.folder / "c.npy").exists())

    def test_options_are_defaults(self):
        case = self.case("d")
        del case["defines"]
        self.assertEqual(self.batch(case, options=("-D", "BLOCK=32"))["d"]["exit"], 0)

    def test_a_case_that_takes_too_long(self):
        answers = self.batch(self.spin("long", 2_000_000_000), self.case("after"), exit=70, options=("--jobs", "1", "--timeout", "1", "--option", "max_steps=1000000000000"))
        self.assertEqual(answers["long"]["exit"], 70)
        self.assertEqual(answers["long"]["diagnostics"][0]["code"], "D1603")
        self.assertEqual(answers["after"]["exit"], 0)

    def test_a_crash_takes_one_case(self):
        self.write("batch.jsonl", json.dumps(self.spin("crash", 2_000_000_000)) + "\n" + json.dumps(self.case("after")) + "\n")
        program = subprocess.Popen([TEGULA, "run", "--batch", "batch.jsonl", "-t", "reference", "--jobs", "1", "--option", "max_steps=1000000000000"],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        children = pathlib.Path(f"/proc/{program.pid}/task/{program.pid}/children")
        end = time.monotonic() + 20
        while time.monotonic() < end and not children.read_text().split():
            time.sleep(0.02)
        time.sleep(0.5)
        os.kill(int(children.read_text().split()[0]), signal.SIGSEGV)
        out, err = program.communicate(timeout=60)
        answers = {r["id"]: r for r in map(json.loads, out.splitlines())}
        self.assertEqual(program.returncode, 70)
        self.assertEqual((answers["crash"]["exit"], answers["after"]["exit"]), (70, 0))
        self.assertEqual(answers["crash"]["diagnostics"][0]["code"], "D1602")
        self.assertIn("segmentation fault", answers["crash"]["diagnostics"][0]["message"])
        self.assertIn("internal error", err)
        reports = list(self.folder.glob("tegula-crash-*.txt"))
        self.assertEqual(len(reports), 1)
        self.assertIn("segmentation fault in launch, kernel 'spin': ", reports[0].read_text())


class Conforms(Program):
    """The conformance runner on cases of its own."""

    def cases(self, *cases):
        (self.folder / "cases").mkdir()
        # Blocks, so that a long loop takes its time before it meets the limit of steps.
        self.write("cases/spin.py", SPIN.replace("i % 7", "tl.sum(tl.arange(0, 65536) * 0) + i % 7"))
        self.write("cases/spin.json", json.dumps({
            "file": "spin.py", "kernel": "spin", "tier": "smoke", "grid": [1], "arguments": {"out": {"role": "out", "type": "i32", "shape": [1]}, "n": "n"},
            "cases": [{"id": f"own.{name}.i32", "parameters": {"n": n}, "oracle": [f"out = full({value}, 1)"]} for name, n, value in cases]}))

    def conformance(self, *more, exit=0):
        done = self.tegula("conformance", "--cases", "cases", "--json", *more, exit=exit)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        return {line["id"].split("?")[0]: line["status"] for line in lines if "id" in line}, lines[-1] if lines else None

    def test_right_and_wrong(self):
        self.cases(("right", 4, 6), ("wrong", 4, 7))
        statuses, total = self.conformance("-O0", exit=4)
        self.assertEqual(statuses, {"own.right.i32": "pass", "own.wrong.i32": "fail-wrong-result"})
        self.assertEqual((total["passed"], total["failed"]), (1, 1))

    def test_a_case_that_takes_too_long(self):
        self.cases(("long", 2_000_000_000, 0), ("after", 4, 6))
        statuses, _ = self.conformance("--jobs", "1", "--timeout", "1", "--filter", "own.*", exit=4)
        self.assertEqual(statuses, {"own.long.i32": "timeout", "own.after.i32": "pass"})

    def test_a_filter_that_matches_nothing(self):
        self.cases(("right", 4, 6))
        self.conformance("--filter", "no_such*", exit=2)

    def test_manifests_waive_what_a_plugin_lacks(self):
        self.cases(("right", 4, 6), ("wrong", 4, 7))
        (self.folder / "manifests").mkdir()
        manifest = lambda value: self.write("manifests/reference.json", json.dumps(value))
        manifest({"unsupported": [{"cases": "*.wrong.*", "reason": "it is wrong"}]})
        statuses, _ = self.conformance("--manifests", "manifests")
        self.assertEqual(statuses, {"own.right.i32": "pass", "own.wrong.i32": "not-supported-declared"})
        manifest({"xfail": [{"requires": "i32", "reason": "not yet"}]})
        statuses, _ = self.conformance("--manifests", "manifests", exit=4)
        self.assertEqual(statuses, {"own.right.i32": "unexpected-pass", "own.wrong.i32": "xfail"})
        for wrong in ([], {"unsupported": [1]}, {"xfail": 3}, {"xfail": [{"cases": "*", "reason": 7}]}, {"xfail": [{"reason": "which?"}]}):
            manifest(wrong)
            self.assertIn("reference.json: ", self.tegula("conformance", "--cases", "cases", "--manifests", "manifests", exit=1).stderr)

    def test_shards_are_a_partition(self):
        self.cases(*((f"case{i}", i, sum(k % 7 for k in range(i))) for i in range(12)))
        parts = [set(self.conformance("--shard", f"{i}/3")[0]) for i in range(3)]
        self.assertEqual(len(set.union(*parts)), 12)
        self.assertEqual(sum(map(len, parts)), 12)


if __name__ == "__main__":
    TEGULA = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=1)
