// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walker behind the Evaluator: one Frame per function activation (or module). Private to sema's evaluator files, each of
// which implements one family of its members.
#pragma once

#include "frontend/sema/evaluator.h"
#include "frontend/sema/modules.h"
#include "frontend/source/source_buffer.h"

#include <functional>
#include <set>

namespace tegula::frontend::sema {

/// How a statement ended. `Error`: reported (or captured) already.
enum class Flow : uint8_t { Normal, Return, Break, Continue, Error };

/// An error inside tolerant evaluation, kept instead of reported. `exception` is the Python class it would raise; empty where
/// the cause is an unknown value, which no handler catches.
struct Failure {
  std::string code;
  std::string exception;
  std::string message;
  std::string flag; ///< the module-level name that decided, for --global
  Value instance;   ///< of a `raise`
};

/// What of the function is still to be run after the current statement: an early return under a runtime condition makes it the
/// other arm of that `if`. `custom` (the remaining iterations of an unrolled loop) stands in place of statements.
struct Rest {
  ast::List<ast::Stmt> body;
  size_t next = 0;
  const Rest *outer = nullptr;
  std::function<Flow()> custom;
};

class Frame;

struct Evaluator::Impl {
  Impl(ModuleLoader &loader, const CompileRequest &request, base::DiagnosticSink &sink, emit::TileBuilder *builder)
      : loader(loader), request(request), sink(sink), builder(builder), numWarps(request.numWarps.value_or(4)) {}

  ModuleLoader &loader;
  const CompileRequest &request;
  base::DiagnosticSink &sink;
  emit::TileBuilder *builder;
  uint32_t numWarps;
  std::vector<Frame *> frames;
  std::vector<Failure *> captures;
  unsigned reprDepth = 0;
  size_t reprLeft = 0; ///< values that the outermost repr may still print
  unsigned openBranches = 0; ///< run-time ifs that are being built
  uint64_t regionStart = 0;  ///< Object::count() when the run-time region that is being built was begun; 0 outside of all
  uint64_t stepsLeft = 20'000'000;
  /// A limit was hit: nothing catches it and nothing further is reported.
  bool exhausted = false;
  /// noinline functions already built: specialisation key -> name and the shape of the result.
  std::map<std::string, std::pair<std::string, Value>> outlined;
  std::set<std::string> outlinedNames;
  /// Kernels that a wrapper of the same name replaces further down in their module; a launch by name still means the kernel.
  std::map<std::pair<const ModuleObject *, std::string>, Value> shadowedKernels;
  std::vector<std::shared_ptr<ast::Module>> literalTrees; ///< what -D values were parsed to
  std::map<std::string, Value> definedFunctions;          ///< what the words among -D values name
};

/// Keeps errors from the sink for as long as it lives.
class Capture {
public:
  explicit Capture(Evaluator::Impl &impl) : impl(impl) { impl.captures.push_back(&failure); }
  ~Capture() { impl.captures.pop_back(); }
  Failure failure;

private:
  Evaluator::Impl &impl;
};

class Frame {
public:
  Frame(Evaluator &ev, ModuleObject &module, std::shared_ptr<Scope> scope, Mode mode, const FunctionObject *function, ast::Range callSite);
  ~Frame();
  Frame(const Frame &) = delete;

  Evaluator &ev;
  Evaluator::Impl &impl;
  ModuleObject &module;
  std::shared_ptr<Scope> scope;
  const Mode mode;
  const FunctionObject *const function; ///< null at module level
  const ast::Range callSite;            ///< in the caller's file
  Value returnValue;
  ast::Range returnRange;
  unsigned loopDepth = 0; ///< runtime loops around the current statement

  bool isKernel() const { return mode == Mode::Kernel; }
  bool isModuleLevel() const { return scope == module.scope; }
  /// At module level or in a class body, outside loops and `try`: a statement that fails leaves Unknown names and the next one runs.
  bool isTolerant() const { return !isKernel() && strict == 0 && (isModuleLevel() || classFields); }
  std::string_view sourceText(ast::Range range) const;
  base::SourceRange place(ast::Range range) const;

