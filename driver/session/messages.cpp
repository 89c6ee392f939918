// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists of diagnostics behind the C API.
#include "driver/render/render.h"
#include "driver/session/api.h"
#include "driver/session/option_text.h"

#include <chrono>

using namespace tegula;
using namespace tegula::driver;

namespace {
tegula_message_place_t placeOf(const base::SourceRange &range) { return {text(range.file), range.line, range.column, range.endColumn, 0, text(range.lineText)}; }
} // namespace

tegula_status_t Messages::usage(const char *what) {
  fail(*list, "D1001", what);
  return TEGULA_STATUS_USAGE;
}

tegula_status_t driver::statusOf(int32_t pluginResult) {
  switch (pluginResult) {
  case TEGULA_RESULT_OK: return TEGULA_STATUS_OK;
  case TEGULA_RESULT_SANITIZER:
  case TEGULA_RESULT_DEVICE_ASSERT:
  case TEGULA_RESULT_DEVICE_FAULT: return TEGULA_STATUS_FINDING;
  case TEGULA_RESULT_CANCELLED: return TEGULA_STATUS_CANCELLED;
  case TEGULA_RESULT_NOT_FOUND: return TEGULA_STATUS_NO_TARGET;
  case TEGULA_RESULT_COMPILE_FAILED:
  case TEGULA_RESULT_LIMIT_EXCEEDED:
  case TEGULA_RESULT_UNSUPPORTED:
  case TEGULA_RESULT_INVALID_ARGUMENT:
  case TEGULA_RESULT_OUT_OF_MEMORY: return TEGULA_STATUS_INPUT;
  default: return TEGULA_STATUS_INTERNAL;
  }
}

double driver::millisecondsNow() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

tegula_messages_t *tegula_messages_create(void) { return new tegula_messages; }
void tegula_messages_destroy(tegula_messages_t *messages) { delete messages; }

uint64_t tegula_messages_count(const tegula_messages_t *messages) {
  if (!messages)
    return 0;
  std::lock_guard<std::mutex> lock(messages->mutex);
  return messages->all.size();
}

tegula_status_t tegula_messages_get(const tegula_messages_t *messages, uint64_t index, tegula_message_t *message) {
  if (index >= tegula_messages_count(messages))
    return TEGULA_STATUS_USAGE;
  std::lock_guard<std::mutex> lock(messages->mutex);
  const base::Diagnostic &d = messages->all[index];
  tegula_message_t out{};
  out.severity = d.severity == base::Severity::Error ? TEGULA_MESSAGE_ERROR : d.severity == base::Severity::Warning ? TEGULA_MESSAGE_WARNING : TEGULA_MESSAGE_REMARK;
  out.note_count = static_cast<uint32_t>(d.notes.size());
  out.code = text(d.code);
  out.message = text(d.message);
  out.help = text(d.help);
  out.place = placeOf(d.where);
  return deliver(message, out);
}

tegula_status_t tegula_messages_get_note(const tegula_messages_t *messages, uint64_t index, uint32_t note, tegula_text_t *noteText,
                                         tegula_message_place_t *place) {
  if (index >= tegula_messages_count(messages))
    return TEGULA_STATUS_USAGE;
  std::lock_guard<std::mutex> lock(messages->mutex);
  const base::Diagnostic &d = messages->all[index];
  if (note >= d.notes.size() || !noteText || !place)
    return TEGULA_STATUS_USAGE;
  *noteText = text(d.notes[note].message);
  *place = placeOf(d.notes[note].where);
  return TEGULA_STATUS_OK;
}

tegula_text_t tegula_messages_render(tegula_messages_t *messages, uint64_t index, uint32_t form) {
  if (index >= tegula_messages_count(messages))
    return {};
  std::lock_guard<std::mutex> lock(messages->mutex);
  const base::Diagnostic &d = messages->all[index];
  messages->rendered.push_back(form == TEGULA_RENDER_JSON ? renderJson(d) : renderText(d, form == TEGULA_RENDER_COLOUR));
  return text(messages->rendered.back());
}
