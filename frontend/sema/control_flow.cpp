// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `if` and the conditional expression. A condition known at compile time chooses one side and the other is never looked at. A run-time
// one builds both and merges the names; where an arm returns, what follows the `if` becomes part of the other arm, so that the IR stays
// structured. Example: `if p: return` followed by S is built as `if p: {} else: S`.
#include "frontend/sema/frame.h"
#include "frontend/sema/tensor_semantics.h"

#include <algorithm>

namespace tegula::frontend::sema {

namespace {
constexpr unsigned kMaxOpenBranches = 256; // our stack ends somewhere
}

Flow Frame::execIf(const ast::If &stmt, const Rest *rest) {
  MaybeValue test = eval(stmt.test);
  if (!test)
    return Flow::Error;
  if (test->isUnknown() && isTolerant())
    return execUnknownIf(stmt, *test);
  if (isKernel() && !requireKnown(*test, stmt.test->range))
    return Flow::Error;
  if (test->isTensor()) {
    auto condition = toCondition(ev, *test, stmt.test->range);
    if (!condition)
      return Flow::Error;
    if (impl.openBranches == kMaxOpenBranches) {
      ev.error(stmt.range, "F2317", "run-time branches nest more than " + std::to_string(kMaxOpenBranches) + " deep", "each early return puts what follows it one level deeper; return fewer times, or loop with tl.range");
      return Flow::Error;
    }
    ++impl.openBranches;
    Flow flow = runtimeIf(*condition, stmt, rest);
    --impl.openBranches;
    return flow;
  }
  auto known = ev.truth(*test, stmt.test->range);
  if (!known)
    return Flow::Error;
  ast::List<ast::Stmt> chosen = *known ? stmt.body : stmt.orElse;
  if (!isTolerant())
    return execBlock(chosen, rest);
  execTolerant(chosen);
  return Flow::Normal;
}

MaybeValue Frame::promoteLike(const Value &value, const Value &like, ast::Range range) {
  if (value.isNumber()) {
    const Type *wanted = like.isTensor() ? &like.asTensor().type : nullptr;
    bool takesOver = wanted && !wanted->isPointer() && (wanted->isFloat() || (wanted->isInt() && !value.is(Kind::Float)));
    auto tensor = takesOver ? toTensorOfType(ev, value, *wanted, range) : toTensor(ev, value, range);
    return tensor ? MaybeValue(Value::tensor(std::move(*tensor))) : std::nullopt;
  }
  if (!value.isSequence() || value.kind() != like.kind() || value.items().size() != like.items().size())
    return value;
  std::vector<Value> items;
  for (size_t i = 0; i < value.items().size(); ++i) {
    bool promote = needsPromotion(value.items()[i], like.items()[i]) || value.items()[i].isSequence();
    MaybeValue item = promote ? promoteLike(value.items()[i], like.items()[i], range) : MaybeValue(value.items()[i]);
    if (!item)
      return std::nullopt;
    items.push_back(std::move(*item));
  }
  return value.is(Kind::Tuple) ? Value::tuple(std::move(items)) : Value::list(std::move(items));
}

void Frame::loseNames(const Names &before, const Names &after, ast::Range where, std::string_view by) {
  for (const auto &[name, value] : after)
    if (!before.contains(name))
      lost.insert_or_assign(name, Lost{where, by});
}

std::string Frame::placeOf(ast::List<ast::Stmt> body, std::string_view name, std::string_view otherwise) {
  uint32_t found = 0;
  for (size_t i = 0; i < body.size(); ++i) {
    std::set<std::string> names;
    collectAssigned(body.subspan(i, 1), names);
    if (names.contains(std::string(name)))
      found = module.tree->source->locate(body[i]->range.begin).line;
  }
  return found ? "in line " + std::to_string(found) : std::string(otherwise);
}

bool Frame::mergeNames(Names &thenNames, std::map<std::string, Value> &promoted, bool &again, std::vector<std::string> &merged,
                       emit::Values &thenValues, emit::Values &elseValues, const ast::If &stmt) {
  Names &elseNames = functionScope->names;
  for (auto &[name, thenValue] : thenNames) {
    auto other = elseNames.find(name);
    if (other == elseNames.end() || identicalValues(thenValue, other->second))
      continue;
    Value &elseValue = other->second;
    if (needsPromotion(elseValue, thenValue)) {
      MaybeValue value = promoteLike(elseValue, thenValue, stmt.range);
      if (!value)
        return false;
      elseValue = std::move(*value);
    }
    if (needsPromotion(thenValue, elseValue)) {
      // The other arm is built already: build it once more with this name promoted at its end.
      again |= promoted.emplace(name, elseValue).second;
      continue;
    }
    if (!sameStructure(thenValue, elseValue)) {
      ev.error(stmt.range, "F3001",
               "'" + name + "' is of type '" + typeNameOf(thenValue) + "' (" + placeOf(stmt.body, name, "before the 'if'") + ") in one arm of this 'if' and of type '" +
                   typeNameOf(elseValue) + "' (" + placeOf(stmt.orElse, name, "before the 'if'") + ") in the other",
               "convert one of them, with .to(dtype) or tl.full");
      return false;
    }
    size_t size = thenValues.size();
    flatten(thenValue, thenValues);
    flatten(elseValue, elseValues);
    if (thenValues.size() != size)
      merged.push_back(name);
  }
  return true;
}

Flow Frame::runtimeIf(const Tensor &condition, const ast::If &stmt, const Rest *rest) {
  RuntimeRegion region(impl);
  emit::TileBuilder &builder = *impl.builder;
  const SourceBuffer &source = *module.tree->source;
  const Names before = functionScope->names;
  const auto lostBefore = lost;
  bool thenCompletes = false; // build what follows inside the first arm too, since the second one returns
  std::map<std::string, Value> promoted;
  MaybeValue promotedReturn;
  while (true) {
    builder.setLocation(source, stmt.test->range);
    builder.beginIf(condition.value);
    Flow thenFlow = execBlock(stmt.body, rest);
    if (thenFlow == Flow::Normal && thenCompletes)
      thenFlow = runRest(rest);
    if (thenFlow == Flow::Error)
      return thenFlow;
    for (const auto &[name, like] : promoted) {
      Value &value = functionScope->names.find(name)->second;
      MaybeValue result = promoteLike(value, like, stmt.range);
      if (!result)
        return Flow::Error;
      value = std::move(*result);
    }
    if (thenFlow == Flow::Return && promotedReturn) {
      MaybeValue result = promoteLike(returnValue, *promotedReturn, returnRange);
      if (!result)
        return Flow::Error;
      returnValue = std::move(*result);
    }
    Names thenNames = std::move(functionScope->names);
    auto thenLost = std::move(lost);
    Value thenReturn = returnValue;
    ast::Range thenReturnRange = returnRange;
    functionScope->names = before;
    lost = lostBefore;

    builder.beginElse();
    Flow elseFlow = execBlock(stmt.orElse, rest);
    if (elseFlow == Flow::Normal && thenFlow == Flow::Return)
      elseFlow = runRest(rest);
    if (elseFlow == Flow::Error)
      return elseFlow;
    auto retry = [&] {
      builder.abandonRegion();
      functionScope->names = before;
      lost = lostBefore;
    };
    if (elseFlow == Flow::Return && thenFlow == Flow::Normal) {
      thenCompletes = true;
      retry();
      continue;
    }
    emit::Values thenValues, elseValues;
    if (thenFlow == Flow::Return) {
      if (needsPromotion(returnValue, thenReturn)) {
        MaybeValue result = promoteLike(returnValue, thenReturn, returnRange);
        if (!result)
          return Flow::Error;
        returnValue = std::move(*result);
      }
      if (needsPromotion(thenReturn, returnValue) && !promotedReturn) {
        promotedReturn = returnValue;
        retry();
        continue;
      }
      if (!sameStructure(thenReturn, returnValue)) {
        std::string firstLine = std::to_string(source.locate(thenReturnRange.begin).line);
        ev.error(returnRange, "F3003", "this returns a value of type '" + typeNameOf(returnValue) + "', but the 'return' in line " + firstLine + " one of type '" +
                                           typeNameOf(thenReturn) + "'",
                 "all returns of a function must agree on the type");
        return Flow::Error;
      }
      flatten(thenReturn, thenValues);
      flatten(returnValue, elseValues);
      builder.setLocation(source, stmt.range);
      emit::Values results = builder.endIf(thenValues, elseValues);
      const emit::IrValue *cursor = results.data();
      returnValue = rebuild(thenReturn, cursor);
      return Flow::Return;
    }

    bool again = false;
    std::vector<std::string> merged;
    if (!mergeNames(thenNames, promoted, again, merged, thenValues, elseValues, stmt))
      return Flow::Error;
    if (again) {
      retry();
      continue;
    }
    builder.setLocation(source, stmt.range);
    emit::Values results = builder.endIf(thenValues, elseValues);
    const emit::IrValue *cursor = results.data();
    Names elseNames = std::move(functionScope->names), after;
    for (auto &[name, value] : thenNames)
      if (elseNames.contains(name))
        after.emplace(name, std::move(value));
    for (const std::string &name : merged) {
      Value &value = after.find(name)->second;
      value = rebuild(value, cursor);
      if (value.isTensor())
        builder.nameValue(value.asTensor().value, name);
    }
    lost.merge(thenLost);
    loseNames(after, thenNames, stmt.range, "if");
    loseNames(after, elseNames, stmt.range, "if");
    std::erase_if(lost, [&](const auto &entry) { return after.contains(entry.first); });
    functionScope->names = std::move(after);
    return Flow::Normal;
  }
}

MaybeValue Frame::evalIfExp(const ast::IfExp &expr) {
  MaybeValue test = eval(expr.test);
  if (!test)
    return std::nullopt;
  if (test->isUnknown()) {
    if (isKernel() && !requireKnown(*test, expr.test->range))
      return std::nullopt;
    return evalUnknownIfExp(expr, *test);
  }
  if (!test->isTensor()) {
    auto known = ev.truth(*test, expr.test->range);
    return known ? eval(*known ? expr.body : expr.orElse) : std::nullopt;
  }
  auto condition = toCondition(ev, *test, expr.test->range);
  if (!condition)
    return std::nullopt;
  RuntimeRegion region(impl);
  emit::TileBuilder &builder = *impl.builder;
  const Names before = functionScope->names;
  MaybeValue like; // what a constant first side is to become, once the second side is known
  while (true) {
    builder.setLocation(*module.tree->source, expr.range);
    builder.beginIf(condition->value);
    MaybeValue first = eval(expr.body);
    if (first && like)
      first = promoteLike(*first, *like, expr.body->range);
    if (!first)
      return std::nullopt;
    functionScope->names = before;
    builder.beginElse();
    MaybeValue second = eval(expr.orElse);
    if (second && needsPromotion(*second, *first))
      second = promoteLike(*second, *first, expr.orElse->range);
    if (!second)
      return std::nullopt;
    functionScope->names = before;
    if (needsPromotion(*first, *second) && !like) {
      like = second;
      builder.abandonRegion();
      continue;
    }
    if (!sameStructure(*first, *second))
      return ev.error(expr.range, "F3001", "the sides of this conditional expression are of types '" + typeNameOf(*first) + "' and '" + typeNameOf(*second) + "'",
                      "convert one of them, with .to(dtype) or tl.full");
    emit::Values thenValues, elseValues;
    flatten(*first, thenValues);
    flatten(*second, elseValues);
    emit::Values results = builder.endIf(thenValues, elseValues);
    const emit::IrValue *cursor = results.data();
    return rebuild(*first, cursor);
  }
}

} // namespace tegula::frontend::sema
