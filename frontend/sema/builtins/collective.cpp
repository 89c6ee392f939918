// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products, reductions and scans with functions of the user, gathers, histograms.

#include "frontend/sema/frame.h"
#include "frontend/sema/builtins/families.h"

#include <algorithm>

namespace tegula::frontend::sema {

namespace {

// ---- dot ----

std::optional<emit::DotPrecision> dotPrecision(Evaluator &ev, const BoundArgs &args) {
  std::string name;
  const Value &allow = args["allow_tf32"];
  if (!args["input_precision"].isNone()) {
    auto text = args.string("input_precision");
    if (!text)
      return std::nullopt;
    if (!allow.isNone())
      return ev.error(args.range("allow_tf32"), "F3601", "allow_tf32 and input_precision cannot both be given");
    name = *text;
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(tolower(c)); });
  } else if (!allow.isNone()) {
    auto flag = args.boolean("allow_tf32");
    if (!flag)
      return std::nullopt;
    name = *flag ? "tf32" : "ieee";
  } else {
    name = ev.defaults().dotPrecision;
  }
  static constexpr std::pair<std::string_view, emit::DotPrecision> kNames[] = {{"ieee", emit::DotPrecision::Ieee},
                                                                               {"tf32", emit::DotPrecision::Tf32},
                                                                               {"tf32x3", emit::DotPrecision::Tf32x3},
                                                                               {"bf16x3", emit::DotPrecision::Bf16x3},
                                                                               {"bf16x6", emit::DotPrecision::Bf16x6}};
  const auto &allowed = ev.defaults().dotPrecisions;
  for (const auto &[spelled, precision] : kNames)
    if (spelled == name) {
      if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), name) == allowed.end())
        return ev.error(args.range("input_precision"), "F3602", "input_precision '" + name + "' is not offered by this target");
      return precision;
    }
  return ev.error(args.range("input_precision"), "F3602", "'" + name + "' is no input precision", "use ieee, tf32, tf32x3, bf16x3 or bf16x6");
}

/// What products of this type accumulate in unless something else is asked for.
Type accumulatorType(const Type &operand) {
  if (operand.isInt())
    return Type(Scalar::Int32);
  return operand.is(Scalar::Float64) ? Type(Scalar::Float64) : Type(Scalar::Float32);
}

