/* SPDX-FileCopyrightText: The Tegula authors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Dominance, regions and calls. A value may be used after the instruction that defines it, inside the region that defines it and regions nested
 * in that; functions may be used anywhere, but not in circles.
 */
#include "sdk/kir/verify_internal.h"

#include <string.h>

int tegula_kir_same_type(const tegula_kir_module_t *module, type_t a, type_t b) {
  uint32_t i;
  if (a == b)
    return 1;
  if (a->kind != b->kind || a->width != b->width || a->format != b->format || a->space != b->space || a->rank != b->rank)
    return 0;
  for (i = 0; i < a->rank; ++i)
    if (a->shape[i] != b->shape[i])
      return 0;
  if (a->kind == TEGULA_KIR_TYPE_POINTER || a->kind == TEGULA_KIR_TYPE_TENSOR)
    return tegula_kir_same_type(module, tegula_kir_get_type(module, a->element), tegula_kir_get_type(module, b->element));
  return a->kind != TEGULA_KIR_TYPE_FUNCTION;
}

int tegula_kir_same_shape(type_t a, type_t b) {
  uint32_t i;
  if (a->rank != b->rank)
    return 0;
  for (i = 0; i < a->rank; ++i)
    if (a->shape[i] != b->shape[i])
      return 0;
  return 1;
}

/* An open region and the place where its values begin to be visible no longer. */
typedef struct open_region {
  uint32_t begin;  /* instruction: cf.if, cf.for, cf.while; or the function's first */
  uint32_t part;   /* instruction that begins its current part: `begin`, or its cf.else or cf.do */
  int32_t ended;   /* its terminator was seen */
} open_region_t;

typedef struct state {
  checker_t checker;
  const tegula_kir_function_t *function;
  open_region_t regions[TEGULA_KIR_LIMIT_MAX_NESTING + 1];
  uint32_t depth;
  uint32_t *parts; /* per instruction of the function: `part` of the innermost region that it stands in */
} state_t;

/* Is the definition in `def`, of the function, visible at `use`? It is where it stands before, in a part of a region that is still open. */
static int visible(const state_t *s, uint32_t def, uint32_t use) {
  uint32_t part, d;
  if (def >= use)
    return 0;
  part = s->parts[def - s->function->first];
  for (d = s->depth; d-- > 0;)
    if (s->regions[d].part == part)
      return 1;
  return 0;
}

static int32_t check_use(state_t *s, uint32_t at, uint32_t id) {
  checker_t *c = &s->checker;
  const tegula_kir_id_t *entry = &c->module->ids[id];
  uint32_t begin = c->module->ids[s->function->id].inst, i;
  if (entry->kind != TEGULA_KIR_ID_VALUE)
    return BAD(c, TEGULA_KIR_ERROR_ID, "%s: id %u is no value", c->name, (unsigned)id);
  if (entry->inst > begin && entry->inst < s->function->first) /* a parameter */
    return TEGULA_KIR_OK;
  if (entry->inst < s->function->first || entry->inst >= s->function->last)
    return BAD(c, TEGULA_KIR_ERROR_DOMINANCE, "%s: value %u belongs to another function", c->name, (unsigned)id);
  /* A region instruction's results are defined after it, its arguments inside it: which of both is `id`? */
  if (c->module->insts[entry->inst].end) {
    const tegula_kir_inst_t *def = &c->module->insts[entry->inst];
    const uint32_t *results;
    uint32_t count;
    tegula_kir_field_t fields[TEGULA_KIR_MAX_FIELDS];
    int is_result = 0;
    tegula_kir_inst_fields(c->module, def, &results, &count, fields);
    for (i = 0; i < count; ++i)
      is_result |= results[2 * i + 1] == id;
    if (is_result ? def->end >= at : at > def->end)
      return BAD(c, TEGULA_KIR_ERROR_DOMINANCE, "%s: value %u is not defined here", c->name, (unsigned)id);
    if (!is_result) {
      /* Arguments of the test of cf.while are not visible in its body. */
      if (def->opcode == TEGULA_KIR_OP_CF_WHILE && at > def->match)
        return BAD(c, TEGULA_KIR_ERROR_DOMINANCE, "%s: value %u is not defined here", c->name, (unsigned)id);
      return at > entry->inst ? TEGULA_KIR_OK : BAD(c, TEGULA_KIR_ERROR_DOMINANCE, "%s: value %u is not defined here", c->name, (unsigned)id);
    }
    /* Results: visible like a definition at the region's end. */
    if (visible(s, def->end, at))
      return TEGULA_KIR_OK;
    return BAD(c, TEGULA_KIR_ERROR_DOMINANCE, "%s: value %u is not defined here", c->name, (unsigned)id);
  }
  if (!visible(s, entry->inst, at))
    return BAD(c, TEGULA_KIR_ERROR_DOMINANCE, "%s: value %u is not defined here", c->name, (unsigned)id);
  return TEGULA_KIR_OK;
}

