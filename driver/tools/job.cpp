// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job from its texts to its outputs. Nothing is written before everything has succeeded.
#include "driver/tools/job.h"

#include "driver/session/grid_expression.h"
#include "driver/session/outputs.h"
#include "driver/tools/arguments.h"
#include "driver/tools/exit_status.h"
#include "driver/tools/message_bridge.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cstdio>

namespace tegula::driver::tools {

namespace {
double now() { return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

class Runner {
public:
  Runner(const Job &job, Workplace &workplace, JobResult &result) : job(job), workplace(workplace), result(result), messages(tegula_messages_create()) {}
  ~Runner() {
    takeMessages(messages.get(), result.diagnostics);
    for (base::Diagnostic &diagnostic : sink.take())
      result.diagnostics.push_back(std::move(diagnostic));
    if (result.exit == kInputIsWrong)
      result.exit = tools::statusOf(result.diagnostics);
  }

  ProgramPtr compile() {
    if (!readArguments(job, job.compileOnly, arguments, sink))
      return stop(kInputIsWrong);
    std::deque<std::string> keep; // a deque: views into it stay
    std::vector<tegula_argument_spec_t> specs;
    if (job.hasSignature) {
      auto items = parseSignature({"--sig ", job.signature}, sink);
      if (!items)
        return stop(kInputIsWrong);
      for (SignatureItem &item : *items) {
        JobArgument argument;
        argument.item = std::move(item);
        specs.push_back(specialise(argument, keep));
      }
    }
    for (const JobArgument &argument : arguments.arguments)
      specs.push_back(specialise(argument, keep));
    auto pairs = [](const NamedTexts &texts) {
      std::vector<tegula_pair_t> out;
      for (const auto &[name, text] : texts)
        out.push_back({asText(name), asText(text)});
      return out;
    };
    auto defines = pairs(job.defines), globals = pairs(job.globals), options = pairs(job.options);
    std::vector<tegula_text_t> modulePath;
    for (const std::string &folder : job.modulePath)
      modulePath.push_back(asText(folder));
    tegula_compile_options_t request{};
    request.struct_size = sizeof request;
    request.path = asText(job.file);
    tegula_text_t text = job.text ? asText(*job.text) : tegula_text_t{};
    request.text = job.text ? &text : nullptr;
    request.target = asText(job.target);
    request.arguments = specs.data();
    request.argument_count = specs.size();
    request.defines = defines.data();
    request.define_count = defines.size();
    request.globals = globals.data();
    request.global_count = globals.size();
    request.module_path = modulePath.data();
    request.module_path_count = modulePath.size();
    request.plugin_options = options.data();
    request.plugin_option_count = options.size();
    request.num_warps = job.numWarps;
    request.num_stages = job.numStages ? *job.numStages + 1 : 0;
    request.config = job.config ? *job.config + 1 : 0;
    request.math = job.math;
    request.optimise = job.optimise;
    request.flags = job.compileFlags | (job.debug ? TEGULA_COMPILE_DEBUG : 0) | (job.sanitize.value_or(false) ? TEGULA_COMPILE_SANITIZE : 0);
    request.dump_pass = asText(job.dumpPass);
    request.form = asText(job.form);
    std::string kernel = job.kernel.empty() ? onlyKernel() : job.kernel;
    if (kernel.empty())
      return stop(result.exit ? result.exit : kInputIsWrong);
    request.kernel = asText(kernel);
    double begin = now();
    tegula_program_t *program = nullptr;
    tegula_status_t status = tegula_compile(workplace.session.get(), &request, &program, messages.get());
    result.compileMs = now() - begin;
    if (status != TEGULA_STATUS_OK)
      return stop(status);
    for (const char *stage : {"dump", "timing"}) {
      tegula_text_t kept{};
      if (tegula_program_get_stage(program, asText(stage), &kept, nullptr) == TEGULA_STATUS_OK)
        result.trace += asView(kept);
    }
    return ProgramPtr(program);
  }

  void run(const tegula_program_t *program) {
    auto grid = evaluateGrid({"--grid ", job.grid}, gridNames(program), sink);
    if (!grid)
      return fails(kInputIsWrong);
    tegula_runtime_t *runtime = openRuntime();
    if (!runtime)
      return;
    std::vector<MemoryPtr> memories;
    if (!upload(runtime, memories) || !roomForOutputs())
      return;
    tegula_launch_options_t launch{};
    launch.struct_size = sizeof launch;
    std::copy(grid->begin(), grid->end(), launch.grid);
    std::vector<tegula_value_t> values = launchValues(program, memories);
    launch.values = values.data();
    launch.value_count = values.size();
    launch.sanitize = job.sanitize.value_or(false);
    launch.repeat = job.repeat;
    launch.print = printLine;
    tegula_launch_result_t times{};
    times.struct_size = sizeof times;
    if (tegula_status_t status = tegula_launch(runtime, program, &launch, &times, messages.get()))
      return fails(status);
    result.launchMs = times.first_ms;
    result.medianMs = times.median_ms;
    for (const HostBuffer &buffer : arguments.buffers)
      result.bufferBytes += buffer.array.bytes.size();
    if (download(memories) && compare())
      write();
  }

private:
  const Job &job;
  Workplace &workplace;
  JobResult &result;
  MessagesPtr messages;
  base::DiagnosticList sink;
  JobArguments arguments;

  void fails(int exit) { result.exit = exit; }
  ProgramPtr stop(int exit) {
    fails(exit);
    return nullptr;
  }

  /// The kernel of a file with one kernel; else empty, after an error.
  std::string onlyKernel() {
    tegula_text_t names{};
    if (tegula_status_t status = tegula_session_list_kernels(workplace.session.get(), asText(job.file), &names, messages.get())) {
      fails(status);
      return {};
    }
    std::string list(asView(names));
    if (std::count(list.begin(), list.end(), '\n') == 1)
      return list.substr(0, list.size() - 1);
    for (char &c : list)
      c = c == '\n' ? ' ' : c;
    fail(sink, "D1001", list.empty() ? "'" + job.file + "' has no kernels" : "'" + job.file + "' has several kernels, and -k says none", {}, list.empty() ? "a kernel is a function with @triton.jit" : "its kernels: " + list);
    fails(kCommandLineIsWrong);
    return {};
  }

  tegula_parameter_info_t parameter(const tegula_program_t *program, uint64_t index) {
    tegula_parameter_info_t info{};
    info.struct_size = sizeof info;
    tegula_program_get_parameter(program, index, &info);
    return info;
  }
  uint64_t parameterCount(const tegula_program_t *program) {
    tegula_program_info_t info{};
    info.struct_size = sizeof info;
    tegula_program_get_info(program, &info);
    return info.parameter_count;
  }

  /// Integers that a grid may name: constants of the kernel, and scalar arguments.
  std::map<std::string, int64_t> gridNames(const tegula_program_t *program) {
    std::map<std::string, int64_t> names;
    auto add = [&](std::string name, std::string_view text) {
      if (auto scalar = parseScalar(text); scalar && scalar->kind != Scalar::Kind::Float && !scalar->big)
        names[std::move(name)] = scalar->integer;
    };
    for (const auto &[name, text] : job.defines)
      add(name, text);
    for (uint64_t i = 0; i < parameterCount(program); ++i)
      if (auto info = parameter(program, i); info.folded)
        add(std::string(asView(info.name)), asView(info.constant));
    for (const JobArgument &argument : arguments.arguments)
      if (argument.spec.kind == ValueSpec::Kind::Scalar)
        add(argument.name, scalarText(argument.spec.scalar));
    return names;
  }

  tegula_runtime_t *openRuntime() {
    RuntimePtr &runtime = workplace.runtimes[{job.target, job.device}];
    if (!runtime) {
      tegula_runtime_t *opened = nullptr;
      if (tegula_status_t status = tegula_runtime_open(workplace.session.get(), asText(job.target), job.device, &opened, messages.get())) {
        fails(status);
        return nullptr;
      }
      runtime.reset(opened);
    }
    return runtime.get();
  }

  bool upload(tegula_runtime_t *runtime, std::vector<MemoryPtr> &memories) {
    for (const HostBuffer &buffer : arguments.buffers) {
      std::string type(buffer.array.type->triton);
      tegula_memory_options_t options{};
      options.struct_size = sizeof options;
      options.size = buffer.array.bytes.size();
      options.name = asText(buffer.name);
      options.type = asText(type);
      options.flags = buffer.undefined ? TEGULA_MEMORY_UNDEFINED | (buffer.output ? TEGULA_MEMORY_OUTPUT : 0) : 0;
      tegula_memory_t *memory = nullptr;
      MessagesPtr refused(tegula_messages_create());
      tegula_status_t status = tegula_memory_create(runtime, &options, &memory, refused.get());
      if (status != TEGULA_STATUS_OK) {
        base::Diagnostic diagnostic{base::Severity::Error, "D1103", fmt::format("the target has no memory for the {} bytes of '{}'", options.size, buffer.name), buffer.where, {}, {}};
        std::vector<base::Diagnostic> reasons;
        takeMessages(refused.get(), reasons);
        for (base::Diagnostic &reason : reasons)
          diagnostic.notes.push_back({std::move(reason.message), std::move(reason.where)});
        sink.report(std::move(diagnostic));
      }
      if (status == TEGULA_STATUS_OK) {
        memories.emplace_back(memory);
        if (!buffer.undefined) // writing would define it
          status = tegula_memory_write(memory, 0, buffer.array.bytes.data(), buffer.array.bytes.size(), messages.get());
      }
      if (status != TEGULA_STATUS_OK)
        return fails(status), false;
    }
    return true;
  }

  std::vector<tegula_value_t> launchValues(const tegula_program_t *program, const std::vector<MemoryPtr> &memories) {
    std::vector<tegula_value_t> values;
    std::map<std::string, const ElementType *, std::less<>> types; // a parameter's annotation may have fixed another type than the value's
    for (uint64_t i = 0; i < parameterCount(program); ++i)
      if (auto info = parameter(program, i); !info.folded)
        types[std::string(asView(info.name))] = findElementType(asView(info.type));
    for (const JobArgument &argument : arguments.arguments) {
      tegula_value_t value{};
      value.struct_size = sizeof value;
      value.name = asText(argument.name);
      if (argument.spec.isBuffer()) {
        value.memory = memories[argument.buffer].get();
        value.bits = argument.offsetBytes;
      } else if (argument.spec.kind == ValueSpec::Kind::Scalar) {
        auto it = types.find(argument.name);
        const ElementType *type = it != types.end() && it->second ? it->second : scalarType(argument.spec);
        value.bits = scalarBits(argument.spec.scalar, *type);
      }
      values.push_back(value);
    }
    return values;
  }

  /// Is there memory for what comes back? Asked before the launch, which may take long.
  bool roomForOutputs() {
    uint64_t bytes = 0;
    for (const HostBuffer &buffer : arguments.buffers)
      if (buffer.output && buffer.untouched && !base::memoryFits(0, bytes += buffer.array.bytes.size())) {
        failOfMemory(bytes, buffer.where, sink);
        return fails(kInputIsWrong), false;
      }
    return true;
  }

  bool download(const std::vector<MemoryPtr> &memories) {
    for (size_t i = 0; i < memories.size(); ++i)
      if (HostBuffer &buffer = arguments.buffers[i]; buffer.output)
        if (tegula_status_t status = tegula_memory_read(memories[i].get(), 0, buffer.array.bytes.data(), buffer.array.bytes.size(), messages.get()))
          return fails(status), false;
    return true;
  }

  bool compare() {
    for (const auto &[name, text] : job.checks) {
      OptionText option{"--check " + name + "=", text};
      auto spec = parseCheckSpec(option, sink);
      auto expected = spec ? readNpy(spec->path, nullptr, sink, option.all()) : std::nullopt;
      auto check = expected ? compareArrays(arguments.bufferOf(name)->array, *expected, *spec, option, sink) : std::nullopt;
      if (!check)
        return fails(kInputIsWrong), false;
      result.checks.push_back({name, *check});
      if (!check->passed) {
        fail(sink, "D1401", fmt::format("'{}' differs from '{}' in {} of {} elements; worst at [{}]: {} for {}", name, spec->path, check->wrong, check->elements, place(arguments.bufferOf(name)->array.shape, check->worstIndex), check->got, check->expected), option.all(),
             fmt::format("the tolerance is atol={:g}, rtol={:g}", check->atol, check->rtol));
        fails(kCheckFailed);
      }
    }
    return result.exit == 0;
  }

  /// A flat index as "3, 17".
  static std::string place(const std::vector<int64_t> &shape, uint64_t index) {
    std::string text;
    for (size_t i = shape.size(); i-- > 0;) {
      uint64_t size = static_cast<uint64_t>(std::max<int64_t>(1, shape[i]));
      text = std::to_string(index % size) + (text.empty() ? "" : ", ") + text;
      index /= size;
    }
    return text;
  }

  void write() {
    Outputs outputs;
    for (const auto &[name, path] : job.outputs)
      if (!outputs.addNpy(path, arguments.bufferOf(name)->array, sink))
        return fails(kInputIsWrong);
    if (!outputs.place(sink))
      fails(kInputIsWrong);
  }
};
} // namespace

void printLine(void *, const char *line, uint64_t size) { fmt::print(stderr, "{}\n", std::string_view(line, size)); }

ProgramPtr compileJob(const Job &job, Workplace &workplace, JobResult &result) { return Runner(job, workplace, result).compile(); }

JobResult runJob(const Job &job, Workplace &workplace) {
  JobResult result;
  double begin = now();
  {
    Runner runner(job, workplace, result);
    ProgramPtr program = runner.compile();
    if (program && !job.compileOnly)
      runner.run(program.get());
  }
  result.ms = now() - begin;
  return result;
}

} // namespace tegula::driver::tools
