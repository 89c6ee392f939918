// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See the header.
#include "driver/session/record.h"

#include <nlohmann/json.hpp>

namespace tegula::driver {

namespace {
using Json = nlohmann::ordered_json;

std::string dump(const Json &json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json value(const facts::Tree &tree) {
  using Kind = facts::Tree::Kind;
  switch (tree.kind) {
  case Kind::Bool: return tree.integer != 0;
  case Kind::Int: return tree.integer;
  case Kind::Float: return tree.number;
  case Kind::String: return tree.text;
  case Kind::List: {
    Json list = Json::array();
    for (const facts::Tree &child : tree.children)
      list.push_back(value(child));
    return list;
  }
  case Kind::Map: {
    Json map = Json::object();
    for (const facts::Tree &child : tree.children)
      map[child.key] = value(child);
    return map;
  }
  case Kind::Invalid: break;
  }
  return nullptr;
}

/// The type as the ABI names it.
const char *typeName(uint32_t type) {
  static constexpr const char *kNames[] = {"?", "i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "f8", "pointer"};
  return type < std::size(kNames) ? kNames[type] : "?";
}
} // namespace

std::string describeArtifact(const targets::Artifact &a) {
  Json json{{"entry", a.entry}, {"target", a.target}, {"format", a.format}, {"bytes", a.bytes.size()}, {"fingerprint", a.fingerprint}};
  json["arguments"] = Json::array();
  for (const targets::Argument &argument : a.arguments)
    json["arguments"].push_back({{"name", argument.name}, {"type", typeName(argument.type)}, {"offset", argument.offset}, {"size", argument.size}, {"divisibility", argument.divisibility}});
  json["folded"] = Json::object();
  for (const auto &[name, constant] : a.folded)
    json["folded"][name] = constant;
  json["argument_bytes"] = a.argumentBytes;
  json["lanes"] = a.lanes;
  json["warps"] = a.warps;
  json["static_shared_bytes"] = a.staticSharedBytes;
  json["dynamic_shared_bytes"] = a.dynamicSharedBytes;
  json["scratch_bytes"] = a.scratchBytes;
  json["resources"] = Json::object();
  for (const facts::Tree &resource : a.resources)
    json["resources"][resource.key] = value(resource);
  return dump(json);
}

std::string describeRequest(const frontend::CompileRequest &request, std::string_view target) {
  Json json{{"id", "reproducer"}, {"file", request.path}, {"kernel", request.kernel}, {"target", target}, {"compile_only", true}, {"args", Json::object()}};
  auto spell = [](const frontend::ArgumentSpec &spec) {
    return spec.kind == frontend::ArgumentSpec::Kind::Constant ? spec.constant : spec.type + (spec.divisibility % 16 == 0 ? ":16" : "");
  };
  for (const auto &[name, spec] : request.arguments)
    json["args"][name] = spell(spec);
  if (request.signature) {
    std::string signature;
    for (const frontend::ArgumentSpec &spec : *request.signature)
      signature += (signature.empty() ? "" : ", ") + spell(spec);
    json["sig"] = signature;
  }
  json["defines"] = request.defines;
  json["globals"] = request.globals;
  json["module_path"] = request.modulePath;
  if (request.numWarps)
    json["num_warps"] = *request.numWarps;
  if (request.numStages)
    json["num_stages"] = *request.numStages;
  if (request.config)
    json["config"] = *request.config;
  if (request.text)
    json["text"] = *request.text;
  return dump(json);
}

} // namespace tegula::driver
