/* SPDX-FileCopyrightText: The Tegula authors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Types of the tile instructions, by family.
 */
#include "sdk/kir/verify_internal.h"

/* The one typed result that most instructions have. */
static type_t result_type(const checker_t *c) { return type_by_id(c, c->module->words[c->inst->word + 1]); }
/* First id field after a single typed result. */
static uint32_t field_word(const checker_t *c, uint32_t index) { return c->module->words[c->inst->word + 3 + index]; }

static int32_t check_constant(checker_t *c) {
  tegula_kir_const_t v;
  type_t t = element_of(c, result_type(c));
  tegula_kir_decode_const(c->module, c->inst, &v);
  REQUIRE(c, t->width == 64 || (v.bits >> t->width) == 0, "the bits do not fit the element type");
  return TEGULA_KIR_OK;
}

static int32_t check_cast(checker_t *c) {
  type_t to = result_type(c), from = type_of(c, field_word(c, 0)), t = element_of(c, to), f = element_of(c, from);
  REQUIRE(c, tegula_kir_same_shape(to, from), "operand and result differ in shape");
  switch (c->inst->opcode) {
  case TEGULA_KIR_OP_TRUNCI:
    REQUIRE(c, is_int(t) && is_int(f) && t->width < f->width, "expected a narrower integer");
    break;
  case TEGULA_KIR_OP_EXTSI:
  case TEGULA_KIR_OP_EXTUI:
    REQUIRE(c, is_int(t) && is_int(f) && t->width > f->width, "expected a wider integer");
    break;
  case TEGULA_KIR_OP_SITOFP:
  case TEGULA_KIR_OP_UITOFP:
    REQUIRE(c, is_float(t) && is_int(f), "expected integer to float");
    break;
  case TEGULA_KIR_OP_FPTOSI:
  case TEGULA_KIR_OP_FPTOUI:
    REQUIRE(c, is_int(t) && is_float(f), "expected float to integer");
    break;
  case TEGULA_KIR_OP_BITCAST:
    REQUIRE(c, t->width == f->width && is_pointer(t) == is_pointer(f), "expected a type of the same width");
    break;
  case TEGULA_KIR_OP_PTRTOINT:
    REQUIRE(c, is_int(t) && t->width == 64 && is_pointer(f), "expected pointer to i64");
    break;
  case TEGULA_KIR_OP_INTTOPTR:
    REQUIRE(c, is_pointer(t) && is_int(f) && f->width == 64, "expected i64 to pointer");
    break;
  default: /* fpcast */
    REQUIRE(c, is_float(t) && is_float(f), "expected float to float");
  }
  return TEGULA_KIR_OK;
}

