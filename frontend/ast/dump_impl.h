// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The printer behind dump(): fields in CPython's order; expressions, statements and patterns are in a file each.
#pragma once

#include "frontend/ast/ast.h"

#include <string>

namespace tegula::frontend::ast {

inline constexpr const char *kBinOps[] = {"Add",    "Sub",    "Mult",  "MatMult", "Div",    "Mod",     "Pow",
                                          "LShift", "RShift", "BitOr", "BitXor",  "BitAnd", "FloorDiv"};

class Dumper {
public:
  Dumper(const SourceBuffer &source, bool attributes) : source(source), attributes(attributes) {}
  std::string out;

  void module(const Module &m) {
    out += "Module(body=";
    stmts(m.body);
    out += ", type_ignores=[])";
  }

private:
  // Fields of the node being printed; the first has no comma before it.
  void open(const char *name) {
    out += name;
    out += '(';
    first = true;
  }
  void field(const char *name) {
    if (!first)
      out += ", ";
    first = false;
    out += name;
    out += '=';
  }
  void closePlain() {
    out += ')';
    first = false;
  }

  template <typename Items, typename F> void sequence(const Items &items, F f) {
    out += '[';
    bool comma = false;
    for (const auto &item : items) {
      if (comma)
        out += ", ";
      comma = true;
      f(item);
    }
    out += ']';
  }
  void exprs(List<Expr> items) {
    sequence(items, [&](const Expr *e) { e ? expr(e) : void(out += "None"); });
  }
  void stmts(List<Stmt> items) {
    sequence(items, [&](const Stmt *s) { stmt(s); });
  }

  void exprField(const char *name, const Expr *e) {
    if (!e)
      return;
    field(name);
    expr(e);
    first = false;
  }
  void exprsField(const char *name, List<Expr> items) {
    field(name);
    exprs(items);
    first = false;
  }
  void stmtsField(const char *name, List<Stmt> items) {
    field(name);
    stmts(items);
    first = false;
  }
  void wordField(const char *name, Text text) {
    field(name);
    word(text);
  }

  void constant(const Constant *c);
  void context(Context ctx);
  void word(Text text);
  void close(Range range);

  void comprehensionFields(const Expr *elt, List<Comprehension> generators) {
    exprField("elt", elt);
    comprehensions(generators);
  }
  void comprehensions(List<Comprehension> generators) {
    field("generators");
    sequence(generators, [&](const Comprehension *c) {
      open("comprehension");
      exprField("target", c->target);
      exprField("iter", c->iter);
      exprsField("ifs", c->ifs);
      field("is_async");
      out += c->isAsync ? "1" : "0";
      closePlain();
    });
    first = false;
  }

  void keywords(List<Keyword> items) {
    field("keywords");
    sequence(items, [&](const Keyword *k) {
      open("keyword");
      if (!k->isDoubleStar)
        wordField("arg", k->arg);
      exprField("value", k->value);
      close(k->range);
    });
    first = false;
  }

  void argument(const Arg *a) {
    open("arg");
    wordField("arg", a->name);
    exprField("annotation", a->annotation);
    close(a->range);
  }
  void arguments(const Arguments *a) {
    field("args");
    open("arguments");
    auto group = [&](const char *name, List<Arg> items) {
      field(name);
      sequence(items, [&](const Arg *arg) { argument(arg); });
      first = false;
    };
    group("posonlyargs", a->posOnly);
    group("args", a->args);
    if (a->varArg) {
      field("vararg");
      argument(a->varArg);
    }
    group("kwonlyargs", a->kwOnly);
    exprsField("kw_defaults", a->kwDefaults);
    if (a->kwArg) {
      field("kwarg");
      argument(a->kwArg);
    }
    exprsField("defaults", a->defaults);
    closePlain();
  }

  void expr(const Expr *e);
  void aliases(List<Alias> items) {
    field("names");
    sequence(items, [&](const Alias *a) {
      open("alias");
      wordField("name", a->name);
      if (!a->asName.empty())
        wordField("asname", a->asName);
      close(a->range);
    });
    first = false;
  }

  void typeParams(List<TypeParam> items) {
    field("type_params");
    sequence(items, [&](const TypeParam *p) {
      open(p->kind == TypeParam::Kind::TypeVar ? "TypeVar" : p->kind == TypeParam::Kind::ParamSpec ? "ParamSpec" : "TypeVarTuple");
      wordField("name", p->name);
      exprField("bound", p->bound);
      close(p->range);
    });
    first = false;
  }

  void stmt(const Stmt *s);
  void pattern(const Pattern *p);
  void patternsField(const char *name, List<Pattern> items) {
    field(name);
    sequence(items, [&](const Pattern *p) { pattern(p); });
    first = false;
  }

  const SourceBuffer &source;
  bool attributes;
  bool first = true;
};

} // namespace tegula::frontend::ast
