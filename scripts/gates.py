#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks on the tree itself: the dependency rule, names, sizes, licence heads, what shipped files need, documents.

    gates.py [--build BUILD_FOLDER] [--only NAME]

Without --build the checks that need built files are left out. Prints one line per fault and `gates: N passed, N failed`.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import make_diagnostics_page

ROOT = pathlib.Path(__file__).resolve().parent.parent
LAYERS = {"driver": 4, "frontend": 3, "middle": 2, "targets": 1, "sdk": 0}
CODE = {".h", ".hpp", ".c", ".cpp", ".td", ".inc", ".def"}
SOURCES = CODE | {".py", ".cmake", ".sh"}
VENDOR = re.compile(r"nvidia|nvptx|cuda|amdgpu|rocm|vulkan|spirv", re.I)
#: Spellings of the language itself, which the frontend has to know.
LANGUAGE = re.compile(r"triton\.language|libdevice|extra[./]|is_cuda|torch|\"cuda|cuda\"", re.I)


def tracked():
    out = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    return [pathlib.Path(p) for p in out.split("\0") if p and (ROOT / p).is_file()]


def text(path):
    return (ROOT / path).read_text(errors="replace")


def layer_of(path):
    top = path.parts[0]
    return top if top in LAYERS or top == "plugins" else None


def includes(files):
    """A folder includes itself and what stands to its right; plugins see sdk and plugins/llvm_codegen."""
    for path in files:
        layer = layer_of(path)
        if layer is None or path.suffix not in CODE:
            continue
        for number, line in enumerate(text(path).splitlines(), 1):
            match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if not match:
                match = re.match(r"\s*#\s*include\s+<((?:mlir|llvm)/[^>]+)>", line)
            if not match:
                continue
            target = match.group(1)
            top = target.split("/")[0]
            if top in ("mlir", "llvm"):
                if layer in ("sdk", "targets") or (layer == "plugins" and path.parts[1] != "llvm_codegen"):
                    yield f"{path}:{number}: '{layer}' builds without LLVM and includes {target}"
            elif top == "plugins" and layer == "plugins":
                if target.split("/")[1] not in (path.parts[1], "llvm_codegen"):
                    yield f"{path}:{number}: a plugin includes another plugin's {target}"
            elif top in LAYERS or top == "plugins":
                allowed = layer == "plugins" and top == "sdk" or layer in LAYERS and top in LAYERS and LAYERS[top] <= LAYERS[layer]
                if not allowed:
                    yield f"{path}:{number}: '{layer}' may not include {target}"
            elif top == "tegula" and layer in ("frontend", "middle") and target.startswith("tegula/tegula.h"):
                yield f"{path}:{number}: '{layer}' may not include {target}"


def vendor_words(files):
    for path in files:
        if path.parts[0] not in ("frontend", "middle") or path.suffix not in CODE or "test" in path.parts or path.stem.endswith("_test"):
            continue
        for number, line in enumerate(text(path).splitlines(), 1):
            if VENDOR.search(line) and not LANGUAGE.search(line):
                yield f"{path}:{number}: vendor word above the plugin line: {line.strip()[:80]}"


def sizes(files):
    for path in files:
        if path.suffix in SOURCES and path.suffix != ".json":
            lines = text(path).count("\n")
            if lines > 600:
                yield f"{path}: {lines} lines; split it by what it holds (limit 600)"


#: Not wrapped yet: who changes a file here wraps it and takes it off.
LONG_LINES = ("driver/", "frontend/lex/lexer.cpp", "frontend/sema/builtins/collective.cpp", "frontend/sema/containers.cpp",
              "frontend/sema/control_flow.cpp", "frontend/sema/frame.h", "frontend/sema/functions.cpp", "frontend/sema/kernel_errors_test.cpp",
              "frontend/sema/loops.cpp", "frontend/sema/value.h")


def line_length(files):
    """Code ends at column 150; text of other languages in raw strings is left as it is."""
    for path in files:
        if path.suffix in CODE - {".def", ".td", ".inc"} and not str(path).startswith(LONG_LINES):
            body = re.sub(r'R"(\w*)\(.*?\)\1"', lambda m: "\n" * m.group().count("\n"), text(path), flags=re.S)
            for number, line in enumerate(body.splitlines(), 1):
                if len(line) > 150:
                    yield f"{path}:{number}: {len(line)} columns (limit 150; clang-format-22 --lines={number}:{number} wraps it)"


