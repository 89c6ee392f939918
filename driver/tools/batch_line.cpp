// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys and their readers in one table.
#include "driver/tools/batch_line.h"

#include "sdk/base/nearest_name.h"
#include "driver/tools/command_line.h"

#include <nlohmann/json.hpp>

#include <bit>

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

/// A caret under `key` of the line, as far as it can be found; under all of the line where it is empty.
base::SourceRange placeOf(const std::string &text, const std::string &file, uint32_t line, const std::string &key) {
  std::string quoted = "\"" + key + "\"";
  size_t at = key.empty() ? std::string::npos : text.find(quoted);
  base::SourceRange range = at == std::string::npos ? OptionText{"", text}.all() : OptionText{"", text}.at(at, at + quoted.size());
  range.file = file;
  range.line = line;
  return range;
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

/// A grid is a number, text, or a list of those.
bool readGrid(const Json &value, std::string &to) {
  to.clear();
  for (const Json &item : value.is_array() ? value : Json::array({value})) {
    if (!item.is_string() && !item.is_number_integer())
      return false;
    to += (to.empty() ? "" : ", ") + textOf(item);
  }
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
    {"num_warps", [](const Json &v, Job &j) { return readNumber(v, j.numWarps) && j.numWarps <= 64 && std::has_single_bit(j.numWarps); }},
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

std::string idOf(const std::string &text, const std::string &file, uint32_t line) {
  Json json = Json::parse(text, nullptr, false);
  return json.is_object() && json.contains("id") ? textOf(json["id"]) : file + ":" + std::to_string(line);
}

bool readBatchLine(const std::string &text, const std::string &file, uint32_t line, Job &job, base::DiagnosticSink &sink) {
  job.id = file + ":" + std::to_string(line);
  base::SourceRange where = placeOf(text, file, line, "");
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error &error) {
    std::string why = error.what(); // "[json.exception...] parse error at line 1, column 2: syntax error while ..."
    size_t at = std::min<size_t>(error.byte ? error.byte - 1 : 0, text.size()), colon = why.find(": ");
    where = OptionText{"", text}.at(at, at + 1);
    where.file = file;
    where.line = line;
    fail(sink, "D1601", "the line is no JSON: " + (colon == std::string::npos ? why : why.substr(colon + 2)), where);
    return false;
  }
  if (!json.is_object()) {
    fail(sink, "D1601", "the line is no JSON object", where, R"(a case is written {"file": "k.py", "kernel": "k", "grid": "1", "args": {"x": "zeros:f32[8]"}})");
    return false;
  }
  bool good = true;
  for (const auto &[key, value] : json.items()) {
    where = placeOf(text, file, line, key);
    auto reader = std::find_if(std::begin(kReaders), std::end(kReaders), [&, &name = key](const auto &r) { return r.first == name; });
    if (reader == std::end(kReaders)) {
      std::vector<std::string> known;
      for (const auto &[name, read] : kReaders)
        known.emplace_back(name);
      fail(sink, "D1601", "'" + key + "' is no key of a batch line", where, base::didYouMean(key, known, "keys are the long options with '_'"));
      good = false;
    } else if (!reader->second(value, job)) {
      fail(sink, "D1601", "the value of '" + key + "' is of the wrong kind: " + value.dump(-1, ' ', false, Json::error_handler_t::replace), where);
      good = false;
    }
  }
  where = placeOf(text, file, line, "");
  if (good && (job.file.empty() || (job.grid.empty() && !job.compileOnly))) {
    fail(sink, "D1601", job.file.empty() ? "a line of the batch has no 'file'" : "a line of the batch has no 'grid'", where);
    good = false;
  }
  return good;
}

} // namespace tegula::driver::tools
