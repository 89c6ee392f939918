// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Literals as tensors, the common type of two operands, and broadcasting.

#include "frontend/sema/tensor_semantics.h"

#include <cmath>
#include <cstring>

namespace tegula::frontend::sema {

namespace {

constexpr Int pow2(unsigned n) { return Int(1) << n; }

/// The type a compile-time number has where nothing else decides: int32, uint32, int64, uint64 by range; float32, or float64 where
/// float32 cannot hold its magnitude.
std::optional<Type> literalType(const Value &value) {
  if (value.is(Kind::Bool))
    return Type(Scalar::Int1);
  if (value.is(Kind::Int)) {
    Int i = value.asInt();
    if (i >= -pow2(31) && i < pow2(31))
      return Type(Scalar::Int32);
    if (i >= 0 && i < pow2(32))
      return Type(Scalar::UInt32);
    if (i >= -pow2(63) && i < pow2(63))
      return Type(Scalar::Int64);
    if (i >= 0 && i < pow2(64))
      return Type(Scalar::UInt64);
    return std::nullopt;
  }
  double x = std::fabs(value.asFloat());
  bool fits = x == 0 || std::isinf(x) || std::isnan(x) || (x >= 0x1p-126 && x <= 0x1.fffffep127);
  return Type(fits ? Scalar::Float32 : Scalar::Float64);
}

/// bool, integer, float.
int kindOf(const Type &t) { return t.isBool() ? 0 : t.isInt() ? 1 : 2; }

struct Operand {
  Type type;
  bool isLiteral;
};

/// docs/language.md, "Promotion". Nullopt after an error.
std::optional<Type> commonType(Evaluator &ev, const Operand &a, const Operand &b, ast::Range range, bool divOrMod) {
  if (a.isLiteral != b.isLiteral) {
    const Type &literal = a.isLiteral ? a.type : b.type, &tensor = a.isLiteral ? b.type : a.type;
    if (tensor.isFp8())
      return ev.error(range, "F3101", "a number and a tensor of '" + tensor.scalarType().str() + "' have no common type",
                      "convert the tensor to float16 or float32 first");
    if (kindOf(literal) <= kindOf(tensor)) {
      if (divOrMod && (tensor.is(Scalar::Float16) || tensor.is(Scalar::BFloat16)))
        return Type(Scalar::Float32);
      return tensor.scalarType();
    }
  }
  auto either = [&](Scalar s) { return a.type.is(s) || b.type.is(s); };
  if (either(Scalar::Float64))
    return Type(Scalar::Float64);
  if (either(Scalar::Float32))
    return Type(Scalar::Float32);
  if (either(Scalar::Float16))
    return Type(divOrMod ? Scalar::Float32 : Scalar::Float16);
  if (either(Scalar::BFloat16))
    return Type(a.type.is(Scalar::BFloat16) && b.type.is(Scalar::BFloat16) && !divOrMod ? Scalar::BFloat16 : Scalar::Float32);
  if (a.type.isFp8() && b.type.isFp8())
    return a.type.scalar == b.type.scalar ? a.type.scalarType() : Type(Scalar::Float16);
  if (!a.type.isInt() || !b.type.isInt())
    return ev.error(range, "F3101", "operands of types '" + a.type.str() + "' and '" + b.type.str() + "' have no common type",
                    "convert one of them with .to(...)");
  if (divOrMod && a.type.isSignedInt() != b.type.isSignedInt())
    return ev.error(range, "F3102", "'/', '//' and '%' of '" + a.type.str() + "' and '" + b.type.str() + "' differ in signedness",
                    "convert one of them with .to(...)");
  return promoteIntegers(a.type.scalarType(), b.type.scalarType());
}

/// Rounds to the element type's bits; integers keep their low bits.
uint64_t literalBits(const Value &value, const Type &type) {
  return type.isBool() ? value.asInt() != 0 : static_cast<uint64_t>(static_cast<unsigned __int128>(value.asInt()));
}

} // namespace

std::optional<Tensor> toTensorOfType(Evaluator &ev, const Value &value, const Type &type, ast::Range range) {
  Type scalar = type.scalarType();
  if (value.isTensor())
    return castTensor(ev, value.asTensor(), scalar, range);
  if (!value.isNumber())
    return toTensor(ev, value, range);
  if (scalar.isFloat())
    return Tensor{ev.builder().constantFloat(scalar, value.asFloat()), scalar};
  if (scalar.isPointer())
    return ev.error(range, "F3103", "a number is no pointer");
  if (value.is(Kind::Float)) {
    if (scalar.isBool())
      return Tensor{ev.builder().constant(scalar, value.asFloat() != 0), scalar};
    return Tensor{ev.builder().constant(scalar, static_cast<uint64_t>(static_cast<int64_t>(value.asFloat()))), scalar};
  }
  uint64_t bits = literalBits(value, scalar);
  if (scalar.bitWidth() < 64)
    bits &= (uint64_t(1) << scalar.bitWidth()) - 1;
  return Tensor{ev.builder().constant(scalar, bits), scalar};
}

std::optional<Tensor> toTensor(Evaluator &ev, const Value &value, ast::Range range) {
  if (value.isTensor())
    return value.asTensor();
  if (value.isNumber()) {
    auto type = literalType(value);
    if (!type)
      return ev.error(range, "F3104", ev.repr(value) + " fits no integer type");
    return toTensorOfType(ev, value, *type, range);
  }
  if (value.is(Kind::BlockPointer))
    return ev.error(range, "F3105", "a block pointer can only be loaded from, stored to and advanced");
  if (value.isUnknown()) {
    ev.truth(value, range); // reports what is unknown
    return std::nullopt;
  }
  return ev.error(range, "F3105", "expected a tensor or a number, found " + (value.isNone() ? std::string("None") : ev.repr(value)));
}

std::optional<Tensor> broadcastTo(Evaluator &ev, const Tensor &tensor, const Shape &shape, ast::Range range) {
  if (tensor.type.shape == shape)
    return tensor;
  emit::TileBuilder &b = ev.builder();
  if (!tensor.type.isBlock())
    return Tensor{b.splat(tensor.value, shape), tensor.type.withShape(shape)};
  Shape from = tensor.type.shape;
  emit::IrValue value = tensor.value;
  auto bad = [&] {
    return ev.error(range, "F3106", "shape " + shapeText(tensor.type.shape) + " does not broadcast to " +
                                        shapeText(shape));
  };
  if (from.size() > shape.size())
    return bad();
  while (from.size() < shape.size()) {
    value = b.expandDims(value, 0);
    from.insert(from.begin(), 1);
  }
  for (size_t i = 0; i < shape.size(); ++i)
    if (from[i] != shape[i] && from[i] != 1)
      return bad();
  if (from != shape)
    value = b.broadcast(value, shape);
  return Tensor{value, tensor.type.withShape(shape)};
}

std::optional<Shape> commonShape(Evaluator &ev, const Shape &a, const Shape &b, ast::Range range) {
  Shape shape(std::max(a.size(), b.size()), 1);
  for (size_t i = 0; i < shape.size(); ++i) {
    int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1, y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1)
      return ev.error(range, "F3106",
                      "shapes " + shapeText(a) + " and " + shapeText(b) + " do not fit: dimension " + std::to_string(shape.size() - 1 - i) + " is " +
                          std::to_string(x) + " and " + std::to_string(y));
    shape[shape.size() - 1 - i] = std::max(x, y);
  }
  return shape;
}

