// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs programs of one launch on one worker thread. A program is a stack of frames over a stack of slots and nothing of
// it is on the C++ stack, so it can be put aside at any instruction and resumed; only combine functions of reduce and
// scan run nested, to their end. The handlers of the instruction families are in the other files of this folder.
#pragma once

#include "plugins/reference/exec/code.h"
#include "plugins/reference/exec/tile.h"
#include "plugins/reference/memory/device_memory.h"
#include "plugins/reference/sanitizer/findings.h"
#include "plugins/reference/sanitizer/order.h"
#include "plugins/reference/sanitizer/races.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tegula::plugins::reference {

/// What all workers of a launch share. Constant while programs run, except `order` and `memoryChanges`, which only
/// kernels that run on one thread use, and `stopAll`.
struct LaunchContext {
  const Module *module = nullptr;
  const Function *kernel = nullptr;
  DeviceMemory *memory = nullptr;
  std::array<uint32_t, 3> grid{1, 1, 1};
  std::vector<uint64_t> arguments; ///< bit patterns, one per parameter
  bool sanitize = true;
  bool interleaved = false; ///< programs take turns on one thread
  bool tf32 = false;
  uint64_t maxSteps = 100'000'000;
  ExecutionOrder *order = nullptr;
  std::function<bool()> cancelled;   ///< asked every few hundred instructions, from any worker; may be empty
  std::atomic<bool> stopAll = false; ///< somebody said yes
  uint64_t memoryChanges = 0;        ///< counts stores and atomics that changed memory

  std::string nameOf(const Buffer &buffer) const;
  /// "element 12 of 'x_ptr' (1024 elements)".
  std::string describeElement(const Buffer &buffer, int64_t offset, uint32_t width) const;
};

/// Something printed: one line, without the program's index.
struct PrintLine {
  std::string text;
  uint32_t location = 0;
};

struct Frame {
  const Function *function = nullptr;
  uint32_t next = 0;  ///< index of the next instruction
  uint32_t slots = 0; ///< first slot in Program::slots
  uint32_t lanes = 1; ///< how many elements a scalar of this frame has (combine functions)
};

/// One program of the grid.
/// The first element without a value that a load read.
struct UnwrittenRead {
  uint32_t location = 0; ///< of the load
  const Buffer *buffer = nullptr;
  int64_t offset = 0;    ///< in bytes from the buffer's begin
  uint32_t width = 0;    ///< in bytes
};

struct Program {
  uint64_t index = 0;
  std::array<uint32_t, 3> id{};
  std::vector<Value> slots;
  std::vector<Frame> frames;
  uint64_t steps = 0;
  SegmentId segment = 0;
  Access polled{};           ///< the last atomic read that was written down: a program that spins repeats it
  uint32_t polledBuffer = 0; ///< and its buffer's number
  std::vector<UnwrittenRead> unwrittenReads; ///< one a location, so that a finding can name what was read there
  std::vector<PrintLine> prints;
  size_t printedBytes = 0;
  uint32_t stopLocation = 0; ///< where it last yielded
  bool atYield = false;      ///< it stands at an instruction that has already yielded

  bool done() const { return frames.empty(); }
};

enum class Stop : uint8_t { Yield, Finished };

class Executor {
public:
  explicit Executor(LaunchContext &launch) : launch(launch) {}

  /// Makes `program` ready to run as number `index` of the grid.
  void start(Program &program, uint64_t index);
  /// Runs it to its end or, in an interleaved launch, to its next yield.
  Stop resume(Program &program);

  // For the handlers.

  Value &slot(uint32_t index) { return slots[index]; }
  uint32_t operandSlot(const Instruction &inst, uint32_t i) const { return function->slots[inst.firstOperand + i]; }
  bool hasOperand(const Instruction &inst, uint32_t i) const {
    return i < inst.operandCount && operandSlot(inst, i) != kNoSlot;
  }
  Value &operand(const Instruction &inst, uint32_t i) { return slots[operandSlot(inst, i)]; }
  Value &result(const Instruction &inst, uint32_t i = 0) { return slots[function->slots[inst.firstResult + i]]; }
  template <class T> T scalar(const Instruction &inst, uint32_t i) { return *operand(inst, i).data.as<T>(); }

  /// Number of elements of a value of this type in the running frame.
  size_t countOf(const Type &type) const { return size_t(type.count) * lanes; }
  TileRef take(size_t bytes) { return TileRef(pool.take(bytes)); }
  /// A tile for the result's elements.
  TileRef takeFor(const Type &type) { return take(countOf(type) * type.width()); }

