// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions and targets.

#include "frontend/parse/checks.h"

namespace tegula::frontend {

using namespace ast;

void Checker::expressions(List<Expr> list, bool star) {
  for (const Expr *expr : list)
    expression(expr, star);
}

/// Null is nothing. `star`: a starred expression may stand here.
void Checker::expression(const Expr *expr, bool star) {
  if (!expr)
    return;
  if (!enter(expr->range)) {
    leave();
    return;
  }
  switch (expr->kind) {
  case ExprKind::BoolOp:
    expressions(as<BoolOp>(expr)->values);
    break;
  case ExprKind::NamedExpr:
    namedExpr(*as<NamedExpr>(expr));
    break;
  case ExprKind::BinOp:
    expression(as<BinOp>(expr)->left);
    expression(as<BinOp>(expr)->right);
    break;
  case ExprKind::UnaryOp:
    expression(as<UnaryOp>(expr)->operand);
    break;
  case ExprKind::Lambda:
    lambda(*as<Lambda>(expr));
    break;
  case ExprKind::IfExp:
    expression(as<IfExp>(expr)->test);
    expression(as<IfExp>(expr)->body);
    expression(as<IfExp>(expr)->orElse);
    break;
  case ExprKind::Dict:
    expressions(as<Dict>(expr)->keys);
    expressions(as<Dict>(expr)->values);
    break;
  case ExprKind::Set:
    expressions(as<Set>(expr)->elts, true);
    break;
  case ExprKind::ListComp:
    comprehension(expr->range, as<ListComp>(expr)->generators, as<ListComp>(expr)->elt, nullptr, false);
    break;
  case ExprKind::SetComp:
    comprehension(expr->range, as<SetComp>(expr)->generators, as<SetComp>(expr)->elt, nullptr, false);
    break;
  case ExprKind::DictComp:
    comprehension(expr->range, as<DictComp>(expr)->generators, as<DictComp>(expr)->key, as<DictComp>(expr)->value, false);
    break;
  case ExprKind::GeneratorExp:
    comprehension(expr->range, as<GeneratorExp>(expr)->generators, as<GeneratorExp>(expr)->elt, nullptr, true);
    break;
  case ExprKind::Await:
    if (scope->kind == ScopeKind::TypeParams)
      error(expr->range, "F1306", std::string("'await' cannot stand in ") + scope->without);
    else if (!functionLike())
      error(expr->range, "F1306", "'await' stands outside a function");
    else if (scope->kind == ScopeKind::Function && !scope->isAsync)
      error(expr->range, "F1306", "'await' stands outside an asynchronous function");
    scope->awaits = true;
    expression(as<Await>(expr)->value);
    break;
  case ExprKind::Yield:
    yield(expr->range, false);
    expression(as<Yield>(expr)->value);
    break;
  case ExprKind::YieldFrom:
    yield(expr->range, true);
    expression(as<YieldFrom>(expr)->value);
    break;
  case ExprKind::Compare:
    expression(as<Compare>(expr)->left);
    expressions(as<Compare>(expr)->comparators);
    break;
  case ExprKind::Call:
    expression(as<Call>(expr)->func);
    call(as<Call>(expr)->args, as<Call>(expr)->keywords);
    break;
  case ExprKind::FormattedValue:
    expression(as<FormattedValue>(expr)->value);
    expression(as<FormattedValue>(expr)->formatSpec);
    break;
  case ExprKind::JoinedStr:
    expressions(as<JoinedStr>(expr)->values);
    break;
  case ExprKind::Constant:
    break;
  case ExprKind::Attribute:
    if (as<Attribute>(expr)->ctx == Context::Store)
      forbidDebug(as<Attribute>(expr)->attr, expr->range);
    expression(as<Attribute>(expr)->value);
    break;
  case ExprKind::Subscript:
    expression(as<Subscript>(expr)->value);
    expression(as<Subscript>(expr)->slice);
    break;
  case ExprKind::Starred:
    if (!star)
      error(expr->range, "F1208", "a starred expression cannot stand here");
    expression(as<Starred>(expr)->value);
    break;
  case ExprKind::Name:
    name(*as<Name>(expr));
    break;
  case ExprKind::List:
    expressions(as<ListExpr>(expr)->elts, true);
    break;
  case ExprKind::Tuple:
    expressions(as<Tuple>(expr)->elts, true);
    break;
  case ExprKind::Slice:
    expression(as<Slice>(expr)->lower);
    expression(as<Slice>(expr)->upper);
    expression(as<Slice>(expr)->step);
    break;
  }
  leave();
}

void Checker::name(const Name &node) {
  if (node.ctx == Context::Load) {
    use(node.id);
    return;
  }
  bind(node.id, node.range);
}

void Checker::sequenceTarget(List<Expr> items) {
  bool seen = false;
  for (const Expr *item : items) {
    if (item->kind == ExprKind::Starred) {
      if (seen)
        error(item->range, "F1208", "an assignment has at most one starred target");
      seen = true;
    }
    target(item, true);
  }
}

/// What is stored to or deleted. `inSequence`: a star may stand here.
void Checker::target(const Expr *expr, bool inSequence) {
  if (const auto *tuple = dynAs<Tuple>(expr)) {
    sequenceTarget(tuple->elts);
  } else if (const auto *list = dynAs<ListExpr>(expr)) {
    sequenceTarget(list->elts);
  } else if (const auto *starred = dynAs<Starred>(expr)) {
    if (!inSequence)
      error(expr->range, "F1208", "a starred target must be in a list or a tuple", "write a comma after it");
    target(starred->value, true);
  } else {
    expression(expr);
  }
}

void Checker::call(List<Expr> args, List<Keyword> keywords) {
  expressions(args, true);
  std::unordered_set<std::string_view> seen;
  for (const Keyword *keyword : keywords) {
    if (!keyword->isDoubleStar) {
      forbidDebug(keyword->arg, keyword->range);
      if (keywords.size() > 1 && !seen.insert(keyword->arg).second)
        error(keyword->range, "F1307", "the argument '" + std::string(keyword->arg) + "' is there twice");
    }
    expression(keyword->value);
  }
}

void Checker::lambda(const Lambda &node) {
  arguments(*node.args, false, true);
  push(ScopeKind::Function);
  parameters(*node.args);
  expression(node.body);
  pop();
}

void Checker::comprehension(Range range, List<Comprehension> generators, const Expr *first, const Expr *second, bool isGenerator) {
  auto iterable = [&](const Expr *expr) {
    ++iterables;
    expression(expr);
    --iterables;
  };
  iterable(generators[0]->iter); // evaluated outside
  Scope *own = push(ScopeKind::Comprehension);
  own->isGenerator = isGenerator;
  for (size_t i = 0; i < generators.size(); ++i) {
    const Comprehension &c = *generators[i];
    own->awaits |= c.isAsync;
    // CPython visits targets before what is inside; names that ':=' bound earlier cannot become targets.
    std::unordered_map<std::string_view, uint8_t> before = own->names;
    target(c.target);
    for (auto &[id, flags] : own->names) {
      auto old = before.find(id);
      bool wasBound = old != before.end() && (old->second & kBound);
      if ((flags & kBound) && !wasBound)
        flags |= kIteration;
      if (!wasBound && (flags & kBound) && (flags & kNamedHere))
        error(c.target->range, "F1308", "the loop rebinds '" + std::string(id) + "', which an assignment expression of this comprehension assigns");
    }
    if (i)
      iterable(c.iter);
    expressions(c.ifs);
  }
  expression(second); // CPython: the value before the key
  expression(first);
  pop();
  if (!own->awaits || isGenerator)
    return;
  bool fits = scope->kind == ScopeKind::Comprehension || (scope->kind == ScopeKind::Function && scope->isAsync);
  if (!fits)
    error(range, "F1306", "an asynchronous comprehension stands outside an asynchronous function");
  scope->awaits = true;
}

void Checker::namedExpr(const NamedExpr &node) {
  std::string_view id = as<Name>(node.target)->id;
  std::string quoted = "'" + std::string(id) + "'";
  if (iterables)
    error(node.range, "F1308", "an assignment expression cannot stand in the iterable of a comprehension");
  if (scope->kind == ScopeKind::TypeParams)
    error(node.range, "F1308", std::string("an assignment expression cannot stand in ") + scope->without);
  if (scope->kind == ScopeKind::Comprehension) {
    forbidDebug(id, node.target->range);
    scope->names[id] |= kNamedHere;
    for (Scope *s = scope; s; s = s->parent) {
      if (s->kind == ScopeKind::Comprehension) {
        if (s->names[id] & kIteration) {
          error(node.target->range, "F1308", "an assignment expression cannot rebind " + quoted + ", the variable of a comprehension");
          break;
        }
        continue;
      }
      if (s->kind == ScopeKind::Class)
        error(node.range, "F1308", "an assignment expression in a comprehension cannot stand in the body of a class");
      else if (s->kind == ScopeKind::TypeParams)
        error(node.range, "F1308", std::string("an assignment expression cannot stand in ") + s->without);
      else
        s->names[id] |= kBound;
      break;
    }
  } else {
    name(*as<Name>(node.target));
  }
  expression(node.value);
}

void Checker::yield(Range range, bool isFrom) {
  const char *word = isFrom ? "'yield from'" : "'yield'";
  if (scope->kind == ScopeKind::TypeParams)
    error(range, "F1306", std::string(word) + " cannot stand in " + scope->without);
  else if (scope->kind == ScopeKind::Comprehension)
    error(range, "F1306", std::string(word) + " cannot stand in a comprehension");
  else if (scope->kind != ScopeKind::Function)
    error(range, "F1306", std::string(word) + " stands outside a function");
  else if (isFrom && scope->isAsync)
    error(range, "F1306", "'yield from' cannot stand in an asynchronous function");
  scope->isGenerator = true;
}

} // namespace tegula::frontend
