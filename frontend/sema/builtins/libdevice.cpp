// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device math library, under every name that its import paths offer. Its functions take fp32 or fp64; other arguments are brought to the
// common float type.

#include "frontend/sema/builtins/families.h"

#include <array>

namespace tegula::frontend::sema {

namespace {

using emit::BinaryOp;

/// Arguments promoted to fp32 or fp64 and one shape.
std::optional<std::vector<Tensor>> floats(Evaluator &ev, const CallArgs &args, size_t count) {
  if (args.positional.size() != count || !args.keywords.empty())
    return ev.error(args.range, "F2301", "this function takes " + std::to_string(count) + " argument" + (count == 1 ? "" : "s"));
  bool wide = false;
  for (const Value &v : args.positional)
    wide |= v.isTensor() && v.asTensor().type.is(Scalar::Float64);
  Type type(wide ? Scalar::Float64 : Scalar::Float32);
  std::vector<Tensor> result;
  Shape shape;
  for (const Value &v : args.positional) {
    if (v.isTensor() && v.asTensor().type.isPointer())
      return ev.error(args.range, "F3107", "this function does not take pointers");
    auto t = toTensorOfType(ev, v, type, args.range);
    auto common = t ? commonShape(ev, shape, t->type.shape, args.range) : std::nullopt;
    if (!common)
      return std::nullopt;
    shape = *common;
    result.push_back(*t);
  }
  for (Tensor &t : result) {
    auto same = broadcastTo(ev, t, shape, args.range);
    if (!same)
      return std::nullopt;
    t = *same;
  }
  return result;
}

template <Name Function, size_t Count> MaybeValue function(Evaluator &ev, const CallArgs &args) {
  auto operands = floats(ev, args, Count);
  if (!operands)
    return std::nullopt;
  std::vector<emit::IrValue> values;
  for (const Tensor &t : *operands)
    values.push_back(t.value);
  return Value::tensor(ev.builder().math(Function.text, values), (*operands)[0].type);
}

template <emit::UnaryOp Op> MaybeValue unary(Evaluator &ev, const CallArgs &args) {
  auto x = floats(ev, args, 1);
  return x ? MaybeValue(Value::tensor(ev.builder().unary(Op, (*x)[0].value), (*x)[0].type)) : std::nullopt;
}

template <BinaryOp Op> MaybeValue binary(Evaluator &ev, const CallArgs &args) {
  auto x = floats(ev, args, 2);
  return x ? MaybeValue(Value::tensor(ev.builder().binary(Op, (*x)[0].value, (*x)[1].value), (*x)[0].type)) : std::nullopt;
}

template <Name Test> MaybeValue classify(Evaluator &ev, const CallArgs &args) {
  auto x = floats(ev, args, 1);
  return x ? MaybeValue(Value::tensor(ev.builder().classify(Test.text, (*x)[0].value), Type(Scalar::Int1).withShape((*x)[0].type.shape)))
           : std::nullopt;
}

/// The sign bit as an int32, so that sums of it count.
MaybeValue signBit(Evaluator &ev, const CallArgs &args) {
  auto bit = classify<"sign_bit">(ev, args);
  return bit ? asValue(castTensor(ev, bit->asTensor(), Type(Scalar::Int32), args.range)) : std::nullopt;
}

/// To a whole number, which then is an int64; undefined beyond its range, as in C.
template <Name Function> MaybeValue whole(Evaluator &ev, const CallArgs &args) {
  auto x = function<Function, 1>(ev, args);
  return x ? asValue(castTensor(ev, x->asTensor(), Type(Scalar::Int64), args.range)) : std::nullopt;
}

/// abs of libdevice takes integers too.
MaybeValue absolute(Evaluator &ev, const CallArgs &args) {
  if (args.positional.size() == 1 && args.positional[0].isTensor() && args.positional[0].asTensor().type.isSignedInt()) {
    const Tensor &t = args.positional[0].asTensor();
    return Value::tensor(ev.builder().unary(emit::UnaryOp::AbsI, t.value), t.type);
  }
  return unary<emit::UnaryOp::AbsF>(ev, args);
}

template <bool Max> MaybeValue extremum(Evaluator &ev, const CallArgs &args) {
  if (args.positional.size() != 2)
    return ev.error(args.range, "F2301", "this function takes 2 arguments");
  auto both = promote(ev, args.positional[0], args.positional[1], args.range);
  if (!both)
    return std::nullopt;
  Type t = both->first.type;
  BinaryOp op = t.isFloat()       ? (Max ? BinaryOp::MaxNumF : BinaryOp::MinNumF)
                : t.isSignedInt() ? (Max ? BinaryOp::MaxSI : BinaryOp::MinSI)
                                  : (Max ? BinaryOp::MaxUI : BinaryOp::MinUI);
  return Value::tensor(ev.builder().binary(op, both->first.value, both->second.value), t);
}

MaybeValue fma(Evaluator &ev, const CallArgs &args) {
  auto x = floats(ev, args, 3);
  return x ? MaybeValue(Value::tensor(ev.builder().fma((*x)[0].value, (*x)[1].value, (*x)[2].value), (*x)[0].type)) : std::nullopt;
}

template <Name Function> MaybeValue bits(Evaluator &ev, const CallArgs &args) {
  auto t = args.positional.size() == 1 ? toTensor(ev, args.positional[0], args.range) : std::nullopt;
  if (!t)
    return std::nullopt;
  if (!t->type.isInt() || t->type.bitWidth() < 32)
    return ev.error(args.range, "F3503", "this function takes integers of 32 or 64 bits, not '" + t->type.scalarType().str() + "'");
  return Value::tensor(ev.builder().bits(Function.text, t->value), t->type);
}

/// A count or index of bits is an int32, whatever it counts in.
template <Name Function> MaybeValue countBits(Evaluator &ev, const CallArgs &args) {
  auto count = bits<Function>(ev, args);
  return count ? asValue(castTensor(ev, count->asTensor(), Type(Scalar::Int32), args.range)) : std::nullopt;
}

template <BinaryOp Op> MaybeValue mulHigh(Evaluator &ev, const CallArgs &args) {
  auto both = args.positional.size() == 2 ? promote(ev, args.positional[0], args.positional[1], args.range) : std::nullopt;
  if (!both)
    return std::nullopt;
  if (!both->first.type.isInt() || both->first.type.bitWidth() < 32)
    return ev.error(args.range, "F3503", "this function takes integers of 32 or 64 bits, not '" + both->first.type.scalarType().str() + "'");
  return Value::tensor(ev.builder().binary(Op, both->first.value, both->second.value), both->first.type);
}

template <Scalar From, Scalar To> MaybeValue reinterpret(Evaluator &ev, const CallArgs &args) {
  auto t = args.positional.size() == 1 ? toTensorOfType(ev, args.positional[0], Type(From), args.range) : std::nullopt;
  return t ? asValue(bitcastTensor(ev, *t, Type(To), args.range)) : std::nullopt;
}

template <Scalar From, Scalar To, emit::Rounding Rounding = emit::Rounding::Rtne> MaybeValue convert(Evaluator &ev, const CallArgs &args) {
  auto t = args.positional.size() == 1 ? toTensorOfType(ev, args.positional[0], Type(From), args.range) : std::nullopt;
  return t ? asValue(castTensor(ev, *t, Type(To), args.range, Rounding)) : std::nullopt;
}

MaybeValue reciprocal(Evaluator &ev, const CallArgs &args) {
  auto x = floats(ev, args, 1);
  if (!x)
    return std::nullopt;
  const Tensor &t = (*x)[0];
  return Value::tensor(ev.builder().binary(BinaryOp::DivFRn, ev.builder().constantFloat(t.type, 1.0), t.value), t.type);
}

constexpr BuiltinEntry kEntries[] = {
    {"exp", function<"exp", 1>},
    {"exp2", function<"exp2", 1>},
    {"exp10", function<"exp10", 1>},
    {"expm1", function<"expm1", 1>},
    {"log", function<"log", 1>},
    {"log2", function<"log2", 1>},
    {"log10", function<"log10", 1>},
    {"log1p", function<"log1p", 1>},
    {"sin", function<"sin", 1>},
    {"cos", function<"cos", 1>},
    {"tan", function<"tan", 1>},
    {"asin", function<"asin", 1>},
    {"acos", function<"acos", 1>},
    {"atan", function<"atan", 1>},
    {"sinh", function<"sinh", 1>},
    {"cosh", function<"cosh", 1>},
    {"tanh", function<"tanh", 1>},
    {"asinh", function<"asinh", 1>},
    {"acosh", function<"acosh", 1>},
    {"atanh", function<"atanh", 1>},
    {"sqrt", function<"sqrt", 1>},
    {"rsqrt", function<"rsqrt", 1>},
    {"cbrt", function<"cbrt", 1>},
    {"rcbrt", function<"rcbrt", 1>},
    {"erf", function<"erf", 1>},
    {"erfc", function<"erfc", 1>},
    {"erfinv", function<"erfinv", 1>},
    {"lgamma", function<"lgamma", 1>},
    {"tgamma", function<"tgamma", 1>},
    {"sinpi", function<"sinpi", 1>},
    {"cospi", function<"cospi", 1>},
    {"j0", function<"j0", 1>},
    {"j1", function<"j1", 1>},
    {"y0", function<"y0", 1>},
    {"y1", function<"y1", 1>},
    {"normcdf", function<"normcdf", 1>},
    {"trunc", function<"trunc", 1>},
    {"round", function<"round", 1>},
    {"rint", function<"rint", 1>},
    {"nearbyint", function<"rint", 1>},
    {"llrint", whole<"rint">},
    {"llround", whole<"round">},
    {"pow", function<"pow", 2>},
    {"atan2", function<"atan2", 2>},
    {"hypot", function<"hypot", 2>},
    {"copysign", function<"copysign", 2>},
    {"nextafter", function<"nextafter", 2>},
    {"fdim", function<"fdim", 2>},
    {"remainder", function<"remainder", 2>},
    {"ldexp", function<"ldexp", 2>},
    {"scalbn", function<"ldexp", 2>},
    {"sqrt_rn", function<"sqrt_rn", 1>},
    {"fast_expf", function<"exp", 1>},
    {"fast_exp10f", function<"exp10", 1>},
    {"fast_logf", function<"log", 1>},
    {"fast_log2f", function<"log2", 1>},
    {"fast_log10f", function<"log10", 1>},
    {"fast_sinf", function<"sin", 1>},
    {"fast_cosf", function<"cos", 1>},
    {"fast_tanf", function<"tan", 1>},
    {"fast_tanhf", function<"tanh", 1>},
    {"fast_powf", function<"pow", 2>},
    {"fast_dividef", binary<BinaryOp::DivF>},
    {"fdiv", binary<BinaryOp::DivF>},
    {"div_rn", binary<BinaryOp::DivFRn>},
    {"add_rn", binary<BinaryOp::AddF>},
    {"sub_rn", binary<BinaryOp::SubF>},
    {"mul_rn", binary<BinaryOp::MulF>},
    {"fmod", binary<BinaryOp::RemF>},
    {"floor", unary<emit::UnaryOp::Floor>},
    {"ceil", unary<emit::UnaryOp::Ceil>},
    {"fabs", unary<emit::UnaryOp::AbsF>},
    {"abs", absolute},
    {"max", extremum<true>},
    {"min", extremum<false>},
    {"fmax", extremum<true>},
    {"fmin", extremum<false>},
    {"fma", fma},
    {"fma_rn", fma},
    {"isnan", classify<"nan">},
    {"isinf", classify<"infinite">},
    {"isinfd", classify<"infinite">},
    {"isfinited", classify<"finite">},
    {"finitef", classify<"finite">},
    {"isfinite", classify<"finite">},
    {"signbit", signBit},
    {"ffs", countBits<"ffs">},
    {"popc", countBits<"popcount">},
    {"clz", countBits<"clz">},
    {"brev", bits<"brev">},
    {"mulhi", mulHigh<BinaryOp::MulHiSI>},
    {"umulhi", mulHigh<BinaryOp::MulHiUI>},
    {"float_as_int", reinterpret<Scalar::Float32, Scalar::Int32>},
    {"int_as_float", reinterpret<Scalar::Int32, Scalar::Float32>},
    {"float_as_uint", reinterpret<Scalar::Float32, Scalar::Int32>},
    {"uint_as_float", reinterpret<Scalar::UInt32, Scalar::Float32>},
    {"int2float_rn", convert<Scalar::Int32, Scalar::Float32>},
    {"uint2float_rn", convert<Scalar::UInt32, Scalar::Float32>},
    {"ll2float_rn", convert<Scalar::Int64, Scalar::Float32>},
    {"ull2float_rn", convert<Scalar::UInt64, Scalar::Float32>},
    {"int2double_rn", convert<Scalar::Int32, Scalar::Float64>},
    {"uint2double_rn", convert<Scalar::UInt32, Scalar::Float64>},
    {"ll2double_rn", convert<Scalar::Int64, Scalar::Float64>},
    {"ull2double_rn", convert<Scalar::UInt64, Scalar::Float64>},
    {"double2float_rn", convert<Scalar::Float64, Scalar::Float32>},
    {"double2float_rz", convert<Scalar::Float64, Scalar::Float32, emit::Rounding::Rtz>},
    {"rcp_rn", reciprocal},
    {"double_as_longlong", reinterpret<Scalar::Float64, Scalar::Int64>},
    {"longlong_as_double", reinterpret<Scalar::Int64, Scalar::Float64>},
};

/// Functions of the library that have no counterpart: conversions that saturate, roundings other than to nearest, and rare functions.
constexpr std::string_view kNotYet[] = {
    "byte_perm", "mul24", "sad", "rcp64h", "saturatef", "fma_rz", "fma_rd", "fma_ru", "div_rz", "div_rd",
    "div_ru", "rcp_rz", "rcp_rd", "rcp_ru", "sqrt_rz", "sqrt_rd", "sqrt_ru", "add_rz", "add_rd", "add_ru",
    "mul_rz", "mul_rd", "mul_ru", "double2float_rd", "double2float_ru", "hiloint2double", "double2loint",
    "double2hiint", "hadd", "rhadd", "sub_rz", "sub_rd", "sub_ru", "rsqrt_rn", "rhypot", "norm3d",
    "rnorm3d", "norm4d", "rnorm4d", "yn", "jn", "cyl_bessel_i0", "cyl_bessel_i1", "erfcx", "erfcinv",
    "normcdfinv", "ilogb", "logb", "double2int_rn", "double2int_rz", "double2int_rd",
    "double2int_ru", "double2uint_rn", "double2uint_rz", "double2uint_rd", "double2uint_ru", "double2ll_rn",
    "double2ll_rz", "double2ll_rd", "double2ll_ru", "double2ull_rn", "double2ull_rz", "double2ull_rd",
    "double2ull_ru", "float2int_rn", "float2int_rz", "float2int_rd", "float2int_ru", "float2uint_rn",
    "float2uint_rz", "float2uint_rd", "float2uint_ru", "float2ll_rn", "float2ll_rz", "float2ll_rd",
    "float2ll_ru", "float2ull_rn", "float2ull_rz", "float2ull_rd", "float2ull_ru", "int2float_rz",
    "int2float_rd", "int2float_ru", "uint2float_rz", "uint2float_rd", "uint2float_ru", "ll2float_rz",
    "ll2float_rd", "ll2float_ru", "ull2float_rz", "ull2float_rd", "ull2float_ru", "ll2double_rz",
    "ll2double_rd", "ll2double_ru", "ull2double_rz", "ull2double_rd", "ull2double_ru"};

template <size_t I> MaybeValue notYet(Evaluator &ev, const CallArgs &args) {
  return ev.error(args.range, "F3201", "'libdevice." + std::string(kNotYet[I]) + "' is not supported yet");
}
template <size_t... I> constexpr std::array<BuiltinEntry, sizeof...(I)> notYetEntries(std::index_sequence<I...>) {
  return {{{kNotYet[I], notYet<I>}...}};
}
constexpr auto kNotYetEntries = notYetEntries(std::make_index_sequence<std::size(kNotYet)>());

} // namespace

std::span<const BuiltinEntry> libdeviceBuiltins() { return kEntries; }
std::span<const BuiltinEntry> libdeviceNotYet() { return kNotYetEntries; }

} // namespace tegula::frontend::sema
