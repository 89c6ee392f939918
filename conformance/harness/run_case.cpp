// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "conformance/harness/run_case.h"

#include <chrono>
#include <cmath>
#include <cstring>

namespace tegula::conformance {

std::string_view statusName(Status status) {
  switch (status) {
  case Status::Pass:
    return "pass";
  case Status::WrongResult:
    return "fail-wrong-result";
  case Status::CompileError:
    return "fail-compile";
  case Status::LaunchError:
    return "fail-launch";
  case Status::Finding:
    return "fail-sanitizer";
  case Status::WrongDiagnostic:
    return "fail-diagnostic";
  case Status::LevelsDiffer:
    return "fail-levels-differ";
  case Status::HarnessError:
    return "harness-error";
  case Status::Timeout:
    return "timeout";
  case Status::Crash:
    return "crash";
  }
  return "?";
}

namespace {

tegula_text_t text(std::string_view s) { return {s.data(), s.size()}; }

/// Diagnostics of one call, as their first error's code and message.
struct Messages {
  tegula_messages_t *list = tegula_messages_create();
  ~Messages() { tegula_messages_destroy(list); }
  /// The first error, rendered on one line; its code in `code`.
  std::string first(std::string *code = nullptr) const {
    for (uint64_t i = 0, n = tegula_messages_count(list); i < n; ++i) {
      tegula_message_t m{};
      m.struct_size = sizeof m;
      tegula_messages_get(list, i, &m);
      if (m.severity != TEGULA_MESSAGE_ERROR)
        continue;
      if (code)
        *code = std::string(m.code.data, m.code.size);
      return std::string(m.code.data, m.code.size) + " " + std::string(m.message.data, m.message.size) +
             (m.place.line ? " (line " + std::to_string(m.place.line) + ")" : "");
    }
    return "no diagnostic";
  }
  /// All of them, as the program prints them.
  std::string rendered() const {
    std::string all;
    for (uint64_t i = 0, n = tegula_messages_count(list); i < n; ++i) {
      tegula_text_t one = tegula_messages_render(list, i, TEGULA_RENDER_TEXT);
      all.append(one.data, one.size);
    }
    return all;
  }
};

/// "*fp32" for a buffer of f32, "i32" for a scalar.
std::string spelling(const Format &f, bool pointer) {
  std::string name = f.name;
  if (f.isFloat() && name != "bf16")
    name = name.substr(0, 2) == "f8" ? "fp8" + name.substr(2) : "fp" + name.substr(1);
  return (pointer ? "*" : "") + name;
}

} // namespace

/// What one run of a case needs and leaves behind.
class CaseRun {
public:
  CaseRun(Bench &bench, const Case &c) : bench(bench), c(c) {}
  ~CaseRun() {
    for (auto &[name, buffer] : buffers)
      tegula_memory_destroy(buffer.memory);
    tegula_program_destroy(program);
  }

  Result run(uint32_t optimise);
  std::map<std::string, std::vector<uint8_t>> outputs; ///< what was read back, by argument

private:
  struct Buffer {
    tegula_memory_t *memory = nullptr;
    Array before;
  };
  bool compile(uint32_t optimise, Messages &messages);
  bool fillBuffers(Result &result, Messages &messages);
  bool launch(Result &result, Messages &messages);
  void compareOutputs(Result &result, Messages &messages);
  const Argument &owner(const Argument &a) const {
    for (const Argument &other : c.arguments)
      if (other.name == a.sameAs)
        return other;
    return a;
  }

