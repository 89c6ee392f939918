// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The benchmarks: start of the program, source to KIR in process, the reference plugin on a large softmax. The label of a line names its
// budget. Options are those of Google Benchmark; --benchmark_format=json for machines.
#include "tegula/tegula.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <random>
#include <spawn.h>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <vector>

extern char **environ;

namespace {

std::filesystem::path folder; // of this program, and of tegula

tegula_text_t text(std::string_view s) { return {s.data(), s.size()}; }

template <class T> T sized() {
  T t{};
  t.struct_size = sizeof t;
  return t;
}

/// What a kernel is compiled with; constants are defines.
struct Kernel {
  const char *file, *name;
  std::vector<std::pair<const char *, const char *>> arguments; ///< name and type
  std::vector<tegula_pair_t> defines;
};

const Kernel &softmax() {
  static const Kernel kernel{"softmax.py",
                             "softmax",
                             {{"out", "*fp32"}, {"x", "*fp32"}, {"out_stride", "i32"}, {"x_stride", "i32"}, {"rows", "i32"}, {"columns", "i32"}},
                             {{text("BLOCK"), text("8192")}}};
  return kernel;
}

const Kernel &matmul() {
  static const Kernel kernel{
      "matmul.py",
      "matmul",
      {{"a", "*fp16"},
       {"b", "*fp16"},
       {"c", "*fp16"},
       {"M", "i32"},
       {"N", "i32"},
       {"K", "i32"},
       {"stride_am", "i32"},
       {"stride_ak", "i32"},
       {"stride_bk", "i32"},
       {"stride_bn", "i32"},
       {"stride_cm", "i32"},
       {"stride_cn", "i32"}},
      {{text("BLOCK_M"), text("128")}, {text("BLOCK_N"), text("128")}, {text("BLOCK_K"), text("64")}, {text("GROUP_M"), text("8")}}};
  return kernel;
}

class Session {
public:
  Session() {
    auto options = sized<tegula_session_options_t>();
    const std::string place = folder.string();
    const tegula_text_t folders[] = {text(place)};
    options.plugin_folders = folders;
    options.plugin_folder_count = 1;
    if (tegula_session_create(&options, &session, nullptr) != TEGULA_STATUS_OK)
      session = nullptr;
  }
  Session(const Session &) = delete;
  ~Session() { tegula_session_destroy(session); }

  /// The caller destroys the program. nullptr after an error.
  tegula_program_t *compile(const Kernel &kernel, uint32_t flags) const {
    const std::string path = std::string(TEGULA_EXAMPLES) + "/" + kernel.file;
    std::vector<tegula_argument_spec_t> arguments;
    for (const auto &[name, type] : kernel.arguments) {
      auto argument = sized<tegula_argument_spec_t>();
      argument.name = text(name);
      argument.type = text(type);
      argument.kind = *type == '*' ? TEGULA_ARGUMENT_POINTER : TEGULA_ARGUMENT_SCALAR;
      argument.divisibility = 16;
      arguments.push_back(argument);
    }
    auto options = sized<tegula_compile_options_t>();
    options.path = text(path);
    options.kernel = text(kernel.name);
    options.target = text("reference");
    options.arguments = arguments.data();
    options.argument_count = arguments.size();
    options.defines = kernel.defines.data();
    options.define_count = kernel.defines.size();
    options.flags = flags;
    tegula_program_t *program = nullptr;
    return tegula_compile(session, &options, &program, nullptr) == TEGULA_STATUS_OK ? program : nullptr;
  }

