// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys and their readers in one table.
#include "driver/tools/batch_line.h"

#include "sdk/base/nearest_name.h"
#include "driver/tools/command_line.h"

#include <nlohmann/json.hpp>

namespace tegula::driver::tools {

namespace {
using Json = nlohmann::ordered_json;

/// A JSON value as the command line would have it: text as it is, other things as JSON (true, 42), null as "none".
std::string textOf(const Json &value) { return value.is_string() ? value.get<std::string>() : value.is_null() ? "none" : value.dump(); }

using Reader = bool (*)(const Json &value, Job &job); ///< false: the value is of the wrong kind

bool readText(const Json &value, std::string &to) {
  to = value.is_string() ? value.get<std::string>() : std::string();
  return value.is_string();
}

template <typename T> bool readNumber(const Json &value, T &to) {
  if (!value.is_number_unsigned() || value.get<uint64_t>() > 1u << 30)
    return false;
  to = static_cast<uint32_t>(value.get<uint64_t>());
  return true;
}

bool readNames(const Json &value, NamedTexts &to) {
  if (!value.is_object())
    return false;
  for (const auto &[name, item] : value.items()) {
    std::erase_if(to, [&, &key = name](const auto &pair) { return pair.first == key; });
    to.emplace_back(name, textOf(item));
  }
  return true;
}

/// A grid is text or a list of numbers and texts.
bool readGrid(const Json &value, std::string &to) {
  if (!value.is_array())
    return readText(value, to);
  to.clear();
  for (const Json &item : value)
    to += (to.empty() ? "" : ", ") + textOf(item);
  return true;
}

const std::pair<std::string_view, Reader> kReaders[] = {
    {"id", [](const Json &v, Job &j) { j.id = textOf(v); return true; }},
    {"file", [](const Json &v, Job &j) { return readText(v, j.file); }},
    {"text", [](const Json &v, Job &j) { return readText(v, j.text.emplace()); }},
    {"kernel", [](const Json &v, Job &j) { return readText(v, j.kernel); }},
    {"target", [](const Json &v, Job &j) { return readText(v, j.target); }},
    {"grid", [](const Json &v, Job &j) { return readGrid(v, j.grid); }},
    {"sig", [](const Json &v, Job &j) { return j.hasSignature = readText(v, j.signature); }},
    {"args", [](const Json &v, Job &j) { return readNames(v, j.arguments); }},
    {"defines", [](const Json &v, Job &j) { return readNames(v, j.defines); }},
    {"globals", [](const Json &v, Job &j) { return readNames(v, j.globals); }},
    {"out", [](const Json &v, Job &j) { return readNames(v, j.outputs); }},
    {"check", [](const Json &v, Job &j) { return readNames(v, j.checks); }},
    {"option", [](const Json &v, Job &j) { return readNames(v, j.options); }},
    {"num_warps", [](const Json &v, Job &j) { return readNumber(v, j.numWarps); }},
    {"num_stages", [](const Json &v, Job &j) { return readNumber(v, j.numStages); }},
    {"config", [](const Json &v, Job &j) { return readNumber(v, j.config); }},
    {"repeat", [](const Json &v, Job &j) { return readNumber(v, j.repeat); }},
    {"device", [](const Json &v, Job &j) { return readNumber(v, j.device); }},
    {"math", [](const Json &v, Job &j) { return v.is_string() && setMath(j, v.get<std::string>()); }},
    {"O", [](const Json &v, Job &j) { return setLevel(j, textOf(v)); }},
    {"debug", [](const Json &v, Job &j) { return v.is_boolean() && (j.debug = v.get<bool>(), true); }},
    {"compile_only", [](const Json &v, Job &j) { return v.is_boolean() && (j.compileOnly = v.get<bool>(), true); }},
    {"sanitize",
     [](const Json &v, Job &j) {
       if (!v.is_boolean())
         return false;
       j.sanitize = v.get<bool>();
       if (!*j.sanitize)
         j.options.emplace_back("sanitize", "0");
       return true;
     }},
    {"module_path",
     [](const Json &v, Job &j) {
       if (!v.is_array() && !v.is_string())
         return false;
       j.modulePath.clear();
       for (const Json &item : v.is_array() ? v : Json::array({v}))
         j.modulePath.push_back(textOf(item));
       return true;
     }},
};
} // namespace

std::string idOf(const std::string &text) {
  Json json = Json::parse(text, nullptr, false);
  return json.is_object() && json.contains("id") ? textOf(json["id"]) : std::string();
}

bool readBatchLine(const std::string &text, Job &job, base::DiagnosticSink &sink) {
  Json json = Json::parse(text, nullptr, false);
  base::SourceRange where;
  where.file = "<batch>";
  if (!json.is_object()) {
    fail(sink, "D1601", "a line of the batch is no JSON object", where);
    return false;
  }
  bool good = true;
  for (const auto &[key, value] : json.items()) {
    auto reader = std::find_if(std::begin(kReaders), std::end(kReaders), [&, &name = key](const auto &r) { return r.first == name; });
    if (reader == std::end(kReaders)) {
      std::vector<std::string> known;
      for (const auto &[name, read] : kReaders)
        known.emplace_back(name);
      std::string nearest = base::nearestName(key, known);
      fail(sink, "D1601", "'" + key + "' is no key of a batch line", where, nearest.empty() ? "keys are the long options with '_'" : "did you mean '" + nearest + "'?");
      good = false;
    } else if (!reader->second(value, job)) {
      fail(sink, "D1601", "the value of '" + key + "' is of the wrong kind: " + value.dump(-1, ' ', false, Json::error_handler_t::replace), where);
      good = false;
    }
  }
  if (good && (job.file.empty() || (job.grid.empty() && !job.compileOnly))) {
    fail(sink, "D1601", job.file.empty() ? "a line of the batch has no 'file'" : "a line of the batch has no 'grid'", where);
    good = false;
  }
  return good;
}

} // namespace tegula::driver::tools
