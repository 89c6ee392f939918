// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instruction loop, frames, and what handlers of several families share.
#include "plugins/reference/exec/executor.h"

#include <algorithm>
#include <cstring>

namespace tegula::plugins::reference {

namespace {
/// An interleaved program that spins on plain memory must let others run: a loop yields after this many instructions.
constexpr uint64_t kSlice = 20'000;
/// How often a program asks whether the launch was cancelled, in instructions.
constexpr uint64_t kPolling = 256;
} // namespace

const Function *Module::kernel(const std::string &name) const {
  for (const auto &function : functions)
    if (function->isKernel && function->name == name)
      return function.get();
  return nullptr;
}

std::string LaunchContext::nameOf(const Buffer &buffer) const {
  if (!buffer.argument.empty())
    return "'" + buffer.argument + "'";
  if (!buffer.name.empty())
    return "'" + buffer.name + "'";
  return "buffer " + std::to_string(buffer.number);
}

std::string LaunchContext::describeElement(const Buffer &buffer, int64_t offset, uint32_t width) const {
  const int64_t index = offset >= 0 ? offset / width : -((-offset + width - 1) / width);
  return "element " + std::to_string(index) + " of " + nameOf(buffer) + " (" + std::to_string(buffer.size / width) +
         " elements of " + std::to_string(width) + (width == 1 ? " byte)" : " bytes)");
}

void Executor::start(Program &starting, uint64_t index) {
  const Function &kernel = *launch.kernel;
  starting.index = index;
  starting.id = {uint32_t(index % launch.grid[0]), uint32_t(index / launch.grid[0] % launch.grid[1]),
                 uint32_t(index / launch.grid[0] / launch.grid[1])};
  starting.steps = 0;
  starting.polled = {};
  starting.unwrittenReads.clear();
  starting.prints.clear();
  starting.printedBytes = 0;
  starting.segment = launch.order->begin();
  starting.slots.clear();
  starting.slots.resize(kernel.slotCount);
  starting.frames.assign(1, Frame{&kernel, 0, 0, 1});
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    Value &value = starting.slots[i];
    value.data = take(8);
    std::memcpy(value.data->data(), &launch.arguments[i], 8); // little-endian: the low bytes are the element
  }
}

void Executor::load(Program &running) {
  program = &running;
  const Frame &frame = running.frames.back();
  function = frame.function;
  next = frame.next;
  lanes = frame.lanes;
  slots = running.slots.data() + frame.slots;
}

void Executor::save() { program->frames.back().next = next; }

Stop Executor::resume(Program &running) {
  load(running);
  stopped = finished = false;
  resumed = running.atYield;
  running.atYield = false;
  sliceEnd = running.steps + kSlice;
  execute(0);
  if (finished || running.done()) {
    running.frames.clear();
    running.slots.clear();
    if (!launch.interleaved)
      accesses.endProgram();
    return Stop::Finished;
  }
  save();
  return Stop::Yield;
}

bool Executor::mustStop(const Instruction &inst) {
  if (program->steps > launch.maxSteps) {
    report(FindingKind::StepLimit, inst, 0, [&](Finding &finding) {
      finding.message = "program " + std::to_string(program->index) + " ran " + std::to_string(launch.maxSteps) +
                        " instructions and is not done";
    });
    return true;
  }
  if (launch.cancelled && !launch.stopAll && launch.cancelled())
    launch.stopAll = true;
  return launch.stopAll;
}

void Executor::execute(size_t depth) {
  while (program->frames.size() > depth) {
    const Function &running = *function;
    const Instruction &inst = running.code[next++];
    const uint32_t base = program->frames.back().slots;
    if ((++program->steps % kPolling == 0 || program->steps > launch.maxSteps) && mustStop(inst))
      return stop();
    inst.run(*this, inst);
    if (finished || program->atYield)
      return;
    Value *values = program->slots.data() + base;
    for (uint32_t i = 0; i < inst.killCount; ++i)
      values[running.slots[inst.firstKill + i]].reset();
    if (stopped)
      return;
  }
}

void Executor::enter(const Function &callee, std::span<const Value> arguments) {
  save();
  const uint32_t base = uint32_t(program->slots.size());
  program->slots.resize(base + callee.slotCount);
  std::copy(arguments.begin(), arguments.end(), program->slots.begin() + base);
  program->frames.push_back({&callee, 0, base, lanes});
  load(*program);
}

