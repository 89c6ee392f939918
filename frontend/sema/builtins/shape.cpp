// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shape manipulation.

#include "frontend/sema/builtins/families.h"

#include <numeric>

namespace tegula::frontend::sema {

namespace {

MaybeValue broadcast(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "broadcast", "input, other", args);
  auto a = bound ? tensorArg(ev, *bound, "input") : std::nullopt;
  auto b = a ? tensorArg(ev, *bound, "other") : std::nullopt;
  auto both = b ? broadcastPair(ev, *a, *b, args.range) : std::nullopt;
  return both ? MaybeValue(Value::tuple({Value::tensor(both->first), Value::tensor(both->second)})) : std::nullopt;
}

MaybeValue broadcastToBuiltin(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "broadcast_to", "input, *shape", args);
  auto a = bound ? tensorArg(ev, *bound, "input") : std::nullopt;
  auto shape = a ? bound->shape("shape") : std::nullopt;
  if (!shape || !checkShape(ev, *shape, args.range))
    return std::nullopt;
  return asValue(broadcastTo(ev, *a, *shape, args.range));
}

MaybeValue expandDims(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "expand_dims", "input, axis", args);
  auto a = bound ? tensorArg(ev, *bound, "input") : std::nullopt;
  auto axes = a ? bound->shape("axis") : std::nullopt; // an int or several
  if (!axes)
    return std::nullopt;
  auto rank = static_cast<int64_t>(a->type.shape.size() + axes->size());
  std::vector<bool> isNew(static_cast<size_t>(rank), false);
  for (int64_t axis : *axes) {
    if (axis < -rank || axis >= rank)
      return ev.error(bound->range("axis"), "F3122", "axis " + std::to_string(axis) + " is out of range for " + std::to_string(rank) + " dimensions");
    size_t at = static_cast<size_t>(axis < 0 ? axis + rank : axis);
    if (isNew[at])
      return ev.error(bound->range("axis"), "F3122", "axis " + std::to_string(axis) + " is named twice");
    isNew[at] = true;
  }
  Tensor result = *a;
  for (uint32_t i = 0; i < isNew.size(); ++i)
    if (isNew[i])
      result = expandDim(ev, result, i);
  return Value::tensor(result);
}

std::optional<Tensor> reshapeTo(Evaluator &ev, const Tensor &t, const Shape &shape, bool reorder, ast::Range range) {
  if (!checkShape(ev, shape, range))
    return std::nullopt;
  int64_t count = Type(Scalar::Int32, shape).elementCount();
  if (count != t.type.elementCount())
    return ev.error(range, "F3132", "a block of shape " + shapeText(t.type.shape) + " cannot be reshaped to " + shapeText(shape) + ": " +
                                        std::to_string(t.type.elementCount()) + " and " + std::to_string(count) + " elements");
  if (shape.empty()) // one element
    return t.type.isBlock() ? Tensor{ev.builder().extractScalar(t.value), t.type.scalarType()} : t;
  if (!t.type.isBlock())
    return broadcastTo(ev, t, shape, range);
  if (shape == t.type.shape)
    return t;
  return Tensor{ev.builder().reshape(t.value, shape, reorder), t.type.withShape(shape)};
}

template <bool Reorder> MaybeValue reshape(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, Reorder ? "view" : "reshape", "input, *shape, can_reorder=False", args);
  auto a = bound ? tensorArg(ev, *bound, "input") : std::nullopt;
  auto shape = a ? bound->shape("shape") : std::nullopt;
  auto reorder = shape ? bound->boolean("can_reorder") : std::nullopt;
  return reorder ? asValue(reshapeTo(ev, *a, *shape, Reorder || *reorder, args.range)) : std::nullopt;
}

MaybeValue ravel(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "ravel", "x, can_reorder=False", args);
  auto a = bound ? tensorArg(ev, *bound, "x") : std::nullopt;
  return a ? asValue(reshapeTo(ev, *a, {a->type.elementCount()}, false, args.range)) : std::nullopt;
}

