// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements that only compile-time Python has, and the tolerance of module level: what fails there leaves names whose value is
// unknown, with the reason.
#include "frontend/sema/frame.h"
#include "frontend/sema/known_modules.h"

#include <algorithm>

namespace tegula::frontend::sema {

void Frame::execTolerant(ast::List<ast::Stmt> body) {
  for (size_t i = 0; i < body.size() && !impl.exhausted; ++i) {
    Capture capture(impl);
    if (exec(body[i]) != Flow::Error)
      continue;
    std::set<std::string> names;
    collectAssigned(body.subspan(i, 1), names);
    for (const std::string &name : names)
      bind(name, Value::unknown(capture.failure.message, capture.failure.flag));
  }
}

Flow Frame::execHost(const ast::Stmt *stmt) {
  switch (stmt->kind) {
  case ast::StmtKind::FunctionDef:
  case ast::StmtKind::AsyncFunctionDef: {
    const auto &def = *ast::as<ast::FunctionDef>(stmt);
    MaybeValue function = makeFunction(def);
    if (!function)
      return Flow::Error;
    if (auto old = module.scope->names.find(def.name);
        isModuleLevel() && old != module.scope->names.end() && isJitFunction(old->second) && !isJitFunction(*function))
      impl.shadowedKernels[{&module, std::string(def.name)}] = old->second;
    bind(def.name, std::move(*function));
    return Flow::Normal;
  }
  case ast::StmtKind::ClassDef: {
    const auto &def = *ast::as<ast::ClassDef>(stmt);
    MaybeValue cls = makeClass(def);
    if (!cls)
      return Flow::Error;
    bind(def.name, std::move(*cls));
    return Flow::Normal;
  }
  case ast::StmtKind::Import:
    return execImport(*ast::as<ast::Import>(stmt));
  case ast::StmtKind::ImportFrom:
    return execImportFrom(*ast::as<ast::ImportFrom>(stmt));
  case ast::StmtKind::Try:
  case ast::StmtKind::TryStar:
    return execTry(*ast::as<ast::Try>(stmt));
  case ast::StmtKind::With:
  case ast::StmtKind::AsyncWith:
    return execWith(*ast::as<ast::With>(stmt));
  case ast::StmtKind::Raise:
    return execRaise(*ast::as<ast::Raise>(stmt));
  case ast::StmtKind::Delete:
    return execDelete(*ast::as<ast::Delete>(stmt));
  case ast::StmtKind::Match:
    return execMatch(*ast::as<ast::Match>(stmt));
  case ast::StmtKind::Global:
    for (ast::Text name : ast::as<ast::Global>(stmt)->names)
      globalNames.emplace(name);
    return Flow::Normal;
  case ast::StmtKind::Break:
    return Flow::Break;
  case ast::StmtKind::Continue:
    return Flow::Continue;
  case ast::StmtKind::TypeAlias:
    return Flow::Normal;
  default:
    ev.error(stmt->range, "F2225", "this statement is not supported");
    return Flow::Error;
  }
}

namespace {
Value lazyImport(const ModuleObject &from, std::string_view module, std::string_view member, uint32_t level) {
  auto lazy = std::make_shared<LazyImportObject>();
  lazy->module = module;
  lazy->member = member;
  lazy->level = level;
  lazy->from = &from;
  return Value::object(std::move(lazy));
}
} // namespace

Flow Frame::execImport(const ast::Import &stmt) {
  for (const ast::Alias *alias : stmt.names) {
    // `try: import x` asks whether x is there.
    if (strict && impl.loader.import(alias->name, &module, 0)->member == missingModuleMember) {
      ev.error(alias->range, "F2106", "module '" + std::string(alias->name) + "' was not found");
      return Flow::Error;
    }
    std::string_view top = alias->name.substr(0, alias->name.find('.'));
    bool named = !alias->asName.empty();
    bind(named ? alias->asName : top, lazyImport(module, named ? alias->name : top, "", 0));
  }
  return Flow::Normal;
}

Flow Frame::execImportFrom(const ast::ImportFrom &stmt) {
  for (const ast::Alias *alias : stmt.names) {
    if (alias->name == "*") {
      ModuleObject *from = impl.loader.import(stmt.module, &module, stmt.level);
      for (const std::string &name : impl.loader.exports(ev, *from))
        bind(name, lazyImport(module, stmt.module, name, stmt.level));
      continue;
    }
    std::string_view target = alias->asName.empty() ? alias->name : alias->asName;
    Value value = lazyImport(module, stmt.module, alias->name, stmt.level);
    if (strict) {
      ModuleObject *from = impl.loader.import(stmt.module, &module, stmt.level);
      bool found = from->member != missingModuleMember;
      if (found && from->state != ModuleObject::State::Running)
        found = impl.loader.attribute(ev, *from, alias->name).has_value();
      if (!found) {
        ev.error(alias->range, "F2106", "cannot import '" + std::string(alias->name) + "' from '" + from->name + "'");
        return Flow::Error;
      }
    }
    bind(target, std::move(value));
  }
  return Flow::Normal;
}

Flow Frame::raiseAgain(const Failure &failure, ast::Range range) {
  bool fresh = !impl.captures.empty() && impl.captures.back()->message.empty();
  ev.error(range, failure.code, failure.message);
  if (fresh)
    *impl.captures.back() = failure;
  return Flow::Error;
}

std::optional<bool> Frame::catches(const ast::ExceptHandler &handler, const Failure &failure) {
  if (failure.exception.empty())
    return false; // an unknown value is no exception
  if (!handler.type)
    return true;
  MaybeValue type = eval(handler.type);
  if (!type)
    return std::nullopt;
  Value raised = failure.instance.is(Kind::Instance) ? failure.instance.as<InstanceObject>().cls : exceptionClass(failure.exception);
  std::vector<Value> wanted = type->is(Kind::Tuple) ? type->items() : std::vector<Value>{*type};
  return std::any_of(wanted.begin(), wanted.end(), [&](const Value &cls) {
    return cls.is(Kind::Class) && raised.is(Kind::Class) && isSubclass(raised.as<ClassObject>(), cls.as<ClassObject>());
  });
}

Flow Frame::execTry(const ast::Try &stmt) {
  Flow flow;
  Failure failure;
  {
    Capture capture(impl);
    ++strict;
    flow = execBlock(stmt.body, nullptr);
    --strict;
    failure = std::move(capture.failure);
  }
  if (flow == Flow::Normal) {
    flow = execBlock(stmt.orElse, nullptr);
  } else if (flow == Flow::Error && !impl.exhausted) {
    const ast::ExceptHandler *chosen = nullptr;
    for (const ast::ExceptHandler *handler : stmt.handlers) {
      auto matched = catches(*handler, failure);
      if (!matched)
        return Flow::Error;
      if (*matched) {
        chosen = handler;
        break;
      }
    }
    if (chosen) {
      if (!chosen->name.empty()) {
        Value instance = failure.instance;
        if (!instance.is(Kind::Instance)) {
          auto object = std::make_shared<InstanceObject>();
          object->cls = exceptionClass(failure.exception);
          object->members.emplace("args", Value::tuple({Value::string(failure.message)}));
          instance = Value::object(std::move(object));
        }
        bind(chosen->name, std::move(instance));
      }
      flow = execBlock(chosen->body, nullptr);
    } else {
      flow = raiseAgain(failure, stmt.range);
    }
  }
  Flow last = execBlock(stmt.finalBody, nullptr);
  return last == Flow::Normal ? flow : last;
}

Flow Frame::execRaise(const ast::Raise &stmt) {
  MaybeValue exception = stmt.exc ? eval(stmt.exc) : MaybeValue(Value::none());
  if (exception && exception->is(Kind::Class))
    exception = ev.call(*exception, CallArgs{{}, {}, stmt.range, {}, {}});
  if (!exception)
    return Flow::Error;
  bool fresh = !impl.captures.empty() && impl.captures.back()->message.empty();
  std::string name = typeNameOf(*exception), text = ev.str(*exception);
  ev.error(stmt.range, "F2312", stmt.exc ? name + (text.empty() ? "" : ": " + text) : "an exception is raised again");
  if (fresh) {
    impl.captures.back()->exception = name;
    impl.captures.back()->instance = *exception;
  }
  return Flow::Error;
}

Flow Frame::execWith(const ast::With &stmt) {
  for (const ast::WithItem *item : stmt.items) {
    MaybeValue context = eval(item->context);
    if (!context)
      return Flow::Error;
    bool found = false;
    MaybeValue entered = callSpecial(ev, *context, "__enter__", {}, item->context->range, found);
    if (found && !entered)
      return Flow::Error;
    if (item->vars && !assign(item->vars, found ? *entered : *context, stmt.range))
      return Flow::Error;
  }
  return execBlock(stmt.body, nullptr);
}

Flow Frame::execDelete(const ast::Delete &stmt) {
  for (const ast::Expr *target : stmt.targets) {
    if (const auto *name = ast::dynAs<ast::Name>(target)) {
      functionScope->names.erase(std::string(name->id));
      continue;
    }
    if (const auto *subscript = ast::dynAs<ast::Subscript>(target)) {
      MaybeValue object = eval(subscript->value);
      MaybeValue index = object ? evalSubscriptIndex(subscript->slice) : std::nullopt;
      if (!index)
        return Flow::Error;
      if (object->is(Kind::Dict)) {
        object->as<DictObject>().erase(*index);
      } else if (object->is(Kind::List) && index->is(Kind::Int)) {
        auto &items = object->as<ListObject>().items;
        Int at = index->asInt() < 0 ? index->asInt() + Int(items.size()) : index->asInt();
        if (at >= 0 && at < Int(items.size()))
          items.erase(items.begin() + static_cast<std::ptrdiff_t>(at));
      }
    }
  }
  return Flow::Normal;
}

Flow Frame::execHostFor(const ast::For &stmt) {
  MaybeValue iterable = eval(stmt.iter);
  auto items = iterable ? ev.iterate(*iterable, stmt.iter->range) : std::nullopt;
  if (!items)
    return Flow::Error;
  ++strict;
  Flow flow = Flow::Normal;
  for (Value &item : *items) {
    flow = assign(stmt.target, std::move(item), stmt.target->range) ? execBlock(stmt.body, nullptr) : Flow::Error;
    if (flow == Flow::Continue)
      flow = Flow::Normal;
    if (flow != Flow::Normal)
      break;
  }
  --strict;
  if (flow == Flow::Break)
    return Flow::Normal;
  return flow == Flow::Normal ? execBlock(stmt.orElse, nullptr) : flow;
}

Flow Frame::execHostWhile(const ast::While &stmt) {
  ++strict;
  Flow flow = Flow::Normal;
  while (flow == Flow::Normal) {
    MaybeValue test = eval(stmt.test);
    auto known = test ? ev.truth(*test, stmt.test->range) : std::nullopt;
    if (!known) {
      flow = Flow::Error;
      break;
    }
    if (!*known)
      break;
    flow = execBlock(stmt.body, nullptr);
    if (flow == Flow::Continue)
      flow = Flow::Normal;
  }
  --strict;
  if (flow == Flow::Break)
    return Flow::Normal;
  return flow == Flow::Normal ? execBlock(stmt.orElse, nullptr) : flow;
}

std::optional<bool> Frame::matches(const ast::Pattern *pattern, const Value &value) {
  switch (pattern->kind) {
  case ast::PatternKind::MatchValue: {
    MaybeValue wanted = eval(ast::as<ast::MatchValue>(pattern)->value);
    return wanted ? std::optional(equalValues(*wanted, value)) : std::nullopt;
  }
  case ast::PatternKind::MatchSingleton: {
    auto wanted = ast::as<ast::MatchSingleton>(pattern)->value;
    return wanted == ast::ConstantKind::None ? value.isNone() : value.is(Kind::Bool) && value.asBool() == (wanted == ast::ConstantKind::True);
  }
  case ast::PatternKind::MatchSequence: {
    auto patterns = ast::as<ast::MatchSequence>(pattern)->patterns;
    if (!value.isSequence() || value.items().size() != patterns.size())
      return false;
    for (size_t i = 0; i < patterns.size(); ++i) {
      auto matched = matches(patterns[i], value.items()[i]);
      if (!matched || !*matched)
        return matched;
    }
    return true;
  }
  case ast::PatternKind::MatchAs: {
    const auto *as = ast::as<ast::MatchAs>(pattern);
    auto matched = as->pattern ? matches(as->pattern, value) : std::optional(true);
    if (matched && *matched && !as->name.empty())
      bind(as->name, value);
    return matched;
  }
  case ast::PatternKind::MatchOr:
    for (const ast::Pattern *one : ast::as<ast::MatchOr>(pattern)->patterns) {
      auto matched = matches(one, value);
      if (!matched || *matched)
        return matched;
    }
    return false;
  case ast::PatternKind::MatchClass: {
    const auto *cls = ast::as<ast::MatchClass>(pattern);
    MaybeValue wanted = eval(cls->cls);
    if (wanted && cls->patterns.empty() && cls->kwdPatterns.empty())
      return isInstance(ev, value, *wanted, pattern->range);
    break;
  }
  default:
    break;
  }
  return ev.error(pattern->range, "F2225", "this pattern is not supported");
}

Flow Frame::execMatch(const ast::Match &stmt) {
  MaybeValue subject = eval(stmt.subject);
  if (!subject)
    return Flow::Error;
  if (subject->isUnknown()) {
    ev.truth(*subject, stmt.subject->range);
    return Flow::Error;
  }
  for (const ast::MatchCase *one : stmt.cases) {
    auto matched = matches(one->pattern, *subject);
    if (matched && *matched && one->guard) {
      MaybeValue guard = eval(one->guard);
      matched = guard ? ev.truth(*guard, one->guard->range) : std::nullopt;
    }
    if (!matched)
      return Flow::Error;
    if (*matched)
      return execBlock(one->body, nullptr);
  }
  return Flow::Normal;
}

} // namespace tegula::frontend::sema
