// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices, memory and launches behind the C API.
#include "driver/session/api.h"

#include "driver/session/element_type.h"
#include "driver/session/line_filler.h"
#include "sdk/base/nearest_name.h"
#include "driver/session/option_text.h"
#include "driver/session/phase.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::driver;

struct tegula_runtime {
  std::shared_ptr<targets::Device> device;
};

struct tegula_memory {
  std::shared_ptr<targets::Buffer> buffer;
};

namespace {
/// The ABI's number of an element type, for messages; 0 where it is not known.
uint32_t abiType(std::string_view spelling) {
  const ElementType *type = findElementType(spelling);
  if (!type)
    return 0;
  if (!type->isFloat())
    return type->kind == ElementType::Kind::Bool ? TEGULA_TYPE_I1 : type->bytes == 1 ? TEGULA_TYPE_I8 : type->bytes == 2 ? TEGULA_TYPE_I16 : type->bytes == 4 ? TEGULA_TYPE_I32 : TEGULA_TYPE_I64;
  return type->bytes == 1 ? TEGULA_TYPE_F8 : type->name == "bf16" ? TEGULA_TYPE_BF16 : type->bytes == 2 ? TEGULA_TYPE_F16 : type->bytes == 4 ? TEGULA_TYPE_F32 : TEGULA_TYPE_F64;
}

bool fits(const targets::Buffer &buffer, uint64_t offset, uint64_t size) { return offset <= buffer.size() && size <= buffer.size() - offset; }

/// The launch's arguments in the record's order; false after an error.
bool bindValues(const targets::Device &device, const targets::Artifact &artifact, const tegula_launch_options_t &options, std::vector<targets::LaunchArgument> &arguments, tegula_status_t &status,
          base::DiagnosticSink &sink) {
  std::map<std::string, tegula_value_t, std::less<>> values;
  for (uint64_t i = 0; i < options.value_count; ++i) {
    auto value = receiveItem(options.values, i);
    if (!value) {
      status = TEGULA_STATUS_USAGE;
      fail(sink, "D1001", "value " + std::to_string(i) + " of a launch has no size");
      return false;
    }
    values.emplace(std::string(view(value->name)), *value);
  }
  for (const targets::Argument &argument : artifact.arguments) {
    auto it = values.find(argument.name);
    if (it == values.end()) {
      status = TEGULA_STATUS_INPUT;
      fail(sink, "D1109", "no value is given for argument '" + argument.name + "'");
      return false;
    }
    if (it->second.memory && !it->second.memory->buffer->isOn(device)) {
      status = TEGULA_STATUS_USAGE;
      fail(sink, "D1001", "the memory of argument '" + argument.name + "' was created by another runtime", {}, "create it with the runtime that launches");
      return false;
    }
    arguments.push_back({it->second.memory ? it->second.memory->buffer.get() : nullptr, it->second.bits});
  }
  return true;
}
} // namespace

tegula_status_t tegula_runtime_open(tegula_session_t *session, tegula_text_t target, uint32_t index, tegula_runtime_t **runtime, tegula_messages_t *list) {
  Messages messages(list);
  if (!session || !runtime)
    return messages.usage("tegula_runtime_open needs a session and a place for the runtime");
  auto found = session->target(view(target), *messages);
  if (!found)
    return TEGULA_STATUS_NO_TARGET;
  if (!found->plugin->hasDevices()) {
    fail(*messages, "D1503", "plugin '" + found->plugin->name() + "' compiles for '" + found->spelled() + "' and cannot run it", {}, "use `tegula compile`");
    return TEGULA_STATUS_NO_TARGET;
  }
  auto device = targets::Plugin::openDevice(found->plugin, index, *messages);
  if (!device)
    return TEGULA_STATUS_NO_TARGET;
  *runtime = new tegula_runtime{std::move(device)};
  return TEGULA_STATUS_OK;
}

void tegula_runtime_close(tegula_runtime_t *runtime) { delete runtime; }

tegula_status_t tegula_memory_create(tegula_runtime_t *runtime, const tegula_memory_options_t *given, tegula_memory_t **memory, tegula_messages_t *list) {
  Messages messages(list);
  auto options = receive(given);
  if (!runtime || !options || !memory)
    return messages.usage("tegula_memory_create needs a runtime, options with a size, and a place for the memory");
  targets::BufferRequest request;
  request.size = options->size;
  request.foreignAddress = options->foreign_address;
  request.name = view(options->name);
  request.flags = options->flags;
  request.elementType = abiType(view(options->type));
  request.alignment = options->foreign_address ? 0 : 256;
  auto buffer = runtime->device->createBuffer(request, *messages);
  if (!buffer)
    return TEGULA_STATUS_INPUT;
  *memory = new tegula_memory{std::move(buffer)};
  return TEGULA_STATUS_OK;
}

