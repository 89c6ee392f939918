# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes from abi.json: the C header, the layout asserts, the loader's slot table and the reference page.

Refuses a description that breaks the shape rules: implicit padding, a type of no fixed width, a name used twice, an enum case 0
that is neither a result nor a bit set. Output is a function of the description alone.

usage: generate.py abi.json --header F --asserts F --slots F --doc F
"""
import argparse
import json
import pathlib

HEAD = "/* SPDX-FileCopyrightText: The Tegula authors\n * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
SCALARS = {"u32": ("uint32_t", 4), "i32": ("int32_t", 4), "u64": ("uint64_t", 8), "i64": ("int64_t", 8), "f64": ("double", 8)}
PREFIX = "tegula_"


class Abi:
    def __init__(self, text):
        self.data = json.loads(text)
        names = [e["name"] for key in ("enums", "spans", "structs", "tables") for e in self.data[key]] + list(self.data["handles"])
        twice = {n for n in names if names.count(n) > 1}
        if twice:
            raise SystemExit(f"abi.json: defined twice: {sorted(twice)}")
        self.known = set(names) | {"char", "void"} | set(SCALARS)
        self.layouts = {}
        for enum in self.data["enums"]:
            values = [case[1] for case in enum["cases"]]
            if len(set(values)) != len(values):
                raise SystemExit(f"abi.json: enum {enum['name']} has a value twice")
            if 0 in values and not enum.get("bits") and enum["name"] != "result":
                raise SystemExit(f"abi.json: enum {enum['name']}: 0 must stay invalid")

    def c_type(self, kind):
        """C spelling of a type that is one parameter or one member."""
        const = "const " if kind.startswith("const ") else ""
        kind = kind.removeprefix("const ")
        stars = len(kind) - len(kind.lstrip("*"))
        name = kind.lstrip("*")
        if name not in self.known:
            raise SystemExit(f"abi.json: unknown type '{name}'")
        if not stars and name not in SCALARS:
            raise SystemExit(f"abi.json: '{name}' may only be pointed to")
        spelled = SCALARS[name][0] if name in SCALARS else name if name in ("char", "void") else f"{PREFIX}{name}_t"
        return const + spelled + (" " + "*" * stars if stars else " ")

    def expand(self, field):
        """The C members of a field: (declaration, size, name, doc)."""
        kind, name, doc = field
        if kind in SCALARS:
            size = SCALARS[kind][1]
            return [(f"{SCALARS[kind][0]} {name}", size, name, doc)]
        if kind in ("str", "bytes"):
            return [(f"{PREFIX}{'string' if kind == 'str' else 'bytes'}_t {name}", 16, name, doc)]
        if kind == "strs":
            return [(f"const {PREFIX}string_t *{name}", 8, name, doc), (f"uint64_t {name}_count", 8, f"{name}_count", "")]
        if kind.startswith("list "):
            element = kind.removeprefix("list ")
            return [(f"const {PREFIX}{element}_t *{name}", 8, name, doc), (f"uint64_t {name}_count", 8, f"{name}_count", ""),
                    (f"uint64_t {name}_stride", 8, f"{name}_stride", "bytes from one to the next")]
        if kind.startswith("fn "):
            return [(f"{PREFIX}{kind.removeprefix('fn ')}_fn {name}", 8, name, doc)]
        return [(f"{self.c_type(kind)}{name}", 8, name, doc)]

    def members(self, entry, kind):
        out = []
        if kind != "spans":
            out += [("uint32_t struct_size", 4, "struct_size", ""), ("uint32_t struct_version", 4, "struct_version", "")]
        if kind == "tables":
            for slot in entry["slots"]:
                out.append((self.slot_declaration(slot), 8, slot["name"],
                            f"{slot['need']}, since {slot.get('since', '0.1')}. {slot['doc']}".rstrip(". ")))
        else:
            for field in entry["fields"]:
                out += self.expand(field)
        offset, placed = 0, []
        for declaration, size, name, doc in out:
            if offset % min(size, 8):
                raise SystemExit(f"abi.json: {entry['name']}.{name}: implicit padding before it")
            placed.append((declaration, offset, name, doc))
            offset += size
        if offset % (8 if any(size >= 8 for _, size, _, _ in out) else 4):
            raise SystemExit(f"abi.json: {entry['name']}: implicit padding at its end")
        self.layouts[entry["name"]] = (offset, placed)
        return placed

    def parameters(self, params):
        out = []
        for kind, name in params:
            if kind in ("str", "bytes"):
                out += [f"const {'char' if kind == 'str' else 'void'} *{name}", f"uint64_t {name}_size"]
            else:
                out.append(self.c_type(kind) + name)
        return ", ".join(out)

    def slot_declaration(self, slot):
        returns = slot.get("returns", "i32")
        params = self.parameters(slot["params"])
        if returns == "void":
            return f"void (*{slot['name']})({params})"
        return f"int32_t (*{slot['name']})({params}, {PREFIX}error_t **error)"


def comment(text, indent=""):
    return f"{indent}/* {text} */\n" if text else ""


def version(pair):
    return (pair[0] << 16) | pair[1]


def header(abi):
    data, out = abi.data, []
    out.append(HEAD + """ *
 * The Tegula plugin ABI, generated from sdk/abi/abi.json. Self-contained C11 (and C++).
 *
 * A plugin is a shared library that exports one function, tegula_plugin_query. Everything else is reached through tables.
 *
 * Rules for the whole file
 *  - A struct starts with its size and version. The sender sets both; the receiver reads no further than struct_size and takes what
 *    is missing as zero. Results are written into structs of the caller, who sets struct_size to the room there is.
 *  - Reserved members are zero. Enumerations are uint32_t; a value that the receiver does not know means "unsupported".
 *  - Lists of structs have a stride: element i is at (const char *)list + i * stride.
 *  - Pointers are borrowed until the call returns, unless the member says otherwise. Who allocates frees.
 *  - Functions return a tegula_result_t as int32_t. Where it is not OK, *error (if `error` is not NULL) may be set to an error, which
 *    the caller destroys. Functions never throw, exit, print, or change the process (signals, locale, environment).
 *  - Calls on different contexts may run concurrently; calls on one context and what belongs to it are serialised by the host
 *    unless the plugin says TEGULA_PLUGIN_FLAGS_REENTRANT.
 */
