// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Primaries: calls, subscripts, attributes, displays, comprehensions, numbers.

#include "frontend/lex/literals.h"
#include "frontend/parse/parser_impl.h"

namespace tegula::frontend {

using namespace ast;

Expr *Parser::primary() {
  uint32_t begin = here();
  Expr *value = atom();
  while (true) {
    if (acceptOp(".")) {
      uint32_t nameBegin = here();
      Text attr = identifier("an attribute's name");
      auto *node = make<Attribute>(begin);
      node->value = value;
      node->attr = attr;
      node->ctx = Context::Load;
      node->attrRange = since(nameBegin);
      value = node;
    } else if (atOp("(")) {
      value = call(value, begin);
    } else if (atOp("[")) {
      value = subscript(value, begin);
    } else {
      return value;
    }
  }
}

bool Parser::atComprehension() const { return atWord("for") || (atWord("async") && peek(1).isName("for")); }

Expr *Parser::call(Expr *func, uint32_t begin) {
  Exprs args;
  std::vector<Keyword *> keywords;
  callArguments(args, keywords, true);
  auto *node = make<Call>(begin);
  node->func = func;
  node->args = list(args);
  node->keywords = list(keywords);
  return node;
}

void Parser::callArguments(Exprs &args, std::vector<Keyword *> &keywords, bool allowGenerator) {
  uint32_t open = here();
  expectOp("(");
  bool unpacked = false;
  while (!broken && !atOp(")")) {
    uint32_t begin = here();
    if (acceptOp("**")) {
      auto *keyword = arena.make<Keyword>();
      keyword->isDoubleStar = true;
      keyword->value = expression();
      keyword->range = since(begin);
      keywords.push_back(keyword);
      unpacked = true;
    } else if (acceptOp("*")) {
      Expr *value = expression();
      auto *node = make<Starred>(begin);
      node->value = value;
      node->ctx = Context::Load;
      if (unpacked)
        error(node->range, "F1205", "a positional argument follows '**'");
      args.push_back(node);
    } else if (peek().is(TokenKind::Name) && peek(1).isOp("=")) {
      auto *keyword = arena.make<Keyword>();
      keyword->arg = identifier("an argument's name");
      advance();
      keyword->value = expression();
      keyword->range = since(begin);
      keywords.push_back(keyword);
    } else {
      Expr *value = namedExpression();
      if (atComprehension()) {
        auto generators = comprehension();
        bool alone = allowGenerator && args.empty() && keywords.empty() && atOp(")");
        if (!alone)
          error(since(begin), "F1206", "a generator expression must be in parentheses here");
        else
          advance();
        auto *node = make<GeneratorExp>(open);
        node->elt = value;
        node->generators = generators;
        args.push_back(node);
        return;
      }
      if (atOp("="))
        error(value->range, "F1207", "only a name can stand before '=' in a call", "use '==' to compare");
      if (!keywords.empty())
        error(value->range, "F1205", unpacked ? "a positional argument follows '**'" : "a positional argument follows a keyword argument");
      args.push_back(value);
    }
    if (!acceptOp(","))
      break;
  }
  expectOp(")");
}

Expr *Parser::subscript(Expr *value, uint32_t begin) {
  advance();
  uint32_t first = here();
  Exprs items;
  bool tuple = false;
  do {
    if (atOp("]") && !items.empty())
      break;
    if (atOp("*")) {
      uint32_t begin = here();
      advance();
      Expr *unpacked = expression();
      auto *node = make<Starred>(begin);
      node->value = unpacked;
      node->ctx = Context::Load;
      items.push_back(node);
      tuple = true;
    } else {
      items.push_back(slice());
    }
    tuple |= atOp(",");
  } while (acceptOp(","));
  Expr *index = items[0];
  if (tuple) {
    auto *node = make<Tuple>(first);
    node->elts = list(items);
    node->ctx = Context::Load;
    index = node;
  }
  expectOp("]");
  auto *node = make<Subscript>(begin);
  node->value = value;
  node->slice = index;
  node->ctx = Context::Load;
  return node;
}

Expr *Parser::slice() {
  uint32_t begin = here();
  Expr *lower = nullptr, *upper = nullptr, *step = nullptr;
  if (!atOp(":")) {
    lower = namedExpression();
    if (!atOp(":"))
      return lower;
    if (lower->kind == ExprKind::NamedExpr && lower != parenthesised)
      error(lower->range, "F1204", "an assignment expression in a slice needs parentheses");
  }
  auto part = [&]() -> Expr * { return atOp(":") || atOp(",") || atOp("]") ? nullptr : expression(); };
  advance();
  upper = part();
  if (acceptOp(":"))
    step = part();
  auto *node = make<Slice>(begin);
  node->lower = lower;
  node->upper = upper;
  node->step = step;
  return node;
}

Expr *Parser::atom() {
  const Token &t = peek();
  uint32_t begin = here();
  switch (t.kind) {
  case TokenKind::Name: {
    ConstantKind constant;
    if (t.text == "None")
      constant = ConstantKind::None;
    else if (t.text == "True")
      constant = ConstantKind::True;
    else if (t.text == "False")
      constant = ConstantKind::False;
    else {
      Text id = identifier("an expression");
      return name(begin, id, Context::Load);
    }
    advance();
    auto *node = make<Constant>(begin);
    node->constant = constant;
    return node;
  }
  case TokenKind::Number:
    return number();
  case TokenKind::String:
  case TokenKind::FStringStart:
    return strings();
  case TokenKind::Operator:
    if (t.text == "(")
      return group();
    if (t.text == "[")
      return listDisplay();
    if (t.text == "{")
      return braceDisplay();
    if (t.text == "...") {
      advance();
      auto *node = make<Constant>(begin);
      node->constant = ConstantKind::Ellipsis;
      return node;
    }
    break;
  default:
    break;
  }
  expected("an expression");
  return standIn();
}

Expr *Parser::number() {
  uint32_t begin = here();
  NumberLiteral literal = readNumber(peek().text);
  advance();
  auto *node = make<Constant>(begin);
  node->constant = literal.kind == NumberLiteral::Kind::Int     ? ConstantKind::Int
                   : literal.kind == NumberLiteral::Kind::Float ? ConstantKind::Float
                                                                : ConstantKind::Complex;
  node->text = text(literal.digits);
  node->number = literal.value;
  if (literal.kind == NumberLiteral::Kind::Int && literal.digits.size() > 4300)
    error(node->range, "F1116", "this integer has more than 4300 digits", "write it in hexadecimal");
  return node;
}

/// ( ): a tuple, a generator, a yield, or an expression in parentheses.
Expr *Parser::group() {
  uint32_t begin = here();
  if (!enter()) {
    leave();
    return standIn();
  }
  advance();
  Expr *result;
  if (acceptOp(")")) {
    auto *node = make<Tuple>(begin);
    node->ctx = Context::Load;
    result = node;
  } else if (atWord("yield")) {
    result = yieldExpression();
    expectOp(")");
    parenthesised = result;
  } else {
    Expr *first = starNamedExpression();
    if (atComprehension()) {
      if (first->kind == ExprKind::Starred)
        error(first->range, "F1208", "a comprehension cannot unpack");
      auto generators = comprehension();
      expectOp(")");
      auto *node = make<GeneratorExp>(begin);
      node->elt = first;
      node->generators = generators;
      result = node;
    } else if (atOp(",")) {
      Exprs items{first};
      while (acceptOp(",") && !atOp(")"))
        items.push_back(starNamedExpression());
      expectOp(")");
      auto *node = make<Tuple>(begin);
      node->elts = list(items);
      node->ctx = Context::Load;
      result = node;
    } else {
      if (first->kind == ExprKind::Starred)
        error(first->range, "F1208", "a starred expression cannot stand here alone", "write a comma after it for a tuple");
      expectOp(")");
      result = first;
      parenthesised = first;
    }
  }
  leave();
  return result;
}

Expr *Parser::listDisplay() {
  uint32_t begin = here();
  if (!enter()) {
    leave();
    return standIn();
  }
  advance();
  Exprs items;
  Expr *result = nullptr;
  while (!broken && !atOp("]")) {
    items.push_back(starNamedExpression());
    if (items.size() == 1 && atComprehension()) {
      if (items[0]->kind == ExprKind::Starred)
        error(items[0]->range, "F1208", "a comprehension cannot unpack");
      auto generators = comprehension();
      expectOp("]");
      auto *node = make<ListComp>(begin);
      node->elt = items[0];
      node->generators = generators;
      result = node;
      break;
    }
    if (!acceptOp(","))
      break;
  }
  if (!result) {
    expectOp("]");
    auto *node = make<ListExpr>(begin);
    node->elts = list(items);
    node->ctx = Context::Load;
    result = node;
  }
  leave();
  return result;
}

/// { }: a dictionary, a set, or a comprehension of either.
Expr *Parser::braceDisplay() {
  uint32_t begin = here();
  if (!enter()) {
    leave();
    return standIn();
  }
  advance();
  Exprs keys, values;
  bool isSet = false, isDict = false;
  Expr *result = nullptr;
  while (!broken && !atOp("}")) {
    if (atOp("**") && !isSet) {
      advance();
      keys.push_back(nullptr);
      values.push_back(binary(0));
      isDict = true;
    } else if (isSet) {
      values.push_back(starNamedExpression());
    } else {
      Expr *first = isDict ? expression() : starNamedExpression();
      if (first->kind != ExprKind::Starred && acceptOp(":")) {
        if (first->kind == ExprKind::NamedExpr && first != parenthesised)
          error(first->range, "F1204", "an assignment expression as a key needs parentheses");
        isDict = true;
        keys.push_back(first);
        values.push_back(expression());
      } else if (isDict) {
        expected("':' after this dictionary key");
      } else {
        isSet = true;
        values.push_back(first);
      }
    }
    if (values.size() == 1 && atComprehension()) {
      if (!isSet && !keys[0])
        error(values[0]->range, "F1208", "a comprehension cannot unpack");
      if (isSet && values[0]->kind == ExprKind::Starred)
        error(values[0]->range, "F1208", "a comprehension cannot unpack");
      auto generators = comprehension();
      expectOp("}");
      if (isSet) {
        auto *node = make<SetComp>(begin);
        node->elt = values[0];
        node->generators = generators;
        result = node;
      } else {
        auto *node = make<DictComp>(begin);
        node->key = keys.empty() ? nullptr : keys[0];
        node->value = values[0];
        node->generators = generators;
        result = node;
      }
      break;
    }
    if (!acceptOp(","))
      break;
  }
  if (!result) {
    expectOp("}");
    if (isSet) {
      auto *node = make<Set>(begin);
      node->elts = list(values);
      result = node;
    } else {
      auto *node = make<Dict>(begin);
      node->keys = list(keys);
      node->values = list(values);
      result = node;
    }
  }
  leave();
  return result;
}

List<Comprehension> Parser::comprehension() {
  std::vector<Comprehension *> generators;
  while (atComprehension()) {
    auto *c = arena.make<Comprehension>();
    c->isAsync = acceptWord("async");
    advance();
    c->target = targetList();
    expectWord("in");
    c->iter = disjunction();
    Exprs ifs;
    while (acceptWord("if"))
      ifs.push_back(disjunction());
    c->ifs = list(ifs);
    generators.push_back(c);
  }
  return list(generators);
}

} // namespace tegula::frontend
