// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decoding inside: what the decoders of a module and of its instructions share.
#pragma once

#include "kir_instructions.h"
#include "plugins/reference/exec/decode.h"
#include "plugins/reference/exec/function_builder.h"

#include <map>
#include <unordered_map>

namespace tegula::plugins::reference {

class ModuleDecoder {
public:
  ModuleDecoder(const tegula_kir_module_t &source, DecodeError &error) : source(source), error(error) {}
  std::unique_ptr<Module> decode();

  const Type *typeOf(uint32_t id);
  uint32_t locationOf(uint32_t loc);
  const Function *functionOf(uint32_t id) const { return functions.at(id); }
  void fail(std::string message);
  bool ok() const { return error.message.empty(); }

  const tegula_kir_module_t &source;
  Module module;
  uint32_t currentLoc = 0;  ///< KIR id, for errors
  bool zeroExtends = false; ///< somewhere a narrow integer is zero-extended
private:
  Kind kindOf(const tegula_kir_type_t &type);

  DecodeError &error;
  std::unordered_map<uint32_t, const Type *> types;
  std::unordered_map<uint32_t, uint32_t> locations;
  std::unordered_map<uint32_t, const Function *> functions;
};

/// Decodes instructions that are not control flow.
class OperationDecoder {
public:
  OperationDecoder(ModuleDecoder &decoder, FunctionBuilder &builder) : decoder(decoder), builder(builder) {}
  void decode(const tegula_kir_inst_t &inst);

private:
  bool decodeElementwise();
  bool decodeShape();
  bool decodeMemory();
  bool decodeEffect();
  void decodeTensor();
  bool isVolatile() const;

  // Fields of the instruction at hand, by position in the grammar (operands, then attributes).
  uint32_t number(uint32_t field) const { return fields[field].count ? fields[field].words[0] : 0; }
  uint64_t wide(uint32_t field) const {
    return fields[field].count ? fields[field].words[0] | uint64_t(fields[field].words[1]) << 32 : 0;
  }
  SlotList list(uint32_t field) const;
  const std::string *text(uint32_t field);
  uint32_t slot(uint32_t field) const { return builder.slotOf(number(field)); }
  const Type &operandType(uint32_t field) const { return *builder.typeOf(slot(field)); }
  const Type &resultType() const { return *decoder.typeOf(results[0]); }
  /// Emits with the first `operandCount` fields as operands and the instruction's results.
  Instruction &emit(Handler run, uint32_t operandCount);
  /// The same where a kernel is needed; an instruction without one is an error.
  template <class Kernel>
  void emitKernel(Handler run, uint32_t operandCount, Kernel Instruction::*member, Kernel kernel);
  const IndexMap *mapFor(const Type &result, const Type &operand, const uint32_t *permutation);

  ModuleDecoder &decoder;
  FunctionBuilder &builder;
  const tegula_kir_inst_t *inst = nullptr;
  const uint32_t *results = nullptr;
  uint32_t resultCount = 0;
  tegula_kir_field_t fields[16];
};

} // namespace tegula::plugins::reference
