// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simple statements, and recovery after errors.

#include "frontend/parse/parser_impl.h"

namespace tegula::frontend {

using namespace ast;

namespace {

struct AugOp {
  std::string_view op;
  BinOpKind kind;
};
constexpr AugOp kAugmented[] = {
    {"+=", BinOpKind::Add},     {"-=", BinOpKind::Sub},    {"*=", BinOpKind::Mult},      {"@=", BinOpKind::MatMult}, {"/=", BinOpKind::Div},
    {"%=", BinOpKind::Mod},     {"&=", BinOpKind::BitAnd}, {"|=", BinOpKind::BitOr},     {"^=", BinOpKind::BitXor},  {"<<=", BinOpKind::LShift},
    {">>=", BinOpKind::RShift}, {"**=", BinOpKind::Pow},   {"//=", BinOpKind::FloorDiv},
};

} // namespace

void Parser::statement(Stmts &out) {
  size_t first = at;
  size_t before = out.size();
  statementBegin = here();
  statementInto(out);
  if (!broken)
    return;
  // Statements of the same line that were fine stay.
  out.resize(std::min(out.size(), before));
  out.push_back(invalid(first));
  recover(first);
}

Stmt *Parser::invalid(size_t first) {
  auto *node = arena.make<Pass>();
  node->kind = StmtKind::Invalid;
  node->range = {tokens[first].begin, tokens[at].end};
  return node;
}

/// Goes on after the logical line of the error, and after the block that it heads.
void Parser::recover(size_t first) {
  broken = false;
  if (at < first)
    at = first;
  while (at + 1 < tokens.size() && !tokens[at].is(TokenKind::Newline) && !tokens[at].is(TokenKind::Dedent) && !tokens[at].is(TokenKind::Indent))
    ++at;
  if (tokens[at].is(TokenKind::Newline))
    ++at;
  if (tokens[at].is(TokenKind::Indent)) {
    unsigned open = 0;
    do {
      open += tokens[at].is(TokenKind::Indent);
      open -= tokens[at].is(TokenKind::Dedent);
      ++at;
    } while (open && at + 1 < tokens.size());
  }
  if (at == first && at + 1 < tokens.size()) // always some progress
    ++at;
}

void Parser::statementInto(Stmts &out) {
  if (peek().is(TokenKind::Indent)) {
    error({peek().begin, peek().end}, "F1210", "unexpected indentation");
    return;
  }
  if (atCompound()) {
    out.push_back(compoundStatement());
    return;
  }
  if (atWord("match") && !peek(1).isOp("=") && !peek(1).isOp(".") && !peek(1).isOp(",") && !peek(1).isOp(":"))
    if (Stmt *match = matchStatement()) {
      out.push_back(match);
      return;
    }
  simpleStatements(out);
}

void Parser::simpleStatements(Stmts &out) {
  const char *called = nullptr; // a statement of Python 2 that is a function now
  do {
    called = atWord("print") ? "print" : atWord("exec") ? "exec" : nullptr;
    out.push_back(simpleStatement());
  } while (acceptOp(";") && !peek().is(TokenKind::Newline));
  if (peek().is(TokenKind::Newline))
    advance();
  else if (!broken)
    error({peek().begin, peek().end}, "F1211", "expected the end of the statement, found '" + std::string(peek().text.substr(0, 40)) + "'",
          called ? "write " + std::string(called) + "(...)" : "separate statements with a line end or ';'");
}

Stmt *Parser::simpleStatement() {
  uint32_t begin = here();
  auto plain = [&](StmtKind kind) {
    advance();
    auto *node = make<Pass>(begin);
    node->kind = kind;
    return node;
  };
  if (!peek().is(TokenKind::Name))
    return expressionStatement();
  std::string_view word = peek().text;
  if (word == "pass")
    return plain(StmtKind::Pass);
  if (word == "break")
    return plain(StmtKind::Break);
  if (word == "continue")
    return plain(StmtKind::Continue);
  if (word == "return") {
    advance();
    Expr *value = beginsExpression(peek()) && !atWord("yield") ? starExpressions() : nullptr;
    auto *node = make<Return>(begin);
    node->value = value;
    return node;
  }
  if (word == "raise") {
    advance();
    Expr *exc = nullptr, *cause = nullptr;
    if (beginsExpression(peek()) && !atWord("yield")) {
      exc = expression();
      if (acceptWord("from"))
        cause = expression();
    }
    auto *node = make<Raise>(begin);
    node->exc = exc;
    node->cause = cause;
    return node;
  }
  if (word == "global" || word == "nonlocal") {
    advance();
    std::vector<Text> names;
    do
      names.push_back(identifier("a name"));
    while (acceptOp(","));
    auto *node = make<Global>(begin);
    node->kind = word == "global" ? StmtKind::Global : StmtKind::Nonlocal;
    node->names = arena.copy(names);
    return node;
  }
  if (word == "del") {
    advance();
    Exprs targets;
    do {
      if (peek().is(TokenKind::Newline) || atOp(";"))
        break;
      targets.push_back(primary());
      makeTarget(targets.back(), TargetKind::Delete);
    } while (acceptOp(","));
    if (targets.empty())
      expected("what to delete");
    auto *node = make<Delete>(begin);
    node->targets = list(targets);
    return node;
  }
  if (word == "assert") {
    advance();
    Expr *test = expression(), *message = nullptr;
    if (acceptOp(","))
      message = expression();
    auto *node = make<Assert>(begin);
    node->test = test;
    node->msg = message;
    return node;
  }
  if (word == "import")
    return importStatement();
  if (word == "from")
    return importFrom();
  if (word == "type" && peek(1).is(TokenKind::Name) && !isKeyword(peek(1).text) && (peek(2).isOp("=") || peek(2).isOp("[")))
    return typeAlias();
  return expressionStatement();
}

Stmt *Parser::expressionStatement() {
  uint32_t begin = here();
  Expr *first = atWord("yield") ? yieldExpression() : starExpressions();
  bool bare = first != parenthesised;
  auto value = [&]() -> Expr * { return atWord("yield") ? yieldExpression() : starExpressions(); };
  if (atOp(":")) {
    makeTarget(first, TargetKind::Annotated);
    advance();
    Expr *annotation = expression(), *assigned = nullptr;
    if (acceptOp("="))
      assigned = value();
    auto *node = make<AnnAssign>(begin);
    node->target = first;
    node->annotation = annotation;
    node->value = assigned;
    node->simple = bare && first->kind == ExprKind::Name;
    return node;
  }
  for (const AugOp &aug : kAugmented)
    if (atOp(aug.op)) {
      makeTarget(first, TargetKind::AugAssign);
      advance();
      Expr *operand = value();
      auto *node = make<AugAssign>(begin);
      node->target = first;
      node->op = aug.kind;
      node->value = operand;
      return node;
    }
  if (atOp("=")) {
    Exprs parts{first};
    while (acceptOp("="))
      parts.push_back(value());
    Expr *assigned = parts.back();
    parts.pop_back();
    for (Expr *target : parts)
      makeTarget(target, TargetKind::Assign);
    auto *node = make<Assign>(begin);
    node->targets = list(parts);
    node->value = assigned;
    return node;
  }
  auto *node = make<ExprStmt>(begin);
  node->value = first;
  return node;
}

Text Parser::dottedName() {
  std::string full(identifier("a module's name"));
  while (acceptOp("."))
    full += "." + std::string(identifier("a module's name"));
  return text(full);
}

Alias *Parser::dottedAlias() {
  uint32_t begin = here();
  auto *alias = arena.make<Alias>();
  alias->name = dottedName();
  if (acceptWord("as"))
    alias->asName = identifier("a name");
  alias->range = since(begin);
  return alias;
}

Stmt *Parser::importStatement() {
  uint32_t begin = here();
  advance();
  std::vector<Alias *> names;
  do
    names.push_back(dottedAlias());
  while (acceptOp(","));
  auto *node = make<Import>(begin);
  node->names = list(names);
  return node;
}

Stmt *Parser::importFrom() {
  uint32_t begin = here();
  advance();
  uint32_t level = 0;
  Text moduleName;
  while (atOp(".") || atOp("...")) {
    level += atOp("...") ? 3 : 1;
    advance();
  }
  if (!level || atIdentifier())
    moduleName = dottedName();
  expectWord("import");
  std::vector<Alias *> names;
  auto one = [&] {
    uint32_t nameBegin = here();
    auto *alias = arena.make<Alias>();
    alias->name = identifier("a name to import");
    if (acceptWord("as"))
      alias->asName = identifier("a name");
    alias->range = since(nameBegin);
    names.push_back(alias);
  };
  if (atOp("*")) {
    auto *alias = arena.make<Alias>();
    alias->name = "*";
    alias->range = {here(), here() + 1};
    advance();
    names.push_back(alias);
  } else if (acceptOp("(")) {
    do
      one();
    while (acceptOp(",") && !atOp(")"));
    expectOp(")");
  } else {
    do
      one();
    while (acceptOp(","));
  }
  auto *node = make<ImportFrom>(begin);
  node->module = moduleName;
  node->names = list(names);
  node->level = level;
  return node;
}

Stmt *Parser::typeAlias() {
  uint32_t begin = here();
  advance();
  uint32_t nameBegin = here();
  Text id = identifier("a name");
  Expr *target = name(nameBegin, id, Context::Store);
  auto params = typeParams();
  expectOp("=");
  Expr *value = expression();
  auto *node = make<TypeAlias>(begin);
  node->name = target;
  node->typeParams = params;
  node->value = value;
  return node;
}

} // namespace tegula::frontend