void Executor::leave() {
  const Frame frame = program->frames.back();
  program->frames.pop_back();
  program->slots.resize(frame.slots);
  if (program->frames.empty())
    return;
  load(*program);
  if (program->frames.size() == nestedDepth)
    return; // the results stay in `transfer` for runNested
  const Instruction &call = function->code[next - 1];
  for (uint32_t i = 0; i < call.resultCount; ++i)
    result(call, i) = std::move(transfer[i]);
  transfer.clear();
}

bool Executor::runNested(const Function &callee, std::vector<Value> &values, uint32_t count) {
  const auto runOnce = [&](std::vector<Value> &arguments, uint32_t width) {
    const size_t depth = program->frames.size();
    const size_t outer = std::exchange(nestedDepth, depth);
    enter(callee, arguments);
    lanes = program->frames.back().lanes = width;
    execute(depth);
    nestedDepth = outer;
    arguments = std::move(transfer);
    transfer.clear();
  };
  if (callee.liftable || count == 1) {
    runOnce(values, count);
  } else {
    // One element at a time: the function branches, or has effects whose order counts.
    std::vector<Value> results(callee.results.size());
    for (size_t i = 0; i < results.size(); ++i)
      results[i].data = take(size_t(count) * callee.results[i]->width());
    std::vector<Value> one;
    for (uint32_t lane = 0; lane < count && !stopped; ++lane) {
      one.assign(values.size(), {});
      for (size_t i = 0; i < values.size(); ++i) {
        const uint32_t width = callee.parameters[i].type->width();
        one[i].data = take(width);
        std::memcpy(one[i].data->data(), values[i].data->data() + size_t(lane) * width, width);
        if (values[i].taint && values[i].taint->data()[lane]) {
          one[i].taint = take(1);
          one[i].taint->data()[0] = values[i].taint->data()[lane];
          one[i].taint->origins = values[i].taint->origins;
        }
      }
      runOnce(one, 1);
      if (stopped)
        break;
      for (size_t i = 0; i < results.size(); ++i) {
        const uint32_t width = callee.results[i]->width();
        std::memcpy(results[i].data->data() + size_t(lane) * width, one[i].data->data(), width);
        if (!one[i].taint)
          continue;
        if (!results[i].taint) {
          results[i].taint = take(count);
          std::memset(results[i].taint->data(), 0, count);
        }
        results[i].taint->data()[lane] = one[i].taint->data()[0];
        mergeOrigins(results[i].taint.operator->(), one[i].taint.operator->());
      }
    }
    values = std::move(results);
  }
  return !stopped;
}

bool Executor::yieldBefore(const Instruction &inst) {
  if (!launch.interleaved || nestedDepth)
    return false;
  if (std::exchange(resumed, false))
    return false;
  program->stopLocation = inst.location;
  program->atYield = true;
  --next;
  stopped = true;
  return true;
}

void Executor::yieldInLoop(const Instruction &inst) {
  if (!launch.interleaved || nestedDepth || program->steps < sliceEnd)
    return;
  program->stopLocation = inst.location;
  stopped = true;
}

void Executor::noteUnwrittenRead(const Instruction &inst, const Buffer &buffer, int64_t offset, uint32_t width) {
  for (const UnwrittenRead &read : program->unwrittenReads)
    if (read.location == inst.location)
      return;
  program->unwrittenReads.push_back({inst.location, &buffer, offset, width});
}

void Executor::checkInitialised(const Instruction &inst, const Value &value, size_t index, const char *what) {
  if (!value.taint || !(value.taint->data()[index] & kUninitialised))
    return;
  report(FindingKind::Uninitialised, inst, 0, [&](Finding &finding) {
    finding.message = std::string(what) + " depends on memory that was never written";
    const uint32_t origin = value.taint->origins[0];
    for (const UnwrittenRead &read : program->unwrittenReads)
      if (read.location == origin)
        finding.message += ", first " + launch.describeElement(*read.buffer, read.offset, read.width);
    if (origin)
      finding.notes.push_back({"the value was read here", origin});
  });
}

} // namespace tegula::plugins::reference
