// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements of both modes: blocks with what follows them, assignment and its decay to run-time scalars, return, assert; and the
// statements that a kernel may not contain.
#include "frontend/sema/frame.h"
#include "frontend/sema/language.h"
#include "frontend/sema/tensor_semantics.h"

#include <algorithm>

namespace tegula::frontend::sema {

Flow Frame::execBlock(ast::List<ast::Stmt> body, const Rest *rest, size_t from) {
  for (size_t i = from; i < body.size(); ++i) {
    const ast::Stmt *stmt = body[i];
    if (!ev.step(stmt->range))
      return Flow::Error;
    Rest after{body, i + 1, rest, {}};
    Flow flow = stmt->kind == ast::StmtKind::If    ? execIf(*ast::as<ast::If>(stmt), &after)
                : stmt->kind == ast::StmtKind::For ? execFor(*ast::as<ast::For>(stmt), &after)
                                                   : exec(stmt);
    if (flow != Flow::Normal)
      return flow;
  }
  return Flow::Normal;
}

Flow Frame::runRest(const Rest *rest) {
  for (; rest; rest = rest->outer) {
    Flow flow = rest->custom ? rest->custom() : execBlock(rest->body, rest->outer, rest->next);
    if (flow != Flow::Normal)
      return flow;
  }
  returnValue = Value::none();
  return Flow::Return;
}

Flow Frame::exec(const ast::Stmt *stmt) {
  if (isKernel() && module.tree)
    impl.builder->setLocation(*module.tree->source, stmt->range);
  switch (stmt->kind) {
  case ast::StmtKind::Pass:
    return Flow::Normal;
  case ast::StmtKind::Expr:
    return eval(ast::as<ast::ExprStmt>(stmt)->value) ? Flow::Normal : Flow::Error;
  case ast::StmtKind::Assign:
    return execAssign(*ast::as<ast::Assign>(stmt));
  case ast::StmtKind::AugAssign:
    return execAugAssign(*ast::as<ast::AugAssign>(stmt));
  case ast::StmtKind::AnnAssign:
    return execAnnAssign(*ast::as<ast::AnnAssign>(stmt));
  case ast::StmtKind::Return:
    return execReturn(*ast::as<ast::Return>(stmt));
  case ast::StmtKind::Assert:
    return execAssert(*ast::as<ast::Assert>(stmt));
  case ast::StmtKind::While:
    return execWhile(*ast::as<ast::While>(stmt));
  case ast::StmtKind::If:
    return execIf(*ast::as<ast::If>(stmt), nullptr);
  case ast::StmtKind::For:
    return execFor(*ast::as<ast::For>(stmt), nullptr);
  default:
    return isKernel() ? rejectInKernel(stmt) : execHost(stmt);
  }
}

Flow Frame::rejectInKernel(const ast::Stmt *stmt) {
  auto reject = [&](std::string_view code, std::string message, std::string help = {}) {
    ev.error(stmt->range, code, std::move(message), std::move(help));
    return Flow::Error;
  };
  auto notPart = [&](std::string_view code, std::string_view what, std::string help = {}) {
    return reject(code, std::string(what) + " not part of the language", std::move(help));
  };
  switch (stmt->kind) {
  case ast::StmtKind::Break: return notPart("F2201", "'break' is", "put the condition into the loop: 'while i < n and not done'");
  case ast::StmtKind::Continue: return notPart("F2202", "'continue' is", "put the rest of the body under an 'if'");
  case ast::StmtKind::FunctionDef:
  case ast::StmtKind::AsyncFunctionDef: return notPart("F2205", "nested functions are", "define the function at module level with @triton.jit");
  case ast::StmtKind::ClassDef: return notPart("F2206", "classes inside a kernel are");
  case ast::StmtKind::Try:
  case ast::StmtKind::TryStar: return notPart("F2208", "'try' is");
  case ast::StmtKind::Raise: {
    const auto *raise = ast::as<ast::Raise>(stmt);
    return reject("F2209", "the kernel raises " + (raise->exc ? "'" + std::string(sourceText(raise->exc->range)) + "'" : "an exception") +
                               " for these constants");
  }
  case ast::StmtKind::Import:
  case ast::StmtKind::ImportFrom: return notPart("F2210", "imports inside a kernel are", "import at the top of the file");
  case ast::StmtKind::Global:
  case ast::StmtKind::Nonlocal: return notPart("F2211", "'global' and 'nonlocal' are");
  case ast::StmtKind::Delete: return notPart("F2213", "'del' is");
  case ast::StmtKind::Match: return notPart("F2214", "'match' is", "use 'if' and 'elif'");
  case ast::StmtKind::With:
  case ast::StmtKind::AsyncWith: return reject("F2224", "this context manager is not known to the compiler");
  default: return notPart("F2225", "this statement is");
  }
}

MaybeValue Frame::decay(const Value &value, ast::Range range) {
  if (value.isNumber()) {
    auto tensor = toTensor(ev, value, range);
    return tensor ? MaybeValue(Value::tensor(std::move(*tensor))) : std::nullopt;
  }
  if (!value.is(Kind::Tuple) && !value.is(Kind::List))
    return value;
  if (std::none_of(value.items().begin(), value.items().end(), [](const Value &v) { return v.isNumber() || v.isSequence(); }))
    return value;
  std::vector<Value> items;
  for (const Value &item : value.items()) {
    MaybeValue one = decay(item, range);
    if (!one)
      return std::nullopt;
    items.push_back(std::move(*one));
  }
  if (value.is(Kind::List))
    return Value::list(std::move(items));
  auto tuple = std::make_shared<TupleObject>(value.as<TupleObject>());
  tuple->items = std::move(items);
  return Value::object(std::move(tuple));
}

bool Frame::assignTuple(ast::List<ast::Expr> targets, const Value &value, ast::Range range) {
  if (value.isUnknown()) {
    if (!requireKnown(isKernel() ? value : Value(), range))
      return false;
    return std::all_of(targets.begin(), targets.end(), [&](const ast::Expr *t) {
      return assign(t->kind == ast::ExprKind::Starred ? ast::as<ast::Starred>(t)->value : t, value, range);
    });
  }
  if (value.isTensor()) {
    ev.error(range, "F2308", "a tensor cannot be unpacked into several names", "use tl.split");
    return false;
  }
  auto items = ev.iterate(value, range);
  if (!items)
    return false;
  auto star = std::find_if(targets.begin(), targets.end(), [](const ast::Expr *t) { return t->kind == ast::ExprKind::Starred; });
  if (star != targets.end() && isKernel()) {
    ev.error((*star)->range, "F2220", "starred targets are not part of the language");
    return false;
  }
  size_t before = static_cast<size_t>(star - targets.begin());
  bool fits = star == targets.end() ? items->size() == targets.size() : items->size() + 1 >= targets.size();
  if (!fits) {
    ev.error(range, "F2308", "expected " + std::to_string(targets.size()) + " values to unpack, found " + std::to_string(items->size()));
    return false;
  }
  size_t next = 0;
  for (size_t i = 0; i < targets.size(); ++i) {
    if (i == before && star != targets.end()) {
      size_t taken = items->size() + 1 - targets.size();
      std::vector<Value> middle(items->begin() + static_cast<std::ptrdiff_t>(next), items->begin() + static_cast<std::ptrdiff_t>(next + taken));
      next += taken;
      if (!assign(ast::as<ast::Starred>(targets[i])->value, Value::list(std::move(middle)), range))
        return false;
    } else if (!assign(targets[i], (*items)[next++], range)) {
      return false;
    }
  }
  return true;
}

bool Frame::assign(const ast::Expr *target, Value value, ast::Range range) {
  switch (target->kind) {
  case ast::ExprKind::Name: {
    std::string_view name = ast::as<ast::Name>(target)->id;
    if (auto pending = pendingConstexpr.find(name); pending != pendingConstexpr.end()) {
      pendingConstexpr.erase(pending);
      value = value.wrappedConstexpr();
    }
    bind(name, std::move(value));
    return true;
  }
  case ast::ExprKind::Tuple:
    return assignTuple(ast::as<ast::Tuple>(target)->elts, value, range);
  case ast::ExprKind::List:
    return assignTuple(ast::as<ast::ListExpr>(target)->elts, value, range);
  case ast::ExprKind::Attribute:
  case ast::ExprKind::Subscript: {
    if (isKernel()) {
      ev.error(target->range, "F2219", "assignment to an item or attribute is not part of the language",
               "values are immutable; build a new one, or use tl.store for memory");
      return false;
    }
    if (target->kind == ast::ExprKind::Subscript) {
      const auto *subscript = ast::as<ast::Subscript>(target);
      MaybeValue object = eval(subscript->value);
      MaybeValue index = object ? evalSubscriptIndex(subscript->slice) : std::nullopt;
      return index && (index->isUnknown() || assignSubscript(ev, *object, *index, std::move(value), range));
    }
    const auto *attribute = ast::as<ast::Attribute>(target);
    MaybeValue object = eval(attribute->value);
    if (!object)
      return false;
    if (object->is(Kind::Instance) || object->is(Kind::Class))
      ev.loader().track(object->shared());
    if (object->is(Kind::Instance))
      object->as<InstanceObject>().members.insert_or_assign(std::string(attribute->attr), std::move(value));
    else if (object->is(Kind::Class))
      object->as<ClassObject>().members.insert_or_assign(std::string(attribute->attr), std::move(value));
    return true; // attributes of functions, modules and unknowns decide nothing here
  }
  default:
    ev.error(target->range, "F2220", "this is no target for an assignment");
    return false;
  }
}

Flow Frame::execAssign(const ast::Assign &stmt) {
  if (isKernel() && stmt.targets.size() > 1) {
    ev.error(stmt.range, "F2221", "multiple assignment 'a = b = c' is not part of the language", "write one assignment per name");
    return Flow::Error;
  }
  MaybeValue value = eval(stmt.value);
  if (!value)
    return Flow::Error;
  if (isKernel()) {
    const auto *name = ast::dynAs<ast::Name>(stmt.targets[0]);
    if (!name || !pendingConstexpr.contains(name->id)) {
      impl.builder->setLocation(*module.tree->source, stmt.range);
      value = decay(*value, stmt.value->range);
    }
    if (!value)
      return Flow::Error;
  }
  for (const ast::Expr *target : stmt.targets)
    if (!assign(target, *value, stmt.range))
      return Flow::Error;
  return Flow::Normal;
}

Flow Frame::execAugAssign(const ast::AugAssign &stmt) {
  if (isKernel() && stmt.target->kind != ast::ExprKind::Name)
    return assign(stmt.target, Value(), stmt.range) ? Flow::Normal : Flow::Error; // refused there
  MaybeValue left = eval(stmt.target);
  MaybeValue right = left ? eval(stmt.value) : std::nullopt;
  if (!right)
    return Flow::Error;
  // Lists are extended in place, as in Python.
  if (!isKernel() && left->is(Kind::List) && stmt.op == ast::BinOpKind::Add && !right->isUnknown()) {
    auto more = ev.iterate(*right, stmt.range);
    if (!more)
      return Flow::Error;
    auto &items = left->as<ListObject>().items;
    items.insert(items.end(), more->begin(), more->end());
    return Flow::Normal;
  }
  if (isKernel())
    impl.builder->setLocation(*module.tree->source, stmt.range);
  MaybeValue value = ev.binary(stmt.op, *left, *right, stmt.range);
  if (value && isKernel())
    value = decay(*value, stmt.range);
  return value && assign(stmt.target, std::move(*value), stmt.range) ? Flow::Normal : Flow::Error;
}

Flow Frame::execAnnAssign(const ast::AnnAssign &stmt) {
  bool isConstexpr = sourceText(stmt.annotation->range).find("constexpr") != std::string_view::npos;
  const auto *name = ast::dynAs<ast::Name>(stmt.target);
  if (classFields && name && functionScope == scope)
    classFields->emplace_back(name->id);
  if (!stmt.value) {
    if (isConstexpr && name && isKernel())
      pendingConstexpr.emplace(name->id);
    return Flow::Normal;
  }
  MaybeValue value = eval(stmt.value);
  if (!value)
    return Flow::Error;
  if (isConstexpr && name) {
    if (isKernel()) {
      if (!requireKnown(*value, stmt.value->range))
        return Flow::Error;
      // A value known only at run time stays one, as in Triton. The same statement may run again in an unrolled loop; another may not.
      auto [it, fresh] = constexprNames.emplace(std::string(name->id), &stmt);
      if ((fresh && functionScope->names.contains(name->id)) || (!fresh && it->second != &stmt)) {
        ev.error(stmt.range, "F2226", "'" + std::string(name->id) + "' is already defined, so it cannot become constexpr here");
        return Flow::Error;
      }
    }
    bind(name->id, value->wrappedConstexpr());
    return Flow::Normal;
  }
  if (isKernel())
    value = decay(*value, stmt.value->range);
  return value && assign(stmt.target, std::move(*value), stmt.range) ? Flow::Normal : Flow::Error;
}

Flow Frame::execReturn(const ast::Return &stmt) {
  MaybeValue value = stmt.value ? eval(stmt.value) : MaybeValue(Value::none());
  if (!value)
    return Flow::Error;
  if (isKernel()) {
    if (loopDepth) {
      ev.error(stmt.range, "F2223", "'return' inside a run-time loop is not part of the language",
               "put the condition into the loop and return after it");
      return Flow::Error;
    }
    if (!requireKnown(*value, stmt.range))
      return Flow::Error;
  }
  returnValue = std::move(*value);
  returnRange = stmt.range;
  return Flow::Return;
}

Flow Frame::execAssert(const ast::Assert &stmt) {
  MaybeValue test = eval(stmt.test);
  if (!test)
    return Flow::Error;
  if (isKernel()) {
    MaybeValue message = stmt.msg ? eval(stmt.msg) : MaybeValue(Value::string(std::string(sourceText(stmt.test->range))));
    MaybeValue check = message ? languageFunction(ev, "device_assert") : std::nullopt;
    if (!check)
      return Flow::Error;
    return ev.call(*check, CallArgs{{*test, *message}, {}, stmt.range, {stmt.test->range, stmt.range}, {}}) ? Flow::Normal : Flow::Error;
  }
  if (test->isUnknown())
    return Flow::Normal;
  auto holds = ev.truth(*test, stmt.test->range);
  if (holds && !*holds) {
    MaybeValue message = stmt.msg ? eval(stmt.msg) : std::nullopt;
    ev.error(stmt.range, "F2313", message ? ev.str(*message) : "assertion failed: " + std::string(sourceText(stmt.test->range)));
  }
  return holds && *holds ? Flow::Normal : Flow::Error;
}

} // namespace tegula::frontend::sema
