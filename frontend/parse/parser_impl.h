// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recursive-descent parser behind parseModule, split over files by family. After the first error of a statement every token looks like
// the end of the file, so that all rules return quickly (with stand-in nodes, never null); statement() then goes on after the statement.
#pragma once

#include "frontend/ast/ast.h"
#include "frontend/lex/token.h"
#include "frontend/source/source_buffer.h"
#include "sdk/base/diagnostic.h"

#include <string>
#include <string_view>
#include <vector>

namespace tegula::frontend {

bool isKeyword(std::string_view text);
/// Does an expression begin with this token? Ends lists after a trailing comma.
bool beginsExpression(const Token &token);

class Parser {
public:
  Parser(ast::Module &module, const SourceBuffer &source, const std::vector<Token> &tokens, base::DiagnosticList &sink)
      : module(module), arena(module.arena), source(source), tokens(tokens), sink(sink) {}

  /// The whole file. False where an error was reported.
  bool parseFile();

private:
  using Exprs = std::vector<ast::Expr *>;
  using Stmts = std::vector<ast::Stmt *>;

  // ---- tokens (parser.cpp) ----
  const Token &peek(size_t ahead = 0) const { return broken || at + ahead >= tokens.size() ? endToken : tokens[at + ahead]; }
  /// Begin of the next token, for ranges, whether broken or not.
  uint32_t here() const { return tokens[at].begin; }
  uint32_t previousEnd() const { return at ? tokens[at - 1].end : 0; }
  ast::Range since(uint32_t begin) const { return {begin, std::max(begin, previousEnd())}; }
  bool atOp(std::string_view op) const { return peek().isOp(op); }
  bool atWord(std::string_view word) const { return peek().isName(word); }
  void advance() { ++at; }
  bool acceptOp(std::string_view op);
  bool acceptWord(std::string_view word);
  void expectOp(std::string_view op);
  void expectWord(std::string_view word);
  /// An identifier that is no keyword, normalised.
  ast::Text identifier(const char *what);
  bool atIdentifier() const { return peek().is(TokenKind::Name) && !isKeyword(peek().text); }
  void error(ast::Range range, const char *code, std::string message, std::string help = {});
  /// "expected X" at the next token.
  void expected(const std::string &what);
  bool enter(); ///< counts nesting; false (after an error) where it is too deep
  void leave() { --depth; }

  template <typename T> T *make(uint32_t begin) {
    T *node = arena.make<T>();
    node->kind = T::kKind;
    node->range = since(begin);
    return node;
  }
  template <typename T> ast::List<T> list(const std::vector<T *> &items) { return arena.copy(items); }
  ast::Expr *standIn() { return name(here(), "", ast::Context::Load); }
  ast::Expr *name(uint32_t begin, ast::Text id, ast::Context ctx);
  ast::Text text(std::string_view t) { return arena.copy(t); }

  // ---- statements (statements.cpp, compound.cpp) ----
  void statement(Stmts &out);
  void statementInto(Stmts &out);
  ast::Stmt *invalid(size_t begin);
  void recover(size_t first);
  void simpleStatements(Stmts &out);
  ast::Stmt *simpleStatement();
  ast::Stmt *expressionStatement();
  ast::Stmt *importStatement();
  ast::Stmt *importFrom();
  ast::Alias *dottedAlias();
  ast::Text dottedName();
  ast::Stmt *typeAlias();
  ast::Stmt *compoundStatement();
  bool atCompound() const;
  ast::List<ast::Stmt> block();
  ast::Stmt *ifStatement();
  ast::Stmt *whileStatement();
  ast::Stmt *forStatement(uint32_t begin, bool isAsync);
  ast::Stmt *withStatement(uint32_t begin, bool isAsync);
  ast::WithItem *withItem();
  ast::Stmt *tryStatement();
  ast::Stmt *decorated();
  ast::Stmt *functionDef(uint32_t begin, bool isAsync, ast::List<ast::Expr> decorators);
  ast::Stmt *classDef(uint32_t begin, ast::List<ast::Expr> decorators);
  ast::List<ast::Stmt> elseBlock();
  ast::List<ast::TypeParam> typeParams();
  ast::Arguments *parameters(bool isLambda, std::string_view close);
  ast::Arg *parameter(bool isLambda, bool isStar);
  uint32_t blockEnd() const;

  // ---- match (patterns.cpp) ----
  ast::Stmt *matchStatement();
  ast::MatchCase *matchCase();
  ast::Pattern *patterns();
  ast::Pattern *asPattern();
  ast::Pattern *orPattern();
  ast::Pattern *closedPattern();
  ast::Pattern *starPattern();
  ast::Pattern *sequenceItems(uint32_t begin, std::string_view close, bool &single);
  ast::Pattern *mappingPattern();
  ast::Pattern *classPattern(ast::Expr *cls, uint32_t begin);
  ast::Expr *patternNumber();
  template <typename T> T *makePattern(uint32_t begin) { return make<T>(begin); }

  // ---- expressions (expressions.cpp, atoms.cpp) ----
  ast::Expr *starExpressions(); ///< tuples without parentheses, with stars
  ast::Expr *starExpression();
  ast::Expr *namedExpression(); ///< with :=
  ast::Expr *starNamedExpression();
  ast::Expr *expression();
  ast::Expr *lambda();
  ast::Expr *disjunction();
  ast::Expr *conjunction();
  ast::Expr *inversion();
  ast::Expr *comparison();
  ast::Expr *binary(int level);
  ast::Expr *unary();
  ast::Expr *power();
  ast::Expr *awaitPrimary();
  ast::Expr *primary();
  ast::Expr *call(ast::Expr *func, uint32_t begin);
  void callArguments(Exprs &args, std::vector<ast::Keyword *> &keywords, bool allowGenerator);
  ast::Expr *subscript(ast::Expr *value, uint32_t begin);
  ast::Expr *slice();
  ast::Expr *atom();
  ast::Expr *number();
  ast::Expr *group();
  ast::Expr *listDisplay();
  ast::Expr *braceDisplay();
  ast::Expr *yieldExpression();
  bool atComprehension() const;
  ast::List<ast::Comprehension> comprehension();
  ast::Expr *targetList(); ///< up to `in`
  template <typename T> ast::Expr *tupleOf(uint32_t begin, const Exprs &items);

  // ---- strings (strings.cpp) ----
  ast::Expr *strings();
  ast::Constant *stringToken(const Token &token, bool &isBytes);
  void formattedString(Exprs &values);
  void replacementField(Exprs &values, bool raw);
  ast::Constant *stringConstant(uint32_t begin, uint32_t end, std::string_view value);

  // ---- targets (targets.cpp) ----
  enum class TargetKind : uint8_t { Assign, Delete, AugAssign, Annotated, For, With };
  /// Turns an expression into a target, or reports why it is none.
  void makeTarget(ast::Expr *expr, TargetKind kind, bool nested = false);

  ast::Module &module;
  ast::Arena &arena;
  const SourceBuffer &source;
  const std::vector<Token> &tokens;
  base::DiagnosticList &sink; ///< also what the lexer found
  Token endToken;
  size_t at = 0;
  uint32_t statementBegin = 0; ///< of the statement that was begun last
  unsigned depth = 0, errors = 0;
  unsigned specifications = 0; ///< format specifications around the field being read, within one formatted string
  bool broken = false, failed = false, speculating = false;
  /// The last expression that group() returned, to tell `(x): int` from `x: int`.
  const ast::Expr *parenthesised = nullptr;
};

} // namespace tegula::frontend