  // ---- expressions.cpp ----
  MaybeValue eval(const ast::Expr *expr);
  /// The arguments of a call with stars expanded.
  std::optional<CallArgs> evalArguments(const ast::Call &call);
  std::optional<std::vector<Value>> evalItems(ast::List<ast::Expr> exprs);

  // ---- names.cpp ----
  MaybeValue lookup(std::string_view name, ast::Range range);
  void bind(std::string_view name, Value value);
  /// The hint that names what is spelled nearly like `name` in local scopes, the module and Python's builtins; may be empty.
  std::string didYouMean(std::string_view name);
  /// The value, or an error where it is Unknown in kernel code.
  bool requireKnown(const Value &value, ast::Range range);

  // ---- statements.cpp ----
  Flow execBlock(ast::List<ast::Stmt> body, const Rest *rest, size_t from = 0);
  Flow runRest(const Rest *rest);
  Flow exec(const ast::Stmt *stmt);
  bool assign(const ast::Expr *target, Value value, ast::Range range);
  /// What a plain assignment in a kernel makes of a compile-time number: a run-time scalar (tuples recursively).
  MaybeValue decay(const Value &value, ast::Range range);

  // ---- control_flow.cpp, loops.cpp ----
  Flow execIf(const ast::If &stmt, const Rest *rest);
  Flow execFor(const ast::For &stmt, const Rest *rest);
  Flow execWhile(const ast::While &stmt);
  MaybeValue evalIfExp(const ast::IfExp &expr);

  // ---- host_statements.cpp ----
  Flow execHost(const ast::Stmt *stmt);
  /// Runs statements so that each that fails binds its names to Unknown.
  void execTolerant(ast::List<ast::Stmt> body);

  // ---- functions.cpp, classes.cpp, decorators.cpp ----
  MaybeValue makeFunction(const ast::FunctionDef &def);
  MaybeValue makeLambda(const ast::Lambda &lambda);
  MaybeValue makeClass(const ast::ClassDef &def);
  MaybeValue decorate(Value value, ast::List<ast::Expr> decorators);

private:
  MaybeValue evalConstant(const ast::Constant &constant);
  MaybeValue evalBoolOp(const ast::BoolOp &expr);
  MaybeValue evalCompare(const ast::Compare &expr);
  MaybeValue evalFormatted(const ast::FormattedValue &expr);
  MaybeValue evalJoined(const ast::JoinedStr &expr);
  MaybeValue evalDict(const ast::Dict &expr);
  MaybeValue evalSubscriptIndex(const ast::Expr *index);
  MaybeValue evalComprehension(const ast::Expr *expr, ast::List<ast::Comprehension> generators);
  /// nullopt: error. An Unknown iterable ends the walk with `unknown` set.
  bool walkGenerators(ast::List<ast::Comprehension> generators, size_t index, const std::function<bool()> &body, Value &unknown);
  MaybeValue evalSuper();

  bool checkReadable(std::string_view name, const Value &value, ast::Range range);
  Flow rejectInKernel(const ast::Stmt *stmt);
  bool assignTuple(ast::List<ast::Expr> targets, const Value &value, ast::Range range);
  Flow execAssign(const ast::Assign &stmt);
  Flow execAugAssign(const ast::AugAssign &stmt);
  Flow execAnnAssign(const ast::AnnAssign &stmt);
  Flow execReturn(const ast::Return &stmt);
  Flow execAssert(const ast::Assert &stmt);
  Flow execImport(const ast::Import &stmt);
  Flow execImportFrom(const ast::ImportFrom &stmt);
  Flow execTry(const ast::Try &stmt);
  Flow execWith(const ast::With &stmt);
  Flow execRaise(const ast::Raise &stmt);
  Flow execDelete(const ast::Delete &stmt);
  Flow execMatch(const ast::Match &stmt);
  std::optional<bool> matches(const ast::Pattern *pattern, const Value &value);
  Flow execHostFor(const ast::For &stmt);
  Flow execHostWhile(const ast::While &stmt);
  Flow execUnknownIf(const ast::If &stmt, const Value &unknown);
  MaybeValue evalUnknownIfExp(const ast::IfExp &expr, const Value &unknown);
  /// What a name is that is `a` or `b` by a flag that is not known, where that can be said.
  MaybeValue eitherWay(const Value &a, const Value &b);
  Flow raiseAgain(const Failure &failure, ast::Range range);
  std::optional<bool> catches(const ast::ExceptHandler &handler, const Failure &failure);

