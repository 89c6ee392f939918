#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the shell scripts say where they are used wrongly, too early, or are interrupted. They run in a scratch tree with stand-ins for cmake,
ninja and dpkg-query, so nothing is built or installed.

    scripts_test.py [TEST...]
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parent
STAGES = "packages configure build unit lit abi conformance gates"


class Scripts(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.scratch.name) / "a tree"
        shutil.copytree(SCRIPTS, self.root / "scripts")
        shutil.copy(SCRIPTS.parent / "CMakePresets.json", self.root)
        (self.root / "bin").mkdir()
        self.stand_in("dpkg-query", "echo installed")
        self.stand_in("cmake", 'mkdir -p build/release && touch build/release/build.ninja && echo "$@" > build/configured')
        self.stand_in("ninja", "echo 'ninja: no work to do.'")
        self.stand_in("python3", "exit 0")

    def tearDown(self):
        self.scratch.cleanup()

    def stand_in(self, name, body):
        path = self.root / "bin" / name
        path.write_text(f"#!/bin/bash\n{body}\n")
        path.chmod(0o755)

    def start(self, script, *arguments, cwd=None):
        env = dict(os.environ, PATH=f"{self.root / 'bin'}:{os.environ['PATH']}")
        # A session of its own: a signal to the pid alone reaches nothing else.
        return subprocess.Popen([self.root / "scripts" / script, *arguments], cwd=cwd or self.root, env=env, text=True, start_new_session=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run_script(self, script, *arguments, exit=0, **more):
        process = self.start(script, *arguments, **more)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, exit, f"{script} {arguments}\n{out}\n{err}")
        return out, err

    def test_install_packages_wants_a_list_that_says_something(self):
        (self.root / "empty.txt").touch()
        for arguments in ([], [""], ["no_such.txt"], ["empty.txt"], ["scripts/packages-test.txt", "no_such.txt"], ["scripts"]):
            out, err = self.run_script("install-packages", *arguments, exit=2)
            self.assertIn("usage: install-packages FILE...", err)
            self.assertEqual(out, "")
        out, _ = self.run_script("install-packages", "scripts/packages-test.txt")
        self.assertRegex(out, r"all [1-9]\d* packages are installed")

    def test_test_lists_its_stages(self):
        for arguments in (["--stage"], ["--stage", ""], ["--stage", "units"], ["--stage", "unit lit"], ["--preset"], ["--preset", ""],
                          ["--preset", "base"], ["--preset", ".*"], ["--no-such"]):
            _, err = self.run_script("test", *arguments, exit=2)
            self.assertIn(f"stages: {STAGES}\n", err)
            self.assertFalse((self.root / "build").exists())

    def test_a_stage_says_what_it_needs(self):
        _, err = self.run_script("test", "--stage", "unit", exit=2)
        self.assertEqual(err, "build/ci is not configured, which stage 'unit' needs first: scripts/test --preset ci --stage packages --stage configure "
                              "--stage build --stage unit\n")
        self.run_script("test", "--stage", "build", exit=2)
        out, _ = self.run_script("test", "--stage", "packages")
        self.assertRegex(out, r"packages +\d+\.\d min of +[\d.]+  passed")

    def test_tests_are_those_of_what_is_built_now(self):
        (self.root / "build/ci").mkdir(parents=True)
        (self.root / "build/ci/build.ninja").touch()
        self.stand_in("cmake", 'echo "cmake $@"')
        self.stand_in("ctest", 'echo "ctest $@"')
        out, _ = self.run_script("test", "--stage", "lit")
        self.assertRegex(out, r"(?s)cmake --build build/ci\n.*ctest --test-dir build/ci -L lit ")
        self.stand_in("cmake", "exit 1")
        out, _ = self.run_script("test", "--stage", "lit", exit=1)
        self.assertNotIn("ctest", out)

    def test_demo_leaves_out_the_tests_and_says_when_nothing_is_done(self):
        out, _ = self.run_script("demo")
        self.assertIn("-DTEGULA_TESTS=OFF", (self.root / "build/configured").read_text())
        self.assertRegex(out, r"\[4/6\].*\n      nothing to do\n")
        self.assertIn("\n  build/release/bin/tegula targets\n", out)
        (self.root / "build/configured").unlink()
        out, _ = self.run_script("demo", cwd="/")
        self.assertFalse((self.root / "build/configured").exists())
        # The commands work from where the user is, whatever the tree's path.
        self.stand_in("tegula", "echo worked")
        (self.root / "build/release/bin").mkdir()
        shutil.copy(self.root / "bin/tegula", self.root / "build/release/bin")
        commands = [line for line in out.splitlines() if "bin/tegula " in line]
        self.assertEqual(len(commands), 3)
        for command in commands:
            self.assertEqual(subprocess.run(["bash", "-c", command], cwd="/", capture_output=True, text=True).stdout, "worked\n", command)

    def test_demo_stops_at_a_signal_to_its_pid(self):
        for number, exit in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            with self.subTest(number):
                self.stand_in("ninja", f'echo $$ > "{self.root}/ninja.pid"; echo "[1/9] Building"; sleep 50; echo "[2/9] Building"')
                process = self.start("demo")
                pid = self.root / "ninja.pid"
                deadline = time.monotonic() + 30
                while not (pid.exists() and pid.read_text().strip()) and time.monotonic() < deadline:
                    time.sleep(0.05)
                process.send_signal(number)
                out, err = process.communicate(timeout=20)
                self.assertEqual(process.returncode, exit, out + err)
                self.assertIn("interrupted; start scripts/demo again and it goes on from here", out)
                self.assertNotIn("Softmax", out)
                with self.assertRaises(ProcessLookupError):
                    os.kill(int(pid.read_text()), 0)
                pid.unlink()


if __name__ == "__main__":
    done = unittest.main(exit=False).result
    bad = len(done.failures) + len(done.errors)
    print(f"scripts_test: {done.testsRun - bad} passed, {bad} failed")
    sys.exit(bool(bad))
