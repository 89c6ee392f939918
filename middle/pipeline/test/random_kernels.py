#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels in tile IR, for comparing what optimised and unoptimised ones compute.

    random_kernels.py SEED COUNT

Prints COUNT modules, with "// -----" between them. Each kernel takes (int in, float in, int out, float out, i32, i32,
f32); all that it computes at its outermost level is stored. Addresses stay inside 64 KiB elements, divisions may be by
zero, floats may be anything; the bits of a NaN are not looked at, since which NaN an operation gives is not promised.
"""

import random
import sys

SHAPES = [(), (8,), (4, 8), (1, 8), (4, 1), (8, 4), (32,)]
INT_OPS = "addi subi muli andi ori xori shli shrsi shrui minsi maxsi minui maxui divsi divui remsi remui".split()
FLOAT_OPS = "addf subf mulf divf minnumf maxnumf minimumf maximumf remf".split()
INT_PREDICATES = "eq ne slt sle sgt sge ult ule ugt uge".split()
FLOAT_PREDICATES = "oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno".split()
CASTS = [
    ("i32", "i64", "extsi"),
    ("i32", "i64", "extui"),
    ("i64", "i32", "trunci"),
    ("i1", "i32", "extui"),
    ("i1", "i32", "extsi"),
    ("i32", "f32", "sitofp"),
    ("i32", "f32", "uitofp"),
    ("f32", "i32", "fptosi"),
    ("f32", "i32", "fptoui"),
    ("i32", "f32", "bitcast"),
    ("i32", "i1", "trunci"),
    ("i32", "i16", "trunci"),
    ("i16", "i32", "extsi"),
    ("i32", "f16", "sitofp"),
    ("i64", "f32", "sitofp"),
]
RESHAPES = [((4, 8), (32,)), ((32,), (4, 8)), ((8, 4), (4, 8)), ((1, 8), (8,))]
COMBINES = [("f32", "addf"), ("f32", "maximumf"), ("i32", "addi"), ("i32", "maxsi")]


def spell(shape, element):
    return "tensor<" + "x".join([*map(str, shape), element]) + ">" if shape else element


def pointers(shape, element):
    return spell(shape, f"!tile.ptr<{element}>")


class Kernel:
    """Values are kept by type, in one dictionary for each open region."""

    def __init__(self, rng):
        self.rng, self.lines, self.count = rng, [], 0
        self.scopes = [{((), "i32"): ["%n", "%m"], ((), "f32"): ["%x"]}]

    # ---- text and values ----

    def emit(self, text):
        self.lines.append("  " * len(self.scopes) + text)

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def keep(self, shape, element, value):
        self.scopes[-1].setdefault((shape, element), []).append(value)
        return value

    def make(self, text, shape, element):
        value = self.fresh()
        self.emit(f"{value} = {text}")
        return self.keep(shape, element, value)

    def pick(self, shape, element):
        known = [v for scope in self.scopes for v in scope.get((shape, element), [])]
        return self.rng.choice(known) if known and self.rng.random() < 0.85 else self.constant(shape, element)

    def constant(self, shape, element, number=None):
        rng = self.rng
        if element == "i1":
            number = rng.choice(["true", "false"])
        elif number is None and element[0] == "i":
            limit = 1 << (int(element[1:]) - 1)
            number = rng.choice([0, 1, -1, 2, 3, 5, 7, 8, 31, 63, -limit, limit - 1, rng.randrange(-100, 100)])
        elif number is None:
            special = ["0x7F800000", "0x7FC00000", "1.0e-40"] if element == "f32" else ["0x7C00", "0x7E00", "6.0e-8"]
            number = rng.choice(["0.0", "-0.0", "1.0", "-1.0", "2.0", "0.5", "3.25"] + special)
        if shape:
            return self.make(f"arith.constant dense<{number}> : {spell(shape, element)}", shape, element)
        return self.make(f"arith.constant {number}" + ("" if element == "i1" else f" : {element}"), shape, element)

    def small(self, low, high):
        return self.constant((), "i32", self.rng.randrange(low, high))

    # ---- ops ----

    def binary(self, ops, elements, shape):
        element = self.rng.choice(elements)
        self.make(
            f"arith.{self.rng.choice(ops)} {self.pick(shape, element)}, {self.pick(shape, element)} : {spell(shape, element)}",
            shape,
            element,
        )

    def compare(self, shape):
        op, element, predicates = self.rng.choice(
            [("cmpi", "i32", INT_PREDICATES), ("cmpi", "i64", INT_PREDICATES), ("cmpf", "f32", FLOAT_PREDICATES)]
        )
        self.make(
            f"arith.{op} {self.rng.choice(predicates)}, {self.pick(shape, element)}, {self.pick(shape, element)} : {spell(shape, element)}",
            shape,
            "i1",
        )

    def select(self, shape, condition_shape, condition, on_true, on_false, element):
        types = f"{spell(shape, 'i1')}, {spell(shape, element)}" if condition_shape and shape else spell(shape, element)
        self.make(f"arith.select {condition}, {on_true}, {on_false} : {types}", shape, element)

    def any_select(self, shape):
        element, condition_shape = self.rng.choice(["i32", "f32", "i1", "f16"]), self.rng.choice([shape, ()])
        self.select(
            shape,
            condition_shape,
            self.pick(condition_shape, "i1"),
            self.pick(shape, element),
            self.pick(shape, element),
            element,
        )

    def cast(self, shape):
        if self.rng.random() < 0.3:
            old, new = self.rng.choice([("f32", "f16"), ("f16", "f32")])
            rounding = self.rng.choice(["rtne", "rtz"])
            self.make(
                f"tile.fpcast {self.pick(shape, old)} {rounding} : {spell(shape, old)} -> {spell(shape, new)}",
                shape,
                new,
            )
        else:
            old, new, op = self.rng.choice(CASTS)
            self.make(f"arith.{op} {self.pick(shape, old)} : {spell(shape, old)} to {spell(shape, new)}", shape, new)

    def unary(self, shape):
        rng = self.rng
        family = rng.choice(["math1", "bits1", "mulh", "classify", "upstream"])
        ints, floats = spell(shape, "i32"), spell(shape, "f32")
        if family == "math1":
            self.make(
                f"tile.math1 {rng.choice(['exp', 'sqrt', 'floor', 'rsqrt', 'sin'])} {self.pick(shape, 'f32')} : {floats}",
                shape,
                "f32",
            )
        elif family == "bits1":
            self.make(
                f"tile.bits1 {rng.choice(['popcount', 'clz', 'ffs', 'brev', 'not'])} {self.pick(shape, 'i32')} : {ints}",
                shape,
                "i32",
            )
        elif family == "mulh":
            self.make(
                f"tile.{rng.choice(['mulhui', 'mulhsi'])} {self.pick(shape, 'i32')}, {self.pick(shape, 'i32')} : {ints}",
                shape,
                "i32",
            )
        elif family == "classify":
            test = rng.choice(["nan", "infinite", "finite"])
            self.make(f"tile.classify {test} {self.pick(shape, 'f32')} : {floats} -> {spell(shape, 'i1')}", shape, "i1")
        else:
            self.make(
                f"{rng.choice(['arith.negf', 'math.absf', 'math.floor', 'math.ceil', 'math.trunc'])} {self.pick(shape, 'f32')} : {floats}",
                shape,
                "f32",
            )

    def reshape(self, shape):
        rng, element = self.rng, self.rng.choice(["i32", "f32", "i1", "f16"])
        op, old, new, extra = rng.choice(
            [
                ("splat", (), shape or (8,), ""),
                ("broadcast", (1, 8), (4, 8), ""),
                ("broadcast", (4, 1), (4, 8), ""),
                ("expand_dims", (8,), (1, 8), " 0"),
                ("transpose", (4, 8), (8, 4), " [1, 0]"),
                ("transpose", (8, 4), (4, 8), " [1, 0]"),
                ("reshape", *rng.choice(RESHAPES), ""),
                ("split", (8,), (8,), ""),
            ]
        )
        if op == "split":
            joined, first, second = self.fresh(), self.fresh(), self.fresh()
            pair = spell((8, 2), element)
            self.emit(
                f"{joined} = tile.join {self.pick(old, element)}, {self.pick(old, element)} : {spell(old, element)} -> {pair}"
            )
            self.emit(f"{first}, {second} = tile.split {joined} : {pair} -> {spell(new, element)}")
            self.keep(new, element, first)
            self.keep(new, element, second)
        else:
            self.make(
                f"tile.{op} {self.pick(old, element)}{extra} : {spell(old, element)} -> {spell(new, element)}",
                new,
                element,
            )

    def combine(self):
        element, op = self.rng.choice(COMBINES)
        axis, source, value = self.rng.randrange(2), (4, 8), self.fresh()
        reduces = axis == 0 and self.rng.random() < 0.6
        result = (8,) if reduces else source
        head = f"reduce %IN axis {axis}" if reduces else f"scan %IN axis {axis} {self.rng.choice(['', 'reverse'])}"
        self.emit(
            f"{value} = tile.{head.replace('%IN', self.pick(source, element))} : ({spell(source, element)}) -> {spell(result, element)} {{"
        )
        a, b, c = self.fresh(), self.fresh(), self.fresh()
        self.emit(f"^bb0({a}: {element}, {b}: {element}):")
        self.emit(f"  {c} = arith.{op} {a}, {b} : {element}")
        self.emit(f"  tile.yield {c} : {element}")
        self.emit("}")
        self.keep(result, element, value)

    def collect(self):
        """Products, gathers and histograms."""
        kind = self.rng.choice(["dot", "gather", "histogram"])
        if kind == "dot":
            lhs, rhs, total = self.pick((4, 8), "f32"), self.pick((8, 4), "f32"), self.constant((4, 4), "f32", "0.0")
            types = ", ".join(spell(shape, "f32") for shape in [(4, 8), (8, 4), (4, 4)])
            product = self.make(f"tile.dot {lhs}, {rhs}, {total} : {types}", (4, 4), "f32")
            again = self.make(f"arith.addf {product}, {self.pick((4, 4), 'f32')} : {spell((4, 4), 'f32')}", (4, 4), "f32")
            self.make(f"tile.transpose {again} [1, 0] : {spell((4, 4), 'f32')} -> {spell((4, 4), 'f32')}", (4, 4), "f32")
        elif kind == "gather":
            index, seven = self.fresh(), self.constant((8,), "i32", 7)
            self.emit(f"{index} = arith.andi {self.pick((8,), 'i32')}, {seven} : tensor<8xi32>")
            source = self.pick((8,), "f32")
            self.make(f"tile.gather {source} [{index}] axis 0 : tensor<8xf32>, tensor<8xi32> -> tensor<8xf32>", (8,), "f32")
        else:
            value, mask = self.pick((32,), "i32"), self.pick((32,), "i1")
            types = "tensor<32xi32>, tensor<32xi1> -> tensor<8xi32>"
            self.make(f"tile.histogram {value} mask {mask} : {types}", (8,), "i32")

    # ---- memory ----

    def address(self, base, element, shape):
        """A place from 0 to about 100 elements behind `base`."""
        low, offset, mask = self.fresh(), self.pick(shape, "i32"), self.constant(shape, "i32", 63)
        self.emit(f"{low} = arith.andi {offset}, {mask} : {spell(shape, 'i32')}")
        if shape:
            splat = self.fresh()
            self.emit(f"{splat} = tile.splat {base} : !tile.ptr<{element}> -> {pointers(shape, element)}")
            base = splat
        offsets = [low] + [
            self.constant(shape, "i32", self.rng.randrange(20)) for _ in range(self.rng.choice([0, 0, 2]))
        ]
        for offset in offsets:
            place = self.fresh()
            self.emit(
                f"{place} = tile.addptr {base}, {offset} {self.rng.choice(['', 'unsigned'])} : {pointers(shape, element)}, {spell(shape, 'i32')}"
            )
            base = place
        return base

    def load(self, shape):
        element = self.rng.choice(["i32", "f32"])
        place, mask = self.address(self.rng.choice([f"%in_{element}", f"%out_{element}"]), element, shape), self.pick(
            shape, "i1"
        )
        from_type, to_type = pointers(shape, element), spell(shape, element)
        kind = self.rng.randrange(3)
        if kind == 0:
            self.make(f"tile.load {place} : ({from_type}) -> {to_type}", shape, element)
        elif kind == 1:
            other = self.pick(shape, element)
            self.make(
                f"tile.load {place} mask {mask} other {other} : ({from_type}, {spell(shape, 'i1')}, {to_type}) -> {to_type}",
                shape,
                element,
            )
        else:
            value = self.make(
                f"tile.load {place} mask {mask} : ({from_type}, {spell(shape, 'i1')}) -> {to_type}", shape, element
            )
            self.select(shape, shape, mask, value, self.pick(shape, element), element)

    def store(self):
        element = self.rng.choice(["i32", "f32"])
        place, value, mask = self.address(f"%out_{element}", element, ()), self.pick((), element), self.pick((), "i1")
        self.emit(f"tile.store {place}, {value} mask {mask} : !tile.ptr<{element}>, {element}, i1")

    # ---- control ----

    def region(self, depth, end, arguments=()):
        self.scopes.append({})
        for shape, element, value in arguments:
            self.keep(shape, element, value)
        for _ in range(self.rng.randrange(1, 9)):
            self.step(depth + 1)
        end()
        self.scopes.pop()

    def branch(self, shape, depth):
        element, value = self.rng.choice(["i32", "f32"]), self.fresh()
        end = lambda: self.emit(f"scf.yield {self.pick(shape, element)} : {spell(shape, element)}")
        self.emit(f"{value} = scf.if {self.pick((), 'i1')} -> ({spell(shape, element)}) {{")
        self.region(depth, end)
        self.emit("} else {")
        self.region(depth, end)
        self.emit("}")
        self.keep(shape, element, value)

    def loop(self, depth):
        rng = self.rng
        types = [(rng.choice(SHAPES), rng.choice(["i32", "f32", "i1"])) for _ in range(rng.randrange(1, 4))]
        inits = [self.pick(*t) for t in types]
        if rng.random() < 0.4:  # a twin, for passes that look for equal carried values
            types.append(types[0])
            inits.append(inits[0])
        bounds = [rng.choice(["%n", "%m", self.small(-2, 7)]) for _ in range(2)]
        step, value, index = self.small(1, 4), self.fresh(), self.fresh()
        carried, names = [self.fresh() for _ in types], ", ".join(spell(*t) for t in types)

        def end():
            values = [self.pick(*t) for t in types]
            if rng.random() < 0.3:
                values = [c if rng.random() < 0.4 else v for c, v in zip(carried, values)]
            self.emit(f"scf.yield {', '.join(values)} : {names}")

        pairs = ", ".join(f"{c} = {i}" for c, i in zip(carried, inits))
        self.emit(
            f"{value}:{len(types)} = scf.for {index} = {bounds[0]} to {bounds[1]} step {step} iter_args({pairs}) -> ({names}) : i32 {{"
        )
        self.region(depth, end, [((), "i32", index)] + [(*t, c) for t, c in zip(types, carried)])
        attributes = [f"tile.unroll = {rng.randrange(1, 6)} : i32"] * (rng.random() < 0.5) + ["tile.disable_licm"] * (
            rng.random() < 0.1
        )
        self.emit("}" + (f" {{{', '.join(attributes)}}}" if attributes else ""))
        for i, t in enumerate(types):
            self.keep(*t, f"{value}#{i}")

    def count_up(self, shape, depth):
        """A while loop that counts to a small number and carries one more value."""
        element = self.rng.choice(["i32", "f32"])
        kind = spell(shape, element)
        value, count, carried, next_count, next_carried, going, more = (self.fresh() for _ in range(7))
        start, limit, step, init = self.small(0, 2), self.small(-2, 7), self.small(1, 3), self.pick(shape, element)

        def test():
            self.emit(f"{going} = arith.cmpi slt, {count}, {limit} : i32")
            self.emit(f"scf.condition({going}) {count}, {self.pick(shape, element)} : i32, {kind}")

        def again():
            self.emit(f"{more} = arith.addi {next_count}, {step} : i32")
            self.emit(f"scf.yield {more}, {self.pick(shape, element)} : i32, {kind}")

        self.emit(f"{value}:2 = scf.while ({count} = {start}, {carried} = {init}) : (i32, {kind}) -> (i32, {kind}) {{")
        self.region(depth + 1, test, [((), "i32", count), (shape, element, carried)])
        self.emit("} do {")
        self.emit(f"^bb0({next_count}: i32, {next_carried}: {kind}):")
        self.region(depth + 1, again, [((), "i32", next_count), (shape, element, next_carried)])
        self.emit("}")
        self.keep((), "i32", f"{value}#0")
        self.keep(shape, element, f"{value}#1")

    def step(self, depth):
        rng, shape = self.rng, self.rng.choice(SHAPES)
        choices = [
            (5, lambda: self.binary(INT_OPS, ["i32", "i32", "i64", "i16"], shape)),
            (4, lambda: self.binary(FLOAT_OPS, ["f32", "f32", "f16"], shape)),
            (2, lambda: self.compare(shape)),
            (1, lambda: self.any_select(shape)),
            (2, lambda: self.cast(shape)),
            (1, lambda: self.unary(shape)),
            (4, lambda: self.reshape(shape)),
            (1, lambda: self.make("tile.arange 0, 8 : tensor<8xi32>", (8,), "i32")),
            (1, lambda: self.load(shape)),
            (1, self.combine),
            (1, self.collect),
            (1, self.store),
            (
                1,
                lambda: self.make(
                    f"func.call @helper({self.pick((), 'i32')}, {self.pick((), 'i32')}) : (i32, i32) -> i32", (), "i32"
                ),
            ),
        ]
        if depth < 3:
            choices += [(1, lambda: self.branch(shape, depth)), (1, lambda: self.loop(depth))]
        if depth < 2:
            choices += [(1, lambda: self.count_up(shape, depth))]
        rng.choices([c for _, c in choices], [w for w, _ in choices])[0]()

    def store_all(self):
        place = 128
        for (shape, element), values in list(self.scopes[0].items()):
            for value in values if element in ("i32", "f32") else []:
                size = 1
                for n in shape:
                    size *= n
                offsets = self.fresh()
                flat = (size,)
                self.emit(f"{offsets} = tile.arange {place}, {place + size} : tensor<{size}xi32>")
                splat, places, row = self.fresh(), self.fresh(), self.fresh()
                self.emit(f"{splat} = tile.splat %out_{element} : !tile.ptr<{element}> -> {pointers(flat, element)}")
                self.emit(f"{places} = tile.addptr {splat}, {offsets} : {pointers(flat, element)}, tensor<{size}xi32>")
                op = "reshape" if shape else "splat"
                self.emit(f"{row} = tile.{op} {value} : {spell(shape, element)} -> {spell(flat, element)}")
                self.emit(f"tile.store {places}, {row} : {pointers(flat, element)}, {spell(flat, element)}")
                place += size


def kernel(rng):
    k = Kernel(rng)
    k.make("tile.program_id 0", (), "i32")
    for shape in [(8,), (4, 8)] * 2:
        k.load(shape)
    for _ in range(rng.randrange(10, 45)):
        k.step(0)
    k.store_all()
    body = "\n".join(k.lines)
    return f"""func.func @kernel(%in_i32: !tile.ptr<i32>, %in_f32: !tile.ptr<f32>, %out_i32: !tile.ptr<i32>, %out_f32: !tile.ptr<f32>,
                  %n: i32, %m: i32, %x: f32) attributes {{tile.kernel}} {{
{body}
  return
}}
func.func private @helper(%a: i32, %b: i32) -> i32 {{
  %0 = arith.addi %a, %b : i32
  %1 = arith.muli %0, %a : i32
  return %1 : i32
}}
"""


if __name__ == "__main__":
    rng = random.Random(int(sys.argv[1]))
    print("\n// -----\n".join(kernel(rng) for _ in range(int(sys.argv[2]))))
