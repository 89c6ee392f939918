// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A node is written as plainly as JSON allows: booleans, integers, numbers and strings as themselves, lists as arrays, maps as arrays of
// {"key", "value"} (order is kept), so that every kind is told from its JSON form. A number that is whole is written with a point.
#include "targets/recorded/recorded.h"

#include <nlohmann/json.hpp>

namespace tegula::facts {
namespace {
using Json = nlohmann::ordered_json;

Json valueOf(const Tree &tree);

Json membersOf(const Tree &map) {
  Json members = Json::array();
  for (const Tree &child : map.children) {
    Json member = {{"key", child.key}};
    if (child.mustUnderstand)
      member["must_understand"] = true;
    member["value"] = valueOf(child);
    members.push_back(std::move(member));
  }
  return members;
}

Json valueOf(const Tree &tree) {
  switch (tree.kind) {
  case Tree::Kind::Bool:
    return tree.integer != 0;
  case Tree::Kind::Int:
    return tree.integer;
  case Tree::Kind::Float:
    return tree.number;
  case Tree::Kind::String:
    return tree.text;
  case Tree::Kind::List: {
    Json list = Json::array();
    for (const Tree &child : tree.children)
      list.push_back(valueOf(child));
    return list;
  }
  case Tree::Kind::Map:
    return Json{{"map", membersOf(tree)}};
  case Tree::Kind::Invalid:
    break;
  }
  return nullptr;
}

bool readValue(const Json &json, Tree &tree, unsigned depth) {
  if (depth > 64)
    return false;
  if (json.is_boolean()) {
    tree.kind = Tree::Kind::Bool;
    tree.integer = json.get<bool>();
  } else if (json.is_number_integer()) {
    tree.kind = Tree::Kind::Int;
    tree.integer = json.get<int64_t>();
  } else if (json.is_number_float()) {
    tree.kind = Tree::Kind::Float;
    tree.number = json.get<double>();
  } else if (json.is_string()) {
    tree.kind = Tree::Kind::String;
    tree.text = json.get<std::string>();
  } else if (json.is_array()) {
    tree.kind = Tree::Kind::List;
    for (const Json &child : json)
      if (!readValue(child, tree.children.emplace_back(), depth + 1))
        return false;
  } else if (json.is_object() && json.contains("map") && json["map"].is_array()) {
    tree.kind = Tree::Kind::Map;
    for (const Json &member : json["map"]) {
      if (!member.is_object() || !member.contains("key") || !member["key"].is_string() || !member.contains("value"))
        return false;
      Tree &child = tree.children.emplace_back();
      if (!readValue(member["value"], child, depth + 1))
        return false;
      child.key = member["key"].get<std::string>();
      child.mustUnderstand = member.contains("must_understand");
    }
  } else {
    return false;
  }
  return true;
}

} // namespace

std::string writeRecorded(const Recorded &recorded) {
  return Json{{"schema", "0.1"}, {"target", recorded.target}, {"facts", valueOf(recorded.root)}}.dump(1) + "\n";
}

std::optional<Recorded> readRecorded(std::string_view text, const std::string &name, base::DiagnosticSink &sink) {
  Json json = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  Recorded recorded;
  bool ok = json.is_object() && json.contains("schema") && json["schema"] == "0.1" && json.contains("target") &&
            json["target"].is_string() && json.contains("facts") && readValue(json["facts"], recorded.root, 0);
  if (!ok) {
    sink.report({base::Severity::Error, "T1043", "'" + name + "' holds no recorded facts of schema 0.1", {}, {}, {}});
    return std::nullopt;
  }
  recorded.target = json["target"].get<std::string>();
  recorded.root.key = "facts";
  return recorded;
}

} // namespace tegula::facts
