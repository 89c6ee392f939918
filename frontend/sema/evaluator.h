// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one evaluator: runs module-level Python, constexpr functions and kernels. Compile-time values are computed; operations on
// IR values go to tensor_semantics and from there to the TileBuilder. This header is what builtins and the module loader use;
// the walking itself is in expressions.cpp, statements.cpp, control_flow.cpp and calls.cpp.
#pragma once

#include "frontend/emit/compile.h"
#include "frontend/emit/tile_builder.h"
#include "frontend/sema/value.h"
#include "sdk/base/diagnostic.h"

#include <string>
#include <string_view>

namespace tegula::frontend::sema {

class ModuleLoader;

/// Where evaluation stands: module level and Python functions (`Host`), or inside a kernel (`Kernel`), where the language's
/// restrictions hold and a TileBuilder is present.
enum class Mode : uint8_t { Host, Kernel };

class Evaluator {
public:
  /// `builder` is null for host-only evaluation. All references outlive the evaluator.
  Evaluator(ModuleLoader &loader, const CompileRequest &request, base::DiagnosticSink &sink, emit::TileBuilder *builder);
  ~Evaluator();

  Mode mode() const;
  emit::TileBuilder &builder();
  const CompileRequest &request() const;
  const LanguageDefaults &defaults() const;
  /// Of the kernel being built; before it is specialised, what the request says.
  uint32_t numWarps() const;
  void setNumWarps(uint32_t count);
  ModuleLoader &loader();

  // ---- errors ----
  /// Reports at `range` of the function being evaluated, with the call chain as notes ("called from here"). In Host mode inside a
  /// tolerant module evaluation the error becomes the reason of an Unknown instead. Always returns nullopt, so that builtins can
  /// `return ev.error(...)`.
  std::nullopt_t error(ast::Range range, std::string_view code, std::string message, std::string help = {});
  void warning(ast::Range range, std::string_view code, std::string message, std::string help = {});
  void remark(ast::Range range, std::string_view code, std::string message);

  // ---- Python's operations on any values ----
  MaybeValue call(const Value &callee, const CallArgs &args);
  MaybeValue attribute(const Value &object, std::string_view name, ast::Range range);
  /// Does `object` have it? No error is reported.
  bool hasAttribute(const Value &object, std::string_view name);
  MaybeValue subscript(const Value &object, const Value &index, ast::Range range);
  MaybeValue binary(ast::BinOpKind op, const Value &lhs, const Value &rhs, ast::Range range);
  MaybeValue unary(ast::UnaryOpKind op, const Value &operand, ast::Range range);
  MaybeValue compare(ast::CmpOpKind op, const Value &lhs, const Value &rhs, ast::Range range);
  /// Compile-time truth; an error for a tensor or an unknown.
  std::optional<bool> truth(const Value &value, ast::Range range);
  /// Items of any iterable known at compile time.
  std::optional<std::vector<Value>> iterate(const Value &value, ast::Range range);
  /// As Python's repr / str.
  std::string repr(const Value &value);
  std::string str(const Value &value);

  /// Evaluates an expression in the scope of module `module` (decorator arguments, -D values).
  MaybeValue evaluate(const ast::Expr *expr, ModuleObject &module, std::shared_ptr<Scope> scope = nullptr);
  /// Runs statements of a module at its top level, tolerantly: a statement that fails binds its names to Unknown with the reason.
  void runModule(ModuleObject &module);

  /// Counts down a limit on compile-time steps; an error where it is used up.
  bool step(ast::Range range);

  /// The walker's own state (frame.h); nobody else's business.
  struct Impl;
  Impl &internals() { return *impl; }

private:
  friend class Frame;
  /// An error where a function that runs at compile time, for which a kernel's values are opaque, is at work.
  bool runsInKernel(ast::Range range);
  std::string plainRepr(const Value &value);
  std::unique_ptr<Impl> impl;
};

// ---- binding of arguments for builtins ----
/// Matches a call against a builtin's parameter list such as "pointer, mask=None, other=None, *, cache_modifier='', volatile=False"
/// and hands out the values by name. Errors (missing, unexpected, twice) are reported with the builtin's name.
class BoundArgs {
public:
  static std::optional<BoundArgs> bind(Evaluator &ev, std::string_view builtin, std::string_view signature, const CallArgs &args);
  /// The value given, or the default of the signature.
  const Value &operator[](std::string_view name) const;
  bool given(std::string_view name) const;
  /// The place of the argument, or of the call where it was not given.
  ast::Range range(std::string_view name) const;
  /// Compile-time int / bool / string of an argument; errors are reported.
  std::optional<int64_t> integer(std::string_view name) const;
  std::optional<bool> boolean(std::string_view name) const;
  std::optional<std::string> string(std::string_view name) const;
  std::optional<Type> type(std::string_view name) const;
  /// A shape given as a tuple, a list, one int, or star arguments.
  std::optional<Shape> shape(std::string_view name) const;
  ast::Range callRange() const;

private:
  struct Entry { std::string name; Value value; ast::Range range; bool given; };
  Evaluator *ev = nullptr;
  std::string builtin;
  ast::Range call;
  std::vector<Entry> entries;
};

} // namespace tegula::frontend::sema
