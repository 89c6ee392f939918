/* SPDX-FileCopyrightText: The Tegula authors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Bytes to a module. Two walks over the words: the first checks forms and counts, so that every array is allocated once and no larger than
 * the file allows; the second defines ids and matches regions.
 */
#include "kir_instructions.h"
#include "sdk/kir/tables.h"

#include <string.h>

typedef struct module_storage {
  tegula_kir_module_t public_part; /* first: a module is its storage */
  tegula_kir_allocator_t allocator;
  uint32_t *words;
  tegula_kir_id_t *ids;
  tegula_kir_type_t *types;
  tegula_kir_function_t *functions;
  tegula_kir_param_t *params;
  tegula_kir_inst_t *insts;
  uint32_t param_count;
} module_storage_t;

enum { HEADER_WORDS = 6 };

typedef struct counts {
  uint32_t insts, types, functions, params;
} counts_t;

const tegula_kir_allocator_t *tegula_kir_module_allocator(const tegula_kir_module_t *module) {
  return &((const module_storage_t *)module)->allocator;
}

static int32_t check_header(const uint32_t *words, uint32_t count, tegula_kir_error_t *error) {
  uint32_t wanted = TEGULA_KIR_VERSION_MAJOR << 16 | TEGULA_KIR_VERSION_MINOR;
  if (count < HEADER_WORDS)
    return tegula_kir_fail(error, TEGULA_KIR_ERROR_TRUNCATED, 0, 0, "the file ends inside the header");
  if (words[0] != TEGULA_KIR_MAGIC)
    return tegula_kir_fail(error, TEGULA_KIR_ERROR_MAGIC, 0, 0, "this is no KIR file (magic number 0x%08x)", (unsigned)words[0]);
  if (words[1] != wanted) /* before 1.0 the numbers must match exactly */
    return tegula_kir_fail(error, TEGULA_KIR_ERROR_VERSION, 1, 0, "the file has KIR version %u.%u, this reader accepts %u.%u alone",
                           (unsigned)(words[1] >> 16), (unsigned)(words[1] & 0xffff), TEGULA_KIR_VERSION_MAJOR, TEGULA_KIR_VERSION_MINOR);
  if (words[2] > TEGULA_KIR_LEVEL_THREAD)
    return tegula_kir_fail(error, TEGULA_KIR_ERROR_ENUM, 2, 0, "unknown level %u", (unsigned)words[2]);
  /* Every id is defined by an instruction of at least two words. */
  if (words[3] > TEGULA_KIR_LIMIT_MAX_IDS || words[3] > count)
    return tegula_kir_fail(error, TEGULA_KIR_ERROR_LIMIT, 3, 0, "the id bound %u is greater than the file allows", (unsigned)words[3]);
  if (words[4] != count)
    return tegula_kir_fail(error, TEGULA_KIR_ERROR_TRUNCATED, 4, 0, "the header says %u words, the file has %u", (unsigned)words[4], (unsigned)count);
  if (words[5] != 0)
    return tegula_kir_fail(error, TEGULA_KIR_ERROR_FORM, 5, 0, "reserved header word is not zero");
  return TEGULA_KIR_OK;
}

/* Extensions without meaning for the result of the module: whoever does not know them passes over them. */
static int skippable(uint32_t opcode) { return opcode >= TEGULA_KIR_SKIPPABLE_FIRST && opcode <= TEGULA_KIR_SKIPPABLE_LAST; }

static int known_enum_value(const tegula_kir_enum_info_t *info, uint32_t value) {
  uint32_t i, bits = 0;
  for (i = 0; i < info->case_count; ++i) {
    if (info->cases[i].value == value)
      return 1;
    bits |= info->cases[i].value;
  }
  /* Flags are or-ed. */
  return strstr(info->name, "flags") != NULL && (value & ~bits) == 0;
}