static int32_t check_roles(state_t *s, uint32_t at, const tegula_kir_inst_info_t *info) {
  checker_t *c = &s->checker;
  const uint32_t *results;
  uint32_t count, i, k;
  int32_t status;
  tegula_kir_field_t fields[TEGULA_KIR_MAX_FIELDS];
  tegula_kir_inst_fields(c->module, c->inst, &results, &count, fields);
  for (i = 0; i < count && info->typed; ++i)
    REQUIRE(c, type_by_id(c, results[2 * i])->kind != TEGULA_KIR_TYPE_FUNCTION, "a result cannot be a function");
  for (i = 0; i < info->field_count; ++i) {
    uint32_t role = info->fields[i].role, kind = info->fields[i].kind;
    if (kind != TEGULA_KIR_FIELD_ID && kind != TEGULA_KIR_FIELD_IDS && kind != TEGULA_KIR_FIELD_OPTIONAL_ID)
      continue;
    for (k = 0; k < fields[i].count; ++k) {
      uint32_t id = fields[i].words[k];
      if (id == 0)
        continue;
      if (role == TEGULA_KIR_ROLE_VALUE && (status = check_use(s, at, id)))
        return status;
      if (role == TEGULA_KIR_ROLE_FUNCTION && c->module->ids[id].kind != TEGULA_KIR_ID_FUNCTION)
        return BAD(c, TEGULA_KIR_ERROR_ID, "%s: id %u is no function", c->name, (unsigned)id);
    }
  }
  return TEGULA_KIR_OK;
}

/* Values against (type, id) pairs or against a list of type ids. */
static int32_t check_values(checker_t *c, const uint32_t *values, uint32_t count, const uint32_t *types, uint32_t type_count, uint32_t stride,
                            const char *what) {
  uint32_t i;
  REQUIRE(c, count == type_count, what);
  for (i = 0; i < count; ++i)
    REQUIRE(c, tegula_kir_same_type(c->module, type_of(c, values[i]), type_by_id(c, types[i * stride])), what);
  return TEGULA_KIR_OK;
}

/* What the yield in the current region must give. */
static int32_t check_yield(state_t *s, const uint32_t *values, uint32_t count) {
  checker_t *c = &s->checker;
  const tegula_kir_inst_t *owner = &c->module->insts[s->regions[s->depth - 1].begin];
  if (owner->opcode == TEGULA_KIR_OP_CF_IF) {
    tegula_kir_cf_if_t v;
    tegula_kir_decode_cf_if(c->module, owner, &v);
    return check_values(c, values, count, v.results, v.result_count, 2, "values do not fit the results of cf.if");
  }
  if (owner->opcode == TEGULA_KIR_OP_CF_FOR) {
    tegula_kir_cf_for_t v;
    tegula_kir_decode_cf_for(c->module, owner, &v);
    return check_values(c, values, count, v.iters, v.iters_count, 2, "values do not fit the carried values of cf.for");
  }
  if (owner->opcode == TEGULA_KIR_OP_CF_WHILE && owner->match < (uint32_t)(c->inst - c->module->insts)) {
    tegula_kir_cf_while_t v;
    tegula_kir_decode_cf_while(c->module, owner, &v);
    return check_values(c, values, count, v.before, v.before_count, 2, "values do not fit the arguments of cf.while");
  }
  return BAD(c, TEGULA_KIR_ERROR_STRUCTURE, "cf.yield does not end this region");
}

