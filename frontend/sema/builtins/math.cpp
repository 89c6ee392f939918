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
struct Name {
  char text[16]{};
  constexpr Name(const char *s) {
    for (int i = 0; s[i]; ++i)
      text[i] = s[i];
  }
};

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
  auto both = promote(ev, x, y, args.range);
  if (!both)
    return std::nullopt;
  Type t = both->first.type;
  BinaryOp op = t.isFloat()       ? (*nan ? (Max ? BinaryOp::MaximumF : BinaryOp::MinimumF) : (Max ? BinaryOp::MaxNumF : BinaryOp::MinNumF))
                : t.isSignedInt() ? (Max ? BinaryOp::MaxSI : BinaryOp::MinSI)
                                  : (Max ? BinaryOp::MaxUI : BinaryOp::MinUI);
  return Value::tensor(ev.builder().binary(op, both->first.value, both->second.value), t);
}

MaybeValue clamp(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "clamp", "x, min, max, propagate_nan=None", args);
  auto nan = bound ? propagateNan(ev, *bound) : std::nullopt;
  if (!nan)
    return std::nullopt;
  auto x = tensorArg(ev, *bound, "x");
  if (!x)
    return std::nullopt;
  if (!x->type.isFloat())
    return ev.error(bound->range("x"), "F3503", "'clamp' takes floats, not '" + x->type.scalarType().str() + "'", "use tl.minimum and tl.maximum");
  x = widenBf16(ev, *x, args.range);
  auto low = x ? promote(ev, Value::tensor(*x), (*bound)["min"], args.range) : std::nullopt;
  if (!low)
    return std::nullopt;
  emit::IrValue above = ev.builder().binary(*nan ? BinaryOp::MaximumF : BinaryOp::MaxNumF, low->first.value, low->second.value);
  auto high = promote(ev, Value::tensor(above, low->first.type), (*bound)["max"], args.range);
  if (!high)
    return std::nullopt;
  return Value::tensor(ev.builder().binary(*nan ? BinaryOp::MinimumF : BinaryOp::MinNumF, high->first.value, high->second.value), high->first.type);
}

MaybeValue fma(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "fma", "x, y, z", args);
  auto xy = bound ? promote(ev, (*bound)["x"], (*bound)["y"], args.range) : std::nullopt;
  auto xz = xy ? promote(ev, Value::tensor(xy->first), (*bound)["z"], args.range) : std::nullopt;
  auto yz = xz ? promote(ev, Value::tensor(xy->second), Value::tensor(xz->second), args.range) : std::nullopt;
  if (!yz)
    return std::nullopt;
  auto x = castTensor(ev, xz->first, yz->first.type, args.range);
  if (!x)
    return std::nullopt;
  if (!x->type.isStandardFloat())
    return ev.error(args.range, "F3503", "'fma' takes floats, not '" + x->type.scalarType().str() + "'");
  return Value::tensor(ev.builder().fma(x->value, yz->first.value, yz->second.value), x->type);
}

MaybeValue umulhi(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "umulhi", "x, y", args);
  auto both = bound ? promote(ev, (*bound)["x"], (*bound)["y"], args.range) : std::nullopt;
  if (!both)
    return std::nullopt;
  Type t = both->first.type;
  if (!t.isInt() || t.bitWidth() < 32)
    return ev.error(args.range, "F3503", "'umulhi' takes integers of 32 or 64 bits, not '" + t.scalarType().str() + "'");
  return Value::tensor(ev.builder().binary(BinaryOp::MulHiUI, both->first.value, both->second.value), t);
}

MaybeValue divRn(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "div_rn", "x, y", args);
  auto both = bound ? promote(ev, (*bound)["x"], (*bound)["y"], args.range) : std::nullopt;
  if (!both || !requireFloat(ev, both->first, "div_rn", true, args.range))
    return std::nullopt;
  return Value::tensor(ev.builder().binary(BinaryOp::DivFRn, both->first.value, both->second.value), both->first.type);
}

MaybeValue fdiv(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "fdiv", "x, y, ieee_rounding=False", args);
  auto exact = bound ? bound->boolean("ieee_rounding") : std::nullopt;
  auto both = exact ? promote(ev, (*bound)["x"], (*bound)["y"], args.range) : std::nullopt;
  if (!both)
    return std::nullopt;
  if (!both->first.type.isStandardFloat())
    return ev.error(args.range, "F3503", "'fdiv' takes floats, not '" + both->first.type.scalarType().str() + "'");
  return Value::tensor(ev.builder().binary(*exact ? BinaryOp::DivFRn : BinaryOp::DivF, both->first.value, both->second.value), both->first.type);
}

template <ast::BinOpKind Op> MaybeValue operatorFunction(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, Op == ast::BinOpKind::Add ? "add" : Op == ast::BinOpKind::Sub ? "sub" : "mul", "x, y, sanitize_overflow=True", args);
  return bound ? ev.binary(Op, (*bound)["x"], (*bound)["y"], args.range) : std::nullopt;
}

constexpr BuiltinEntry kEntries[] = {
    {"exp", transcendental<"exp">}, {"exp2", transcendental<"exp2">}, {"log", transcendental<"log">}, {"log2", transcendental<"log2">},
    {"sin", transcendental<"sin">}, {"cos", transcendental<"cos">}, {"sqrt", transcendental<"sqrt">}, {"rsqrt", transcendental<"rsqrt">},
    {"sqrt_rn", transcendental<"sqrt_rn", true>}, {"erf", transcendental<"erf">}, {"floor", rounding<emit::UnaryOp::Floor>}, {"ceil", rounding<emit::UnaryOp::Ceil>},
    {"abs", absolute}, {"maximum", extremum<true>}, {"minimum", extremum<false>}, {"clamp", clamp}, {"fma", fma}, {"umulhi", umulhi}, {"div_rn", divRn},
    {"fdiv", fdiv}, {"add", operatorFunction<ast::BinOpKind::Add>}, {"sub", operatorFunction<ast::BinOpKind::Sub>}, {"mul", operatorFunction<ast::BinOpKind::Mult>},
};

} // namespace

std::span<const BuiltinEntry> mathBuiltins() { return kEntries; }

} // namespace tegula::frontend::sema
