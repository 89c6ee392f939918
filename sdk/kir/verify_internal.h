/* SPDX-FileCopyrightText: The Tegula authors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Shared by the verifier's files: the state of a check and questions about types.
 */
#ifndef TEGULA_KIR_VERIFY_INTERNAL_H
#define TEGULA_KIR_VERIFY_INTERNAL_H

#include "kir_instructions.h"
#include "sdk/kir/tables.h"

typedef struct checker {
  const tegula_kir_module_t *module;
  tegula_kir_error_t *error;
  const tegula_kir_inst_t *inst;
  const char *name; /* of the instruction */
} checker_t;

/* Reports and gives the code; all checks return 0 or a code. */
#define BAD(C, CODE, ...) tegula_kir_fail((C)->error, CODE, (C)->inst->word, (C)->inst->opcode, __VA_ARGS__)
#define BAD_TYPE(C, WHAT) BAD(C, TEGULA_KIR_ERROR_TYPE, "%s: %s", (C)->name, WHAT)
#define REQUIRE(C, CONDITION, WHAT)                                                                                                                  \
  do {                                                                                                                                               \
    if (!(CONDITION))                                                                                                                                \
      return BAD_TYPE(C, WHAT);                                                                                                                      \
  } while (0)

typedef const tegula_kir_type_t *type_t;

static inline type_t type_of(const checker_t *c, uint32_t value) { return tegula_kir_value_type(c->module, value); }
static inline type_t type_by_id(const checker_t *c, uint32_t id) { return tegula_kir_get_type(c->module, id); }
/* The scalar type of a tensor's elements, or the type itself. */
static inline type_t element_of(const checker_t *c, type_t t) { return t->kind == TEGULA_KIR_TYPE_TENSOR ? type_by_id(c, t->element) : t; }
static inline int is_int(type_t t) { return t->kind == TEGULA_KIR_TYPE_INT; }
static inline int is_bool(type_t t) { return t->kind == TEGULA_KIR_TYPE_INT && t->width == 1; }
static inline int is_float(type_t t) { return t->kind == TEGULA_KIR_TYPE_FLOAT; }
static inline int is_pointer(type_t t) { return t->kind == TEGULA_KIR_TYPE_POINTER; }
static inline int is_tensor(type_t t) { return t->kind == TEGULA_KIR_TYPE_TENSOR; }
/* Equal as types, whatever their ids. */
int tegula_kir_same_type(const tegula_kir_module_t *module, type_t a, type_t b);
/* Both scalars, or tensors of one shape. */
int tegula_kir_same_shape(type_t a, type_t b);

/* Types of one instruction of class op; control instructions are verify.c's own. */
int32_t tegula_kir_verify_elementwise(checker_t *c);
int32_t tegula_kir_verify_shape(checker_t *c);
int32_t tegula_kir_verify_memory(checker_t *c);
int32_t tegula_kir_verify_collective(checker_t *c);

#endif
