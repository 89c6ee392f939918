/* SPDX-FileCopyrightText: The Tegula authors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text to bytes. Lines may be blank or begin with '#'. Ids are kept as they are written.
 */
#include "sdk/kir/tables.h"
#include "sdk/kir/writer_internal.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct cursor {
  const char *at, *end, *line_start;
  uint32_t line;
  tegula_kir_error_t *error;
  int failed;
  const tegula_kir_allocator_t *allocator;
} cursor_t;

static void fail(cursor_t *c, const char *message) {
  if (c->failed)
    return;
  c->failed = 1;
  tegula_kir_fail(c->error, TEGULA_KIR_ERROR_TEXT, 0, 0, "%s", message);
  if (c->error) {
    c->error->line = c->line;
    c->error->column = (uint32_t)(c->at - c->line_start) + 1;
  }
}

static void blanks(cursor_t *c) {
  while (c->at < c->end && (*c->at == ' ' || *c->at == '\t'))
    ++c->at;
}

static int accept(cursor_t *c, char wanted) {
  blanks(c);
  if (c->at < c->end && *c->at == wanted) {
    ++c->at;
    return 1;
  }
  return 0;
}

static void expect(cursor_t *c, char wanted, const char *message) {
  if (!accept(c, wanted))
    fail(c, message);
}

/* A number of at most `max`; where `negative_max` is not 0, also a negative one down to -negative_max, as its two's complement. */
static uint64_t number(cursor_t *c, uint64_t max, uint64_t negative_max) {
  uint64_t value = 0, limit = max;
  int digits = 0, negative = negative_max && accept(c, '-'), base = 10;
  blanks(c);
  if (negative)
    limit = negative_max;
  if (c->end - c->at > 2 && c->at[0] == '0' && c->at[1] == 'x') {
    c->at += 2;
    base = 16;
  }
  for (; c->at < c->end; ++c->at, ++digits) {
    uint64_t d;
    if (*c->at >= '0' && *c->at <= '9')
      d = (uint64_t)(*c->at - '0');
    else if (base == 16 && *c->at >= 'a' && *c->at <= 'f')
      d = (uint64_t)(*c->at - 'a') + 10;
    else
      break;
    if (d > limit || value > (limit - d) / (uint64_t)base) {
      fail(c, "the number is out of range");
      return 0;
    }
    value = value * (uint64_t)base + d;
  }
  if (!digits)
    fail(c, "expected a number");
  return negative ? 0 - value : value;
}

static uint32_t number32(cursor_t *c) { return (uint32_t)number(c, UINT32_MAX, 0); }

static uint32_t id(cursor_t *c, tegula_kir_writer_t *w) {
  uint64_t value;
  expect(c, '%', "expected an id such as %4");
  value = c->failed ? 0 : number(c, UINT64_MAX, 0);
  if (value == 0 || value >= TEGULA_KIR_LIMIT_MAX_IDS) {
    fail(c, "the id is out of range");
    return 0;
  }
  tegula_kir_writer_reserve(w, (uint32_t)value);
  return (uint32_t)value;
}

static size_t word_length(const cursor_t *c) {
  size_t n = 0;
  while (c->at + n < c->end && (c->at[n] == '_' || c->at[n] == '.' || (c->at[n] >= 'a' && c->at[n] <= 'z') || (c->at[n] >= '0' && c->at[n] <= '9')))
    ++n;
  return n;
}

static int is_word(const cursor_t *c, size_t length, const char *word) { return strlen(word) == length && memcmp(c->at, word, length) == 0; }

/* A list in parentheses is written after its length, which is known only at its end: items are gathered first. */
typedef struct items {
  uint32_t words[2 * TEGULA_KIR_LIMIT_MAX_OPERANDS];
  uint32_t count;
} items_t;

static void list(cursor_t *c, tegula_kir_writer_t *w, uint32_t kind, items_t *items) {
  items->count = 0;
  expect(c, '(', "expected '('");
  if (accept(c, ')'))
    return;
  do {
    uint32_t i = items->count;
    if (i == TEGULA_KIR_LIMIT_MAX_OPERANDS) {
      fail(c, "the list is longer than the limit");
      return;
    }
    if (kind == TEGULA_KIR_FIELD_IDS) {
      items->words[i] = id(c, w);
    } else if (kind == TEGULA_KIR_FIELD_NEW_IDS) {
      items->words[2 * i + 1] = id(c, w);
      expect(c, ':', "expected ':' and a type");
      items->words[2 * i] = c->failed ? 0 : id(c, w);
    } else if (kind == TEGULA_KIR_FIELD_U64S) {
      uint64_t value = number(c, UINT64_MAX, 0);
      items->words[2 * i] = (uint32_t)value;
      items->words[2 * i + 1] = (uint32_t)(value >> 32);
    } else {
      items->words[i] = number32(c);
    }
    ++items->count;
  } while (!c->failed && accept(c, ','));
  expect(c, ')', "expected ')'");
}

