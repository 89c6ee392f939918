// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds tile IR. The evaluator and the builtins call it with operands whose types already agree: all promotion, broadcasting
// and checking is theirs. No MLIR in this header. Grown by op family: each family's functions are implemented in a file of
// their own (arith.cpp, shape.cpp, memory.cpp, reduce.cpp, control.cpp, ...).
#pragma once

#include "frontend/ast/ast.h"
#include "frontend/emit/ir_value.h"
#include "frontend/sema/type.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mlir {
class MLIRContext;
class ModuleOp;
} // namespace mlir

namespace tegula::frontend {
class SourceBuffer;
}

namespace tegula::frontend::emit {

using sema::Type;
using Values = std::vector<IrValue>;

enum class BinaryOp : uint8_t { AddI, SubI, MulI, DivSI, DivUI, RemSI, RemUI, AndI, OrI, XorI, ShlI, ShrSI, ShrUI, MinSI, MaxSI, MinUI, MaxUI,
                                MulHiUI, MulHiSI, AddF, SubF, MulF, DivF, DivFRn, RemF, MinNumF, MaxNumF, MinimumF, MaximumF };
/// Names of MLIR's predicates; ordered comparisons for floats except Une.
enum class CmpOp : uint8_t { Eq, Ne, Slt, Sle, Sgt, Sge, Ult, Ule, Ugt, Uge, Oeq, Une, Olt, Ole, Ogt, Oge };
enum class UnaryOp : uint8_t { NegF, AbsF, AbsI, Floor, Ceil };
enum class Rounding : uint8_t { Rtne, Rtz };
enum class AtomicOp : uint8_t { And, Or, Xor, Add, FAdd, Max, Min, UMax, UMin, Xchg };
enum class MemoryOrder : uint8_t { Relaxed, Acquire, Release, AcqRel };
enum class MemoryScope : uint8_t { Cta, Gpu, Sys };
enum class CacheModifier : uint8_t { None, Ca, Cg, Cs, Cv, Wb, Wt };
enum class EvictionPolicy : uint8_t { Normal, EvictFirst, EvictLast };
enum class DotPrecision : uint8_t { Ieee, Tf32, Tf32x3, Bf16x3, Bf16x6 };

struct LoopOptions {
  uint32_t numStages = 0; ///< 0: not said
  uint32_t unroll = 0;
  bool flatten = false, warpSpecialize = false, disallowAccMultiBuffer = false, disableLicm = false;
};

struct ParameterInfo {
  std::string name;
  Type type;
  uint64_t divisibility = 1; ///< bytes for pointers, units for integers
};

class TileBuilder {
public:
  /// Loads the tile dialect and what it stands on into `context`, which outlives the builder.
  explicit TileBuilder(mlir::MLIRContext &context);
  ~TileBuilder();

  /// The module built so far; owned by the builder until `release`.
  mlir::ModuleOp module();
  /// Gives the module away (as an opaque ModuleOp pointer that the caller owns).
  void *release();
  void setLaunch(uint32_t numWarps, uint32_t numStages, uint32_t numCtas, uint32_t maxRegisters);

  // ---- places ----
  /// Ops built from here on belong to this range of `source`.
  void setLocation(const SourceBuffer &source, ast::Range range);
  /// The current place becomes the caller of what follows (inlined call chains); undone by popCallSite.
  void pushCallSite();
  void popCallSite();
  void nameValue(IrValue value, std::string_view name);

  // ---- functions ----
  /// Begins the kernel; the values are its parameters. Ops go into its body until endFunction.
  Values beginKernel(std::string_view name, std::span<const ParameterInfo> parameters);
  /// Begins a device function (noinline helper); may be called while another is being built, and nests. Its result types are those of
  /// what endFunction is given.
  Values beginFunction(std::string_view name, std::span<const ParameterInfo> parameters);
  void endFunction(std::span<const IrValue> results);
  Values call(std::string_view function, std::span<const IrValue> args, std::span<const Type> results);

  // ---- control ----
  void beginIf(IrValue condition);
  void beginElse();
  /// Types come from the values; both lists are equally long and of equal types. Without beginElse, both are empty.
  Values endIf(std::span<const IrValue> thenValues, std::span<const IrValue> elseValues);
  /// Drops the innermost open if/for/while region and what was built in it (after an error or a dry run).
  void abandonRegion();
  struct ForLoop { IrValue induction; Values carried; };
  /// Bounds are scalars of one integer type; signed comparison; step > 0.
  ForLoop beginFor(IrValue lower, IrValue upper, IrValue step, std::span<const IrValue> inits, const LoopOptions &options);
  Values endFor(std::span<const IrValue> yields);
  Values beginWhile(std::span<const IrValue> inits);
  /// Ends the test; returns the body's arguments.
  Values whileCondition(IrValue condition, std::span<const IrValue> values);
  Values endWhile(std::span<const IrValue> yields);

