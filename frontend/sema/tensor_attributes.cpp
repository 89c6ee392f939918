// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of tensors and of types.

#include "frontend/sema/known_modules.h"
#include "frontend/sema/language.h"
#include "frontend/sema/tensor_semantics.h"

namespace tegula::frontend::sema {

namespace {

Value shapeTuple(const Shape &shape) {
  std::vector<Value> items;
  for (int64_t d : shape)
    items.push_back(Value::integer(d));
  return Value::tuple(std::move(items));
}

Value bindMethod(const Value &self, std::string_view name, BuiltinFn fn) {
  auto method = std::make_shared<BoundMethodObject>();
  method->self = self;
  method->function = builtin("tensor." + std::string(name), fn);
  return Value::object(method);
}

/// Bits of the significand as the language counts them (without the hidden one).
int mantissaWidth(Scalar s) {
  switch (s) {
  case Scalar::Float64:
    return 52;
  case Scalar::Float32:
    return 23;
  case Scalar::Float16:
    return 10;
  case Scalar::BFloat16:
    return 7;
  case Scalar::Float8E4NV:
  case Scalar::Float8E4B8:
  case Scalar::Float8E4B15:
    return 3;
  default:
    return 2;
  }
}

struct TypeTest {
  std::string_view name;
  bool (*holds)(const Type &);
};
constexpr TypeTest kTests[] = {
    {"is_floating", [](const Type &t) { return t.isFloat(); }},
    {"is_standard_floating", [](const Type &t) { return t.isStandardFloat(); }},
    {"is_int", [](const Type &t) { return t.isInt(); }},
    {"is_int_signed", [](const Type &t) { return t.isSignedInt(); }},
    {"is_int_unsigned", [](const Type &t) { return t.isUnsignedInt(); }},
    {"is_bool", [](const Type &t) { return t.isBool(); }},
    {"is_ptr", [](const Type &t) { return t.isPointer(); }},
    {"is_block", [](const Type &t) { return t.isBlock(); }},
    {"is_const", [](const Type &t) { return t.isConst; }},
    {"is_void", [](const Type &t) { return t.isVoid(); }},
    {"is_fp8", [](const Type &t) { return t.isFp8(); }},
    {"is_fp8e4nv", [](const Type &t) { return t.is(Scalar::Float8E4NV); }},
    {"is_fp8e4b8", [](const Type &t) { return t.is(Scalar::Float8E4B8); }},
    {"is_fp8e4b15", [](const Type &t) { return t.is(Scalar::Float8E4B15); }},
    {"is_fp8e5", [](const Type &t) { return t.is(Scalar::Float8E5); }},
    {"is_fp8e5b16", [](const Type &t) { return t.is(Scalar::Float8E5B16); }},
    {"is_fp16", [](const Type &t) { return t.is(Scalar::Float16); }},
    {"is_bf16", [](const Type &t) { return t.is(Scalar::BFloat16); }},
    {"is_fp32", [](const Type &t) { return t.is(Scalar::Float32); }},
    {"is_fp64", [](const Type &t) { return t.is(Scalar::Float64); }},
    {"is_int1", [](const Type &t) { return t.is(Scalar::Int1); }},
    {"is_int8", [](const Type &t) { return t.is(Scalar::Int8); }},
    {"is_int16", [](const Type &t) { return t.is(Scalar::Int16); }},
    {"is_int32", [](const Type &t) { return t.is(Scalar::Int32); }},
    {"is_int64", [](const Type &t) { return t.is(Scalar::Int64); }},
    {"is_uint8", [](const Type &t) { return t.is(Scalar::UInt8); }},
    {"is_uint16", [](const Type &t) { return t.is(Scalar::UInt16); }},
    {"is_uint32", [](const Type &t) { return t.is(Scalar::UInt32); }},
    {"is_uint64", [](const Type &t) { return t.is(Scalar::UInt64); }},
};

template <size_t I> MaybeValue runTest(Evaluator &, const CallArgs &args) { return Value::boolean(kTests[I].holds(args.positional[0].asType())); }

template <size_t... I> BuiltinFn findTest(std::string_view name, std::index_sequence<I...>) {
  BuiltinFn found = nullptr;
  ((kTests[I].name == name ? void(found = runTest<I>) : void()), ...);
  return found;
}

Int intLimit(const Type &t, bool greatest) {
  unsigned bits = t.bitWidth();
  if (t.isSignedInt())
    return greatest ? (Int(1) << (bits - 1)) - 1 : -(Int(1) << (bits - 1));
  return greatest ? (Int(1) << bits) - 1 : Int(0);
}

template <bool Greatest> MaybeValue limitMethod(Evaluator &ev, const CallArgs &args) {
  const Type &t = args.positional[0].asType();
  if (!t.isInt())
    return ev.error(args.range, "F3120", "'" + t.str() + "' is no integer type");
  return Value::integer(intLimit(t, Greatest));
}

MaybeValue kindMethod(Evaluator &, const CallArgs &args) {
  const Type &t = args.positional[0].asType();
  return Value::integer(t.isBool() ? 0 : t.isInt() ? 1 : 2);
}

MaybeValue item(Evaluator &ev, const CallArgs &args) {
  const Tensor &t = args.positional[0].asTensor();
  if (t.type.elementCount() != 1)
    return ev.error(args.range, "F3121", "item() takes a tensor of one element, not of shape " + shapeText(t.type.shape));
  if (!t.type.isBlock())
    return Value::tensor(t);
  return Value::tensor(ev.builder().extractScalar(t.value), t.type.scalarType());
}

template <ast::BoolOpKind Op> MaybeValue logicalMethod(Evaluator &ev, const CallArgs &args) {
  if (args.positional.size() != 2)
    return ev.error(args.range, "F2301", "this method takes one argument");
  auto asBool = [&](const Value &v) -> std::optional<Tensor> {
    auto t = toTensor(ev, v, args.range);
    return t ? castTensor(ev, *t, Type(Scalar::Int1), args.range) : std::nullopt;
  };
  auto a = asBool(args.positional[0]), b = a ? asBool(args.positional[1]) : std::nullopt;
  if (!a || !b)
    return std::nullopt;
  return tensorBinary(ev, Op == ast::BoolOpKind::And ? ast::BinOpKind::BitAnd : ast::BinOpKind::BitOr, Value::tensor(*a), Value::tensor(*b),
                      args.range);
}

} // namespace

MaybeValue tensorAttribute(Evaluator &ev, const Value &object, std::string_view name) {
  if (object.is(Kind::BlockPointer)) {
    const auto &pointer = object.as<BlockPointerObject>();
    Type pointee = pointer.base.type.pointee();
    if (name == "type" || name == "dtype")
      return Value::type(name == "dtype" ? pointer.base.type : pointee.withShape(pointer.blockShape).pointerTo());
    if (name == "advance")
      return bindMethod(object, name, tensorMethod(name));
    return std::nullopt;
  }
  const Tensor &t = object.asTensor();
  if (name == "dtype")
    return Value::type(t.type.scalarType());
  if (name == "type")
    return Value::type(t.type);
  if (name == "shape")
    return shapeTuple(t.type.shape);
  if (name == "ndim")
    return Value::integer(static_cast<Int>(t.type.shape.size()));
  if (name == "numel")
    return Value::integer(t.type.elementCount());
  if (name == "handle")
    return Value::unknown("'handle' belongs to another compiler");
  if (name == "T") {
    if (t.type.shape.size() != 2)
      return std::nullopt;
    uint32_t order[] = {1, 0};
    return Value::tensor(ev.builder().transpose(t.value, order), t.type.withShape({t.type.shape[1], t.type.shape[0]}));
  }
  if (name == "item")
    return bindMethod(object, name, item);
  if (name == "logical_and")
    return bindMethod(object, name, logicalMethod<ast::BoolOpKind::And>);
  if (name == "logical_or")
    return bindMethod(object, name, logicalMethod<ast::BoolOpKind::Or>);
  if (name == "logical_not")
    return bindMethod(object, name, [](Evaluator &e, const CallArgs &args) -> MaybeValue {
      return tensorUnary(e, ast::UnaryOpKind::Not, args.positional[0].asTensor(), args.range);
    });
  if (BuiltinFn method = tensorMethod(name))
    return bindMethod(object, name, method);
  // Methods that the language's own library has.
  if (isLibraryMethod(name))
    if (MaybeValue function = languageFunction(ev, name)) {
      auto method = std::make_shared<BoundMethodObject>();
      method->self = object;
      method->function = *function;
      return Value::object(method);
    }
  return std::nullopt;
}

MaybeValue typeAttribute(Evaluator &, const Type &t, std::string_view name) {
  if (name == "scalar")
    return Value::type(t.scalarType());
  if (name == "element_ty")
    return Value::type(t.isBlock() ? t.scalarType() : t.isPointer() ? t.pointee() : t);
  if (name == "shape" && t.isBlock())
    return shapeTuple(t.shape);
  if (name == "numel" && t.isBlock())
    return Value::integer(t.elementCount());
  if (name == "name" || name == "__name__")
    return Value::string(t.str());
  if (name == "primitive_bitwidth" || name == "int_bitwidth")
    return Value::integer(t.bitWidth());
  if (name == "itemsize")
    return Value::integer(t.bitWidth() < 8 ? 1 : t.bitWidth() / 8);
  if (name == "fp_mantissa_width" && t.isFloat())
    return Value::integer(mantissaWidth(t.scalar));
  if (name == "address_space" && t.isPointer())
    return Value::integer(t.addressSpace);
  if (name == "int_signedness" && t.isInt())
    return Value::integer(t.isSignedInt());
  BuiltinFn method = findTest(name, std::make_index_sequence<std::size(kTests)>());
  if (name == "get_int_max_value")
    method = limitMethod<true>;
  if (name == "get_int_min_value")
    method = limitMethod<false>;
  if (name == "kind")
    method = kindMethod;
  return method ? MaybeValue(bindMethod(Value::type(t), name, method)) : std::nullopt;
}

} // namespace tegula::frontend::sema
