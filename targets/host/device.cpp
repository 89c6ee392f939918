// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls into the device table.
#include "targets/host/device.h"

#include <chrono>

namespace tegula::targets {

using plugin::received;
using plugin::stamped;

namespace {
/// A tree in the form that the SDK sends.
plugin::Node nodeOf(const facts::Tree &tree) {
  plugin::Node node;
  node.key = tree.key;
  node.kind = static_cast<uint32_t>(tree.kind); // the same numbers
  node.flags = tree.mustUnderstand ? TEGULA_NODE_FLAGS_MUST_UNDERSTAND : TEGULA_NODE_FLAGS_NONE;
  node.integer = tree.integer;
  node.number = tree.number;
  node.text = tree.text;
  for (const facts::Tree &child : tree.children)
    node.children.push_back(nodeOf(child));
  return node;
}
} // namespace

std::vector<DeviceInfo> Plugin::devices(base::DiagnosticSink &sink) {
  std::vector<DeviceInfo> found;
  if (!hasDevices())
    return found;
  auto lock = enter();
  tegula_device_list_t list = stamped<tegula_device_list_t>();
  tegula_error_t *error = nullptr;
  int32_t code = runtime.enumerate(context, &list, &error);
  if (!finish(code, error, pluginName, sink).ok())
    return found;
  plugin::each(list.devices, list.devices_count, list.devices_stride, [&](const tegula_device_info_t &device) {
    found.push_back({device.index, std::string(viewOf(device.name)), std::string(viewOf(device.target)), std::string(viewOf(device.driver)),
                     device.memory_bytes, device.compute_units, (device.flags & TEGULA_TARGET_FLAGS_BY_NAME_ONLY) != 0});
  });
  return found;
}

std::shared_ptr<Device> Plugin::openDevice(std::shared_ptr<Plugin> plugin, uint32_t index, base::DiagnosticSink &sink,
                                           uint64_t foreignContext) {
  if (!plugin->hasDevices()) {
    sink.report({base::Severity::Error, "T1023", "plugin '" + plugin->name() + "' compiles only: it has no device runtime", {}, {}, {}});
    return nullptr;
  }
  auto device = std::make_shared<Device>();
  device->services = std::make_unique<HostServices>(&sink, CancelFunction(), LogFunction(), plugin->settingsOptions);
  tegula_device_request_t request = stamped<tegula_device_request_t>();
  request.host = device->services->table();
  request.index = index;
  request.foreign_context = foreignContext;
  auto lock = plugin->enter();
  tegula_error_t *error = nullptr;
  int32_t code = plugin->runtime.open_device(plugin->context, &request, &device->handle, &error);
  Outcome outcome = finish(code, error, plugin->name(), sink, device->services->errorsReported());
  device->services->detach(); // the sink is borrowed for this call
  if (!outcome.ok() || !device->handle) {
    device->handle = nullptr;
    return nullptr;
  }
  device->owner = std::move(plugin);
  return device;
}

Device::~Device() {
  if (!handle)
    return;
  auto lock = owner->enter();
  owner->runtime.close_device(handle);
}

std::shared_ptr<Buffer> Device::createBuffer(const BufferRequest &request, base::DiagnosticSink &sink) {
  tegula_buffer_request_t in = stamped<tegula_buffer_request_t>();
  in.size = request.size;
  in.alignment = request.alignment;
  in.foreign_address = request.foreignAddress;
  in.name = borrow(request.name);
  in.flags = request.flags;
  in.element_type = request.elementType;
  auto buffer = std::make_shared<Buffer>();
  auto lock = owner->enter();
  tegula_error_t *error = nullptr;
  int32_t code = owner->runtime.create_buffer(handle, &in, &buffer->handle, &error);
  if (!finish(code, error, owner->name(), sink).ok()) {
    buffer->handle = nullptr;
    return nullptr;
  }
  error = nullptr;
  code = owner->runtime.get_buffer_address(buffer->handle, &buffer->where, &error);
  bool ok = finish(code, error, owner->name(), sink).ok();
  lock = {}; // a buffer that is dropped here enters the plugin again
  buffer->device = shared_from_this();
  buffer->bytes = request.size;
  return ok ? buffer : nullptr;
}

Buffer::~Buffer() {
  if (!handle || !device)
    return;
  auto lock = device->owner->enter();
  device->owner->runtime.destroy_buffer(handle);
}

Outcome Buffer::write(uint64_t offset, const void *data, uint64_t size, base::DiagnosticSink &sink) {
  auto lock = device->owner->enter();
  tegula_error_t *error = nullptr;
  int32_t code = device->owner->runtime.write_buffer(nullptr, handle, offset, data, size, &error);
  return finish(code, error, device->owner->name(), sink);
}

Outcome Buffer::read(uint64_t offset, void *data, uint64_t size, base::DiagnosticSink &sink) {
  auto lock = device->owner->enter();
  tegula_error_t *error = nullptr;
  int32_t code = device->owner->runtime.read_buffer(nullptr, handle, offset, data, size, &error);
  return finish(code, error, device->owner->name(), sink);
}

Outcome Buffer::fill(uint64_t offset, uint64_t size, uint8_t byte, base::DiagnosticSink &sink) {
  auto lock = device->owner->enter();
  tegula_error_t *error = nullptr;
  int32_t code = device->owner->runtime.fill_buffer(nullptr, handle, offset, size, byte, &error);
  return finish(code, error, device->owner->name(), sink);
}

Outcome Buffer::copyFrom(uint64_t offset, Buffer &from, uint64_t fromOffset, uint64_t size, base::DiagnosticSink &sink) {
  auto lock = device->owner->enter();
  tegula_error_t *error = nullptr;
  int32_t code = device->owner->runtime.copy_buffer(nullptr, handle, offset, from.handle, fromOffset, size, &error);
  return finish(code, error, device->owner->name(), sink);
}

Outcome Buffer::mark(const std::string &name, uint32_t flags, base::DiagnosticSink &sink) {
  auto &runtime = device->owner->runtime;
  if (!runtime.mark_buffer)
    return {};
  auto lock = device->owner->enter();
  tegula_error_t *error = nullptr;
  int32_t code = runtime.mark_buffer(handle, name.data(), name.size(), flags, &error);
  return finish(code, error, device->owner->name(), sink);
}

std::shared_ptr<LoadedKernel> Device::load(const Artifact &artifact, base::DiagnosticSink &sink) {
  auto kernel = std::make_shared<LoadedKernel>();
  kernel->record = artifact;
  plugin::Artifact sent;
  sent.entry = artifact.entry;
  sent.target = artifact.target;
  sent.format = artifact.format;
  sent.fingerprint = artifact.fingerprint;
  sent.arguments = artifact.arguments;
  sent.folded = artifact.folded;
  for (const HiddenArgument &hidden : artifact.hidden) {
    tegula_hidden_argument_t &to = sent.hidden.emplace_back(stamped<tegula_hidden_argument_t>());
    to.kind = hidden.kind;
    to.offset = hidden.offset;
    to.size = hidden.size;
  }
  sent.argumentBytes = artifact.argumentBytes;
  sent.lanes = artifact.lanes;
  sent.warps = artifact.warps;
  sent.staticSharedBytes = artifact.staticSharedBytes;
  sent.dynamicSharedBytes = artifact.dynamicSharedBytes;
  sent.scratchBytes = artifact.scratchBytes;
  sent.printStrings = artifact.printStrings;
  for (const facts::Tree &resource : artifact.resources)
    sent.resources.push_back(nodeOf(resource));

  // The SDK makes the record's C form and lends it to a callback: the load happens inside.
  struct Call {
    Device *device;
    LoadedKernel *kernel;
    base::DiagnosticSink *sink;
    Outcome outcome;
  } call{this, kernel.get(), &sink, {TEGULA_RESULT_INTERNAL}};
  tegula_sink_t to = stamped<tegula_sink_t>();
  to.user = &call;
  to.record = [](void *user, const tegula_record_t *record) -> int32_t {
    auto &call = *static_cast<Call *>(user);
    Plugin &owner = *call.device->owner;
    HostServices services(call.sink, CancelFunction(), LogFunction(), owner.settingsOptions);
    tegula_load_request_t request = stamped<tegula_load_request_t>();
    request.host = services.table();
    request.artifact = {call.kernel->record.bytes.data(), call.kernel->record.bytes.size()};
    request.record = record;
    auto lock = owner.enter();
    tegula_error_t *error = nullptr;
    int32_t code = owner.runtime.load(call.device->handle, &request, &call.kernel->handle, &error);
    call.outcome = finish(code, error, owner.name(), *call.sink, services.errorsReported());
    return TEGULA_RESULT_OK;
  };
  plugin::CompilerTable::sendRecord(sent, to);
  if (!call.outcome.ok())
    kernel->handle = nullptr;
  kernel->device = shared_from_this();
  return kernel->handle ? kernel : nullptr;
}

LoadedKernel::~LoadedKernel() {
  if (!handle || !device)
    return;
  auto lock = device->owner->enter();
  device->owner->runtime.unload(handle);
}

Outcome LoadedKernel::launch(const Launch &launch, base::DiagnosticSink &sink) {
  auto refuse = [&](const char *code, std::string message) {
    sink.report({base::Severity::Error, code, std::move(message), {}, {}, {}});
    return Outcome{TEGULA_RESULT_INVALID_ARGUMENT};
  };
  if (launch.arguments.size() != record.arguments.size())
    return refuse("T1032", "'" + record.entry + "' takes " + std::to_string(record.arguments.size()) + " arguments, " +
                               std::to_string(launch.arguments.size()) + " were given");
  std::vector<tegula_launch_argument_t> arguments;
  arguments.reserve(launch.arguments.size());
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    const LaunchArgument &given = launch.arguments[i];
    const Argument &wanted = record.arguments[i];
    uint64_t value = given.value + (given.buffer ? given.buffer->where : 0);
    if (wanted.divisibility > 1 && value % wanted.divisibility)
      return refuse("T1031", "argument '" + wanted.name + "' of '" + record.entry + "' was compiled to be divisible by " +
                                 std::to_string(wanted.divisibility) + ", " + (given.buffer ? "its address" : "it") + " is " +
                                 std::to_string(value));
    arguments.push_back({given.buffer ? given.buffer->handle : nullptr, given.value});
  }
  Plugin &owner = *device->owner;
  HostServices services(&sink, launch.cancelled, LogFunction(), owner.settingsOptions);
  if (record.format == "kir")
    services.setModule(record.bytes);
  tegula_launch_t in = stamped<tegula_launch_t>();
  in.host = services.table();
  in.grid_x = launch.grid[0];
  in.grid_y = launch.grid[1];
  in.grid_z = launch.grid[2];
  in.arguments = arguments.data();
  in.argument_count = arguments.size();
  in.flags = launch.sanitize ? TEGULA_LAUNCH_FLAGS_SANITIZE : TEGULA_LAUNCH_FLAGS_NONE;
  auto lock = owner.enter();
  tegula_error_t *error = nullptr;
  int32_t code = owner.runtime.launch(handle, &in, &error);
  return finish(code, error, owner.name(), sink, services.errorsReported());
}

