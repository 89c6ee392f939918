// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements and patterns.

#include "frontend/ast/dump_impl.h"

namespace tegula::frontend::ast {

void Dumper::stmt(const Stmt *s) {
  switch (s->kind) {
  case StmtKind::FunctionDef:
  case StmtKind::AsyncFunctionDef: {
    auto *n = as<FunctionDef>(s);
    open(s->kind == StmtKind::FunctionDef ? "FunctionDef" : "AsyncFunctionDef");
    wordField("name", n->name);
    arguments(n->args);
    stmtsField("body", n->body);
    exprsField("decorator_list", n->decorators);
    exprField("returns", n->returns);
    typeParams(n->typeParams);
    break;
  }
  case StmtKind::ClassDef: {
    auto *n = as<ClassDef>(s);
    open("ClassDef");
    wordField("name", n->name);
    exprsField("bases", n->bases);
    keywords(n->keywords);
    stmtsField("body", n->body);
    exprsField("decorator_list", n->decorators);
    typeParams(n->typeParams);
    break;
  }
  case StmtKind::Return:
    open("Return");
    exprField("value", as<Return>(s)->value);
    break;
  case StmtKind::Delete:
    open("Delete");
    exprsField("targets", as<Delete>(s)->targets);
    break;
  case StmtKind::Assign:
    open("Assign");
    exprsField("targets", as<Assign>(s)->targets);
    exprField("value", as<Assign>(s)->value);
    break;
  case StmtKind::TypeAlias:
    open("TypeAlias");
    exprField("name", as<TypeAlias>(s)->name);
    typeParams(as<TypeAlias>(s)->typeParams);
    exprField("value", as<TypeAlias>(s)->value);
    break;
  case StmtKind::AugAssign:
    open("AugAssign");
    exprField("target", as<AugAssign>(s)->target);
    field("op");
    out += std::string(kBinOps[static_cast<int>(as<AugAssign>(s)->op)]) + "()";
    exprField("value", as<AugAssign>(s)->value);
    break;
  case StmtKind::AnnAssign:
    open("AnnAssign");
    exprField("target", as<AnnAssign>(s)->target);
    exprField("annotation", as<AnnAssign>(s)->annotation);
    exprField("value", as<AnnAssign>(s)->value);
    field("simple");
    out += as<AnnAssign>(s)->simple ? "1" : "0";
    break;
  case StmtKind::For:
  case StmtKind::AsyncFor:
    open(s->kind == StmtKind::For ? "For" : "AsyncFor");
    exprField("target", as<For>(s)->target);
    exprField("iter", as<For>(s)->iter);
    stmtsField("body", as<For>(s)->body);
    stmtsField("orelse", as<For>(s)->orElse);
    break;
  case StmtKind::While:
    open("While");
    exprField("test", as<While>(s)->test);
    stmtsField("body", as<While>(s)->body);
    stmtsField("orelse", as<While>(s)->orElse);
    break;
  case StmtKind::If:
    open("If");
    exprField("test", as<If>(s)->test);
    stmtsField("body", as<If>(s)->body);
    stmtsField("orelse", as<If>(s)->orElse);
    break;
  case StmtKind::With:
  case StmtKind::AsyncWith:
    open(s->kind == StmtKind::With ? "With" : "AsyncWith");
    field("items");
    sequence(as<With>(s)->items, [&](const WithItem *item) {
      open("withitem");
      exprField("context_expr", item->context);
      exprField("optional_vars", item->vars);
      closePlain();
    });
    first = false;
    stmtsField("body", as<With>(s)->body);
    break;
  case StmtKind::Match:
    open("Match");
    exprField("subject", as<Match>(s)->subject);
    field("cases");
    sequence(as<Match>(s)->cases, [&](const MatchCase *c) {
      open("match_case");
      field("pattern");
      pattern(c->pattern);
      exprField("guard", c->guard);
      stmtsField("body", c->body);
      closePlain();
    });
    first = false;
    break;
  case StmtKind::Raise:
    open("Raise");
    exprField("exc", as<Raise>(s)->exc);
    exprField("cause", as<Raise>(s)->cause);
    break;
  case StmtKind::Try:
  case StmtKind::TryStar:
    open(s->kind == StmtKind::Try ? "Try" : "TryStar");
    stmtsField("body", as<Try>(s)->body);
    field("handlers");
    sequence(as<Try>(s)->handlers, [&](const ExceptHandler *h) {
      open("ExceptHandler");
      exprField("type", h->type);
      if (!h->name.empty())
        wordField("name", h->name);
      stmtsField("body", h->body);
      close(h->range);
    });
    first = false;
    stmtsField("orelse", as<Try>(s)->orElse);
    stmtsField("finalbody", as<Try>(s)->finalBody);
    break;
  case StmtKind::Assert:
    open("Assert");
    exprField("test", as<Assert>(s)->test);
    exprField("msg", as<Assert>(s)->msg);
    break;
  case StmtKind::Import:
    open("Import");
    aliases(as<Import>(s)->names);
    break;
  case StmtKind::ImportFrom:
    open("ImportFrom");
    if (!as<ImportFrom>(s)->module.empty())
      wordField("module", as<ImportFrom>(s)->module);
    aliases(as<ImportFrom>(s)->names);
    field("level");
    out += std::to_string(as<ImportFrom>(s)->level);
    break;
  case StmtKind::Global:
  case StmtKind::Nonlocal:
    open(s->kind == StmtKind::Global ? "Global" : "Nonlocal");
    field("names");
    sequence(as<Global>(s)->names, [&](Text name) { word(name); });
    first = false;
    break;
  case StmtKind::Expr:
    open("Expr");
    exprField("value", as<ExprStmt>(s)->value);
    break;
  case StmtKind::Pass:
    open("Pass");
    break;
  case StmtKind::Break:
    open("Break");
    break;
  case StmtKind::Continue:
    open("Continue");
    break;
  case StmtKind::Invalid:
    open("Invalid");
    break;
  }
  close(s->range);
}

void Dumper::pattern(const Pattern *p) {
  switch (p->kind) {
  case PatternKind::MatchValue:
    open("MatchValue");
    exprField("value", as<MatchValue>(p)->value);
    break;
  case PatternKind::MatchSingleton: {
    open("MatchSingleton");
    field("value");
    ConstantKind k = as<MatchSingleton>(p)->value;
    out += k == ConstantKind::None ? "None" : k == ConstantKind::True ? "True" : "False";
    break;
  }
  case PatternKind::MatchSequence:
    open("MatchSequence");
    patternsField("patterns", as<MatchSequence>(p)->patterns);
    break;
  case PatternKind::MatchMapping:
    open("MatchMapping");
    exprsField("keys", as<MatchMapping>(p)->keys);
    patternsField("patterns", as<MatchMapping>(p)->patterns);
    if (!as<MatchMapping>(p)->rest.empty())
      wordField("rest", as<MatchMapping>(p)->rest);
    break;
  case PatternKind::MatchClass:
    open("MatchClass");
    exprField("cls", as<MatchClass>(p)->cls);
    patternsField("patterns", as<MatchClass>(p)->patterns);
    field("kwd_attrs");
    sequence(as<MatchClass>(p)->kwdAttrs, [&](Text name) { word(name); });
    first = false;
    patternsField("kwd_patterns", as<MatchClass>(p)->kwdPatterns);
    break;
  case PatternKind::MatchStar:
    open("MatchStar");
    if (!as<MatchStar>(p)->name.empty())
      wordField("name", as<MatchStar>(p)->name);
    break;
  case PatternKind::MatchAs:
    open("MatchAs");
    if (as<MatchAs>(p)->pattern) {
      field("pattern");
      pattern(as<MatchAs>(p)->pattern);
      first = false;
    }
    if (!as<MatchAs>(p)->name.empty())
      wordField("name", as<MatchAs>(p)->name);
    break;
  case PatternKind::MatchOr:
    open("MatchOr");
    patternsField("patterns", as<MatchOr>(p)->patterns);
    break;
  }
  close(p->range);
}

} // namespace tegula::frontend::ast
