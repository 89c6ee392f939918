// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two schedulers, and what is checked before and after the programs run.
#include "plugins/reference/launch/launch.h"

#include "plugins/reference/exec/executor.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>

namespace tegula::plugins::reference {

namespace {

/// Programs that are resident at once in an interleaved launch; the others start as these end.
constexpr size_t kResident = 4096;
/// An interleaved launch in which nothing changed for this many turns (and rounds) or instructions is stuck.
constexpr uint64_t kIdleTurns = 1'000'000;
constexpr uint64_t kIdleRounds = 1000;
constexpr uint64_t kIdleSteps = 100'000'000;

struct Printed {
  uint64_t program;
  std::array<uint32_t, 3> id;
  std::vector<PrintLine> lines;
};

/// What one worker leaves behind.
struct WorkerResult {
  FindingLog findings;
  AccessLog accesses;
  std::vector<Printed> printed;
};

class Launch {
public:
  Launch(DeviceMemory &memory, const LaunchRequest &request)
      : memory(memory), request(request), order(request.module->programsCommunicate) {
    context.module = request.module;
    context.kernel = request.kernel;
    context.memory = &memory;
    context.grid = request.grid;
    context.arguments = request.arguments;
    context.sanitize = request.options.sanitize;
    context.interleaved = request.module->programsCommunicate;
    context.tf32 = request.options.tf32;
    context.maxSteps = request.options.maxSteps;
    context.order = &order;
    context.cancelled = request.cancelled;
  }

  LaunchOutcome run() {
    const uint64_t programs = uint64_t(request.grid[0]) * request.grid[1] * request.grid[2];
    if (programs == 0)
      return {};
    bindArguments();
    if (context.interleaved) {
      results.resize(1);
      interleave(programs, results[0]);
    } else {
      runInParallel(programs);
    }
    LaunchOutcome outcome;
    FindingLog all = std::move(early);
    std::vector<Printed> printed;
    for (WorkerResult &result : results) {
      all.merge(std::move(result.findings));
      std::move(result.printed.begin(), result.printed.end(), std::back_inserter(printed));
    }
    if (!context.sanitize) {
      for (Buffer *buffer : arguments) // nobody kept track of what was written
        buffer->written.reset();
    } else if (!context.stopAll) {
      findAllRaces(all);
      if (!all.has(FindingKind::StepLimit) && !all.has(FindingKind::NoProgress)) // else not all programs came to their end
        findUnwritten(all);
    }
    std::sort(printed.begin(), printed.end(), [](const Printed &a, const Printed &b) { return a.program < b.program; });
    for (Printed &print : printed)
      for (PrintLine &line : print.lines)
        outcome.printed.push_back({print.id, std::move(line.text), line.location});
    outcome.findings = all.take();
    for (const Finding &finding : outcome.findings)
      outcome.failed |= infoOf(finding.kind).severity == FindingSeverity::Error ||
                        (finding.kind == FindingKind::NonFinite && request.options.nanIsError);
    outcome.cancelled = context.stopAll;
    releaseArguments();
    return outcome;
  }

private:
  void bindArguments() {
    for (size_t i = 0; i < request.kernel->parameters.size(); ++i) {
      const Parameter &parameter = request.kernel->parameters[i];
      uint64_t value = context.arguments[i];
      if (parameter.type->kind != Kind::Pointer) {
        checkDivisibility(parameter, value);
        continue;
      }
      const Place place = memory.locate(value);
      if (!place.buffer)
        continue;
      context.arguments[i] = place.buffer->address + uint64_t(place.offset);
      checkDivisibility(parameter, place.buffer->hostAddress + uint64_t(place.offset));
      Buffer &buffer = *place.buffer;
      if (buffer.argument.empty()) {
        buffer.argument = parameter.name.empty() ? "argument " + std::to_string(i) : parameter.name;
        buffer.elementBytes = byteWidth(parameter.type->pointee);
        buffer.isLogged = request.kernel->storesAnywhere;
        arguments.push_back(&buffer);
      }
      buffer.isLogged |= parameter.storedThrough;
    }
  }

  void releaseArguments() {
    for (Buffer *buffer : arguments) {
      buffer->argument.clear();
      buffer->isLogged = true;
    }
  }

  void checkDivisibility(const Parameter &parameter, uint64_t value) {
    if (!context.sanitize || parameter.divisibility <= 1)
      return;
    if (parameter.type->width() < 8)
      value &= (uint64_t(1) << (8 * parameter.type->width())) - 1;
    if (value % parameter.divisibility == 0)
      return;
    early.report(FindingKind::DivisibilityPromise, request.kernel->location,
                 uint64_t(&parameter - request.kernel->parameters.data()), 0, 1, [&](Finding &finding) {
                   finding.message = "argument '" + parameter.name + "' is not divisible by " +
                                     std::to_string(parameter.divisibility) + ", for which the kernel was specialised";
                 });
  }

  void finish(WorkerResult &result, Program &program) {
    if (!program.prints.empty())
      result.printed.push_back({program.index, program.id, std::move(program.prints)});
  }
  void finish(WorkerResult &result, Executor &executor) {
    result.findings = std::move(executor.findings);
    result.accesses = std::move(executor.accesses);
  }

