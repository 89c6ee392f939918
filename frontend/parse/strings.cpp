// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// String literals, their concatenation, and formatted strings.

#include "frontend/lex/literals.h"
#include "frontend/parse/parser_impl.h"

#include <algorithm>
#include <utility>

namespace tegula::frontend {

using namespace ast;

Constant *Parser::stringConstant(uint32_t begin, uint32_t end, std::string_view value) {
  auto *node = arena.make<Constant>();
  node->kind = ExprKind::Constant;
  node->range = {begin, end};
  node->constant = ConstantKind::Str;
  node->text = text(value);
  return node;
}

Constant *Parser::stringToken(const Token &token, bool &isBytes) {
  size_t quote = token.text.find_first_of("\"'");
  std::string_view prefix = token.text.substr(0, quote), body = token.text.substr(quote);
  size_t length = body.size() >= 6 && body[1] == body[0] && body[2] == body[0] ? 3 : 1;
  if (body.size() < 2 * length) // unfinished; reported by the lexer
    body = {};
  else
    body = body.substr(length, body.size() - 2 * length);
  isBytes = prefix.find_first_of("bB") != std::string_view::npos;
  bool raw = prefix.find_first_of("rR") != std::string_view::npos;
  std::string value, why;
  size_t wrong = 0;
  if (isBytes)
    for (char c : body)
      if (static_cast<unsigned char>(c) >= 0x80) {
        error({token.begin, token.end}, "F1117", "bytes can hold ASCII characters alone");
        break;
      }
  if (raw) {
    for (size_t i = 0; i < body.size(); ++i) {
      if (body[i] != '\r') {
        value += body[i];
        continue;
      }
      value += '\n';
      i += i + 1 < body.size() && body[i + 1] == '\n';
    }
  } else if (!unescape(body, isBytes, value, why, wrong)) {
    auto place = static_cast<uint32_t>(token.begin + quote + length + wrong);
    error({place, place + 1}, "F1118", why);
  }
  Constant *node = stringConstant(token.begin, token.end, value);
  node->constant = isBytes ? ConstantKind::Bytes : ConstantKind::Str;
  node->unicodePrefix = prefix == "u" || prefix == "U";
  return node;
}

Expr *Parser::strings() {
  uint32_t begin = here();
  Exprs parts;
  bool formatted = false, anyBytes = false, anyText = false;
  while (peek().is(TokenKind::String) || peek().is(TokenKind::FStringStart)) {
    if (peek().is(TokenKind::FStringStart)) {
      formatted = anyText = true;
      formattedString(parts);
      continue;
    }
    bool isBytes = false;
    Constant *constant = stringToken(peek(), isBytes);
    advance();
    (isBytes ? anyBytes : anyText) = true;
    parts.push_back(constant);
  }
  if (anyBytes && anyText)
    error(since(begin), "F1119", "bytes and text cannot be joined");
  // Neighbouring constants become one; empty ones go where there are fields.
  Exprs merged;
  for (size_t i = 0; i < parts.size();) {
    auto *constant = dynAs<Constant>(parts[i]);
    if (!constant) {
      merged.push_back(parts[i++]);
      continue;
    }
    size_t next = i + 1;
    std::string value(constant->text);
    uint32_t end = constant->range.end;
    for (; next < parts.size() && parts[next]->kind == ExprKind::Constant; ++next) {
      value += as<Constant>(parts[next])->text;
      end = parts[next]->range.end;
    }
    Constant *whole = constant;
    if (next > i + 1) {
      whole = stringConstant(constant->range.begin, end, value);
      whole->constant = constant->constant;
      whole->unicodePrefix = constant->unicodePrefix;
    }
    if (!formatted || !whole->text.empty())
      merged.push_back(whole);
    i = next;
  }
  if (!formatted) {
    if (merged.empty())
      return standIn();
    merged[0]->range = since(begin);
    return merged[0];
  }
  auto *node = make<JoinedStr>(begin);
  node->values = list(merged);
  return node;
}

void Parser::formattedString(Exprs &values) {
  std::string_view start = peek().text;
  bool raw = start.find_first_of("rR") != std::string_view::npos;
  uint32_t begin = here();
  advance();
  if (!enter()) {
    leave();
    return;
  }
  unsigned outside = std::exchange(specifications, 0);
  while (!broken && !peek().is(TokenKind::FStringEnd)) {
    if (peek().is(TokenKind::FStringMiddle)) {
      const Token &t = peek();
      std::string value, why;
      size_t wrong = 0;
      if (t.raw)
        value = std::string(t.text);
      else if (!unescape(t.text, false, value, why, wrong))
        error({static_cast<uint32_t>(t.begin + wrong), static_cast<uint32_t>(t.begin + wrong + 1)}, "F1118", why);
      values.push_back(stringConstant(t.begin, t.end, value));
      advance();
    } else if (atOp("{")) {
      replacementField(values, raw);
    } else {
      expected("the end of this formatted string");
    }
  }
  specifications = outside;
  if (peek().is(TokenKind::FStringEnd))
    advance();
  else
    error({begin, begin + 1}, "F1105", "this formatted string has no end");
  leave();
}

/// The text of a self-documenting field (`{x=}`) without its comments.
static std::string withoutComments(std::string_view text) {
  std::string out;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote ? c == quote : c == '"' || c == '\'')
      quote = quote ? 0 : c;
    if (c == '#' && !quote)
      i = std::min(text.find('\n', i), text.size());
    if (i < text.size())
      out += text[i];
  }
  return out;
}

