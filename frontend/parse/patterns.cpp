// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `match` statements (PEP 634). `match` and `case` are names elsewhere, so a match statement is tried and given up silently.

#include "frontend/parse/parser_impl.h"

namespace tegula::frontend {

using namespace ast;

/// Null, with everything as it was, where this is no match statement.
Stmt *Parser::matchStatement() {
  uint32_t begin = here();
  size_t start = at;
  bool wasSpeculating = speculating;
  speculating = true;
  advance();
  uint32_t subjectBegin = here();
  Expr *subject = starNamedExpression();
  if (atOp(",")) {
    Exprs items{subject};
    while (acceptOp(",") && beginsExpression(peek()))
      items.push_back(starNamedExpression());
    auto *tuple = make<Tuple>(subjectBegin);
    tuple->elts = list(items);
    tuple->ctx = Context::Load;
    subject = tuple;
  } else if (subject->kind == ExprKind::Starred) {
    broken = true;
  }
  bool good = !broken && atOp(":") && peek(1).is(TokenKind::Newline) && peek(2).is(TokenKind::Indent) && peek(3).isName("case");
  speculating = wasSpeculating;
  if (!good) {
    broken = false;
    at = start;
    return nullptr;
  }
  at += 3;
  std::vector<MatchCase *> cases;
  while (atWord("case"))
    cases.push_back(matchCase());
  if (peek().is(TokenKind::Dedent))
    advance();
  else
    expected("'case'");
  auto *node = make<Match>(begin);
  node->subject = subject;
  node->cases = list(cases);
  node->range = {begin, blockEnd()};
  return node;
}

MatchCase *Parser::matchCase() {
  advance();
  auto *result = arena.make<MatchCase>();
  result->pattern = patterns();
  if (acceptWord("if"))
    result->guard = namedExpression();
  result->body = block();
  return result;
}

/// A pattern, or a sequence without brackets.
Pattern *Parser::patterns() {
  uint32_t begin = here();
  Pattern *first = atOp("*") ? starPattern() : asPattern();
  if (!atOp(",")) {
    if (first->kind == PatternKind::MatchStar)
      error(first->range, "F1221", "a starred pattern must be in a sequence");
    return first;
  }
  std::vector<Pattern *> items{first};
  while (acceptOp(",") && !atOp(":") && !atWord("if"))
    items.push_back(atOp("*") ? starPattern() : asPattern());
  auto *node = makePattern<MatchSequence>(begin);
  node->patterns = list(items);
  return node;
}

Pattern *Parser::starPattern() {
  uint32_t begin = here();
  advance();
  Text id = identifier("a name");
  auto *node = makePattern<MatchStar>(begin);
  node->name = id == "_" ? Text() : id;
  return node;
}

Pattern *Parser::asPattern() {
  uint32_t begin = here();
  Pattern *pattern = orPattern();
  if (!acceptWord("as"))
    return pattern;
  uint32_t nameBegin = here();
  Text id = identifier("a name");
  if (id == "_")
    error(since(nameBegin), "F1221", "'_' cannot be the target of 'as'");
  auto *node = makePattern<MatchAs>(begin);
  node->pattern = pattern;
  node->name = id;
  return node;
}

Pattern *Parser::orPattern() {
  uint32_t begin = here();
  Pattern *first = closedPattern();
  if (!atOp("|"))
    return first;
  std::vector<Pattern *> items{first};
  while (acceptOp("|"))
    items.push_back(closedPattern());
  auto *node = makePattern<MatchOr>(begin);
  node->patterns = list(items);
  return node;
}

/// A signed number, or a complex one such as `1 + 2j`.
Expr *Parser::patternNumber() {
  uint32_t begin = here();
  auto one = [&](bool allowSign) -> Expr * {
    uint32_t signBegin = here();
    bool negative = allowSign && acceptOp("-");
    if (!peek().is(TokenKind::Number)) {
      expected("a number");
      return standIn();
    }
    Expr *value = number();
    if (!negative)
      return value;
    auto *node = make<UnaryOp>(signBegin);
    node->op = UnaryOpKind::USub;
    node->operand = value;
    return node;
  };
  auto isImaginary = [](const Expr *e) { return e->kind == ExprKind::Constant && as<Constant>(e)->constant == ConstantKind::Complex; };
  Expr *left = one(true);
  if (!atOp("+") && !atOp("-"))
    return left;
  BinOpKind op = atOp("+") ? BinOpKind::Add : BinOpKind::Sub;
  advance();
  Expr *right = one(false);
  const Expr *real = left->kind == ExprKind::UnaryOp ? as<UnaryOp>(left)->operand : left;
  if (!broken && (isImaginary(real) || !isImaginary(right)))
    error(since(begin), "F1221", "expected a real and an imaginary number");
  auto *node = make<BinOp>(begin);
  node->left = left;
  node->op = op;
  node->right = right;
  return node;
}

Pattern *Parser::closedPattern() {
  uint32_t begin = here();
  const Token &t = peek();
  if (!enter()) {
    leave();
    return makePattern<MatchAs>(begin);
  }
  Pattern *result = nullptr;
  auto value = [&](Expr *expr) {
    auto *node = makePattern<MatchValue>(begin);
    node->value = expr;
    return node;
  };
  if (t.is(TokenKind::Number) || t.isOp("-")) {
    result = value(patternNumber());
  } else if (t.is(TokenKind::String) || t.is(TokenKind::FStringStart)) {
    Expr *text = strings();
    if (text->kind == ExprKind::JoinedStr)
      error(text->range, "F1221", "a pattern cannot be a formatted string");
    result = value(text);
  } else if (t.isName("None") || t.isName("True") || t.isName("False")) {
    ConstantKind constant = t.text == "None" ? ConstantKind::None : t.text == "True" ? ConstantKind::True : ConstantKind::False;
    advance();
    auto *node = makePattern<MatchSingleton>(begin);
    node->value = constant;
    result = node;
  } else if (t.is(TokenKind::Name)) {
    Text id = identifier("a pattern");
    if (id == "_" || (!atOp(".") && !atOp("("))) { // nothing can follow the wildcard
      auto *node = makePattern<MatchAs>(begin);
      node->name = id == "_" ? Text() : id;
      result = node;
    } else {
      Expr *expr = name(begin, id, Context::Load);
      while (acceptOp(".")) {
        uint32_t attrBegin = here();
        Text attr = identifier("an attribute's name");
        auto *attribute = make<Attribute>(begin);
        attribute->value = expr;
        attribute->attr = attr;
        attribute->ctx = Context::Load;
        attribute->attrRange = since(attrBegin);
        expr = attribute;
      }
      result = atOp("(") ? classPattern(expr, begin) : value(expr);
    }
  } else if (t.isOp("(") || t.isOp("[")) {
    bool bracket = t.isOp("[");
    advance();
    bool single = false;
    Pattern *inner = sequenceItems(begin, bracket ? "]" : ")", single);
    // (p) is p itself; [p] is a sequence.
    if (single && !bracket) {
      result = as<MatchSequence>(inner)->patterns[0];
      if (result->kind == PatternKind::MatchStar)
        error(result->range, "F1221", "a starred pattern must be in a sequence");
    } else {
      result = inner;
    }
  } else if (t.isOp("{")) {
    result = mappingPattern();
  } else {
    expected("a pattern");
    result = makePattern<MatchAs>(begin);
  }
  leave();
  return result;
}

/// The items up to `close`; `single` where there is one and no comma.
Pattern *Parser::sequenceItems(uint32_t begin, std::string_view close, bool &single) {
  std::vector<Pattern *> items;
  bool comma = false;
  while (!broken && !atOp(close)) {
    items.push_back(atOp("*") ? starPattern() : asPattern());
    if (!acceptOp(","))
      break;
    comma = true;
  }
  expectOp(close);
  single = items.size() == 1 && !comma;
  auto *node = makePattern<MatchSequence>(begin);
  node->patterns = list(items);
  return node;
}

Pattern *Parser::mappingPattern() {
  uint32_t begin = here();
  advance();
  Exprs keys;
  std::vector<Pattern *> values;
  Text rest;
  while (!broken && !atOp("}")) {
    uint32_t keyBegin = here();
    if (acceptOp("**")) {
      rest = identifier("a name");
      if (rest == "_")
        error(since(keyBegin), "F1221", "'**_' is not allowed");
      acceptOp(",");
      break;
    }
    if (atOp("("))
      expected("a literal or a dotted name as the key");
    Pattern *key = closedPattern();
    Expr *expr = nullptr;
    if (key->kind == PatternKind::MatchValue) {
      expr = as<MatchValue>(key)->value;
    } else if (key->kind == PatternKind::MatchSingleton) {
      auto *constant = make<Constant>(keyBegin);
      constant->constant = as<MatchSingleton>(key)->value;
      expr = constant;
    } else {
      error(key->range, "F1221", "a mapping's key is a literal or a dotted name");
      expr = standIn();
    }
    keys.push_back(expr);
    expectOp(":");
    values.push_back(asPattern());
    if (!acceptOp(","))
      break;
  }
  expectOp("}");
  auto *node = makePattern<MatchMapping>(begin);
  node->keys = list(keys);
  node->patterns = list(values);
  node->rest = rest;
  return node;
}

Pattern *Parser::classPattern(Expr *cls, uint32_t begin) {
  advance();
  std::vector<Pattern *> positional, keywordPatterns;
  std::vector<Text> keywordNames;
  while (!broken && !atOp(")")) {
    if (atIdentifier() && peek(1).isOp("=")) {
      keywordNames.push_back(identifier("a name"));
      advance();
      keywordPatterns.push_back(asPattern());
    } else {
      Pattern *pattern = asPattern();
      if (!keywordNames.empty())
        error(pattern->range, "F1205", "a positional pattern follows a keyword pattern");
      positional.push_back(pattern);
    }
    if (!acceptOp(","))
      break;
  }
  expectOp(")");
  auto *node = makePattern<MatchClass>(begin);
  node->cls = cls;
  node->patterns = list(positional);
  node->kwdAttrs = arena.copy(keywordNames);
  node->kwdPatterns = list(keywordPatterns);
  return node;
}

} // namespace tegula::frontend