  Flow runtimeIf(const Tensor &condition, const ast::If &stmt, const Rest *rest);
  Flow runtimeFor(const ast::For &stmt, const RangeObject &range);
  Flow unroll(const ast::For &stmt, std::shared_ptr<const std::vector<Value>> items, size_t from, const Rest *rest);

  struct Lost {
    ast::Range where;    ///< of the statement that may not define the name
    std::string_view by; ///< "if", "for", "while"
  };
  using Names = std::map<std::string, Value, std::less<>>;
  void loseNames(const Names &before, const Names &after, ast::Range where, std::string_view by);
  MaybeValue promoteLike(const Value &value, const Value &like, ast::Range range);
  /// Ends one pass over a loop's body: collects what it yields. Sets `again` where a constant turned out to be changed by the loop and
  /// must be carried (its name is added to `promoted` with the value that it is to be like). False after an error.
  bool closeBody(const std::vector<std::pair<std::string, Value>> &carried, const Names &before, std::string_view target,
                 std::vector<emit::IrValue> &yields, std::map<std::string, Value> &promoted, bool &again, const ast::Stmt &loop, ast::List<ast::Stmt> body);
  bool beginCarried(const Names &before, const std::set<std::string> &assigned, const std::map<std::string, Value> &promoted, ast::Range range,
                    std::vector<std::pair<std::string, Value>> &carried, std::vector<emit::IrValue> &inits);
  void bindCarried(const std::vector<std::pair<std::string, Value>> &carried, const emit::Values &values);
  bool mergeNames(Names &thenNames, std::map<std::string, Value> &promoted, bool &again, std::vector<std::string> &merged,
                  emit::Values &thenValues, emit::Values &elseValues, const ast::If &stmt);
  std::string placeOf(ast::List<ast::Stmt> body, std::string_view name, std::string_view otherwise);

