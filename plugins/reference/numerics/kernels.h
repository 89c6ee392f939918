// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise arithmetic as plain loops over rows of elements. A kernel is chosen once, when a module is decoded; it
// neither allocates nor fails. `result` has the element kind that the instruction says, may not overlap the operands,
// and every row holds `n` elements. The selectors return null for a combination that does not exist.
#pragma once

#include "plugins/reference/numerics/formats.h"
#include "plugins/reference/numerics/kinds.h"

#include <cstddef>
#include <cstdint>

namespace tegula::plugins::reference {

using UnaryKernel = void (*)(void *result, const void *value, size_t n);
using BinaryKernel = void (*)(void *result, const void *lhs, const void *rhs, size_t n);
using TernaryKernel = void (*)(void *result, const void *a, const void *b, const void *c, size_t n);

/// KIR opcodes addi ... mulhsi, addf ... maximumf.
BinaryKernel integerBinaryKernel(uint32_t opcode, Kind kind);
BinaryKernel floatBinaryKernel(uint32_t opcode, Kind kind);

/// cmpi and cmpf; the result is i1. Pointers compare as unsigned i64.
BinaryKernel integerCompareKernel(uint32_t predicate, Kind kind);
BinaryKernel floatCompareKernel(uint32_t predicate, Kind kind);

/// absi; bits1 with its function.
UnaryKernel integerUnaryKernel(uint32_t opcode, Kind kind);
UnaryKernel bitFunctionKernel(uint32_t function, Kind kind);

/// negf, absf; classify with its test.
UnaryKernel floatUnaryKernel(uint32_t opcode, Kind kind);
UnaryKernel classifyKernel(uint32_t test, Kind kind);

/// fma, mul_add.
TernaryKernel floatTernaryKernel(uint32_t opcode, Kind kind);

/// trunci, extsi, extui, sitofp, uitofp, fptosi, fptoui.
UnaryKernel conversionKernel(uint32_t opcode, Kind from, Kind to);

/// math1 and math2 with their function.
UnaryKernel mathUnaryKernel(uint32_t function, Kind kind);
BinaryKernel mathBinaryKernel(uint32_t function, Kind kind);

/// result[i] = condition[i] ? onTrue[i] : onFalse[i] for elements of `width` bytes.
void selectElements(uint32_t width, void *result, const uint8_t *condition, const void *onTrue, const void *onFalse,
                    size_t n);

/// Fills a row with one element of `width` bytes.
void fillElements(uint32_t width, void *result, const void *element, size_t n);

/// Does any of the `n` floats hold NaN or infinity?
bool anyNonFinite(Kind kind, const void *values, size_t n);
/// Is element `index` NaN or infinite?
bool isNonFinite(Kind kind, const void *values, size_t index);

/// One matrix product: result[m][n] = accumulator[m][n] + sum over k of lhs[m][k] * rhs[k][n], all row-major. `result`
/// starts as a copy of the accumulator. Products and sums are rounded to the accumulator's kind and k ascends.
struct DotShape {
  uint32_t m, n, k;
  Kind lhs, rhs, accumulator;
  bool lhsSigned, rhsSigned; ///< of integer operands
  bool tf32;                 ///< cut f32 operands to tf32 first
};
/// True where `multiply` knows these kinds.
bool dotKindsExist(const DotShape &shape);
void multiply(const DotShape &shape, void *result, const void *lhs, const void *rhs);

} // namespace tegula::plugins::reference