int32_t tegula_kir_verify_elementwise(checker_t *c) {
  const tegula_kir_inst_info_t *info = tegula_kir_find_inst(c->inst->opcode);
  type_t result = result_type(c), element = element_of(c, result);
  uint32_t opcode = c->inst->opcode, i, operands = 0;
  switch (opcode) {
  case TEGULA_KIR_OP_CONST:
    return check_constant(c);
  case TEGULA_KIR_OP_ARANGE: {
    tegula_kir_arange_t v;
    tegula_kir_decode_arange(c->module, c->inst, &v);
    REQUIRE(c, is_int(element) && element->width == 32 && result->rank == 1, "the result is a 1-D tensor of i32");
    REQUIRE(c, v.end > v.start && (int64_t)v.end - v.start == (int64_t)result->shape[0], "the bounds do not fit the result");
    return TEGULA_KIR_OK;
  }
  case TEGULA_KIR_OP_PROGRAM_ID:
  case TEGULA_KIR_OP_NUM_PROGRAMS:
    REQUIRE(c, is_int(result) && result->width == 32, "the result is an i32 scalar");
    REQUIRE(c, field_word(c, 0) < 3, "the axis is 0, 1 or 2");
    return TEGULA_KIR_OK;
  case TEGULA_KIR_OP_POISON:
    return TEGULA_KIR_OK;
  case TEGULA_KIR_OP_SELECT: {
    type_t condition = type_of(c, field_word(c, 0));
    REQUIRE(c, is_bool(element_of(c, condition)), "the condition is no i1");
    REQUIRE(c, condition->rank == 0 || tegula_kir_same_shape(condition, result), "the condition has another shape");
    REQUIRE(c,
            tegula_kir_same_type(c->module, type_of(c, field_word(c, 1)), result) &&
                tegula_kir_same_type(c->module, type_of(c, field_word(c, 2)), result),
            "operands and result differ in type");
    return TEGULA_KIR_OK;
  }
  case TEGULA_KIR_OP_CMPI:
  case TEGULA_KIR_OP_CMPF:
  case TEGULA_KIR_OP_CLASSIFY: {
    type_t operand = type_of(c, field_word(c, 0)), e = element_of(c, operand);
    REQUIRE(c, is_bool(element) && tegula_kir_same_shape(operand, result), "the result is i1 of the operand's shape");
    REQUIRE(c, opcode == TEGULA_KIR_OP_CMPI ? is_int(e) || is_pointer(e) : is_float(e), "operands are of the wrong kind");
    if (opcode != TEGULA_KIR_OP_CLASSIFY)
      REQUIRE(c, tegula_kir_same_type(c->module, operand, type_of(c, field_word(c, 1))), "operands differ in type");
    return TEGULA_KIR_OK;
  }
  default:
    break;
  }
  if (opcode >= TEGULA_KIR_OP_TRUNCI && opcode <= TEGULA_KIR_OP_FPCAST)
    return check_cast(c);
  for (i = 0; i < info->field_count; ++i)
    operands += info->fields[i].role == TEGULA_KIR_ROLE_VALUE;
  for (i = 0; i < operands; ++i)
    REQUIRE(c, tegula_kir_same_type(c->module, type_of(c, field_word(c, i)), result), "operands and result differ in type");
  if (info->traits & TEGULA_KIR_TRAIT_INTEGER)
    REQUIRE(c, is_int(element), "operands are no integers");
  if (info->traits & TEGULA_KIR_TRAIT_FLOAT)
    REQUIRE(c, is_float(element), "operands are no floats");
  if (opcode == TEGULA_KIR_OP_MATH1 || opcode == TEGULA_KIR_OP_MATH2) /* functions of two arguments have numbers from pow's on */
    REQUIRE(c, (field_word(c, operands) >= TEGULA_KIR_MATH_FUNCTION_POW) == (operands == 2), "the function takes another number of arguments");
  return TEGULA_KIR_OK;
}

