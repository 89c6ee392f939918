// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads, stores, and block pointers, which are sugar over pointer arithmetic and masks.

#include "frontend/sema/builtins/families.h"

#include <algorithm>
#include <limits>

namespace tegula::frontend::sema {

namespace {

using emit::CacheModifier;
using emit::EvictionPolicy;

std::optional<CacheModifier> cacheModifier(Evaluator &ev, const BoundArgs &args, bool isLoad) {
  if (args["cache_modifier"].isNone())
    return CacheModifier::None;
  auto text = args.string("cache_modifier");
  if (!text)
    return std::nullopt;
  struct Entry {
    std::string_view name;
    CacheModifier modifier;
    bool loads, stores;
  };
  static constexpr Entry kEntries[] = {{"", CacheModifier::None, true, true},   {".ca", CacheModifier::Ca, true, false},
                                       {".cg", CacheModifier::Cg, true, true},  {".cs", CacheModifier::Cs, true, true},
                                       {".cv", CacheModifier::Cv, true, false}, {".wb", CacheModifier::Wb, false, true},
                                       {".wt", CacheModifier::Wt, false, true}};
  for (const Entry &e : kEntries)
    if (e.name == *text && (isLoad ? e.loads : e.stores))
      return e.modifier;
  return ev.error(args.range("cache_modifier"), "F3301", "'" + *text + "' is no cache modifier of a " + (isLoad ? "load" : "store"),
                  isLoad ? "use .ca, .cg, .cs or .cv" : "use .wb, .cg, .cs or .wt");
}

std::optional<EvictionPolicy> evictionPolicy(Evaluator &ev, const BoundArgs &args) {
  if (args["eviction_policy"].isNone())
    return EvictionPolicy::Normal;
  auto text = args.string("eviction_policy");
  if (!text)
    return std::nullopt;
  if (text->empty() || *text == "evict_normal")
    return EvictionPolicy::Normal;
  if (*text == "evict_first")
    return EvictionPolicy::EvictFirst;
  if (*text == "evict_last")
    return EvictionPolicy::EvictLast;
  return ev.error(args.range("eviction_policy"), "F3302", "'" + *text + "' is no eviction policy", "use evict_first or evict_last");
}

/// A pointer argument; errors where it is none.
std::optional<Tensor> pointerArg(Evaluator &ev, const BoundArgs &args, std::string_view name) {
  auto pointer = tensorArg(ev, args, name);
  if (pointer && !pointer->type.isPointer())
    return ev.error(args.range(name), "F3303", "the address is of type '" + pointer->type.str() + "', not a pointer");
  if (pointer && pointer->type.pointee().isVoid())
    return ev.error(args.range(name), "F3303", "a pointer to void has no elements", "convert it to a pointer to a type");
  return pointer;
}

/// A mask as i1 of `shape`; null value where there is none.
std::optional<Tensor> maskArg(Evaluator &ev, const BoundArgs &args, const Shape &shape, const Tensor &pointer) {
  if (args["mask"].isNone())
    return Tensor{};
  auto mask = tensorArg(ev, args, "mask");
  if (!mask)
    return std::nullopt;
  if (!mask->type.isBool())
    return ev.error(args.range("mask"), "F3304", "a mask is of type int1, not '" + mask->type.scalarType().str() + "'",
                    "compare with something, or convert with .to(tl.int1)");
  if (!pointer.type.isBlock() && mask->type.isBlock())
    return ev.error(args.range("mask"), "F3305", "the mask is a block of shape " + shapeText(mask->type.shape) + ", the pointer a scalar");
  return broadcastTo(ev, *mask, shape, args.range("mask"));
}

/// The shape that pointer, mask and value share; the pointer itself must have it.
std::optional<Tensor> pointerInShape(Evaluator &ev, const BoundArgs &args, const Tensor &pointer, std::initializer_list<std::string_view> others) {
  Shape shape = pointer.type.shape;
  for (std::string_view name : others)
    if (args[name].isTensor()) {
      const Tensor &other = args[name].asTensor();
      if (!pointer.type.isBlock() && other.type.isBlock() && other.type.elementCount() == 1)
        continue;
      auto common = commonShape(ev, shape, other.type.shape, args.range(name));
      if (!common)
        return std::nullopt;
      shape = *common;
    }
  if (shape != pointer.type.shape && !pointer.type.isBlock())
    return ev.error(args.callRange(), "F3305", "the pointer is a scalar, but the access has shape " + shapeText(shape),
                    "add a block of offsets to the pointer");
  return broadcastTo(ev, pointer, shape, args.callRange());
}

/// What is loaded from memory as a value of the language: a bool is a byte there.
std::optional<Tensor> fromMemory(Evaluator &ev, emit::IrValue value, const Type &pointer, ast::Range range) {
  Type element = pointer.pointee();
  if (!element.is(Scalar::Int1))
    return Tensor{value, element.withShape(pointer.shape)};
  return castTensor(ev, Tensor{value, Type(Scalar::Int8).withShape(pointer.shape)}, element, range);
}

/// A value as it is stored through `pointer`.
std::optional<Tensor> toMemory(Evaluator &ev, const Value &value, const Type &pointer, ast::Range range) {
  Type element = pointer.pointee();
  auto typed = toTensorOfType(ev, value, element, range);
  if (typed && element.is(Scalar::Int1))
    typed = castTensor(ev, *typed, Type(Scalar::Int8), range);
  if (!typed)
    return std::nullopt;
  if (!pointer.isBlock() && typed->type.isBlock() && typed->type.elementCount() == 1)
    return Tensor{ev.builder().extractScalar(typed->value), typed->type.scalarType()};
  return broadcastTo(ev, *typed, pointer.shape, range);
}

// ---- block pointers ----

/// Pointers and the bounds mask of a block pointer; `checked` are the axes to check.
struct BlockAccess {
  Tensor pointers;
  Tensor mask; ///< null value where nothing is checked
};

std::optional<BlockAccess> expand(Evaluator &ev, const BlockPointerObject &block, const Shape &checked, ast::Range range) {
  size_t rank = block.blockShape.size();
  BlockAccess access{block.base, {}};
  for (size_t i = 0; i < rank; ++i) {
    emit::TileBuilder &b = ev.builder();
    Tensor index{b.arange(0, static_cast<int32_t>(block.blockShape[i])), Type(Scalar::Int32, {block.blockShape[i]})};
    auto wide = castTensor(ev, index, Type(Scalar::Int64), range), offset = castTensor(ev, block.offsets[i], Type(Scalar::Int64), range);
    if (!wide || !offset)
      return std::nullopt;
    MaybeValue position = tensorBinary(ev, ast::BinOpKind::Add, Value::tensor(*wide), Value::tensor(*offset), range);
    if (!position)
      return std::nullopt;
    Tensor at = position->asTensor();
    for (size_t d = 0; d < rank; ++d)
      if (d != i)
        at = expandDim(ev, at, static_cast<uint32_t>(d));
    MaybeValue step = tensorBinary(ev, ast::BinOpKind::Mult, Value::tensor(at), Value::tensor(block.strides[i]), range);
    auto moved = step ? offsetPointer(ev, access.pointers, *step, range) : std::nullopt;
    if (!moved)
      return std::nullopt;
    access.pointers = *moved;
    if (std::find(checked.begin(), checked.end(), static_cast<int64_t>(i)) == checked.end())
      continue;
    MaybeValue notNegative = tensorCompare(ev, ast::CmpOpKind::GtE, Value::tensor(at), Value::integer(0), range);
    MaybeValue below = tensorCompare(ev, ast::CmpOpKind::Lt, Value::tensor(at), Value::tensor(block.shape[i]), range);
    MaybeValue inside = notNegative && below ? tensorBinary(ev, ast::BinOpKind::BitAnd, *notNegative, *below, range) : std::nullopt;
    if (inside && access.mask.value)
      inside = tensorBinary(ev, ast::BinOpKind::BitAnd, Value::tensor(access.mask), *inside, range);
    if (!inside)
      return std::nullopt;
    access.mask = inside->asTensor();
  }
  auto pointers = broadcastTo(ev, access.pointers, block.blockShape, range);
  if (!pointers)
    return std::nullopt;
  access.pointers = *pointers;
  if (access.mask.value) {
    auto mask = broadcastTo(ev, access.mask, block.blockShape, range);
    if (!mask)
      return std::nullopt;
    access.mask = *mask;
  }
  return access;
}

/// boundary_check as axes.
std::optional<Shape> checkedAxes(Evaluator &ev, const BoundArgs &args, size_t rank) {
  auto axes = args.shape("boundary_check");
  if (!axes)
    return std::nullopt;
  for (int64_t &axis : *axes) {
    if (axis < 0)
      axis += static_cast<int64_t>(rank);
    if (axis < 0 || axis >= static_cast<int64_t>(rank))
      return ev.error(args.range("boundary_check"), "F3122", "an axis of boundary_check is out of range for " + std::to_string(rank) + " dimensions");
  }
  return axes;
}

MaybeValue loadBlock(Evaluator &ev, const BoundArgs &args, const BlockPointerObject &block, CacheModifier cache, EvictionPolicy eviction,
                     bool isVolatile) {
  if (!args["mask"].isNone() || !args["other"].isNone())
    return ev.error(args.callRange(), "F3306", "a load through a block pointer takes boundary_check and padding_option, not mask and other");
  auto axes = checkedAxes(ev, args, block.blockShape.size());
  auto access = axes ? expand(ev, block, *axes, args.callRange()) : std::nullopt;
  if (!access)
    return std::nullopt;
  std::string padding = "";
  if (!args["padding_option"].isNone()) {
    auto text = args.string("padding_option");
    if (!text)
      return std::nullopt;
    padding = *text;
  }
  Type element = block.base.type.pointee();
  emit::IrValue other;
  if (padding == "nan") {
    if (!element.isFloat())
      return ev.error(args.range("padding_option"), "F3307", "padding 'nan' needs a floating-point block, not '" + element.str() + "'");
    if (access->mask.value)
      other = ev.builder().constantFloat(element.withShape(block.blockShape), std::numeric_limits<double>::quiet_NaN());
  } else if (!padding.empty() && padding != "zero") {
    return ev.error(args.range("padding_option"), "F3307", "the padding is 'zero' or 'nan', not '" + padding + "'");
  }
  emit::IrValue value = ev.builder().load(access->pointers.value, access->mask.value, other, cache, eviction, isVolatile);
  return asValue(fromMemory(ev, value, access->pointers.type, args.callRange()));
}

MaybeValue load(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(
      ev, "load", "pointer, mask=None, other=None, boundary_check=(), padding_option='', cache_modifier='', eviction_policy='', volatile=False",
      args);
  if (!bound)
    return std::nullopt;
  auto cache = cacheModifier(ev, *bound, true);
  auto eviction = cache ? evictionPolicy(ev, *bound) : std::nullopt;
  auto isVolatile = eviction ? bound->boolean("volatile") : std::nullopt;
  if (!isVolatile)
    return std::nullopt;
  if ((*bound)["pointer"].is(Kind::BlockPointer))
    return loadBlock(ev, *bound, (*bound)["pointer"].as<BlockPointerObject>(), *cache, *eviction, *isVolatile);
  auto pointer = pointerArg(ev, *bound, "pointer");
  if (!pointer)
    return std::nullopt;
  if ((*bound)["mask"].isNone() && !(*bound)["other"].isNone())
    return ev.error(bound->range("other"), "F3308", "'other' is given without a mask", "give mask=..., or leave 'other' out");
  pointer = pointerInShape(ev, *bound, *pointer, {"mask", "other"});
  auto mask = pointer ? maskArg(ev, *bound, pointer->type.shape, *pointer) : std::nullopt;
  if (!mask)
    return std::nullopt;
  emit::IrValue other;
  if (!(*bound)["other"].isNone()) {
    auto typed = toMemory(ev, (*bound)["other"], pointer->type, bound->range("other"));
    if (!typed)
      return std::nullopt;
    other = typed->value;
  }
  return asValue(fromMemory(ev, ev.builder().load(pointer->value, mask->value, other, *cache, *eviction, *isVolatile), pointer->type, args.range));
}

MaybeValue store(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "store", "pointer, value, mask=None, boundary_check=(), cache_modifier='', eviction_policy=''", args);
  if (!bound)
    return std::nullopt;
  auto cache = cacheModifier(ev, *bound, false);
  auto eviction = cache ? evictionPolicy(ev, *bound) : std::nullopt;
  if (!eviction)
    return std::nullopt;
  std::optional<Tensor> pointer, mask;
  if ((*bound)["pointer"].is(Kind::BlockPointer)) {
    if (!(*bound)["mask"].isNone())
      return ev.error(bound->range("mask"), "F3306", "a store through a block pointer takes boundary_check, not mask");
    const auto &block = (*bound)["pointer"].as<BlockPointerObject>();
    auto axes = checkedAxes(ev, *bound, block.blockShape.size());
    auto access = axes ? expand(ev, block, *axes, args.range) : std::nullopt;
    if (!access)
      return std::nullopt;
    pointer = access->pointers;
    mask = access->mask;
  } else {
    pointer = pointerArg(ev, *bound, "pointer");
    if (pointer)
      pointer = pointerInShape(ev, *bound, *pointer, {"mask", "value"});
    mask = pointer ? maskArg(ev, *bound, pointer->type.shape, *pointer) : std::nullopt;
  }
  if (!mask)
    return std::nullopt;
  if (pointer->type.isConst)
    return ev.error(bound->range("pointer"), "F3309", "this pointer is const; nothing can be stored through it");
  auto value = toMemory(ev, (*bound)["value"], pointer->type, bound->range("value"));
  if (!value)
    return std::nullopt;
  ev.builder().store(pointer->value, value->value, mask->value, *cache, *eviction);
  return Value::none();
}

/// A sequence of run-time or compile-time ints as scalars of one type.
std::optional<std::vector<Tensor>> scalars(Evaluator &ev, const BoundArgs &args, std::string_view name, Scalar type) {
  const Value &value = args[name];
  std::vector<Value> items = value.isSequence() ? value.items() : std::vector<Value>{value};
  std::vector<Tensor> result;
  for (const Value &item : items) {
    auto t = toTensor(ev, item, args.range(name));
    if (!t)
      return std::nullopt;
    if (!t->type.isInt() || t->type.isBlock())
      return ev.error(args.range(name), "F3310", "'" + std::string(name) + "' of a block pointer holds integer scalars, not '" + t->type.str() + "'");
    t = castTensor(ev, *t, Type(type), args.range(name));
    if (!t)
      return std::nullopt;
    result.push_back(*t);
  }
  return result;
}

MaybeValue makeBlockPointer(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "make_block_ptr", "base, shape, strides, offsets, block_shape, order", args);
  auto base = bound ? pointerArg(ev, *bound, "base") : std::nullopt;
  if (!base)
    return std::nullopt;
  if (base->type.isBlock())
    return ev.error(bound->range("base"), "F3303", "the base of a block pointer is a scalar pointer, not a block");
  auto object = std::make_shared<BlockPointerObject>();
  object->base = *base;
  auto shape = scalars(ev, *bound, "shape", Scalar::Int64), strides = shape ? scalars(ev, *bound, "strides", Scalar::Int64) : std::nullopt;
  auto offsets = strides ? scalars(ev, *bound, "offsets", Scalar::Int32) : std::nullopt;
  auto blockShape = offsets ? bound->shape("block_shape") : std::nullopt;
  auto order = blockShape ? bound->shape("order") : std::nullopt;
  if (!order || !checkShape(ev, *blockShape, bound->range("block_shape")))
    return std::nullopt;
  size_t rank = blockShape->size();
  if (shape->size() != rank || strides->size() != rank || offsets->size() != rank || order->size() != rank)
    return ev.error(args.range, "F3311", "shape, strides, offsets, block_shape and order of a block pointer must be equally long");
  object->shape = *shape;
  object->strides = *strides;
  object->offsets = *offsets;
  object->blockShape = *blockShape;
  object->order = *order;
  return Value::object(object);
}