def licence_heads(files):
    for path in files:
        if path.suffix in SOURCES and not {"test", "cases", "examples", "library"} & set(path.parts):
            if "SPDX-License-Identifier" not in "\n".join(text(path).splitlines()[:4]):
                yield f"{path}: no SPDX head"


def names(files):
    for path in files:
        if path.suffix in CODE and re.search(r"(^|_)(utils?|common|helpers?|misc)(_|$)", path.stem):
            yield f"{path}: say what the file holds"


def private_paths(files):
    needle = re.compile(r"/work/|/tmp/bash_jobs|/root/")
    for path in files:
        if path.suffix in (".npy", ".npz", ".png", ".kir") or path == pathlib.Path("scripts/gates.py"):
            continue
        for number, line in enumerate(text(path).splitlines(), 1):
            if needle.search(line):
                yield f"{path}:{number}: a path of one machine: {line.strip()[:80]}"


def unfinished(files):
    for path in files:
        if path.suffix in CODE:
            for number, line in enumerate(text(path).splitlines(), 1):
                if re.search(r"\b(TODO|FIXME|XXX)\b", line):
                    yield f"{path}:{number}: unfinished: {line.strip()[:80]}"


def links(files):
    for path in files:
        if path.suffix != ".md":
            continue
        body = re.sub(r"```.*?```", "", text(path), flags=re.S)
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", body):
            if re.match(r"[a-z]+:", target):
                continue
            if not (ROOT / path.parent / target).exists():
                yield f"{path}: broken link {target}"


def diagnostics_page(files):
    """The page of all diagnostics says what the catalogues say."""
    page, made = ROOT / make_diagnostics_page.PAGE, make_diagnostics_page.page()
    have, want = (page.read_text() if page.exists() else "").splitlines(), made.splitlines()
    for line in [line for line in want if line not in have] + [f"no longer: {line}" for line in have if line not in want]:
        yield f"{make_diagnostics_page.PAGE} (write it with scripts/make_diagnostics_page.py): {line[:120]}"
    if sorted(have) == sorted(want) and have != want:
        yield f"{make_diagnostics_page.PAGE}: lines in another order; write it with scripts/make_diagnostics_page.py"


def libdevice(files):
    """Every function of Triton's libdevice is either offered or refused by name, and docs/language.md lists those that are refused."""
    source = text("frontend/sema/builtins/libdevice.cpp")
    offered = set(re.findall(r'\{"(\w+)",', re.search(r"kEntries\[\] = \{(.*?)\n\};", source, re.S).group(1)))
    refused = set(re.findall(r'"(\w+)"', re.search(r"kNotYet\[\] = \{(.*?)\};", source, re.S).group(1)))
    known = {line for line in text("frontend/sema/test/libdevice_names.txt").splitlines() if not line.startswith("#")}
    section = re.search(r"^## Functions of libdevice that are not supported$.*?^(\* .*?)(?=^## |\Z)", text("docs/language.md"), re.S | re.M)
    listed = set(re.findall(r"`(\w+)`", section.group(1))) if section else set()
    for names, what in ((known - offered - refused, "neither offered nor refused (frontend/sema/builtins/libdevice.cpp)"),
                        (offered & refused, "both offered and refused"),
                        (refused - known, "refused, but no function of Triton's"),
                        (known - offered - listed, "not supported, and not listed in docs/language.md"),
                        (listed - (known - offered), "listed in docs/language.md, but supported or not there in Triton")):
        if names:
            yield f"{what}: {', '.join(sorted(names))}"