static int32_t check_control(state_t *s) {
  checker_t *c = &s->checker;
  const tegula_kir_module_t *m = c->module;
  const tegula_kir_inst_t *owner = s->depth ? &m->insts[s->regions[s->depth - 1].begin] : NULL;
  switch (c->inst->opcode) {
  case TEGULA_KIR_OP_FUNC_RETURN: {
    tegula_kir_func_return_t v;
    type_t f = type_by_id(c, s->function->type);
    tegula_kir_decode_func_return(m, c->inst, &v);
    if (s->depth != 1)
      return BAD(c, TEGULA_KIR_ERROR_STRUCTURE, "func.return stands inside a region");
    return check_values(c, v.values, v.values_count, f->results, f->result_count, 1, "values do not fit the function's results");
  }
  case TEGULA_KIR_OP_FUNC_CALL: {
    tegula_kir_func_call_t v;
    type_t f;
    uint32_t i;
    int32_t status;
    tegula_kir_decode_func_call(m, c->inst, &v);
    f = type_by_id(c, tegula_kir_get_function(m, v.callee)->type);
    status = check_values(c, v.args, v.args_count, f->params, f->param_count, 1, "arguments do not fit the function");
    REQUIRE(c, v.result_count == f->result_count, "the number of results does not fit the function");
    for (i = 0; i < v.result_count && !status; ++i)
      REQUIRE(c, tegula_kir_same_type(m, type_by_id(c, v.results[2 * i]), type_by_id(c, f->results[i])), "results do not fit the function");
    return status;
  }
  case TEGULA_KIR_OP_CF_IF: {
    tegula_kir_cf_if_t v;
    tegula_kir_decode_cf_if(m, c->inst, &v);
    REQUIRE(c, is_bool(type_of(c, v.condition)), "the condition is no i1 scalar");
    if (v.result_count && m->insts[c->inst->match].opcode != TEGULA_KIR_OP_CF_ELSE)
      return BAD(c, TEGULA_KIR_ERROR_STRUCTURE, "cf.if has results and no cf.else");
    return TEGULA_KIR_OK;
  }
  case TEGULA_KIR_OP_CF_FOR: {
    tegula_kir_cf_for_t v;
    type_t t;
    uint32_t i;
    tegula_kir_decode_cf_for(m, c->inst, &v);
    t = type_by_id(c, v.induction_type);
    REQUIRE(c, is_int(t) && t->width > 1, "the induction value is no integer");
    REQUIRE(c, tegula_kir_same_type(m, t, type_of(c, v.lower)) && tegula_kir_same_type(m, t, type_of(c, v.upper)) &&
                   tegula_kir_same_type(m, t, type_of(c, v.step)), "bounds and step are not of the induction value's type");
    REQUIRE(c, v.result_count == v.iters_count, "results and carried values differ in number");
    for (i = 0; i < v.result_count; ++i)
      REQUIRE(c, tegula_kir_same_type(m, type_by_id(c, v.results[2 * i]), type_by_id(c, v.iters[2 * i])),
              "results and carried values differ in type");
    return check_values(c, v.inits, v.inits_count, v.iters, v.iters_count, 2, "first values do not fit the carried values");
  }
  case TEGULA_KIR_OP_CF_WHILE: {
    tegula_kir_cf_while_t v;
    tegula_kir_decode_cf_while(m, c->inst, &v);
    return check_values(c, v.inits, v.inits_count, v.before, v.before_count, 2, "first values do not fit the test's arguments");
  }
  case TEGULA_KIR_OP_CF_CONDITION: {
    tegula_kir_cf_condition_t v;
    tegula_kir_cf_while_t w;
    tegula_kir_cf_do_t d;
    int32_t status;
    tegula_kir_decode_cf_condition(m, c->inst, &v);
    if (!owner || owner->opcode != TEGULA_KIR_OP_CF_WHILE || (uint32_t)(c->inst - m->insts) > owner->match)
      return BAD(c, TEGULA_KIR_ERROR_STRUCTURE, "cf.condition does not end the test of a cf.while");
    tegula_kir_decode_cf_while(m, owner, &w);
    tegula_kir_decode_cf_do(m, &m->insts[owner->match], &d);
    REQUIRE(c, is_bool(type_of(c, v.condition)), "the condition is no i1 scalar");
    status = check_values(c, v.values, v.values_count, w.results, w.result_count, 2, "values do not fit the results of cf.while");
    return status ? status : check_values(c, v.values, v.values_count, d.after, d.after_count, 2, "values do not fit the arguments of the body");
  }
  case TEGULA_KIR_OP_CF_YIELD: {
    tegula_kir_cf_yield_t v;
    tegula_kir_decode_cf_yield(m, c->inst, &v);
    if (!owner)
      return BAD(c, TEGULA_KIR_ERROR_STRUCTURE, "cf.yield stands outside a region");
    return check_yield(s, v.values, v.values_count);
  }
  default:
    return TEGULA_KIR_OK;
  }
}

