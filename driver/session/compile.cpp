// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From source to artifact: frontend, the middle's pipeline, KIR, the plugin. What a stage looks like is kept where the caller asked for it.
#include "driver/session/api.h"

#include "driver/session/line_filler.h"
#include "driver/session/option_text.h"
#include "driver/session/phase.h"
#include "driver/session/record.h"
#include "middle/ir/dialect.h"
#include "middle/lower/write_kir.h"
#include "middle/pipeline/diagnostic_bridge.h"
#include "middle/pipeline/pipelines.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/raw_ostream.h"

#include <filesystem>

using namespace tegula;
using namespace tegula::driver;

namespace {

class Compilation {
public:
  Compilation(tegula_session &session, const tegula_compile_options_t &options, base::DiagnosticSink &sink)
      : session(session), options(options), sink(sink, std::string(view(options.path)), options.text ? std::optional(std::string(view(*options.text))) : std::nullopt),
        context(mlir::MLIRContext::Threading::DISABLED), program(std::make_unique<tegula_program>()) {
    mlir::DialectRegistry registry;
    middle::tile::registerTileDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  std::unique_ptr<tegula_program> run(tegula_status_t &status) {
    status = TEGULA_STATUS_INPUT;
    if (!readRequest(status))
      return nullptr;
    ReproducerScope reproducer(describeRequest(request, view(options.target)));
    auto target = session.target(view(options.target), sink);
    if (!target) {
      status = TEGULA_STATUS_NO_TARGET;
      return nullptr;
    }
    auto facts = target->plugin->facts(target->spelled(), sink);
    if (!facts)
      return nullptr;
    takeDefaults(*facts, *target);
    program->target = target->spelled();
    if (!frontEnd() || !middle(*facts) || !back(*target, status))
      return nullptr;
    return std::move(program);
  }

private:
  tegula_session &session;
  const tegula_compile_options_t &options;
  LineFiller sink;
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::unique_ptr<tegula_program> program;
  frontend::CompileRequest request;
  std::map<std::string, std::string> pluginOptions;

  bool flag(uint32_t bit) const { return options.flags & bit; }

  bool usage(tegula_status_t &status, const std::string &what) {
    status = TEGULA_STATUS_USAGE;
    fail(sink, "D1001", what);
    return false;
  }

  bool readRequest(tegula_status_t &status) {
    request.path = view(options.path);
    request.kernel = view(options.kernel);
    if (options.text)
      request.text = view(*options.text);
    bool byPosition = false;
    std::vector<frontend::ArgumentSpec> positional;
    for (uint64_t i = 0; i < options.argument_count; ++i) {
      auto item = receiveItem(options.arguments, i);
      if (!item || item->kind < TEGULA_ARGUMENT_POINTER || item->kind > TEGULA_ARGUMENT_CONSTANT)
        return usage(status, "argument " + std::to_string(i) + " of a compile request has no size or no kind");
      frontend::ArgumentSpec spec;
      spec.kind = item->kind == TEGULA_ARGUMENT_POINTER  ? frontend::ArgumentSpec::Kind::Pointer
                  : item->kind == TEGULA_ARGUMENT_SCALAR ? frontend::ArgumentSpec::Kind::Scalar
                                                         : frontend::ArgumentSpec::Kind::Constant;
      spec.type = view(item->type);
      spec.divisibility = std::max<uint64_t>(1, item->divisibility);
      spec.constant = view(item->constant);
      if (item->name.size == 0) {
        byPosition = true;
        positional.push_back(std::move(spec));
      } else if (!request.arguments.emplace(std::string(view(item->name)), std::move(spec)).second) {
        return usage(status, "argument '" + std::string(view(item->name)) + "' is given twice");
      }
    }
    if (byPosition && !request.arguments.empty())
      return usage(status, "arguments of a compile request are all named or all by position");
    if (byPosition)
      request.signature = std::move(positional);
    for (uint64_t i = 0; i < options.define_count; ++i)
      request.defines[std::string(view(options.defines[i].name))] = view(options.defines[i].value);
    for (uint64_t i = 0; i < options.global_count; ++i)
      request.globals[std::string(view(options.globals[i].name))] = view(options.globals[i].value);
    for (uint64_t i = 0; i < options.module_path_count; ++i) {
      const std::string &folder = request.modulePath.emplace_back(view(options.module_path[i]));
      if (std::error_code ignored; !std::filesystem::is_directory(folder, ignored))
        sink.report({base::Severity::Warning, "D1009", "'" + folder + "' is no folder", OptionText{"--module-path ", folder}.all(), {}, {}});
    }
    for (uint64_t i = 0; i < options.plugin_option_count; ++i)
      pluginOptions[std::string(view(options.plugin_options[i].name))] = view(options.plugin_options[i].value);
    if (options.num_warps)
      request.numWarps = options.num_warps;
    if (options.num_stages)
      request.numStages = options.num_stages - 1;
    if (options.config)
      request.config = options.config - 1;
    request.debug = flag(TEGULA_COMPILE_DEBUG);
    return true;
  }

  void takeDefaults(const facts::Facts &facts, const targets::Target &target) {
    frontend::LanguageDefaults &defaults = request.defaults;
    defaults.backendName = facts.language.backendName;
    defaults.arch = facts.language.arch.empty() ? target.arch : facts.language.arch;
    defaults.warpSize = facts.machine.lanes;
    defaults.dotPrecision = facts.language.dotPrecision;
    defaults.dotPrecisions = facts.language.dotPrecisions;
    if (!facts.language.fp8Types.empty())
      defaults.fp8Types = facts.language.fp8Types;
  }

  std::string print() {
    std::string out;
    llvm::raw_string_ostream stream(out);
    module->print(stream);
    return out;
  }

  /// Prints the module in a crash handler.
  std::function<void(int)> printer() {
    return [this](int file) {
      llvm::raw_fd_ostream stream(file, /*shouldClose=*/false);
      module->print(stream);
    };
  }

  bool frontEnd() {
    double begin = millisecondsNow();
    PhaseScope phase("frontend", request.kernel);
    middle::pipeline::DiagnosticBridge bridge(&context, sink);
    auto compiled = session.frontend.compile(request, context, sink);
    if (!compiled)
      return false;
    module = mlir::OwningOpRef<mlir::ModuleOp>(mlir::ModuleOp::getFromOpaquePointer(compiled->module));
    program->kernel = compiled->name;
    program->parameters = std::move(compiled->parameters);
    program->files = std::move(compiled->files);
    program->numWarps = compiled->numWarps;
    program->numStages = compiled->numStages;
    program->numCtas = compiled->numCtas;
    program->maxRegisters = compiled->maxRegisters;
    program->frontendMs = millisecondsNow() - begin;
    if (flag(TEGULA_COMPILE_KEEP_TILE))
      program->stages["tile"] = print();
    return true;
  }

  bool middle(const facts::Facts &facts) {
    double begin = millisecondsNow();
    middle::pipeline::DiagnosticBridge bridge(&context, sink);
    std::string timing, dump;
    llvm::raw_string_ostream timingStream(timing), dumpStream(dump);
    {
      PhaseScope phase("middle", program->kernel, printer());
      middle::pipeline::PipelineOptions pipeline;
      // A target that judges the optimiser takes the IR as the frontend made it.
      bool unoptimised = options.optimise == TEGULA_OPTIMISE_NONE || (options.optimise == TEGULA_OPTIMISE_BY_TARGET && facts.kirLevel == facts::KirLevel::Tile);
      pipeline.level = unoptimised ? middle::pipeline::OptLevel::O0 : middle::pipeline::OptLevel::O2;
      pipeline.allowReassociation = options.math == TEGULA_MATH_FAST;
      if (flag(TEGULA_COMPILE_TIME_PASSES))
        pipeline.timing = &timingStream;
      if (flag(TEGULA_COMPILE_DUMP_IR))
        pipeline.dump = &dumpStream;
      pipeline.dumpPass = view(options.dump_pass);
      if (llvm::failed(middle::pipeline::runPipeline(*module, pipeline)))
        return false;
    }
    if (flag(TEGULA_COMPILE_KEEP_TILE))
      program->stages["tile-opt"] = print();
    const char *const none = "no pass ran: this target takes the code as it is; -O2 runs them\n";
    if (flag(TEGULA_COMPILE_TIME_PASSES))
      program->stages["timing"] = timing.empty() ? none : timing;
    if (flag(TEGULA_COMPILE_DUMP_IR))
      program->stages["dump"] = dump.empty() ? none : dump;
    PhaseScope phase("KIR writer", program->kernel, printer());
    std::vector<uint8_t> kir;
    if (llvm::failed(middle::lower::writeKir(*module, middle::lower::KirLevel::Tile, kir)))
      return false;
    program->stages["kir"] = std::string(kir.begin(), kir.end());
    program->middleMs = millisecondsNow() - begin;
    return true;
  }

  bool back(const targets::Target &target, tegula_status_t &status) {
    status = TEGULA_STATUS_OK;
    if (flag(TEGULA_COMPILE_NO_BINARY) && options.form.size == 0)
      return true;
    double begin = millisecondsNow();
    PhaseScope phase("plugin " + target.plugin->name(), program->kernel, printer());
    targets::CompileRequest compile;
    compile.kir = program->stages["kir"];
    compile.target = target.spelled();
    compile.entry = program->kernel;
    compile.options = pluginOptions;
    compile.debug = request.debug;
    compile.sanitize = flag(TEGULA_COMPILE_SANITIZE);
    compile.warps = program->numWarps;
    auto attempt = [&](std::string form) {
      compile.form = std::move(form);
      targets::Outcome outcome;
      auto artifact = target.plugin->compile(compile, sink, &outcome);
      if (!artifact)
        status = outcome.ok() ? TEGULA_STATUS_INTERNAL : statusOf(outcome.code);
      return artifact;
    };
    if (options.form.size) {
      auto printed = attempt(std::string(view(options.form)));
      if (!printed)
        return false;
      program->stages[std::string(view(options.form))] = std::move(printed->bytes);
    }
    if (flag(TEGULA_COMPILE_NO_BINARY))
      return true;
    program->artifact = attempt({});
    if (!program->artifact)
      return false;
    program->stages["bin"] = program->artifact->bytes;
    program->record = describeArtifact(*program->artifact);
    program->pluginMs = millisecondsNow() - begin;
    return true;
  }
};

} // namespace

tegula_status_t tegula_compile(tegula_session_t *session, const tegula_compile_options_t *given, tegula_program_t **program, tegula_messages_t *list) {
  Messages messages(list);
  auto options = receive(given);
  if (!session || !options || !program)
    return messages.usage("tegula_compile needs a session, options with a size, and a place for the program");
  tegula_status_t status = TEGULA_STATUS_OK;
  auto compiled = Compilation(*session, *options, *messages).run(status);
  if (!compiled)
    return status == TEGULA_STATUS_OK ? TEGULA_STATUS_INTERNAL : status;
  *program = compiled.release();
  return TEGULA_STATUS_OK;
}