def presets(files):
    """Presets that documents name exist; those that exist can be configured, built and tested, and stand in CONTRIBUTING.md."""
    data = json.loads(text("CMakePresets.json"))
    visible = {p["name"] for p in data["configurePresets"] if not p.get("hidden")}
    for kind in ("buildPresets", "testPresets"):
        for name in visible ^ {p["name"] for p in data[kind]}:
            yield f"CMakePresets.json: '{name}' is not both in configurePresets and in {kind}"
    for path in files:
        if path.suffix == ".md":
            for name in re.findall(r"(?:--preset |\bbuild/)([a-z]+)", text(path)):
                if name not in visible:
                    yield f"{path}: there is no preset '{name}'"
    listed = re.search(r"^Presets: (.*?)\n\n", text("CONTRIBUTING.md"), re.S | re.M)
    for name in visible - set(re.findall(r"`(\w+)`", listed.group(1) if listed else "")):
        yield f"CONTRIBUTING.md: preset '{name}' is not listed"


def commands(files, build):
    """Fenced `sh` blocks are run in a scratch folder beside examples/, `tegula` on PATH; blocks tagged `manual` are not. The plugin that
    docs/adding-a-target.md makes is there (plugins/CMakeLists.txt builds it)."""
    env = dict(os.environ, PATH=f"{build / 'bin'}:{os.environ['PATH']}", TEGULA_PLUGIN_PATH=str(build / "docs/plugins"))
    for path in files:
        if path.suffix != ".md":
            continue
        blocks = re.findall(r"^ *```sh([^\n]*)\n(.*?)^ *```", text(path), flags=re.S | re.M)
        with tempfile.TemporaryDirectory() as scratch:
            for name in ("examples", "conformance", "docs", "scripts"):
                os.symlink(ROOT / name, pathlib.Path(scratch) / name)
            for tag, block in blocks:
                if "manual" in tag:
                    continue
                want = int(re.search(r"exit=(\d+)", tag).group(1)) if "exit=" in tag else 0
                done = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=scratch, env=env, capture_output=True, text=True, timeout=300)
                if done.returncode != want:
                    yield f"{path}: exit {done.returncode}, expected {want}: {block.strip()[:120]}\n{done.stderr[-600:]}"


def examples(files, build):
    """The head of each example has one command per kernel, and each of them runs as it stands."""
    env = dict(os.environ, PATH=f"{build / 'bin'}:{os.environ['PATH']}")
    for path in files:
        if path.parts[0] != "examples" or path.suffix != ".py":
            continue
        body = text(path)
        head = body[:re.search(r"^[^#]", body, re.M).start()]
        lines = re.findall(r"^#\s+(tegula .*)", head, re.M)
        shown = [name for line in lines for name in re.findall(r" -k (\w+)", line)]
        for kernel in re.findall(r"^@triton\.jit\ndef (\w+)", body, re.M):
            if kernel not in shown:
                yield f"{path}: its head has no command for '{kernel}'"
        with tempfile.TemporaryDirectory() as scratch:
            os.symlink(ROOT / "examples", pathlib.Path(scratch) / "examples")
            for line in lines:
                done = subprocess.run(["bash", "-euo", "pipefail", "-c", line], cwd=scratch, env=env, capture_output=True, text=True, timeout=300)
                if done.returncode != 0:
                    yield f"{path}: exit {done.returncode}: {line[:120]}\n{done.stderr[-600:]}"


def shipped_needs(build):
    shipped = [build / "bin" / "tegula", *sorted((build / "lib/tegula/plugins").glob("*.so"))]
    for path in shipped:
        if not path.exists():
            yield f"{path.name}: was not built"
            continue
        out = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
        for need in re.findall(r"NEEDED.*\[(.+?)\]", out):
            if re.match(r"libLLVM|libMLIR|libPolly", need):
                yield f"{path.name} needs {need}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--only")
    options = parser.parse_args()
    files = tracked()
    gates = [(f.__name__, lambda f=f: f(files)) for f in
             (includes, vendor_words, sizes, line_length, licence_heads, names, private_paths, unfinished, links, diagnostics_page, libdevice, presets)]
    if options.build:
        build = options.build.resolve()
        gates.append(("shipped_needs", lambda: shipped_needs(build)))
        gates.append(("commands", lambda: commands(files, build)))
        gates.append(("examples", lambda: examples(files, build)))
    passed = failed = 0
    for name, gate in gates:
        if options.only and name != options.only:
            continue
        faults = list(gate())
        for fault in faults:
            print(f"{name}: {fault}")
        print(f"gate {name}: {'failed' if faults else 'passed'}")
        passed += not faults
        failed += bool(faults)
    print(f"gates: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