static int32_t check_op(checker_t *c, const tegula_kir_inst_info_t *info) {
  switch (info->opcode) {
  case TEGULA_KIR_OP_ADDPTR:
    return tegula_kir_verify_memory(c);
  default:
    break;
  }
  if (info->opcode >= TEGULA_KIR_OP_LOAD && info->opcode <= TEGULA_KIR_OP_ATOMIC_CAS)
    return tegula_kir_verify_memory(c);
  if (info->opcode >= TEGULA_KIR_OP_DOT)
    return tegula_kir_verify_collective(c);
  if (info->opcode >= TEGULA_KIR_OP_SPLAT)
    return tegula_kir_verify_shape(c);
  return tegula_kir_verify_elementwise(c);
}

/* An if without results may leave out its yields. */
static int may_end_silently(const tegula_kir_module_t *m, uint32_t begin) {
  const tegula_kir_inst_t *inst = &m->insts[begin];
  return inst->opcode == TEGULA_KIR_OP_CF_IF && m->words[inst->word + 1] == 0;
}

/* `parts` has room for every instruction of the function. */
static int32_t verify_body(const tegula_kir_module_t *m, const tegula_kir_function_t *function, uint32_t *parts, tegula_kir_error_t *error) {
  state_t s;
  checker_t *c = &s.checker;
  uint32_t i;
  int32_t status;
  type_t f = tegula_kir_get_type(m, function->type);
  memset(&s, 0, sizeof s);
  c->module = m;
  c->error = error;
  s.function = function;
  s.parts = parts;
  c->inst = &m->insts[m->ids[function->id].inst];
  c->name = "func.begin";
  REQUIRE(c, f->param_count == function->param_count, "parameters do not fit the function's type");
  for (i = 0; i < f->param_count; ++i)
    REQUIRE(c, tegula_kir_same_type(m, type_by_id(c, f->params[i]), type_by_id(c, function->params[i].type)),
            "parameters do not fit the function's type");
  if (function->flags & TEGULA_KIR_FUNCTION_FLAGS_KERNEL)
    REQUIRE(c, f->result_count == 0, "a kernel has no results");
  s.regions[0].begin = s.regions[0].part = (uint32_t)(c->inst - m->insts);
  s.depth = 1;
  for (i = function->first; i < function->last; ++i) {
    const tegula_kir_inst_info_t *info;
    open_region_t *region = &s.regions[s.depth - 1];
    c->inst = &m->insts[i];
    info = tegula_kir_find_inst(c->inst->opcode);
    c->name = info->name;
    parts[i - function->first] = region->part;
    if (info->inst_class == TEGULA_KIR_CLASS_DEBUG)
      continue;
    if (info->traits & (TEGULA_KIR_TRAIT_REGION_ELSE | TEGULA_KIR_TRAIT_REGION_END)) {
      if (!region->ended && !may_end_silently(m, region->begin))
        return BAD(c, TEGULA_KIR_ERROR_STRUCTURE, "the region before %s has no terminator", info->name);
      region->ended = 0;
      region->part = i;
      /* Arguments of cf.do belong to the part that it begins; results of a region instruction are defined at its end, in the region around it. */
      if (info->traits & TEGULA_KIR_TRAIT_REGION_END)
        region = &s.regions[--s.depth - 1];
      parts[i - function->first] = region->part;
      continue;
    }
    if (region->ended)
      return BAD(c, TEGULA_KIR_ERROR_STRUCTURE, "%s stands after the end of its region", info->name);
    status = check_roles(&s, i, info);
    if (!status)
      status = info->inst_class == TEGULA_KIR_CLASS_OP ? check_op(c, info) : check_control(&s);
    if (status)
      return status;
    if (info->traits & TEGULA_KIR_TRAIT_TERMINATOR)
      region->ended = 1;
    if (info->traits & TEGULA_KIR_TRAIT_REGION_BEGIN) {
      s.regions[s.depth].begin = s.regions[s.depth].part = i;
      s.regions[s.depth++].ended = 0;
    }
  }
  if (!s.regions[0].ended)
    return BAD(c, TEGULA_KIR_ERROR_STRUCTURE, "the function has no func.return");
  return TEGULA_KIR_OK;
}

