// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The module's frame: types, places, functions and their control flow. The instructions that compute are in
// decode_ops.cpp.
#include "plugins/reference/exec/decode.h"

#include "kir_instructions.h"
#include "plugins/reference/exec/decode_ops.h"
#include "plugins/reference/exec/executor.h"
#include "plugins/reference/exec/function_builder.h"
#include "plugins/reference/exec/provenance.h"
#include "plugins/reference/sanitizer/findings.h"

#include <algorithm>

namespace tegula::plugins::reference {

Kind ModuleDecoder::kindOf(const tegula_kir_type_t &type) {
  if (type.kind == TEGULA_KIR_TYPE_POINTER)
    return Kind::Pointer;
  if (type.kind == TEGULA_KIR_TYPE_INT) {
    switch (type.width) {
    case 1:
      return Kind::I1;
    case 8:
      return Kind::I8;
    case 16:
      return Kind::I16;
    case 32:
      return Kind::I32;
    default:
      return Kind::I64;
    }
  }
  switch (type.format) {
  case TEGULA_KIR_FLOAT_FORMAT_F16:
    return Kind::F16;
  case TEGULA_KIR_FLOAT_FORMAT_BF16:
    return Kind::BF16;
  case TEGULA_KIR_FLOAT_FORMAT_F32:
    return Kind::F32;
  case TEGULA_KIR_FLOAT_FORMAT_F64:
    return Kind::F64;
  case TEGULA_KIR_FLOAT_FORMAT_F8E4M3FN:
    return Kind::E4M3FN;
  case TEGULA_KIR_FLOAT_FORMAT_F8E5M2:
    return Kind::E5M2;
  case TEGULA_KIR_FLOAT_FORMAT_F8E4M3FNUZ:
    return Kind::E4M3FNUZ;
  case TEGULA_KIR_FLOAT_FORMAT_F8E5M2FNUZ:
    return Kind::E5M2FNUZ;
  case TEGULA_KIR_FLOAT_FORMAT_F8E4M3B15:
    return Kind::E4M3B15;
  default:
    fail("unknown float format " + std::to_string(type.format));
    return Kind::F32;
  }
}

const Type *ModuleDecoder::typeOf(uint32_t id) {
  auto &known = types[id];
  if (known)
    return known;
  const tegula_kir_type_t *type = tegula_kir_get_type(&source, id);
  auto made = std::make_unique<Type>();
  const tegula_kir_type_t *element = type;
  if (type->kind == TEGULA_KIR_TYPE_TENSOR) {
    made->isTensor = true;
    made->rank = type->rank;
    made->count = type->element_count;
    std::copy_n(type->shape, type->rank, made->shape.begin());
    element = tegula_kir_get_type(&source, type->element);
  }
  made->kind = kindOf(*element);
  if (made->kind == Kind::Pointer)
    made->pointee = kindOf(*tegula_kir_get_type(&source, element->element));
  known = made.get();
  module.types.push_back(std::move(made));
  return known;
}

uint32_t ModuleDecoder::locationOf(uint32_t loc) {
  tegula_kir_place_t place;
  if (!loc || !tegula_kir_get_place(&source, loc, &place))
    return 0;
  const auto found = locations.find(loc);
  if (found != locations.end())
    return found->second;
  CodeLocation location;
  location.file.assign(place.file, place.file_length);
  location.line = place.line;
  location.column = place.column;
  location.endColumn = place.end_column;
  location.inlinedAt = locationOf(place.inlined_at);
  module.locations.push_back(std::move(location));
  const uint32_t index = uint32_t(module.locations.size() - 1);
  locations.emplace(loc, index);
  return index;
}

void ModuleDecoder::fail(std::string message) {
  if (!error.message.empty())
    return;
  error.message = std::move(message);
  error.loc = currentLoc;
}

namespace {

/// Decodes the body of one function.
class BodyDecoder {
public:
  BodyDecoder(ModuleDecoder &decoder, Function &function)
      : decoder(decoder), builder(function), ops(decoder, builder) {}

