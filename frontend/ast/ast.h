// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The syntax tree of Python 3.12, node for node as CPython's `ast` module names it (Python.asdl), so that a tree can be
// compared with CPython's. Nodes are plain data in an arena that the Module owns; nothing here knows what a name means.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::frontend {
class SourceBuffer;
}

namespace tegula::frontend::ast {

template <typename T> using List = std::span<T *const>;
/// Names and literal text live as long as the Module.
using Text = std::string_view;

/// Bytes [begin, end) of the module's SourceBuffer.
struct Range {
  uint32_t begin = 0;
  uint32_t end = 0;
};

enum class ExprKind : uint8_t {
  BoolOp, NamedExpr, BinOp, UnaryOp, Lambda, IfExp, Dict, Set, ListComp, SetComp, DictComp, GeneratorExp, Await, Yield,
  YieldFrom, Compare, Call, FormattedValue, JoinedStr, Constant, Attribute, Subscript, Starred, Name, List, Tuple, Slice,
};
enum class StmtKind : uint8_t {
  FunctionDef, AsyncFunctionDef, ClassDef, Return, Delete, Assign, TypeAlias, AugAssign, AnnAssign, For, AsyncFor, While,
  If, With, AsyncWith, Match, Raise, Try, TryStar, Assert, Import, ImportFrom, Global, Nonlocal, Expr, Pass, Break, Continue,
  Invalid, ///< stands where the parser recovered from an error; never in an accepted tree
};
enum class PatternKind : uint8_t {
  MatchValue, MatchSingleton, MatchSequence, MatchMapping, MatchClass, MatchStar, MatchAs, MatchOr,
};
enum class BoolOpKind : uint8_t { And, Or };
enum class BinOpKind : uint8_t { Add, Sub, Mult, MatMult, Div, Mod, Pow, LShift, RShift, BitOr, BitXor, BitAnd, FloorDiv };
enum class UnaryOpKind : uint8_t { Invert, Not, UAdd, USub };
enum class CmpOpKind : uint8_t { Eq, NotEq, Lt, LtE, Gt, GtE, Is, IsNot, In, NotIn };
enum class Context : uint8_t { Load, Store, Del };
enum class ConstantKind : uint8_t { None, True, False, Ellipsis, Int, Float, Complex, Str, Bytes };

struct Expr {
  ExprKind kind;
  Range range;
};
struct Stmt {
  StmtKind kind;
  Range range;
};
struct Pattern {
  PatternKind kind;
  Range range;
};

struct Keyword { Text arg; bool isDoubleStar = false; Expr *value = nullptr; Range range; };
struct Arg { Text name; Expr *annotation = nullptr; Range range; };
struct Arguments {
  List<Arg> posOnly, args;
  Arg *varArg = nullptr;
  List<Arg> kwOnly;
  List<Expr> kwDefaults; ///< one per kwOnly; null where there is none
  Arg *kwArg = nullptr;
  List<Expr> defaults; ///< for the last of posOnly + args
};
struct Comprehension { Expr *target = nullptr; Expr *iter = nullptr; List<Expr> ifs; bool isAsync = false; };
struct Alias { Text name; Text asName; Range range; };
struct WithItem { Expr *context = nullptr; Expr *vars = nullptr; };
struct MatchCase { Pattern *pattern = nullptr; Expr *guard = nullptr; List<Stmt> body; };
struct ExceptHandler { Expr *type = nullptr; Text name; List<Stmt> body; Range range; };
/// PEP 695: TypeVar (bound may be null), TypeVarTuple (*Ts), ParamSpec (**P).
struct TypeParam {
  enum class Kind : uint8_t { TypeVar, TypeVarTuple, ParamSpec } kind = Kind::TypeVar;
  Text name;
  Expr *bound = nullptr;
  Range range;
};

// ---- expressions (each struct's kKind is the ExprKind it carries) ----
#define TEGULA_AST_EXPR(NAME) static constexpr ExprKind kKind = ExprKind::NAME
struct BoolOp : Expr { TEGULA_AST_EXPR(BoolOp); BoolOpKind op; List<Expr> values; };
struct NamedExpr : Expr { TEGULA_AST_EXPR(NamedExpr); Expr *target; Expr *value; };
struct BinOp : Expr { TEGULA_AST_EXPR(BinOp); Expr *left; BinOpKind op; Expr *right; };
struct UnaryOp : Expr { TEGULA_AST_EXPR(UnaryOp); UnaryOpKind op; Expr *operand; };
struct Lambda : Expr { TEGULA_AST_EXPR(Lambda); Arguments *args; Expr *body; };
struct IfExp : Expr { TEGULA_AST_EXPR(IfExp); Expr *test; Expr *body; Expr *orElse; };
struct Dict : Expr { TEGULA_AST_EXPR(Dict); List<Expr> keys; /* null key: ** */ List<Expr> values; };
struct Set : Expr { TEGULA_AST_EXPR(Set); List<Expr> elts; };
struct ListComp : Expr { TEGULA_AST_EXPR(ListComp); Expr *elt; List<Comprehension> generators; };
struct SetComp : Expr { TEGULA_AST_EXPR(SetComp); Expr *elt; List<Comprehension> generators; };
struct DictComp : Expr { TEGULA_AST_EXPR(DictComp); Expr *key; Expr *value; List<Comprehension> generators; };
struct GeneratorExp : Expr { TEGULA_AST_EXPR(GeneratorExp); Expr *elt; List<Comprehension> generators; };
struct Await : Expr { TEGULA_AST_EXPR(Await); Expr *value; };
struct Yield : Expr { TEGULA_AST_EXPR(Yield); Expr *value; /* may be null */ };
struct YieldFrom : Expr { TEGULA_AST_EXPR(YieldFrom); Expr *value; };
struct Compare : Expr { TEGULA_AST_EXPR(Compare); Expr *left; std::span<const CmpOpKind> ops; List<Expr> comparators; };
struct Call : Expr { TEGULA_AST_EXPR(Call); Expr *func; List<Expr> args; List<Keyword> keywords; };
/// conversion: -1 none, else 's', 'r' or 'a'.
struct FormattedValue : Expr { TEGULA_AST_EXPR(FormattedValue); Expr *value; int conversion; Expr *formatSpec; /* JoinedStr or null */ };
struct JoinedStr : Expr { TEGULA_AST_EXPR(JoinedStr); List<Expr> values; };
/// Int: `text` is the value in decimal digits of any length. Float/Complex: `number` (imaginary part for Complex).
/// Str: `text` is the decoded value in UTF-8 (lone surrogates as three-byte sequences). Bytes: `text` is the raw bytes.
struct Constant : Expr { TEGULA_AST_EXPR(Constant); ConstantKind constant; Text text; double number; bool unicodePrefix; /* u'' */ };
struct Attribute : Expr { TEGULA_AST_EXPR(Attribute); Expr *value; Text attr; Context ctx; Range attrRange; };
struct Subscript : Expr { TEGULA_AST_EXPR(Subscript); Expr *value; Expr *slice; Context ctx; };
struct Starred : Expr { TEGULA_AST_EXPR(Starred); Expr *value; Context ctx; };
struct Name : Expr { TEGULA_AST_EXPR(Name); Text id; Context ctx; };
struct ListExpr : Expr { TEGULA_AST_EXPR(List); List<Expr> elts; Context ctx; };
struct Tuple : Expr { TEGULA_AST_EXPR(Tuple); List<Expr> elts; Context ctx; };
struct Slice : Expr { TEGULA_AST_EXPR(Slice); Expr *lower; Expr *upper; Expr *step; /* each may be null */ };
#undef TEGULA_AST_EXPR

// ---- statements ----
#define TEGULA_AST_STMT(NAME) static constexpr StmtKind kKind = StmtKind::NAME
/// Also AsyncFunctionDef (told apart by `kind`). `range` begins at `def`/`async`; decorators have ranges of their own.
struct FunctionDef : Stmt {
  TEGULA_AST_STMT(FunctionDef);
  Text name; Arguments *args; List<Stmt> body; List<Expr> decorators; Expr *returns; List<TypeParam> typeParams; Range nameRange;
};
struct ClassDef : Stmt {
  TEGULA_AST_STMT(ClassDef);
  Text name; List<Expr> bases; List<Keyword> keywords; List<Stmt> body; List<Expr> decorators; List<TypeParam> typeParams; Range nameRange;
};
struct Return : Stmt { TEGULA_AST_STMT(Return); Expr *value; /* may be null */ };
struct Delete : Stmt { TEGULA_AST_STMT(Delete); List<Expr> targets; };
struct Assign : Stmt { TEGULA_AST_STMT(Assign); List<Expr> targets; Expr *value; };
struct TypeAlias : Stmt { TEGULA_AST_STMT(TypeAlias); Expr *name; List<TypeParam> typeParams; Expr *value; };
struct AugAssign : Stmt { TEGULA_AST_STMT(AugAssign); Expr *target; BinOpKind op; Expr *value; };
struct AnnAssign : Stmt { TEGULA_AST_STMT(AnnAssign); Expr *target; Expr *annotation; Expr *value; /* may be null */ bool simple; };
struct For : Stmt { TEGULA_AST_STMT(For); /* also AsyncFor */ Expr *target; Expr *iter; List<Stmt> body; List<Stmt> orElse; };
struct While : Stmt { TEGULA_AST_STMT(While); Expr *test; List<Stmt> body; List<Stmt> orElse; };
struct If : Stmt { TEGULA_AST_STMT(If); Expr *test; List<Stmt> body; List<Stmt> orElse; };
struct With : Stmt { TEGULA_AST_STMT(With); /* also AsyncWith */ List<WithItem> items; List<Stmt> body; };
struct Match : Stmt { TEGULA_AST_STMT(Match); Expr *subject; List<MatchCase> cases; };
struct Raise : Stmt { TEGULA_AST_STMT(Raise); Expr *exc; Expr *cause; };
struct Try : Stmt {
  TEGULA_AST_STMT(Try); /* also TryStar */
  List<Stmt> body;
  List<ExceptHandler> handlers;
  List<Stmt> orElse;
  List<Stmt> finalBody;
};
struct Assert : Stmt { TEGULA_AST_STMT(Assert); Expr *test; Expr *msg; };
struct Import : Stmt { TEGULA_AST_STMT(Import); List<Alias> names; };
struct ImportFrom : Stmt { TEGULA_AST_STMT(ImportFrom); Text module; /* empty: from . */ List<Alias> names; uint32_t level; };
struct Global : Stmt { TEGULA_AST_STMT(Global); std::span<const Text> names; /* also Nonlocal */ };
struct ExprStmt : Stmt { TEGULA_AST_STMT(Expr); Expr *value; };
struct Pass : Stmt { TEGULA_AST_STMT(Pass); /* also Break, Continue, Invalid */ };
#undef TEGULA_AST_STMT

// ---- patterns ----
#define TEGULA_AST_PATTERN(NAME) static constexpr PatternKind kKind = PatternKind::NAME
struct MatchValue : Pattern { TEGULA_AST_PATTERN(MatchValue); Expr *value; };
struct MatchSingleton : Pattern { TEGULA_AST_PATTERN(MatchSingleton); ConstantKind value; };
struct MatchSequence : Pattern { TEGULA_AST_PATTERN(MatchSequence); List<Pattern> patterns; };
struct MatchMapping : Pattern { TEGULA_AST_PATTERN(MatchMapping); List<Expr> keys; List<Pattern> patterns; Text rest; };
struct MatchClass : Pattern {
  TEGULA_AST_PATTERN(MatchClass);
  Expr *cls;
  List<Pattern> patterns;
  std::span<const Text> kwdAttrs;
  List<Pattern> kwdPatterns;
};
struct MatchStar : Pattern { TEGULA_AST_PATTERN(MatchStar); Text name; };
struct MatchAs : Pattern { TEGULA_AST_PATTERN(MatchAs); Pattern *pattern; Text name; };
struct MatchOr : Pattern { TEGULA_AST_PATTERN(MatchOr); List<Pattern> patterns; };
#undef TEGULA_AST_PATTERN

/// `as<T>(node)` after a look at `kind`; `dynAs<T>` returns null where the kind is another. Kinds that share a struct
/// (AsyncFunctionDef, AsyncFor, AsyncWith, TryStar, Nonlocal, Break, Continue) are reached with `as<T>`.
template <typename T, typename N> T *as(N *node) { return static_cast<T *>(node); }
template <typename T, typename N> const T *as(const N *node) { return static_cast<const T *>(node); }
template <typename T, typename N> T *dynAs(N *node) { return node && node->kind == T::kKind ? static_cast<T *>(node) : nullptr; }
template <typename T, typename N> const T *dynAs(const N *node) {
  return node && node->kind == T::kKind ? static_cast<const T *>(node) : nullptr;
}

/// Bump allocator for nodes (all trivially destructible), lists and text.
class Arena {
public:
  template <typename T> T *make() { return new (allocate(sizeof(T), alignof(T))) T(); }
  template <typename T> std::span<T const> copy(const std::vector<T> &items) {
    if (items.empty())
      return {};
    T *memory = static_cast<T *>(allocate(sizeof(T) * items.size(), alignof(T)));
    for (size_t i = 0; i < items.size(); ++i)
      new (memory + i) T(items[i]);
    return {memory, items.size()};
  }
  Text copy(std::string_view text);

private:
  void *allocate(size_t size, size_t alignment);
  std::vector<std::unique_ptr<char[]>> blocks;
  size_t used = 0, capacity = 0;
};

/// A parsed file. Owns every node; keeps its source alive. `complete` is false where errors were reported.
struct Module {
  std::shared_ptr<const SourceBuffer> source;
  Arena arena;
  List<Stmt> body;
  bool complete = false;
};

} // namespace tegula::frontend::ast