static int hex(char ch) { return ch >= '0' && ch <= '9' ? ch - '0' : ch >= 'a' && ch <= 'f' ? ch - 'a' + 10 : -1; }

static void string(cursor_t *c, tegula_kir_writer_t *w) {
  static const size_t limit = TEGULA_KIR_LIMIT_MAX_STRING_BYTES;
  char *text = tegula_kir_allocate(c->allocator, limit);
  size_t length = 0;
  expect(c, '"', "expected a string");
  while (text && !c->failed && c->at < c->end && *c->at != '"' && *c->at != '\n' && length < limit) {
    char ch = *c->at++;
    if (ch == '\\' && c->at < c->end) {
      ch = *c->at++;
      if (ch == 'x') {
        if (c->end - c->at < 2 || hex(c->at[0]) < 0 || hex(c->at[1]) < 0) {
          fail(c, "expected two hexadecimal digits");
          break;
        }
        ch = (char)(hex(c->at[0]) * 16 + hex(c->at[1]));
        c->at += 2;
      }
    }
    text[length++] = ch;
  }
  expect(c, '"', text ? "the string has no end, or is longer than the limit" : "no memory");
  if (text && !c->failed)
    tegula_kir_string(w, text, (uint32_t)length);
  tegula_kir_release(c->allocator, text, limit);
}

static void field(cursor_t *c, tegula_kir_writer_t *w, const tegula_kir_field_info_t *info, items_t *items) {
  uint64_t value;
  size_t n;
  uint32_t i;
  blanks(c);
  n = word_length(c);
  if (!is_word(c, n, info->name)) {
    char message[64];
    snprintf(message, sizeof message, "expected the field '%s'", info->name);
    fail(c, message);
    return;
  }
  c->at += n;
  expect(c, '=', "expected '='");
  if (c->failed)
    return;
  switch (info->kind) {
  case TEGULA_KIR_FIELD_OPTIONAL_ID:
    if (accept(c, '-')) {
      tegula_kir_word(w, 0);
      break;
    }
    /* fall through */
  case TEGULA_KIR_FIELD_ID:
    tegula_kir_word(w, id(c, w));
    break;
  case TEGULA_KIR_FIELD_ENUM: {
    const tegula_kir_enum_info_t *e = &tegula_kir_enums[info->enumeration];
    n = word_length(c);
    for (i = 0; i < e->case_count; ++i)
      if (is_word(c, n, e->cases[i].name))
        break;
    if (i < e->case_count) {
      c->at += n;
      tegula_kir_word(w, e->cases[i].value);
    } else {
      tegula_kir_word(w, number32(c));
    }
    break;
  }
  case TEGULA_KIR_FIELD_U64:
    value = number(c, UINT64_MAX, 0);
    tegula_kir_word(w, (uint32_t)value);
    tegula_kir_word(w, (uint32_t)(value >> 32));
    break;
  case TEGULA_KIR_FIELD_U32:
    tegula_kir_word(w, number32(c));
    break;
  case TEGULA_KIR_FIELD_I32:
    tegula_kir_word(w, (uint32_t)number(c, INT32_MAX, (uint64_t)INT32_MAX + 1));
    break;
  case TEGULA_KIR_FIELD_STRING:
    string(c, w);
    break;
  case TEGULA_KIR_FIELD_NEW_ID:
    items->words[1] = id(c, w);
    expect(c, ':', "expected ':' and a type");
    tegula_kir_word(w, c->failed ? 0 : id(c, w));
    tegula_kir_word(w, items->words[1]);
    break;
  default:
    list(c, w, info->kind, items);
    tegula_kir_words(w, items->words, items->count, info->kind == TEGULA_KIR_FIELD_NEW_IDS || info->kind == TEGULA_KIR_FIELD_U64S ? 2 : 1);
  }
}