MaybeValue squeeze(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "squeeze", "x, dim", args);
  auto a = bound ? tensorArg(ev, *bound, "x") : std::nullopt;
  auto axis = a ? axisArg(ev, *bound, "dim", a->type.shape.size()) : std::nullopt;
  if (!axis)
    return std::nullopt;
  if (a->type.shape[*axis] != 1)
    return ev.error(bound->range("dim"), "F3133", "dimension " + std::to_string(*axis) + " of shape " + shapeText(a->type.shape) + " is not 1");
  Shape shape = a->type.shape;
  shape.erase(shape.begin() + *axis);
  return asValue(reshapeTo(ev, *a, shape, false, args.range));
}

MaybeValue unsqueeze(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "unsqueeze", "x, dim", args);
  auto a = bound ? tensorArg(ev, *bound, "x") : std::nullopt;
  auto axis = a ? axisArg(ev, *bound, "dim", a->type.shape.size() + 1) : std::nullopt;
  return axis ? MaybeValue(Value::tensor(expandDim(ev, *a, *axis))) : std::nullopt;
}

MaybeValue permuted(Evaluator &ev, const Tensor &t, const Shape &dims, ast::Range range) {
  size_t rank = t.type.shape.size();
  std::vector<uint32_t> order;
  std::vector<bool> seen(rank, false);
  Shape shape;
  for (int64_t d : dims) {
    auto n = static_cast<int64_t>(rank);
    int64_t at = d < 0 ? d + n : d;
    if (at < 0 || at >= n || seen[static_cast<size_t>(at)])
      return ev.error(range, "F3134", shapeText(dims) + " is no permutation of " + std::to_string(rank) + " dimensions");
    seen[static_cast<size_t>(at)] = true;
    order.push_back(static_cast<uint32_t>(at));
    shape.push_back(t.type.shape[static_cast<size_t>(at)]);
  }
  if (order.size() != rank)
    return ev.error(range, "F3134", shapeText(dims) + " is no permutation of " + std::to_string(rank) + " dimensions");
  return Value::tensor(ev.builder().transpose(t.value, order), t.type.withShape(shape));
}

MaybeValue permute(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "permute", "input, *dims", args);
  auto a = bound ? tensorArg(ev, *bound, "input") : std::nullopt;
  auto dims = a ? bound->shape("dims") : std::nullopt;
  return dims ? permuted(ev, *a, *dims, args.range) : std::nullopt;
}

MaybeValue trans(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "trans", "input, *dims", args);
  auto a = bound ? tensorArg(ev, *bound, "input") : std::nullopt;
  auto dims = a ? bound->shape("dims") : std::nullopt;
  if (!dims)
    return std::nullopt;
  if (dims->empty()) {
    size_t rank = a->type.shape.size();
    if (rank < 2)
      return ev.error(args.range, "F3134", "trans swaps the last two dimensions of a block; this one has shape " + shapeText(a->type.shape));
    dims->resize(rank);
    std::iota(dims->begin(), dims->end(), 0);
    std::swap((*dims)[rank - 1], (*dims)[rank - 2]);
  }
  return permuted(ev, *a, *dims, args.range);
}

/// Two tensors brought to one type and shape.
std::optional<std::pair<Tensor, Tensor>> sameType(Evaluator &ev, const BoundArgs &bound, std::string_view a, std::string_view b) {
  auto x = tensorArg(ev, bound, a), y = x ? tensorArg(ev, bound, b) : std::nullopt;
  if (!y)
    return std::nullopt;
  if (x->type.isPointer() && y->type.isPointer())
    return broadcastPair(ev, *x, *y, bound.callRange());
  return promote(ev, Value::tensor(*x), Value::tensor(*y), bound.callRange());
}

