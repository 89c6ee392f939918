// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The frontend's entry: reads the file, finds and specialises the kernel, and walks its body into a TileBuilder.
#include "frontend/emit/compile.h"

#include "frontend/emit/tile_builder.h"
#include "frontend/sema/frame.h"
#include "frontend/sema/modules.h"
#include "frontend/sema/specialise.h"

namespace tegula::frontend {

struct Session::Impl {
  std::shared_ptr<sema::ModuleLoader::TreeCache> trees = sema::ModuleLoader::makeTreeCache();
};

Session::Session() : impl(std::make_unique<Impl>()) {}
Session::~Session() = default;

namespace {
bool buildBody(sema::Evaluator &ev, emit::TileBuilder &builder, const sema::Specialisation &kernel) {
  const sema::FunctionObject &function = *kernel.function;
  builder.setLocation(*function.module->tree->source, function.def->nameRange);
  emit::Values arguments = builder.beginKernel(function.name, kernel.arguments);
  auto scope = std::make_shared<sema::Scope>();
  scope->parent = function.closure;
  for (const auto &[name, value] : kernel.constants)
    scope->names.emplace(name, value);
  for (size_t i = 0; i < arguments.size(); ++i)
    scope->names.emplace(kernel.arguments[i].name, sema::Value::tensor(arguments[i], kernel.arguments[i].type));
  sema::Frame frame(ev, *function.module, std::move(scope), sema::Mode::Kernel, &function, {});
  if (frame.execBlock(function.def->body, nullptr) == sema::Flow::Error)
    return false;
  builder.setLocation(*function.module->tree->source, function.def->nameRange);
  builder.endFunction({});
  return true;
}
} // namespace

std::optional<CompiledKernel> Session::compile(const CompileRequest &request, mlir::MLIRContext &context, base::DiagnosticSink &sink) {
  sema::ModuleLoader loader(impl->trees, request.modulePath, request.globals, sink);
  sema::ModuleObject *main = loader.loadMain(request.path, request.text);
  if (!main)
    return std::nullopt;
  emit::TileBuilder builder(context);
  sema::Evaluator ev(loader, request, sink, &builder);
  auto function = sema::findKernel(ev, *main);
  auto kernel = function ? sema::specialise(ev, *main, std::move(function)) : std::nullopt;
  if (!kernel)
    return std::nullopt;
  ev.setNumWarps(kernel->numWarps);
  builder.setLaunch(kernel->numWarps, kernel->numStages, kernel->numCtas, kernel->maxRegisters);
  if (!buildBody(ev, builder, *kernel))
    return std::nullopt;
  for (const std::string &name : loader.idleGlobals())
    sink.report({base::Severity::Remark, "F2229", "'--global " + name + "' has no effect: no module of that name was imported", {}, {}, {}});
  CompiledKernel compiled;
  compiled.name = kernel->function->name;
  compiled.parameters = std::move(kernel->parameters);
  compiled.passedOver = kernel->function->passedOver;
  compiled.numWarps = kernel->numWarps;
  compiled.numStages = kernel->numStages;
  compiled.numCtas = kernel->numCtas;
  compiled.maxRegisters = kernel->maxRegisters;
  compiled.files = loader.files();
  compiled.module = builder.release();
  return compiled;
}

std::vector<std::string> Session::kernels(const std::string &path, base::DiagnosticSink &sink) {
  sema::ModuleLoader loader(impl->trees, {}, {}, sink);
  sema::ModuleObject *main = loader.loadMain(path, std::nullopt);
  return main ? sema::kernelNames(*main->tree) : std::vector<std::string>();
}

} // namespace tegula::frontend
