// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structured control flow to jumps:
//
//   if:     branch-if-false E | then | move | jump X | E: else | move | X: -
//   for:    begin | T: test -> X | body | step -> T | X: move carried to results
//   while:  move inits to before | T: test | branch-if-false X | move passed to after | body | move to before | back T
//   | X: move passed
#include "plugins/reference/exec/function_builder.h"

#include "plugins/reference/exec/executor.h"

#include <algorithm>

namespace tegula::plugins::reference {

uint32_t FunctionBuilder::define(uint32_t id, const Type *type) {
  const uint32_t slot = function.slotCount++;
  if (id)
    slots.emplace(id, slot);
  types.push_back(type);
  definedIn.push_back(current);
  lastPosition.push_back(here());
  return slot;
}

Instruction &FunctionBuilder::emit(Handler run, uint32_t opcode, const SlotList &operands, const SlotList &results) {
  Instruction inst;
  inst.run = run;
  inst.opcode = opcode;
  inst.location = location;
  const auto append = [&](const SlotList &list, uint32_t &first, uint32_t &count) {
    first = uint32_t(function.slots.size());
    count = uint32_t(list.size());
    function.slots.insert(function.slots.end(), list.begin(), list.end());
  };
  append(operands, inst.firstOperand, inst.operandCount);
  append(results, inst.firstResult, inst.resultCount);
  if (!results.empty())
    inst.type = types[results[0]];
  if (!operands.empty() && operands[0] != kNoSlot)
    inst.operandType = types[operands[0]];
  for (uint32_t slot : operands)
    if (slot != kNoSlot)
      uses.push_back({slot, here(), current});
  for (uint32_t slot : results)
    uses.push_back({slot, here(), current});
  function.code.push_back(inst);
  return function.code.back();
}

FunctionBuilder::Region &FunctionBuilder::open(Form form) {
  Region region;
  region.form = form;
  region.parent = current;
  current = uint32_t(regions.size());
  regions.push_back(std::move(region));
  return regions.back();
}

void FunctionBuilder::move(const SlotList &from, const SlotList &to) { emit(runMove, 0, from, to); }

void FunctionBuilder::beginIf(uint32_t condition, SlotList results) {
  const uint32_t branch = here();
  emit(runBranchIfFalse, 0, {condition}, {});
  Region &region = open(Form::If);
  region.branch = branch;
  region.results = std::move(results);
}

void FunctionBuilder::otherwise() {
  const uint32_t jump = here();
  emit(runJump, 0, {}, {});
  const uint32_t then = current;
  function.code[regions[then].branch].target = here();
  current = regions[then].parent;
  Region &region = open(Form::Else);
  region.sibling = then;
  region.exits.push_back(jump);
  region.results = regions[then].results;
}

void FunctionBuilder::beginFor(uint32_t lower, uint32_t upper, uint32_t step, const SlotList &inits, uint32_t induction,
                               SlotList iters, SlotList results) {
  const uint32_t trips = define(0, typeOf(lower));
  SlotList operands{lower, upper, step}, defined{trips, induction};
  operands.insert(operands.end(), inits.begin(), inits.end());
  defined.insert(defined.end(), iters.begin(), iters.end());
  emit(runForBegin, 0, operands, defined);
  Region &region = open(Form::For);
  region.start = region.branch = here();
  region.trips = trips;
  region.induction = induction;
  region.step = step;
  region.carried = std::move(iters);
  region.results = std::move(results);
  emit(runForTest, 0, {trips}, {});
}

void FunctionBuilder::beginWhile(const SlotList &inits, SlotList before, SlotList results) {
  move(inits, before);
  Region &region = open(Form::WhileTest);
  region.start = here();
  region.carried = std::move(before);
  region.results = std::move(results);
}

void FunctionBuilder::condition(uint32_t condition, const SlotList &values) {
  regions[current].branch = here();
  regions[current].passed = values;
  emit(runBranchIfFalse, 0, {condition}, {});
}

void FunctionBuilder::beginDo(SlotList after) {
  move(regions[current].passed, after);
  const uint32_t test = current;
  current = regions[test].parent;
  Region &region = open(Form::WhileBody);
  region.sibling = test;
}

void FunctionBuilder::yield(const SlotList &values) {
  const Region &region = regions[current];
  switch (region.form) {
  case Form::If:
  case Form::Else:
    move(values, SlotList(region.results));
    break;
  case Form::For: {
    SlotList operands{region.trips, region.induction, region.step}, defined{region.trips, region.induction};
    operands.insert(operands.end(), values.begin(), values.end());
    defined.insert(defined.end(), region.carried.begin(), region.carried.end());
    const uint32_t start = region.start;
    emit(runForStep, 0, operands, defined).target = start;
    break;
  }
  case Form::WhileBody: {
    const Region &test = regions[region.sibling];
    const uint32_t start = test.start;
    move(values, SlotList(test.carried));
    emit(runLoopBack, 0, {}, {}).target = start;
    break;
  }
  default:
    break;
  }
}

void FunctionBuilder::end() {
  const uint32_t closed = current;
  const Form form = regions[closed].form;
  const uint32_t end = here();
  switch (form) {
  case Form::If:
    function.code[regions[closed].branch].target = end;
    current = regions[closed].parent;
    move({}, {});
    break;
  case Form::Else:
    for (uint32_t jump : regions[closed].exits)
      function.code[jump].target = end;
    regions[regions[closed].sibling].end = end;
    current = regions[closed].parent;
    move({}, {});
    break;
  case Form::For:
    function.code[regions[closed].branch].target = end;
    current = regions[closed].parent;
    move(SlotList(regions[closed].carried), SlotList(regions[closed].results));
    break;
  case Form::WhileBody: {
    const uint32_t test = regions[closed].sibling;
    function.code[regions[test].branch].target = end;
    regions[test].end = end;
    current = test; // what the test passes on is defined there
    move(SlotList(regions[test].passed), SlotList(regions[test].results));
    current = regions[test].parent;
    break;
  }
  default:
    break;
  }
  regions[closed].end = end;
}

void FunctionBuilder::finish() {
  // A value dies at its last use; if that lies in a region that does not hold the definition, at the end of the
  // outermost such region: a loop may come back to the use, and the other arm of an if never passes it.
  for (const Use &use : uses) {
    uint32_t position = use.position;
    for (uint32_t region = use.region; region != definedIn[use.slot] && region != 0; region = regions[region].parent)
      position = regions[region].end;
    lastPosition[use.slot] = std::max(lastPosition[use.slot], position);
  }
  std::vector<SlotList> dying(function.code.size());
  for (uint32_t slot = uint32_t(function.parameters.size()); slot < function.slotCount; ++slot)
    if (lastPosition[slot] < dying.size())
      dying[lastPosition[slot]].push_back(slot);
  for (uint32_t slot = 0; slot < function.parameters.size(); ++slot)
    dying[lastPosition[slot]].push_back(slot);
  for (size_t i = 0; i < dying.size(); ++i) {
    Instruction &inst = function.code[i];
    if (inst.run == runCall || inst.run == runReturn) {
      // The results of a call arrive later, and a return takes the whole frame away.
      const SlotList results(function.slots.begin() + inst.firstResult,
                             function.slots.begin() + inst.firstResult + inst.resultCount);
      std::erase_if(dying[i], [&](uint32_t slot) {
        return inst.run == runReturn || std::find(results.begin(), results.end(), slot) != results.end();
      });
    }
    inst.firstKill = uint32_t(function.slots.size());
    inst.killCount = uint32_t(dying[i].size());
    function.slots.insert(function.slots.end(), dying[i].begin(), dying[i].end());
  }
}

} // namespace tegula::plugins::reference