std::optional<std::pair<Tensor, Tensor>> broadcastPair(Evaluator &ev, const Tensor &a, const Tensor &b, ast::Range range) {
  auto shape = commonShape(ev, a.type.shape, b.type.shape, range);
  if (!shape)
    return std::nullopt;
  auto x = broadcastTo(ev, a, *shape, range), y = broadcastTo(ev, b, *shape, range);
  if (!x || !y)
    return std::nullopt;
  return std::pair(*x, *y);
}

std::optional<std::pair<Tensor, Tensor>> promote(Evaluator &ev, const Value &lhs, const Value &rhs, ast::Range range, bool divOrMod,
                                                 bool allowPointers) {
  bool lhsLiteral = lhs.isNumber(), rhsLiteral = rhs.isNumber();
  auto typeOf = [&](const Value &v) -> std::optional<Type> {
    if (v.isTensor())
      return v.asTensor().type;
    if (v.isNumber())
      if (auto t = literalType(v))
        return t;
    toTensor(ev, v, range); // reports
    return std::nullopt;
  };
  auto a = typeOf(lhs), b = a ? typeOf(rhs) : std::nullopt;
  if (!a || !b)
    return std::nullopt;
  std::optional<Tensor> x, y;
  if (a->isPointer() || b->isPointer()) {
    if (!allowPointers)
      return ev.error(range, "F3107", "this operation does not take pointers ('" + a->str() + "' and '" + b->str() + "')");
    x = toTensor(ev, lhs, range);
    y = toTensor(ev, rhs, range);
  } else {
    auto type = commonType(ev, {*a, lhsLiteral}, {*b, rhsLiteral}, range, divOrMod);
    if (!type)
      return std::nullopt;
    for (const auto &[literal, value] : {std::pair(lhsLiteral, &lhs), std::pair(rhsLiteral, &rhs)}) {
      if (!literal || !type->isInt() || value->is(Kind::Float))
        continue;
      Int i = value->asInt();
      if (type->isUnsignedInt() && i < 0)
        return ev.error(range, "F3108", "an unsigned tensor ('" + type->str() + "') meets the negative number " + ev.repr(*value),
                        "convert one of them with .to(...)");
      Int top = type->isSignedInt() ? pow2(type->bitWidth() - 1) : pow2(type->bitWidth());
      if (i >= top || (type->isSignedInt() && i < -top))
        return ev.error(range, "F3104", ev.repr(*value) + " is out of range for type '" + type->str() + "'");
    }
    x = toTensorOfType(ev, lhs, *type, range);
    y = toTensorOfType(ev, rhs, *type, range);
  }
  if (!x || !y)
    return std::nullopt;
  return broadcastPair(ev, *x, *y, range);
}

std::optional<std::pair<Tensor, Tensor>> promoteTensors(Evaluator &ev, const Value &lhs, const Value &rhs, ast::Range range, bool divOrMod) {
  auto a = toTensor(ev, lhs, range), b = a ? toTensor(ev, rhs, range) : std::nullopt;
  return b ? promote(ev, Value::tensor(*a), Value::tensor(*b), range, divOrMod) : std::nullopt;
}

} // namespace tegula::frontend::sema
