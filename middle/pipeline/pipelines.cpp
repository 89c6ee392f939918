// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pipelines are text: what runs is what is printed.
#include "middle/pipeline/pipelines.h"

#include "middle/transform/register_passes.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/Timing.h"
#include "llvm/ADT/StringExtras.h"

#include <mutex>

using namespace mlir;

namespace tegula::middle::pipeline {
namespace {

/// Inlining first, so that everything else sees whole kernels; unrolling late, when loops are as small as they get.
/// Merging of carried values leaves dead ones, which the last canonicalisation takes away.
constexpr llvm::StringLiteral kO2 =
    "inline,canonicalize,sccp,cse,tegula-combine-ops{allow-reassociation=@},tegula-reorder-broadcasts,"
    "canonicalize,cse,tegula-hoist-invariants,tegula-unroll-loops,tegula-merge-carried,tegula-drop-carried,cse,"
    "canonicalize,symbol-dce";

void registerPassesOnce() {
  static std::once_flag once;
  std::call_once(once, transform::registerPasses);
}

/// Configures the printing of IR after passes: after each that changed something, or after the one that was asked for.
class DumpConfig : public PassManager::IRPrinterConfig {
public:
  DumpConfig(llvm::raw_ostream &out, StringRef pass)
      : IRPrinterConfig(/*printModuleScope=*/false, /*printAfterOnlyOnChange=*/pass.empty()), out(out), pass(pass) {}
  void printAfterIfEnabled(Pass *finished, Operation *, PrintCallbackFn print) final {
    if (pass.empty() || finished->getArgument() == pass || finished->getName() == pass)
      print(out);
  }

private:
  llvm::raw_ostream &out;
  std::string pass;
};

} // namespace

std::string getPipelineText(const PipelineOptions &options) {
  if (!options.passes.empty())
    return options.passes;
  if (options.level == OptLevel::O0)
    return {};
  std::string text = kO2.str();
  text.replace(text.find('@'), 1, options.allowReassociation ? "true" : "false");
  return text;
}

LogicalResult runPipeline(ModuleOp module, const PipelineOptions &options) {
  registerPassesOnce();
  if (failed(verify(module)))
    return failure();
  std::string text = getPipelineText(options);
  if (text.empty())
    return success();
  PassManager manager(module->getName());
  manager.enableVerifier(options.verifyEach);
  std::string problem;
  llvm::raw_string_ostream problems(problem);
  if (failed(parsePassPipeline(text, manager, problems)))
    return module.emitError() << "[M1006] cannot read pipeline '" << text << "': " << problem;

  DefaultTimingManager timing;
  TimingScope scope;
  if (options.timing) {
    timing.setEnabled(true);
    timing.setOutput(createOutputStrategy(DefaultTimingManager::OutputFormat::Text, *options.timing));
    scope = timing.getRootScope();
    manager.enableTiming(scope);
  }
  if (options.dump)
    manager.enableIRPrinting(std::make_unique<DumpConfig>(*options.dump, options.dumpPass));
  if (!options.reproducer.empty())
    manager.enableCrashReproducerGeneration(options.reproducer);
  return manager.run(module);
}

void registerPipelines() {
  registerPassesOnce();
  static std::once_flag once;
  std::call_once(once, [] {
    for (auto [name, level, what] : {std::tuple("tile-O0", OptLevel::O0, "Nothing: the IR as the frontend made it"),
                                     std::tuple("tile-O2", OptLevel::O2, "The optimising pipeline of tile IR")})
      registerPassPipeline(
          name, what,
          [level = level](OpPassManager &manager, StringRef options,
                          function_ref<LogicalResult(const Twine &)> fail) -> LogicalResult {
            PipelineOptions which{.level = level, .allowReassociation = options == "allow-reassociation"};
            return parsePassPipeline(getPipelineText(which), manager);
          },
          [](function_ref<void(const detail::PassOptions &)>) {});
  });
}

} // namespace tegula::middle::pipeline