/* First walk: every instruction's form, ids in range, enum values known. */
static int32_t check_forms(const uint32_t *words, uint32_t count, counts_t *counts, tegula_kir_error_t *error) {
  uint32_t at = HEADER_WORDS, bound = words[3], i, k;
  memset(counts, 0, sizeof *counts);
  while (at < count) {
    uint32_t opcode = words[at] & 0xffff, length = words[at] >> 16, result_count;
    const uint32_t *results;
    const char *wrong;
    const tegula_kir_inst_info_t *info = tegula_kir_find_inst(opcode);
    tegula_kir_field_t fields[TEGULA_KIR_MAX_FIELDS];
    if (length == 0 || length > count - at)
      return tegula_kir_fail(error, TEGULA_KIR_ERROR_TRUNCATED, at, opcode, "the instruction's length %u does not fit the file", (unsigned)length);
    if (!info && skippable(opcode)) {
      at += length;
      continue;
    }
    if (!info)
      return tegula_kir_fail(error, TEGULA_KIR_ERROR_OPCODE, at, opcode, "unknown instruction %u", (unsigned)opcode);
    if (info->tile_only && words[2] != TEGULA_KIR_LEVEL_TILE)
      return tegula_kir_fail(error, TEGULA_KIR_ERROR_OPCODE, at, opcode, "%s belongs to the tile level", info->name);
    wrong = tegula_kir_split(info, words + at, length, &results, &result_count, fields);
    if (wrong)
      return tegula_kir_fail(error, TEGULA_KIR_ERROR_FORM, at, opcode, "%s: %s", info->name, wrong);
    for (i = 0; i < info->field_count; ++i) {
      const tegula_kir_field_info_t *f = &info->fields[i];
      int ids = f->kind == TEGULA_KIR_FIELD_ID || f->kind == TEGULA_KIR_FIELD_IDS || f->kind == TEGULA_KIR_FIELD_OPTIONAL_ID;
      int pairs = f->kind == TEGULA_KIR_FIELD_NEW_ID || f->kind == TEGULA_KIR_FIELD_NEW_IDS;
      for (k = 0; (ids || pairs) && k < fields[i].count * (pairs ? 2 : 1); ++k) {
        uint32_t id = fields[i].words[k];
        if (id >= bound || (id == 0 && f->kind != TEGULA_KIR_FIELD_OPTIONAL_ID))
          return tegula_kir_fail(error, TEGULA_KIR_ERROR_ID, at, opcode, "%s: id %u of '%s' is out of range", info->name, (unsigned)id, f->name);
      }
      if (f->kind == TEGULA_KIR_FIELD_ENUM && !known_enum_value(&tegula_kir_enums[f->enumeration], *fields[i].words))
        return tegula_kir_fail(error, TEGULA_KIR_ERROR_ENUM, at, opcode, "%s: value %u of %s is not supported", info->name,
                               (unsigned)*fields[i].words, tegula_kir_enums[f->enumeration].name);
      if (f->kind == TEGULA_KIR_FIELD_STRING && fields[i].count % 4) {
        uint32_t last = fields[i].words[fields[i].count / 4] >> (fields[i].count % 4 * 8);
        if (last)
          return tegula_kir_fail(error, TEGULA_KIR_ERROR_FORM, at, opcode, "%s: padding of '%s' is not zero", info->name, f->name);
      }
    }
    for (i = 0; i < result_count * (info->typed ? 2u : 1u); ++i)
      if (results[i] == 0 || results[i] >= bound)
        return tegula_kir_fail(error, TEGULA_KIR_ERROR_ID, at, opcode, "%s: result id %u is out of range", info->name, (unsigned)results[i]);
    counts->insts += 1;
    counts->types += info->inst_class == TEGULA_KIR_CLASS_TYPE;
    counts->functions += opcode == TEGULA_KIR_OP_FUNC_BEGIN;
    counts->params += opcode == TEGULA_KIR_OP_FUNC_PARAM;
    at += length;
  }
  return TEGULA_KIR_OK;
}

static int32_t define(module_storage_t *m, const tegula_kir_inst_t *inst, uint32_t id, uint32_t kind, uint32_t index, tegula_kir_error_t *error) {
  if (m->ids[id].kind != TEGULA_KIR_ID_NONE)
    return tegula_kir_fail(error, TEGULA_KIR_ERROR_ID, inst->word, inst->opcode, "id %u is defined twice", (unsigned)id);
  m->ids[id].kind = kind;
  m->ids[id].index = index;
  m->ids[id].inst = (uint32_t)(inst - m->insts);
  return TEGULA_KIR_OK;
}

