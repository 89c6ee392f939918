// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The programming model, creation of tensors, casts, types as functions, iterators.

#include "frontend/sema/builtins/families.h"

namespace tegula::frontend::sema {

constexpr int64_t kMaxElements = 1 << 20;

std::optional<Tensor> tensorArg(Evaluator &ev, const BoundArgs &args, std::string_view name) { return toTensor(ev, args[name], args.range(name)); }

std::optional<uint32_t> axisArg(Evaluator &ev, const BoundArgs &args, std::string_view name, size_t rank) {
  auto axis = args.integer(name);
  if (!axis)
    return std::nullopt;
  auto n = static_cast<int64_t>(rank);
  if (*axis < -n || *axis >= n)
    return ev.error(args.range(name), "F3122",
                    "axis " + std::to_string(*axis) + " is out of range for " + std::to_string(rank) + " dimension" + (rank == 1 ? "" : "s"));
  return static_cast<uint32_t>(*axis < 0 ? *axis + n : *axis);
}

bool checkShape(Evaluator &ev, const Shape &shape, ast::Range range) {
  int64_t count = 1;
  for (int64_t d : shape) {
    if (d <= 0 || (d & (d - 1))) {
      int64_t next = 1;
      while (next < d)
        next *= 2;
      ev.error(range, "F3123", "dimension " + std::to_string(d) + " of shape " + shapeText(shape) + " is no power of two",
               d > 0 ? "use " + std::to_string(next) + " (triton.next_power_of_2) and mask what is beyond " + std::to_string(d) : "");
      return false;
    }
    count = count > kMaxElements ? count : count * d;
  }
  if (count > kMaxElements) {
    ev.error(range, "F3124", "shape " + shapeText(shape) + " has more than " + std::to_string(kMaxElements) + " elements",
             "use smaller blocks and a loop");
    return false;
  }
  return true;
}

namespace {

template <bool Id> MaybeValue gridQuery(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, Id ? "program_id" : "num_programs", "axis=0", args);
  auto axis = bound ? bound->integer("axis") : std::nullopt;
  if (!axis)
    return std::nullopt;
  if (*axis < 0 || *axis > 2)
    return ev.error(bound->range("axis"), "F3122", "the axis of the grid is 0, 1 or 2, not " + std::to_string(*axis));
  auto a = static_cast<uint32_t>(*axis);
  return Value::tensor(Id ? ev.builder().programId(a) : ev.builder().numPrograms(a), Type(Scalar::Int32));
}

MaybeValue arange(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "arange", "start, end", args);
  if (!bound)
    return std::nullopt;
  auto start = bound->integer("start"), end = start ? bound->integer("end") : std::nullopt;
  if (!end)
    return std::nullopt;
  if (*start < INT32_MIN || *end > INT32_MAX || *end < INT32_MIN || *start > INT32_MAX)
    return ev.error(args.range, "F3104", "the bounds of arange are int32");
  if (*end <= *start)
    return ev.error(bound->range("end"), "F3125",
                    "arange is empty: its end " + std::to_string(*end) + " is not greater than its start " + std::to_string(*start));
  Shape shape{*end - *start};
  if (!checkShape(ev, shape, args.range))
    return std::nullopt;
  return Value::tensor(ev.builder().arange(static_cast<int32_t>(*start), static_cast<int32_t>(*end)), Type(Scalar::Int32, shape));
}

MaybeValue full(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "full", "shape, value, dtype", args);
  if (!bound)
    return std::nullopt;
  auto shape = bound->shape("shape");
  auto type = shape ? bound->type("dtype") : std::nullopt;
  if (!type || !checkShape(ev, *shape, bound->range("shape")))
    return std::nullopt;
  auto scalar = toTensorOfType(ev, (*bound)["value"], *type, bound->range("value"));
  if (!scalar)
    return std::nullopt;
  if (scalar->type.isBlock())
    return ev.error(bound->range("value"), "F3126", "full repeats a scalar, not a block of shape " + shapeText(scalar->type.shape));
  return shape->empty() ? Value::tensor(*scalar) : asValue(broadcastTo(ev, *scalar, *shape, args.range));
}