#ifndef TEGULA_PLUGIN_H
#define TEGULA_PLUGIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define TEGULA_PLUGIN_EXPORT __declspec(dllexport)
#else
#define TEGULA_PLUGIN_EXPORT __attribute__((visibility("default")))
#endif

#define TEGULA_VERSION(major, minor) ((uint32_t)(((uint32_t)(major) << 16) | (uint32_t)(minor)))
#define TEGULA_VERSION_MAJOR(version) ((uint32_t)(version) >> 16)
#define TEGULA_VERSION_MINOR(version) ((uint32_t)(version) & 0xffffu)

/* Five version numbers; none follows from another. Until ABI 1.0 the ABI and KIR numbers must match exactly. */
""")
    for name, pair in data["versions"].items():
        if name == "reserved_for_tests":
            out.append(f"#define TEGULA_VERSION_RESERVED_FOR_TESTS_MAJOR {pair}u\n")
        else:
            out.append(f"#define TEGULA_{name.upper()}_VERSION TEGULA_VERSION({pair[0]}, {pair[1]})\n")
    out.append("\n/* Interfaces, for get_interface. */\n")
    for name, entry in data["interfaces"].items():
        out.append(f'#define TEGULA_INTERFACE_{name.upper()} "{entry["name"]}" /* {PREFIX}{entry["table"]}_t: {entry["doc"]} */\n')
    for enum in data["enums"]:
        out.append(f"\n/* {enum['doc']} Since {enum['since']}. */\n")
        out.append(f"typedef {'int32_t' if enum['name'] == 'result' else 'uint32_t'} {PREFIX}{enum['name']}_t;\n")
        for case, value, doc in enum["cases"]:
            constant = f"((int32_t){value})" if enum["name"] == "result" else f"{value}u"
            out.append(f"#define TEGULA_{enum['name'].upper()}_{case} {constant}{' /* ' + doc + ' */' if doc else ''}\n")
    out.append("\n")
    for name, doc in data["handles"].items():
        out.append(f"typedef struct {PREFIX}{name} {PREFIX}{name}_t; /* {doc} */\n")
    out.append("\n")
    for kind in ("spans", "structs", "tables"):
        for entry in data[kind]:
            out.append(f"typedef struct {PREFIX}{entry['name']} {PREFIX}{entry['name']}_t;\n")
    out.append("\n")
    for call in data["callbacks"]:
        returns = "void " if call["returns"] == "void" else abi.c_type(call["returns"])
        out.append(comment(call["doc"]))
        out.append(f"typedef {returns}(*{PREFIX}{call['name']}_fn)({abi.parameters(call['params'])});\n")
    for kind in ("spans", "structs", "tables"):
        for entry in data[kind]:
            out.append(f"\n/* {entry['doc']} */\nstruct {PREFIX}{entry['name']} {{\n")
            for declaration, _, _, doc in abi.members(entry, kind):
                out.append(f"  {declaration};{' /* ' + doc + ' */' if doc else ''}\n")
            out.append("};\n")
    out.append("""
/* The plugin's one exported function. Fills `plugin` as far as its struct_size goes and returns TEGULA_RESULT_OK; a plugin that cannot
 * work with this host still fills it and returns TEGULA_RESULT_INCOMPATIBLE, so that the host can name both ranges. Opens no device,
 * starts no thread. */