static int is_type(const module_storage_t *m, uint32_t id) { return m->ids[id].kind == TEGULA_KIR_ID_TYPE; }

/* Bounded, because no deeper type was let in: comparing types recurses over it. */
static uint32_t pointer_depth(const module_storage_t *m, uint32_t id) {
  uint32_t depth = 0;
  for (; m->types[m->ids[id].index].kind == TEGULA_KIR_TYPE_POINTER; id = m->types[m->ids[id].index].element)
    ++depth;
  return depth;
}

static int32_t add_type(module_storage_t *m, const tegula_kir_inst_t *inst, tegula_kir_error_t *error) {
  tegula_kir_module_t *module = &m->public_part;
  tegula_kir_type_t *type = &m->types[module->type_count];
  uint32_t i, id = 0;
#define FAIL(...) tegula_kir_fail(error, TEGULA_KIR_ERROR_TYPE, inst->word, inst->opcode, __VA_ARGS__)
#define DECODE(NAME) tegula_kir_##NAME##_t v; tegula_kir_decode_##NAME(module, inst, &v); id = v.results[0]
  switch (inst->opcode) {
  case TEGULA_KIR_OP_TYPE_INT: {
    DECODE(type_int);
    if (v.width != 1 && v.width != 8 && v.width != 16 && v.width != 32 && v.width != 64)
      return FAIL("integer width %u is not supported", (unsigned)v.width);
    type->kind = TEGULA_KIR_TYPE_INT;
    type->width = v.width;
    break;
  }
  case TEGULA_KIR_OP_TYPE_FLOAT: {
    DECODE(type_float);
    type->kind = TEGULA_KIR_TYPE_FLOAT;
    type->format = v.format;
    type->width = tegula_kir_float_bits(v.format);
    break;
  }
  case TEGULA_KIR_OP_TYPE_POINTER: {
    DECODE(type_pointer);
    if (!is_type(m, v.element) || m->types[m->ids[v.element].index].kind > TEGULA_KIR_TYPE_POINTER)
      return FAIL("a pointer points to a scalar type");
    if (pointer_depth(m, v.element) >= TEGULA_KIR_LIMIT_MAX_POINTER_DEPTH)
      return tegula_kir_fail(error, TEGULA_KIR_ERROR_LIMIT, inst->word, inst->opcode, "pointers to pointers are deeper than %u",
                             (unsigned)TEGULA_KIR_LIMIT_MAX_POINTER_DEPTH);
    type->kind = TEGULA_KIR_TYPE_POINTER;
    type->width = 64;
    type->element = v.element;
    type->space = v.space;
    break;
  }
  case TEGULA_KIR_OP_TYPE_TENSOR: {
    DECODE(type_tensor);
    if (!is_type(m, v.element) || m->types[m->ids[v.element].index].kind > TEGULA_KIR_TYPE_POINTER)
      return FAIL("a tensor's element is a scalar type");
    if (v.shape_count == 0 || v.shape_count > TEGULA_KIR_LIMIT_MAX_RANK)
      return FAIL("a tensor has 1 to %u dimensions, not %u", (unsigned)TEGULA_KIR_LIMIT_MAX_RANK, (unsigned)v.shape_count);
    type->element_count = 1;
    for (i = 0; i < v.shape_count; ++i) {
      if (v.shape[i] == 0 || (v.shape[i] & (v.shape[i] - 1)))
        return FAIL("dimension %u is no power of two", (unsigned)v.shape[i]);
      if (v.shape[i] > TEGULA_KIR_LIMIT_MAX_TENSOR_ELEMENTS / type->element_count)
        return tegula_kir_fail(error, TEGULA_KIR_ERROR_LIMIT, inst->word, inst->opcode, "a tensor has more than %u elements",
                               (unsigned)TEGULA_KIR_LIMIT_MAX_TENSOR_ELEMENTS);
      type->element_count *= v.shape[i];
    }
    type->kind = TEGULA_KIR_TYPE_TENSOR;
    type->element = v.element;
    type->width = m->types[m->ids[v.element].index].width;
    type->rank = v.shape_count;
    type->shape = v.shape;
    break;
  }
  default: {
    DECODE(type_function);
    for (i = 0; i < v.params_count; ++i)
      if (!is_type(m, v.params[i]) || m->types[m->ids[v.params[i]].index].kind == TEGULA_KIR_TYPE_FUNCTION)
        return FAIL("a parameter's type is no value type");
    for (i = 0; i < v.result_types_count; ++i)
      if (!is_type(m, v.result_types[i]) || m->types[m->ids[v.result_types[i]].index].kind == TEGULA_KIR_TYPE_FUNCTION)
        return FAIL("a result's type is no value type");
    type->kind = TEGULA_KIR_TYPE_FUNCTION;
    type->params = v.params;
    type->param_count = v.params_count;
    type->results = v.result_types;
    type->result_count = v.result_types_count;
  }
  }
#undef DECODE
#undef FAIL
  type->id = id;
  return define(m, inst, id, TEGULA_KIR_ID_TYPE, module->type_count++, error);
}

