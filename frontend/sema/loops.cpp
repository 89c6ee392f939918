// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of kernels: run-time `for` and `while` with the names they carry, and loops that are unrolled (tl.static_range, tuples).
// A name is carried where it is defined before the loop, assigned in it, and holds a run-time value; a constant that the body turns out to
// change becomes a run-time value first and the loop is built again.
#include "frontend/sema/frame.h"
#include "frontend/sema/tensor_semantics.h"

#include <algorithm>

namespace tegula::frontend::sema {

namespace {
constexpr size_t kMaxUnroll = 8192;

emit::LoopOptions loopOptions(const RangeObject &range) {
  emit::LoopOptions options;
  auto number = [&](const char *name) -> uint32_t {
    auto it = range.options.find(name);
    bool known = it != range.options.end() && (it->second.is(Kind::Int) || it->second.is(Kind::Bool)) && it->second.asInt() > 0;
    return known ? static_cast<uint32_t>(it->second.asInt()) : 0;
  };
  options.numStages = number("num_stages");
  options.unroll = number("loop_unroll_factor");
  options.flatten = number("flatten") != 0;
  options.warpSpecialize = number("warp_specialize") != 0;
  options.disallowAccMultiBuffer = number("disallow_acc_multi_buffer") != 0;
  options.disableLicm = number("disable_licm") != 0;
  return options;
}
} // namespace

bool Frame::beginCarried(const Names &before, const std::set<std::string> &assigned, const std::map<std::string, Value> &promoted, ast::Range range,
                         std::vector<std::pair<std::string, Value>> &carried, std::vector<emit::IrValue> &inits) {
  for (const std::string &name : assigned) {
    auto it = before.find(name);
    if (it == before.end())
      continue;
    Value value = it->second;
    if (auto like = promoted.find(name); like != promoted.end()) {
      MaybeValue result = promoteLike(value, like->second, range);
      if (!result)
        return false;
      value = std::move(*result);
    }
    if (!containsTensor(value))
      continue;
    flatten(value, inits);
    carried.emplace_back(name, std::move(value));
  }
  return true;
}

void Frame::bindCarried(const std::vector<std::pair<std::string, Value>> &carried, const emit::Values &values) {
  const emit::IrValue *cursor = values.data();
  for (const auto &[name, value] : carried)
    bind(name, rebuild(value, cursor));
}

bool Frame::closeBody(const std::vector<std::pair<std::string, Value>> &carried, const Names &before, std::string_view target,
                      std::vector<emit::IrValue> &yields, std::map<std::string, Value> &promoted, bool &again, const ast::Stmt &loop, ast::List<ast::Stmt> body) {
  auto mismatch = [&](const std::string &name, const Value &from, const Value &to) {
    ev.error(loop.range, "F3002",
             "'" + name + "' is of type '" + typeNameOf(from) + "' before this loop and of type '" + typeNameOf(to) + "' after its body (" + placeOf(body, name, "in the body") + ")",
             to.isTensor() && from.isTensor() && !to.asTensor().type.isBlock() && !from.asTensor().type.isBlock()
                 ? "write '" + name + " = (...).to(" + (from.asTensor().type.isPointer() ? "" : "tl.") + from.asTensor().type.str() + ")' in the body"
                 : "a loop-carried value must keep its type; convert it with .to(dtype) or define it before the loop with its final shape and dtype");
    return false;
  };
  Names &names = functionScope->names;
  for (const auto &[name, initial] : carried) {
    Value now = names.find(name)->second;
    if (needsPromotion(now, initial)) {
      MaybeValue result = promoteLike(now, initial, loop.range);
      if (!result)
        return false;
      now = std::move(*result);
    }
    if (!sameStructure(initial, now))
      return mismatch(name, initial, now);
    flatten(now, yields);
  }
  for (const auto &[name, initial] : before) {
    bool isCarried = std::any_of(carried.begin(), carried.end(), [&, &name = name](const auto &c) { return c.first == name; });
    const Value &now = names.find(name)->second;
    if (isCarried || name == target || identicalValues(initial, now) || (!containsTensor(now) && equalValues(initial, now)))
      continue;
    if (!needsPromotion(initial, now) || promoted.contains(name))
      return mismatch(name, initial, now);
    promoted.emplace(name, now);
    again = true;
  }
  return true;
}

Flow Frame::unroll(const ast::For &stmt, std::shared_ptr<const std::vector<Value>> items, size_t from, const Rest *rest) {
  for (size_t i = from; i < items->size(); ++i) {
    if (!assign(stmt.target, (*items)[i], stmt.target->range))
      return Flow::Error;
    Rest after{{}, 0, rest, [this, &stmt, items, i, rest] { return unroll(stmt, items, i + 1, rest); }};
    Flow flow = execBlock(stmt.body, &after);
    if (flow != Flow::Normal)
      return flow;
  }
  return Flow::Normal;
}

Flow Frame::execFor(const ast::For &stmt, const Rest *rest) {
  if (!isKernel())
    return execHostFor(stmt);
  auto fail = [&](ast::Range range, std::string_view code, std::string message, std::string help = {}) {
    ev.error(range, code, std::move(message), std::move(help));
    return Flow::Error;
  };
  if (!stmt.orElse.empty())
    return fail(stmt.orElse[0]->range, "F2203", "'else' of a loop is not part of the language");
  MaybeValue iterable = eval(stmt.iter);
  if (!iterable || !requireKnown(*iterable, stmt.iter->range))
    return Flow::Error;
  if (iterable->is(Kind::Range) && !iterable->as<RangeObject>().isStatic)
    return runtimeFor(stmt, iterable->as<RangeObject>());
  if (iterable->isTensor())
    return fail(stmt.iter->range, "F3005", "a tensor cannot be iterated over", "loop over range, tl.range or tl.static_range");
  auto items = ev.iterate(*iterable, stmt.iter->range);
  if (!items)
    return Flow::Error;
  if (items->size() > kMaxUnroll)
    return fail(stmt.iter->range, "F2316", "the loop would be unrolled " + std::to_string(items->size()) + " times; the limit is " + std::to_string(kMaxUnroll), "use tl.range");
  return unroll(stmt, std::make_shared<const std::vector<Value>>(std::move(*items)), 0, rest);
}

Flow Frame::runtimeFor(const ast::For &stmt, const RangeObject &range) {
  emit::TileBuilder &builder = *impl.builder;
  const SourceBuffer &source = *module.tree->source;
  const auto *target = ast::dynAs<ast::Name>(stmt.target);
  if (!target) {
    ev.error(stmt.target->range, "F2220", "the variable of a run-time loop must be one name");
    return Flow::Error;
  }
  builder.setLocation(source, stmt.iter->range);
  // Counting down runs the same numbers upwards: i' from upper to lower, and i = lower + upper - i'.
  bool down = false;
  Value lower = range.lower, upper = range.upper, step = range.step;
  if (!step.isTensor()) {
    if (step.asInt() == 0) {
      ev.error(stmt.iter->range, "F2303", "the step of a range must not be zero");
      return Flow::Error;
    }
    if (step.asInt() < 0) {
      down = true;
      step = Value::integer(-step.asInt());
      std::swap(lower, upper);
    }
  }
  Tensor bounds[3];
  const Value *given[] = {&lower, &upper, &step};
  Type type;
  for (size_t i = 0; i < 3; ++i) {
    auto bound = toTensor(ev, *given[i], stmt.iter->range);
    if (!bound)
      return Flow::Error;
    if (!bound->type.isInt() || bound->type.isBlock()) {
      ev.error(stmt.iter->range, "F3004", "bounds and step of a range must be scalar ints, not of type '" + bound->type.str() + "'");
      return Flow::Error;
    }
    bounds[i] = *bound;
    type = i ? promoteIntegers(type, bound->type) : bound->type;
  }
  for (Tensor &bound : bounds) {
    auto converted = castTensor(ev, bound, type, stmt.iter->range);
    if (!converted)
      return Flow::Error;
    bound = *converted;
  }

  RuntimeRegion region(impl);
  std::set<std::string> assigned;
  collectAssigned(stmt.body, assigned);
  assigned.erase(std::string(target->id));
  const Names before = functionScope->names;
  const auto lostBefore = lost;
  std::map<std::string, Value> promoted;
  while (true) {
    std::vector<std::pair<std::string, Value>> carried;
    std::vector<emit::IrValue> inits, yields;
    if (!beginCarried(before, assigned, promoted, stmt.range, carried, inits))
      return Flow::Error;
    builder.setLocation(source, stmt.range);
    auto loop = builder.beginFor(bounds[0].value, bounds[1].value, bounds[2].value, inits, loopOptions(range));
    bindCarried(carried, loop.carried);
    emit::IrValue induction = loop.induction;
    if (down)
      induction = builder.binary(emit::BinaryOp::AddI, builder.binary(emit::BinaryOp::SubI, bounds[1].value, induction), bounds[0].value);
    bind(target->id, Value::tensor(induction, type));
    ++loopDepth;
    Flow flow = execBlock(stmt.body, nullptr);
    --loopDepth;
    if (flow != Flow::Normal)
      return flow;
    bool again = false;
    if (!closeBody(carried, before, target->id, yields, promoted, again, stmt, stmt.body))
      return Flow::Error;
    Names after = std::move(functionScope->names);
    functionScope->names = before;
    if (again) {
      builder.abandonRegion();
      lost = lostBefore;
      continue;
    }
    builder.setLocation(source, stmt.range);
    bindCarried(carried, builder.endFor(yields));
    loseNames(functionScope->names, after, stmt.range, "for");
    return Flow::Normal;
  }
}

Flow Frame::execWhile(const ast::While &stmt) {
  if (!isKernel())
    return execHostWhile(stmt);
  if (!stmt.orElse.empty()) {
    ev.error(stmt.orElse[0]->range, "F2203", "'else' of a loop is not part of the language");
    return Flow::Error;
  }
  RuntimeRegion region(impl);
  emit::TileBuilder &builder = *impl.builder;
  const SourceBuffer &source = *module.tree->source;
  std::set<std::string> assigned;
  collectAssigned(stmt.body, assigned);
  const Names before = functionScope->names;
  const auto lostBefore = lost;
  std::map<std::string, Value> promoted;
  while (true) {
    std::vector<std::pair<std::string, Value>> carried;
    std::vector<emit::IrValue> inits, yields;
    if (!beginCarried(before, assigned, promoted, stmt.range, carried, inits))
      return Flow::Error;
    builder.setLocation(source, stmt.range);
    emit::Values arguments = builder.beginWhile(inits);
    bindCarried(carried, arguments);
    const Names inTest = functionScope->names;
    ++loopDepth;
    MaybeValue test = eval(stmt.test);
    if (!test || !requireKnown(*test, stmt.test->range))
      return Flow::Error;
    auto known = test->isTensor() ? std::optional(true) : ev.truth(*test, stmt.test->range);
    if (!known)
      return Flow::Error;
    if (!*known) {
      --loopDepth;
      builder.abandonRegion();
      functionScope->names = before;
      return Flow::Normal;
    }
    auto condition = toCondition(ev, test->isTensor() ? *test : Value::boolean(true), stmt.test->range);
    if (!condition)
      return Flow::Error;
    functionScope->names = inTest; // what the test binds is not the body's
    bindCarried(carried, builder.whileCondition(condition->value, arguments));
    Flow flow = execBlock(stmt.body, nullptr);
    --loopDepth;
    if (flow != Flow::Normal)
      return flow;
    bool again = false;
    if (!closeBody(carried, before, {}, yields, promoted, again, stmt, stmt.body))
      return Flow::Error;
    if (!again && !test->isTensor()) {
      ev.error(stmt.test->range, "F3008", "this loop never ends: its condition is true when compiling and nothing in the body changes it");
      return Flow::Error;
    }
    Names after = std::move(functionScope->names);
    functionScope->names = before;
    if (again) {
      builder.abandonRegion();
      lost = lostBefore;
      continue;
    }
    builder.setLocation(source, stmt.range);
    bindCarried(carried, builder.endWhile(yields));
    loseNames(functionScope->names, after, stmt.range, "while");
    return Flow::Normal;
  }
}

} // namespace tegula::frontend::sema
