// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between element types.

#include "frontend/sema/tensor_semantics.h"

namespace tegula::frontend::sema {

namespace {

Tensor isNotZero(Evaluator &ev, const Tensor &t) {
  emit::TileBuilder &b = ev.builder();
  Type type = t.type;
  if (type.isFloat()) {
    emit::IrValue zero = b.constantFloat(type, 0.0);
    return {b.compare(emit::CmpOp::Une, t.value, zero), Type(Scalar::Int1).withShape(type.shape)};
  }
  return {b.compare(emit::CmpOp::Ne, t.value, b.constant(type, 0)), Type(Scalar::Int1).withShape(type.shape)};
}

} // namespace

std::optional<Tensor> bitcastTensor(Evaluator &ev, const Tensor &tensor, const Type &scalarType, ast::Range range) {
  Type from = tensor.type.scalarType(), to = scalarType.scalarType();
  if (from == to)
    return tensor;
  if (from.isPointer() != to.isPointer()) {
    if (from.isPointer() && to.isInt() && to.bitWidth() == 64)
      return Tensor{ev.builder().pointerToInt(tensor.value), to.withShape(tensor.type.shape)};
    if (to.isPointer() && from.isInt() && from.bitWidth() == 64)
      return Tensor{ev.builder().intToPointer(tensor.value, to), to.withShape(tensor.type.shape)};
  }
  if (from.bitWidth() != to.bitWidth())
    return ev.error(range, "F3109",
                    "a bitcast keeps the width: '" + from.str() + "' has " + std::to_string(from.bitWidth()) + " bits, '" + to.str() + "' has " +
                        std::to_string(to.bitWidth()));
  return Tensor{ev.builder().bitcast(tensor.value, to), to.withShape(tensor.type.shape)};
}

std::optional<Tensor> castTensor(Evaluator &ev, const Tensor &tensor, const Type &scalarType, ast::Range range, emit::Rounding rounding) {
  Type from = tensor.type.scalarType(), to = scalarType.scalarType();
  if (from.isPointer() && to.isPointer()) {
    if (from.scalar == to.scalar && from.pointerDepth == to.pointerDepth)
      return Tensor{tensor.value, to.withShape(tensor.type.shape)};
    return Tensor{ev.builder().bitcast(tensor.value, to), to.withShape(tensor.type.shape)};
  }
  if (from == to)
    return tensor;
  emit::TileBuilder &b = ev.builder();
  auto result = [&](emit::IrValue value) { return Tensor{value, to.withShape(tensor.type.shape)}; };
  if (from.is(Scalar::Float8E4B15) || to.is(Scalar::Float8E4B15))
    return ev.error(range, "F3201", "conversions of 'fp8e4b15' are not supported yet", "use fp8e5 or fp8e4nv");
  if (to.isVoid())
    return ev.error(range, "F3110", "nothing can be converted to 'void'");
  if (from.isPointer()) {
    if (to.isInt() && to.bitWidth() == 64)
      return result(b.pointerToInt(tensor.value));
    if (to.isBool())
      return isNotZero(ev, {b.pointerToInt(tensor.value), Type(Scalar::Int64).withShape(tensor.type.shape)});
    return ev.error(range, "F3110", "a pointer can be converted to a pointer, a 64-bit integer or a bool, not to '" + to.str() + "'");
  }
  if (to.isPointer()) {
    if (!from.isInt())
      return ev.error(range, "F3110", "'" + from.str() + "' cannot be converted to a pointer");
    auto wide = castTensor(ev, tensor, Type(Scalar::Int64), range);
    return wide ? std::optional<Tensor>(result(b.intToPointer(wide->value, to))) : std::nullopt;
  }
  if (to.isBool())
    return isNotZero(ev, tensor);
  if (from.isFloat() && to.isFloat())
    return result(b.floatToFloat(tensor.value, to, rounding));
  if (from.isInt() && to.isInt()) {
    if (from.bitWidth() == to.bitWidth())
      return result(tensor.value);
    return result(from.bitWidth() > to.bitWidth() ? b.truncateInt(tensor.value, to) : b.extendInt(tensor.value, to, from.isSignedInt()));
  }
  // fp8 has no conversions to and from integers of its own.
  if (from.isFp8() || to.isFp8()) {
    auto middle = castTensor(ev, tensor, Type(Scalar::Float32), range);
    return middle ? castTensor(ev, *middle, to, range, rounding) : std::nullopt;
  }
  if (from.isFloat())
    return result(b.floatToInt(tensor.value, to, to.isSignedInt()));
  return result(b.intToFloat(tensor.value, to, from.isSignedInt()));
}

} // namespace tegula::frontend::sema
