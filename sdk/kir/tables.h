/* SPDX-FileCopyrightText: The Tegula authors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The tables that generate.py makes from the grammar, and how reader, writer and text form walk an instruction by them.
 */
#ifndef TEGULA_KIR_TABLES_H
#define TEGULA_KIR_TABLES_H

#include "sdk/kir/kir.h"

enum {
  TEGULA_KIR_FIELD_ID, TEGULA_KIR_FIELD_OPTIONAL_ID, TEGULA_KIR_FIELD_IDS, TEGULA_KIR_FIELD_U32, TEGULA_KIR_FIELD_I32, TEGULA_KIR_FIELD_U64,
  TEGULA_KIR_FIELD_U32S, TEGULA_KIR_FIELD_U64S, TEGULA_KIR_FIELD_STRING, TEGULA_KIR_FIELD_ENUM, TEGULA_KIR_FIELD_NEW_ID, TEGULA_KIR_FIELD_NEW_IDS
};
enum {
  TEGULA_KIR_ROLE_ANY,
  TEGULA_KIR_ROLE_VALUE,
  TEGULA_KIR_ROLE_TYPE,
  TEGULA_KIR_ROLE_FUNCTION,
  TEGULA_KIR_ROLE_DEBUG_STRING,
  TEGULA_KIR_ROLE_DEBUG_LOC
};
enum {
  TEGULA_KIR_CLASS_DEBUG,
  TEGULA_KIR_CLASS_MODULE,
  TEGULA_KIR_CLASS_TYPE,
  TEGULA_KIR_CLASS_FUNCTION,
  TEGULA_KIR_CLASS_CONTROL,
  TEGULA_KIR_CLASS_OP
};
enum {
  TEGULA_KIR_TRAIT_SKIPPABLE = 1, TEGULA_KIR_TRAIT_TERMINATOR = 2, TEGULA_KIR_TRAIT_REGION_BEGIN = 4, TEGULA_KIR_TRAIT_REGION_ELSE = 8,
  TEGULA_KIR_TRAIT_REGION_END = 16, TEGULA_KIR_TRAIT_PURE = 32, TEGULA_KIR_TRAIT_ELEMENTWISE = 64, TEGULA_KIR_TRAIT_INTEGER = 128,
  TEGULA_KIR_TRAIT_FLOAT = 256, TEGULA_KIR_TRAIT_SHAPE = 512, TEGULA_KIR_TRAIT_READS = 1024, TEGULA_KIR_TRAIT_WRITES = 2048,
  TEGULA_KIR_TRAIT_EFFECT = 4096, TEGULA_KIR_TRAIT_PURE_IF_CALLEE = 8192
};

typedef struct tegula_kir_enum_case { const char *name; uint32_t value, since; } tegula_kir_enum_case_t;
typedef struct tegula_kir_enum_info { const char *name; const tegula_kir_enum_case_t *cases; uint32_t case_count; } tegula_kir_enum_info_t;
typedef struct tegula_kir_field_info { const char *name; uint32_t kind, role, enumeration, since; } tegula_kir_field_info_t;
typedef struct tegula_kir_inst_info {
  const char *name;
  uint32_t opcode, inst_class;
  int32_t results;  /* -1: any number, counted */
  int32_t typed;    /* results are (type, id) pairs */
  const tegula_kir_field_info_t *fields;
  uint32_t field_count, traits;
  int32_t tile_only;
  uint32_t since; /* major << 16 | minor, as in the header */
} tegula_kir_inst_info_t;

enum { TEGULA_KIR_MAX_FIELDS = 12 };

extern const tegula_kir_enum_info_t tegula_kir_enums[];
extern const tegula_kir_inst_info_t tegula_kir_insts[];
extern const uint32_t tegula_kir_inst_count;

/* The table entry of an opcode, or null. */
const tegula_kir_inst_info_t *tegula_kir_find_inst(uint32_t opcode);
/* Splits the words of one instruction into results and fields. Null, or what is wrong. Trailing fields of a later version than
 * the instruction's may be missing (older writers): they read as 0, or as an empty list. */
const char *tegula_kir_split(const tegula_kir_inst_info_t *info, const uint32_t *words, uint32_t word_count, const uint32_t **results,
                             uint32_t *result_count, tegula_kir_field_t *fields);
int32_t tegula_kir_fail(tegula_kir_error_t *error, int32_t code, uint32_t word, uint32_t opcode, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void *tegula_kir_allocate(const tegula_kir_allocator_t *allocator, size_t size);
void tegula_kir_release(const tegula_kir_allocator_t *allocator, void *pointer, size_t size);
/* The allocator a module was read with. */
const tegula_kir_allocator_t *tegula_kir_module_allocator(const tegula_kir_module_t *module);

#endif