static int32_t verify_function(const tegula_kir_module_t *m, const tegula_kir_function_t *function, tegula_kir_error_t *error) {
  const tegula_kir_allocator_t *allocator = tegula_kir_module_allocator(m);
  size_t size = ((size_t)(function->last - function->first) + 1) * sizeof(uint32_t);
  uint32_t *parts = tegula_kir_allocate(allocator, size);
  int32_t status;
  if (!parts)
    return tegula_kir_fail(error, TEGULA_KIR_ERROR_MEMORY, 0, 0, "no memory");
  status = verify_body(m, function, parts, error);
  tegula_kir_release(allocator, parts, size);
  return status;
}

/* The function that an instruction uses, or null. */
static const tegula_kir_function_t *callee_of(const tegula_kir_module_t *m, const tegula_kir_inst_t *inst) {
  tegula_kir_func_call_t call;
  tegula_kir_reduce_t reduce;
  tegula_kir_scan_t scan;
  switch (inst->opcode) {
  case TEGULA_KIR_OP_FUNC_CALL:
    tegula_kir_decode_func_call(m, inst, &call);
    return tegula_kir_get_function(m, call.callee);
  case TEGULA_KIR_OP_REDUCE:
    tegula_kir_decode_reduce(m, inst, &reduce);
    return tegula_kir_get_function(m, reduce.combine);
  case TEGULA_KIR_OP_SCAN:
    tegula_kir_decode_scan(m, inst, &scan);
    return tegula_kir_get_function(m, scan.combine);
  default:
    return NULL;
  }
}

/* A walk over the calls, without recursion of its own. Every instruction is looked at once. */
typedef struct call_walk {
  uint32_t next;   /* instruction to look at next; 0 where the function was not entered */
  uint32_t caller; /* index of the function that the walk came from, or its own */
  uint32_t open;   /* it stands on the path from the walk's start */
} call_walk_t;

static int32_t walk_calls(const tegula_kir_module_t *m, call_walk_t *walk, uint32_t start, tegula_kir_error_t *error) {
  uint32_t f = start;
  walk[f].next = m->functions[f].first;
  walk[f].caller = f;
  walk[f].open = 1;
  for (;;) {
    const tegula_kir_inst_t *inst;
    const tegula_kir_function_t *callee;
    uint32_t g;
    if (walk[f].next >= m->functions[f].last) {
      walk[f].open = 0;
      if (f == start)
        return TEGULA_KIR_OK;
      f = walk[f].caller;
      continue;
    }
    inst = &m->insts[walk[f].next++];
    callee = callee_of(m, inst);
    if (!callee)
      continue;
    g = (uint32_t)(callee - m->functions);
    if (walk[g].open)
      return tegula_kir_fail(error, TEGULA_KIR_ERROR_RECURSION, inst->word, inst->opcode, "functions call each other in a circle");
    if (walk[g].next)
      continue;
    walk[g].next = callee->first;
    walk[g].caller = f;
    walk[g].open = 1;
    f = g;
  }
}

static int32_t check_recursion(const tegula_kir_module_t *m, tegula_kir_error_t *error) {
  const tegula_kir_allocator_t *allocator = tegula_kir_module_allocator(m);
  size_t size = ((size_t)m->function_count + 1) * sizeof(call_walk_t);
  call_walk_t *walk = tegula_kir_allocate(allocator, size);
  int32_t status = TEGULA_KIR_OK;
  uint32_t f;
  if (!walk)
    return tegula_kir_fail(error, TEGULA_KIR_ERROR_MEMORY, 0, 0, "no memory");
  memset(walk, 0, size);
  for (f = 0; f < m->function_count && !status; ++f)
    if (!walk[f].next)
      status = walk_calls(m, walk, f, error);
  tegula_kir_release(allocator, walk, size);
  return status;
}

int32_t tegula_kir_verify(const tegula_kir_module_t *module, tegula_kir_error_t *error) {
  uint32_t f;
  int32_t status = TEGULA_KIR_OK;
  for (f = 0; f < module->function_count && !status; ++f)
    status = verify_function(module, &module->functions[f], error);
  return status ? status : check_recursion(module, error);
}
