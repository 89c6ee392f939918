// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simple meanings of operators and of a few names of triton.language, for the evaluator's tests.
#include "frontend/sema/frame.h"
#include "frontend/sema/language.h"
#include "frontend/sema/tensor_semantics.h"

namespace tegula::frontend::emit {
IrValue recordOp(const std::string &text);
std::string valueName(IrValue value);
} // namespace tegula::frontend::emit

namespace tegula::frontend::sema {

namespace {
using emit::recordOp;

std::string name(const Tensor &tensor) { return emit::valueName(tensor.value); }
Value tensor(const std::string &text, const Type &type) { return Value::tensor(recordOp(text + " : " + type.spelling()), type); }

Type commonType(const Type &a, const Type &b) {
  Type type = a.isPointer() || (a.isFloat() && !b.isFloat())   ? a
              : b.isPointer() || (b.isFloat() && !a.isFloat()) ? b
              : a.bitWidth() >= b.bitWidth()                   ? a
                                                               : b;
  return type.withShape(a.isBlock() ? a.shape : b.shape);
}

/// Both operands as tensors; a number takes the other's type, floats over ints become fp32.
std::optional<std::pair<Tensor, Tensor>> operands(Evaluator &ev, const Value &lhs, const Value &rhs, ast::Range range) {
  auto one = [&](const Value &value, const Value &other) -> std::optional<Tensor> {
    if (!value.isNumber())
      return toTensor(ev, value, range);
    Type type = other.asTensor().type.scalarType();
    if (type.isPointer())
      type = Scalar::Int32;
    if (value.is(Kind::Float) && !type.isFloat())
      type = Scalar::Float32;
    return toTensorOfType(ev, value, type, range);
  };
  auto a = one(lhs, rhs), b = a ? one(rhs, lhs) : std::nullopt;
  return b ? std::optional(std::pair(*a, *b)) : std::nullopt;
}

MaybeValue programId(Evaluator &, const CallArgs &) { return tensor("program_id", Scalar::Int32); }
MaybeValue arange(Evaluator &, const CallArgs &args) {
  return tensor("arange", Type(Scalar::Int32, {static_cast<int64_t>(args.positional.at(1).asInt() - args.positional[0].asInt())}));
}
MaybeValue zeros(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "zeros", "shape, dtype", args);
  return bound ? MaybeValue(tensor("zeros", bound->type("dtype")->withShape(*bound->shape("shape")))) : std::nullopt;
}
MaybeValue load(Evaluator &, const CallArgs &args) {
  const Tensor &pointer = args.positional.at(0).asTensor();
  return tensor("load " + name(pointer), pointer.type.pointee().withShape(pointer.type.shape));
}
MaybeValue store(Evaluator &ev, const CallArgs &args) {
  auto value = toTensor(ev, args.positional.at(1), args.range);
  if (value)
    recordOp("store " + name(args.positional[0].asTensor()) + ", " + name(*value));
  return value ? MaybeValue(Value::none()) : std::nullopt;
}
MaybeValue range(Evaluator &ev, const CallArgs &args) {
  CallArgs bounds = args;
  bounds.keywords.clear();
  MaybeValue value = ev.call(*pythonBuiltin("range"), bounds);
  if (value)
    for (const auto &[key, option] : args.keywords)
      value->as<RangeObject>().options.emplace(key, option);
  return value;
}
MaybeValue staticRange(Evaluator &ev, const CallArgs &args) {
  MaybeValue value = range(ev, args);
  if (value)
    value->as<RangeObject>().isStatic = true;
  return value;
}
MaybeValue deviceAssert(Evaluator &ev, const CallArgs &args) {
  auto test = toTensor(ev, args.positional.at(0), args.range);
  recordOp("assert " + name(*test) + " " + ev.repr(args.positional.at(1)));
  return Value::none();
}
MaybeValue minimum(Evaluator &ev, const CallArgs &args) {
  auto both = operands(ev, args.positional.at(0), args.positional.at(1), args.range);
  return tensor("min " + name(both->first) + ", " + name(both->second), commonType(both->first.type, both->second.type));
}
MaybeValue wrap(Evaluator &, const CallArgs &args) { return args.positional.at(0).wrappedConstexpr(); }
MaybeValue convert(Evaluator &ev, const CallArgs &args) {
  auto result = castTensor(ev, args.positional.at(0).asTensor(), args.positional.at(1).asType(), args.range);
  return result ? MaybeValue(Value::tensor(*result)) : std::nullopt;
}
} // namespace

