// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Match statements: patterns that hide others, names captured twice, keys and attributes given twice.

#include "frontend/parse/checks.h"

#include <cmath>
#include <cstdio>
#include <utility>

namespace tegula::frontend {

using namespace ast;

namespace {

/// A key's value as text, equal for keys that Python's == calls equal in the common cases; empty for what is no literal.
std::string keyText(const Expr *key) {
  if (const auto *unary = dynAs<UnaryOp>(key)) {
    std::string value = keyText(unary->operand);
    return value.empty() || value == "0" ? value : "-" + value;
  }
  const auto *constant = dynAs<Constant>(key);
  if (!constant)
    return {};
  switch (constant->constant) {
  case ConstantKind::True:
    return "1";
  case ConstantKind::False:
    return "0";
  case ConstantKind::None:
    return "None";
  case ConstantKind::Int:
    return std::string(constant->text);
  case ConstantKind::Str:
    return "s" + std::string(constant->text);
  case ConstantKind::Bytes:
    return "b" + std::string(constant->text);
  case ConstantKind::Float:
  case ConstantKind::Complex: {
    bool whole = constant->number == std::floor(constant->number) && std::abs(constant->number) < 1e15;
    bool imaginary = constant->constant == ConstantKind::Complex && constant->number != 0;
    char text[32];
    std::snprintf(text, sizeof text, whole ? "%.0f%s" : "%.17g%s", constant->number, imaginary ? "j" : "");
    return text;
  }
  case ConstantKind::Ellipsis:
    return {};
  }
  return {};
}

} // namespace

void Checker::match(const Match &node, Place place) {
  expression(node.subject);
  for (size_t i = 0; i < node.cases.size(); ++i) {
    const MatchCase &c = *node.cases[i];
    Captures captures;
    pattern(c.pattern, c.guard || i + 1 == node.cases.size(), captures);
    expression(c.guard);
    statements(c.body, place);
  }
}

void Checker::capture(std::string_view id, Range range, Captures &captures) {
  bind(id, range);
  if (!captures.insert(id).second)
    error(range, "F1310", "the pattern captures '" + std::string(id) + "' twice");
}

/// `mayMatchAll`: nothing stands after this pattern that it could hide.
void Checker::pattern(const Pattern *node, bool mayMatchAll, Captures &captures) {
  if (!enter(node->range)) {
    leave();
    return;
  }
  switch (node->kind) {
  case PatternKind::MatchValue:
    expression(as<MatchValue>(node)->value);
    break;
  case PatternKind::MatchSingleton:
    break;
  case PatternKind::MatchSequence: {
    bool star = false;
    for (const Pattern *item : as<MatchSequence>(node)->patterns) {
      if (item->kind == PatternKind::MatchStar && std::exchange(star, true))
        error(item->range, "F1310", "a sequence pattern has at most one starred part");
      pattern(item, true, captures);
    }
    break;
  }
  case PatternKind::MatchMapping:
    patternMapping(*as<MatchMapping>(node), captures);
    break;
  case PatternKind::MatchClass:
    patternClass(*as<MatchClass>(node), captures);
    break;
  case PatternKind::MatchStar:
    if (!as<MatchStar>(node)->name.empty())
      capture(as<MatchStar>(node)->name, node->range, captures);
    break;
  case PatternKind::MatchAs: {
    const auto *alias = as<MatchAs>(node);
    if (!alias->pattern && !mayMatchAll)
      error(node->range, "F1310",
            alias->name.empty() ? "'_' matches everything, so that what follows cannot be reached"
                                : "the capture of '" + std::string(alias->name) + "' matches everything, so that what follows cannot be reached",
            alias->name.empty() ? "" : "a value to compare with needs a dot in its name");
    if (alias->pattern)
      pattern(alias->pattern, mayMatchAll, captures);
    if (!alias->name.empty())
      capture(alias->name, node->range, captures);
    break;
  }
  case PatternKind::MatchOr:
    patternOr(*as<MatchOr>(node), mayMatchAll, captures);
    break;
  }
  leave();
}

void Checker::patternOr(const MatchOr &node, bool mayMatchAll, Captures &captures) {
  Captures first;
  for (size_t i = 0; i < node.patterns.size(); ++i) {
    Captures own;
    pattern(node.patterns[i], mayMatchAll && i + 1 == node.patterns.size(), own);
    if (i == 0)
      first = std::move(own);
    else if (own != first) {
      error(node.range, "F1310", "the alternatives of this pattern capture different names");
      break;
    }
  }
  for (std::string_view id : first)
    if (!captures.insert(id).second)
      error(node.range, "F1310", "the pattern captures '" + std::string(id) + "' twice");
}

void Checker::patternMapping(const MatchMapping &node, Captures &captures) {
  std::unordered_set<std::string> seen;
  for (const Expr *key : node.keys) {
    expression(key);
    std::string value = keyText(key);
    if (!value.empty() && !seen.insert(value).second)
      error(key->range, "F1310", "the mapping pattern has this key twice");
  }
  for (const Pattern *item : node.patterns)
    pattern(item, true, captures);
  if (!node.rest.empty())
    capture(node.rest, node.range, captures);
}

void Checker::patternClass(const MatchClass &node, Captures &captures) {
  expression(node.cls);
  std::unordered_set<std::string_view> seen;
  for (Text attribute : node.kwdAttrs) {
    forbidDebug(attribute, node.range);
    if (!seen.insert(attribute).second)
      error(node.range, "F1310", "the class pattern has the attribute '" + std::string(attribute) + "' twice");
  }
  for (const Pattern *item : node.patterns)
    pattern(item, true, captures);
  for (const Pattern *item : node.kwdPatterns)
    pattern(item, true, captures);
}

} // namespace tegula::frontend
