// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Python's operators and attributes mean on IR values: promotion, broadcasting, literals, pointer arithmetic. All errors
// are reported through the evaluator. Rules: docs/language.md.
#pragma once

#include "frontend/sema/evaluator.h"

namespace tegula::frontend::sema {

/// A compile-time number becomes a scalar tensor (int32, else int64, else uint64; float: float32, or float64 where the value does
/// not fit float32); a tensor stays. Anything else is an error.
std::optional<Tensor> toTensor(Evaluator &ev, const Value &value, ast::Range range);
/// A numeric literal as a constant of `type` (a literal operand that took over its partner's type).
std::optional<Tensor> toTensorOfType(Evaluator &ev, const Value &value, const Type &type, ast::Range range);
/// Conversion as `x.to(dtype)`: numeric, pointer bitcasts; checks legality.
std::optional<Tensor> castTensor(Evaluator &ev, const Tensor &tensor, const Type &scalarType, ast::Range range,
                                 emit::Rounding rounding = emit::Rounding::Rtne);
/// At least one operand is a tensor.
MaybeValue tensorBinary(Evaluator &ev, ast::BinOpKind op, const Value &lhs, const Value &rhs, ast::Range range);
MaybeValue tensorCompare(Evaluator &ev, ast::CmpOpKind op, const Value &lhs, const Value &rhs, ast::Range range);
/// Pointer plus offset in elements.
std::optional<Tensor> offsetPointer(Evaluator &ev, const Tensor &pointer, const Value &offset, ast::Range range);
/// The same bits as another type of the same width.
std::optional<Tensor> bitcastTensor(Evaluator &ev, const Tensor &tensor, const Type &scalarType, ast::Range range);
/// Inserts a dimension of size 1 (also into a scalar, which becomes a block).
Tensor expandDim(Evaluator &ev, const Tensor &tensor, uint32_t axis);
MaybeValue tensorUnary(Evaluator &ev, ast::UnaryOpKind op, const Tensor &operand, ast::Range range);
/// `and`/`or`/`not` where an operand is a tensor.
MaybeValue tensorLogical(Evaluator &ev, ast::BoolOpKind op, const Value &lhs, const Value &rhs, ast::Range range);
/// x[None, :], x[:, None], x[...]; anything else is a named error.
MaybeValue tensorSubscript(Evaluator &ev, const Tensor &tensor, const Value &index, ast::Range range);
/// .dtype .shape .type .T .numel and methods (as bound methods); nullopt without error where there is no such attribute.
MaybeValue tensorAttribute(Evaluator &ev, const Value &tensor, std::string_view name);
/// Attributes of dtypes, pointer and block types: .element_ty .scalar .shape .primitive_bitwidth .is_fp32() ...; as above.
MaybeValue typeAttribute(Evaluator &ev, const Type &type, std::string_view name);
/// The scalar i1 that a runtime `if`/`while` tests; an error for a block.
std::optional<Tensor> toCondition(Evaluator &ev, const Value &value, ast::Range range);
/// Both operands in their common type and shape (the promotion of arithmetic operators).
std::optional<std::pair<Tensor, Tensor>> promote(Evaluator &ev, const Value &lhs, const Value &rhs, ast::Range range, bool divOrMod = false,
                                                 bool allowPointers = false);
/// The same for comparisons and functions such as tl.maximum, to which a literal is a tensor of its own type, not of its partner's.
std::optional<std::pair<Tensor, Tensor>> promoteTensors(Evaluator &ev, const Value &lhs, const Value &rhs, ast::Range range, bool divOrMod = false);
/// The shape two shapes broadcast to; an error names the dimension.
std::optional<Shape> commonShape(Evaluator &ev, const Shape &a, const Shape &b, ast::Range range);
std::optional<std::pair<Tensor, Tensor>> broadcastPair(Evaluator &ev, const Tensor &a, const Tensor &b, ast::Range range);
std::optional<Tensor> broadcastTo(Evaluator &ev, const Tensor &tensor, const Shape &shape, ast::Range range);

} // namespace tegula::frontend::sema
