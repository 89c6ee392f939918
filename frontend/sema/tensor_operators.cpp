// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's operators where a tensor takes part.

#include "frontend/sema/tensor_semantics.h"

namespace tegula::frontend::sema {

using ast::BinOpKind;
using ast::CmpOpKind;
using emit::BinaryOp;

namespace {

const char *symbol(BinOpKind op) {
  static constexpr const char *kSymbols[] = {"+", "-", "*", "@", "/", "%", "**", "<<", ">>", "|", "^", "&", "//"};
  return kSymbols[static_cast<int>(op)];
}

bool isPointerValue(const Value &v) { return v.isTensor() && v.asTensor().type.isPointer(); }

MaybeValue wrap(emit::IrValue value, const Type &type) { return Value::tensor(value, type); }

MaybeValue arithmetic(Evaluator &ev, BinOpKind op, const Value &lhs, const Value &rhs, ast::Range range) {
  auto operands = promote(ev, lhs, rhs, range);
  if (!operands)
    return std::nullopt;
  const auto &[a, b] = *operands;
  if (a.type.isFp8())
    return ev.error(range, "F3111", "arithmetic on '" + a.type.scalarType().str() + "' is not defined", "convert to float16 or float32 first");
  bool isFloat = a.type.isFloat();
  BinaryOp which = op == BinOpKind::Add ? (isFloat ? BinaryOp::AddF : BinaryOp::AddI)
                   : op == BinOpKind::Sub ? (isFloat ? BinaryOp::SubF : BinaryOp::SubI)
                                          : (isFloat ? BinaryOp::MulF : BinaryOp::MulI);
  return wrap(ev.builder().binary(which, a.value, b.value), a.type);
}

MaybeValue trueDivision(Evaluator &ev, const Value &lhs, const Value &rhs, ast::Range range) {
  auto operands = promote(ev, lhs, rhs, range, /*divOrMod=*/true);
  if (!operands)
    return std::nullopt;
  auto [a, b] = *operands;
  if (a.type.isInt()) {
    auto x = castTensor(ev, a, Type(Scalar::Float32), range), y = castTensor(ev, b, Type(Scalar::Float32), range);
    if (!x || !y)
      return std::nullopt;
    a = *x;
    b = *y;
  }
  return wrap(ev.builder().binary(BinaryOp::DivF, a.value, b.value), a.type);
}

MaybeValue floorDivision(Evaluator &ev, const Value &lhs, const Value &rhs, ast::Range range) {
  auto operands = promote(ev, lhs, rhs, range, /*divOrMod=*/true);
  if (!operands)
    return std::nullopt;
  const auto &[a, b] = *operands;
  if (!a.type.isInt())
    return ev.error(range, "F3112", "'//' takes integers, not '" + a.type.scalarType().str() + "'", "use '/' and tl.floor");
  return wrap(ev.builder().binary(a.type.isSignedInt() ? BinaryOp::DivSI : BinaryOp::DivUI, a.value, b.value), a.type);
}

MaybeValue modulo(Evaluator &ev, const Value &lhs, const Value &rhs, ast::Range range) {
  auto operands = promote(ev, lhs, rhs, range, /*divOrMod=*/true);
  if (!operands)
    return std::nullopt;
  const auto &[a, b] = *operands;
  BinaryOp op = a.type.isFloat() ? BinaryOp::RemF : a.type.isSignedInt() ? BinaryOp::RemSI : BinaryOp::RemUI;
  return wrap(ev.builder().binary(op, a.value, b.value), a.type);
}

MaybeValue bitwise(Evaluator &ev, BinOpKind op, const Value &lhs, const Value &rhs, ast::Range range) {
  auto operands = promote(ev, lhs, rhs, range);
  if (!operands)
    return std::nullopt;
  const auto &[a, b] = *operands;
  if (!a.type.isInt())
    return ev.error(range, "F3113", "'" + std::string(symbol(op)) + "' takes integers, not '" + a.type.scalarType().str() + "'");
  BinaryOp which = BinaryOp::AndI;
  switch (op) {
  case BinOpKind::BitOr:
    which = BinaryOp::OrI;
    break;
  case BinOpKind::BitXor:
    which = BinaryOp::XorI;
    break;
  case BinOpKind::LShift:
    which = BinaryOp::ShlI;
    break;
  case BinOpKind::RShift:
    which = a.type.isSignedInt() ? BinaryOp::ShrSI : BinaryOp::ShrUI;
    break;
  default:
    break;
  }
  return wrap(ev.builder().binary(which, a.value, b.value), a.type);
}

MaybeValue pointerArithmetic(Evaluator &ev, BinOpKind op, const Value &lhs, const Value &rhs, ast::Range range) {
  bool left = isPointerValue(lhs), right = isPointerValue(rhs);
  if (left && right)
    return ev.error(range, "F3107",
                    "two pointers cannot be " + std::string(op == BinOpKind::Add ? "added" : "combined with '" + std::string(symbol(op)) + "'"));
  if (op == BinOpKind::Add) {
    auto result = offsetPointer(ev, (left ? lhs : rhs).asTensor(), left ? rhs : lhs, range);
    return result ? MaybeValue(Value::tensor(*result)) : std::nullopt;
  }
  if (op == BinOpKind::Sub && left) {
    MaybeValue negated =
        rhs.isTensor() ? tensorUnary(ev, ast::UnaryOpKind::USub, rhs.asTensor(), range) : ev.unary(ast::UnaryOpKind::USub, rhs, range);
    auto result = negated ? offsetPointer(ev, lhs.asTensor(), *negated, range) : std::nullopt;
    return result ? MaybeValue(Value::tensor(*result)) : std::nullopt;
  }
  return ev.error(range, "F3107", "'" + std::string(symbol(op)) + "' does not take pointers");
}

} // namespace

std::optional<Tensor> offsetPointer(Evaluator &ev, const Tensor &pointer, const Value &offset, ast::Range range) {
  auto by = toTensor(ev, offset, range);
  if (!by)
    return std::nullopt;
  if (!by->type.isInt())
    return ev.error(range, "F3114", "the offset of a pointer is an integer, not '" + by->type.scalarType().str() + "'",
                    "convert it with .to(tl.int64)");
  if (by->type.isBool()) {
    by = castTensor(ev, *by, Type(Scalar::Int32), range);
    if (!by)
      return std::nullopt;
  }
  auto operands = broadcastPair(ev, pointer, *by, range);
  if (!operands)
    return std::nullopt;
  const auto &[p, o] = *operands;
  bool isUnsigned = o.type.isUnsignedInt() && o.type.bitWidth() < 64;
  return Tensor{ev.builder().addPointer(p.value, o.value, isUnsigned), p.type};
}

MaybeValue tensorBinary(Evaluator &ev, BinOpKind op, const Value &lhs, const Value &rhs, ast::Range range) {
  if (isPointerValue(lhs) || isPointerValue(rhs))
    return pointerArithmetic(ev, op, lhs, rhs, range);
  switch (op) {
  case BinOpKind::Add:
  case BinOpKind::Sub:
  case BinOpKind::Mult:
    return arithmetic(ev, op, lhs, rhs, range);
  case BinOpKind::Div:
    return trueDivision(ev, lhs, rhs, range);
  case BinOpKind::FloorDiv:
    return floorDivision(ev, lhs, rhs, range);
  case BinOpKind::Mod:
    return modulo(ev, lhs, rhs, range);
  case BinOpKind::Pow:
    return ev.error(range, "F3115", "'**' takes compile-time values alone", "use libdevice.pow, or multiply");
  case BinOpKind::MatMult:
    return ev.error(range, "F2217", "'@' is not part of the language", "use tl.dot");
  default:
    return bitwise(ev, op, lhs, rhs, range);
  }
}

MaybeValue tensorCompare(Evaluator &ev, CmpOpKind op, const Value &lhs, const Value &rhs, ast::Range range) {
  if (op == CmpOpKind::Is || op == CmpOpKind::IsNot) {
    bool same = lhs.isTensor() && rhs.isTensor() && lhs.asTensor().value == rhs.asTensor().value;
    return Value::boolean(same == (op == CmpOpKind::Is));
  }
  if (op == CmpOpKind::In || op == CmpOpKind::NotIn)
    return ev.error(range, "F2215", "'in' takes compile-time values alone");
  // None, strings and the like are never equal to a tensor.
  for (const Value *v : {&lhs, &rhs})
    if (v->isNone() && (op == CmpOpKind::Eq || op == CmpOpKind::NotEq))
      return Value::boolean(op == CmpOpKind::NotEq);
  std::optional<std::pair<Tensor, Tensor>> operands;
  if (isPointerValue(lhs) && isPointerValue(rhs))
    operands = broadcastPair(ev, lhs.asTensor(), rhs.asTensor(), range);
  else
    operands = promoteTensors(ev, lhs, rhs, range);
  if (!operands)
    return std::nullopt;
  auto [a, b] = *operands;
  if (a.type.isFp8()) { // exact in float32
    auto x = castTensor(ev, a, Type(Scalar::Float32), range), y = castTensor(ev, b, Type(Scalar::Float32), range);
    if (!x || !y)
      return std::nullopt;
    a = *x;
    b = *y;
  }
  using emit::CmpOp;
  bool isFloat = a.type.isFloat(), isSigned = a.type.isSignedInt();
  CmpOp which = CmpOp::Eq;
  switch (op) {
  case CmpOpKind::Eq:
    which = isFloat ? CmpOp::Oeq : CmpOp::Eq;
    break;
  case CmpOpKind::NotEq:
    which = isFloat ? CmpOp::Une : CmpOp::Ne;
    break;
  case CmpOpKind::Lt:
    which = isFloat ? CmpOp::Olt : isSigned ? CmpOp::Slt : CmpOp::Ult;
    break;
  case CmpOpKind::LtE:
    which = isFloat ? CmpOp::Ole : isSigned ? CmpOp::Sle : CmpOp::Ule;
    break;
  case CmpOpKind::Gt:
    which = isFloat ? CmpOp::Ogt : isSigned ? CmpOp::Sgt : CmpOp::Ugt;
    break;
  default:
    which = isFloat ? CmpOp::Oge : isSigned ? CmpOp::Sge : CmpOp::Uge;
  }
  return wrap(ev.builder().compare(which, a.value, b.value), Type(Scalar::Int1).withShape(a.type.shape));
}

MaybeValue tensorUnary(Evaluator &ev, ast::UnaryOpKind op, const Tensor &t, ast::Range range) {
  emit::TileBuilder &b = ev.builder();
  if (t.type.isPointer())
    return ev.error(range, "F3107", "this operation does not take pointers");
  switch (op) {
  case ast::UnaryOpKind::UAdd:
    return Value::tensor(t);
  case ast::UnaryOpKind::USub:
    if (t.type.isFp8())
      return ev.error(range, "F3111", "arithmetic on '" + t.type.scalarType().str() + "' is not defined", "convert to float16 or float32 first");
    if (t.type.isFloat())
      return wrap(b.unary(emit::UnaryOp::NegF, t.value), t.type);
    return wrap(b.binary(BinaryOp::SubI, b.constant(t.type, 0), t.value), t.type);
  case ast::UnaryOpKind::Invert:
    if (!t.type.isInt())
      return ev.error(range, "F3113", "'~' takes integers, not '" + t.type.scalarType().str() + "'");
    return wrap(b.binary(BinaryOp::XorI, t.value, b.constant(t.type, ~uint64_t(0))), t.type);
  case ast::UnaryOpKind::Not: {
    auto truth = castTensor(ev, t, Type(Scalar::Int1), range);
    return truth ? wrap(b.binary(BinaryOp::XorI, truth->value, b.constant(truth->type, 1)), truth->type) : std::nullopt;
  }
  }
  return std::nullopt;
}

MaybeValue tensorLogical(Evaluator &ev, ast::BoolOpKind op, const Value &lhs, const Value &rhs, ast::Range range) {
  auto asBool = [&](const Value &v) -> std::optional<Tensor> {
    auto t = toTensor(ev, v, range);
    return t ? castTensor(ev, *t, Type(Scalar::Int1), range) : std::nullopt;
  };
  auto a = asBool(lhs), b = a ? asBool(rhs) : std::nullopt;
  if (!a || !b)
    return std::nullopt;
  if (a->type.isBlock() || b->type.isBlock())
    ev.warning(range, "F3116", "'and' and 'or' of blocks work elementwise and evaluate both sides", "write '&' or '|'");
  auto operands = broadcastPair(ev, *a, *b, range);
  if (!operands)
    return std::nullopt;
  BinaryOp which = op == ast::BoolOpKind::And ? BinaryOp::AndI : BinaryOp::OrI;
  return wrap(ev.builder().binary(which, operands->first.value, operands->second.value), operands->first.type);
}

std::optional<Tensor> toCondition(Evaluator &ev, const Value &value, ast::Range range) {
  auto t = toTensor(ev, value, range);
  if (!t)
    return std::nullopt;
  if (t->type.isBlock()) {
    if (t->type.elementCount() != 1)
      return ev.error(range, "F3117", "the condition is a block of shape " + shapeText(t->type.shape) + "; a program takes one branch",
                      "select elements with tl.where, or reduce the condition to a scalar");
    t = Tensor{ev.builder().extractScalar(t->value), t->type.scalarType()};
  }
  return castTensor(ev, *t, Type(Scalar::Int1), range);
}

Tensor expandDim(Evaluator &ev, const Tensor &t, uint32_t axis) {
  if (!t.type.isBlock())
    return {ev.builder().splat(t.value, {1}), t.type.withShape({1})};
  Shape shape = t.type.shape;
  shape.insert(shape.begin() + axis, 1);
  return {ev.builder().expandDims(t.value, axis), t.type.withShape(std::move(shape))};
}

MaybeValue tensorSubscript(Evaluator &ev, const Tensor &tensor, const Value &index, ast::Range range) {
  std::vector<Value> items = index.is(Kind::Tuple) ? index.items() : std::vector<Value>{index};
  Tensor result = tensor;
  if (!tensor.type.isBlock() && items.empty())
    return Value::tensor(result);
  uint32_t axis = 0;
  for (const Value &item : items) {
    bool whole = item.is(Kind::Slice) && item.as<SliceObject>().lower.isNone() && item.as<SliceObject>().upper.isNone() &&
                 item.as<SliceObject>().step.isNone();
    if (item.isNone()) {
      result = expandDim(ev, result, axis++);
    } else if (whole && !tensor.type.isBlock()) {
      // A scalar has no dimension that ':' could mean; public kernels write it all the same.
    } else if (whole) {
      if (axis >= result.type.shape.size())
        return ev.error(range, "F3118", "more indices than the " + std::to_string(tensor.type.shape.size()) + " dimensions of the tensor");
      ++axis;
    } else if (item.is(Kind::Ellipsis) && items.size() == 1) {
      return Value::tensor(result);
    } else {
      return ev.error(range, "F3119", "a tensor's elements cannot be picked by index; only None and ':' stand in brackets",
                      "use masks, tl.where, tl.gather or a load");
    }
  }
  return Value::tensor(result);
}

} // namespace tegula::frontend::sema
