// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an expression can evaluate to: a compile-time Python value or a value of the IR. One representation for module level,
// constexpr functions and kernels (there is one evaluator). Operations on values are the evaluator's and the builtins'.
#pragma once

#include "frontend/ast/ast.h"
#include "frontend/emit/ir_value.h"
#include "frontend/sema/type.h"

#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tegula::frontend::sema {

class Evaluator;
class ModuleObject;

enum class Kind : uint8_t {
  None, Bool, Int, Float, Ellipsis,
  Type,   ///< a dtype, pointer or block type as a value (tl.float32)
  Tensor, ///< an IR value with its language type (scalars too)
  Str, Bytes, Tuple, List, Dict, Set, Slice, Range,
  Function, Builtin, BoundMethod, Partial, Module, Class, Instance, BlockPointer,
  LazyImport, ///< an import not looked at yet; ModuleLoader::resolve turns it into what it names
  Unknown, ///< could not be computed here; carries the reason; an error only where it decides kernel code
};

/// Python integers, exact up to 127 bits; beyond that evaluation reports an error.
using Int = __int128;
/// Of a string, in bytes, and of a sequence: beyond these evaluation reports F2305 instead of using up the memory.
constexpr size_t kMaxText = 1u << 24, kMaxItems = 1u << 22;
std::string intToString(Int value);
/// Cuts off the fraction; nullopt for NaN and what does not fit.
std::optional<Int> floatToInt(double value);

/// An IR value with its language type.
struct Tensor {
  emit::IrValue value;
  Type type;
};

/// Base of everything that lives on the heap. Shared by reference, as Python's objects are.
struct Object {
  const Kind kind;
  const uint64_t born; ///< counts the objects of a thread, so that of two the older one is known
  explicit Object(Kind kind) : kind(kind), born(++count()) {}
  static uint64_t &count() {
    static thread_local uint64_t n = 0;
    return n;
  }
  virtual ~Object() = default;
  /// Lets go of what it holds, so that an object that holds itself can be freed.
  virtual void drop() {}
};

class Value;
struct CallArgs;
/// Builtins report their errors through the evaluator and return nullopt after having done so.
using MaybeValue = std::optional<Value>;
using BuiltinFn = MaybeValue (*)(Evaluator &, const CallArgs &);

class Value {
public:
  Value() = default;
  Value(const Value &) = default;
  Value(Value &&) = default;
  Value &operator=(const Value &) = default;
  Value &operator=(Value &&) = default;
  ~Value() {
    if (auto *object = std::get_if<std::shared_ptr<Object>>(&payload); object && object->use_count() == 1)
      release(std::move(*object));
  }
  static Value none() { return Value(); }
  static Value boolean(bool b) { Value v; v.tag = Kind::Bool; v.payload = b; return v; }
  static Value integer(Int i) { Value v; v.tag = Kind::Int; v.payload = i; return v; }
  static Value floating(double d) { Value v; v.tag = Kind::Float; v.payload = d; return v; }
  static Value ellipsis() { Value v; v.tag = Kind::Ellipsis; return v; }
  static Value type(Type t) { Value v; v.tag = Kind::Type; v.payload = std::make_shared<const Type>(std::move(t)); return v; }
  static Value tensor(emit::IrValue value, Type type) {
    Value v; v.tag = Kind::Tensor; v.payload = std::make_shared<const Tensor>(Tensor{value, std::move(type)}); return v;
  }
  static Value tensor(Tensor t) { Value v; v.tag = Kind::Tensor; v.payload = std::make_shared<const Tensor>(std::move(t)); return v; }
  static Value string(std::string text);
  static Value tuple(std::vector<Value> items);
  static Value list(std::vector<Value> items);
  static Value dict(std::vector<std::pair<Value, Value>> items = {});
  static Value builtin(std::string_view name, BuiltinFn fn);
  static Value unknown(std::string reason, std::string flag = {});
  static Value object(std::shared_ptr<Object> o) { Value v; v.tag = o->kind; v.payload = std::move(o); return v; }