/* Defines what an instruction inside a function defines: its results and the arguments of its regions. */
static int32_t define_values(module_storage_t *m, const tegula_kir_inst_t *inst, const tegula_kir_inst_info_t *info, tegula_kir_error_t *error) {
  const uint32_t *results;
  uint32_t count, i, k;
  int32_t status;
  tegula_kir_field_t fields[TEGULA_KIR_MAX_FIELDS];
  tegula_kir_inst_fields(&m->public_part, inst, &results, &count, fields);
  for (i = 0; i < count; ++i) {
    if (!is_type(m, results[2 * i]))
      return tegula_kir_fail(error, TEGULA_KIR_ERROR_ID, inst->word, inst->opcode, "%s: a result's type is no type", info->name);
    if ((status = define(m, inst, results[2 * i + 1], TEGULA_KIR_ID_VALUE, results[2 * i], error)))
      return status;
  }
  for (i = 0; i < info->field_count; ++i)
    if (info->fields[i].kind == TEGULA_KIR_FIELD_NEW_ID || info->fields[i].kind == TEGULA_KIR_FIELD_NEW_IDS)
      for (k = 0; k < fields[i].count; ++k) {
        if (!is_type(m, fields[i].words[2 * k]))
          return tegula_kir_fail(error, TEGULA_KIR_ERROR_ID, inst->word, inst->opcode, "%s: a region argument's type is no type", info->name);
        if ((status = define(m, inst, fields[i].words[2 * k + 1], TEGULA_KIR_ID_VALUE, fields[i].words[2 * k], error)))
          return status;
      }
  return TEGULA_KIR_OK;
}

static int32_t match_region(module_storage_t *m, uint32_t index, uint32_t traits, uint32_t *stack, uint32_t *depth, tegula_kir_error_t *error) {
  tegula_kir_inst_t *inst = &m->insts[index];
  if (traits & TEGULA_KIR_TRAIT_REGION_BEGIN) {
    if (*depth == TEGULA_KIR_LIMIT_MAX_NESTING)
      return tegula_kir_fail(error, TEGULA_KIR_ERROR_LIMIT, inst->word, inst->opcode, "regions nest deeper than %u",
                             (unsigned)TEGULA_KIR_LIMIT_MAX_NESTING);
    stack[(*depth)++] = index;
  } else if (traits & TEGULA_KIR_TRAIT_REGION_ELSE) {
    uint32_t wanted = inst->opcode == TEGULA_KIR_OP_CF_ELSE ? TEGULA_KIR_OP_CF_IF : TEGULA_KIR_OP_CF_WHILE;
    if (*depth == 0 || m->insts[stack[*depth - 1]].opcode != wanted || m->insts[stack[*depth - 1]].match)
      return tegula_kir_fail(error, TEGULA_KIR_ERROR_STRUCTURE, inst->word, inst->opcode, "%s does not belong to a %s",
                             tegula_kir_opcode_name(inst->opcode), tegula_kir_opcode_name(wanted));
    m->insts[stack[*depth - 1]].match = index;
  } else if (traits & TEGULA_KIR_TRAIT_REGION_END) {
    tegula_kir_inst_t *begin;
    if (*depth == 0)
      return tegula_kir_fail(error, TEGULA_KIR_ERROR_STRUCTURE, inst->word, inst->opcode, "cf.end ends nothing");
    begin = &m->insts[stack[--*depth]];
    inst->match = stack[*depth];
    begin->end = index;
    if (begin->match)
      m->insts[begin->match].match = index;
    else if (begin->opcode == TEGULA_KIR_OP_CF_WHILE)
      return tegula_kir_fail(error, TEGULA_KIR_ERROR_STRUCTURE, begin->word, begin->opcode, "cf.while has no cf.do");
    else
      begin->match = index;
  }
  return TEGULA_KIR_OK;
}