static void instruction(cursor_t *c, tegula_kir_writer_t *w, items_t *items) {
  uint32_t *results = items->words, count = 0, i; /* written before the fields need the room */
  const tegula_kir_inst_info_t *info = NULL;
  size_t n;
  blanks(c);
  if (c->at < c->end && *c->at == '%') {
    do {
      blanks(c);
      if (count == TEGULA_KIR_LIMIT_MAX_OPERANDS) {
        fail(c, "too many results");
        return;
      }
      results[2 * count + 1] = id(c, w);
      results[2 * count] = accept(c, ':') && !c->failed ? id(c, w) : 0;
      ++count;
    } while (!c->failed && accept(c, ','));
    expect(c, '=', "expected '='");
    blanks(c);
  }
  n = word_length(c);
  for (i = 0; i < tegula_kir_inst_count; ++i)
    if (is_word(c, n, tegula_kir_insts[i].name))
      info = &tegula_kir_insts[i];
  if (!info) {
    fail(c, "unknown instruction");
    return;
  }
  c->at += n;
  if (info->results >= 0 && count != (uint32_t)info->results) {
    fail(c, "wrong number of results");
    return;
  }
  tegula_kir_begin(w, info->opcode);
  if (info->results < 0)
    tegula_kir_word(w, count);
  for (i = 0; i < count; ++i) {
    if (info->typed != (results[2 * i] != 0))
      fail(c, info->typed ? "a result needs a type" : "this result has no type");
    if (info->typed)
      tegula_kir_word(w, results[2 * i]);
    tegula_kir_word(w, results[2 * i + 1]);
  }
  for (i = 0; i < info->field_count && !c->failed; ++i)
    field(c, w, &info->fields[i], items);
  tegula_kir_end(w);
  blanks(c);
  if (!c->failed && c->at < c->end && *c->at != '\n')
    fail(c, "expected the end of the line");
}

int32_t tegula_kir_parse(const char *text, size_t length, const tegula_kir_allocator_t *allocator, uint8_t **bytes, size_t *size,
                         tegula_kir_error_t *error) {
  cursor_t c = {text, text + length, text, 1, error, 0, allocator};
  tegula_kir_writer_t *w;
  items_t *items = tegula_kir_allocate(allocator, sizeof *items);
  uint32_t level = TEGULA_KIR_LEVEL_TILE;
  const uint8_t *file;
  int32_t status = TEGULA_KIR_OK;
  *bytes = NULL;
  *size = 0;
  if (!items)
    return tegula_kir_fail(error, TEGULA_KIR_ERROR_MEMORY, 0, 0, "no memory");
  if (length < 4 || memcmp(text, "kir ", 4) != 0) {
    fail(&c, "expected 'kir MAJOR.MINOR LEVEL'");
  } else {
    uint64_t major, minor = 0;
    c.at += 4;
    major = number(&c, UINT32_MAX, 0);
    expect(&c, '.', "expected a version such as 0.1");
    minor = c.failed ? 0 : number(&c, UINT32_MAX, 0);
    blanks(&c);
    if (major != TEGULA_KIR_VERSION_MAJOR || minor != TEGULA_KIR_VERSION_MINOR)
      fail(&c, "this version is not accepted");
    if (is_word(&c, word_length(&c), "thread"))
      level = TEGULA_KIR_LEVEL_THREAD;
    else if (!is_word(&c, word_length(&c), "tile"))
      fail(&c, "expected 'tile' or 'thread'");
    c.at += word_length(&c);
  }
  w = tegula_kir_writer_create(level, allocator);
  if (!w)
    fail(&c, "no memory");
  while (!c.failed && c.at < c.end) {
    if (*c.at == '\n') {
      ++c.at;
      ++c.line;
      c.line_start = c.at;
      blanks(&c);
      if (c.at < c.end && *c.at == '#')
        while (c.at < c.end && *c.at != '\n')
          ++c.at;
    } else {
      instruction(&c, w, items);
    }
  }
  tegula_kir_release(allocator, items, sizeof *items);
  if (c.failed)
    status = TEGULA_KIR_ERROR_TEXT;
  else if (!(status = tegula_kir_writer_finish(w, &file, size, error))) {
    *bytes = tegula_kir_allocate(allocator, *size);
    if (*bytes)
      memcpy(*bytes, file, *size);
    else
      status = tegula_kir_fail(error, TEGULA_KIR_ERROR_MEMORY, 0, 0, "no memory");
  }
  tegula_kir_writer_destroy(w);
  return status;
}