int32_t tegula_kir_verify_shape(checker_t *c) {
  type_t result = result_type(c), operand;
  uint32_t i;
  if (c->inst->opcode == TEGULA_KIR_OP_SPLIT) {
    tegula_kir_split_t v;
    type_t half;
    tegula_kir_decode_split(c->module, c->inst, &v);
    operand = type_of(c, v.value);
    half = type_by_id(c, v.results[0]);
    REQUIRE(c, tegula_kir_same_type(c->module, half, type_by_id(c, v.results[2])), "the results differ in type");
    REQUIRE(c, operand->rank >= 1 && operand->shape[operand->rank - 1] == 2, "the last dimension is not 2");
    REQUIRE(c, half->rank + 1 == operand->rank && tegula_kir_same_type(c->module, element_of(c, half), element_of(c, operand)),
            "the results do not fit");
    for (i = 0; i < half->rank; ++i)
      REQUIRE(c, half->shape[i] == operand->shape[i], "the results do not fit");
    return TEGULA_KIR_OK;
  }
  operand = type_of(c, field_word(c, 0));
  REQUIRE(c, tegula_kir_same_type(c->module, element_of(c, operand), element_of(c, result)), "operand and result differ in element type");
  switch (c->inst->opcode) {
  case TEGULA_KIR_OP_SPLAT:
    REQUIRE(c, !is_tensor(operand) && is_tensor(result), "expected a scalar and a tensor");
    break;
  case TEGULA_KIR_OP_BROADCAST:
    REQUIRE(c, operand->rank == result->rank, "ranks differ");
    for (i = 0; i < result->rank; ++i)
      REQUIRE(c, operand->shape[i] == result->shape[i] || operand->shape[i] == 1, "a dimension that is not 1 changes");
    break;
  case TEGULA_KIR_OP_EXPAND_DIMS: {
    uint32_t axis = field_word(c, 1);
    REQUIRE(c, is_tensor(operand) && result->rank == operand->rank + 1 && axis < result->rank && result->shape[axis] == 1, "the result does not fit");
    for (i = 0; i < operand->rank; ++i)
      REQUIRE(c, operand->shape[i] == result->shape[i + (i >= axis)], "the result does not fit");
    break;
  }
  case TEGULA_KIR_OP_RESHAPE:
    REQUIRE(c, is_tensor(operand) && is_tensor(result) && operand->element_count == result->element_count, "the number of elements changes");
    break;
  case TEGULA_KIR_OP_TRANSPOSE: {
    tegula_kir_transpose_t v;
    uint32_t seen = 0;
    tegula_kir_decode_transpose(c->module, c->inst, &v);
    REQUIRE(c, v.permutation_count == operand->rank && result->rank == operand->rank, "one axis per dimension");
    for (i = 0; i < result->rank; ++i) {
      REQUIRE(c, v.permutation[i] < operand->rank && !(seen >> v.permutation[i] & 1), "this is no permutation");
      seen |= 1u << v.permutation[i];
      REQUIRE(c, result->shape[i] == operand->shape[v.permutation[i]], "the result does not fit");
    }
    break;
  }
  case TEGULA_KIR_OP_JOIN:
    REQUIRE(c, tegula_kir_same_type(c->module, operand, type_of(c, field_word(c, 1))), "operands differ in type");
    REQUIRE(c, result->rank == operand->rank + 1 && result->shape[result->rank - 1] == 2, "the result does not fit");
    for (i = 0; i < operand->rank; ++i)
      REQUIRE(c, operand->shape[i] == result->shape[i], "the result does not fit");
    break;
  case TEGULA_KIR_OP_CONCAT: {
    type_t other = type_of(c, field_word(c, 1));
    uint32_t axis = field_word(c, 2);
    REQUIRE(c, tegula_kir_same_type(c->module, element_of(c, other), element_of(c, result)), "operands differ in element type");
    REQUIRE(c, is_tensor(operand) && other->rank == operand->rank && result->rank == operand->rank && axis < result->rank, "ranks differ");
    for (i = 0; i < result->rank; ++i)
      REQUIRE(c,
              i == axis ? result->shape[i] == operand->shape[i] + other->shape[i]
                        : result->shape[i] == operand->shape[i] && result->shape[i] == other->shape[i],
              "the result does not fit");
    break;
  }
  case TEGULA_KIR_OP_EXTRACT_SCALAR:
    REQUIRE(c, operand->element_count == 1 && !is_tensor(result), "expected a tensor of one element and a scalar");
    break;
  default: { /* hint */
    tegula_kir_hint_t v;
    uint32_t rank = operand->rank ? operand->rank : 1;
    tegula_kir_decode_hint(c->module, c->inst, &v);
    REQUIRE(c, tegula_kir_same_type(c->module, operand, result), "operand and result differ in type");
    REQUIRE(c, (v.divisibility_count == 0 || v.divisibility_count == rank) && (v.contiguity_count == 0 || v.contiguity_count == rank) &&
                   (v.constancy_count == 0 || v.constancy_count == rank), "one value per dimension");
  }
  }
  return TEGULA_KIR_OK;
}

static int32_t check_mask(checker_t *c, uint32_t mask, type_t pointer) {
  if (mask)
    REQUIRE(c, is_bool(element_of(c, type_of(c, mask))) && tegula_kir_same_shape(type_of(c, mask), pointer),
            "the mask is no i1 of the pointer's shape");
  return TEGULA_KIR_OK;
}

/* `value` is what the pointer points to, in the pointer's shape. */
static int32_t check_access(checker_t *c, type_t pointer, type_t value) {
  type_t p = element_of(c, pointer);
  REQUIRE(c, is_pointer(p), "the address is no pointer");
  REQUIRE(c, tegula_kir_same_shape(pointer, value), "pointer and value differ in shape");
  REQUIRE(c, tegula_kir_same_type(c->module, type_by_id(c, p->element), element_of(c, value)), "the value is not what the pointer points to");
  return TEGULA_KIR_OK;
}

