// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "conformance/harness/case.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace tegula::conformance {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::optional<Tier> parseTier(std::string_view name) {
  for (Tier tier : {Tier::Smoke, Tier::Quick, Tier::Full})
    if (tierName(tier) == name)
      return tier;
  return std::nullopt;
}

std::string_view tierName(Tier tier) { return tier == Tier::Smoke ? "smoke" : tier == Tier::Quick ? "quick" : "full"; }

namespace {

struct CaseFault {
  std::string message;
};

/// FNV-1a: the seed of a case's inputs follows from its id alone.
uint64_t hash(std::string_view text) {
  uint64_t h = 0xcbf29ce484222325ull;
  for (char c : text)
    h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return h;
}

/// One combination of parameter values: numbers also as oracle names, everything also as text.
struct Binding {
  std::map<std::string, std::string> texts;
  Names numbers;
};

std::string textOf(const Json &value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// "{name}" in a text becomes the parameter's value.
std::string substitute(std::string text, const Binding &binding) {
  for (const auto &[name, value] : binding.texts) {
    std::string key = "{" + name + "}";
    for (size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + value.size()))
      text.replace(at, key.size(), value);
  }
  return text;
}

/// A number, or an expression over the parameters.
Array number(const Json &value, const Binding &binding) {
  if (value.is_number_integer())
    return Array::ofInteger(value.get<int64_t>());
  if (value.is_number())
    return Array::ofReal(value.get<double>());
  std::string error;
  auto result = evaluateOracle(substitute(textOf(value), binding), binding.numbers, error);
  if (!result)
    throw CaseFault{error};
  return *result;
}

int64_t integer(const Json &value, const Binding &binding) { return static_cast<int64_t>(number(value, binding).integer(0)); }

Format format(const std::string &name) {
  auto f = parseFormat(name);
  if (!f)
    throw CaseFault{"unknown type '" + name + "'"};
  return *f;
}

Argument argument(const std::string &name, const Json &spec, const Binding &binding) {
  Argument a;
  a.name = name;
  if (spec.is_null()) {
    a.role = Argument::Role::None;
    return a;
  }
  if (!spec.is_object()) {
    a.scalar = number(spec, binding);
    a.format = format(a.scalar.isReal ? "f32" : "i32");
    return a;
  }
  a.format = format(substitute(spec.value("type", "f32"), binding));
  if (spec.contains("scalar")) {
    a.scalar = number(spec["scalar"], binding);
    return a;
  }
  a.role = Argument::Role::Input;
  if (spec.contains("same")) {
    a.sameAs = spec["same"];
  } else {
    std::string role = spec.value("role", "in");
    if (role != "in" && role != "out" && role != "inout")
      throw CaseFault{"argument '" + name + "': role is in, out or inout"};
    a.role = role == "in" ? Argument::Role::Input : role == "out" ? Argument::Role::Output : Argument::Role::InOut;
    for (const Json &dim : spec.at("shape"))
      a.shape.push_back(integer(dim, binding));
    a.data = substitute(spec.value("data", "normal"), binding);
  }
  if (spec.contains("low"))
    a.low = static_cast<double>(number(spec["low"], binding).real(0));
  if (spec.contains("high"))
    a.high = static_cast<double>(number(spec["high"], binding).real(0));
  if (spec.contains("offset"))
    a.offset = integer(spec["offset"], binding);
  return a;
}

Tolerance tolerance(const Json &spec, const Binding &binding) {
  Tolerance t;
  if (spec.is_string() && spec == "exact")
    return t;
  if (spec.is_object() && spec.contains("ulp")) {
    t.kind = Tolerance::Kind::Ulp;
    t.ulps = static_cast<double>(number(spec["ulp"], binding).real(0));
    return t;
  }
  if (spec.is_object() && spec.contains("bound")) {
    t.kind = Tolerance::Kind::Absolute;
    t.bound = substitute(spec["bound"].get<std::string>(), binding);
    return t;
  }
  throw CaseFault{"a tolerance is \"exact\", {\"ulp\": N} or {\"bound\": EXPRESSION}"};
}

std::vector<std::string> strings(const Json &spec, const char *key) {
  std::vector<std::string> result;
  if (spec.contains(key))
    for (const Json &item : spec[key])
      result.push_back(item.get<std::string>());
  return result;
}

Case expand(const Json &spec, const Json &file, const fs::path &folder, const Binding &binding) {
  auto get = [&](const char *key) -> const Json & { return spec.contains(key) ? spec[key] : file.at(key); };
  auto has = [&](const char *key) { return spec.contains(key) || file.contains(key); };
  Case c;
  c.file = (folder / get("file").get<std::string>()).string();
  c.kernel = substitute(get("kernel").get<std::string>(), binding);
  c.id = substitute(spec.at("id").get<std::string>(), binding);
  std::string query;
  for (const auto &[name, value] : binding.texts)
    if (spec.at("id").get<std::string>().find("{" + name + "}") == std::string::npos)
      query += (query.empty() ? "?" : "&") + name + "=" + value;
  c.id += query;
  c.seed = hash(c.id);
  c.parameters = binding.numbers;
  if (has("defines"))
    for (const auto &[name, value] : get("defines").items()) {
      std::string text = substitute(textOf(value), binding);
      auto it = binding.texts.find(text);
      c.defines[name] = it != binding.texts.end() ? it->second : text;
    }
  for (const Json &dim : get("grid"))
    c.grid.push_back(integer(dim, binding));
  for (const auto &[name, value] : get("arguments").items())
    c.arguments.push_back(argument(name, value, binding));
  if (has("oracle"))
    for (const Json &line : get("oracle"))
      c.oracle.push_back(substitute(line.get<std::string>(), binding));
  if (has("tolerance"))
    for (const auto &[name, value] : get("tolerance").items())
      c.tolerances[name] = tolerance(value, binding);
  c.requirements = strings(spec, "requires");
  for (std::string &r : c.requirements)
    r = substitute(r, binding);
  for (const Argument &a : c.arguments)
    if (!a.format.name.empty() && std::find(c.requirements.begin(), c.requirements.end(), a.format.name) == c.requirements.end())
      c.requirements.emplace_back(a.format.name);
  std::string tier = spec.value("tier", file.value("tier", "quick"));
  if (auto t = parseTier(tier))
    c.tier = *t;
  else
    throw CaseFault{"unknown tier '" + tier + "'"};
  if (has("num_warps"))
    c.numWarps = static_cast<uint32_t>(integer(get("num_warps"), binding));
  c.expectError = spec.value("expect_error", "");
  if (c.expectError.empty() && c.oracle.empty())
    throw CaseFault{"a case needs an oracle or an expected error"};
  return c;
}

void readFile(const fs::path &path, std::vector<Case> &cases) {
  std::ifstream in(path);
  Json file = Json::parse(in, nullptr, true, true);
  for (const Json &spec : file.at("cases")) {
    // The cartesian product of the parameters' values.
    std::vector<Binding> bindings(1);
    Json parameters = file.value("parameters", Json::object());
    if (spec.contains("parameters"))
      parameters.update(spec["parameters"]);
    for (const auto &[name, values] : parameters.items()) {
      std::vector<Binding> longer;
      Json list = values.is_array() ? values : Json::array({values});
      for (const Binding &binding : bindings)
        for (const Json &value : list) {
          Binding next = binding;
          next.texts[name] = textOf(value);
          if (!value.is_string())
            next.numbers[name] = value.is_number_integer() ? Array::ofInteger(value.get<int64_t>())
                                 : value.is_boolean()      ? Array::ofInteger(value.get<bool>())
                                                           : Array::ofReal(value.get<double>());
          longer.push_back(std::move(next));
        }
      bindings = std::move(longer);
    }
    for (const Binding &binding : bindings)
      cases.push_back(expand(spec, file, path.parent_path(), binding));
  }
}

} // namespace

std::vector<Case> loadCases(const std::string &folder, std::vector<std::string> &errors) {
  std::vector<fs::path> files;
  std::error_code ec;
  for (auto it = fs::recursive_directory_iterator(folder, fs::directory_options::follow_directory_symlink, ec);
       it != fs::recursive_directory_iterator(); ++it)
    if (it->path().extension() == ".json")
      files.push_back(it->path());
  if (ec || files.empty())
    errors.push_back(folder + ": no case files");
  std::sort(files.begin(), files.end());
  std::vector<Case> cases;
  for (const fs::path &path : files) {
    try {
      readFile(path, cases);
    } catch (const CaseFault &fault) {
      errors.push_back(path.string() + ": " + fault.message);
    } catch (const nlohmann::json::exception &e) {
      errors.push_back(path.string() + ": " + e.what());
    }
  }
  std::sort(cases.begin(), cases.end(), [](const Case &a, const Case &b) { return a.id < b.id; });
  for (size_t i = 1; i < cases.size(); ++i)
    if (cases[i].id == cases[i - 1].id)
      errors.push_back("two cases have the id " + cases[i].id);
  return cases;
}

} // namespace tegula::conformance
