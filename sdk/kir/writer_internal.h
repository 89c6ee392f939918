/* SPDX-FileCopyrightText: The Tegula authors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the generated emit functions and the text parser build instructions with.
 */
#ifndef TEGULA_KIR_WRITER_INTERNAL_H
#define TEGULA_KIR_WRITER_INTERNAL_H

#include "sdk/kir/writer.h"

void tegula_kir_begin(tegula_kir_writer_t *writer, uint32_t opcode);
void tegula_kir_word(tegula_kir_writer_t *writer, uint32_t word);
/* A counted list: `count`, then count * words_each words. */
void tegula_kir_words(tegula_kir_writer_t *writer, const uint32_t *words, uint32_t count, uint32_t words_each);
void tegula_kir_string(tegula_kir_writer_t *writer, const char *text, uint32_t length);
void tegula_kir_end(tegula_kir_writer_t *writer);
/* Text form: ids are given, not made. */
void tegula_kir_writer_reserve(tegula_kir_writer_t *writer, uint32_t id);

#endif