/* Second walk: ids, functions, regions. */
static int32_t define_all(module_storage_t *m, tegula_kir_error_t *error) {
  tegula_kir_module_t *module = &m->public_part;
  tegula_kir_function_t *function = NULL;
  uint32_t stack[TEGULA_KIR_LIMIT_MAX_NESTING], depth = 0, loc = 0, at = HEADER_WORDS, i;
  int32_t status = TEGULA_KIR_OK;
  while (at < module->word_count && !status) {
    const tegula_kir_inst_info_t *info = tegula_kir_find_inst(m->words[at] & 0xffff);
    tegula_kir_inst_t *inst = &m->insts[module->inst_count];
    if (!info) {
      at += m->words[at] >> 16;
      continue;
    }
    inst->opcode = info->opcode;
    inst->word = at;
    inst->word_count = m->words[at] >> 16;
    at += inst->word_count;
    inst->loc = loc;
    i = module->inst_count++;
    if ((info->inst_class == TEGULA_KIR_CLASS_OP || info->inst_class == TEGULA_KIR_CLASS_CONTROL) && !function)
      return tegula_kir_fail(error, TEGULA_KIR_ERROR_STRUCTURE, inst->word, inst->opcode, "%s stands outside a function", info->name);
    if ((info->inst_class == TEGULA_KIR_CLASS_TYPE || info->inst_class == TEGULA_KIR_CLASS_MODULE) && function)
      return tegula_kir_fail(error, TEGULA_KIR_ERROR_STRUCTURE, inst->word, inst->opcode, "%s stands inside a function", info->name);
    /* Names and places may stand between parameters; the body begins after them. */
    if (info->inst_class == TEGULA_KIR_CLASS_DEBUG && function && function->first == i)
      function->first = i + 1;
    switch (info->opcode) {
    case TEGULA_KIR_OP_DEBUG_STRING:
      status = define(m, inst, m->words[inst->word + 1], TEGULA_KIR_ID_STRING, i, error);
      break;
    case TEGULA_KIR_OP_DEBUG_LOC: {
      tegula_kir_debug_loc_t v;
      tegula_kir_decode_debug_loc(module, inst, &v);
      /* Earlier places only, so that chains end. */
      if (m->ids[v.file].kind != TEGULA_KIR_ID_STRING || (v.inlined_at && m->ids[v.inlined_at].kind != TEGULA_KIR_ID_LOC))
        return tegula_kir_fail(error, TEGULA_KIR_ERROR_ID, inst->word, inst->opcode, "debug.loc refers to what is no earlier string or place");
      status = define(m, inst, v.results[0], TEGULA_KIR_ID_LOC, i, error);
      break;
    }
    case TEGULA_KIR_OP_DEBUG_LINE:
      loc = m->words[inst->word + 1];
      if (m->ids[loc].kind != TEGULA_KIR_ID_LOC)
        return tegula_kir_fail(error, TEGULA_KIR_ERROR_ID, inst->word, inst->opcode, "debug.line refers to what is no earlier place");
      break;
    case TEGULA_KIR_OP_MODULE_LAUNCH: {
      tegula_kir_module_launch_t v;
      tegula_kir_decode_module_launch(module, inst, &v);
      module->num_warps = v.num_warps;
      module->num_stages = v.num_stages;
      module->num_ctas = v.num_ctas;
      module->max_registers = v.max_registers;
      break;
    }
    case TEGULA_KIR_OP_FUNC_BEGIN: {
      tegula_kir_func_begin_t v;
      tegula_kir_decode_func_begin(module, inst, &v);
      if (function)
        return tegula_kir_fail(error, TEGULA_KIR_ERROR_STRUCTURE, inst->word, inst->opcode, "a function begins inside another");
      if (!is_type(m, v.type) || m->types[m->ids[v.type].index].kind != TEGULA_KIR_TYPE_FUNCTION)
        return tegula_kir_fail(error, TEGULA_KIR_ERROR_ID, inst->word, inst->opcode, "func.begin needs a function type");
      function = &m->functions[module->function_count];
      function->id = v.results[0];
      function->type = v.type;
      function->name = v.name;
      function->name_length = v.name_length;
      function->flags = v.flags;
      function->params = m->params + m->param_count;
      function->first = i + 1;
      status = define(m, inst, function->id, TEGULA_KIR_ID_FUNCTION, module->function_count++, error);
      break;
    }
    case TEGULA_KIR_OP_FUNC_PARAM: {
      tegula_kir_func_param_t v;
      tegula_kir_param_t *param = &m->params[m->param_count++];
      tegula_kir_decode_func_param(module, inst, &v);
      if (!function || function->first != i)
        return tegula_kir_fail(error, TEGULA_KIR_ERROR_STRUCTURE, inst->word, inst->opcode, "func.param stands right after func.begin alone");
      function->first = i + 1;
      function->param_count += 1;
      param->type = v.results[0];
      param->id = v.results[1];
      param->name = v.name;
      param->name_length = v.name_length;
      param->divisibility = v.divisibility;
      param->flags = v.flags;
      status = define_values(m, inst, info, error);
      break;
    }
    case TEGULA_KIR_OP_FUNC_END:
      if (!function || depth)
        return tegula_kir_fail(error, TEGULA_KIR_ERROR_STRUCTURE, inst->word, inst->opcode,
                               depth ? "a region is still open" : "func.end ends nothing");
      function->last = i;
      function = NULL;
      loc = 0;
      break;
    default:
      if (info->inst_class == TEGULA_KIR_CLASS_TYPE)
        status = add_type(m, inst, error);
      else if (info->inst_class == TEGULA_KIR_CLASS_OP || info->inst_class == TEGULA_KIR_CLASS_CONTROL) {
        status = define_values(m, inst, info, error);
        if (!status)
          status = match_region(m, i, info->traits, stack, &depth, error);
      }
    }
  }
  if (!status && function)
    return tegula_kir_fail(error, TEGULA_KIR_ERROR_STRUCTURE, module->word_count, 0, "the last function has no func.end");
  return status;
}

