// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematics of the language itself; device libraries are in libdevice.cpp.

#include "frontend/sema/builtins/families.h"

namespace tegula::frontend::sema {

namespace {

using emit::BinaryOp;

/// tl.PropagateNan as the language's constants are here: its members are strings.
std::optional<bool> propagateNan(Evaluator &ev, const BoundArgs &args) {
  const Value &value = args["propagate_nan"];
  if (value.isNone())
    return false;
  auto text = args.string("propagate_nan");
  if (!text)
    return std::nullopt;
  if (*text == "ALL" || *text == "NONE")
    return *text == "ALL";
  return ev.error(args.range("propagate_nan"), "F3501", "propagate_nan is tl.PropagateNan.ALL or tl.PropagateNan.NONE");
}

bool requireFloat(Evaluator &ev, const Tensor &t, std::string_view name, bool only32, ast::Range range) {
  if (t.type.is(Scalar::Float32) || (!only32 && t.type.is(Scalar::Float64)))
    return true;
  ev.error(range, "F3502", "'" + std::string(name) + "' takes " + (only32 ? "fp32" : "fp32 or fp64") + ", not '" + t.type.scalarType().str() + "'",
           "convert the argument with .to(tl.float32)");
  return false;
}

/// `Function` is a name of KIR's math_function.
template <Name Function, bool Only32 = false> MaybeValue transcendental(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, Function.text, "x", args);
  auto x = bound ? tensorArg(ev, *bound, "x") : std::nullopt;
  if (!x || !requireFloat(ev, *x, Function.text, Only32, bound->range("x")))
    return std::nullopt;
  emit::IrValue operand[] = {x->value};
  return Value::tensor(ev.builder().math(Function.text, operand), x->type);
}

template <emit::UnaryOp Op> MaybeValue rounding(Evaluator &ev, const CallArgs &args) {
  std::string_view name = Op == emit::UnaryOp::Floor ? "floor" : "ceil";
  auto bound = BoundArgs::bind(ev, name, "x", args);
  auto x = bound ? tensorArg(ev, *bound, "x") : std::nullopt;
  if (!x || !requireFloat(ev, *x, name, false, bound->range("x")))
    return std::nullopt;
  return Value::tensor(ev.builder().unary(Op, x->value), x->type);
}

MaybeValue absolute(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "abs", "x", args);
  auto x = bound ? tensorArg(ev, *bound, "x") : std::nullopt;
  if (!x)
    return std::nullopt;
  if (x->type.isPointer())
    return ev.error(bound->range("x"), "F3107", "'abs' does not take pointers");
  if (x->type.isUnsignedInt())
    return Value::tensor(*x);
  return Value::tensor(ev.builder().unary(x->type.isFloat() ? emit::UnaryOp::AbsF : emit::UnaryOp::AbsI, x->value), x->type);
}

std::optional<Tensor> widenBf16(Evaluator &ev, const Tensor &t, ast::Range range) {
  return t.type.is(Scalar::BFloat16) ? castTensor(ev, t, Type(Scalar::Float32), range) : t;
}

template <bool Max> MaybeValue extremum(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, Max ? "maximum" : "minimum", "x, y, propagate_nan=None", args);
  auto nan = bound ? propagateNan(ev, *bound) : std::nullopt;
  if (!nan)
    return std::nullopt;
  Value x = (*bound)["x"], y = (*bound)["y"];
  for (Value *v : {&x, &y})
    if (v->isTensor()) {
      auto wide = widenBf16(ev, v->asTensor(), args.range);
      if (!wide)
        return std::nullopt;
      *v = Value::tensor(*wide);
    }
  auto both = promoteTensors(ev, x, y, args.range);
  if (!both)
    return std::nullopt;
  Type t = both->first.type;
  BinaryOp op = t.isFloat()       ? (*nan ? (Max ? BinaryOp::MaximumF : BinaryOp::MinimumF) : (Max ? BinaryOp::MaxNumF : BinaryOp::MinNumF))
                : t.isSignedInt() ? (Max ? BinaryOp::MaxSI : BinaryOp::MinSI)
                                  : (Max ? BinaryOp::MaxUI : BinaryOp::MinUI);
  return Value::tensor(ev.builder().binary(op, both->first.value, both->second.value), t);
}

/// The arguments x, y and z (under their names) in their common float type and shape.
std::optional<std::vector<Tensor>> threeFloats(Evaluator &ev, const BoundArgs &args, std::string_view function,
                                               std::initializer_list<std::string_view> names) {
  std::vector<Tensor> result;
  std::optional<Tensor> like;
  for (std::string_view name : names) {
    auto t = tensorArg(ev, args, name);
    if (!t)
      return std::nullopt;
    auto both = like ? promoteTensors(ev, Value::tensor(*like), Value::tensor(*t), args.callRange()) : std::pair(*t, *t);
    if (!both)
      return std::nullopt;
    like = both->first;
    result.push_back(*t);
  }
  if (!like->type.isStandardFloat())
    return ev.error(args.range(*names.begin()), "F3503", "'" + std::string(function) + "' takes floats, not '" + like->type.scalarType().str() + "'");
  for (Tensor &t : result) {
    auto typed = castTensor(ev, t, like->type, args.callRange());
    typed = typed ? broadcastTo(ev, *typed, like->type.shape, args.callRange()) : std::nullopt;
    if (!typed)
      return std::nullopt;
    t = *typed;
  }
  return result;
}