MaybeValue advance(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "advance", "base, offsets", args);
  if (!bound)
    return std::nullopt;
  if (!(*bound)["base"].is(Kind::BlockPointer))
    return ev.error(bound->range("base"), "F3312", "advance takes a block pointer");
  const auto &from = (*bound)["base"].as<BlockPointerObject>();
  auto deltas = scalars(ev, *bound, "offsets", Scalar::Int32);
  if (!deltas)
    return std::nullopt;
  if (deltas->size() != from.offsets.size())
    return ev.error(bound->range("offsets"), "F3311",
                    "advance needs one offset per dimension: " + std::to_string(from.offsets.size()) + ", not " + std::to_string(deltas->size()));
  auto object = std::make_shared<BlockPointerObject>(from);
  for (size_t i = 0; i < deltas->size(); ++i)
    object->offsets[i].value = ev.builder().binary(emit::BinaryOp::AddI, from.offsets[i].value, (*deltas)[i].value);
  return Value::object(object);
}

constexpr BuiltinEntry kEntries[] = {{"load", load}, {"store", store}, {"make_block_ptr", makeBlockPointer}, {"advance", advance}};

} // namespace

std::span<const BuiltinEntry> memoryBuiltins() { return kEntries; }

} // namespace tegula::frontend::sema