int32_t tegula_kir_read(const void *bytes, size_t size, const tegula_kir_allocator_t *allocator, tegula_kir_module_t **out,
                        tegula_kir_error_t *error) {
  module_storage_t *m;
  counts_t counts;
  uint32_t count;
  int32_t status;
  uint32_t *words;
  *out = NULL;
  if (size % 4)
    return tegula_kir_fail(error, TEGULA_KIR_ERROR_TRUNCATED, 0, 0, "the size is no multiple of four bytes");
  if (size / 4 > TEGULA_KIR_LIMIT_MAX_WORDS)
    return tegula_kir_fail(error, TEGULA_KIR_ERROR_LIMIT, 0, 0, "the file has more than %u words", (unsigned)TEGULA_KIR_LIMIT_MAX_WORDS);
  count = (uint32_t)(size / 4);
  words = tegula_kir_allocate(allocator, size);
  if (!words)
    return tegula_kir_fail(error, TEGULA_KIR_ERROR_MEMORY, 0, 0, "no memory");
  if (size)
    memcpy(words, bytes, size);
  status = check_header(words, count, error);
  if (!status)
    status = check_forms(words, count, &counts, error);
  if (status) {
    tegula_kir_release(allocator, words, size);
    return status;
  }
  m = tegula_kir_allocate(allocator, sizeof *m);
  if (!m) {
    tegula_kir_release(allocator, words, size);
    return tegula_kir_fail(error, TEGULA_KIR_ERROR_MEMORY, 0, 0, "no memory");
  }
  memset(m, 0, sizeof *m);
  if (allocator)
    m->allocator = *allocator;
  m->words = words;
  m->public_part.words = words;
  m->public_part.word_count = count;
  m->public_part.version = words[1];
  m->public_part.level = words[2];
  m->public_part.id_bound = words[3];
  m->param_count = counts.params; /* what free must give back; counted anew below */
  m->public_part.inst_count = counts.insts;
  m->public_part.type_count = counts.types;
  m->public_part.function_count = counts.functions;
#define ARRAY(FIELD, COUNT)                                                                                                                          \
  m->FIELD = tegula_kir_allocate(allocator, sizeof *m->FIELD * ((size_t)(COUNT) + 1));                                                               \
  if (m->FIELD)                                                                                                                                      \
  memset(m->FIELD, 0, sizeof *m->FIELD * ((size_t)(COUNT) + 1))
  ARRAY(ids, words[3]);
  ARRAY(types, counts.types);
  ARRAY(functions, counts.functions);
  ARRAY(params, counts.params);
  ARRAY(insts, counts.insts);
#undef ARRAY
  m->public_part.ids = m->ids;
  m->public_part.types = m->types;
  m->public_part.functions = m->functions;
  m->public_part.insts = m->insts;
  if (!m->ids || !m->types || !m->functions || !m->params || !m->insts) {
    tegula_kir_free(&m->public_part);
    return tegula_kir_fail(error, TEGULA_KIR_ERROR_MEMORY, 0, 0, "no memory");
  }
  m->public_part.inst_count = m->public_part.type_count = m->public_part.function_count = m->param_count = 0;
  status = define_all(m, error);
  m->param_count = counts.params;
  m->public_part.inst_count = counts.insts;
  m->public_part.type_count = counts.types;
  m->public_part.function_count = counts.functions;
  if (status) {
    tegula_kir_free(&m->public_part);
    return status;
  }
  *out = &m->public_part;
  return TEGULA_KIR_OK;
}

