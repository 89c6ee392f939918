/* SPDX-FileCopyrightText: The Tegula authors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reading KIR: bytes to an immutable module, checks, access. Plain C11, no dependency. How the format works is in README.md; what each
 * instruction has and means is in grammar.json, from which kir_opcodes.h and kir_instructions.h (decoders) are generated.
 */
#ifndef TEGULA_KIR_H
#define TEGULA_KIR_H

#include "kir_opcodes.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where memory comes from. Zeroed, or null fields: malloc and free. `free` gets the size that was asked for. */
typedef struct tegula_kir_allocator {
  void *(*allocate)(void *user, size_t size);
  void (*free)(void *user, void *pointer, size_t size);
  void *user;
} tegula_kir_allocator_t;

/* K1xxx codes. */
enum {
  TEGULA_KIR_OK = 0,
  TEGULA_KIR_ERROR_MEMORY = 1001,      /* no memory */
  TEGULA_KIR_ERROR_TRUNCATED = 1002,   /* the file ends inside an instruction, or is no multiple of four bytes */
  TEGULA_KIR_ERROR_MAGIC = 1003,       /* no KIR file */
  TEGULA_KIR_ERROR_VERSION = 1004,     /* a version that this reader does not accept */
  TEGULA_KIR_ERROR_LIMIT = 1005,       /* a hard limit is exceeded */
  TEGULA_KIR_ERROR_OPCODE = 1006,      /* unknown instruction */
  TEGULA_KIR_ERROR_FORM = 1007,        /* words of an instruction do not fit its fields */
  TEGULA_KIR_ERROR_ID = 1008,          /* an id is out of range, undefined, defined twice, or of another kind */
  TEGULA_KIR_ERROR_ENUM = 1009,        /* an enumeration value that this reader does not know: unsupported */
  TEGULA_KIR_ERROR_STRUCTURE = 1010,   /* functions, regions and their ends do not match */
  TEGULA_KIR_ERROR_TYPE = 1011,        /* types of an instruction do not agree */
  TEGULA_KIR_ERROR_DOMINANCE = 1012,   /* a value is used where it is not defined */
  TEGULA_KIR_ERROR_RECURSION = 1013,   /* functions call each other in a circle */
  TEGULA_KIR_ERROR_TEXT = 1014         /* the text form is wrong; `line` and `column` say where */
};

typedef struct tegula_kir_error {
  int32_t code;
  uint32_t word;    /* offset of the instruction in words; 0 where none is concerned */
  uint32_t opcode;
  uint32_t line;    /* text form only, from 1 */
  uint32_t column;
  char message[192]; /* one line, ends with 0 */
} tegula_kir_error_t;

enum { TEGULA_KIR_TYPE_INT = 1, TEGULA_KIR_TYPE_FLOAT, TEGULA_KIR_TYPE_POINTER, TEGULA_KIR_TYPE_TENSOR, TEGULA_KIR_TYPE_FUNCTION };

/* A type. Spans point into the module's words. */
typedef struct tegula_kir_type {
  uint32_t kind;
  uint32_t id;
  uint32_t width;          /* INT: bits; FLOAT: bits of the format; POINTER: 64 */
  uint32_t format;         /* FLOAT: enum float_format */
  uint32_t element;        /* POINTER, TENSOR: type id */
  uint32_t space;          /* POINTER */
  uint32_t rank;           /* TENSOR */
  uint32_t element_count;  /* TENSOR */
  const uint32_t *shape;   /* TENSOR: rank sizes */
  const uint32_t *params;  /* FUNCTION: type ids */
  uint32_t param_count;
  const uint32_t *results; /* FUNCTION: type ids */
  uint32_t result_count;
} tegula_kir_type_t;

typedef struct tegula_kir_inst {
  uint32_t opcode;
  uint32_t word;       /* offset of its first word */
  uint32_t word_count;
  uint32_t loc;        /* id of a debug.loc, or 0 */
  uint32_t match;      /* cf.if: its cf.else, else its cf.end; cf.while: its cf.do; cf.for, cf.else, cf.do: cf.end; cf.end: what it ends */
  uint32_t end;        /* cf.if, cf.for, cf.while: its cf.end */
} tegula_kir_inst_t;

typedef struct tegula_kir_param {
  uint32_t id, type;
  const char *name; /* not terminated */
  uint32_t name_length;
  uint64_t divisibility;
  uint32_t flags;
} tegula_kir_param_t;

