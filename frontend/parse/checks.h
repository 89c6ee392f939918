// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What CPython's compiler rejects after the grammar has accepted it: misplaced statements, names declared twice or too late, stars and
// assignment expressions where they mean nothing, patterns that can never be reached. Nothing here changes the tree.
#pragma once

#include "frontend/ast/ast.h"
#include "frontend/source/source_buffer.h"
#include "sdk/base/diagnostic.h"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tegula::frontend {

/// One walk over a tree that parsed without an error. Trees deeper than a limit are reported and not walked, so that whoever walks a
/// checked tree may recurse.
class Checker {
public:
  Checker(const ast::Module &module, const SourceBuffer &source, base::DiagnosticSink &sink) : module(module), source(source), sink(sink) {}

  /// False where an error was reported.
  bool run();

private:
  enum class ScopeKind : uint8_t { Module, Class, Function, Comprehension, TypeParams };
  /// What a scope knows about a name.
  enum NameUse : uint8_t { kUsed = 1, kBound = 2, kParameter = 4, kAnnotated = 8, kGlobal = 16, kNonlocal = 32, kIteration = 64, kNamedHere = 128 };
  struct Scope {
    Scope *parent;
    ScopeKind kind;
    bool isAsync = false;
    bool isGenerator = false;       ///< a yield was seen, or this is a generator expression
    bool awaits = false;            ///< comprehensions: holds await or async for
    ast::Range returnsValue{0, 0};  ///< of the first `return` with a value
    const char *without = nullptr;  ///< TypeParams: what the scope is, for messages
    std::unordered_map<std::string_view, uint8_t> names;
  };
  /// Loops and handlers around a statement of one function.
  struct Place {
    bool inLoop = false;
    bool inStarHandler = false;     ///< the innermost loop is outside an `except*` block
    bool anyStarHandler = false;
  };
  struct NonlocalUse {
    Scope *scope;
    std::string_view name;
    ast::Range range;
  };

  void error(ast::Range range, const char *code, std::string message, std::string help = {});
  bool enter(ast::Range range);
  void leave() { --depth; }
  bool functionLike() const { return scope->kind == ScopeKind::Function || scope->kind == ScopeKind::Comprehension; }
  Scope *push(ScopeKind kind);
  void pop() { scope = scope->parent; }

  // ---- names (checks.cpp) ----
  void use(std::string_view name) { scope->names[name] |= kUsed; }
  void bind(std::string_view name, ast::Range range, uint8_t flags = kBound);
  void declare(const ast::Global &node);
  void resolveNonlocals();
  void forbidDebug(std::string_view name, ast::Range range);

  // ---- statements (checks.cpp) ----
  void futureImports();
  void statements(ast::List<ast::Stmt> list, Place place);
  void statement(const ast::Stmt *node, Place place);
  void function(const ast::FunctionDef &node);
  void classDef(const ast::ClassDef &node);
  void tryStatement(const ast::Try &node, Place place);
  void importFrom(const ast::ImportFrom &node);
  void annotation(const ast::Expr *expr);
  void arguments(const ast::Arguments &args, bool annotations, bool defaults);
  void parameters(const ast::Arguments &args);
  void typeParams(ast::List<ast::TypeParam> params);
  void needAsync(ast::Range range, const char *what);

  // ---- expressions (checks_expressions.cpp) ----
  void expression(const ast::Expr *expr, bool star = false);
  void expressions(ast::List<ast::Expr> list, bool star = false);
  void target(const ast::Expr *expr, bool inSequence = false);
  void sequenceTarget(ast::List<ast::Expr> items);
  void name(const ast::Name &node);
  void call(ast::List<ast::Expr> args, ast::List<ast::Keyword> keywords);
  void lambda(const ast::Lambda &node);
  void comprehension(ast::Range range, ast::List<ast::Comprehension> generators, const ast::Expr *first, const ast::Expr *second, bool isGenerator);
  void namedExpr(const ast::NamedExpr &node);
  void yield(ast::Range range, bool isFrom);

  // ---- patterns (checks_patterns.cpp) ----
  using Captures = std::unordered_set<std::string_view>;
  void match(const ast::Match &node, Place place);
  void pattern(const ast::Pattern *node, bool mayMatchAll, Captures &captures);
  void patternOr(const ast::MatchOr &node, bool mayMatchAll, Captures &captures);
  void patternMapping(const ast::MatchMapping &node, Captures &captures);
  void patternClass(const ast::MatchClass &node, Captures &captures);
  void capture(std::string_view name, ast::Range range, Captures &captures);

  const ast::Module &module;
  const SourceBuffer &source;
  base::DiagnosticSink &sink;
  std::vector<std::unique_ptr<Scope>> scopes;
  std::vector<NonlocalUse> nonlocals;
  Scope *scope = nullptr;
  unsigned depth = 0, iterables = 0, errors = 0;
  size_t futureEnd = 0; ///< statements of the module that a future import may follow
  bool futureAnnotations = false, tooDeep = false;
};

} // namespace tegula::frontend
