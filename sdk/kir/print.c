/* SPDX-FileCopyrightText: The Tegula authors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Module to text: `%id:%type = name field=value ...`, one instruction a line, every field named, so that the tables alone define the form.
 */
#include "sdk/kir/tables.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct text {
  const tegula_kir_allocator_t *allocator;
  char *data;
  size_t length, capacity;
  int failed;
} text_t;

static void append(text_t *t, const char *data, size_t length) {
  if (t->failed)
    return;
  if (t->length + length + 1 > t->capacity) {
    size_t capacity = (t->capacity ? t->capacity * 2 : 4096) + length;
    char *bigger = tegula_kir_allocate(t->allocator, capacity);
    if (!bigger) {
      t->failed = 1;
      return;
    }
    if (t->length)
      memcpy(bigger, t->data, t->length);
    tegula_kir_release(t->allocator, t->data, t->capacity);
    t->data = bigger;
    t->capacity = capacity;
  }
  memcpy(t->data + t->length, data, length);
  t->length += length;
  t->data[t->length] = 0;
}

__attribute__((format(printf, 2, 3))) static void format(text_t *t, const char *fmt, ...) {
  char line[128];
  va_list args;
  va_start(args, fmt);
  vsnprintf(line, sizeof line, fmt, args);
  va_end(args);
  append(t, line, strlen(line));
}

static void quoted(text_t *t, const char *data, uint32_t length) {
  uint32_t i;
  append(t, "\"", 1);
  for (i = 0; i < length; ++i) {
    unsigned char c = (unsigned char)data[i];
    if (c == '"' || c == '\\')
      format(t, "\\%c", c);
    else if (c < 0x20 || c == 0x7f)
      format(t, "\\x%02x", c);
    else
      append(t, data + i, 1);
  }
  append(t, "\"", 1);
}

static void field(text_t *t, const tegula_kir_field_info_t *info, const tegula_kir_field_t *f) {
  uint32_t i;
  format(t, " %s=", info->name);
  switch (info->kind) {
  case TEGULA_KIR_FIELD_ID:
    format(t, "%%%u", (unsigned)*f->words);
    break;
  case TEGULA_KIR_FIELD_OPTIONAL_ID:
    if (*f->words)
      format(t, "%%%u", (unsigned)*f->words);
    else
      append(t, "-", 1);
    break;
  case TEGULA_KIR_FIELD_U32:
    format(t, "%u", (unsigned)*f->words);
    break;
  case TEGULA_KIR_FIELD_I32:
    format(t, "%d", (int)*f->words);
    break;
  case TEGULA_KIR_FIELD_U64:
    format(t, "0x%" PRIx64, f->words[0] | (uint64_t)f->words[1] << 32);
    break;
  case TEGULA_KIR_FIELD_ENUM: {
    const tegula_kir_enum_info_t *e = &tegula_kir_enums[info->enumeration];
    const char *name = tegula_kir_enum_name(e->name, *f->words);
    if (name)
      append(t, name, strlen(name));
    else
      format(t, "%u", (unsigned)*f->words); /* or-ed flags */
    break;
  }
  case TEGULA_KIR_FIELD_STRING:
    quoted(t, (const char *)f->words, f->count);
    break;
  case TEGULA_KIR_FIELD_NEW_ID:
    format(t, "%%%u:%%%u", (unsigned)f->words[1], (unsigned)f->words[0]);
    break;
  default:
    append(t, "(", 1);
    for (i = 0; i < f->count; ++i) {
      if (i)
        append(t, ", ", 2);
      if (info->kind == TEGULA_KIR_FIELD_IDS)
        format(t, "%%%u", (unsigned)f->words[i]);
      else if (info->kind == TEGULA_KIR_FIELD_NEW_IDS)
        format(t, "%%%u:%%%u", (unsigned)f->words[2 * i + 1], (unsigned)f->words[2 * i]);
      else if (info->kind == TEGULA_KIR_FIELD_U64S)
        format(t, "0x%" PRIx64, f->words[2 * i] | (uint64_t)f->words[2 * i + 1] << 32);
      else
        format(t, "%u", (unsigned)f->words[i]);
    }
    append(t, ")", 1);
  }
}

char *tegula_kir_print(const tegula_kir_module_t *module, size_t *length) {
  text_t t = {tegula_kir_module_allocator(module), NULL, 0, 0, 0};
  uint32_t n, i, indent = 0;
  format(&t, "kir %u.%u %s\n", (unsigned)(module->version >> 16), (unsigned)(module->version & 0xffff), module->level ? "thread" : "tile");
  for (n = 0; n < module->inst_count; ++n) {
    const tegula_kir_inst_t *inst = &module->insts[n];
    const tegula_kir_inst_info_t *info = tegula_kir_find_inst(inst->opcode);
    const uint32_t *results;
    uint32_t count;
    tegula_kir_field_t fields[TEGULA_KIR_MAX_FIELDS];
    int closes = inst->opcode == TEGULA_KIR_OP_FUNC_END || (info->traits & (TEGULA_KIR_TRAIT_REGION_ELSE | TEGULA_KIR_TRAIT_REGION_END));
    tegula_kir_inst_fields(module, inst, &results, &count, fields);
    if (closes && indent)
      --indent;
    for (i = 0; i < indent; ++i)
      append(&t, "  ", 2);
    for (i = 0; i < count; ++i) {
      if (i)
        append(&t, ", ", 2);
      if (info->typed)
        format(&t, "%%%u:%%%u", (unsigned)results[2 * i + 1], (unsigned)results[2 * i]);
      else
        format(&t, "%%%u", (unsigned)results[i]);
    }
    if (count)
      append(&t, " = ", 3);
    append(&t, info->name, strlen(info->name));
    for (i = 0; i < info->field_count; ++i)
      field(&t, &info->fields[i], &fields[i]);
    append(&t, "\n", 1);
    if (inst->opcode == TEGULA_KIR_OP_FUNC_BEGIN || (info->traits & (TEGULA_KIR_TRAIT_REGION_BEGIN | TEGULA_KIR_TRAIT_REGION_ELSE)))
      ++indent;
  }
  if (t.failed) {
    tegula_kir_release(t.allocator, t.data, t.capacity);
    return NULL;
  }
  /* Freed by its length: the buffer is cut to it. */
  {
    char *exact = tegula_kir_allocate(t.allocator, t.length + 1);
    if (exact)
      memcpy(exact, t.data, t.length + 1);
    tegula_kir_release(t.allocator, t.data, t.capacity);
    *length = t.length;
    return exact;
  }
}

void tegula_kir_free_text(const tegula_kir_module_t *module, char *text, size_t length) {
  tegula_kir_release(tegula_kir_module_allocator(module), text, length + 1);
}