void tegula_kir_free(tegula_kir_module_t *module) {
  module_storage_t *m = (module_storage_t *)module;
  tegula_kir_allocator_t allocator;
  if (!m)
    return;
  allocator = m->allocator;
#define RELEASE(FIELD, COUNT) tegula_kir_release(&allocator, m->FIELD, sizeof *m->FIELD * ((size_t)(COUNT) + 1))
  RELEASE(ids, module->id_bound);
  RELEASE(types, module->type_count);
  RELEASE(functions, module->function_count);
  RELEASE(params, m->param_count);
  RELEASE(insts, module->inst_count);
#undef RELEASE
  tegula_kir_release(&allocator, m->words, (size_t)module->word_count * 4);
  tegula_kir_release(&allocator, m, sizeof *m);
}

void tegula_kir_inst_fields(const tegula_kir_module_t *module, const tegula_kir_inst_t *inst, const uint32_t **results, uint32_t *result_count,
                            tegula_kir_field_t *fields) {
  /* Forms were checked when the module was read. */
  (void)tegula_kir_split(tegula_kir_find_inst(inst->opcode), module->words + inst->word, inst->word_count, results, result_count, fields);
}

const tegula_kir_type_t *tegula_kir_get_type(const tegula_kir_module_t *module, uint32_t id) { return &module->types[module->ids[id].index]; }

const tegula_kir_type_t *tegula_kir_value_type(const tegula_kir_module_t *module, uint32_t value) {
  return tegula_kir_get_type(module, module->ids[value].index);
}

const tegula_kir_function_t *tegula_kir_get_function(const tegula_kir_module_t *module, uint32_t id) {
  return &module->functions[module->ids[id].index];
}

int tegula_kir_get_place(const tegula_kir_module_t *module, uint32_t loc, tegula_kir_place_t *out) {
  tegula_kir_debug_loc_t v;
  tegula_kir_debug_string_t file;
  if (loc == 0 || loc >= module->id_bound || module->ids[loc].kind != TEGULA_KIR_ID_LOC)
    return 0;
  tegula_kir_decode_debug_loc(module, &module->insts[module->ids[loc].inst], &v);
  tegula_kir_decode_debug_string(module, &module->insts[module->ids[v.file].inst], &file);
  out->file = file.text;
  out->file_length = file.text_length;
  out->line = v.line;
  out->column = v.column;
  out->end_column = v.end_column;
  out->inlined_at = v.inlined_at;
  return 1;
}
