// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running artifacts: devices, buffers, kernels. All of it may be used from several threads; objects keep what they need alive.
#pragma once

#include "targets/host/plugin.h"

namespace tegula::targets {

struct BufferRequest {
  uint64_t size = 0;
  std::string name;                ///< for messages
  uint32_t flags = 0;              ///< TEGULA_BUFFER_FLAGS_...
  uint32_t elementType = 0;        ///< TEGULA_TYPE_..., for messages
  uint64_t alignment = 0;          ///< 0: the device's
  uint64_t foreignAddress = 0;     ///< memory to adopt, which stays the caller's
};

class Buffer {
public:
  ~Buffer();
  uint64_t size() const { return bytes; }
  uint64_t address() const { return where; }
  /// Launches and copies take buffers of one device only.
  bool isOn(const Device &other) const { return device.get() == &other; }
  bool sharesDevice(const Buffer &other) const { return device == other.device; }
  Outcome write(uint64_t offset, const void *data, uint64_t size, base::DiagnosticSink &sink);
  Outcome read(uint64_t offset, void *data, uint64_t size, base::DiagnosticSink &sink);
  Outcome fill(uint64_t offset, uint64_t size, uint8_t byte, base::DiagnosticSink &sink);
  Outcome copyFrom(uint64_t offset, Buffer &from, uint64_t fromOffset, uint64_t size, base::DiagnosticSink &sink);
  /// Renames it and sets its flags for the sanitizer; nothing where the runtime watches nothing.
  Outcome mark(const std::string &name, uint32_t flags, base::DiagnosticSink &sink);

private:
  friend class Device;
  friend class LoadedKernel;
  std::shared_ptr<Device> device;
  tegula_buffer_t *handle = nullptr;
  uint64_t bytes = 0, where = 0;
};

/// One argument of a launch: a buffer and an offset in bytes, or bits.
struct LaunchArgument {
  Buffer *buffer = nullptr;
  uint64_t value = 0;
};

struct Launch {
  uint64_t grid[3] = {1, 1, 1};
  std::vector<LaunchArgument> arguments; ///< in the record's order
  bool sanitize = false;
  CancelFunction cancelled;
};

class LoadedKernel {
public:
  ~LoadedKernel();
  const Artifact &artifact() const { return record; }
  /// Checks count and divisibility of arguments against the record, then launches. Findings go to `sink`; the work may go on after it.
  Outcome launch(const Launch &launch, base::DiagnosticSink &sink);

private:
  friend class Device;
  std::shared_ptr<Device> device;
  tegula_kernel_t *handle = nullptr;
  Artifact record;
};

struct PrintedLine {
  uint64_t program[3] = {0, 0, 0};
  std::string text, file;
  uint32_t line = 0, column = 0;
};

class Device : public std::enable_shared_from_this<Device> {
public:
  ~Device();
  Plugin &plugin() const { return *owner; }
  std::shared_ptr<Buffer> createBuffer(const BufferRequest &request, base::DiagnosticSink &sink);
  std::shared_ptr<LoadedKernel> load(const Artifact &artifact, base::DiagnosticSink &sink);
  /// Waits for all work; what its launches did wrong is reported.
  Outcome synchronize(base::DiagnosticSink &sink);
  std::vector<PrintedLine> drainPrints(base::DiagnosticSink &sink);
  /// Runs `work` (launches) and gives the milliseconds it took on the device, by events or else by the host's clock.
  std::optional<double> time(const std::function<Outcome()> &work, base::DiagnosticSink &sink);

private:
  friend class Plugin;
  friend class Buffer;
  friend class LoadedKernel;
  std::shared_ptr<Plugin> owner;
  tegula_device_t *handle = nullptr;
  std::unique_ptr<HostServices> services; ///< until the device is closed
};

} // namespace tegula::targets