  Kind kind() const { return tag; }
  bool is(Kind k) const { return tag == k; }
  bool isNone() const { return tag == Kind::None; }
  bool isTensor() const { return tag == Kind::Tensor; }
  bool isUnknown() const { return tag == Kind::Unknown; }
  /// bool, int or float known at compile time.
  bool isNumber() const { return tag == Kind::Bool || tag == Kind::Int || tag == Kind::Float; }
  bool isSequence() const { return tag == Kind::Tuple || tag == Kind::List; }

  bool asBool() const { return std::get<bool>(payload); }
  /// Also of a bool, as in Python.
  Int asInt() const { return tag == Kind::Bool ? Int(std::get<bool>(payload)) : std::get<Int>(payload); }
  double asFloat() const { return tag == Kind::Float ? std::get<double>(payload) : static_cast<double>(asInt()); }
  const Type &asType() const { return *std::get<std::shared_ptr<const Type>>(payload); }
  const Tensor &asTensor() const { return *std::get<std::shared_ptr<const Tensor>>(payload); }
  const std::string &asString() const;
  /// Of a tuple or list.
  const std::vector<Value> &items() const;
  template <typename T> T &as() const {
    if (tag != T::kKind) // also in release builds: a wrong cast would be memory damage
      std::abort();
    return static_cast<T &>(*std::get<std::shared_ptr<Object>>(payload));
  }
  std::shared_ptr<Object> shared() const { return std::get<std::shared_ptr<Object>>(payload); }

  /// Was it wrapped in tl.constexpr (or annotated so)? Decides which globals a kernel may read.
  bool isConstexprWrapped() const { return wrapped; }
  Value wrappedConstexpr() const { Value v = *this; v.wrapped = true; return v; }

private:
  /// Frees an object. Values nest as deeply as a program likes, so what lies deep inside waits until the stack is short again.
  static void release(std::shared_ptr<Object> object);

  Kind tag = Kind::None;
  bool wrapped = false;
  std::variant<std::monostate, bool, Int, double, std::shared_ptr<const Type>, std::shared_ptr<const Tensor>, std::shared_ptr<Object>> payload;
};

#define TEGULA_OBJECT(NAME) static constexpr Kind kKind = Kind::NAME; NAME##Object() : Object(kKind) {}
struct StrObject : Object { TEGULA_OBJECT(Str); std::string text; };
struct BytesObject : Object { TEGULA_OBJECT(Bytes); std::string bytes; };
/// `fieldNames` not empty: a named tuple; `typeName` then prints it.
struct TupleObject : Object { TEGULA_OBJECT(Tuple); std::vector<Value> items; std::vector<std::string> fieldNames; std::string typeName; };
struct ListObject : Object { TEGULA_OBJECT(List); std::vector<Value> items; void drop() override { items.clear(); } };
/// Insertion order; lookup by Python equality of hashable values.
struct DictObject : Object {
  TEGULA_OBJECT(Dict);
  std::vector<std::pair<Value, Value>> items;
  const Value *get(const Value &key) const; ///< null where there is none
  const Value *get(std::string_view key) const;
  void set(Value key, Value value);
  bool erase(const Value &key);
  void drop() override { items.clear(); }
};
struct SetObject : Object { TEGULA_OBJECT(Set); std::vector<Value> items; };
struct SliceObject : Object { TEGULA_OBJECT(Slice); Value lower, upper, step; };
/// Python range, tl.range or tl.static_range. Bounds may be tensors (not for static ones). Options are tl.range's keywords.
struct RangeObject : Object {
  TEGULA_OBJECT(Range);
  Value lower, upper, step;
  bool isStatic = false;
  std::map<std::string, Value> options;
};
/// `import a.b as x` (member empty) or `from a.b import c as x`. Binding is lazy, so that modules may import each other in circles.
struct LazyImportObject : Object { TEGULA_OBJECT(LazyImport); std::string module; std::string member; uint32_t level = 0; const ModuleObject *from = nullptr; };
/// `flag`: the module-level name that --global would answer ("pkg.utils.HAS_FEATURE"), empty where there is none.
struct UnknownObject : Object {
  TEGULA_OBJECT(Unknown);
  std::string reason, flag;
  /// The hint that says how to make it known: the flag that --global answers, the folder where a module was not found; may be empty.
  std::string howToKnow() const;
};

