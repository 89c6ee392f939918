// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers are grouped: an instruction that makes a pointer puts it into the group of its pointer operands, a move
// joins what it moves. A pointer made from anything else (memory, integers) joins the group of unknown origin.
#include "plugins/reference/exec/provenance.h"

#include "plugins/reference/exec/executor.h"

#include <algorithm>
#include <numeric>

namespace tegula::plugins::reference {

namespace {

class Groups {
public:
  explicit Groups(size_t n) : parents(n) { std::iota(parents.begin(), parents.end(), 0u); }
  uint32_t find(uint32_t x) {
    while (parents[x] != x)
      x = parents[x] = parents[parents[x]];
    return x;
  }
  void join(uint32_t a, uint32_t b) { parents[find(a)] = find(b); }

private:
  std::vector<uint32_t> parents;
};

bool movesByPosition(Handler run) { return run == runMove || run == runForBegin || run == runForStep; }

} // namespace

void findStoredParameters(Module &module, const std::vector<std::vector<const Type *>> &slotTypes) {
  std::vector<uint32_t> base;
  uint32_t total = 1; // node 0: unknown origin
  for (const auto &function : module.functions) {
    base.push_back(total);
    total += function->slotCount;
  }
  const auto numberOf = [&](const Function *function) {
    return size_t(std::find_if(module.functions.begin(), module.functions.end(),
                               [&](const auto &f) { return f.get() == function; }) -
                  module.functions.begin());
  };
  Groups groups(total);
  std::vector<uint32_t> stored;
  for (size_t f = 0; f < module.functions.size(); ++f) {
    const Function &function = *module.functions[f];
    const auto isPointer = [&](uint32_t slot) { return slot != kNoSlot && slotTypes[f][slot]->kind == Kind::Pointer; };
    for (const Instruction &inst : function.code) {
      const uint32_t *operands = function.slots.data() + inst.firstOperand,
                     *results = function.slots.data() + inst.firstResult;
      if (inst.run == runStore || inst.run == runAtomicUpdate || inst.run == runAtomicCompareSwap)
        stored.push_back(base[f] + operands[0]);
      if (movesByPosition(inst.run)) {
        const uint32_t skipped = inst.operandCount - inst.resultCount; // a loop's step and bounds are integers
        for (uint32_t i = 0; i < inst.resultCount; ++i)
          if (isPointer(results[i]) && isPointer(operands[i + skipped]))
            groups.join(base[f] + results[i], base[f] + operands[i + skipped]);
        continue;
      }
      if (inst.run == runCall) {
        const size_t callee = numberOf(inst.callee);
        for (uint32_t i = 0; i < inst.operandCount; ++i)
          if (isPointer(operands[i]))
            groups.join(base[f] + operands[i], base[callee] + i);
        const Instruction &last = inst.callee->code.back();
        for (uint32_t i = 0; i < inst.resultCount; ++i)
          if (isPointer(results[i]))
            groups.join(base[f] + results[i], base[callee] + inst.callee->slots[last.firstOperand + i]);
        continue;
      }
      for (uint32_t r = 0; r < inst.resultCount; ++r) {
        if (!isPointer(results[r]))
          continue;
        bool fromPointer = false;
        for (uint32_t i = 0; i < inst.operandCount && inst.run != runLoad && !inst.callee; ++i) {
          if (!isPointer(operands[i]))
            continue;
          fromPointer = true;
          groups.join(base[f] + results[r], base[f] + operands[i]);
        }
        if (!fromPointer)
          groups.join(base[f] + results[r], 0);
      }
    }
  }
  std::vector<bool> isStored(total);
  for (uint32_t node : stored)
    isStored[groups.find(node)] = true;
  for (size_t f = 0; f < module.functions.size(); ++f) {
    Function &function = *module.functions[f];
    function.storesAnywhere = isStored[groups.find(0)];
    for (uint32_t i = 0; i < function.parameters.size(); ++i)
      function.parameters[i].storedThrough = isStored[groups.find(base[f] + i)];
  }
}

} // namespace tegula::plugins::reference