int32_t tegula_kir_verify_memory(checker_t *c) {
  int32_t status;
  switch (c->inst->opcode) {
  case TEGULA_KIR_OP_ADDPTR: {
    type_t result = result_type(c), offset = type_of(c, field_word(c, 1));
    REQUIRE(c, is_pointer(element_of(c, result)) && tegula_kir_same_type(c->module, result, type_of(c, field_word(c, 0))),
            "operand and result are one pointer type");
    REQUIRE(c, is_int(element_of(c, offset)) && tegula_kir_same_shape(offset, result), "the offset is no integer of the pointer's shape");
    return TEGULA_KIR_OK;
  }
  case TEGULA_KIR_OP_LOAD: {
    tegula_kir_load_t v;
    type_t pointer;
    tegula_kir_decode_load(c->module, c->inst, &v);
    pointer = type_of(c, v.pointer);
    if ((status = check_access(c, pointer, result_type(c))) || (status = check_mask(c, v.mask, pointer)))
      return status;
    if (v.other)
      REQUIRE(c, v.mask && tegula_kir_same_type(c->module, type_of(c, v.other), result_type(c)),
              "'other' has not the result's type, or there is no mask");
    return TEGULA_KIR_OK;
  }
  case TEGULA_KIR_OP_STORE: {
    tegula_kir_store_t v;
    tegula_kir_decode_store(c->module, c->inst, &v);
    status = check_access(c, type_of(c, v.pointer), type_of(c, v.value));
    return status ? status : check_mask(c, v.mask, type_of(c, v.pointer));
  }
  case TEGULA_KIR_OP_ATOMIC_RMW: {
    tegula_kir_atomic_rmw_t v;
    type_t e;
    tegula_kir_decode_atomic_rmw(c->module, c->inst, &v);
    if ((status = check_access(c, type_of(c, v.pointer), result_type(c))) || (status = check_mask(c, v.mask, type_of(c, v.pointer))))
      return status;
    REQUIRE(c, tegula_kir_same_type(c->module, type_of(c, v.value), result_type(c)), "value and result differ in type");
    e = element_of(c, result_type(c));
    if (v.operation == TEGULA_KIR_ATOMIC_OPERATION_FADD)
      REQUIRE(c, is_float(e), "fadd takes floats");
    else if (v.operation != TEGULA_KIR_ATOMIC_OPERATION_XCHG)
      REQUIRE(c, is_int(e), "the operation takes integers");
    return TEGULA_KIR_OK;
  }
  default: {
    tegula_kir_atomic_cas_t v;
    tegula_kir_decode_atomic_cas(c->module, c->inst, &v);
    if ((status = check_access(c, type_of(c, v.pointer), result_type(c))))
      return status;
    REQUIRE(c,
            tegula_kir_same_type(c->module, type_of(c, v.value), result_type(c)) &&
                tegula_kir_same_type(c->module, type_of(c, v.compare), result_type(c)),
            "operands and result differ in type");
    return TEGULA_KIR_OK;
  }
  }
}

static int32_t check_dot(checker_t *c) {
  tegula_kir_dot_t v;
  type_t a, b, r = result_type(c), ea, eb, er;
  uint32_t n;
  tegula_kir_decode_dot(c->module, c->inst, &v);
  a = type_of(c, v.lhs);
  b = type_of(c, v.rhs);
  n = r->rank;
  REQUIRE(c, (n == 2 || n == 3) && a->rank == n && b->rank == n, "ranks are not 2 or 3");
  REQUIRE(c, a->shape[n - 1] == b->shape[n - 2] && a->shape[n - 2] == r->shape[n - 2] && b->shape[n - 1] == r->shape[n - 1] &&
                 (n == 2 || (a->shape[0] == r->shape[0] && b->shape[0] == r->shape[0])), "shapes do not fit");
  REQUIRE(c, tegula_kir_same_type(c->module, type_of(c, v.accumulator), r), "accumulator and result differ in type");
  ea = element_of(c, a);
  eb = element_of(c, b);
  er = element_of(c, r);
  REQUIRE(c, (is_int(er) || is_float(er)) && ea->kind == eb->kind && ea->kind == er->kind && ea->width == eb->width && ea->width <= er->width,
          "element types do not fit");
  return TEGULA_KIR_OK;
}

