// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device runtime of a plugin as C++ classes: derive from Device, Buffer and Kernel (and Stream, Event where they exist), and give
// DeviceTable<DeviceClass>::table to TEGULA_DEFINE_PLUGIN. Exceptions are contained as in plugin.hpp. A launch allocates nothing here.
#ifndef TEGULA_DEVICE_HPP
#define TEGULA_DEVICE_HPP

#include "tegula/plugin.hpp"

namespace tegula::plugin {

struct DeviceInfo {
  uint32_t index = 0;
  uint32_t flags = TEGULA_TARGET_FLAGS_NONE;
  std::string name, target, driver;
  uint64_t memoryBytes = 0;
  uint32_t computeUnits = 0;
};

/// What is asked of open. Borrowed for the call, but for `host`, which lives as long as the device.
struct DeviceRequest {
  Host host;
  uint32_t index = 0;
  uint64_t foreignContext = 0;
};

struct BufferRequest {
  uint64_t size = 0, alignment = 0, foreignAddress = 0;
  std::string_view name;
  uint32_t flags = TEGULA_BUFFER_FLAGS_NONE;
  uint32_t elementType = 0;
};

class Stream {
public:
  virtual ~Stream() = default;
};

/// Memory of a device. `stream` NULL is the device's default; ranges that leave the buffer are the implementation's to refuse.
class Buffer {
public:
  virtual ~Buffer() = default;
  virtual uint64_t address() const = 0;
  virtual Status write(Stream *stream, uint64_t offset, const void *data, uint64_t size) = 0;
  virtual Status read(Stream *stream, uint64_t offset, void *data, uint64_t size) = 0;
  virtual Status copyFrom(Stream *stream, uint64_t offset, Buffer &from, uint64_t fromOffset, uint64_t size) = 0;
  virtual Status fill(Stream *stream, uint64_t offset, uint64_t size, uint8_t byte) = 0;
  /// Names the buffer and sets its buffer_flags, for the sanitizer.
  virtual void mark(std::string_view /*name*/, uint32_t /*flags*/) {}
};

class Event {
public:
  virtual ~Event() = default;
  virtual Status record(Stream *stream) = 0;
  /// Milliseconds from `start` to this event.
  virtual Status since(Event &start, double &milliseconds) = 0;
};

/// A launch as it came, with its structs received. Arguments are in the record's order; without them, `packed` holds the bytes.
struct Launch {
  Host host;
  Stream *stream = nullptr;
  uint64_t grid[3] = {1, 1, 1};
  const tegula_launch_argument_t *arguments = nullptr;
  uint64_t argumentCount = 0;
  const void *packed = nullptr;
  uint64_t packedSize = 0;
  uint32_t flags = TEGULA_LAUNCH_FLAGS_NONE;