  // ---- constants, programs ----
  /// `bits` is the element's bit pattern; a block type gives a splat.
  IrValue constant(const Type &type, uint64_t bits);
  /// Rounds to the element type (nearest even).
  IrValue constantFloat(const Type &type, double value);
  IrValue arange(int32_t start, int32_t end);
  IrValue programId(uint32_t axis);
  IrValue numPrograms(uint32_t axis);

  // ---- elementwise ----
  IrValue binary(BinaryOp op, IrValue lhs, IrValue rhs);
  IrValue compare(CmpOp op, IrValue lhs, IrValue rhs);
  IrValue unary(UnaryOp op, IrValue value);
  IrValue fma(IrValue a, IrValue b, IrValue c);
  IrValue select(IrValue condition, IrValue onTrue, IrValue onFalse);
  /// `function` is a name of KIR's enum math_function, bit_function or float_class.
  IrValue math(std::string_view function, std::span<const IrValue> args);
  IrValue bits(std::string_view function, IrValue value);
  IrValue classify(std::string_view test, IrValue value);
  IrValue extendInt(IrValue value, const Type &to, bool isSigned);
  IrValue truncateInt(IrValue value, const Type &to);
  IrValue intToFloat(IrValue value, const Type &to, bool isSigned);
  IrValue floatToInt(IrValue value, const Type &to, bool isSigned);
  IrValue floatToFloat(IrValue value, const Type &to, Rounding rounding);
  IrValue bitcast(IrValue value, const Type &to);
  IrValue pointerToInt(IrValue value);
  IrValue intToPointer(IrValue value, const Type &to);

  // ---- shape ----
  IrValue splat(IrValue scalar, const sema::Shape &shape);
  IrValue broadcast(IrValue value, const sema::Shape &shape);
  IrValue expandDims(IrValue value, uint32_t axis);
  IrValue reshape(IrValue value, const sema::Shape &shape, bool reorder);
  IrValue transpose(IrValue value, std::span<const uint32_t> permutation);
  IrValue join(IrValue lhs, IrValue rhs);
  std::pair<IrValue, IrValue> split(IrValue value);
  IrValue concat(IrValue lhs, IrValue rhs, uint32_t axis);
  IrValue extractScalar(IrValue value);
  IrValue hint(IrValue value, std::span<const uint64_t> divisibility, std::span<const uint64_t> contiguity, std::span<const uint64_t> constancy);

  // ---- memory ----
  IrValue addPointer(IrValue pointer, IrValue offset, bool offsetIsUnsigned);
  /// Null mask: all lanes. Null other: zero where masked off.
  IrValue load(IrValue pointer, IrValue mask, IrValue other, CacheModifier cache, EvictionPolicy eviction, bool isVolatile);
  void store(IrValue pointer, IrValue value, IrValue mask, CacheModifier cache, EvictionPolicy eviction);
  IrValue atomicRmw(AtomicOp op, IrValue pointer, IrValue value, IrValue mask, MemoryOrder order, MemoryScope scope);
  IrValue atomicCas(IrValue pointer, IrValue compare, IrValue value, MemoryOrder order, MemoryScope scope);

  // ---- collective ----
  IrValue dot(IrValue lhs, IrValue rhs, IrValue accumulator, DotPrecision precision, uint32_t maxImprecise, bool lhsSigned, bool rhsSigned);
  /// `combine` receives 2n scalars (a..., b...) and returns n; called once, with ops going into the combine region.
  using CombineFn = std::function<Values(std::span<const IrValue>)>;
  Values reduce(std::span<const IrValue> values, uint32_t axis, const CombineFn &combine);
  Values scan(std::span<const IrValue> values, uint32_t axis, bool reverse, const CombineFn &combine);
  IrValue gather(IrValue source, IrValue index, uint32_t axis);
  IrValue histogram(IrValue value, IrValue mask, int64_t bins);

  // ---- effects ----
  void barrier();
  void print(std::string_view prefix, bool hex, std::span<const IrValue> values, std::span<const uint32_t> isSigned);
  void assertTrue(IrValue condition, IrValue mask, std::string_view message);
  void assume(IrValue condition);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tegula::frontend::emit
