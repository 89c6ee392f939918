// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diagnostics of the C API as the records that the program's own parsers make, so that one renderer prints both.
#pragma once

#include "driver/tools/job.h"

namespace tegula::driver::tools {

inline base::SourceRange rangeOf(const tegula_message_place_t &place) {
  return {std::string(asView(place.file)), place.line, place.column, place.end_column, std::string(asView(place.line_text))};
}

/// Moves all messages to `to`.
inline void takeMessages(const tegula_messages_t *messages, std::vector<base::Diagnostic> &to) {
  for (uint64_t i = 0; i < tegula_messages_count(messages); ++i) {
    tegula_message_t message{};
    message.struct_size = sizeof message;
    if (tegula_messages_get(messages, i, &message) != TEGULA_STATUS_OK)
      continue;
    base::Diagnostic diagnostic;
    diagnostic.severity = message.severity == TEGULA_MESSAGE_ERROR ? base::Severity::Error : message.severity == TEGULA_MESSAGE_WARNING ? base::Severity::Warning : base::Severity::Remark;
    diagnostic.code = asView(message.code);
    diagnostic.message = asView(message.message);
    diagnostic.help = asView(message.help);
    diagnostic.where = rangeOf(message.place);
    for (uint32_t n = 0; n < message.note_count; ++n) {
      tegula_text_t text{};
      tegula_message_place_t place{};
      if (tegula_messages_get_note(messages, i, n, &text, &place) == TEGULA_STATUS_OK)
        diagnostic.notes.push_back({std::string(asView(text)), rangeOf(place)});
    }
    to.push_back(std::move(diagnostic));
  }
}

} // namespace tegula::driver::tools