  void decode(const tegula_kir_function_t &function) {
    for (uint32_t i = 0; i < function.param_count; ++i)
      builder.define(function.params[i].id, decoder.typeOf(function.params[i].type));
    for (uint32_t i = function.first; i < function.last && decoder.ok(); ++i) {
      const tegula_kir_inst_t &inst = decoder.source.insts[i];
      decoder.currentLoc = inst.loc;
      builder.location = decoder.locationOf(inst.loc);
      decode(inst);
    }
    if (decoder.ok())
      builder.finish();
  }

  std::vector<const Type *> slotTypes(const Function &function) const {
    std::vector<const Type *> types;
    for (uint32_t slot = 0; slot < function.slotCount; ++slot)
      types.push_back(builder.typeOf(slot));
    return types;
  }

private:
  SlotList slots(const uint32_t *ids, uint32_t count) const {
    SlotList list;
    for (uint32_t i = 0; i < count; ++i)
      list.push_back(builder.slotOf(ids[i]));
    return list;
  }
  /// Defines the values of (type, id) pairs.
  SlotList define(const uint32_t *pairs, uint32_t count) {
    SlotList list;
    for (uint32_t i = 0; i < count; ++i)
      list.push_back(builder.define(pairs[2 * i + 1], decoder.typeOf(pairs[2 * i])));
    return list;
  }

  void decode(const tegula_kir_inst_t &inst) {
    switch (inst.opcode) {
    case TEGULA_KIR_OP_DEBUG_STRING:
    case TEGULA_KIR_OP_DEBUG_LOC:
    case TEGULA_KIR_OP_DEBUG_LINE:
    case TEGULA_KIR_OP_DEBUG_NAME:
      return; // the reader has put places on the instructions
    case TEGULA_KIR_OP_FUNC_RETURN: {
      tegula_kir_func_return_t f;
      tegula_kir_decode_func_return(&decoder.source, &inst, &f);
      builder.emit(runReturn, inst.opcode, slots(f.values, f.values_count), {});
      return;
    }
    case TEGULA_KIR_OP_FUNC_CALL: {
      tegula_kir_func_call_t f;
      tegula_kir_decode_func_call(&decoder.source, &inst, &f);
      const SlotList arguments = slots(f.args, f.args_count), results = define(f.results, f.result_count);
      builder.emit(runCall, inst.opcode, arguments, results).callee = decoder.functionOf(f.callee);
      return;
    }
    case TEGULA_KIR_OP_CF_IF: {
      tegula_kir_cf_if_t f;
      tegula_kir_decode_cf_if(&decoder.source, &inst, &f);
      const uint32_t condition = builder.slotOf(f.condition);
      builder.beginIf(condition, define(f.results, f.result_count));
      return;
    }
    case TEGULA_KIR_OP_CF_ELSE:
      builder.otherwise();
      return;
    case TEGULA_KIR_OP_CF_END:
      builder.end();
      return;
    case TEGULA_KIR_OP_CF_YIELD: {
      tegula_kir_cf_yield_t f;
      tegula_kir_decode_cf_yield(&decoder.source, &inst, &f);
      builder.yield(slots(f.values, f.values_count));
      return;
    }
    case TEGULA_KIR_OP_CF_FOR: {
      tegula_kir_cf_for_t f;
      tegula_kir_decode_cf_for(&decoder.source, &inst, &f);
      const SlotList inits = slots(f.inits, f.inits_count);
      const uint32_t lower = builder.slotOf(f.lower), upper = builder.slotOf(f.upper), step = builder.slotOf(f.step);
      const uint32_t induction = builder.define(f.induction, decoder.typeOf(f.induction_type));
      SlotList iters = define(f.iters, f.iters_count), results = define(f.results, f.result_count);
      builder.beginFor(lower, upper, step, inits, induction, std::move(iters), std::move(results));
      return;
    }
    case TEGULA_KIR_OP_CF_WHILE: {
      tegula_kir_cf_while_t f;
      tegula_kir_decode_cf_while(&decoder.source, &inst, &f);
      const SlotList inits = slots(f.inits, f.inits_count);
      SlotList before = define(f.before, f.before_count), results = define(f.results, f.result_count);
      builder.beginWhile(inits, std::move(before), std::move(results));
      return;
    }
    case TEGULA_KIR_OP_CF_CONDITION: {
      tegula_kir_cf_condition_t f;
      tegula_kir_decode_cf_condition(&decoder.source, &inst, &f);
      builder.condition(builder.slotOf(f.condition), slots(f.values, f.values_count));
      return;
    }
    case TEGULA_KIR_OP_CF_DO: {
      tegula_kir_cf_do_t f;
      tegula_kir_decode_cf_do(&decoder.source, &inst, &f);
      builder.beginDo(define(f.after, f.after_count));
      return;
    }
    default:
      ops.decode(inst);
      return;
    }
  }