typedef struct tegula_kir_function {
  uint32_t id, type;
  const char *name; /* not terminated */
  uint32_t name_length;
  uint32_t flags;             /* enum function_flags, or-ed */
  const tegula_kir_param_t *params;
  uint32_t param_count;
  uint32_t first, last;       /* its body: instructions [first, last), after the parameters and before func.end */
} tegula_kir_function_t;

enum { TEGULA_KIR_ID_NONE = 0, TEGULA_KIR_ID_TYPE, TEGULA_KIR_ID_VALUE, TEGULA_KIR_ID_FUNCTION, TEGULA_KIR_ID_STRING, TEGULA_KIR_ID_LOC };

/* What an id stands for. */
typedef struct tegula_kir_id {
  uint32_t kind;
  uint32_t index; /* TYPE: in types; FUNCTION: in functions; VALUE: its type's id; STRING, LOC: in insts */
  uint32_t inst;  /* the instruction that defines it */
} tegula_kir_id_t;

/* A module. Read-only; every pointer lives as long as the module. */
typedef struct tegula_kir_module {
  const uint32_t *words;
  uint32_t word_count;
  uint32_t version, level, id_bound;
  const tegula_kir_id_t *ids; /* id_bound entries */
  const tegula_kir_type_t *types;
  uint32_t type_count;
  const tegula_kir_function_t *functions;
  uint32_t function_count;
  const tegula_kir_inst_t *insts;
  uint32_t inst_count;
  uint32_t num_warps, num_stages, num_ctas, max_registers; /* module.launch; 0 where it says nothing */
} tegula_kir_module_t;

/* Decodes `size` bytes. The bytes are copied. Everything is checked that later access relies on (forms, ids, structure), with hard limits before
 * any allocation; types and dominance are tegula_kir_verify's. Returns TEGULA_KIR_OK or the code that `error` holds; `*out` is null then. */
int32_t tegula_kir_read(const void *bytes, size_t size, const tegula_kir_allocator_t *allocator, tegula_kir_module_t **out,
                        tegula_kir_error_t *error);
void tegula_kir_free(tegula_kir_module_t *module);

/* Checks types, shapes, dominance, terminators, calls and levels. TEGULA_KIR_OK or the code that `error` holds. */
int32_t tegula_kir_verify(const tegula_kir_module_t *module, tegula_kir_error_t *error);

/* The type with this id (must be one). */
const tegula_kir_type_t *tegula_kir_get_type(const tegula_kir_module_t *module, uint32_t id);
/* The type of a value. */
const tegula_kir_type_t *tegula_kir_value_type(const tegula_kir_module_t *module, uint32_t value);
const tegula_kir_function_t *tegula_kir_get_function(const tegula_kir_module_t *module, uint32_t id);
/* Name of an opcode ("load"), or "?". */
const char *tegula_kir_opcode_name(uint32_t opcode);
/* Name of an enumeration's value, or null. `enumeration` is its name in the grammar. */
const char *tegula_kir_enum_name(const char *enumeration, uint32_t value);
/* Bits of a float format; 0 where it is none. */
uint32_t tegula_kir_float_bits(uint32_t format);

/* A source place; `file` is not terminated; inlined_at is the id of the caller's place or 0. False where `loc` is no debug.loc. */
typedef struct tegula_kir_place {
  const char *file;
  uint32_t file_length, line, column, end_column, inlined_at;
} tegula_kir_place_t;
int tegula_kir_get_place(const tegula_kir_module_t *module, uint32_t loc, tegula_kir_place_t *out);

/* ---- text form ---- */

/* Prints the module, one instruction a line; parsing gives the same bytes again. The text is allocated with the module's allocator, ends with 0,
 * and is freed with tegula_kir_free_text. Null without memory. */
char *tegula_kir_print(const tegula_kir_module_t *module, size_t *length);
void tegula_kir_free_text(const tegula_kir_module_t *module, char *text, size_t length);
/* Parses the text form to bytes (allocated with `allocator`, size in `*size`). */
int32_t tegula_kir_parse(const char *text, size_t length, const tegula_kir_allocator_t *allocator, uint8_t **bytes, size_t *size,
                         tegula_kir_error_t *error);

/* ---- for the generated decoders ---- */

/* One field of an instruction: its words, and how many (strings: bytes; 64-bit lists: items; (type, id) lists: pairs). */
typedef struct tegula_kir_field {
  const uint32_t *words;
  uint32_t count;
} tegula_kir_field_t;
void tegula_kir_inst_fields(const tegula_kir_module_t *module, const tegula_kir_inst_t *inst, const uint32_t **results, uint32_t *result_count,
                            tegula_kir_field_t *fields);

#ifdef __cplusplus
}
#endif
#endif
