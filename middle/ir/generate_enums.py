#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the tile dialect's enumerations (TableGen) from KIR's grammar, so that both have the same cases and numbers.

    generate_enums.py GRAMMAR OUT
"""
import json
import sys

#: Enumerations that attributes of the dialect use; the rest of the grammar's has upstream counterparts.
USED = ["rounding", "math_function", "bit_function", "float_class", "cache_modifier", "eviction_policy",
        "atomic_operation", "memory_order", "memory_scope", "dot_precision", "address_space"]


def camel(name):
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def main(grammar, out):
    with open(grammar) as file:
        enums = {e["name"]: e for e in json.load(file)["enums"]}
    lines = ["// Generated from KIR's grammar.json; included by enums.td.", ""]
    for name in USED:
        cases = [f'  I32EnumAttrCase<"{camel(c["name"])}", {c["value"]}, "{c["name"]}">' for c in enums[name]["cases"]]
        lines += [f'def Tile_{camel(name)} : Tile_Enum<"{camel(name)}", "KIR\'s {name}", [', ",\n".join(cases), "]>;",
                  f'def Tile_{camel(name)}Attr : Tile_EnumAttr<Tile_{camel(name)}, "{name}">;', ""]
    with open(out, "w") as file:
        file.write("\n".join(lines))


if __name__ == "__main__":
    main(*sys.argv[1:])
