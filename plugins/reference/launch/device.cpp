// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers, kernels and launches behind the plugin ABI.
#include "plugins/reference/launch/device.h"

#include "plugins/reference/exec/artifact.h"
#include "plugins/reference/facts.h"
#include "plugins/reference/settings.h"

#include <cstring>
#include <limits>
#include <thread>
#include <unistd.h>

namespace tegula::plugins::reference {

namespace {

using plugin::Status;

Status outside() { return Status::failure(TEGULA_RESULT_INVALID_ARGUMENT, "the range leaves the buffer"); }

class ReferenceBuffer final : public plugin::Buffer {
public:
  ReferenceBuffer(ReferenceDevice &device, uint64_t start) : device(device), start(start) {}
  ~ReferenceBuffer() override {
    const std::lock_guard lock(device.busy);
    device.memory.release(start);
  }

  uint64_t address() const override { return start; }

  Status write(plugin::Stream *, uint64_t offset, const void *data, uint64_t size) override {
    return change(offset, size, [&](uint8_t *bytes) { std::memcpy(bytes, data, size); });
  }
  Status read(plugin::Stream *, uint64_t offset, void *data, uint64_t size) override {
    const std::lock_guard lock(device.busy);
    const uint8_t *bytes = at(offset, size);
    if (!bytes)
      return outside();
    if (size)
      std::memcpy(data, bytes, size);
    return {};
  }
  Status copyFrom(plugin::Stream *, uint64_t offset, plugin::Buffer &from, uint64_t fromOffset,
                  uint64_t size) override {
    const auto &other = static_cast<const ReferenceBuffer &>(from);
    if (&other.device != &device)
      return Status::failure(TEGULA_RESULT_INVALID_ARGUMENT, "the buffers are of two devices");
    const uint8_t *source;
    {
      const std::lock_guard lock(device.busy);
      source = other.at(fromOffset, size);
    }
    if (!source)
      return outside();
    return change(offset, size, [&](uint8_t *bytes) { std::memmove(bytes, source, size); });
  }
  Status fill(plugin::Stream *, uint64_t offset, uint64_t size, uint8_t byte) override {
    return change(offset, size, [&](uint8_t *bytes) { std::memset(bytes, byte, size); });
  }

  void mark(std::string_view name, uint32_t flags) override { watch(name, flags); }
  /// False where there is no memory to note what was written.
  bool watch(std::string_view name, uint32_t flags) {
    const std::lock_guard lock(device.busy);
    device.memory.locate(start).buffer->name = std::string(name);
    return device.memory.watch(start, flags & TEGULA_BUFFER_FLAGS_UNDEFINED, flags & TEGULA_BUFFER_FLAGS_OUTPUT,
                        flags & TEGULA_BUFFER_FLAGS_READ_ONLY);
  }

private:
  /// Bytes of this buffer; null where they leave it, however far.
  uint8_t *at(uint64_t offset, uint64_t size) const {
    return isWithin(*device.memory.locate(start).buffer, offset, size) ? device.memory.bytesAt(start + offset, size) : nullptr;
  }
  /// Lets `f` change bytes, which hold a value afterwards.
  template <class F> Status change(uint64_t offset, uint64_t size, F f) {
    const std::lock_guard lock(device.busy);
    uint8_t *bytes = at(offset, size);
    if (!bytes)
      return outside();
    if (size == 0)
      return {};
    f(bytes);
    device.memory.markWritten(start + offset, size);
    return {};
  }

  ReferenceDevice &device;
  const uint64_t start;
};

class ReferenceKernel final : public plugin::Kernel {
public:
  ReferenceKernel(ReferenceDevice &device, Artifact artifact, Settings settings)
      : device(device), artifact(std::move(artifact)), settings(std::move(settings)) {}

