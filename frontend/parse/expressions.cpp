// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators, by precedence; tuples without parentheses; lambdas.

#include "frontend/parse/parser_impl.h"

namespace tegula::frontend {

using namespace ast;

namespace {

struct BinaryLevel {
  std::string_view op;
  BinOpKind kind;
  int level;
};
constexpr BinaryLevel kBinary[] = {
    {"|", BinOpKind::BitOr, 0},   {"^", BinOpKind::BitXor, 1},    {"&", BinOpKind::BitAnd, 2}, {"<<", BinOpKind::LShift, 3},
    {">>", BinOpKind::RShift, 3}, {"+", BinOpKind::Add, 4},       {"-", BinOpKind::Sub, 4},    {"*", BinOpKind::Mult, 5},
    {"/", BinOpKind::Div, 5},     {"//", BinOpKind::FloorDiv, 5}, {"%", BinOpKind::Mod, 5},    {"@", BinOpKind::MatMult, 5},
};
constexpr int kUnaryLevel = 6;

} // namespace

bool beginsExpression(const Token &t) {
  switch (t.kind) {
  case TokenKind::Name:
    return !isKeyword(t.text) || t.text == "not" || t.text == "lambda" || t.text == "await" || t.text == "None" || t.text == "True" ||
           t.text == "False" || t.text == "yield";
  case TokenKind::Number:
  case TokenKind::String:
  case TokenKind::FStringStart:
    return true;
  case TokenKind::Operator:
    return t.text == "(" || t.text == "[" || t.text == "{" || t.text == "-" || t.text == "+" || t.text == "~" || t.text == "..." || t.text == "*";
  default:
    return false;
  }
}

template <typename T> Expr *Parser::tupleOf(uint32_t begin, const Exprs &items) {
  auto *node = make<T>(begin);
  node->elts = list(items);
  node->ctx = Context::Load;
  return node;
}

Expr *Parser::starExpressions() {
  uint32_t begin = here();
  Expr *first = starExpression();
  if (!atOp(","))
    return first;
  Exprs items{first};
  while (acceptOp(",") && beginsExpression(peek()) && !atWord("yield"))
    items.push_back(starExpression());
  return tupleOf<Tuple>(begin, items);
}

Expr *Parser::starExpression() {
  uint32_t begin = here();
  if (!acceptOp("*"))
    return expression();
  Expr *value = binary(0);
  auto *node = make<Starred>(begin);
  node->value = value;
  node->ctx = Context::Load;
  return node;
}

Expr *Parser::namedExpression() {
  uint32_t begin = here();
  if (atIdentifier() && peek(1).isOp(":=")) {
    Text id = identifier("a name");
    Expr *target = name(begin, id, Context::Store);
    advance();
    Expr *value = expression();
    auto *node = make<NamedExpr>(begin);
    node->target = target;
    node->value = value;
    return node;
  }
  Expr *value = expression();
  if (atOp(":="))
    error(value->range, "F1204", "only a name can be assigned with ':='");
  return value;
}

Expr *Parser::starNamedExpression() {
  if (atOp("*"))
    return starExpression();
  return namedExpression();
}

Expr *Parser::expression() {
  if (!enter()) {
    leave();
    return standIn();
  }
  uint32_t begin = here();
  Expr *value;
  if (atWord("lambda")) {
    value = lambda();
  } else {
    value = disjunction();
    if (acceptWord("if")) {
      Expr *test = disjunction();
      if (!atWord("else"))
        expected("'else' of this conditional expression");
      else
        advance();
      Expr *other = expression();
      auto *node = make<IfExp>(begin);
      node->body = value;
      node->test = test;
      node->orElse = other;
      value = node;
    }
  }
  leave();
  return value;
}

Expr *Parser::lambda() {
  uint32_t begin = here();
  advance();
  Arguments *args = parameters(true, ":");
  expectOp(":");
  Expr *body = expression();
  auto *node = make<Lambda>(begin);
  node->args = args;
  node->body = body;
  return node;
}

Expr *Parser::disjunction() {
  uint32_t begin = here();
  Expr *first = conjunction();
  if (!atWord("or"))
    return first;
  Exprs values{first};
  while (acceptWord("or"))
    values.push_back(conjunction());
  auto *node = make<BoolOp>(begin);
  node->op = BoolOpKind::Or;
  node->values = list(values);
  return node;
}

Expr *Parser::conjunction() {
  uint32_t begin = here();
  Expr *first = inversion();
  if (!atWord("and"))
    return first;
  Exprs values{first};
  while (acceptWord("and"))
    values.push_back(inversion());
  auto *node = make<BoolOp>(begin);
  node->op = BoolOpKind::And;
  node->values = list(values);
  return node;
}

Expr *Parser::inversion() {
  uint32_t begin = here();
  if (!atWord("not"))
    return comparison();
  advance();
  Expr *operand = enter() ? inversion() : standIn();
  leave();
  auto *node = make<UnaryOp>(begin);
  node->op = UnaryOpKind::Not;
  node->operand = operand;
  return node;
}

Expr *Parser::comparison() {
  uint32_t begin = here();
  Expr *left = binary(0);
  std::vector<CmpOpKind> ops;
  Exprs values;
  while (true) {
    CmpOpKind op;
    if (acceptOp("=="))
      op = CmpOpKind::Eq;
    else if (acceptOp("!="))
      op = CmpOpKind::NotEq;
    else if (acceptOp("<="))
      op = CmpOpKind::LtE;
    else if (acceptOp("<"))
      op = CmpOpKind::Lt;
    else if (acceptOp(">="))
      op = CmpOpKind::GtE;
    else if (acceptOp(">"))
      op = CmpOpKind::Gt;
    else if (atWord("not") && peek(1).isName("in")) {
      at += 2;
      op = CmpOpKind::NotIn;
    } else if (acceptWord("in"))
      op = CmpOpKind::In;
    else if (acceptWord("is"))
      op = acceptWord("not") ? CmpOpKind::IsNot : CmpOpKind::Is;
    else
      break;
    ops.push_back(op);
    values.push_back(binary(0));
  }
  if (ops.empty())
    return left;
  auto *node = make<Compare>(begin);
  node->left = left;
  node->ops = arena.copy(ops);
  node->comparators = list(values);
  return node;
}

Expr *Parser::binary(int level) {
  if (level == kUnaryLevel)
    return unary();
  uint32_t begin = here();
  Expr *left = binary(level + 1);
  while (true) {
    const BinaryLevel *found = nullptr;
    for (const BinaryLevel &b : kBinary)
      if (b.level == level && atOp(b.op))
        found = &b;
    if (!found)
      return left;
    advance();
    Expr *right = binary(level + 1);
    auto *node = make<BinOp>(begin);
    node->left = left;
    node->op = found->kind;
    node->right = right;
    left = node;
  }
}

Expr *Parser::unary() {
  uint32_t begin = here();
  UnaryOpKind op;
  if (atOp("-"))
    op = UnaryOpKind::USub;
  else if (atOp("+"))
    op = UnaryOpKind::UAdd;
  else if (atOp("~"))
    op = UnaryOpKind::Invert;
  else
    return power();
  advance();
  Expr *operand = enter() ? unary() : standIn();
  leave();
  auto *node = make<UnaryOp>(begin);
  node->op = op;
  node->operand = operand;
  return node;
}

Expr *Parser::power() {
  uint32_t begin = here();
  Expr *left = awaitPrimary();
  if (!acceptOp("**"))
    return left;
  Expr *right = enter() ? unary() : standIn();
  leave();
  auto *node = make<BinOp>(begin);
  node->left = left;
  node->op = BinOpKind::Pow;
  node->right = right;
  return node;
}

Expr *Parser::awaitPrimary() {
  uint32_t begin = here();
  if (!acceptWord("await"))
    return primary();
  Expr *value = primary();
  auto *node = make<Await>(begin);
  node->value = value;
  return node;
}

Expr *Parser::yieldExpression() {
  uint32_t begin = here();
  advance();
  if (acceptWord("from")) {
    Expr *value = expression();
    auto *node = make<YieldFrom>(begin);
    node->value = value;
    return node;
  }
  Expr *value = beginsExpression(peek()) && !atWord("yield") ? starExpressions() : nullptr;
  auto *node = make<Yield>(begin);
  node->value = value;
  return node;
}

Expr *Parser::targetList() {
  uint32_t begin = here();
  auto one = [&]() -> Expr * { return atOp("*") ? starExpression() : binary(0); };
  Expr *first = one();
  if (!atOp(",")) {
    makeTarget(first, TargetKind::For);
    return first;
  }
  Exprs items{first};
  while (acceptOp(",") && !atWord("in"))
    items.push_back(one());
  Expr *target = tupleOf<Tuple>(begin, items);
  makeTarget(target, TargetKind::For);
  return target;
}

} // namespace tegula::frontend