  tegula_session_t *session = nullptr;
};

/// A process from its start to its end, as a shell pays for it.
void programStart(benchmark::State &state) {
  const std::string program = (folder / "tegula").string();
  std::string name = "tegula", option = "--version";
  char *arguments[] = {name.data(), option.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", 1 /* O_WRONLY */, 0);
  for (auto _ : state) {
    pid_t child;
    int status = 1;
    if (posix_spawn(&child, program.c_str(), &actions, nullptr, arguments, environ) != 0 || waitpid(child, &status, 0) != child || status != 0) {
      state.SkipWithError("tegula --version failed");
      break;
    }
  }
  posix_spawn_file_actions_destroy(&actions);
  state.SetLabel("budget 30 ms");
}

/// Reading, parsing, evaluating, optimising and writing KIR.
void sourceToKir(benchmark::State &state, const Kernel &kernel) {
  Session session;
  for (auto _ : state) {
    tegula_program_t *program = session.compile(kernel, TEGULA_COMPILE_NO_BINARY);
    if (!program) {
      state.SkipWithError("the kernel does not compile");
      break;
    }
    tegula_program_destroy(program);
  }
  state.SetLabel("budget 15 ms");
}

/// 4096 x 8192 numbers, one row a program; the result is compared with float64.
void referenceSoftmax(benchmark::State &state, bool sanitize) {
  constexpr uint32_t kRows = 4096, kColumns = 8192;
  Session session;
  std::unique_ptr<tegula_program_t, decltype(&tegula_program_destroy)> program(session.compile(softmax(), sanitize ? TEGULA_COMPILE_SANITIZE : 0),
                                                                               tegula_program_destroy);
  tegula_runtime_t *opened = nullptr;
  if (!program || tegula_runtime_open(session.session, text("reference"), 0, &opened, nullptr) != TEGULA_STATUS_OK)
    return state.SkipWithError("no program or no device");
  std::unique_ptr<tegula_runtime_t, decltype(&tegula_runtime_close)> runtime(opened, tegula_runtime_close);

  std::vector<float> x(size_t(kRows) * kColumns), out(x.size());
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  for (float &v : x)
    v = normal(random);
  const uint64_t size = x.size() * sizeof(float);
  std::vector<std::unique_ptr<tegula_memory_t, decltype(&tegula_memory_destroy)>> memories;
  for (const char *name : {"out", "x"}) {
    auto options = sized<tegula_memory_options_t>();
    options.size = size;
    options.name = text(name);
    options.type = text("fp32");
    options.flags = *name == 'o' ? TEGULA_MEMORY_UNDEFINED | TEGULA_MEMORY_OUTPUT : TEGULA_MEMORY_READ_ONLY;
    tegula_memory_t *memory = nullptr;
    if (tegula_memory_create(runtime.get(), &options, &memory, nullptr) != TEGULA_STATUS_OK)
      return state.SkipWithError("no memory");
    memories.emplace_back(memory, tegula_memory_destroy);
  }
  tegula_memory_write(memories[1].get(), 0, x.data(), size, nullptr);

  std::vector<tegula_value_t> values;
  const uint64_t scalars[] = {0, 0, kColumns, kColumns, kRows, kColumns};
  for (size_t i = 0; i < softmax().arguments.size(); ++i) {
    auto value = sized<tegula_value_t>();
    value.name = text(softmax().arguments[i].first);
    value.memory = i < 2 ? memories[i].get() : nullptr;
    value.bits = scalars[i];
    values.push_back(value);
  }
  auto launch = sized<tegula_launch_options_t>();
  launch.grid[0] = kRows;
  launch.grid[1] = launch.grid[2] = 1;
  launch.sanitize = sanitize;
  launch.values = values.data();
  launch.value_count = values.size();
  for (auto _ : state)
    if (tegula_launch(runtime.get(), program.get(), &launch, nullptr, nullptr) != TEGULA_STATUS_OK) {
      state.SkipWithError("the launch failed");
      return;
    }

  tegula_memory_read(memories[0].get(), 0, out.data(), size, nullptr);
  double greatest = 0;
  for (uint32_t row = 0; row < kRows; ++row) {
    const float *from = &x[size_t(row) * kColumns], *got = &out[size_t(row) * kColumns];
    double sum = 0;
    for (uint32_t i = 0; i < kColumns; ++i)
      sum += std::exp(double(from[i]));
    for (uint32_t i = 0; i < kColumns; ++i)
      greatest = std::max(greatest, std::abs(got[i] * sum / std::exp(double(from[i])) - 1));
  }
  if (!(greatest < 1e-5))
    state.SkipWithError("the result is wrong");
  state.SetBytesProcessed(int64_t(state.iterations()) * int64_t(2 * size));
  state.SetLabel("budget 5000 ms; greatest relative error " + std::to_string(greatest * 1e6) + "e-6");
}

} // namespace

int main(int argc, char **argv) {
  folder = std::filesystem::canonical("/proc/self/exe").parent_path();
  using benchmark::RegisterBenchmark;
  RegisterBenchmark("program_start", programStart)->Unit(benchmark::kMillisecond)->UseRealTime();
  RegisterBenchmark("source_to_kir/softmax", [](auto &state) { sourceToKir(state, softmax()); })->Unit(benchmark::kMillisecond)->UseRealTime();
  RegisterBenchmark("source_to_kir/matmul", [](auto &state) { sourceToKir(state, matmul()); })->Unit(benchmark::kMillisecond)->UseRealTime();
  RegisterBenchmark("reference_softmax_4096x8192/sanitized", [](auto &state) { referenceSoftmax(state, true); })
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
  RegisterBenchmark("reference_softmax_4096x8192/plain", [](auto &state) { referenceSoftmax(state, false); })
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 2;
  benchmark::RunSpecifiedBenchmarks();
}