MaybeValue languageMember(ModuleLoader &, std::string_view module, std::string_view name) {
  if (module != "triton.language")
    return std::nullopt;
  static constexpr std::pair<std::string_view, BuiltinFn> kNames[] = {
      {"program_id", programId}, {"arange", arange}, {"zeros", zeros}, {"load", load}, {"store", store}, {"range", range},
      {"static_range", staticRange}, {"device_assert", deviceAssert}, {"minimum", minimum}, {"constexpr", wrap}};
  for (auto [known, fn] : kNames)
    if (known == name)
      return Value::builtin("triton.language." + std::string(name), fn);
  auto type = parseType(name);
  return type ? MaybeValue(Value::type(*type)) : std::nullopt;
}
bool isLanguageModule(std::string_view module) { return module == "triton.language" || module == "triton.language.extra"; }

std::vector<std::string> languageNames(std::string_view) { return {"arange", "load", "store"}; }
std::vector<std::string> tensorNames() { return {"dtype"}; }

std::optional<Tensor> toTensor(Evaluator &ev, const Value &value, ast::Range range) {
  if (value.isTensor())
    return value.asTensor();
  if (!value.isNumber())
    return ev.error(range, "F3100", "no tensor can be made of a value of type '" + typeNameOf(value) + "'");
  Type type = value.is(Kind::Bool) ? Scalar::Int1 : value.is(Kind::Float) ? Scalar::Float32 : Scalar::Int32;
  return toTensorOfType(ev, value, type, range);
}
std::optional<Tensor> toTensorOfType(Evaluator &ev, const Value &value, const Type &type, ast::Range) {
  return Tensor{recordOp(ev.repr(value) + " : " + type.spelling()), type};
}
std::optional<Tensor> castTensor(Evaluator &, const Tensor &value, const Type &type, ast::Range, emit::Rounding) {
  if (value.type.scalarType() == type)
    return value;
  Type result = type.withShape(value.type.shape);
  return Tensor{recordOp("cast " + name(value) + " : " + result.spelling()), result};
}
MaybeValue tensorBinary(Evaluator &ev, ast::BinOpKind op, const Value &lhs, const Value &rhs, ast::Range range) {
  auto both = operands(ev, lhs, rhs, range);
  return both ? MaybeValue(tensor(name(both->first) + " " + std::string(spelling(op)) + " " + name(both->second),
                                  commonType(both->first.type, both->second.type)))
              : std::nullopt;
}
MaybeValue tensorCompare(Evaluator &ev, ast::CmpOpKind op, const Value &lhs, const Value &rhs, ast::Range range) {
  auto both = operands(ev, lhs, rhs, range);
  if (!both)
    return std::nullopt;
  Type type(Scalar::Int1, commonType(both->first.type, both->second.type).shape);
  return tensor(name(both->first) + " " + std::string(spelling(op)) + " " + name(both->second), type);
}
MaybeValue tensorUnary(Evaluator &, ast::UnaryOpKind op, const Tensor &operand, ast::Range) {
  return tensor((op == ast::UnaryOpKind::Not ? "not " : "neg ") + name(operand), operand.type);
}
MaybeValue tensorLogical(Evaluator &ev, ast::BoolOpKind op, const Value &lhs, const Value &rhs, ast::Range range) {
  auto both = operands(ev, lhs, rhs, range);
  return both ? MaybeValue(tensor(name(both->first) + (op == ast::BoolOpKind::And ? " and " : " or ") + name(both->second), both->first.type))
              : std::nullopt;
}
MaybeValue tensorSubscript(Evaluator &ev, const Tensor &, const Value &, ast::Range range) { return ev.error(range, "F3100", "no subscripts here"); }
MaybeValue tensorAttribute(Evaluator &, const Value &value, std::string_view name) {
  if (name == "dtype")
    return Value::type(value.asTensor().type.scalarType());
  if (name != "to")
    return std::nullopt;
  auto method = std::make_shared<BoundMethodObject>();
  method->self = value;
  method->function = Value::builtin("triton.language.to", convert);
  return Value::object(std::move(method));
}
MaybeValue typeAttribute(Evaluator &, const Type &type, std::string_view name) {
  return name == "element_ty" ? MaybeValue(Value::type(type.pointee())) : std::nullopt;
}
std::optional<Tensor> toCondition(Evaluator &ev, const Value &value, ast::Range range) {
  auto condition = toTensor(ev, value, range);
  if (condition && condition->type.isBlock())
    return ev.error(range, "F3101", "a branch needs a scalar condition");
  return condition;
}

} // namespace tegula::frontend::sema