/* reduce and scan: combine is (n elements, n elements) -> n elements. */
static int32_t check_fold(checker_t *c, const uint32_t *results, uint32_t result_count, uint32_t combine, const uint32_t *values, uint32_t count,
                          uint32_t axis, int keeps) {
  type_t f = type_by_id(c, tegula_kir_get_function(c->module, combine)->type), first;
  uint32_t i, d;
  REQUIRE(c, count && result_count == count && f->param_count == 2 * count && f->result_count == count, "operands, results and function do not fit");
  first = type_of(c, values[0]);
  REQUIRE(c, is_tensor(first) && axis < first->rank, "the axis is out of range");
  for (i = 0; i < count; ++i) {
    type_t value = type_of(c, values[i]), result = type_by_id(c, results[2 * i]), e = element_of(c, value);
    REQUIRE(c, tegula_kir_same_shape(value, first), "operands differ in shape");
    REQUIRE(c,
            tegula_kir_same_type(c->module, e, type_by_id(c, f->params[i])) &&
                tegula_kir_same_type(c->module, e, type_by_id(c, f->params[count + i])) &&
                tegula_kir_same_type(c->module, e, type_by_id(c, f->results[i])) && tegula_kir_same_type(c->module, e, element_of(c, result)),
            "element types do not fit the function");
    if (keeps) {
      REQUIRE(c, tegula_kir_same_shape(value, result), "results differ in shape");
      continue;
    }
    REQUIRE(c, result->rank + 1 == value->rank, "results have one dimension less");
    for (d = 0; d < result->rank; ++d)
      REQUIRE(c, result->shape[d] == value->shape[d + (d >= axis)], "results do not fit");
  }
  return TEGULA_KIR_OK;
}

int32_t tegula_kir_verify_collective(checker_t *c) {
  switch (c->inst->opcode) {
  case TEGULA_KIR_OP_DOT:
    return check_dot(c);
  case TEGULA_KIR_OP_REDUCE: {
    tegula_kir_reduce_t v;
    tegula_kir_decode_reduce(c->module, c->inst, &v);
    return check_fold(c, v.results, v.result_count, v.combine, v.values, v.values_count, v.axis, 0);
  }
  case TEGULA_KIR_OP_SCAN: {
    tegula_kir_scan_t v;
    tegula_kir_decode_scan(c->module, c->inst, &v);
    return check_fold(c, v.results, v.result_count, v.combine, v.values, v.values_count, v.axis, 1);
  }
  case TEGULA_KIR_OP_GATHER: {
    tegula_kir_gather_t v;
    type_t source, index, r = result_type(c);
    uint32_t i;
    tegula_kir_decode_gather(c->module, c->inst, &v);
    source = type_of(c, v.source);
    index = type_of(c, v.index);
    REQUIRE(c, is_int(element_of(c, index)) && tegula_kir_same_shape(index, r), "the index is no integer of the result's shape");
    REQUIRE(c, tegula_kir_same_type(c->module, element_of(c, source), element_of(c, r)) && source->rank == r->rank && v.axis < r->rank,
            "source and result do not fit");
    for (i = 0; i < r->rank; ++i)
      REQUIRE(c, i == v.axis || source->shape[i] == r->shape[i], "source and result do not fit");
    return TEGULA_KIR_OK;
  }
  case TEGULA_KIR_OP_HISTOGRAM: {
    tegula_kir_histogram_t v;
    type_t value, r = result_type(c);
    tegula_kir_decode_histogram(c->module, c->inst, &v);
    value = type_of(c, v.value);
    REQUIRE(c, value->rank == 1 && is_int(element_of(c, value)) && r->rank == 1 && is_int(element_of(c, r)) && element_of(c, r)->width == 32,
            "expected 1-D integers and 1-D i32 counts");
    return check_mask(c, v.mask, value);
  }
  case TEGULA_KIR_OP_PRINT: {
    tegula_kir_print_t v;
    tegula_kir_decode_print(c->module, c->inst, &v);
    REQUIRE(c, v.is_signed_count == v.values_count, "one signedness per value");
    return TEGULA_KIR_OK;
  }
  case TEGULA_KIR_OP_ASSERT: {
    tegula_kir_assert_t v;
    tegula_kir_decode_assert(c->module, c->inst, &v);
    REQUIRE(c, is_bool(element_of(c, type_of(c, v.condition))), "the condition is no i1");
    return check_mask(c, v.mask, type_of(c, v.condition));
  }
  case TEGULA_KIR_OP_ASSUME: {
    tegula_kir_assume_t v;
    tegula_kir_decode_assume(c->module, c->inst, &v);
    REQUIRE(c, is_bool(type_of(c, v.condition)), "the condition is no i1 scalar");
    return TEGULA_KIR_OK;
  }
  default:
    return TEGULA_KIR_OK;
  }
}
