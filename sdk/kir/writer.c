/* SPDX-FileCopyrightText: The Tegula authors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Two growing word buffers: `head` for types, strings and places, `body` for the rest. An instruction goes to the one its class belongs to.
 */
#include "sdk/kir/tables.h"
#include "sdk/kir/writer_internal.h"

#include <string.h>

typedef struct buffer {
  uint32_t *words;
  uint32_t count, capacity;
} buffer_t;

/* An interned instruction of `head`, found by its words without the result id; id 0 is a free place of the table. */
typedef struct interned {
  uint32_t hash, at, id;
} interned_t;

struct tegula_kir_writer {
  tegula_kir_allocator_t allocator;
  uint32_t level, next_id, failed, start, place, ordered;
  buffer_t head, body, *current, file;
  interned_t *interned;
  uint32_t interned_count, interned_capacity;
};

static void *grow(tegula_kir_writer_t *w, void *old, size_t old_size, size_t new_size) {
  void *memory = tegula_kir_allocate(&w->allocator, new_size);
  if (!memory) {
    w->failed = TEGULA_KIR_ERROR_MEMORY;
    return NULL;
  }
  if (old_size)
    memcpy(memory, old, old_size);
  tegula_kir_release(&w->allocator, old, old_size);
  return memory;
}

static void push(tegula_kir_writer_t *w, buffer_t *b, uint32_t word) {
  if (w->failed)
    return;
  if (b->count == b->capacity) {
    uint32_t capacity = b->capacity ? b->capacity * 2 : 1024;
    uint32_t *words;
    if (capacity > TEGULA_KIR_LIMIT_MAX_WORDS * 2u) {
      w->failed = TEGULA_KIR_ERROR_LIMIT;
      return;
    }
    words = grow(w, b->words, (size_t)b->capacity * 4, (size_t)capacity * 4);
    if (!words)
      return;
    b->words = words;
    b->capacity = capacity;
  }
  b->words[b->count++] = word;
}

tegula_kir_writer_t *tegula_kir_writer_create(uint32_t level, const tegula_kir_allocator_t *allocator) {
  tegula_kir_writer_t *w = tegula_kir_allocate(allocator, sizeof *w);
  if (!w)
    return NULL;
  memset(w, 0, sizeof *w);
  if (allocator)
    w->allocator = *allocator;
  w->level = level;
  w->next_id = 1;
  return w;
}

void tegula_kir_writer_destroy(tegula_kir_writer_t *w) {
  tegula_kir_allocator_t allocator;
  if (!w)
    return;
  allocator = w->allocator;
  tegula_kir_release(&allocator, w->head.words, (size_t)w->head.capacity * 4);
  tegula_kir_release(&allocator, w->body.words, (size_t)w->body.capacity * 4);
  tegula_kir_release(&allocator, w->file.words, (size_t)w->file.capacity * 4);
  tegula_kir_release(&allocator, w->interned, sizeof *w->interned * w->interned_capacity);
  tegula_kir_release(&allocator, w, sizeof *w);
}

uint32_t tegula_kir_writer_new_id(tegula_kir_writer_t *w) { return w->next_id++; }

void tegula_kir_writer_reserve(tegula_kir_writer_t *w, uint32_t id) {
  w->ordered = 1; /* ids and order are given: everything goes to the body */
  if (id >= w->next_id)
    w->next_id = id + 1;
}

void tegula_kir_begin(tegula_kir_writer_t *w, uint32_t opcode) {
  const tegula_kir_inst_info_t *info = tegula_kir_find_inst(opcode);
  int in_head = info->inst_class == TEGULA_KIR_CLASS_TYPE || info->inst_class == TEGULA_KIR_CLASS_MODULE ||
                opcode == TEGULA_KIR_OP_DEBUG_STRING || opcode == TEGULA_KIR_OP_DEBUG_LOC;
  w->current = in_head && !w->ordered ? &w->head : &w->body;
  w->start = w->current->count;
  push(w, w->current, opcode);
}

void tegula_kir_word(tegula_kir_writer_t *w, uint32_t word) { push(w, w->current, word); }

void tegula_kir_words(tegula_kir_writer_t *w, const uint32_t *words, uint32_t count, uint32_t words_each) {
  uint32_t i;
  push(w, w->current, count);
  for (i = 0; i < count * words_each; ++i)
    push(w, w->current, words[i]);
}

void tegula_kir_string(tegula_kir_writer_t *w, const char *text, uint32_t length) {
  uint32_t i, k;
  push(w, w->current, length);
  for (i = 0; i < length; i += 4) {
    uint32_t word = 0;
    for (k = 0; k < 4 && i + k < length; ++k)
      word |= (uint32_t)(unsigned char)text[i + k] << (8 * k);
    push(w, w->current, word);
  }
}

void tegula_kir_end(tegula_kir_writer_t *w) {
  uint32_t length;
  if (w->failed)
    return;
  length = w->current->count - w->start;
  if (length > 0xffff) {
    w->failed = TEGULA_KIR_ERROR_LIMIT;
    return;
  }
  w->current->words[w->start] |= length << 16;
}

static uint32_t hash_words(const uint32_t *words, uint32_t count) {
  uint32_t h = 2166136261u, i;
  for (i = 0; i < count; ++i)
    h = (h ^ words[i]) * 16777619u;
  return h;
}