MaybeValue dot(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "dot", "input, other, acc=None, input_precision=None, allow_tf32=None, max_num_imprecise_acc=None, out_dtype=None", args);
  auto a = bound ? tensorArg(ev, *bound, "input") : std::nullopt;
  auto b = a ? tensorArg(ev, *bound, "other") : std::nullopt;
  auto precision = b ? dotPrecision(ev, *bound) : std::nullopt;
  if (!precision)
    return std::nullopt;
  Type x = a->type.scalarType(), y = b->type.scalarType();
  size_t rank = a->type.shape.size();
  auto shapes = [&] { return shapeText(a->type.shape) + " and " + shapeText(b->type.shape); };
  if (rank != b->type.shape.size() || rank < 2)
    return ev.error(args.range, "F3603", "dot takes two blocks of rank 2, or of rank 3 with batches, not of shapes " + shapes());
  if (!(x.isFp8() && y.isFp8()) && !(x == y))
    return ev.error(args.range, "F3604", "the operands of dot are '" + x.str() + "' and '" + y.str() + "'", "convert both to one type");
  bool known = x.isFloat() || x.is(Scalar::Int8) || x.is(Scalar::UInt8);
  if (!known)
    return ev.error(bound->range("input"), "F3604", "dot does not take '" + x.str() + "'", "use int8, fp16, bf16, fp32, fp64 or fp8");
  if (a->type.shape[rank - 1] != b->type.shape[rank - 2])
    return ev.error(args.range, "F3605", "the inner dimensions of dot differ: " + std::to_string(a->type.shape[rank - 1]) + " and " +
                                             std::to_string(b->type.shape[rank - 2]) + " (shapes " + shapes() + ")");
  for (size_t d = 0; d + 2 < rank; ++d)
    if (a->type.shape[d] != b->type.shape[d])
      return ev.error(args.range, "F3605", "the batch dimensions of dot differ (shapes " + shapes() + ")");

  Type wanted = accumulatorType(x);
  bool hasAccumulator = !(*bound)["acc"].isNone();
  std::optional<Tensor> acc;
  if (hasAccumulator) {
    acc = tensorArg(ev, *bound, "acc");
    if (!acc)
      return std::nullopt;
    wanted = acc->type.scalarType();
  }
  if (!(*bound)["out_dtype"].isNone()) {
    auto out = bound->type("out_dtype");
    if (!out)
      return std::nullopt;
    if (hasAccumulator && !(*out == wanted))
      return ev.error(bound->range("out_dtype"), "F3606", "out_dtype is '" + out->str() + "', the accumulator '" + wanted.str() + "'");
    wanted = x.isInt() || x.is(Scalar::Float64) ? accumulatorType(x) : *out;
  }
  bool narrow = wanted.is(Scalar::Float16) && (x.is(Scalar::Float16) || x.isFp8());
  if (!narrow && !(wanted == accumulatorType(x)))
    return ev.error(hasAccumulator ? bound->range("acc") : bound->range("out_dtype"), "F3606",
                    "products of '" + x.str() + "' accumulate in '" + accumulatorType(x).str() + "'" + (x.is(Scalar::Float16) ? " or 'fp16'" : "") + ", not in '" + wanted.str() + "'");

  Shape shape = a->type.shape;
  shape[rank - 1] = b->type.shape[rank - 1];
  if (!checkShape(ev, shape, args.range))
    return std::nullopt;
  Type result = wanted.withShape(shape);
  if (!hasAccumulator)
    acc = Tensor{wanted.isInt() ? ev.builder().constant(result, 0) : ev.builder().constantFloat(result, 0.0), result};
  acc = broadcastTo(ev, *acc, shape, args.range);
  if (!acc)
    return std::nullopt;
  uint32_t imprecise = 0;
  if (!(*bound)["max_num_imprecise_acc"].isNone()) {
    auto n = bound->integer("max_num_imprecise_acc");
    if (!n)
      return std::nullopt;
    imprecise = static_cast<uint32_t>(std::max<int64_t>(*n, 0));
  }
  // Batches of more than one dimension are one dimension.
  auto flat = [&](const Tensor &t) {
    Shape s{1, t.type.shape[rank - 2], t.type.shape[rank - 1]};
    for (size_t d = 0; d + 2 < rank; ++d)
      s[0] *= t.type.shape[d];
    return rank > 3 ? ev.builder().reshape(t.value, s, false) : t.value;
  };
  emit::DotPrecision how = x.is(Scalar::Float32) ? *precision : emit::DotPrecision::Ieee;
  emit::IrValue value = ev.builder().dot(flat(*a), flat(*b), flat(*acc), how, imprecise, x.isSignedInt(), y.isSignedInt());
  if (rank > 3)
    value = ev.builder().reshape(value, shape, false);
  return Value::tensor(value, result);
}

// ---- reduce and scan ----

struct FoldArgs {
  std::vector<Tensor> inputs;
  bool isTuple = false;
};

std::optional<FoldArgs> foldInputs(Evaluator &ev, const BoundArgs &args, std::string_view name) {
  FoldArgs fold;
  const Value &input = args[name];
  fold.isTuple = input.isSequence();
  std::vector<Value> items = fold.isTuple ? input.items() : std::vector<Value>{input};
  Shape shape;
  for (const Value &item : items) {
    auto t = toTensor(ev, item, args.range(name));
    auto common = t ? commonShape(ev, shape, t->type.shape, args.range(name)) : std::nullopt;
    if (!common)
      return std::nullopt;
    shape = *common;
    fold.inputs.push_back(*t);
  }
  if (fold.inputs.empty())
    return ev.error(args.range(name), "F3607", "there is nothing to reduce");
  for (Tensor &t : fold.inputs) {
    auto same = broadcastTo(ev, t, shape, args.range(name));
    if (!same)
      return std::nullopt;
    t = *same;
  }
  return fold;
}

/// The same IR type: integers differ in signedness only.
bool sameInIr(const Type &a, const Type &b) { return a == b || (a.isInt() && b.isInt() && a.bitWidth() == b.bitWidth()); }