Outcome Device::synchronize(base::DiagnosticSink &sink) {
  HostServices services(&sink, CancelFunction(), LogFunction(), owner->settingsOptions);
  auto lock = owner->enter();
  tegula_error_t *error = nullptr;
  int32_t code = owner->runtime.synchronize(handle, nullptr, services.table(), &error);
  return finish(code, error, owner->name(), sink, services.errorsReported());
}

std::vector<PrintedLine> Device::drainPrints(base::DiagnosticSink &sink) {
  std::vector<PrintedLine> lines;
  if (!owner->runtime.drain_prints)
    return lines;
  tegula_print_sink_t to = stamped<tegula_print_sink_t>();
  to.user = &lines;
  to.write = [](void *user, const tegula_print_t *sent) {
    tegula_print_t in = received(sent);
    static_cast<std::vector<PrintedLine> *>(user)->push_back({{in.program_x, in.program_y, in.program_z}, std::string(viewOf(in.text)),
                                                              std::string(viewOf(in.file)), in.line, in.column});
  };
  auto lock = owner->enter();
  tegula_error_t *error = nullptr;
  int32_t code = owner->runtime.drain_prints(handle, &to, &error);
  finish(code, error, owner->name(), sink);
  return lines;
}

std::optional<double> Device::time(const std::function<Outcome()> &work, base::DiagnosticSink &sink) {
  const tegula_device_runtime_t &runtime = owner->runtime;
  tegula_event_t *events[2] = {nullptr, nullptr};
  auto call = [&](auto f) {
    auto lock = owner->enter();
    tegula_error_t *error = nullptr;
    int32_t code = f(&error);
    takeMessage(error);
    return code == TEGULA_RESULT_OK;
  };
  bool hasEvents = runtime.create_event && runtime.destroy_event && runtime.record_event && runtime.elapsed;
  for (tegula_event_t *&event : events)
    hasEvents = hasEvents && call([&](tegula_error_t **error) { return runtime.create_event(handle, &event, error); });
  auto begin = std::chrono::steady_clock::now();
  hasEvents = hasEvents && call([&](tegula_error_t **error) { return runtime.record_event(events[0], nullptr, error); });
  bool ok = work().ok();
  double milliseconds = 0;
  hasEvents = hasEvents && call([&](tegula_error_t **error) { return runtime.record_event(events[1], nullptr, error); }) &&
              call([&](tegula_error_t **error) { return runtime.elapsed(events[0], events[1], &milliseconds, error); });
  ok = ok && synchronize(sink).ok();
  if (!hasEvents)
    milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  for (tegula_event_t *event : events)
    if (event && runtime.destroy_event) {
      auto lock = owner->enter();
      runtime.destroy_event(event);
    }
  return ok ? std::optional<double>(milliseconds) : std::nullopt;
}

} // namespace tegula::targets