  Bench &bench;
  const Case &c;
  tegula_program_t *program = nullptr;
  std::map<std::string, Buffer> buffers;
};

bool CaseRun::compile(uint32_t optimise, Messages &messages) {
  std::vector<std::string> storage;
  storage.reserve(c.arguments.size() * 2);
  std::vector<tegula_argument_spec_t> specs;
  for (const Argument &a : c.arguments) {
    tegula_argument_spec_t spec{};
    spec.struct_size = sizeof spec;
    spec.name = text(a.name);
    if (a.role == Argument::Role::None) {
      spec.kind = TEGULA_ARGUMENT_CONSTANT;
      spec.constant = text("None");
    } else if (a.role == Argument::Role::Scalar) {
      spec.kind = TEGULA_ARGUMENT_SCALAR;
      bool wide = !a.scalar.isReal && a.format.name == "i32" && wrapTo(a.scalar.integer(0), a.format) != a.scalar.integer(0);
      spec.type = text(storage.emplace_back(wide ? "i64" : spelling(a.format, false)));
      if (!a.scalar.isReal) {
        spec.constant = text(storage.emplace_back(std::to_string(static_cast<long long>(a.scalar.integer(0)))));
        spec.divisibility = a.scalar.integer(0) % 16 == 0 ? 16 : 1;
      }
    } else {
      spec.kind = TEGULA_ARGUMENT_POINTER;
      spec.type = text(storage.emplace_back(spelling(a.format, true)));
      spec.divisibility = a.offset * a.format.bytes() % 16 == 0 ? 16 : 1;
    }
    specs.push_back(spec);
  }
  std::vector<tegula_pair_t> defines;
  for (const auto &[name, value] : c.defines)
    defines.push_back({text(name), text(value)});
  tegula_compile_options_t options{};
  options.struct_size = sizeof options;
  options.path = text(c.file);
  options.kernel = text(c.kernel);
  options.target = text(bench.target);
  options.arguments = specs.data();
  options.argument_count = specs.size();
  options.defines = defines.data();
  options.define_count = defines.size();
  options.num_warps = c.numWarps;
  options.optimise = optimise;
  options.flags = TEGULA_COMPILE_DEBUG | TEGULA_COMPILE_SANITIZE;
  return tegula_compile(bench.session, &options, &program, messages.list) == TEGULA_STATUS_OK;
}

bool CaseRun::fillBuffers(Result &result, Messages &messages) {
  for (const Argument &a : c.arguments) {
    if (a.role == Argument::Role::Scalar || a.role == Argument::Role::None || !a.sameAs.empty())
      continue;
    std::string error;
    auto values = initialValues(a, c, error);
    if (!values) {
      result = {Status::HarnessError, error, 0, 0};
      return false;
    }
    std::vector<uint8_t> bytes = encodeBuffer(*values, a.format);
    Buffer &buffer = buffers[a.name];
    std::string type = spelling(a.format, false);
    tegula_memory_options_t options{};
    options.struct_size = sizeof options;
    options.size = bytes.size();
    options.name = text(a.name);
    options.type = text(type);
    if (a.role == Argument::Role::Output)
      options.flags = TEGULA_MEMORY_UNDEFINED | TEGULA_MEMORY_OUTPUT;
    if (tegula_memory_create(bench.runtime, &options, &buffer.memory, messages.list) != TEGULA_STATUS_OK ||
        (a.role != Argument::Role::Output && tegula_memory_write(buffer.memory, 0, bytes.data(), bytes.size(), messages.list) != TEGULA_STATUS_OK)) {
      result = {Status::LaunchError, messages.first(), 0, 0};
      return false;
    }
    buffer.before = std::move(*values);
  }
  return true;
}

bool CaseRun::launch(Result &result, Messages &messages) {
  std::vector<tegula_value_t> values;
  for (const Argument &a : c.arguments) {
    if (a.role == Argument::Role::None)
      continue;
    tegula_value_t value{};
    value.struct_size = sizeof value;
    value.name = text(a.name);
    if (a.role == Argument::Role::Scalar) {
      Format wide = a.format;
      if (!a.format.isFloat())
        wide = *parseFormat("i64");
      value.bits = a.format.isFloat() ? encode(a.scalar.real(0), a.format) : encodeInteger(a.scalar.integer(0), wide);
    } else {
      value.memory = buffers[owner(a).name].memory;
      value.bits = static_cast<uint64_t>(a.offset) * a.format.bytes();
    }
    values.push_back(value);
  }
  tegula_launch_options_t options{};
  options.struct_size = sizeof options;
  for (size_t i = 0; i < 3; ++i)
    options.grid[i] = i < c.grid.size() ? static_cast<uint32_t>(c.grid[i]) : 1;
  options.sanitize = 1;
  options.values = values.data();
  options.value_count = values.size();
  tegula_launch_result_t times{};
  times.struct_size = sizeof times;
  tegula_status_t status = tegula_launch(bench.runtime, program, &options, &times, messages.list);
  if (status == TEGULA_STATUS_OK)
    return true;
  result = {status == TEGULA_STATUS_FINDING ? Status::Finding : Status::LaunchError, messages.first(), 0, 0};
  return false;
}

void CaseRun::compareOutputs(Result &result, Messages &messages) {
  Names names = c.parameters;
  for (const Argument &a : c.arguments)
    if (a.role == Argument::Role::Scalar)
      names[a.name] = a.scalar;
    else if (buffers.count(a.name))
      names[a.name] = buffers[a.name].before;
  Names want = names;
  std::string error;
  if (!runOracle(c.oracle, want, error)) {
    result = {Status::HarnessError, error, 0, 0};
    return;
  }
  for (const Argument &a : c.arguments) {
    if (a.role != Argument::Role::Output && a.role != Argument::Role::InOut)
      continue;
    std::vector<uint8_t> bytes(static_cast<size_t>(elementCount(a.shape)) * a.format.bytes());
    if (tegula_memory_read(buffers[a.name].memory, 0, bytes.data(), bytes.size(), messages.list) != TEGULA_STATUS_OK) {
      result = {Status::LaunchError, messages.first(), 0, 0};
      return;
    }
    Array got = decodeBuffer(bytes.data(), a.format, a.shape);
    bool stated = false;
    for (const std::string &line : c.oracle)
      stated |= line.substr(0, line.find_first_of(" =")) == a.name;
    if (a.role == Argument::Role::Output && !stated) {
      result = {Status::HarnessError, "the oracle says nothing of output '" + a.name + "'", 0, 0};
      return;
    }
    outputs[a.name] = std::move(bytes);
    if (!stated)
      continue;
    auto tolerance = c.tolerances.find(a.name);
    Comparison comparison = compare(got, want[a.name], a.format, tolerance == c.tolerances.end() ? Tolerance{} : tolerance->second, want);
    result.worstRatio = std::max(result.worstRatio, comparison.worstRatio);
    if (!comparison.equal && result.status == Status::Pass) {
      result.status = Status::WrongResult;
      result.text = a.name + ": " + comparison.text;
    }
  }
}

Result CaseRun::run(uint32_t optimise) {
  Result result;
  Messages messages;
  bool compiled = compile(optimise, messages);
  if (!c.expectError.empty()) {
    std::string code, message = messages.first(&code);
    if (compiled || code != c.expectError)
      return {Status::WrongDiagnostic, "expected " + c.expectError + ", got " + (compiled ? "no error" : message), 0, 0};
    return result;
  }
  if (!compiled)
    return {Status::CompileError, messages.first(), 0, 0};
  if (fillBuffers(result, messages) && launch(result, messages))
    compareOutputs(result, messages);
  return result;
}

std::unique_ptr<Bench> Bench::open(const std::string &target, std::string &error) {
  std::unique_ptr<Bench> bench(new Bench);
  bench->target = target;
  tegula_session_options_t options{};
  options.struct_size = sizeof options;
  Messages messages;
  if (tegula_session_create(&options, &bench->session, messages.list) != TEGULA_STATUS_OK ||
      tegula_runtime_open(bench->session, text(target), 0, &bench->runtime, messages.list) != TEGULA_STATUS_OK) {
    error = messages.rendered();
    return nullptr;
  }
  return bench;
}

Bench::~Bench() {
  if (runtime)
    tegula_runtime_close(runtime);
  if (session)
    tegula_session_destroy(session);
}

Result Bench::run(const Case &c, uint32_t optimise, bool compareLevels) {
  auto begin = std::chrono::steady_clock::now();
  CaseRun first(*this, c);
  Result result = first.run(compareLevels ? uint32_t(TEGULA_OPTIMISE_NONE) : optimise);
  if (compareLevels && result.status == Status::Pass) {
    CaseRun second(*this, c);
    result = second.run(TEGULA_OPTIMISE_FULL);
    for (const auto &[name, bytes] : first.outputs)
      if (result.status == Status::Pass && bytes != second.outputs[name])
        result = {Status::LevelsDiffer, name + " differs between -O0 and -O2", result.worstRatio, 0};
  }
  result.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

} // namespace tegula::conformance