void tegula_memory_destroy(tegula_memory_t *memory) { delete memory; }

tegula_status_t tegula_memory_write(tegula_memory_t *memory, uint64_t offset, const void *data, uint64_t size, tegula_messages_t *list) {
  Messages messages(list);
  if (!memory || !fits(*memory->buffer, offset, size))
    return messages.usage("a write does not fit into its memory");
  return size == 0 ? TEGULA_STATUS_OK : statusOf(memory->buffer->write(offset, data, size, *messages).code);
}

tegula_status_t tegula_memory_read(tegula_memory_t *memory, uint64_t offset, void *data, uint64_t size, tegula_messages_t *list) {
  Messages messages(list);
  if (!memory || !fits(*memory->buffer, offset, size))
    return messages.usage("a read does not fit into its memory");
  return size == 0 ? TEGULA_STATUS_OK : statusOf(memory->buffer->read(offset, data, size, *messages).code);
}

tegula_status_t tegula_memory_copy(tegula_memory_t *to, uint64_t toOffset, tegula_memory_t *from, uint64_t fromOffset, uint64_t size, tegula_messages_t *list) {
  Messages messages(list);
  if (!to || !from || !fits(*to->buffer, toOffset, size) || !fits(*from->buffer, fromOffset, size))
    return messages.usage("a copy does not fit into its memory");
  if (!to->buffer->sharesDevice(*from->buffer))
    return messages.usage("a copy is between memories of two runtimes");
  return size == 0 ? TEGULA_STATUS_OK : statusOf(to->buffer->copyFrom(toOffset, *from->buffer, fromOffset, size, *messages).code);
}

tegula_status_t tegula_memory_get_address(tegula_memory_t *memory, uint64_t *address, tegula_messages_t *list) {
  Messages messages(list);
  if (!memory || !address)
    return messages.usage("tegula_memory_get_address needs a memory and a place for the address");
  *address = memory->buffer->address();
  return TEGULA_STATUS_OK;
}

tegula_status_t tegula_launch(tegula_runtime_t *runtime, const tegula_program_t *program, const tegula_launch_options_t *given, tegula_launch_result_t *result,
                              tegula_messages_t *list) {
  Messages messages(list);
  auto options = receive(given);
  if (!runtime || !program || !options)
    return messages.usage("tegula_launch needs a runtime, a program, and options with a size");
  if (!program->artifact)
    return messages.usage("the program was compiled without a binary");
  for (uint32_t size : options->grid)
    if (size == 0) {
      fail(*messages, "D1304", "a dimension of the grid is 0", {}, "every dimension is at least 1");
      return TEGULA_STATUS_INPUT;
    }
  PhaseScope phase("launch", program->kernel);
  LineFiller sink(*messages, {}, std::nullopt);
  tegula_status_t status = TEGULA_STATUS_OK;
  targets::Launch launch;
  if (!bindValues(*runtime->device, *program->artifact, *options, launch.arguments, status, sink))
    return status;
  std::copy(std::begin(options->grid), std::end(options->grid), launch.grid);
  launch.sanitize = options->sanitize;
  if (options->cancelled)
    launch.cancelled = [cancelled = options->cancelled, user = options->user] { return cancelled(user) != 0; };
  auto kernel = runtime->device->load(*program->artifact, sink);
  if (!kernel)
    return TEGULA_STATUS_INTERNAL;
  targets::Outcome outcome;
  auto once = [&] {
    outcome = kernel->launch(launch, sink);
    if (outcome.ok())
      outcome = runtime->device->synchronize(sink);
    return outcome;
  };
  tegula_launch_result_t out{};
  double begin = millisecondsNow();
  once();
  out.first_ms = millisecondsNow() - begin;
  auto lines = runtime->device->drainPrints(sink);
  if (options->print)
    for (const targets::PrintedLine &line : lines) {
      std::string place = line.line ? line.file + ":" + std::to_string(line.line) + ": " : std::string();
      std::string printed = place + "program (" + std::to_string(line.program[0]) + ", " + std::to_string(line.program[1]) + ", " + std::to_string(line.program[2]) + "): " + line.text;
      options->print(options->user, printed.data(), printed.size());
    }
  std::vector<double> times;
  for (uint32_t i = 0; i < options->repeat && outcome.ok(); ++i)
    if (auto ms = runtime->device->time([&] { return outcome = kernel->launch(launch, sink); }, sink))
      times.push_back(*ms);
  if (options->repeat)
    runtime->device->drainPrints(sink);
  if (!outcome.ok())
    return statusOf(outcome.code);
  std::sort(times.begin(), times.end());
  if (!times.empty())
    out.median_ms = times.size() % 2 ? times[times.size() / 2] : (times[times.size() / 2 - 1] + times[times.size() / 2]) / 2;
  return result ? deliver(result, out) : TEGULA_STATUS_OK;
}
