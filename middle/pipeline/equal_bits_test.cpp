// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Optimised kernels compute what unoptimised ones do: runs each kernel of a file (see test/random_kernels.py) both ways
// on the reference device and compares every bit of the output; NaNs compare equal.
//
//   equal_bits_test FILE [PIPELINE]
#include "middle/ir/dialect.h"
#include "middle/lower/write_kir.h"
#include "middle/pipeline/pipelines.h"
#include "targets/host/device.h"
#include "targets/host/registry.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

#include <bit>
#include <cmath>
#include <cstdio>

using namespace tegula;

namespace {

constexpr size_t kElements = 1 << 16;
using Words = std::vector<uint32_t>;

/// The reference device with the buffers that all kernels get.
class Machine {
public:
  bool open() {
    targets::SearchOptions options;
    options.files = {TEGULA_REFERENCE_MANIFEST};
    options.useEnvironment = false;
    registry = std::make_unique<targets::Registry>(options);
    target = registry->find("reference", sink);
    if (target)
      device = targets::Plugin::openDevice(target->plugin, 0, sink);
    if (!device)
      return false;
    for (auto &buffer : buffers)
      if (!(buffer = device->createBuffer({.size = kElements * 4}, sink)))
        return false;
    return true;
  }

  /// What the kernel leaves in the output buffers; empty where it does not run.
  Words run(mlir::ModuleOp module, int32_t n, int32_t m) {
    std::vector<uint8_t> kir;
    if (failed(middle::lower::writeKir(module, middle::lower::KirLevel::Tile, kir)))
      return {};
    targets::CompileRequest request;
    request.kir = {reinterpret_cast<const char *>(kir.data()), kir.size()};
    request.target = target->spelled();
    auto artifact = target->plugin->compile(request, sink);
    auto kernel = artifact ? device->load(*artifact, sink) : nullptr;
    if (!kernel)
      return {};
    Words values(kElements);
    targets::Launch launch;
    for (unsigned i = 0; i < 4; ++i) {
      for (size_t k = 0; k < kElements; ++k)
        values[k] = i % 2 ? std::bit_cast<uint32_t>((int(k) % 37 - 11) * 0.37f) : uint32_t(k) * 2654435761u >> k % 29;
      buffers[i]->write(0, values.data(), kElements * 4, sink);
      launch.arguments.push_back({buffers[i].get(), 0});
    }
    for (uint32_t bits : {uint32_t(n), uint32_t(m), std::bit_cast<uint32_t>(1.75f)})
      launch.arguments.push_back({nullptr, bits});
    kernel->launch(launch, sink);
    device->synchronize(sink);
    if (sink.hasErrors())
      return {};
    Words out(2 * kElements);
    buffers[2]->read(0, out.data(), kElements * 4, sink);
    buffers[3]->read(0, out.data() + kElements, kElements * 4, sink);
    return out;
  }

  base::DiagnosticList sink;

private:
  std::unique_ptr<targets::Registry> registry;
  std::optional<targets::Target> target;
  std::shared_ptr<targets::Device> device;
  std::shared_ptr<targets::Buffer> buffers[4];
};

bool equal(const Words &a, const Words &b, unsigned kernel) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i])
      continue;
    float x = std::bit_cast<float>(a[i]), y = std::bit_cast<float>(b[i]);
    if (i >= kElements && std::isnan(x) && std::isnan(y))
      continue;
    std::printf("kernel %u, %s output, element %zu: %08x without passes, %08x with\n", kernel,
                i < kElements ? "int" : "float", i % kElements, a[i], b[i]);
    return false;
  }
  return true;
}

} // namespace

int main(int argc, char **argv) {
  auto text = argc > 1 ? llvm::MemoryBuffer::getFile(argv[1]) : std::make_error_code(std::errc::invalid_argument);
  if (!text) {
    std::puts("usage: equal_bits_test FILE [PIPELINE]");
    return 2;
  }
  Machine machine;
  if (!machine.open()) {
    std::puts("no reference device");
    return 1;
  }
  mlir::DialectRegistry registry;
  middle::tile::registerTileDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  middle::pipeline::PipelineOptions options;
  if (argc > 2)
    options.passes = argv[2];

  llvm::SmallVector<llvm::StringRef> kernels;
  (*text)->getBuffer().split(kernels, "// -----");
  unsigned differences = 0, number = 0;
  for (llvm::StringRef source : kernels) {
    ++number;
    auto module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
    mlir::OwningOpRef<mlir::ModuleOp> optimised = module ? module->clone() : nullptr;
    if (!module || failed(middle::pipeline::runPipeline(*optimised, options))) {
      std::printf("kernel %u does not compile\n", number);
      return 1;
    }
    for (auto [n, m] : {std::pair(5, 0), std::pair(-3, 4), std::pair(0, 6)}) {
      Words plain = machine.run(*module, n, m), fast = machine.run(*optimised, n, m);
      if (plain.empty() || fast.empty()) {
        std::printf("kernel %u does not run\n", number);
        for (const base::Diagnostic &diagnostic : machine.sink.diagnostics())
          std::printf("  %s %s\n", diagnostic.code.c_str(), diagnostic.message.c_str());
        return 1;
      }
      if (!equal(plain, fast, number)) {
        ++differences;
        break;
      }
    }
  }
  std::printf("%u kernels, %u differ\n", number, differences);
  return differences != 0;
}