  void jump(uint32_t target) { next = target; }
  void enter(const Function &callee, std::span<const Value> arguments);
  /// Leaves the running frame and gives its results, in `transfer`, to the call.
  void leave();
  /// Runs `callee` on values of `count` elements each, to its end; results replace `values`. False where the
  /// program was ended in it: the handler returns at once.
  bool runNested(const Function &callee, std::vector<Value> &values, uint32_t count);
  /// Lets other programs run, once: returns true where the handler should return at once, to be run again when resumed.
  bool yieldBefore(const Instruction &inst);
  /// At the back edge of a loop, after the jump: lets others run when this program has had its share.
  void yieldInLoop(const Instruction &inst);
  /// Ends the program here.
  void stop() { stopped = finished = true; }

  void report(FindingKind kind, const Instruction &inst, uint64_t key, const FindingLog::Describe &describe,
              uint64_t occurrences = 1) {
    findings.report(kind, inst.location, key, program->index, occurrences, describe);
  }
  /// Remembers that the load `inst` read an element that nobody wrote; the first of a location is kept.
  void noteUnwrittenRead(const Instruction &inst, const Buffer &buffer, int64_t offset, uint32_t width);
  /// Reports where an uninitialised element decides something ("the mask", "a branch").
  void checkInitialised(const Instruction &inst, const Value &value, size_t index, const char *what);

  bool sanitizing() const { return launch.sanitize; }

  LaunchContext &launch;
  TilePool pool; // first of the members that hold tiles: they must go before it does
  FindingLog findings;
  AccessLog accesses;
  Program *program = nullptr;
  std::vector<Value> transfer; ///< values on their way into or out of a frame
  Buffer *recentBuffer = nullptr;

private:
  void load(Program &running);
  void save();
  void execute(size_t depth);
  bool mustStop(const Instruction &inst);

  const Function *function = nullptr;
  Value *slots = nullptr;
  uint32_t next = 0;
  uint32_t lanes = 1;
  size_t nestedDepth = 0; ///< frames below the innermost nested run; 0: none
  bool stopped = false;
  bool finished = false;
  bool resumed = false;  ///< the instruction about to run has already yielded
  uint64_t sliceEnd = 0; ///< step count at which a loop yields
};

// Handlers, by family. Immediates are described where a handler is defined.
#define TEGULA_HANDLER(name) void name(Executor &, const Instruction &);
// control.cpp
TEGULA_HANDLER(runJump)
TEGULA_HANDLER(runMove)
TEGULA_HANDLER(runBranchIfFalse)
TEGULA_HANDLER(runForBegin)
TEGULA_HANDLER(runForTest)
TEGULA_HANDLER(runForStep)
TEGULA_HANDLER(runLoopBack)
TEGULA_HANDLER(runCall)
TEGULA_HANDLER(runReturn)
// elementwise.cpp
TEGULA_HANDLER(runConstant)
TEGULA_HANDLER(runArange)
TEGULA_HANDLER(runProgramId)
TEGULA_HANDLER(runNumPrograms)
TEGULA_HANDLER(runPoison)
TEGULA_HANDLER(runIntegerBinary)
TEGULA_HANDLER(runCompare)
TEGULA_HANDLER(runFloatBinary)
TEGULA_HANDLER(runIntegerUnary)
TEGULA_HANDLER(runFloatUnary)
TEGULA_HANDLER(runFloatTernary)
TEGULA_HANDLER(runSelect)
TEGULA_HANDLER(runResize)
TEGULA_HANDLER(runFloatCast)
TEGULA_HANDLER(runSame)
// shape.cpp
TEGULA_HANDLER(runSplat)
TEGULA_HANDLER(runIndexMap)
TEGULA_HANDLER(runJoin)
TEGULA_HANDLER(runSplit)
TEGULA_HANDLER(runConcat)
TEGULA_HANDLER(runGather)
TEGULA_HANDLER(runHistogram)
// reduce.cpp, dot.cpp
TEGULA_HANDLER(runReduce)
TEGULA_HANDLER(runScan)
TEGULA_HANDLER(runDot)
// pointers.cpp, atomics.cpp
TEGULA_HANDLER(runAddPointer)
TEGULA_HANDLER(runLoad)
TEGULA_HANDLER(runStore)
TEGULA_HANDLER(runAtomicUpdate)
TEGULA_HANDLER(runAtomicCompareSwap)
// effects.cpp
TEGULA_HANDLER(runBarrier)
TEGULA_HANDLER(runPrint)
TEGULA_HANDLER(runAssert)
TEGULA_HANDLER(runAssume)
#undef TEGULA_HANDLER

} // namespace tegula::plugins::reference
