/* SPDX-FileCopyrightText: The Tegula authors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Writing KIR. The emit functions (kir_emit.h, generated) append instructions in the order they are called; types, strings and places are made
 * unique and go into a section of their own before them. After a failure (no memory, an instruction longer than its length field, a limit) every
 * further call is without effect and `finish` reports it.
 */
#ifndef TEGULA_KIR_WRITER_H
#define TEGULA_KIR_WRITER_H

#include "kir_emit.h"
#include "sdk/kir/kir.h"

#ifdef __cplusplus
extern "C" {
#endif

tegula_kir_writer_t *tegula_kir_writer_create(uint32_t level, const tegula_kir_allocator_t *allocator);
void tegula_kir_writer_destroy(tegula_kir_writer_t *writer);

/* A fresh id, for region arguments and for functions that are called before they are written. */
uint32_t tegula_kir_writer_new_id(tegula_kir_writer_t *writer);

/* Types, one id for equal ones. */
uint32_t tegula_kir_writer_int(tegula_kir_writer_t *writer, uint32_t width);
uint32_t tegula_kir_writer_float(tegula_kir_writer_t *writer, uint32_t format);
uint32_t tegula_kir_writer_pointer(tegula_kir_writer_t *writer, uint32_t element, uint32_t space);
uint32_t tegula_kir_writer_tensor(tegula_kir_writer_t *writer, uint32_t element, const uint32_t *shape, uint32_t rank);
uint32_t tegula_kir_writer_function(tegula_kir_writer_t *writer, const uint32_t *params, uint32_t param_count, const uint32_t *results,
                                    uint32_t result_count);

/* Begins a function whose id was reserved with new_id (emit_func_begin takes a fresh one). */
void tegula_kir_writer_begin_function(tegula_kir_writer_t *writer, uint32_t id, uint32_t type, const char *name, uint32_t name_length,
                                      uint32_t flags);

/* A source place; 0 as `inlined_at` for none. */
uint32_t tegula_kir_writer_place(tegula_kir_writer_t *writer, const char *file, uint32_t file_length, uint32_t line, uint32_t column,
                                 uint32_t end_column, uint32_t inlined_at);
/* The instructions that follow belong to `place` (emits debug.line where it changes). */
void tegula_kir_writer_set_place(tegula_kir_writer_t *writer, uint32_t place);

/* The whole file. `*bytes` belongs to the writer and lives until it is destroyed. TEGULA_KIR_OK, or why not. */
int32_t tegula_kir_writer_finish(tegula_kir_writer_t *writer, const uint8_t **bytes, size_t *size, tegula_kir_error_t *error);

#ifdef __cplusplus
}
#endif
#endif