  const std::shared_ptr<Scope> outermost;           ///< the activation's own scope
  std::shared_ptr<Scope> functionScope;             ///< where assignments go; comprehensions open scopes of their own
  std::map<std::string, Lost, std::less<>> lost;    ///< names that are defined on some paths only
  std::set<std::string, std::less<>> pendingConstexpr; ///< `x: tl.constexpr` seen, value to come
  std::map<std::string, const ast::Stmt *, std::less<>> constexprNames;
  std::set<std::string, std::less<>> globalNames; ///< `global x` in a host function
  unsigned strict = 0; ///< host loops and `try` bodies around the current statement
  std::shared_ptr<Scope> methodScope;             ///< what functions defined in the class body at hand close over
  std::vector<std::string> *classFields = nullptr; ///< annotated names of the class body at hand
};

/// What is built while this lives may run any number of times.
class RuntimeRegion {
public:
  explicit RuntimeRegion(Evaluator::Impl &impl) : impl(impl), before(impl.regionStart) { impl.regionStart = Object::count() + 1; }
  ~RuntimeRegion() { impl.regionStart = before; }
  RuntimeRegion(const RuntimeRegion &) = delete;
  RuntimeRegion &operator=(const RuntimeRegion &) = delete;

private:
  Evaluator::Impl &impl;
  uint64_t before;
};

inline bool isJitFunction(const Value &value) { return value.is(Kind::Function) && value.as<FunctionObject>().functionKind == FunctionKind::Jit; }

// ---- merging.cpp: values as bundles of IR values ----
/// Have both the same shape of IR values with the same types, and equal compile-time parts?
bool sameStructure(const Value &lhs, const Value &rhs);
/// Appends the IR values in `value`.
void flatten(const Value &value, std::vector<emit::IrValue> &out);
/// The language types of those values, in the same order.
void collectTypes(const Value &value, std::vector<Type> &out);
/// `value` with its IR values replaced by those at `*cursor`, which moves on.
Value rebuild(const Value &value, const emit::IrValue *&cursor);
bool containsTensor(const Value &value);
/// Is `value` a compile-time number where `other` is a run-time value or another number, so that it must become a run-time value to merge?
bool needsPromotion(const Value &value, const Value &other);
/// Names that statements assign, nested statements included (not those inside nested functions).
void collectAssigned(ast::List<ast::Stmt> body, std::set<std::string> &names);

// ---- operators.cpp ----
MaybeValue hostBinary(Evaluator &ev, ast::BinOpKind op, const Value &lhs, const Value &rhs, ast::Range range);
MaybeValue hostCompare(Evaluator &ev, ast::CmpOpKind op, const Value &lhs, const Value &rhs, ast::Range range);
std::string_view spelling(ast::BinOpKind op);
std::string_view spelling(ast::CmpOpKind op);

// ---- strings.cpp, format.cpp ----
BuiltinFn stringMethod(std::string_view name);
std::string floatRepr(double value);
std::string quoted(std::string_view text);
/// Number of code points of UTF-8 text: Python's len of a str.
size_t codePoints(std::string_view text);
/// Python's format(value, spec); nullopt after an error.
std::optional<std::string> formatValue(Evaluator &ev, const Value &value, std::string_view spec, ast::Range range);
/// `text % args`.
std::optional<std::string> percentFormat(Evaluator &ev, std::string_view text, const Value &args, ast::Range range);

// ---- containers.cpp ----
BuiltinFn containerMethod(Kind kind, std::string_view name);
MaybeValue subscriptContainer(Evaluator &ev, const Value &object, const Value &index, ast::Range range);
bool assignSubscript(Evaluator &ev, const Value &object, const Value &index, Value value, ast::Range range);

// ---- python_builtins.cpp, builtin_types.cpp ----
/// Python's builtin `name`: a function, a type, or an exception class.
MaybeValue pythonBuiltin(std::string_view name);
Value exceptionClass(std::string_view name);
/// Spellings of all builtins, for "did you mean".
std::vector<std::string_view> pythonBuiltinNames();
std::optional<bool> isInstance(Evaluator &ev, const Value &value, const Value &cls, ast::Range range);

// ---- classes.cpp ----
const Value *findMember(const ClassObject &cls, std::string_view name);
bool isSubclass(const ClassObject &cls, const ClassObject &base);
bool inheritsFrom(const ClassObject &cls, std::string_view baseName);
MaybeValue instantiate(Evaluator &ev, const Value &cls, const CallArgs &args);
MaybeValue instanceAttribute(Evaluator &ev, const Value &instance, std::string_view name, ast::Range range);
MaybeValue classAttribute(Evaluator &ev, const Value &cls, std::string_view name, ast::Range range);
/// Calls method `name` of an instance if its class has it; `found` says whether it does.
MaybeValue callSpecial(Evaluator &ev, const Value &self, std::string_view name, std::vector<Value> args, ast::Range range, bool &found);

// ---- functions.cpp ----
MaybeValue callFunction(Evaluator &ev, const Value &callee, const CallArgs &args);
/// Parameters of a function in order: positional-only, positional, keyword-only.
const ast::Arguments &argumentsOf(const FunctionObject &function);
/// Binds a call's arguments to parameter names (Python's rules); star parameters get a tuple and a dict.
bool bindArguments(Evaluator &ev, const FunctionObject &function, const CallArgs &args, Scope &scope,
                   std::map<std::string, ast::Range, std::less<>> &places);
/// Does the annotation's text name constexpr?
bool isConstexprAnnotation(const FunctionObject &function, const ast::Arg &arg);

} // namespace tegula::frontend::sema
