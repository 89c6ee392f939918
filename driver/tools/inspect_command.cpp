// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tegula inspect`: KIR as text, and its text as KIR.
#include "driver/session/outputs.h"
#include "driver/tools/command_line.h"
#include "driver/tools/message_bridge.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::driver::tools {

int inspectCommand(const std::string &file, const std::string &output) {
  base::DiagnosticList sink;
  MessagesPtr messages(tegula_messages_create());
  auto finish = [&](int exit) {
    std::vector<base::Diagnostic> diagnostics = sink.take();
    takeMessages(messages.get(), diagnostics);
    for (base::Diagnostic &diagnostic : diagnostics)
      if (diagnostic.where.file == "<kir>" || diagnostic.where.file.empty())
        diagnostic.where.file = file;
    printDiagnostics(diagnostics, false);
    return exit;
  };
  auto content = readFile(file, sink);
  if (!content)
    return finish(1);
  bool isText = std::none_of(content->begin(), content->end(), [](char c) { return c == 0; }) && !content->empty();
  char *made = nullptr;
  uint64_t size = 0;
  tegula_status_t status = isText ? tegula_kir_from_text(asText(*content), &made, &size, messages.get()) : tegula_kir_to_text(asText(*content), &made, &size, messages.get());
  if (status != TEGULA_STATUS_OK)
    return finish(status);
  Outputs outputs;
  bool written = true;
  if (!output.empty())
    written = outputs.add(output, {}, {made, size}, sink) && outputs.place(sink);
  else if (isText)
    fmt::print("{} is the text of {} bytes of KIR\n", file, size);
  else
    fmt::print("{}", std::string_view(made, size));
  tegula_free(made);
  return finish(written ? 0 : 1);
}

} // namespace tegula::driver::tools
