// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device runtime: one device, the machine's cores. Work is done when a call returns, so that streams and events are
// not needed.
#pragma once

#include "plugins/reference/launch/launch.h"
#include "tegula/device.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace tegula::plugins::reference {

/// Calls on one device are serialised here too: buffers come and go while no launch runs.
class ReferenceDevice final : public plugin::Device {
public:
  static plugin::Status devices(plugin::Context &context, std::vector<plugin::DeviceInfo> &devices);
  static plugin::Status open(plugin::Context &context, const plugin::DeviceRequest &request,
                             std::unique_ptr<plugin::Device> &device);

  plugin::Status createBuffer(const plugin::BufferRequest &request, std::unique_ptr<plugin::Buffer> &buffer) override;
  plugin::Status load(const plugin::Host &host, const void *artifact, uint64_t size, const tegula_record_t *record,
                      std::unique_ptr<plugin::Kernel> &kernel) override;
  plugin::Status synchronize(plugin::Stream *, const plugin::Host &) override { return {}; }
  plugin::Status drainPrints(std::vector<plugin::Print> &prints) override;

  DeviceMemory memory;
  std::mutex busy; ///< held by whoever uses `memory` or `prints`
  std::vector<plugin::Print> prints;
};

} // namespace tegula::plugins::reference
