// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions that compute: chooses handler and kernel. Fields are named by their position in the grammar.
#include "plugins/reference/exec/decode_ops.h"

#include "plugins/reference/exec/executor.h"

#include <algorithm>

namespace tegula::plugins::reference {

SlotList OperationDecoder::list(uint32_t field) const {
  SlotList slots;
  for (uint32_t i = 0; i < fields[field].count; ++i)
    slots.push_back(builder.slotOf(fields[field].words[i]));
  return slots;
}

const std::string *OperationDecoder::text(uint32_t field) {
  decoder.module.texts.push_back(
      std::make_unique<std::string>(reinterpret_cast<const char *>(fields[field].words), fields[field].count));
  return decoder.module.texts.back().get();
}

Instruction &OperationDecoder::emit(Handler run, uint32_t operandCount) {
  SlotList operands, defined;
  for (uint32_t i = 0; i < operandCount; ++i)
    operands.push_back(slot(i));
  for (uint32_t i = 0; i < resultCount; ++i)
    defined.push_back(builder.define(results[2 * i + 1], decoder.typeOf(results[2 * i])));
  return builder.emit(run, inst->opcode, operands, defined);
}

template <class Kernel>
void OperationDecoder::emitKernel(Handler run, uint32_t operandCount, Kernel Instruction::*member, Kernel kernel) {
  if (!kernel)
    return decoder.fail(std::string("'") + tegula_kir_opcode_name(inst->opcode) + "' does not exist for " +
                        kindName(operandType(0).kind));
  emit(run, operandCount).*member = kernel;
}

const IndexMap *OperationDecoder::mapFor(const Type &result, const Type &operand, const uint32_t *permutation) {
  uint32_t strides[kMaxRank];
  uint32_t stride = 1;
  for (uint32_t i = operand.rank; i-- > 0; stride *= operand.shape[i])
    strides[i] = operand.shape[i] == 1 ? 0 : stride;
  auto map = std::make_unique<IndexMap>();
  for (uint32_t i = 0; i < result.rank; ++i) {
    if (result.shape[i] == 1)
      continue;
    const uint32_t from = strides[permutation ? permutation[i] : i];
    if (map->rank && map->strides[map->rank - 1] == from * result.shape[i]) { // continues the dimension before it
      map->dims[map->rank - 1] *= result.shape[i];
      map->strides[map->rank - 1] = from;
      continue;
    }
    map->dims[map->rank] = result.shape[i];
    map->strides[map->rank++] = from;
  }
  if (map->rank == 0) {
    map->rank = 1;
    map->dims[0] = 1;
  }
  decoder.module.maps.push_back(std::move(map));
  return decoder.module.maps.back().get();
}

void OperationDecoder::decode(const tegula_kir_inst_t &instruction) {
  inst = &instruction;
  tegula_kir_inst_fields(&decoder.source, inst, &results, &resultCount, fields);
  if (!decodeElementwise() && !decodeShape() && !decodeMemory() && !decodeEffect())
    decodeTensor();
}

bool OperationDecoder::decodeElementwise() {
  const uint32_t op = inst->opcode;
  if (op >= TEGULA_KIR_OP_ADDI && op <= TEGULA_KIR_OP_MULHSI) {
    emitKernel(runIntegerBinary, 2, &Instruction::binary, integerBinaryKernel(op, operandType(0).kind));
    return true;
  }
  if (op >= TEGULA_KIR_OP_ADDF && op <= TEGULA_KIR_OP_MAXIMUMF) {
    emitKernel(runFloatBinary, 2, &Instruction::binary, floatBinaryKernel(op, operandType(0).kind));
    return true;
  }
  switch (op) {
  case TEGULA_KIR_OP_CMPI:
    emitKernel(runCompare, 2, &Instruction::binary, integerCompareKernel(number(2), operandType(0).kind));
    return true;
  case TEGULA_KIR_OP_CMPF:
    emitKernel(runCompare, 2, &Instruction::binary, floatCompareKernel(number(2), operandType(0).kind));
    return true;
  case TEGULA_KIR_OP_NEGF:
  case TEGULA_KIR_OP_ABSF:
    emitKernel(runFloatUnary, 1, &Instruction::unary, floatUnaryKernel(op, operandType(0).kind));
    return true;
  case TEGULA_KIR_OP_ABSI:
    emitKernel(runIntegerUnary, 1, &Instruction::unary, integerUnaryKernel(op, operandType(0).kind));
    return true;
  case TEGULA_KIR_OP_BITS1:
    emitKernel(runIntegerUnary, 1, &Instruction::unary, bitFunctionKernel(number(1), operandType(0).kind));
    return true;
  case TEGULA_KIR_OP_CLASSIFY:
    emitKernel(runIntegerUnary, 1, &Instruction::unary, classifyKernel(number(1), operandType(0).kind));
    return true;
  case TEGULA_KIR_OP_FMA:
  case TEGULA_KIR_OP_MUL_ADD:
    emitKernel(runFloatTernary, 3, &Instruction::ternary, floatTernaryKernel(op, operandType(0).kind));
    return true;
  case TEGULA_KIR_OP_MATH1:
    emitKernel(runFloatUnary, 1, &Instruction::unary, mathUnaryKernel(number(1), operandType(0).kind));
    return true;
  case TEGULA_KIR_OP_MATH2:
    emitKernel(runFloatBinary, 2, &Instruction::binary, mathBinaryKernel(number(2), operandType(0).kind));
    return true;
  case TEGULA_KIR_OP_SELECT:
    emit(runSelect, 3);
    return true;
  case TEGULA_KIR_OP_EXTUI:
    decoder.zeroExtends |= operandType(0).kind != Kind::I1;
    [[fallthrough]];
  case TEGULA_KIR_OP_TRUNCI:
  case TEGULA_KIR_OP_EXTSI:
    emitKernel(runResize, 1, &Instruction::unary, conversionKernel(op, operandType(0).kind, resultType().kind));
    return true;
  case TEGULA_KIR_OP_SITOFP:
  case TEGULA_KIR_OP_UITOFP:
    emitKernel(runFloatUnary, 1, &Instruction::unary, conversionKernel(op, operandType(0).kind, resultType().kind));
    return true;
  case TEGULA_KIR_OP_FPTOSI:
  case TEGULA_KIR_OP_FPTOUI:
    emitKernel(runIntegerUnary, 1, &Instruction::unary, conversionKernel(op, operandType(0).kind, resultType().kind));
    return true;
  case TEGULA_KIR_OP_FPCAST:
    emit(runFloatCast, 1).immediates = {number(1), number(2), 0};
    return true;
  case TEGULA_KIR_OP_BITCAST:
  case TEGULA_KIR_OP_PTRTOINT:
  case TEGULA_KIR_OP_INTTOPTR:
  case TEGULA_KIR_OP_HINT:
    emit(runSame, 1);
    return true;
  case TEGULA_KIR_OP_CONST:
    emit(runConstant, 0).immediates[0] = wide(0);
    return true;
  case TEGULA_KIR_OP_ARANGE:
    emit(runArange, 0).immediates[0] = number(0);
    return true;
  case TEGULA_KIR_OP_PROGRAM_ID:
  case TEGULA_KIR_OP_NUM_PROGRAMS:
    if (number(0) > 2)
      decoder.fail("a grid has axes 0, 1 and 2, not " + std::to_string(number(0)));
    emit(op == TEGULA_KIR_OP_PROGRAM_ID ? runProgramId : runNumPrograms, 0).immediates[0] = number(0);
    return true;
  case TEGULA_KIR_OP_POISON:
    emit(runPoison, 0);
    return true;
  default:
    return false;
  }
}

bool OperationDecoder::decodeShape() {
  switch (inst->opcode) {
  case TEGULA_KIR_OP_SPLAT:
    emit(runSplat, 1);
    return true;
  case TEGULA_KIR_OP_BROADCAST: {
    const IndexMap *map = mapFor(resultType(), operandType(0), nullptr);
    emit(runIndexMap, 1).map = map;
    return true;
  }
  case TEGULA_KIR_OP_TRANSPOSE: {
    const IndexMap *map = mapFor(resultType(), operandType(0), fields[1].words);
    emit(runIndexMap, 1).map = map;
    return true;
  }
  case TEGULA_KIR_OP_EXPAND_DIMS:
  case TEGULA_KIR_OP_RESHAPE:
  case TEGULA_KIR_OP_EXTRACT_SCALAR:
    emit(runSame, 1);
    return true;
  case TEGULA_KIR_OP_JOIN:
    emit(runJoin, 2);
    return true;
  case TEGULA_KIR_OP_SPLIT:
    emit(runSplit, 1);
    return true;
  case TEGULA_KIR_OP_CONCAT:
    emit(runConcat, 2).immediates[0] = number(2);
    return true;
  default:
    return false;
  }
}

namespace {
/// The arithmetic of an atomic update: null for an exchange; `known` is false for an operation that does not exist on
/// the kind.
BinaryKernel updateKernel(uint32_t operation, Kind kind, bool &known) {
  const bool floats = isFloat(kind);
  const auto integer = [&](uint32_t opcode) { return floats ? nullptr : integerBinaryKernel(opcode, kind); };
  BinaryKernel kernel = nullptr;
  known = true;
  switch (operation) {
  case TEGULA_KIR_ATOMIC_OPERATION_XCHG:
    return nullptr;
  case TEGULA_KIR_ATOMIC_OPERATION_AND:
    kernel = integer(TEGULA_KIR_OP_ANDI);
    break;
  case TEGULA_KIR_ATOMIC_OPERATION_OR:
    kernel = integer(TEGULA_KIR_OP_ORI);
    break;
  case TEGULA_KIR_ATOMIC_OPERATION_XOR:
    kernel = integer(TEGULA_KIR_OP_XORI);
    break;
  case TEGULA_KIR_ATOMIC_OPERATION_ADD:
    kernel = integer(TEGULA_KIR_OP_ADDI);
    break;
  case TEGULA_KIR_ATOMIC_OPERATION_FADD:
    kernel = floatBinaryKernel(TEGULA_KIR_OP_ADDF, kind);
    break;
  case TEGULA_KIR_ATOMIC_OPERATION_MAX:
    kernel = floats ? floatBinaryKernel(TEGULA_KIR_OP_MAXNUMF, kind) : integerBinaryKernel(TEGULA_KIR_OP_MAXSI, kind);
    break;
  case TEGULA_KIR_ATOMIC_OPERATION_MIN:
    kernel = floats ? floatBinaryKernel(TEGULA_KIR_OP_MINNUMF, kind) : integerBinaryKernel(TEGULA_KIR_OP_MINSI, kind);
    break;
  case TEGULA_KIR_ATOMIC_OPERATION_UMAX:
    kernel = integer(TEGULA_KIR_OP_MAXUI);
    break;
  case TEGULA_KIR_ATOMIC_OPERATION_UMIN:
    kernel = integer(TEGULA_KIR_OP_MINUI);
    break;
  default:
    break;
  }
  known = kernel != nullptr;
  return kernel;
}
} // namespace

/// Of a load: other programs' writes have to become visible.
bool OperationDecoder::isVolatile() const { return number(5) != 0 || number(3) == TEGULA_KIR_CACHE_MODIFIER_CV; }

bool OperationDecoder::decodeMemory() {
  switch (inst->opcode) {
  case TEGULA_KIR_OP_ADDPTR: {
    const uint64_t bytes = byteWidth(resultType().pointee), kind = uint64_t(operandType(1).kind);
    const bool isUnsigned = number(2) != 0;
    decoder.zeroExtends |= isUnsigned && operandType(1).width() < 8;
    emit(runAddPointer, 2).immediates = {isUnsigned, bytes, kind};
    return true;
  }
  case TEGULA_KIR_OP_LOAD:
    emit(runLoad, 3).immediates[0] = isVolatile();
    decoder.module.programsCommunicate |= isVolatile();
    return true;
  case TEGULA_KIR_OP_STORE: {
    const Type *type = &operandType(1);
    emit(runStore, 3).type = type;
    return true;
  }
  case TEGULA_KIR_OP_ATOMIC_RMW: {
    bool known = false;
    const BinaryKernel kernel = updateKernel(number(3), operandType(1).kind, known);
    if (!known)
      decoder.fail("this atomic operation does not exist for " + std::string(kindName(operandType(1).kind)));
    decoder.module.programsCommunicate = true;
    Instruction &emitted = emit(runAtomicUpdate, 3);
    emitted.binary = kernel;
    emitted.immediates = {number(4), number(5), 0};
    return true;
  }
  case TEGULA_KIR_OP_ATOMIC_CAS:
    decoder.module.programsCommunicate = true;
    emit(runAtomicCompareSwap, 3).immediates = {number(3), number(4), 0};
    return true;
  default:
    return false;
  }
}

bool OperationDecoder::decodeEffect() {
  switch (inst->opcode) {
  case TEGULA_KIR_OP_BARRIER:
    emit(runBarrier, 0);
    return true;
  case TEGULA_KIR_OP_ASSERT: {
    const std::string *message = text(2);
    emit(runAssert, 2).text = message;
    return true;
  }
  case TEGULA_KIR_OP_ASSUME:
    emit(runAssume, 1);
    return true;
  case TEGULA_KIR_OP_PRINT: {
    const SlotList values = list(0);
    auto printed = std::make_unique<std::vector<PrintOperand>>();
    for (uint32_t i = 0; i < values.size(); ++i)
      printed->push_back({builder.typeOf(values[i]), i < fields[3].count && fields[3].words[i] != 0});
    const std::string *prefix = text(1);
    Instruction &emitted = builder.emit(runPrint, inst->opcode, values, {});
    emitted.text = prefix;
    emitted.printed = printed.get();
    emitted.immediates[0] = number(2);
    decoder.module.prints.push_back(std::move(printed));
    return true;
  }
  default:
    return false;
  }
}

void OperationDecoder::decodeTensor() {
  switch (inst->opcode) {
  case TEGULA_KIR_OP_DOT: {
    const Type &lhs = operandType(0), &rhs = operandType(1), &result = resultType();
    auto shape = std::make_unique<DotShape>();
    shape->m = lhs.shape[lhs.rank - 2];
    shape->k = lhs.shape[lhs.rank - 1];
    shape->n = rhs.shape[rhs.rank - 1];
    shape->lhs = lhs.kind;
    shape->rhs = rhs.kind;
    shape->accumulator = result.kind;
    shape->tf32 = number(3) == TEGULA_KIR_DOT_PRECISION_TF32;
    shape->lhsSigned = number(5) != 0;
    shape->rhsSigned = number(6) != 0;
    if (!dotKindsExist(*shape))
      return decoder.fail(std::string("no product of ") + kindName(lhs.kind) + " and " + kindName(rhs.kind) + " into " +
                          kindName(result.kind));
    emit(runDot, 3).dot = shape.get();
    decoder.module.dots.push_back(std::move(shape));
    return;
  }
  case TEGULA_KIR_OP_REDUCE:
  case TEGULA_KIR_OP_SCAN: {
    const Function *combine = decoder.functionOf(number(0));
    const SlotList values = list(1);
    SlotList defined;
    for (uint32_t i = 0; i < resultCount; ++i)
      defined.push_back(builder.define(results[2 * i + 1], decoder.typeOf(results[2 * i])));
    const bool isScan = inst->opcode == TEGULA_KIR_OP_SCAN;
    Instruction &emitted = builder.emit(isScan ? runScan : runReduce, inst->opcode, values, defined);
    emitted.callee = combine;
    emitted.immediates = {number(2), isScan ? number(3) : 0, 0};
    return;
  }
  case TEGULA_KIR_OP_GATHER: {
    const uint64_t kind = uint64_t(operandType(1).kind);
    emit(runGather, 2).immediates = {number(2), kind, 0};
    return;
  }
  case TEGULA_KIR_OP_HISTOGRAM: {
    const uint64_t kind = uint64_t(operandType(0).kind);
    emit(runHistogram, 2).immediates[0] = kind;
    return;
  }
  default:
    decoder.fail(std::string("'") + tegula_kir_opcode_name(inst->opcode) +
                 "' is not a tile-level instruction that this plugin runs");
  }
}

} // namespace tegula::plugins::reference