MaybeValue join(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "join", "a, b", args);
  auto both = bound ? sameType(ev, *bound, "a", "b") : std::nullopt;
  if (!both)
    return std::nullopt;
  Shape shape = both->first.type.shape;
  shape.push_back(2);
  return Value::tensor(ev.builder().join(both->first.value, both->second.value), both->first.type.withShape(shape));
}

MaybeValue split(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "split", "a", args);
  auto a = bound ? tensorArg(ev, *bound, "a") : std::nullopt;
  if (!a)
    return std::nullopt;
  if (!a->type.isBlock() || a->type.shape.back() != 2)
    return ev.error(args.range, "F3135", "split takes a block whose last dimension is 2, not one of shape " + shapeText(a->type.shape));
  auto [left, right] = ev.builder().split(a->value);
  Shape shape = a->type.shape;
  shape.pop_back();
  Type type = a->type.withShape(shape);
  return Value::tuple({Value::tensor(left, type), Value::tensor(right, type)});
}

MaybeValue cat(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "cat", "input, other, can_reorder=False, dim=0", args);
  auto a = bound ? tensorArg(ev, *bound, "input") : std::nullopt;
  auto b = a ? tensorArg(ev, *bound, "other") : std::nullopt;
  if (!b)
    return std::nullopt;
  if (a->type != b->type || !a->type.isBlock())
    return ev.error(args.range, "F3136", "cat takes two blocks of one type and shape, not '" + a->type.str() + "' and '" + b->type.str() + "'");
  auto axis = axisArg(ev, *bound, "dim", a->type.shape.size());
  if (!axis)
    return std::nullopt;
  Shape shape = a->type.shape;
  shape[*axis] *= 2;
  if (!checkShape(ev, shape, args.range))
    return std::nullopt;
  return Value::tensor(ev.builder().concat(a->value, b->value, *axis), a->type.withShape(shape));
}

MaybeValue where(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "where", "condition, x, y", args);
  auto condition = bound ? tensorArg(ev, *bound, "condition") : std::nullopt;
  if (!condition)
    return std::nullopt;
  if (!condition->type.isBool())
    condition = castTensor(ev, *condition, Type(Scalar::Int1), bound->range("condition"));
  const Value &x = (*bound)["x"], &y = (*bound)["y"];
  bool pointers = (x.isTensor() && x.asTensor().type.isPointer()) || (y.isTensor() && y.asTensor().type.isPointer());
  auto both = condition ? promote(ev, x, y, args.range, false, pointers) : std::nullopt;
  if (!both)
    return std::nullopt;
  if (pointers && both->first.type.scalarType().str() != both->second.type.scalarType().str())
    return ev.error(args.range, "F3107",
                    "the sides of where are '" + both->first.type.scalarType().str() + "' and '" + both->second.type.scalarType().str() + "'");
  auto shape = commonShape(ev, condition->type.shape, both->first.type.shape, args.range);
  if (!shape)
    return std::nullopt;
  auto a = broadcastTo(ev, both->first, *shape, args.range), b = broadcastTo(ev, both->second, *shape, args.range);
  auto c = broadcastTo(ev, *condition, *shape, args.range);
  return a && b && c ? MaybeValue(Value::tensor(ev.builder().select(c->value, a->value, b->value), a->type)) : std::nullopt;
}

constexpr BuiltinEntry kEntries[] = {
    {"broadcast", broadcast},
    {"broadcast_to", broadcastToBuiltin},
    {"expand_dims", expandDims},
    {"reshape", reshape<false>},
    {"view", reshape<true>},
    {"ravel", ravel},
    {"squeeze", squeeze},
    {"unsqueeze", unsqueeze},
    {"permute", permute},
    {"trans", trans},
    {"join", join},
    {"split", split},
    {"cat", cat},
    {"where", where},
};

} // namespace

std::span<const BuiltinEntry> shapeBuiltins() { return kEntries; }

} // namespace tegula::frontend::sema