/* Doubles the table of interned instructions, which is at most half full. False without memory. */
static int grow_interned(tegula_kir_writer_t *w) {
  uint32_t capacity = w->interned_capacity ? w->interned_capacity * 2 : 128, i, k;
  interned_t *bigger = tegula_kir_allocate(&w->allocator, sizeof *bigger * capacity);
  if (!bigger) {
    w->failed = TEGULA_KIR_ERROR_MEMORY;
    return 0;
  }
  memset(bigger, 0, sizeof *bigger * capacity);
  for (i = 0; i < w->interned_capacity; ++i) {
    if (!w->interned[i].id)
      continue;
    for (k = w->interned[i].hash & (capacity - 1); bigger[k].id; k = (k + 1) & (capacity - 1)) {
    }
    bigger[k] = w->interned[i];
  }
  tegula_kir_release(&w->allocator, w->interned, sizeof *w->interned * w->interned_capacity);
  w->interned = bigger;
  w->interned_capacity = capacity;
  return 1;
}

/* The instruction just ended in `head` has its id in word 1: where an equal one is there, it is dropped and that id returned. */
static uint32_t intern(tegula_kir_writer_t *w, uint32_t id) {
  uint32_t count, h, i, *words;
  if (w->failed || (w->interned_count * 2 >= w->interned_capacity && !grow_interned(w)))
    return id;
  words = w->head.words + w->start;
  count = w->head.count - w->start;
  h = hash_words(words + 2, count - 2) ^ words[0];
  for (i = h & (w->interned_capacity - 1); w->interned[i].id; i = (i + 1) & (w->interned_capacity - 1)) {
    const uint32_t *other = w->head.words + w->interned[i].at;
    if (w->interned[i].hash == h && other[0] == words[0] && memcmp(other + 2, words + 2, (count - 2) * 4) == 0) {
      w->head.count = w->start;
      if (id + 1 == w->next_id)
        w->next_id = id;
      return w->interned[i].id;
    }
  }
  w->interned[i].hash = h;
  w->interned[i].at = w->start;
  w->interned[i].id = id;
  ++w->interned_count;
  return id;
}

uint32_t tegula_kir_writer_int(tegula_kir_writer_t *w, uint32_t width) { return intern(w, tegula_kir_emit_type_int(w, width)); }
uint32_t tegula_kir_writer_float(tegula_kir_writer_t *w, uint32_t format) { return intern(w, tegula_kir_emit_type_float(w, format)); }
uint32_t tegula_kir_writer_pointer(tegula_kir_writer_t *w, uint32_t element, uint32_t space) {
  return intern(w, tegula_kir_emit_type_pointer(w, element, space));
}
uint32_t tegula_kir_writer_tensor(tegula_kir_writer_t *w, uint32_t element, const uint32_t *shape, uint32_t rank) {
  return intern(w, tegula_kir_emit_type_tensor(w, element, shape, rank));
}
uint32_t tegula_kir_writer_function(tegula_kir_writer_t *w, const uint32_t *params, uint32_t param_count, const uint32_t *results,
                                    uint32_t result_count) {
  return intern(w, tegula_kir_emit_type_function(w, params, param_count, results, result_count));
}

uint32_t tegula_kir_writer_place(tegula_kir_writer_t *w, const char *file, uint32_t file_length, uint32_t line, uint32_t column, uint32_t end_column,
                                 uint32_t inlined_at) {
  uint32_t string = intern(w, tegula_kir_emit_debug_string(w, file, file_length));
  return intern(w, tegula_kir_emit_debug_loc(w, string, line, column, end_column, inlined_at));
}

void tegula_kir_writer_set_place(tegula_kir_writer_t *w, uint32_t place) {
  if (place == w->place || place == 0)
    return;
  w->place = place;
  tegula_kir_emit_debug_line(w, place);
}

void tegula_kir_writer_begin_function(tegula_kir_writer_t *w, uint32_t id, uint32_t type, const char *name, uint32_t name_length, uint32_t flags) {
  w->place = 0;
  tegula_kir_begin(w, TEGULA_KIR_OP_FUNC_BEGIN);
  tegula_kir_word(w, id);
  tegula_kir_word(w, type);
  tegula_kir_string(w, name, name_length);
  tegula_kir_word(w, flags);
  tegula_kir_end(w);
}

int32_t tegula_kir_writer_finish(tegula_kir_writer_t *w, const uint8_t **bytes, size_t *size, tegula_kir_error_t *error) {
  uint32_t i, total = 6 + w->head.count + w->body.count;
  w->file.count = 0;
  push(w, &w->file, TEGULA_KIR_MAGIC);
  push(w, &w->file, TEGULA_KIR_VERSION_MAJOR << 16 | TEGULA_KIR_VERSION_MINOR);
  push(w, &w->file, w->level);
  push(w, &w->file, w->next_id);
  push(w, &w->file, total);
  push(w, &w->file, 0);
  for (i = 0; i < w->head.count; ++i)
    push(w, &w->file, w->head.words[i]);
  for (i = 0; i < w->body.count; ++i)
    push(w, &w->file, w->body.words[i]);
  if (w->failed)
    return tegula_kir_fail(error, (int32_t)w->failed, 0, 0,
                           w->failed == TEGULA_KIR_ERROR_MEMORY ? "no memory" : "an instruction or the module is too long");
  *bytes = (const uint8_t *)w->file.words;
  *size = (size_t)w->file.count * 4;
  return TEGULA_KIR_OK;
}
