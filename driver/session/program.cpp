// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled programs: what can be asked of them. And KIR between bytes and text.
#include "driver/session/api.h"

#include "driver/session/option_text.h"
#include "middle/pipeline/opt_main.h"
#include "sdk/kir/kir.h"

#include <cstdlib>

using namespace tegula;
using namespace tegula::driver;

namespace {
/// A copy that tegula_free frees, with a terminating zero that does not count.
char *copy(std::string_view text) {
  char *out = static_cast<char *>(std::malloc(text.size() + 1));
  if (out) {
    std::memcpy(out, text.data(), text.size());
    out[text.size()] = 0;
  }
  return out;
}

tegula_status_t kirError(Messages &messages, const tegula_kir_error_t &error, std::string_view source = {}) {
  base::Diagnostic diagnostic;
  diagnostic.code = "K" + std::to_string(error.code);
  diagnostic.message = error.message;
  if (error.line) {
    diagnostic.where = {"<kir>", error.line, std::max(1u, error.column), 0, {}};
    for (uint32_t line = 1; line < error.line && !source.empty(); ++line)
      source.remove_prefix(std::min(source.size(), source.find('\n') + 1));
    diagnostic.where.lineText = source.substr(0, source.find('\n'));
  } else if (error.word) {
    diagnostic.message += " (at word " + std::to_string(error.word) + ")";
  }
  (*messages).report(std::move(diagnostic));
  return TEGULA_STATUS_INPUT;
}
} // namespace

void tegula_program_destroy(tegula_program_t *program) { delete program; }

tegula_status_t tegula_program_get_info(const tegula_program_t *p, tegula_program_info_t *info) {
  if (!p)
    return TEGULA_STATUS_USAGE;
  tegula_program_info_t out{};
  out.kernel = text(p->kernel);
  out.target = text(p->target);
  out.record = text(p->record);
  out.num_warps = p->numWarps;
  out.num_stages = p->numStages;
  out.num_ctas = p->numCtas;
  out.max_registers = p->maxRegisters;
  out.parameter_count = p->parameters.size();
  out.frontend_ms = p->frontendMs;
  out.middle_ms = p->middleMs;
  out.plugin_ms = p->pluginMs;
  return deliver(info, out);
}

tegula_status_t tegula_program_get_parameter(const tegula_program_t *program, uint64_t index, tegula_parameter_info_t *parameter) {
  if (!program || index >= program->parameters.size())
    return TEGULA_STATUS_USAGE;
  const frontend::Parameter &p = program->parameters[index];
  tegula_parameter_info_t out{};
  out.name = text(p.name);
  out.folded = p.isConstant;
  out.type = text(p.type);
  out.divisibility = p.divisibility;
  out.constant = text(p.constant);
  return deliver(parameter, out);
}

tegula_status_t tegula_program_get_stage(const tegula_program_t *program, tegula_text_t stage, tegula_text_t *bytes, tegula_messages_t *list) {
  Messages messages(list);
  if (!program || !bytes)
    return messages.usage("tegula_program_get_stage needs a program and a place for the bytes");
  auto it = program->stages.find(view(stage));
  if (it == program->stages.end()) {
    std::string kept;
    for (const auto &[name, content] : program->stages)
      kept += (kept.empty() ? "'" : ", '") + name + "'";
    fail(*messages, "D1502", "stage '" + std::string(view(stage)) + "' was not kept for target '" + program->target + "'", {}, "kept are " + kept);
    return TEGULA_STATUS_INPUT;
  }
  *bytes = text(it->second);
  return TEGULA_STATUS_OK;
}

tegula_text_t tegula_program_get_dependency(const tegula_program_t *program, uint64_t index) {
  return program && index < program->files.size() ? text(program->files[index]) : tegula_text_t{};
}

tegula_status_t tegula_kir_to_text(tegula_text_t kir, char **out, uint64_t *size, tegula_messages_t *list) {
  Messages messages(list);
  if (!out || !size)
    return messages.usage("tegula_kir_to_text needs a place for the text");
  tegula_kir_error_t error{};
  tegula_kir_module_t *module = nullptr;
  if (tegula_kir_read(kir.data, kir.size, nullptr, &module, &error) != TEGULA_KIR_OK)
    return kirError(messages, error);
  size_t length = 0;
  char *printed = tegula_kir_print(module, &length);
  char *copied = printed ? copy({printed, length}) : nullptr;
  if (printed)
    tegula_kir_free_text(module, printed, length);
  tegula_kir_free(module);
  if (!copied)
    return TEGULA_STATUS_INTERNAL;
  *out = copied;
  *size = length;
  return TEGULA_STATUS_OK;
}

tegula_status_t tegula_kir_from_text(tegula_text_t source, char **out, uint64_t *size, tegula_messages_t *list) {
  Messages messages(list);
  if (!out || !size)
    return messages.usage("tegula_kir_from_text needs a place for the bytes");
  tegula_kir_error_t error{};
  tegula_kir_allocator_t allocator{};
  uint8_t *bytes = nullptr;
  size_t length = 0;
  if (tegula_kir_parse(source.data, source.size, &allocator, &bytes, &length, &error) != TEGULA_KIR_OK)
    return kirError(messages, error, view(source));
  *out = reinterpret_cast<char *>(bytes); // the default allocator is malloc
  *size = length;
  return TEGULA_STATUS_OK;
}

void tegula_free(void *memory) { std::free(memory); }

int32_t tegula_opt_main(int32_t argc, char **argv) { return middle::pipeline::tegulaOptMain(argc, argv); }
