/* SPDX-FileCopyrightText: The Tegula authors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How an instruction's words divide into results and fields, by the generated tables; errors; memory.
 */
#include "sdk/kir/tables.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const tegula_kir_inst_info_t *tegula_kir_find_inst(uint32_t opcode) {
  uint32_t low = 0, high = tegula_kir_inst_count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (tegula_kir_insts[middle].opcode < opcode)
      low = middle + 1;
    else
      high = middle;
  }
  return low < tegula_kir_inst_count && tegula_kir_insts[low].opcode == opcode ? &tegula_kir_insts[low] : NULL;
}

const char *tegula_kir_opcode_name(uint32_t opcode) {
  const tegula_kir_inst_info_t *info = tegula_kir_find_inst(opcode);
  return info ? info->name : "?";
}

int32_t tegula_kir_fail(tegula_kir_error_t *error, int32_t code, uint32_t word, uint32_t opcode, const char *format, ...) {
  if (error) {
    va_list args;
    memset(error, 0, sizeof *error);
    error->code = code;
    error->word = word;
    error->opcode = opcode;
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
  }
  return code;
}

void *tegula_kir_allocate(const tegula_kir_allocator_t *allocator, size_t size) {
  if (allocator && allocator->allocate)
    return allocator->allocate(allocator->user, size ? size : 1);
  return malloc(size ? size : 1);
}

void tegula_kir_release(const tegula_kir_allocator_t *allocator, void *pointer, size_t size) {
  if (!pointer)
    return;
  if (allocator && allocator->free)
    allocator->free(allocator->user, pointer, size ? size : 1);
  else
    free(pointer);
}

/* Words that `count` items of a list field take. */
static uint32_t words_of(uint32_t kind, uint32_t count) {
  switch (kind) {
  case TEGULA_KIR_FIELD_STRING:
    return count / 4 + (count % 4 != 0);
  case TEGULA_KIR_FIELD_U64S:
  case TEGULA_KIR_FIELD_NEW_IDS:
    return count * 2;
  default:
    return count;
  }
}

static const char *split_field(uint32_t kind, const uint32_t **at, const uint32_t *end, tegula_kir_field_t *field) {
  uint32_t left = (uint32_t)(end - *at), fixed = kind == TEGULA_KIR_FIELD_U64 || kind == TEGULA_KIR_FIELD_NEW_ID ? 2 : 1, count;
  switch (kind) {
  case TEGULA_KIR_FIELD_IDS:
  case TEGULA_KIR_FIELD_U32S:
  case TEGULA_KIR_FIELD_U64S:
  case TEGULA_KIR_FIELD_NEW_IDS:
  case TEGULA_KIR_FIELD_STRING:
    if (left < 1)
      return "a list has no length";
    count = **at;
    if (count > (kind == TEGULA_KIR_FIELD_STRING ? TEGULA_KIR_LIMIT_MAX_STRING_BYTES : TEGULA_KIR_LIMIT_MAX_OPERANDS))
      return "a list is longer than the limit";
    if (words_of(kind, count) > left - 1)
      return "a list is longer than the instruction";
    field->words = *at + 1;
    field->count = count;
    *at += 1 + words_of(kind, count);
    return NULL;
  default:
    if (left < fixed)
      return "the instruction is too short";
    field->words = *at;
    field->count = 1;
    *at += fixed;
    return NULL;
  }
}

static void missing_field(uint32_t kind, tegula_kir_field_t *field) {
  static const uint32_t zeros[2] = {0, 0};
  field->words = zeros;
  field->count = kind != TEGULA_KIR_FIELD_IDS && kind != TEGULA_KIR_FIELD_U32S && kind != TEGULA_KIR_FIELD_U64S &&
                 kind != TEGULA_KIR_FIELD_STRING && kind != TEGULA_KIR_FIELD_NEW_IDS;
}

const char *tegula_kir_split(const tegula_kir_inst_info_t *info, const uint32_t *words, uint32_t word_count, const uint32_t **results,
                             uint32_t *result_count, tegula_kir_field_t *fields) {
  const uint32_t *at = words + 1, *end = words + word_count;
  uint32_t i, count = info->results < 0 ? 0 : (uint32_t)info->results;
  if (info->results < 0) {
    if (at == end)
      return "the number of results is missing";
    count = *at++;
    if (count > TEGULA_KIR_LIMIT_MAX_OPERANDS)
      return "more results than the limit";
  }
  if ((uint32_t)(end - at) < count * (info->typed ? 2u : 1u))
    return "results are missing";
  *results = at;
  *result_count = count;
  at += count * (info->typed ? 2u : 1u);
  for (i = 0; i < info->field_count; ++i) {
    const char *wrong;
    if (at == end && info->fields[i].since > info->since) {
      missing_field(info->fields[i].kind, &fields[i]);
      continue;
    }
    wrong = split_field(info->fields[i].kind, &at, end, &fields[i]);
    if (wrong)
      return wrong;
  }
  return at == end ? NULL : "the instruction is too long";
}

const char *tegula_kir_enum_name(const char *enumeration, uint32_t value) {
  uint32_t e, c;
  for (e = 0; tegula_kir_enums[e].name; ++e)
    if (strcmp(tegula_kir_enums[e].name, enumeration) == 0)
      for (c = 0; c < tegula_kir_enums[e].case_count; ++c)
        if (tegula_kir_enums[e].cases[c].value == value)
          return tegula_kir_enums[e].cases[c].name;
  return NULL;
}

uint32_t tegula_kir_float_bits(uint32_t format) {
  switch (format) {
  case TEGULA_KIR_FLOAT_FORMAT_F64:
    return 64;
  case TEGULA_KIR_FLOAT_FORMAT_F32:
    return 32;
  case TEGULA_KIR_FLOAT_FORMAT_F16:
  case TEGULA_KIR_FLOAT_FORMAT_BF16:
    return 16;
  default:
    return format >= TEGULA_KIR_FLOAT_FORMAT_F8E4M3FN && format <= TEGULA_KIR_FLOAT_FORMAT_F8E4M3B15 ? 8 : 0;
  }
}