  Status launch(const plugin::Launch &launch) override {
    LaunchRequest request;
    request.module = artifact.module.get();
    request.kernel = artifact.kernel;
    request.options = settings.launchOptions();
    request.options.sanitize |= (launch.flags & TEGULA_LAUNCH_FLAGS_SANITIZE) != 0;
    request.cancelled = [&] { return launch.host.cancelled(); };
    unsigned __int128 programs = 1;
    for (uint32_t axis = 0; axis < 3; ++axis) {
      request.grid[axis] = uint32_t(launch.grid[axis]);
      programs *= launch.grid[axis];
      if (launch.grid[axis] > uint64_t(std::numeric_limits<int32_t>::max()) ||
          programs > std::numeric_limits<uint32_t>::max())
        return Status::failure(TEGULA_RESULT_LIMIT_EXCEEDED,
                               "the grid has more programs than 2^32 - 1, or more than 2^31 - 1 along an axis");
    }
    if (Status status = takeArguments(launch, request.arguments); !status.ok())
      return status;
    const std::lock_guard lock(device.busy);
    LaunchOutcome outcome = launchKernel(device.memory, request);
    for (PrintedLine &line : outcome.printed) {
      const CodeLocation &where = artifact.module->locations[line.location];
      device.prints.push_back({{line.program[0], line.program[1], line.program[2]},
                               std::move(line.text),
                               where.file,
                               where.line,
                               where.column});
    }
    bool onlyAsserts = true;
    for (const Finding &finding : outcome.findings) {
      reportFinding(launch.host, *artifact.module, finding, request.options.nanIsError);
      onlyAsserts &=
          finding.kind == FindingKind::AssertFailed || infoOf(finding.kind).severity != FindingSeverity::Error;
    }
    if (outcome.cancelled)
      return Status::failure(TEGULA_RESULT_CANCELLED, "the launch was cancelled");
    if (!outcome.failed)
      return {};
    const int32_t code = onlyAsserts                ? TEGULA_RESULT_DEVICE_ASSERT
                         : request.options.sanitize ? TEGULA_RESULT_SANITIZER
                                                    : TEGULA_RESULT_DEVICE_FAULT;
    return Status::failure(code, "kernel '" + artifact.kernel->name + "' did something wrong: see the diagnostics");
  }

private:
  Status takeArguments(const plugin::Launch &launch, std::vector<uint64_t> &arguments) const {
    const auto &parameters = artifact.kernel->parameters;
    if (!launch.arguments)
      return unpack(launch, arguments);
    if (launch.argumentCount != parameters.size())
      return Status::failure(TEGULA_RESULT_INVALID_ARGUMENT,
                             "kernel '" + artifact.kernel->name + "' has " + std::to_string(parameters.size()) +
                                 " arguments, not " + std::to_string(launch.argumentCount));
    for (uint64_t i = 0; i < launch.argumentCount; ++i) {
      const plugin::Buffer *buffer = launch.buffer(i);
      arguments.push_back((buffer ? buffer->address() : 0) + launch.arguments[i].value);
    }
    return {};
  }

  /// Arguments from the packed buffer: natural alignment in the order of the record.
  Status unpack(const plugin::Launch &launch, std::vector<uint64_t> &arguments) const {
    uint64_t end = 0;
    for (const Parameter &parameter : artifact.kernel->parameters) {
      const uint64_t size = parameter.type->width(), offset = (end + size - 1) / size * size;
      end = offset + size;
      if (end > launch.packedSize)
        return Status::failure(TEGULA_RESULT_INVALID_ARGUMENT,
                               "the packed arguments end before '" + parameter.name + "'");
      uint64_t value = 0;
      std::memcpy(&value, static_cast<const uint8_t *>(launch.packed) + offset, size);
      arguments.push_back(value);
    }
    return {};
  }

  ReferenceDevice &device;
  const Artifact artifact;
  const Settings settings;
};

} // namespace

Status ReferenceDevice::devices(plugin::Context &, std::vector<plugin::DeviceInfo> &devices) {
  plugin::DeviceInfo info;
  info.name = "reference interpreter";
  info.target = kTargetName;
  info.driver = "built in";
  info.computeUnits = std::max(1u, std::thread::hardware_concurrency());
  info.memoryBytes = uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGESIZE));
  devices.push_back(std::move(info));
  return {};
}

Status ReferenceDevice::open(plugin::Context &, const plugin::DeviceRequest &request,
                             std::unique_ptr<plugin::Device> &device) {
  if (request.index != 0)
    return Status::failure(TEGULA_RESULT_NOT_FOUND, "there is one reference device, number 0");
  if (request.foreignContext)
    return Status::failure(TEGULA_RESULT_UNSUPPORTED, "the reference device has no contexts of a vendor's runtime");
  device = std::make_unique<ReferenceDevice>();
  return {};
}

Status ReferenceDevice::createBuffer(const plugin::BufferRequest &request, std::unique_ptr<plugin::Buffer> &buffer) {
  uint64_t address = 0;
  {
    const std::lock_guard lock(busy);
    address = request.foreignAddress ? memory.adopt(reinterpret_cast<void *>(request.foreignAddress), request.size)
                                     : memory.allocate(request.size);
  }
  if (!address)
    return Status::failure(TEGULA_RESULT_OUT_OF_MEMORY,
                           "no memory for a buffer of " + std::to_string(request.size) + " bytes");
  auto made = std::make_unique<ReferenceBuffer>(*this, address);
  if (!made->watch(request.name, request.flags))
    return Status::failure(TEGULA_RESULT_OUT_OF_MEMORY,
                           "no memory to note which of the " + std::to_string(request.size) + " bytes are written");
  buffer = std::move(made);
  return {};
}

Status ReferenceDevice::load(const plugin::Host &host, const void *bytes, uint64_t size, const tegula_record_t *sent,
                             std::unique_ptr<plugin::Kernel> &kernel) {
  const tegula_record_t record = plugin::received(sent);
  Settings settings;
  settings.takeRecord(sent);
  Artifact artifact;
  ArtifactError error;
  if (!loadArtifact(bytes, size, std::string(plugin::view(record.entry)), artifact, error)) {
    plugin::Diagnostic diagnostic;
    diagnostic.code = error.code;
    diagnostic.message = error.message;
    host.report(diagnostic);
    return Status::failure(TEGULA_RESULT_INVALID_ARGUMENT, error.message);
  }
  kernel = std::make_unique<ReferenceKernel>(*this, std::move(artifact), std::move(settings));
  return {};
}

Status ReferenceDevice::drainPrints(std::vector<plugin::Print> &drained) {
  const std::lock_guard lock(busy);
  drained = std::move(prints);
  prints.clear();
  return {};
}

} // namespace tegula::plugins::reference