MaybeValue clamp(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "clamp", "x, min, max, propagate_nan=None", args);
  auto nan = bound ? propagateNan(ev, *bound) : std::nullopt;
  auto operands = nan ? threeFloats(ev, *bound, "clamp", {"x", "min", "max"}) : std::nullopt;
  if (!operands)
    return std::nullopt;
  for (Tensor &t : *operands) {
    auto wide = widenBf16(ev, t, args.range);
    if (!wide)
      return std::nullopt;
    t = *wide;
  }
  const Tensor &x = (*operands)[0], &low = (*operands)[1], &high = (*operands)[2];
  emit::IrValue above = ev.builder().binary(*nan ? BinaryOp::MaximumF : BinaryOp::MaxNumF, x.value, low.value);
  return Value::tensor(ev.builder().binary(*nan ? BinaryOp::MinimumF : BinaryOp::MinNumF, above, high.value), x.type);
}

MaybeValue fma(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "fma", "x, y, z", args);
  auto operands = bound ? threeFloats(ev, *bound, "fma", {"x", "y", "z"}) : std::nullopt;
  if (!operands)
    return std::nullopt;
  const std::vector<Tensor> &t = *operands;
  return Value::tensor(ev.builder().fma(t[0].value, t[1].value, t[2].value), t[0].type);
}

/// x and y in their common type, after a look at the type that each has of its own.
std::optional<std::pair<Tensor, Tensor>> checkedPair(Evaluator &ev, const BoundArgs &args, std::string_view function, std::string_view wanted,
                                                     bool (*allows)(const Type &)) {
  auto x = tensorArg(ev, args, "x"), y = x ? tensorArg(ev, args, "y") : std::nullopt;
  if (!y)
    return std::nullopt;
  for (const auto &[name, t] : {std::pair("x", &*x), std::pair("y", &*y)})
    if (args[name].isTensor() && !allows(t->type))
      return ev.error(args.range(name), "F3503",
                      "'" + std::string(function) + "' takes " + std::string(wanted) + ", not '" + t->type.scalarType().str() + "'");
  auto both = promoteTensors(ev, Value::tensor(*x), Value::tensor(*y), args.callRange());
  if (both && !allows(both->first.type))
    return ev.error(args.callRange(), "F3503",
                    "'" + std::string(function) + "' takes " + std::string(wanted) + ", not '" + both->first.type.scalarType().str() + "'");
  return both;
}

MaybeValue umulhi(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "umulhi", "x, y", args);
  auto both = bound ? checkedPair(ev, *bound, "umulhi", "integers of 32 or 64 bits", [](const Type &t) { return t.isInt() && t.bitWidth() >= 32; })
                    : std::nullopt;
  return both ? MaybeValue(Value::tensor(ev.builder().binary(BinaryOp::MulHiUI, both->first.value, both->second.value), both->first.type))
              : std::nullopt;
}

MaybeValue divRn(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "div_rn", "x, y", args);
  auto both = bound ? checkedPair(ev, *bound, "div_rn", "fp32", [](const Type &t) { return t.is(Scalar::Float32); }) : std::nullopt;
  return both ? MaybeValue(Value::tensor(ev.builder().binary(BinaryOp::DivFRn, both->first.value, both->second.value), both->first.type))
              : std::nullopt;
}

MaybeValue fdiv(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "fdiv", "x, y, ieee_rounding=False", args);
  auto exact = bound ? bound->boolean("ieee_rounding") : std::nullopt;
  auto both = exact ? checkedPair(ev, *bound, "fdiv", "floats", [](const Type &t) { return t.isStandardFloat(); }) : std::nullopt;
  if (!both)
    return std::nullopt;
  return Value::tensor(ev.builder().binary(*exact ? BinaryOp::DivFRn : BinaryOp::DivF, both->first.value, both->second.value), both->first.type);
}

template <ast::BinOpKind Op> MaybeValue operatorFunction(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev,
                               Op == ast::BinOpKind::Add   ? "add"
                               : Op == ast::BinOpKind::Sub ? "sub"
                                                           : "mul",
                               "x, y, sanitize_overflow=True", args);
  return bound ? ev.binary(Op, (*bound)["x"], (*bound)["y"], args.range) : std::nullopt;
}

constexpr BuiltinEntry kEntries[] = {
    {"exp", transcendental<"exp">},
    {"exp2", transcendental<"exp2">},
    {"log", transcendental<"log">},
    {"log2", transcendental<"log2">},
    {"sin", transcendental<"sin">},
    {"cos", transcendental<"cos">},
    {"sqrt", transcendental<"sqrt">},
    {"rsqrt", transcendental<"rsqrt">},
    {"sqrt_rn", transcendental<"sqrt_rn", true>},
    {"erf", transcendental<"erf">},
    {"floor", rounding<emit::UnaryOp::Floor>},
    {"ceil", rounding<emit::UnaryOp::Ceil>},
    {"abs", absolute},
    {"maximum", extremum<true>},
    {"minimum", extremum<false>},
    {"clamp", clamp},
    {"fma", fma},
    {"umulhi", umulhi},
    {"div_rn", divRn},
    {"fdiv", fdiv},
    {"add", operatorFunction<ast::BinOpKind::Add>},
    {"sub", operatorFunction<ast::BinOpKind::Sub>},
    {"mul", operatorFunction<ast::BinOpKind::Mult>},
};

} // namespace

std::span<const BuiltinEntry> mathBuiltins() { return kEntries; }

} // namespace tegula::frontend::sema