TEGULA_PLUGIN_EXPORT int32_t tegula_plugin_query(const tegula_host_info_t *host, tegula_plugin_info_t *plugin);
typedef int32_t (*tegula_plugin_query_fn)(const tegula_host_info_t *host, tegula_plugin_info_t *plugin);
#define TEGULA_PLUGIN_QUERY_SYMBOL "tegula_plugin_query"

#ifdef __cplusplus
}
#endif

#endif /* TEGULA_PLUGIN_H */
""")
    return "".join(out)


def asserts(abi):
    out = [HEAD + " *\n * Sizes and offsets of ABI " + ".".join(map(str, abi.data["versions"]["abi"])) + """, computed from abi.json and not from the header.
 */
#include "tegula/plugin.h"

#include <stddef.h>

#ifdef __cplusplus
#define TEGULA_CHECK(what) static_assert(what, #what)
#else
#define TEGULA_CHECK(what) _Static_assert(what, #what)
#endif

TEGULA_CHECK(sizeof(void *) == 8);
"""]
    for name, (size, members) in abi.layouts.items():
        out.append(f"TEGULA_CHECK(sizeof({PREFIX}{name}_t) == {size});\n")
        for _, offset, member, _ in members:
            out.append(f"TEGULA_CHECK(offsetof({PREFIX}{name}_t, {member}) == {offset});\n")
    for enum in abi.data["enums"]:
        out.append(f"TEGULA_CHECK(sizeof({PREFIX}{enum['name']}_t) == 4);\n")
    return "".join(out)


def slots(abi):
    out = [HEAD + """ *
 * Slots of the function tables, for the loader: which must be there from which version on. Ordered by offset.
 */
#ifndef TEGULA_PLUGIN_SLOTS_H
#define TEGULA_PLUGIN_SLOTS_H

#include "tegula/plugin.h"

typedef struct tegula_slot {
  const char *name;
  uint32_t offset;
  uint32_t since;     /* version of the interface */
  uint32_t mandatory; /* 1: may not be NULL */
  uint32_t reserved0;
} tegula_slot_t;

"""]
    for table in abi.data["tables"]:
        _, members = abi.layouts[table["name"]]
        offsets = {member: offset for _, offset, member, _ in members}
        out.append(f"static const tegula_slot_t {PREFIX}{table['name']}_slots[] = {{\n")
        for slot in table["slots"]:
            major, minor = slot.get("since", "0.1").split(".")
            out.append(f'    {{"{slot["name"]}", {offsets[slot["name"]]}u, TEGULA_VERSION({major}, {minor}), {int(slot["need"] == "mandatory")}u, 0u}},\n')
        out.append("};\n")
    out.append("\n#endif /* TEGULA_PLUGIN_SLOTS_H */\n")
    return "".join(out)


def page(abi):
    data = abi.data
    out = ["# Plugin ABI " + ".".join(map(str, data["versions"]["abi"])) + "\n\nGenerated from `sdk/abi/abi.json`. Rules: the head of `tegula/plugin.h`.\n\n## Interfaces\n\n"]
    for name, entry in data["interfaces"].items():
        out.append(f"* `{entry['name']}`: table `{PREFIX}{entry['table']}_t`; {entry['doc']}\n")
    out.append("\n## Enumerations\n")
    for enum in data["enums"]:
        out.append(f"\n### {PREFIX}{enum['name']}_t\n\n{enum['doc']} Since {enum['since']}.\n\n| name | value | meaning |\n| --- | --- | --- |\n")
        for case, value, doc in enum["cases"]:
            out.append(f"| `TEGULA_{enum['name'].upper()}_{case}` | {value} | {doc} |\n")
    for title, kind in (("Structs", "spans"), ("", "structs"), ("Tables", "tables")):
        if title:
            out.append(f"\n## {title}\n")
        for entry in data[kind]:
            size, members = abi.layouts[entry["name"]]
            out.append(f"\n### {PREFIX}{entry['name']}_t\n\n{entry['doc']} {size} bytes.\n\n| offset | member | meaning |\n| --- | --- | --- |\n")
            for declaration, offset, _, doc in members:
                out.append(f"| {offset} | `{declaration}` | {doc} |\n")
    out.append("\n## Callbacks\n\n")
    for call in data["callbacks"]:
        out.append(f"* `{PREFIX}{call['name']}_fn({abi.parameters(call['params'])})`: {call['doc']}\n")
    return "".join(out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("description")
    makers = {"header": header, "asserts": asserts, "slots": slots, "doc": page}
    for name in makers:
        parser.add_argument("--" + name)
    args = parser.parse_args()
    abi = Abi(pathlib.Path(args.description).read_text(encoding="utf-8"))
    texts = {"header": header(abi)}  # places the members, which the others need
    for name, make in makers.items():
        target = getattr(args, name)
        if target:
            path = pathlib.Path(target)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(texts.get(name) or make(abi), encoding="utf-8")


if __name__ == "__main__":
    main()
