// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the flat code of one function from its structured form: gives values their slots, turns regions into jumps, and
// says after which instruction a value is dead.
#pragma once

#include "plugins/reference/exec/code.h"

#include <initializer_list>
#include <span>
#include <unordered_map>
#include <vector>

namespace tegula::plugins::reference {

using SlotList = std::vector<uint32_t>;

class FunctionBuilder {
public:
  explicit FunctionBuilder(Function &function) : function(function) { regions.push_back({}); }

  /// A new value of the KIR id `id`; 0 makes a value that the code does not name.
  uint32_t define(uint32_t id, const Type *type);
  /// The slot of a value that has been defined; kNoSlot for id 0.
  uint32_t slotOf(uint32_t id) const { return id ? slots.at(id) : kNoSlot; }
  const Type *typeOf(uint32_t slot) const { return types[slot]; }
  uint32_t location = 0; ///< of the instructions that follow

  Instruction &emit(Handler run, uint32_t opcode, const SlotList &operands, const SlotList &results);

  void beginIf(uint32_t condition, SlotList results);
  void otherwise();
  /// The carried values are `iters`, already defined; so is `induction`.
  void beginFor(uint32_t lower, uint32_t upper, uint32_t step, const SlotList &inits, uint32_t induction,
                SlotList iters, SlotList results);
  void beginWhile(const SlotList &inits, SlotList before, SlotList results);
  void condition(uint32_t condition, const SlotList &values);
  void beginDo(SlotList after);
  void yield(const SlotList &values);
  void end();

  /// Works out where values die. Nothing may be emitted afterwards.
  void finish();

private:
  enum class Form { Function, If, Else, For, WhileTest, WhileBody };
  struct Region {
    Form form = Form::Function;
    uint32_t parent = 0; ///< index of the region around it
    uint32_t end = 0;    ///< index of the instruction that every way out of the construct passes
    uint32_t sibling = 0;
    uint32_t branch = 0;         ///< the instruction whose target is not known yet
    uint32_t start = 0;          ///< where a loop goes back to
    std::vector<uint32_t> exits; ///< jumps to the end
    SlotList results, carried, passed;
    uint32_t trips = 0, induction = 0, step = 0;
  };
  struct Use {
    uint32_t slot, position, region;
  };

  Region &open(Form form);
  uint32_t here() const { return uint32_t(function.code.size()); }
  void move(const SlotList &from, const SlotList &to);

  Function &function;
  std::unordered_map<uint32_t, uint32_t> slots;
  std::vector<const Type *> types;
  std::vector<uint32_t> definedIn, lastPosition; ///< by slot
  std::vector<Use> uses;
  std::vector<Region> regions;
  uint32_t current = 0; ///< innermost open region
};

} // namespace tegula::plugins::reference