/// Names to values; `parent` is the enclosing function's scope for closures.
struct Scope {
  std::map<std::string, Value, std::less<>> names;
  std::shared_ptr<Scope> parent;
};

enum class FunctionKind : uint8_t { Python, Jit, Constexpr };

/// A `def` or lambda with the scope it closes over and what its decorators said.
struct FunctionObject : Object {
  TEGULA_OBJECT(Function);
  std::string name;
  FunctionKind functionKind = FunctionKind::Python;
  const ast::FunctionDef *def = nullptr; ///< null for a lambda
  const ast::Lambda *lambda = nullptr;
  ModuleObject *module = nullptr; ///< where free names are looked up; lives as long as the session
  std::shared_ptr<Scope> closure;
  std::vector<Value> defaults;   ///< for the last positional parameters
  std::vector<Value> kwDefaults; ///< for keyword-only parameters; Unknown-free slots only where given
  bool noInline = false;
  std::vector<std::string> doNotSpecialize; ///< by name (indices are resolved to names)
  std::vector<std::string> doNotSpecializeOnAlignment;
  /// Decorator data in source order, outermost first: Triton's autotune (list of Config instances) and heuristics (dict name -> function).
  Value autotuneConfigs; ///< None where there are none; Unknown with its reason where they could not be evaluated
  std::vector<Value> heuristics;
  std::vector<std::string> passedOver; ///< decorators that mean nothing here, as written
  Value unknownJit;                    ///< a decorator `jit` that could not be found: Unknown with the reason; else None
};

/// Positional and keyword arguments of a call, evaluated.
struct CallArgs {
  std::vector<Value> positional;
  std::vector<std::pair<std::string, Value>> keywords;
  ast::Range range;                       ///< the whole call, for diagnostics
  std::vector<ast::Range> positionalRanges;
  std::vector<ast::Range> keywordRanges;
};

/// `name` is dotted as users know it ("triton.language.load"). For methods the receiver is positional[0].
struct BuiltinObject : Object { TEGULA_OBJECT(Builtin); std::string name; BuiltinFn fn = nullptr; };
struct BoundMethodObject : Object { TEGULA_OBJECT(BoundMethod); Value self; Value function; };
/// functools.partial: `args` come before, and their keywords under, those of a call.
struct PartialObject : Object { TEGULA_OBJECT(Partial); Value function; CallArgs args; };

struct ClassObject : Object {
  TEGULA_OBJECT(Class);
  std::string name;
  std::vector<Value> bases;
  std::map<std::string, Value, std::less<>> members;
  std::vector<std::string> memberOrder;
  bool isEnum = false;
  void drop() override { members.clear(); }
};
struct InstanceObject : Object {
  TEGULA_OBJECT(Instance);
  Value cls; ///< a Class
  std::map<std::string, Value, std::less<>> members;
  void drop() override { members.clear(); }
};

/// tl.make_block_ptr's value: sugar over pointer arithmetic and masks; never reaches the IR as such.
struct BlockPointerObject : Object {
  TEGULA_OBJECT(BlockPointer);
  Tensor base;                  ///< scalar pointer
  std::vector<Tensor> shape;    ///< i64 scalars, one per dimension
  std::vector<Tensor> strides;  ///< i64
  std::vector<Tensor> offsets;  ///< i32
  Shape blockShape;
  std::vector<int64_t> order;
};
#undef TEGULA_OBJECT

/// Python's == between compile-time values, without user-defined __eq__ (identity for functions, classes and instances).
bool equalValues(const Value &lhs, const Value &rhs);
/// Are both the same object, or equal immutable scalars (Python's `is`)?
bool identicalValues(const Value &lhs, const Value &rhs);
/// For messages: "int32", "<['64'], fp32>" for tensors, "str", "tuple", "function" ... for others.
std::string typeNameOf(const Value &value);
/// A module as a value; modules live as long as their loader.
Value moduleValue(ModuleObject &module);

} // namespace tegula::frontend::sema
