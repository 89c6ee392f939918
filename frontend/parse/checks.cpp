// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scopes and statements.

#include "frontend/parse/checks.h"

#include <algorithm>
#include <utility>

namespace tegula::frontend {

using namespace ast;

namespace {

constexpr unsigned kMaxTreeDepth = 2000; ///< about where CPython's compiler gives up
constexpr unsigned kMaxErrors = 50;

std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

} // namespace

bool Checker::run() {
  push(ScopeKind::Module);
  futureImports();
  statements(module.body, {});
  resolveNonlocals();
  return errors == 0;
}

void Checker::error(Range range, const char *code, std::string message, std::string help) {
  if (errors++ < kMaxErrors)
    sink.report({base::Severity::Error, code, std::move(message), source.range(range.begin, range.end), {}, std::move(help)});
}

bool Checker::enter(Range range) {
  if (++depth <= kMaxTreeDepth)
    return true;
  if (!tooDeep)
    error({range.begin, range.begin + 1}, "F1203", "this nests too deeply", "split it over several statements");
  tooDeep = true;
  return false;
}

Checker::Scope *Checker::push(ScopeKind kind) {
  scopes.push_back(std::make_unique<Scope>());
  scopes.back()->parent = scope;
  scopes.back()->kind = kind;
  return scope = scopes.back().get();
}

// ---- names ----

void Checker::forbidDebug(std::string_view name, Range range) {
  if (name == "__debug__")
    error(range, "F1304", "'__debug__' cannot be assigned to or deleted");
}

void Checker::bind(std::string_view name, Range range, uint8_t flags) {
  forbidDebug(name, range);
  scope->names[name] |= flags;
}

void Checker::declare(const Global &node) {
  bool isGlobal = node.kind == StmtKind::Global;
  const char *word = isGlobal ? "global" : "nonlocal";
  if (!isGlobal && scope->kind == ScopeKind::Module) {
    error(node.range, "F1305", "'nonlocal' cannot stand outside functions");
    return;
  }
  for (Text name : node.names) {
    uint8_t &flags = scope->names[name];
    if (flags & kParameter)
      error(node.range, "F1305", quoted(name) + " is a parameter and cannot be declared '" + word + "'");
    else if (flags & (isGlobal ? kNonlocal : kGlobal))
      error(node.range, "F1305", quoted(name) + " is declared both 'global' and 'nonlocal'");
    else if (flags & kAnnotated)
      error(node.range, "F1305", quoted(name) + " is annotated before it is declared '" + word + "'");
    else if (flags & kUsed)
      error(node.range, "F1305", quoted(name) + " is used before it is declared '" + word + "'");
    else if (flags & kBound)
      error(node.range, "F1305", quoted(name) + " is assigned to before it is declared '" + word + "'");
    flags |= isGlobal ? kGlobal : kNonlocal;
    if (!isGlobal)
      nonlocals.push_back({scope, name, node.range});
  }
}

void Checker::resolveNonlocals() {
  for (const NonlocalUse &use : nonlocals) {
    bool found = false;
    for (Scope *s = use.scope->parent; s && !found; s = s->parent) {
      auto it = s->names.find(use.name);
      uint8_t flags = it == s->names.end() ? 0 : it->second;
      if (s->kind == ScopeKind::Class)
        found = use.name == "__class__";
      else if (s->kind == ScopeKind::Module || (flags & kGlobal))
        break;
      else
        found = (flags & (kBound | kParameter)) && !(flags & kNonlocal) && s->kind != ScopeKind::TypeParams;
      if (s->kind == ScopeKind::TypeParams && (flags & kBound))
        break;
    }
    if (!found)
      error(use.range, "F1305", "no function around this one binds " + quoted(use.name));
  }
}

// ---- imports from __future__ ----

void Checker::futureImports() {
  for (size_t i = 0; i < module.body.size(); ++i) {
    const Stmt *node = module.body[i];
    if (const auto *import = dynAs<ImportFrom>(node); import && import->module == "__future__" && !import->level) {
      for (const Alias *alias : import->names)
        futureAnnotations |= alias->name == "annotations";
    } else {
      const auto *text = dynAs<ExprStmt>(node);
      const auto *constant = text ? dynAs<Constant>(text->value) : nullptr;
      if (i != 0 || !constant || constant->constant != ConstantKind::Str)
        break;
    }
    futureEnd = node->range.end;
  }
}

void Checker::importFrom(const ImportFrom &node) {
  static constexpr std::string_view kFeatures[] = {"nested_scopes", "generators",       "division",       "absolute_import", "with_statement",
                                                   "print_function", "unicode_literals", "barry_as_FLUFL", "generator_stop",  "annotations"};
  bool future = node.module == "__future__" && !node.level;
  if (future && (scope->kind != ScopeKind::Module || node.range.end > futureEnd))
    error(node.range, "F1309", "imports from '__future__' must stand at the beginning of the file");
  for (const Alias *alias : node.names) {
    if (alias->name == "*") {
      if (scope->kind != ScopeKind::Module)
        error(alias->range, "F1309", "'import *' is allowed at module level alone");
      else if (future)
        error(alias->range, "F1309", "features of '__future__' are imported by name");
      continue;
    }
    if (future && std::find(std::begin(kFeatures), std::end(kFeatures), alias->name) == std::end(kFeatures))
      error(alias->range, "F1309", quoted(alias->name) + " is no feature of '__future__'");
    bind(alias->asName.empty() ? alias->name : alias->asName, alias->range);
  }
}

// ---- statements ----

void Checker::statements(List<Stmt> list, Place place) {
  for (const Stmt *node : list)
    statement(node, place);
}

void Checker::needAsync(Range range, const char *what) {
  if (scope->kind != ScopeKind::Function || !scope->isAsync)
    error(range, "F1306", std::string("'") + what + "' stands outside an asynchronous function");
}

void Checker::statement(const Stmt *node, Place place) {
  if (!enter(node->range)) {
    leave();
    return;
  }
  Place loop{true, false, place.anyStarHandler};
  switch (node->kind) {
  case StmtKind::FunctionDef:
  case StmtKind::AsyncFunctionDef:
    function(*as<FunctionDef>(node));
    break;
  case StmtKind::ClassDef:
    classDef(*as<ClassDef>(node));
    break;
  case StmtKind::Return: {
    const auto *ret = as<Return>(node);
    if (!functionLike())
      error(node->range, "F1301", "'return' stands outside a function");
    else if (place.anyStarHandler)
      error(node->range, "F1302", "'return' cannot stand in an 'except*' block");
    if (ret->value) {
      if (!scope->returnsValue.end)
        scope->returnsValue = node->range;
      expression(ret->value);
    }
    break;
  }
  case StmtKind::Delete:
    for (const Expr *expr : as<Delete>(node)->targets)
      target(expr, true);
    break;
  case StmtKind::Assign:
    expression(as<Assign>(node)->value);
    for (const Expr *expr : as<Assign>(node)->targets)
      target(expr);
    break;
  case StmtKind::TypeAlias: {
    const auto *alias = as<TypeAlias>(node);
    target(alias->name);
    if (!alias->typeParams.empty()) {
      push(ScopeKind::TypeParams)->without = "a type alias";
      typeParams(alias->typeParams);
    }
    push(ScopeKind::TypeParams)->without = "a type alias";
    expression(alias->value);
    pop();
    if (!alias->typeParams.empty())
      pop();
    break;
  }
  case StmtKind::AugAssign:
    target(as<AugAssign>(node)->target);
    expression(as<AugAssign>(node)->value);
    break;
  case StmtKind::AnnAssign: {
    const auto *assign = as<AnnAssign>(node);
    const auto *id = dynAs<Name>(assign->target);
    if (id && assign->simple) {
      uint8_t flags = scope->names[id->id];
      if ((flags & (kGlobal | kNonlocal)) && scope->kind != ScopeKind::Module)
        error(id->range, "F1305", quoted(id->id) + " is declared '" + (flags & kGlobal ? "global" : "nonlocal") + "' and cannot be annotated");
      scope->names[id->id] |= kAnnotated;
    }
    target(assign->target);
    annotation(assign->annotation);
    expression(assign->value);
    break;
  }
  case StmtKind::For:
  case StmtKind::AsyncFor: {
    const auto *loopNode = as<For>(node);
    if (node->kind == StmtKind::AsyncFor)
      needAsync(node->range, "async for");
    target(loopNode->target);
    expression(loopNode->iter);
    statements(loopNode->body, loop);
    statements(loopNode->orElse, place);
    break;
  }
  case StmtKind::While:
    expression(as<While>(node)->test);
    statements(as<While>(node)->body, loop);
    statements(as<While>(node)->orElse, place);
    break;
  case StmtKind::If:
    expression(as<If>(node)->test);
    statements(as<If>(node)->body, place);
    statements(as<If>(node)->orElse, place);
    break;
  case StmtKind::With:
  case StmtKind::AsyncWith:
    if (node->kind == StmtKind::AsyncWith)
      needAsync(node->range, "async with");
    for (const WithItem *item : as<With>(node)->items) {
      expression(item->context);
      if (item->vars)
        target(item->vars);
    }
    statements(as<With>(node)->body, place);
    break;
  case StmtKind::Match:
    match(*as<Match>(node), place);
    break;
  case StmtKind::Raise:
    expression(as<Raise>(node)->exc);
    expression(as<Raise>(node)->cause);
    break;
  case StmtKind::Try:
  case StmtKind::TryStar:
    tryStatement(*as<Try>(node), place);
    break;
  case StmtKind::Assert:
    expression(as<Assert>(node)->test);
    expression(as<Assert>(node)->msg);
    break;
  case StmtKind::Import:
    for (const Alias *alias : as<Import>(node)->names)
      bind(alias->asName.empty() ? alias->name.substr(0, alias->name.find('.')) : alias->asName, alias->range);
    break;
  case StmtKind::ImportFrom:
    importFrom(*as<ImportFrom>(node));
    break;
  case StmtKind::Global:
  case StmtKind::Nonlocal:
    declare(*as<Global>(node));
    break;
  case StmtKind::Expr:
    expression(as<ExprStmt>(node)->value);
    break;
  case StmtKind::Break:
  case StmtKind::Continue: {
    std::string word = node->kind == StmtKind::Break ? "'break'" : "'continue'";
    if (place.inStarHandler)
      error(node->range, "F1302", word + " cannot stand in an 'except*' block");
    else if (!place.inLoop)
      error(node->range, "F1302", word + " stands outside a loop");
    break;
  }
  case StmtKind::Pass:
  case StmtKind::Invalid:
    break;
  }
  leave();
}

void Checker::tryStatement(const Try &node, Place place) {
  Place handler = place;
  if (node.kind == StmtKind::TryStar)
    handler.inStarHandler = handler.anyStarHandler = true;
  statements(node.body, place);
  for (const ExceptHandler *h : node.handlers) {
    expression(h->type);
    if (!h->name.empty())
      bind(h->name, h->range);
    statements(h->body, handler);
  }
  statements(node.orElse, place);
  statements(node.finalBody, place);
}

void Checker::annotation(const Expr *expr) {
  if (!expr)
    return;
  if (futureAnnotations)
    push(ScopeKind::TypeParams)->without = "an annotation";
  expression(expr, true);
  if (futureAnnotations)
    pop();
}

void Checker::arguments(const Arguments &args, bool annotations, bool defaults) {
  if (defaults) {
    expressions(args.defaults);
    expressions(args.kwDefaults);
  }
  if (!annotations)
    return;
  for (const List<Arg> &group : {args.posOnly, args.args, args.kwOnly})
    for (const Arg *arg : group)
      annotation(arg->annotation);
  for (const Arg *arg : {args.varArg, args.kwArg})
    if (arg)
      annotation(arg->annotation);
}

void Checker::parameters(const Arguments &args) {
  auto one = [&](const Arg *arg) {
    if (arg && (scope->names[arg->name] & kParameter))
      error(arg->range, "F1303", "the parameter " + quoted(arg->name) + " is there twice");
    if (arg)
      bind(arg->name, arg->range, kParameter | kBound);
  };
  for (const List<Arg> &group : {args.posOnly, args.args, args.kwOnly})
    for (const Arg *arg : group)
      one(arg);
  one(args.varArg);
  one(args.kwArg);
}

void Checker::typeParams(List<TypeParam> params) {
  for (const TypeParam *param : params) {
    if (scope->names[param->name] & kBound)
      error(param->range, "F1303", "the type parameter " + quoted(param->name) + " is there twice");
    bind(param->name, param->range);
    if (!param->bound)
      continue;
    push(ScopeKind::TypeParams)->without = "the bound of a type parameter";
    expression(param->bound);
    pop();
  }
}

void Checker::function(const FunctionDef &node) {
  bind(node.name, node.nameRange);
  expressions(node.decorators);
  arguments(*node.args, false, true);
  bool generic = !node.typeParams.empty();
  if (generic) {
    push(ScopeKind::TypeParams)->without = "the definition of a generic";
    typeParams(node.typeParams);
  }
  arguments(*node.args, true, false);
  annotation(node.returns);
  Scope *own = push(ScopeKind::Function);
  own->isAsync = node.kind == StmtKind::AsyncFunctionDef;
  unsigned outside = std::exchange(iterables, 0);
  parameters(*node.args);
  statements(node.body, {});
  iterables = outside;
  if (own->isAsync && own->isGenerator && own->returnsValue.end)
    error(own->returnsValue, "F1306", "an asynchronous generator cannot return a value");
  pop();
  if (generic)
    pop();
}

void Checker::classDef(const ClassDef &node) {
  bind(node.name, node.nameRange);
  expressions(node.decorators);
  bool generic = !node.typeParams.empty();
  if (generic) {
    push(ScopeKind::TypeParams)->without = "the definition of a generic";
    typeParams(node.typeParams);
  }
  call(node.bases, node.keywords);
  push(ScopeKind::Class);
  statements(node.body, {});
  pop();
  if (generic)
    pop();
}

} // namespace tegula::frontend
