// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compound statements: blocks, loops, functions, classes.

#include "frontend/parse/parser_impl.h"

namespace tegula::frontend {

using namespace ast;

bool Parser::atCompound() const {
  const Token &t = peek();
  if (t.isOp("@"))
    return true;
  if (!t.is(TokenKind::Name))
    return false;
  for (std::string_view word : {"if", "while", "for", "with", "try", "def", "class"})
    if (t.text == word)
      return true;
  return t.text == "async";
}

Stmt *Parser::compoundStatement() {
  uint32_t begin = here();
  if (!enter()) {
    leave();
    return invalid(at);
  }
  Stmt *result = nullptr;
  if (atOp("@"))
    result = decorated();
  else if (atWord("if"))
    result = ifStatement();
  else if (atWord("while"))
    result = whileStatement();
  else if (atWord("for"))
    result = forStatement(begin, false);
  else if (atWord("with"))
    result = withStatement(begin, false);
  else if (atWord("try"))
    result = tryStatement();
  else if (atWord("def"))
    result = functionDef(begin, false, {});
  else if (atWord("class"))
    result = classDef(begin, {});
  else {
    advance(); // async
    if (atWord("def"))
      result = functionDef(begin, true, {});
    else if (atWord("for"))
      result = forStatement(begin, true);
    else if (atWord("with"))
      result = withStatement(begin, true);
    else {
      expected("'def', 'for' or 'with' after 'async'");
      result = invalid(at);
    }
  }
  leave();
  return result;
}

/// `:` and either simple statements on the same line or an indented block.
List<Stmt> Parser::block() {
  expectOp(":");
  Stmts body;
  if (broken)
    return {};
  if (!peek().is(TokenKind::Newline)) {
    if (atCompound()) {
      error({peek().begin, peek().end}, "F1212", "a compound statement cannot stand on the line of another");
      return {};
    }
    simpleStatements(body);
    return list(body);
  }
  advance();
  if (!peek().is(TokenKind::Indent)) {
    error({peek().begin, peek().end}, "F1213", "expected an indented block", "write 'pass' for an empty one");
    return {};
  }
  advance();
  while (!peek().is(TokenKind::Dedent) && !peek().is(TokenKind::End))
    statement(body);
  if (peek().is(TokenKind::Dedent))
    advance();
  return list(body);
}

/// A compound statement ends with its last token, which may be a `;`.
uint32_t Parser::blockEnd() const {
  size_t i = at;
  while (i > 0 && (tokens[i - 1].is(TokenKind::Newline) || tokens[i - 1].is(TokenKind::Indent) || tokens[i - 1].is(TokenKind::Dedent)))
    --i;
  return i ? tokens[i - 1].end : 0;
}

List<Stmt> Parser::elseBlock() {
  if (!acceptWord("else"))
    return {};
  return block();
}

Stmt *Parser::ifStatement() {
  uint32_t begin = here();
  advance(); // if or elif
  Expr *test = namedExpression();
  auto body = block();
  List<Stmt> orElse;
  if (!broken && atWord("elif")) {
    Stmt *inner = enter() ? ifStatement() : invalid(at);
    leave();
    orElse = list(Stmts{inner});
  } else {
    orElse = elseBlock();
  }
  auto *node = make<If>(begin);
  node->test = test;
  node->body = body;
  node->orElse = orElse;
  node->range = {begin, blockEnd()};
  return node;
}

Stmt *Parser::whileStatement() {
  uint32_t begin = here();
  advance();
  Expr *test = namedExpression();
  auto body = block();
  auto orElse = elseBlock();
  auto *node = make<While>(begin);
  node->test = test;
  node->body = body;
  node->orElse = orElse;
  node->range = {begin, blockEnd()};
  return node;
}

Stmt *Parser::forStatement(uint32_t begin, bool isAsync) {
  advance();
  Expr *target = targetList();
  expectWord("in");
  Expr *iter = starExpressions();
  auto body = block();
  auto orElse = elseBlock();
  auto *node = make<For>(begin);
  node->kind = isAsync ? StmtKind::AsyncFor : StmtKind::For;
  node->target = target;
  node->iter = iter;
  node->body = body;
  node->orElse = orElse;
  node->range = {begin, blockEnd()};
  return node;
}

WithItem *Parser::withItem() {
  auto *item = arena.make<WithItem>();
  item->context = expression();
  if (acceptWord("as")) {
    item->vars = starExpression();
    makeTarget(item->vars, TargetKind::With);
  }
  return item;
}

Stmt *Parser::withStatement(uint32_t begin, bool isAsync) {
  advance();
  std::vector<WithItem *> items;
  // `with (a as b, c):` or an expression in parentheses: tried first as a list of items.
  if (atOp("(")) {
    size_t start = at;
    bool wasSpeculating = speculating;
    speculating = true;
    advance();
    while (!broken && !atOp(")")) {
      items.push_back(withItem());
      if (!acceptOp(","))
        break;
    }
    expectOp(")");
    bool good = !broken && !items.empty() && atOp(":");
    speculating = wasSpeculating;
    if (!good) {
      broken = false;
      items.clear();
      at = start;
    }
  }
  if (items.empty())
    do
      items.push_back(withItem());
    while (acceptOp(","));
  auto body = block();
  auto *node = make<With>(begin);
  node->kind = isAsync ? StmtKind::AsyncWith : StmtKind::With;
  node->items = list(items);
  node->body = body;
  node->range = {begin, blockEnd()};
  return node;
}

Stmt *Parser::tryStatement() {
  uint32_t begin = here();
  advance();
  auto body = block();
  std::vector<ExceptHandler *> handlers;
  bool star = false, bareSeen = false;
  while (!broken && atWord("except")) {
    uint32_t handlerBegin = here();
    advance();
    auto *handler = arena.make<ExceptHandler>();
    bool isStar = acceptOp("*");
    if (bareSeen)
      error({handlerBegin, handlerBegin + 6}, "F1214", "an 'except' without a type must be the last");
    if (!handlers.empty() && isStar != star)
      error({handlerBegin, handlerBegin + 6}, "F1215", "'except' and 'except*' cannot be mixed");
    star = isStar;
    if (!atOp(":")) {
      handler->type = expression();
      if (atOp(","))
        error(handler->type->range, "F1216", "several exception types must be in parentheses");
      if (acceptWord("as"))
        handler->name = identifier("a name");
    } else if (isStar) {
      expected("an exception type");
    } else {
      bareSeen = true;
    }
    handler->body = block();
    handler->range = {handlerBegin, blockEnd()};
    handlers.push_back(handler);
  }
  List<Stmt> orElse, finalBody;
  if (!handlers.empty())
    orElse = elseBlock();
  if (acceptWord("finally"))
    finalBody = block();
  if (!broken && handlers.empty() && finalBody.empty())
    error({begin, begin + 3}, "F1217", "expected 'except' or 'finally' after this 'try'");
  auto *node = make<Try>(begin);
  node->kind = star ? StmtKind::TryStar : StmtKind::Try;
  node->body = body;
  node->handlers = list(handlers);
  node->orElse = orElse;
  node->finalBody = finalBody;
  node->range = {begin, blockEnd()};
  return node;
}

Stmt *Parser::decorated() {
  Exprs decorators;
  while (acceptOp("@")) {
    decorators.push_back(namedExpression());
    if (peek().is(TokenKind::Newline))
      advance();
    else
      expected("the end of the line after this decorator");
  }
  uint32_t begin = here();
  if (atWord("class"))
    return classDef(begin, list(decorators));
  bool isAsync = acceptWord("async");
  if (!atWord("def")) {
    expected("a function or a class after the decorator");
    return invalid(at);
  }
  return functionDef(begin, isAsync, list(decorators));
}

Stmt *Parser::functionDef(uint32_t begin, bool isAsync, List<Expr> decorators) {
  advance();
  uint32_t nameBegin = here();
  Text id = identifier("a function's name");
  Range nameRange = since(nameBegin);
  auto params = typeParams();
  expectOp("(");
  Arguments *args = parameters(false, ")");
  expectOp(")");
  Expr *returns = nullptr;
  if (acceptOp("->"))
    returns = expression();
  auto body = block();
  auto *node = make<FunctionDef>(begin);
  node->kind = isAsync ? StmtKind::AsyncFunctionDef : StmtKind::FunctionDef;
  node->name = id;
  node->nameRange = nameRange;
  node->args = args;
  node->body = body;
  node->decorators = decorators;
  node->returns = returns;
  node->typeParams = params;
  node->range = {begin, blockEnd()};
  return node;
}

Stmt *Parser::classDef(uint32_t begin, List<Expr> decorators) {
  advance();
  uint32_t nameBegin = here();
  Text id = identifier("a class's name");
  Range nameRange = since(nameBegin);
  auto params = typeParams();
  Exprs bases;
  std::vector<Keyword *> keywords;
  if (atOp("("))
    callArguments(bases, keywords, false);
  auto body = block();
  auto *node = make<ClassDef>(begin);
  node->name = id;
  node->nameRange = nameRange;
  node->bases = list(bases);
  node->keywords = list(keywords);
  node->body = body;
  node->decorators = decorators;
  node->typeParams = params;
  node->range = {begin, blockEnd()};
  return node;
}

List<TypeParam> Parser::typeParams() {
  if (!acceptOp("["))
    return {};
  std::vector<TypeParam *> params;
  while (!broken && !atOp("]")) {
    uint32_t begin = here();
    auto *param = arena.make<TypeParam>();
    if (acceptOp("*"))
      param->kind = TypeParam::Kind::TypeVarTuple;
    else if (acceptOp("**"))
      param->kind = TypeParam::Kind::ParamSpec;
    param->name = identifier("a type parameter");
    if (acceptOp(":")) {
      if (param->kind != TypeParam::Kind::TypeVar)
        error(since(begin), "F1218", "only a plain type parameter can have a bound");
      param->bound = expression();
    }
    param->range = since(begin);
    params.push_back(param);
    if (!acceptOp(","))
      break;
  }
  if (params.empty())
    expected("a type parameter");
  expectOp("]");
  return list(params);
}

Arg *Parser::parameter(bool isLambda, bool isStar) {
  uint32_t begin = here();
  auto *arg = arena.make<Arg>();
  arg->name = identifier("a parameter's name");
  if (!isLambda && acceptOp(":"))
    arg->annotation = isStar && atOp("*") ? starExpression() : expression();
  arg->range = since(begin);
  return arg;
}

Arguments *Parser::parameters(bool isLambda, std::string_view close) {
  auto *result = arena.make<Arguments>();
  std::vector<Arg *> posOnly, args, kwOnly;
  Exprs defaults, kwDefaults;
  bool afterStar = false, afterDoubleStar = false, needsKeyword = false, sawSlash = false;
  while (!broken && !atOp(close)) {
    uint32_t begin = here();
    if (afterDoubleStar) {
      error({begin, begin + 1}, "F1219", "no parameter can follow '**'");
      break;
    }
    if (acceptOp("/")) {
      if (afterStar || sawSlash || args.empty())
        error({begin, begin + 1}, "F1219", args.empty() && !sawSlash ? "a parameter must precede '/'" : "'/' cannot stand here");
      sawSlash = true;
      posOnly = std::move(args);
      args.clear();
    } else if (acceptOp("**")) {
      if (needsKeyword)
        error({begin, begin + 2}, "F1219", "a name must follow '*'");
      result->kwArg = parameter(isLambda, false);
      if (atOp("="))
        error(result->kwArg->range, "F1219", "a '**' parameter cannot have a default");
      afterDoubleStar = true;
    } else if (acceptOp("*")) {
      if (afterStar)
        error({begin, begin + 1}, "F1219", "'*' can stand once");
      afterStar = true;
      if (atOp(",")) {
        needsKeyword = true;
      } else {
        result->varArg = parameter(isLambda, true);
        if (atOp("="))
          error(result->varArg->range, "F1219", "a '*' parameter cannot have a default");
      }
    } else {
      Arg *arg = parameter(isLambda, false);
      Expr *value = acceptOp("=") ? expression() : nullptr;
      if (afterStar) {
        kwOnly.push_back(arg);
        kwDefaults.push_back(value);
        needsKeyword = false;
      } else {
        if (value)
          defaults.push_back(value);
        else if (!defaults.empty())
          error(arg->range, "F1220", "a parameter without a default follows one with a default");
        args.push_back(arg);
      }
    }
    if (!acceptOp(","))
      break;
  }
  if (needsKeyword && !broken)
    expected("a name after '*'");
  result->posOnly = list(posOnly);
  result->args = list(args);
  result->kwOnly = list(kwOnly);
  result->kwDefaults = list(kwDefaults);
  result->defaults = list(defaults);
  return result;
}

} // namespace tegula::frontend