void Parser::replacementField(Exprs &values, bool raw) {
  uint32_t begin = here();
  advance();
  if (atOp("}") || atOp("!") || atOp(":") || atOp("="))
    error({begin, begin + 1}, "F1120", "a replacement field needs an expression");
  Expr *value = atWord("yield") ? yieldExpression() : starExpressions();
  bool debug = acceptOp("=");
  int conversion = -1;
  Expr *spec = nullptr;
  uint32_t debugEnd = here();
  uint32_t textEnd = here();
  if (atOp("!")) {
    uint32_t bang = here();
    advance();
    std::string_view kind = peek().text;
    if (!peek().is(TokenKind::Name) || (kind != "s" && kind != "r" && kind != "a"))
      error({bang, bang + 1}, "F1121", "expected the conversion 's', 'r' or 'a' after '!'");
    else if (here() != bang + 1)
      error({bang, bang + 1}, "F1121", "the conversion must come right after '!'");
    else
      conversion = kind[0];
    advance();
    debugEnd = bang;
    textEnd = bang;
  }
  if (atOp(":")) {
    uint32_t colon = here();
    if (conversion == -1) {
      textEnd = colon;
      debugEnd = colon;
    }
    advance();
    Exprs parts;
    while (!broken && !atOp("}")) {
      if (peek().is(TokenKind::FStringMiddle)) {
        const Token &t = peek();
        std::string body, why;
        size_t wrong = 0;
        if (raw)
          body = std::string(t.text);
        else if (!unescape(t.text, false, body, why, wrong))
          error({t.begin, t.end}, "F1118", why);
        if (!body.empty())
          parts.push_back(stringConstant(t.begin, t.end, body));
        advance();
      } else if (atOp("{")) {
        if (specifications == 2)
          error({here(), here() + 1}, "F1203", "replacement fields nest too deeply");
        ++specifications;
        replacementField(parts, raw);
        --specifications;
      } else {
        expected("'}'");
      }
    }
    auto *joined = make<JoinedStr>(colon);
    joined->values = list(parts);
    spec = joined;
  }
  if (!atOp("}"))
    expected("'}' at the end of this replacement field");
  else
    advance();
  auto *node = make<FormattedValue>(begin);
  node->value = value;
  node->conversion = conversion == -1 && debug && !spec ? 'r' : conversion;
  node->formatSpec = spec;
  if (debug)
    values.push_back(stringConstant(begin + 1, debugEnd, withoutComments(source.text().substr(begin + 1, textEnd - begin - 1))));
  values.push_back(node);
}

} // namespace tegula::frontend
