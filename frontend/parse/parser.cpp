// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entry, tokens and errors.

#include "frontend/parse/parser.h"

#include "frontend/lex/lexer.h"
#include "frontend/lex/unicode.h"
#include "frontend/parse/checks.h"
#include "frontend/parse/decode.h"
#include "frontend/parse/parser_impl.h"

#include <algorithm>

namespace tegula::frontend {

namespace {

constexpr unsigned kMaxDepth = 900; ///< rules of expressions; brackets are limited by the lexer
constexpr unsigned kMaxErrors = 50;

constexpr std::string_view kKeywords[] = {"False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
                                          "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
                                          "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
                                          "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

} // namespace

bool isKeyword(std::string_view text) { return std::binary_search(std::begin(kKeywords), std::end(kKeywords), text); }

bool Parser::acceptOp(std::string_view op) {
  if (!atOp(op))
    return false;
  advance();
  return true;
}

bool Parser::acceptWord(std::string_view word) {
  if (!atWord(word))
    return false;
  advance();
  return true;
}

void Parser::expectOp(std::string_view op) {
  if (!acceptOp(op))
    expected("'" + std::string(op) + "'");
}

void Parser::expectWord(std::string_view word) {
  if (!acceptWord(word))
    expected("'" + std::string(word) + "'");
}

ast::Text Parser::identifier(const char *what) {
  if (!atIdentifier()) {
    if (peek().is(TokenKind::Name))
      error({peek().begin, peek().end}, "F1202", "'" + std::string(peek().text) + "' is a keyword and cannot be " + what);
    else
      expected(what);
    return {};
  }
  std::string_view word = peek().text;
  advance();
  bool ascii = std::all_of(word.begin(), word.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return ascii ? word : text(normalizeIdentifier(word));
}

void Parser::error(ast::Range range, const char *code, std::string message, std::string help) {
  if (broken)
    return;
  broken = true;
  if (speculating)
    return;
  failed = true;
  // What the lexer said about this statement is enough.
  uint32_t first = source.locate(statementBegin).line, last = source.locate(range.begin).line;
  for (const base::Diagnostic &d : sink.diagnostics())
    if (d.code.starts_with("F11") && d.where.line >= first && d.where.line <= last)
      return;
  if (errors++ < kMaxErrors)
    sink.report({base::Severity::Error, code, std::move(message), source.range(range.begin, range.end), {}, std::move(help)});
}

void Parser::expected(const std::string &what) {
  if (broken)
    return;
  const Token &t = peek();
  std::string found;
  switch (t.kind) {
  case TokenKind::Newline:
    found = "the end of the line";
    break;
  case TokenKind::End:
    found = "the end of the file";
    break;
  case TokenKind::Indent:
    found = "an indentation";
    break;
  case TokenKind::Dedent:
    found = "the end of the block";
    break;
  default:
    found = "'" + std::string(t.text.substr(0, 40)) + "'";
  }
  error({t.begin, t.end}, "F1201", "expected " + what + ", found " + found,
        t.isOp("=") ? "use '==' to compare, or ':=' to assign within an expression" : "");
}

bool Parser::enter() {
  if (++depth <= kMaxDepth)
    return true;
  error({here(), here() + 1}, "F1203", "this nests too deeply");
  return false;
}

ast::Expr *Parser::name(uint32_t begin, ast::Text id, ast::Context ctx) {
  auto *node = make<ast::Name>(begin);
  node->id = id;
  node->ctx = ctx;
  return node;
}

bool Parser::parseFile() {
  Stmts body;
  while (!peek().is(TokenKind::End))
    statement(body);
  module.body = list(body);
  return !failed;
}

std::shared_ptr<ast::Module> parseModule(std::shared_ptr<const SourceBuffer> source, base::DiagnosticSink &sink) {
  auto module = std::make_shared<ast::Module>();
  std::string why;
  std::shared_ptr<const SourceBuffer> decoded = decodeSource(source, why);
  module->source = decoded ? decoded : source;
  if (!decoded) {
    sink.report({base::Severity::Error, "F1100", why, source->range(0, 1), {}, {}});
    return module;
  }
  bool lexFailed = false;
  base::DiagnosticList found;
  std::vector<Token> tokens = lex(*decoded, found, lexFailed);
  bool parsed = Parser(*module, *decoded, tokens, found).parseFile();
  module->complete = parsed && !lexFailed && Checker(*module, *decoded, found).run();
  std::vector<base::Diagnostic> all = found.take();
  std::stable_sort(all.begin(), all.end(), [](const base::Diagnostic &a, const base::Diagnostic &b) {
    return std::pair(a.where.line, a.where.column) < std::pair(b.where.line, b.where.column);
  });
  for (base::Diagnostic &d : all)
    sink.report(std::move(d));
  return module;
}

} // namespace tegula::frontend