/// The combine region: calls the user's function on scalars; its results have the operands' types. `failed` is set after an error.
emit::TileBuilder::CombineFn combiner(Evaluator &ev, const Value &function, const std::vector<Tensor> &inputs, ast::Range range, bool &failed) {
  return [&ev, &function, &inputs, range, &failed](std::span<const emit::IrValue> arguments) {
    size_t n = inputs.size();
    CallArgs call;
    call.range = range;
    for (size_t i = 0; i < 2 * n; ++i) {
      call.positional.push_back(Value::tensor(arguments[i], inputs[i % n].type.scalarType()));
      call.positionalRanges.push_back(range);
    }
    emit::Values results(arguments.begin(), arguments.begin() + static_cast<long>(n)); // stand-ins after an error
    RuntimeRegion region(ev.internals());
    MaybeValue value = ev.call(function, call);
    if (!value) {
      failed = true;
      return results;
    }
    std::vector<Value> items = value->isSequence() ? value->items() : std::vector<Value>{*value};
    if (items.size() != n) {
      ev.error(range, "F3608", "the combine function gives " + std::to_string(items.size()) + " values for " + std::to_string(n) + " operands");
      failed = true;
      return results;
    }
    for (size_t i = 0; i < n; ++i) {
      Type expected = inputs[i].type.scalarType();
      if (items[i].isTensor() && !sameInIr(items[i].asTensor().type, expected)) {
        // Converting would round every partial result.
        ev.error(range, "F3608", "the combine function gives " + items[i].asTensor().type.str() + " for an operand of type " + expected.str(),
                 "bring the operands to the type of the result before, or the result to theirs");
        failed = true;
        return results;
      }
      auto t = toTensorOfType(ev, items[i], expected, range);
      if (!t) {
        failed = true;
        return results;
      }
      results[i] = t->value;
    }
    return results;
  };
}

MaybeValue packResults(const emit::Values &values, const std::vector<Type> &types, bool isTuple) {
  std::vector<Value> items;
  for (size_t i = 0; i < values.size(); ++i)
    items.push_back(Value::tensor(values[i], types[i]));
  return isTuple ? Value::tuple(std::move(items)) : items[0];
}

MaybeValue reduce(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "reduce", "input, axis, combine_fn, keep_dims=False", args);
  auto fold = bound ? foldInputs(ev, *bound, "input") : std::nullopt;
  auto keep = fold ? bound->boolean("keep_dims") : std::nullopt;
  if (!keep)
    return std::nullopt;
  size_t rank = fold->inputs[0].type.shape.size();
  if (rank == 0) {
    if ((*bound)["axis"].isNone())
      return packResults([&] { emit::Values v; for (auto &t : fold->inputs) v.push_back(t.value); return v; }(),
                         [&] { std::vector<Type> v; for (auto &t : fold->inputs) v.push_back(t.type); return v; }(), fold->isTuple);
    return ev.error(bound->range("input"), "F3607", "a scalar has no axis to reduce");
  }
  uint32_t axis = 0;
  bool all = (*bound)["axis"].isNone();
  if (all) {
    for (Tensor &t : fold->inputs) {
      Shape flat{t.type.elementCount()};
      if (rank > 1)
        t = Tensor{ev.builder().reshape(t.value, flat, true), t.type.withShape(flat)};
    }
  } else {
    auto at = axisArg(ev, *bound, "axis", rank);
    if (!at)
      return std::nullopt;
    axis = *at;
  }
  emit::Values operands;
  std::vector<Type> types;
  for (const Tensor &t : fold->inputs) {
    operands.push_back(t.value);
    Shape shape = t.type.shape;
    shape.erase(shape.begin() + axis);
    types.push_back(t.type.withShape(shape));
  }
  bool failed = false;
  const Value &function = (*bound)["combine_fn"];
  emit::Values results = ev.builder().reduce(operands, axis, combiner(ev, function, fold->inputs, args.range, failed));
  if (failed)
    return std::nullopt;
  if (*keep)
    for (size_t i = 0; i < results.size(); ++i) {
      Tensor t{results[i], types[i]};
      if (all)
        for (size_t d = 0; d < rank; ++d)
          t = expandDim(ev, t, 0);
      else
        t = expandDim(ev, t, axis);
      results[i] = t.value;
      types[i] = t.type;
    }
  return packResults(results, types, fold->isTuple);
}