  /// The buffer of argument `i`, NULL where it is a value.
  Buffer *buffer(uint64_t i) const { return reinterpret_cast<Buffer *>(arguments[i].buffer); }
};

class Kernel {
public:
  virtual ~Kernel() = default;
  virtual Status launch(const Launch &launch) = 0;
};

struct Print {
  uint64_t program[3] = {0, 0, 0};
  std::string text, file;
  uint32_t line = 0, column = 0;
};

/// An open device. `devices` and `open` are static functions of the derived class:
///   static Status devices(Context &, std::vector<DeviceInfo> &);
///   static Status open(Context &, const DeviceRequest &, std::unique_ptr<Device> &);
class Device {
public:
  virtual ~Device() = default;
  virtual Status createBuffer(const BufferRequest &request, std::unique_ptr<Buffer> &buffer) = 0;
  /// `record` is borrowed for the call; NULL where the host has none.
  virtual Status load(const Host &host, const void *artifact, uint64_t size, const tegula_record_t *record,
                      std::unique_ptr<Kernel> &kernel) = 0;
  virtual Status synchronize(Stream *stream, const Host &host) = 0;
  virtual Status createStream(uint64_t /*foreign*/, std::unique_ptr<Stream> & /*stream*/) {
    return Status::failure(TEGULA_RESULT_UNSUPPORTED, "the device has its default stream alone");
  }
  virtual Status createEvent(std::unique_ptr<Event> & /*event*/) {
    return Status::failure(TEGULA_RESULT_UNSUPPORTED, "the device has no events");
  }
  virtual Status drainPrints(std::vector<Print> & /*prints*/) { return {}; }
};

template <class DeviceClass> struct DeviceTable {
  struct Enumerated {
    std::vector<DeviceInfo> devices;
    std::vector<tegula_device_info_t> rows;
  };
  static Device &of(tegula_device_t *device) { return *reinterpret_cast<Device *>(device); }
  static Buffer &of(tegula_buffer_t *buffer) { return *reinterpret_cast<Buffer *>(buffer); }
  static Stream *of(tegula_stream_t *stream) { return reinterpret_cast<Stream *>(stream); }
  static Event &of(tegula_event_t *event) { return *reinterpret_cast<Event *>(event); }

  static int32_t enumerate(tegula_context_t *context, tegula_device_list_t *list, tegula_error_t **error) {
    return detail::guarded(error, [&] {
      Context &self = CompilerTable::of(context);
      auto kept = std::make_shared<Enumerated>();
      if (Status status = DeviceClass::devices(self, kept->devices); !status.ok())
        return status;
      std::vector<tegula_device_info_t> &rows = kept->rows;
      for (const DeviceInfo &device : kept->devices) {
        tegula_device_info_t row = stamped<tegula_device_info_t>();
        row.index = device.index;
        row.flags = device.flags;
        row.name = borrow(device.name);
        row.target = borrow(device.target);
        row.memory_bytes = device.memoryBytes;
        row.compute_units = device.computeUnits;
        row.driver = borrow(device.driver);
        rows.push_back(row);
      }
      CompilerTable::keepDevices(self, kept);
      tegula_device_list_t out = stamped<tegula_device_list_t>();
      out.devices = rows.data();
      out.devices_count = rows.size();
      out.devices_stride = sizeof(tegula_device_info_t);
      give(list, out);
      return Status();
    });
  }
  static int32_t open(tegula_context_t *context, const tegula_device_request_t *sent, tegula_device_t **device, tegula_error_t **error) {
    return detail::guarded(error, [&] {
      tegula_device_request_t in = received(sent);
      std::unique_ptr<Device> made;
      Status status = DeviceClass::open(CompilerTable::of(context), DeviceRequest{Host(in.host), in.index, in.foreign_context}, made);
      *device = reinterpret_cast<tegula_device_t *>(made.release());
      return status;
    });
  }
  static void close(tegula_device_t *device) {
    detail::contained([&] { delete &of(device); });
  }
  static int32_t createBuffer(tegula_device_t *device, const tegula_buffer_request_t *sent, tegula_buffer_t **buffer,
                              tegula_error_t **error) {
    return detail::guarded(error, [&] {
      tegula_buffer_request_t in = received(sent);
      std::unique_ptr<Buffer> made;
      Status status = of(device).createBuffer(
          BufferRequest{in.size, in.alignment, in.foreign_address, view(in.name), in.flags, in.element_type}, made);
      *buffer = reinterpret_cast<tegula_buffer_t *>(made.release());
      return status;
    });
  }
  static void destroyBuffer(tegula_buffer_t *buffer) {
    detail::contained([&] { delete &of(buffer); });
  }
  static int32_t markBuffer(tegula_buffer_t *buffer, const char *name, uint64_t size, uint32_t flags, tegula_error_t **error) {
    return detail::guarded(error, [&] {
      of(buffer).mark(view(name, size), flags);
      return Status();
    });
  }
  static int32_t address(tegula_buffer_t *buffer, uint64_t *address, tegula_error_t **error) {
    return detail::guarded(error, [&] {
      *address = of(buffer).address();
      return Status();
    });
  }
  static int32_t write(tegula_stream_t *stream, tegula_buffer_t *buffer, uint64_t offset, const void *data, uint64_t size,
                       tegula_error_t **error) {
    return detail::guarded(error, [&] { return of(buffer).write(of(stream), offset, data, size); });
  }
  static int32_t read(tegula_stream_t *stream, tegula_buffer_t *buffer, uint64_t offset, void *data, uint64_t size,
                      tegula_error_t **error) {
    return detail::guarded(error, [&] { return of(buffer).read(of(stream), offset, data, size); });
  }
  static int32_t copy(tegula_stream_t *stream, tegula_buffer_t *to, uint64_t toOffset, tegula_buffer_t *from, uint64_t fromOffset,
                      uint64_t size, tegula_error_t **error) {
    return detail::guarded(error, [&] { return of(to).copyFrom(of(stream), toOffset, of(from), fromOffset, size); });
  }
  static int32_t fill(tegula_stream_t *stream, tegula_buffer_t *buffer, uint64_t offset, uint64_t size, uint32_t byte,
                      tegula_error_t **error) {
    return detail::guarded(error, [&] { return of(buffer).fill(of(stream), offset, size, static_cast<uint8_t>(byte)); });
  }
  static int32_t load(tegula_device_t *device, const tegula_load_request_t *sent, tegula_kernel_t **kernel, tegula_error_t **error) {
    return detail::guarded(error, [&] {
      tegula_load_request_t in = received(sent);
      std::unique_ptr<Kernel> made;
      Status status = of(device).load(Host(in.host), in.artifact.data, in.artifact.size, in.record, made);
      *kernel = reinterpret_cast<tegula_kernel_t *>(made.release());
      return status;
    });
  }
  static void unload(tegula_kernel_t *kernel) {
    detail::contained([&] { delete reinterpret_cast<Kernel *>(kernel); });
  }
  static int32_t launch(tegula_kernel_t *kernel, const tegula_launch_t *sent, tegula_error_t **error) {
    return detail::guarded(error, [&] {
      tegula_launch_t in = received(sent);
      Launch out{Host(in.host), of(in.stream), {in.grid_x, in.grid_y, in.grid_z}, in.arguments, in.argument_count,
                 in.packed.data, in.packed.size, in.flags};
      return reinterpret_cast<Kernel *>(kernel)->launch(out);
    });
  }
  static int32_t createStream(tegula_device_t *device, uint64_t foreign, tegula_stream_t **stream, tegula_error_t **error) {
    return detail::guarded(error, [&] {
      std::unique_ptr<Stream> made;
      Status status = of(device).createStream(foreign, made);
      *stream = reinterpret_cast<tegula_stream_t *>(made.release());
      return status;
    });
  }
  static void destroyStream(tegula_stream_t *stream) {
    detail::contained([&] { delete of(stream); });
  }
  static int32_t synchronize(tegula_device_t *device, tegula_stream_t *stream, const tegula_host_t *host, tegula_error_t **error) {
    return detail::guarded(error, [&] { return of(device).synchronize(of(stream), Host(host)); });
  }
  static int32_t createEvent(tegula_device_t *device, tegula_event_t **event, tegula_error_t **error) {
    return detail::guarded(error, [&] {
      std::unique_ptr<Event> made;
      Status status = of(device).createEvent(made);
      *event = reinterpret_cast<tegula_event_t *>(made.release());
      return status;
    });
  }
  static void destroyEvent(tegula_event_t *event) {
    detail::contained([&] { delete &of(event); });
  }
  static int32_t recordEvent(tegula_event_t *event, tegula_stream_t *stream, tegula_error_t **error) {
    return detail::guarded(error, [&] { return of(event).record(of(stream)); });
  }
  static int32_t elapsed(tegula_event_t *start, tegula_event_t *end, double *milliseconds, tegula_error_t **error) {
    return detail::guarded(error, [&] { return of(end).since(of(start), *milliseconds); });
  }
  static int32_t drainPrints(tegula_device_t *device, const tegula_print_sink_t *sink, tegula_error_t **error) {
    return detail::guarded(error, [&] {
      tegula_print_sink_t to = received(sink);
      std::vector<Print> prints;
      Status status = of(device).drainPrints(prints);
      for (const Print &print : prints) {
        tegula_print_t out = stamped<tegula_print_t>();
        out.program_x = print.program[0];
        out.program_y = print.program[1];
        out.program_z = print.program[2];
        out.text = borrow(print.text);
        out.file = borrow(print.file);
        out.line = print.line;
        out.column = print.column;
        to.write(to.user, &out);
      }
      return status;
    });
  }

  static const tegula_device_runtime_t *table() {
    static const tegula_device_runtime_t made = {
        sizeof(tegula_device_runtime_t), 1, enumerate, open, close, createBuffer, destroyBuffer, markBuffer, address, write, read, copy,
        fill, load, unload, launch, createStream, destroyStream, synchronize, createEvent, destroyEvent, recordEvent, elapsed,
        drainPrints};
    return &made;
  }
};

} // namespace tegula::plugin

#endif // TEGULA_DEVICE_HPP