std::optional<emit::Rounding> rounding(Evaluator &ev, const BoundArgs &args) {
  const Value &value = args["fp_downcast_rounding"];
  if (value.isNone())
    return emit::Rounding::Rtne;
  auto text = args.string("fp_downcast_rounding");
  if (!text)
    return std::nullopt;
  if (*text == "rtne")
    return emit::Rounding::Rtne;
  if (*text == "rtz")
    return emit::Rounding::Rtz;
  return ev.error(args.range("fp_downcast_rounding"), "F3127", "the rounding is 'rtne' or 'rtz', not '" + *text + "'");
}

MaybeValue cast(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "cast", "input, dtype, fp_downcast_rounding=None, bitcast=False", args);
  if (!bound)
    return std::nullopt;
  auto input = tensorArg(ev, *bound, "input");
  auto type = input ? bound->type("dtype") : std::nullopt;
  auto bits = type ? bound->boolean("bitcast") : std::nullopt;
  if (!bits)
    return std::nullopt;
  if (*bits)
    return asValue(bitcastTensor(ev, *input, *type, args.range));
  auto how = rounding(ev, *bound);
  if (!how)
    return std::nullopt;
  Type from = input->type.scalarType();
  if (!(from == *type) && bound->given("fp_downcast_rounding") && !(*bound)["fp_downcast_rounding"].isNone() &&
      !(from.isFloat() && type->isFloat() && from.bitWidth() > type->bitWidth()))
    return ev.error(bound->range("fp_downcast_rounding"), "F3127",
                    "a rounding can be given only where a float becomes narrower, not for '" + from.str() + "' to '" + type->str() + "'");
  return asValue(castTensor(ev, *input, *type, args.range, *how));
}

MaybeValue toTensorBuiltin(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "to_tensor", "x", args);
  return bound ? asValue(tensorArg(ev, *bound, "x")) : std::nullopt;
}

MaybeValue constexprType(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "constexpr", "value", args);
  if (!bound)
    return std::nullopt;
  const Value &value = (*bound)["value"];
  if (value.isTensor())
    return ev.error(args.range, "F3128", "a run-time value cannot become constexpr");
  // As a decorator it makes a function that kernels may call with constants.
  if (value.is(Kind::Function) && value.as<FunctionObject>().functionKind == FunctionKind::Python) {
    auto function = std::make_shared<FunctionObject>(value.as<FunctionObject>());
    function->functionKind = FunctionKind::Constexpr;
    return Value::object(function);
  }
  return value.wrappedConstexpr();
}

MaybeValue dtype(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "dtype", "name", args);
  if (!bound)
    return std::nullopt;
  if ((*bound)["name"].is(Kind::Type))
    return (*bound)["name"];
  auto name = bound->string("name");
  if (!name)
    return std::nullopt;
  auto type = parseType(*name);
  return type ? MaybeValue(Value::type(*type)) : ev.error(args.range, "F3129", "there is no dtype '" + *name + "'");
}

MaybeValue getIntDtype(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "get_int_dtype", "bitwidth, signed", args);
  auto bits = bound ? bound->integer("bitwidth") : std::nullopt;
  auto isSigned = bits ? bound->boolean("signed") : std::nullopt;
  if (!isSigned)
    return std::nullopt;
  auto type = parseType((*isSigned ? "i" : "u") + std::to_string(*bits));
  return type ? MaybeValue(Value::type(*type)) : ev.error(args.range, "F3129", "there is no integer dtype of " + std::to_string(*bits) + " bits");
}

