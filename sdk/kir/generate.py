#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates from grammar.json what is tabular in KIR: opcodes and enums, instruction tables, decode and emit functions, the reference page.

    generate.py GRAMMAR OUT_FOLDER      writes kir_opcodes.h, kir_instructions.h, kir_instructions.c, kir_emit.h, kir_emit.c, kir-reference.md
"""
import json
import pathlib
import sys

HEAD = """/* Generated from sdk/kir/grammar.json by sdk/kir/generate.py. */
"""
#: How each field kind lies in the words, and its C types when decoded and emitted.
#: kind -> (table constant, decoded member declarations, emit parameters)
KINDS = {
    "value": ("ID", "uint32_t {n};", "uint32_t {n}"),
    "type": ("ID", "uint32_t {n};", "uint32_t {n}"),
    "function": ("ID", "uint32_t {n};", "uint32_t {n}"),
    "any_id": ("ID", "uint32_t {n};", "uint32_t {n}"),
    "debug_string": ("ID", "uint32_t {n};", "uint32_t {n}"),
    "debug_loc": ("ID", "uint32_t {n};", "uint32_t {n}"),
    "optional_value": ("OPTIONAL_ID", "uint32_t {n};", "uint32_t {n}"),
    "id_or_zero": ("OPTIONAL_ID", "uint32_t {n};", "uint32_t {n}"),
    "values": ("IDS", "const uint32_t *{n}; uint32_t {n}_count;", "const uint32_t *{n}, uint32_t {n}_count"),
    "types": ("IDS", "const uint32_t *{n}; uint32_t {n}_count;", "const uint32_t *{n}, uint32_t {n}_count"),
    "u32": ("U32", "uint32_t {n};", "uint32_t {n}"),
    "i32": ("I32", "int32_t {n};", "int32_t {n}"),
    "u64": ("U64", "uint64_t {n};", "uint64_t {n}"),
    "u32s": ("U32S", "const uint32_t *{n}; uint32_t {n}_count;", "const uint32_t *{n}, uint32_t {n}_count"),
    "u64s": ("U64S", "const uint32_t *{n}; uint32_t {n}_count;", "const uint64_t *{n}, uint32_t {n}_count"),
    "string": ("STRING", "const char *{n}; uint32_t {n}_length;", "const char *{n}, uint32_t {n}_length"),
    "enum": ("ENUM", "uint32_t {n};", "uint32_t {n}"),
    "new_id": ("NEW_ID", "uint32_t {n}_type; uint32_t {n};", "uint32_t {n}_type, uint32_t {n}"),
    "new_ids": ("NEW_IDS", "const uint32_t *{n}; uint32_t {n}_count;", "const uint32_t *{n}, uint32_t {n}_count"),
}
#: Names that C++ reserves.
RENAME = {"volatile": "is_volatile", "signed": "is_signed", "unsigned": "is_unsigned"}


def c_name(name):
    return name.replace(".", "_")


def field_name(name):
    return RENAME.get(name, name)


def base_kind(field):
    return field["kind"].split(":")[0]


def fields(inst):
    return inst["operands"] + inst["attributes"]


def version(since):
    major, minor = since.split(".")
    return f"{int(major) << 16 | int(minor)}u"


def field_since(inst, field):
    """Fields of later versions than their instruction come last and may be missing in files; a new id cannot be one of them."""
    return version(field.get("since", inst["since"]))


def has_typed_results(inst):
    return inst["class"] in ("op", "control") or inst["name"] == "func.param"


def opcodes_header(g):
    out = [HEAD, "#ifndef TEGULA_KIR_OPCODES_H\n#define TEGULA_KIR_OPCODES_H\n"]
    out.append(f"#define TEGULA_KIR_MAGIC {g['magic']}u\n#define TEGULA_KIR_VERSION_MAJOR {g['version'][0]}u\n#define TEGULA_KIR_VERSION_MINOR {g['version'][1]}u\n")
    for name, value in g["limits"].items():
        out.append(f"#define TEGULA_KIR_LIMIT_{name.upper()} {value}u\n")
    for name, value in g["skippable_opcodes"].items():
        out.append(f"#define TEGULA_KIR_SKIPPABLE_{name.upper()} {value}u\n")
    out.append("\nenum {\n")
    for level in g["levels"]:
        out.append(f"  TEGULA_KIR_LEVEL_{level['name'].upper()} = {level['value']},\n")
    out.append("};\n\n/* Opcodes. */\nenum {\n")
    for inst in g["instructions"]:
        out.append(f"  TEGULA_KIR_OP_{c_name(inst['name']).upper()} = {inst['opcode']}, /* {inst['doc']} */\n")
    out.append("};\n")
    for e in g["enums"]:
        out.append(f"\n/* {e['name']} */\nenum {{\n")
        for case in e["cases"]:
            out.append(f"  TEGULA_KIR_{e['name'].upper()}_{case['name'].upper()} = {case['value']},{' /* ' + case['doc'] + ' */' if case.get('doc') else ''}\n")
        out.append("};\n")
    out.append("\n#endif\n")
    return "".join(out)


def instructions_header(g):
    out = [HEAD, "#ifndef TEGULA_KIR_INSTRUCTIONS_H\n#define TEGULA_KIR_INSTRUCTIONS_H\n", '#include "sdk/kir/kir.h"\n\n#ifdef __cplusplus\nextern "C" {\n#endif\n']
    for inst in g["instructions"]:
        name = c_name(inst["name"])
        out.append(f"\n/* {inst['name']}: {inst['doc']} */\ntypedef struct tegula_kir_{name} {{\n  const uint32_t *results; /* (type, id) pairs */\n  uint32_t result_count;\n")
        for f in fields(inst):
            out.append("  " + KINDS[base_kind(f)][1].format(n=field_name(f["name"])) + "\n")
        out.append(f"}} tegula_kir_{name}_t;\nvoid tegula_kir_decode_{name}(const tegula_kir_module_t *module, const tegula_kir_inst_t *inst, tegula_kir_{name}_t *out);\n")
    out.append("\n#ifdef __cplusplus\n}\n#endif\n#endif\n")
    return "".join(out)


def decode_field(f, index):
    n, kind = field_name(f["name"]), KINDS[base_kind(f)][0]
    s = f"fields[{index}]"
    if kind in ("ID", "OPTIONAL_ID", "U32", "ENUM"):
        return f"  out->{n} = {s}.count ? *{s}.words : 0;\n"
    if kind == "I32":
        return f"  out->{n} = {s}.count ? (int32_t)*{s}.words : 0;\n"
    if kind == "U64":
        return f"  out->{n} = {s}.count ? {s}.words[0] | (uint64_t){s}.words[1] << 32 : 0;\n"
    if kind == "STRING":
        return f"  out->{n} = (const char *){s}.words;\n  out->{n}_length = {s}.count;\n"
    if kind == "NEW_ID":
        return f"  out->{n}_type = {s}.words[0];\n  out->{n} = {s}.words[1];\n"
    return f"  out->{n} = {s}.words;\n  out->{n}_count = {s}.count;\n"


def instructions_source(g):
    enums = {e["name"]: i for i, e in enumerate(g["enums"])}
    out = [HEAD, '#include "kir_instructions.h"\n#include "sdk/kir/tables.h"\n\n']
    for e in g["enums"]:
        out.append(f"static const tegula_kir_enum_case_t cases_{e['name']}[] = {{\n")
        for case in e["cases"]:
            out.append(f"  {{\"{case['name']}\", {case['value']}u, {version(case['since'])}}},\n")
        out.append("};\n")
    out.append("const tegula_kir_enum_info_t tegula_kir_enums[] = {\n")
    for e in g["enums"]:
        out.append(f"  {{\"{e['name']}\", cases_{e['name']}, {len(e['cases'])}u}},\n")
    out.append("  {0, 0, 0},\n};\n\n")
    for inst in g["instructions"]:
        if fields(inst):
            out.append(f"static const tegula_kir_field_info_t fields_{c_name(inst['name'])}[] = {{\n")
            for f in fields(inst):
                kind = f["kind"].split(":")
                e = enums[kind[1]] if kind[0] == "enum" else 0
                role = {"type": "TYPE", "types": "TYPE", "function": "FUNCTION", "value": "VALUE", "values": "VALUE", "optional_value": "VALUE",
                        "debug_string": "DEBUG_STRING", "debug_loc": "DEBUG_LOC", "id_or_zero": "DEBUG_LOC"}.get(kind[0], "ANY")
                out.append(f"  {{\"{f['name']}\", TEGULA_KIR_FIELD_{KINDS[kind[0]][0]}, TEGULA_KIR_ROLE_{role}, {e}u, {field_since(inst, f)}}},\n")
            out.append("};\n")
    out.append("const tegula_kir_inst_info_t tegula_kir_insts[] = {\n")
    for inst in g["instructions"]:
        n = len(fields(inst))
        traits = " | ".join(["0"] + [f"TEGULA_KIR_TRAIT_{t.upper()}" for t in inst["traits"] if t != "typed_result"])
        out.append(f"  {{\"{inst['name']}\", {inst['opcode']}u, TEGULA_KIR_CLASS_{inst['class'].upper()}, {inst['results']}, {int(has_typed_results(inst))}, "
                   f"{'fields_' + c_name(inst['name']) if n else '0'}, {n}u, {traits}, {int(inst['level'] == 'tile')}, {version(inst['since'])}}},\n")
    out.append(f"}};\nconst uint32_t tegula_kir_inst_count = {len(g['instructions'])}u;\n")
    for inst in g["instructions"]:
        name = c_name(inst["name"])
        n = len(fields(inst))
        out.append(f"\nvoid tegula_kir_decode_{name}(const tegula_kir_module_t *module, const tegula_kir_inst_t *inst, tegula_kir_{name}_t *out) {{\n"
                   f"  tegula_kir_field_t fields[{max(n, 1)}];\n  tegula_kir_inst_fields(module, inst, &out->results, &out->result_count, fields);\n")
        for i, f in enumerate(fields(inst)):
            out.append(decode_field(f, i))
        out.append("}\n")
    return "".join(out)


def emit_signature(inst):
    params = ["tegula_kir_writer_t *writer"]
    results = inst["results"]
    if has_typed_results(inst):
        if results == 1:
            params.append("uint32_t result_type")
        elif results == 2:
            params += ["uint32_t result_type0", "uint32_t result_type1", "uint32_t *results"]
        elif results == -1:
            params += ["const uint32_t *result_types", "uint32_t result_count", "uint32_t *results"]
    params += [KINDS[base_kind(f)][2].format(n=field_name(f["name"])) for f in fields(inst)]
    ret = "uint32_t" if results == 1 else "void"
    return f"{ret} tegula_kir_emit_{c_name(inst['name'])}({', '.join(params)})"


def emit_header(g):
    out = [HEAD, "#ifndef TEGULA_KIR_EMIT_H\n#define TEGULA_KIR_EMIT_H\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
           "typedef struct tegula_kir_writer tegula_kir_writer_t;\n"
           "/* Each appends one instruction; a single result's new id is returned, several are stored to `results`. */\n"]
    out += [emit_signature(inst) + ";\n" for inst in g["instructions"]]
    out.append("\n#ifdef __cplusplus\n}\n#endif\n#endif\n")
    return "".join(out)


def emit_source(g):
    out = [HEAD, '#include "sdk/kir/writer.h"\n#include "sdk/kir/writer_internal.h"\n']
    for inst in g["instructions"]:
        out.append("\n" + emit_signature(inst) + " {\n")
        out.append(f"  tegula_kir_begin(writer, {inst['opcode']}u);\n")
        results = inst["results"]
        typed = has_typed_results(inst)
        if results == 1:
            out.append("  uint32_t id = tegula_kir_writer_new_id(writer);\n")
            if typed:
                out.append("  tegula_kir_word(writer, result_type);\n")
            out.append("  tegula_kir_word(writer, id);\n")
        elif results == 2:
            for i in (0, 1):
                out.append(f"  results[{i}] = tegula_kir_writer_new_id(writer);\n  tegula_kir_word(writer, result_type{i});\n  tegula_kir_word(writer, results[{i}]);\n")
        elif results == -1:
            out.append("  tegula_kir_word(writer, result_count);\n  for (uint32_t i = 0; i < result_count; ++i) {\n    results[i] = tegula_kir_writer_new_id(writer);\n"
                       "    tegula_kir_word(writer, result_types[i]);\n    tegula_kir_word(writer, results[i]);\n  }\n")
        for f in fields(inst):
            n, kind = field_name(f["name"]), KINDS[base_kind(f)][0]
            if kind in ("ID", "OPTIONAL_ID", "U32", "ENUM"):
                out.append(f"  tegula_kir_word(writer, {n});\n")
            elif kind == "I32":
                out.append(f"  tegula_kir_word(writer, (uint32_t){n});\n")
            elif kind == "U64":
                out.append(f"  tegula_kir_word(writer, (uint32_t){n});\n  tegula_kir_word(writer, (uint32_t)({n} >> 32));\n")
            elif kind == "STRING":
                out.append(f"  tegula_kir_string(writer, {n}, {n}_length);\n")
            elif kind == "NEW_ID":
                out.append(f"  tegula_kir_word(writer, {n}_type);\n  tegula_kir_word(writer, {n});\n")
            elif kind == "NEW_IDS":
                out.append(f"  tegula_kir_words(writer, {n}, {n}_count, 2);\n")
            elif kind == "U64S":
                out.append(f"  tegula_kir_word(writer, {n}_count);\n  for (uint32_t i = 0; i < {n}_count; ++i) {{\n    tegula_kir_word(writer, (uint32_t){n}[i]);\n    tegula_kir_word(writer, (uint32_t)({n}[i] >> 32));\n  }}\n")
            else:
                out.append(f"  tegula_kir_words(writer, {n}, {n}_count, 1);\n")
        out.append("  tegula_kir_end(writer);\n" + ("  return id;\n" if results == 1 else "") + "}\n")
    return "".join(out)


def reference(g):
    out = ["# KIR reference\n\nGenerated from `sdk/kir/grammar.json`. How the format works: `sdk/kir/README.md`.\n\n## Instructions\n"]
    for inst in g["instructions"]:
        out.append(f"\n### {inst['name']}\n\nOpcode {inst['opcode']}, since {inst['since']}, level {inst['level']}. {inst['doc']}\n")
        if inst["results"]:
            out.append(f"\nResults: {'any number' if inst['results'] < 0 else inst['results']}.\n")
        if fields(inst):
            out.append("\n| field | kind |\n| --- | --- |\n" + "".join(f"| {f['name']} | {f['kind']} |\n" for f in fields(inst)))
    out.append("\n## Enumerations\n")
    for e in g["enums"]:
        out.append(f"\n### {e['name']}\n\n| case | value | since | meaning |\n| --- | --- | --- | --- |\n")
        out += [f"| {c['name']} | {c['value']} | {c['since']} | {c.get('doc', '')} |\n" for c in e["cases"]]
    return "".join(out)


def main():
    g = json.loads(pathlib.Path(sys.argv[1]).read_text())
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("kir_opcodes.h", opcodes_header(g)), ("kir_instructions.h", instructions_header(g)), ("kir_instructions.c", instructions_source(g)),
                       ("kir_emit.h", emit_header(g)), ("kir_emit.c", emit_source(g)), ("kir-reference.md", reference(g))):
        path = folder / name
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


if __name__ == "__main__":
    main()
