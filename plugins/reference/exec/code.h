// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executable form of a KIR module: per function a flat list of instructions with operands resolved to slots, kernels
// chosen and control flow turned into jumps, so that nothing is parsed or looked up while a program runs. Immutable
// once made and shared by all workers.
#pragma once

#include "plugins/reference/numerics/kernels.h"
#include "plugins/reference/numerics/kinds.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tegula::plugins::reference {

constexpr uint32_t kMaxRank = 8;
constexpr uint32_t kNoSlot = ~uint32_t(0);

struct Type {
  Kind kind = Kind::I32;
  Kind pointee = Kind::I8; ///< of a pointer
  bool isTensor = false;
  uint32_t rank = 0;
  uint32_t count = 1; ///< elements
  std::array<uint32_t, kMaxRank> shape{};

  uint32_t width() const { return byteWidth(kind); }
};

/// A tensor seen along one axis: how many elements lie before, along and after it.
struct AxisView {
  size_t outer = 1, length = 1, inner = 1;
  AxisView(const Type &type, uint32_t axis) {
    for (uint32_t i = 0; i < type.rank; ++i)
      (i < axis ? outer : i == axis ? length : inner) *= type.shape[i];
  }
};

class Executor;
struct Instruction;
struct Function;
using Handler = void (*)(Executor &, const Instruction &);

/// How elements move in a shape operation, computed when the module is decoded: the result's row-major order over
/// `dims`, reading with `strides` (in elements).
struct IndexMap {
  uint32_t rank = 0;
  std::array<uint32_t, kMaxRank> dims{};
  std::array<uint32_t, kMaxRank> strides{};
};

struct PrintOperand {
  const Type *type = nullptr;
  bool isSigned = false;
};

struct Instruction {
  Handler run = nullptr;
  uint32_t opcode = 0;
  uint32_t location = 0; ///< code location, index into Module::locations; 0 for none
  // Ranges of Function::slots.
  uint32_t firstOperand = 0, operandCount = 0;
  uint32_t firstResult = 0, resultCount = 0;
  uint32_t firstKill = 0, killCount = 0; ///< slots whose values nobody needs afterwards
  uint32_t target = 0;                   ///< where a jump goes
  const Type *type = nullptr;            ///< of the (first) result, or of the value of a store
  const Type *operandType = nullptr;     ///< of the first operand
  union {
    UnaryKernel unary = nullptr;
    BinaryKernel binary;
    TernaryKernel ternary;
  };
  const Function *callee = nullptr;
  std::array<uint64_t, 3> immediates{}; ///< attributes, as the handler says
  const IndexMap *map = nullptr;
  const DotShape *dot = nullptr;
  const std::string *text = nullptr;
  const std::vector<PrintOperand> *printed = nullptr; ///< one per value of a print
};

struct Parameter {
  std::string name;
  const Type *type = nullptr;
  uint64_t divisibility = 1;
  bool storedThrough = true; ///< false: no store or atomic can reach memory through this pointer
};

struct Function {
  std::string name;
  bool isKernel = false;
  std::vector<Parameter> parameters; ///< parameter i is slot i
  std::vector<const Type *> results;
  std::vector<Instruction> code;
  std::vector<uint32_t> slots; ///< operand, result and kill lists
  uint32_t slotCount = 0;
  uint32_t location = 0;
  bool storesAnywhere = false; ///< a store goes through a pointer that comes from no parameter
  /// Straight-line elementwise code on scalars: may run on many lanes at once.
  bool liftable = false;
};

/// A source place; `inlinedAt` is 0 or the location of the call.
struct CodeLocation {
  std::string file;
  uint32_t line = 0, column = 0, endColumn = 0;
  uint32_t inlinedAt = 0;
};

struct Module {
  std::vector<std::unique_ptr<Function>> functions;
  std::vector<CodeLocation> locations; ///< entry 0 is "no place"
  std::vector<std::unique_ptr<Type>> types;
  std::vector<std::unique_ptr<IndexMap>> maps;
  std::vector<std::unique_ptr<DotShape>> dots;
  std::vector<std::unique_ptr<std::string>> texts;
  std::vector<std::unique_ptr<std::vector<PrintOperand>>> prints;
  /// Atomics or volatile loads somewhere: programs may wait for each other and run in one fixed interleaving.
  bool programsCommunicate = false;

  const Function *kernel(const std::string &name) const;
};

} // namespace tegula::plugins::reference
