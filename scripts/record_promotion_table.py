#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records which dtype Triton gives every operator on every pair of operands: frontend/sema/test/promotion_table.json.

    record_promotion_table.py [--out FILE]

Needs an installed Triton, but no GPU: only its frontend runs. "!" stands for an error. Rows of "tensors" are left operands, columns right ones; rows
of "literal_right" and "literal_left" are tensors, columns literals; casts have none; "unary" has one column per type.
"""
import argparse
import contextlib
import importlib.util
import io
import json
import pathlib
import tempfile

import triton
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.compiler.compiler import make_backend

ROOT = pathlib.Path(__file__).resolve().parent.parent
TYPES = "i1 i8 i16 i32 i64 u8 u16 u32 u64 fp16 bf16 fp32 fp64 fp8e4nv fp8e5".split()
LITERALS = "True 1 -1 200 40000 2147483648 4294967296 9223372036854775808 1.5 1e300".split()
BINARY = {op: f"({{x}} {op} {{y}})" for op in "+ - * / // % & | ^ << >> == != < <= > >=".split()}
BINARY |= {"where": "tl.where(c, {x}, {y})", "clamp": "tl.clamp({x}, {y}, 2.0)", "fma": "tl.fma({x}, {y}, 1.0)"}
BINARY |= {name: f"tl.{name}({{x}}, {{y}})" for name in ("maximum", "minimum", "add", "sub", "mul", "fdiv", "div_rn", "umulhi")}
CASTS = {"to": "{x}.to({y}.dtype)", "bitcast": "{x}.to({y}.dtype, bitcast=True)"}
UNARY = {op: f"({op} a)" for op in ("-", "+", "~", "not")}
UNARY |= {name: f"tl.{name}(a)" for name in ("abs", "exp", "floor", "sqrt_rn")}
UNARY |= {name: f"tl.{name}(x, 0)" for name in ("sum", "max", "min", "argmax", "cumsum", "cumprod", "xor_sum")}


def kernels(bodies):
    """The kernels of a generated module, one per expression."""
    text = "import triton\nimport triton.language as tl\n"
    for number, body in enumerate(bodies):
        text += f"\n\n@triton.jit\ndef kernel{number}(A, B, C):\n    a = tl.load(A)\n    b = tl.load(B)\n    c = tl.load(C) > 0\n"
        text += f"    x = tl.load(A + tl.arange(0, 4))\n    tl.static_print({body}.dtype)\n"
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(text)
        file.flush()
        spec = importlib.util.spec_from_file_location("generated", file.name)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return [getattr(module, f"kernel{n}") for n in range(len(bodies))]


class Frontend:
    def __init__(self):
        self.target = GPUTarget("cuda", 90, 32)
        self.backend = make_backend(self.target)
        self.options = self.backend.parse_options({})

    def dtype(self, kernel, a, b="i32"):
        context = ir.context()
        ir.load_dialects(context)
        self.backend.load_dialects(context)
        source = ASTSource(kernel, {"A": "*" + a, "B": "*" + b, "C": "*i32"})
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
            try:
                source.make_ir(self.target, self.options, self.backend.get_codegen_implementation(self.options), self.backend.get_module_map(), context)
            except Exception:  # whatever Triton raises, the pair has no result
                return "!"
        return printed.getvalue().strip()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "frontend/sema/test/promotion_table.json")
    options = parser.parse_args()
    frontend = Frontend()
    table = {"triton": triton.__version__, "types": " ".join(TYPES), "literals": " ".join(LITERALS)}
    table["binary"] = {}
    for op, text in BINARY.items():
        both, *literals = kernels([text.format(x="a", y="b")] + [text.format(x="a", y=l) for l in LITERALS] + [text.format(x=l, y="a") for l in LITERALS])
        table["binary"][op] = {
            "text": text,
            "tensors": [" ".join(frontend.dtype(both, a, b) for b in TYPES) for a in TYPES],
            "literal_right": [" ".join(frontend.dtype(k, a) for k in literals[:len(LITERALS)]) for a in TYPES],
            "literal_left": [" ".join(frontend.dtype(k, a) for k in literals[len(LITERALS):]) for a in TYPES],
        }
    for op, text in CASTS.items():
        cast, = kernels([text.format(x="a", y="b")])
        table["binary"][op] = {"text": text, "tensors": [" ".join(frontend.dtype(cast, a, b) for b in TYPES) for a in TYPES]}
    table["unary"] = {op: {"text": text, "row": " ".join(frontend.dtype(k, t) for t in TYPES)} for (op, text), k in zip(UNARY.items(), kernels(UNARY.values()))}
    options.out.write_text(json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    main()