MaybeValue associativeScan(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "associative_scan", "input, axis, combine_fn, reverse=False", args);
  auto fold = bound ? foldInputs(ev, *bound, "input") : std::nullopt;
  auto reverse = fold ? bound->boolean("reverse") : std::nullopt;
  if (!reverse)
    return std::nullopt;
  size_t rank = fold->inputs[0].type.shape.size();
  if (rank == 0)
    return ev.error(bound->range("input"), "F3607", "a scalar has no axis to scan");
  auto axis = axisArg(ev, *bound, "axis", rank);
  if (!axis)
    return std::nullopt;
  emit::Values operands;
  std::vector<Type> types;
  for (const Tensor &t : fold->inputs) {
    operands.push_back(t.value);
    types.push_back(t.type);
  }
  bool failed = false;
  const Value &function = (*bound)["combine_fn"];
  emit::Values results = ev.builder().scan(operands, *axis, *reverse, combiner(ev, function, fold->inputs, args.range, failed));
  return failed ? std::nullopt : packResults(results, types, fold->isTuple);
}

// ---- gather and histogram ----

/// Positions are signed in the IR: unsigned ones are widened.
std::optional<Tensor> signedPosition(Evaluator &ev, const Tensor &t, ast::Range range) {
  if (!t.type.isUnsignedInt() || t.type.bitWidth() == 64)
    return t;
  return castTensor(ev, t, Type(t.type.bitWidth() < 32 ? Scalar::Int32 : Scalar::Int64), range);
}

MaybeValue gather(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "gather", "src, index, axis", args);
  auto source = bound ? tensorArg(ev, *bound, "src") : std::nullopt;
  auto index = source ? tensorArg(ev, *bound, "index") : std::nullopt;
  if (!index)
    return std::nullopt;
  size_t rank = source->type.shape.size();
  if (!index->type.isInt())
    return ev.error(bound->range("index"), "F3609", "the index of gather is an integer block, not '" + index->type.scalarType().str() + "'");
  if (rank == 0 || index->type.shape.size() != rank)
    return ev.error(args.range, "F3609", "source and index of gather have shapes " + shapeText(source->type.shape) + " and " + shapeText(index->type.shape) + "; their ranks must be equal");
  auto axis = axisArg(ev, *bound, "axis", rank);
  if (!axis)
    return std::nullopt;
  for (size_t d = 0; d < rank; ++d)
    if (d != *axis && source->type.shape[d] != index->type.shape[d])
      return ev.error(args.range, "F3609", "source and index of gather differ in dimension " + std::to_string(d) + ": shapes " + shapeText(source->type.shape) + " and " + shapeText(index->type.shape));
  index = signedPosition(ev, *index, bound->range("index"));
  return index ? MaybeValue(Value::tensor(ev.builder().gather(source->value, index->value, *axis), source->type.withShape(index->type.shape))) : std::nullopt;
}

MaybeValue histogram(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "histogram", "input, num_bins, mask=None", args);
  auto input = bound ? tensorArg(ev, *bound, "input") : std::nullopt;
  auto bins = input ? bound->integer("num_bins") : std::nullopt;
  if (!bins)
    return std::nullopt;
  if (input->type.shape.size() != 1 || !input->type.isInt())
    return ev.error(bound->range("input"), "F3610", "histogram counts a 1-D block of integers, not '" + input->type.str() + "'");
  if (!checkShape(ev, {*bins}, bound->range("num_bins")))
    return std::nullopt;
  emit::IrValue mask;
  if (!(*bound)["mask"].isNone()) {
    auto m = tensorArg(ev, *bound, "mask");
    if (m && !m->type.isBool())
      return ev.error(bound->range("mask"), "F3304", "a mask is of type int1, not '" + m->type.scalarType().str() + "'");
    m = m ? broadcastTo(ev, *m, input->type.shape, bound->range("mask")) : std::nullopt;
    if (!m)
      return std::nullopt;
    mask = m->value;
  }
  input = signedPosition(ev, *input, bound->range("input"));
  if (!input)
    return std::nullopt;
  return Value::tensor(ev.builder().histogram(input->value, mask, *bins), Type(Scalar::Int32, {*bins}));
}

constexpr BuiltinEntry kEntries[] = {{"dot", dot}, {"reduce", reduce}, {"associative_scan", associativeScan}, {"gather", gather}, {"histogram", histogram}};

} // namespace

std::span<const BuiltinEntry> collectiveBuiltins() { return kEntries; }

} // namespace tegula::frontend::sema
