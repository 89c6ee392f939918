// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diagnostics as JSON. Bytes that are no UTF-8 become U+FFFD.
#include "driver/render/render.h"

#include <nlohmann/json.hpp>

namespace tegula::driver {

namespace {
using Json = nlohmann::ordered_json;
void place(Json &to, const base::SourceRange &where) {
  to["file"] = where.file;
  to["line"] = where.line;
  to["column"] = where.column;
  to["end_column"] = where.endColumn;
}
} // namespace

std::string renderJson(const base::Diagnostic &diagnostic) {
  Json json;
  json["severity"] = diagnostic.severity == base::Severity::Error ? "error" : diagnostic.severity == base::Severity::Warning ? "warning" : "remark";
  json["code"] = diagnostic.code;
  json["message"] = diagnostic.message;
  place(json, diagnostic.where);
  json["notes"] = Json::array();
  for (const base::Note &note : diagnostic.notes) {
    Json item;
    item["message"] = note.message;
    place(item, note.where);
    json["notes"].push_back(std::move(item));
  }
  json["help"] = diagnostic.help;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace tegula::driver