MaybeValue pointerType(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "pointer_type", "element_ty, address_space=1, const=False", args);
  auto type = bound ? bound->type("element_ty") : std::nullopt;
  auto isConst = type ? bound->boolean("const") : std::nullopt;
  if (!isConst)
    return std::nullopt;
  Type pointer = type->pointerTo();
  pointer.isConst = *isConst;
  return Value::type(pointer);
}

MaybeValue blockType(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "block_type", "element_ty, shape", args);
  auto type = bound ? bound->type("element_ty") : std::nullopt;
  auto shape = type ? bound->shape("shape") : std::nullopt;
  return shape ? MaybeValue(Value::type(type->withShape(*shape))) : std::nullopt;
}

template <bool Static> MaybeValue range(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(
      ev, Static ? "static_range" : "range",
      Static ? "arg1, arg2=None, step=None"
             : "arg1, arg2=None, step=None, num_stages=None, loop_unroll_factor=None, disallow_acc_multi_buffer=False, flatten=False, "
               "warp_specialize=False, disable_licm=False",
      args);
  if (!bound)
    return std::nullopt;
  auto object = std::make_shared<RangeObject>();
  object->isStatic = Static;
  bool one = (*bound)["arg2"].isNone();
  object->lower = one ? Value::integer(0) : (*bound)["arg1"];
  object->upper = one ? (*bound)["arg1"] : (*bound)["arg2"];
  object->step = (*bound)["step"].isNone() ? Value::integer(1) : (*bound)["step"];
  if constexpr (Static) {
    for (const Value *v : {&object->lower, &object->upper, &object->step})
      if (!v->is(Kind::Int) && !v->is(Kind::Bool))
        return ev.error(args.range, "F3130", "the bounds of static_range must be known when compiling", "use range or tl.range");
  } else {
    for (const Value *v : {&object->lower, &object->upper, &object->step})
      if (!v->is(Kind::Int) && !v->is(Kind::Bool) && !v->isTensor())
        return ev.error(args.range, "F2302", "a bound of a range must be an int, not a value of type '" + typeNameOf(*v) + "'");
    for (const char *name : {"num_stages", "loop_unroll_factor", "disallow_acc_multi_buffer", "flatten", "warp_specialize", "disable_licm"})
      if (bound->given(name))
        object->options[name] = (*bound)[name];
  }
  return Value::object(object);
}

/// tl.condition(x): the hints of a while loop that Tegula has no use for yet.
MaybeValue condition(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "condition", "arg1, disable_licm=False", args);
  return bound ? MaybeValue((*bound)["arg1"]) : std::nullopt;
}

MaybeValue tensorType(Evaluator &ev, const CallArgs &args) {
  return ev.error(args.range, "F3131", "tensors are made by the language's functions (full, load, arange, ...), not by 'tensor'");
}

MaybeValue staticTuple(Evaluator &ev, const CallArgs &args) {
  if (args.positional.size() == 1) {
    auto items = ev.iterate(args.positional[0], args.range);
    return items ? MaybeValue(Value::tuple(*items)) : std::nullopt;
  }
  return Value::tuple({});
}

constexpr BuiltinEntry kEntries[] = {
    {"program_id", gridQuery<true>},
    {"num_programs", gridQuery<false>},
    {"arange", arange},
    {"full", full},
    {"cast", cast},
    {"to_tensor", toTensorBuiltin},
    {"constexpr", constexprType},
    {"dtype", dtype},
    {"get_int_dtype", getIntDtype},
    {"pointer_type", pointerType},
    {"block_type", blockType},
    {"range", range<false>},
    {"static_range", range<true>},
    {"condition", condition},
    {"tensor", tensorType},
    {"tuple", staticTuple},
    {"const", tensorType},
    {"constexpr_type", tensorType},
    {"base_value", tensorType},
    {"base_type", tensorType},
    {"tensor_descriptor", tensorType},
};

} // namespace

std::span<const BuiltinEntry> programBuiltins() { return kEntries; }

} // namespace tegula::frontend::sema