  ModuleDecoder &decoder;
  FunctionBuilder builder;
  OperationDecoder ops;
};

/// Which functions may run on many lanes at once: straight-line scalar code without effects.
void markLiftable(Module &module, const std::vector<std::vector<const Type *>> &slotTypes) {
  static constexpr Handler kElementwise[] = {runConstant,      runProgramId,    runNumPrograms, runPoison,
                                             runIntegerBinary, runCompare,      runFloatBinary, runIntegerUnary,
                                             runFloatUnary,    runFloatTernary, runFloatCast,   runResize,
                                             runSame,          runSelect,       runAddPointer,  runReturn};
  const auto allowed = [&](const Instruction &inst) {
    if (inst.run == runCall)
      return inst.callee->liftable;
    return std::find(std::begin(kElementwise), std::end(kElementwise), inst.run) != std::end(kElementwise);
  };
  for (bool changed = true; changed;) { // callees first, in as many rounds as calls are deep
    changed = false;
    for (size_t i = 0; i < module.functions.size(); ++i) {
      Function &function = *module.functions[i];
      if (function.liftable ||
          std::any_of(slotTypes[i].begin(), slotTypes[i].end(), [](const Type *t) { return t->isTensor; }))
        continue;
      function.liftable = std::all_of(function.code.begin(), function.code.end(), allowed);
      changed |= function.liftable;
    }
  }
}

} // namespace

std::unique_ptr<Module> ModuleDecoder::decode() {
  module.locations.emplace_back();
  for (uint32_t i = 0; i < source.function_count; ++i) {
    const tegula_kir_function_t &from = source.functions[i];
    auto function = std::make_unique<Function>();
    function->name.assign(from.name, from.name_length);
    function->isKernel = (from.flags & TEGULA_KIR_FUNCTION_FLAGS_KERNEL) != 0;
    for (uint32_t p = 0; p < from.param_count; ++p) {
      const tegula_kir_param_t &param = from.params[p];
      function->parameters.push_back(
          {std::string(param.name, param.name_length), typeOf(param.type), param.divisibility, true});
    }
    const tegula_kir_type_t *type = tegula_kir_get_type(&source, from.type);
    for (uint32_t r = 0; r < type->result_count; ++r)
      function->results.push_back(typeOf(type->results[r]));
    function->location = locationOf(source.insts[source.ids[from.id].inst].loc);
    functions.emplace(from.id, function.get());
    module.functions.push_back(std::move(function));
  }
  std::vector<std::vector<const Type *>> slotTypes;
  for (uint32_t i = 0; i < source.function_count && ok(); ++i) {
    BodyDecoder body(*this, *module.functions[i]);
    body.decode(source.functions[i]);
    slotTypes.push_back(body.slotTypes(*module.functions[i]));
  }
  if (!ok())
    return nullptr;
  markLiftable(module, slotTypes);
  findStoredParameters(module, slotTypes);
  // Wraps of the unsigned range matter only where offsets are zero-extended.
  const uint8_t tracked = kSignedWrap | (zeroExtends ? uint8_t(kUnsignedWrap) : uint8_t(0));
  for (auto &function : module.functions)
    for (Instruction &inst : function->code)
      if (inst.run == runIntegerBinary)
        inst.immediates[0] = tracked;
  return std::make_unique<Module>(std::move(module));
}

std::unique_ptr<Module> decodeModule(const tegula_kir_module_t &module, DecodeError &error) {
  ModuleDecoder decoder(module, error);
  return decoder.decode();
}

} // namespace tegula::plugins::reference