  void runInParallel(uint64_t programs) {
    const uint32_t cores =
        request.options.threads ? request.options.threads : std::max(1u, std::thread::hardware_concurrency());
    const uint32_t workers = uint32_t(std::min<uint64_t>(cores, programs));
    const uint64_t chunk = std::clamp<uint64_t>(programs / (uint64_t(workers) * 16), 1, 64);
    std::atomic<uint64_t> nextProgram = 0;
    results.resize(workers);
    std::exception_ptr thrown; // where there is no memory left; goes on in the caller's thread
    std::mutex throwing;
    const auto runPrograms = [&](WorkerResult &result) {
      Executor executor(context);
      Program program;
      for (;;) {
        const uint64_t begin = nextProgram.fetch_add(chunk);
        for (uint64_t index = begin; index < std::min(begin + chunk, programs) && !context.stopAll; ++index) {
          executor.start(program, index);
          executor.resume(program);
          finish(result, program);
        }
        if (begin + chunk >= programs || context.stopAll)
          break;
      }
      program.slots.clear();
      finish(result, executor);
    };
    const auto work = [&](WorkerResult &result) noexcept {
      try {
        runPrograms(result);
      } catch (...) {
        nextProgram = programs; // nobody begins another
        const std::lock_guard lock(throwing);
        thrown = std::current_exception();
      }
    };
    std::vector<std::thread> threads;
    for (uint32_t i = 1; i < workers; ++i) {
      try {
        threads.emplace_back(work, std::ref(results[i]));
      } catch (const std::system_error &) {
        break; // the threads that there are do all
      }
    }
    work(results[0]);
    for (std::thread &thread : threads)
      thread.join();
    if (thrown)
      std::rethrow_exception(thrown);
  }

  void interleave(uint64_t programs, WorkerResult &result) {
    Executor executor(context);
    {
      std::deque<std::unique_ptr<Program>> resident;
      uint64_t started = 0, idleTurns = 0, idleSteps = 0, seenChanges = 0;
      while (started < programs || !resident.empty()) {
        while (resident.size() < kResident && started < programs) {
          resident.push_back(std::make_unique<Program>());
          executor.start(*resident.back(), started++);
        }
        for (size_t i = 0; i < resident.size();) {
          Program &program = *resident[i];
          const uint64_t before = program.steps;
          const bool done = executor.resume(program) == Stop::Finished;
          ++idleTurns;
          idleSteps += program.steps - before;
          if (done || context.memoryChanges != seenChanges) {
            idleTurns = idleSteps = 0;
            seenChanges = context.memoryChanges;
          }
          if (done) {
            finish(result, program);
            resident.erase(resident.begin() + ptrdiff_t(i));
          } else {
            ++i;
          }
        }
        const bool stuck =
            idleTurns > std::max<uint64_t>(kIdleTurns, kIdleRounds * resident.size()) || idleSteps > kIdleSteps;
        if (stuck)
          reportStuck(executor, resident);
        if (stuck || context.stopAll)
          break;
      }
    }
    finish(result, executor);
  }

  void reportStuck(Executor &executor, const std::deque<std::unique_ptr<Program>> &resident) {
    const Program &first = *resident.front();
    executor.findings.report(
        FindingKind::NoProgress, first.stopLocation, 0, first.index, resident.size(), [&](Finding &finding) {
          finding.message = std::to_string(resident.size()) +
                            (resident.size() == 1 ? " program waits" : " programs wait") +
                            " for something that nobody does; program " + std::to_string(first.index) + " is here";
        });
  }

  void findAllRaces(FindingLog &all) {
    std::map<uint32_t, std::vector<const AccessLog::BufferLog *>> byBuffer;
    bool full = false;
    for (const WorkerResult &result : results) {
      full |= result.accesses.full();
      for (const AccessLog::BufferLog &log : result.accesses.buffers)
        byBuffer[log.buffer].push_back(&log);
    }
    if (full)
      all.report(FindingKind::LogFull, request.kernel->location, 0, 0, 1, [](Finding &finding) {
        finding.message = "too many separate accesses: races were looked for in the first ones only";
      });
    for (const auto &[number, logs] : byBuffer) {
      const auto name = [&](uint32_t wanted, uint64_t offset) {
        for (const Buffer *buffer : arguments)
          if (buffer->number == wanted)
            return context.describeElement(*buffer, int64_t(offset), buffer->elementBytes);
        return "byte " + std::to_string(offset) + " of buffer " + std::to_string(wanted);
      };
      findRaces(logs, context.interleaved, order, name, all);
    }
  }

  void findUnwritten(FindingLog &all) {
    for (Buffer *buffer : arguments) {
      if (!buffer->written)
        continue;
      const auto *hole = static_cast<const uint8_t *>(std::memchr(buffer->written.get(), 0, buffer->size));
      if (!hole) {
        buffer->written.reset();
        continue;
      }
      if (!std::exchange(buffer->expectWritten, false))
        continue;
      const uint32_t width = buffer->elementBytes;
      const uint64_t offset = uint64_t(hole - buffer->written.get());
      const uint64_t missing =
          uint64_t(std::count(buffer->written.get(), buffer->written.get() + buffer->size, uint8_t(0)));
      all.report(FindingKind::NeverWritten, request.kernel->location, buffer->number, 0, (missing + width - 1) / width,
                 [&](Finding &finding) {
                   finding.message = "no program wrote " + context.describeElement(*buffer, int64_t(offset), width);
                 });
    }
  }

  DeviceMemory &memory;
  const LaunchRequest &request;
  LaunchContext context;
  ExecutionOrder order;
  FindingLog early;
  std::vector<Buffer *> arguments;
  std::vector<WorkerResult> results;
};

} // namespace

LaunchOutcome launchKernel(DeviceMemory &memory, const LaunchRequest &request) { return Launch(memory, request).run(); }

} // namespace tegula::plugins::reference
