// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conformance/harness/coverage.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <fstream>
#include <optional>
#include <set>

namespace tegula::conformance {

namespace {

using Edges = std::set<std::string>;
/// By function, then type.
using Table = std::map<std::string, std::map<std::string, Edges>>;

std::string functionOf(const Case &c) {
  const std::string base = c.id.substr(0, c.id.find('?'));
  return base.substr(0, base.find('.', base.find('.') + 1));
}

std::string typeOf(const Case &c) {
  std::string type;
  for (size_t at = 0; at < c.id.size();) {
    const size_t end = std::min(c.id.find_first_of(".?&=", at), c.id.size());
    if (const auto format = parseFormat(c.id.substr(at, end - at)))
      type = format->name;
    at = end + 1;
  }
  for (const Argument &a : c.arguments)
    if (type.empty() && (a.role == Argument::Role::Output || a.role == Argument::Role::InOut))
      type = a.format.name;
  return type;
}

Edges edgesOf(const Case &c) {
  Edges edges;
  for (const Argument &a : c.arguments) {
    if (a.role == Argument::Role::Scalar || a.role == Argument::Role::None)
      continue;
    const int64_t n = elementCount(a.shape);
    if (a.data == "special")
      edges.insert("special");
    if (n == 1)
      edges.insert("one");
    if (n & (n - 1))
      edges.insert("awkward");
  }
  if (edges.empty() || edges == Edges{"special"})
    edges.insert("whole");
  return edges;
}

/// groups: [{"functions": [...], "types": [...], "edges": [...]}]
std::optional<Table> readScope(const std::string &file, std::string &error) {
  std::ifstream in(file);
  const auto json = nlohmann::json::parse(in, nullptr, false, true);
  if (!json.is_object() || !json.contains("groups")) {
    error = file + ": no object with 'groups'";
    return std::nullopt;
  }
  Table scope;
  for (const auto &group : json["groups"])
    for (const std::string function : group.at("functions"))
      for (const std::string type : group.at("types"))
        for (const std::string edge : group.at("edges"))
          scope[function][type].insert(edge);
  return scope;
}

} // namespace

bool printCoverage(const std::vector<Case> &cases, const std::string &scopeFile, std::string &error) {
  const auto scope = readScope(scopeFile, error);
  if (!scope)
    return false;
  Table covered;
  for (const Case &c : cases)
    covered[functionOf(c)][typeOf(c)].merge(edgesOf(c));

  size_t cells = 0, faults = 0;
  for (const auto &[function, types] : *scope)
    for (const auto &[type, edges] : types)
      for (const std::string &edge : edges) {
        ++cells;
        if (covered[function][type].contains(edge))
          continue;
        ++faults;
        std::fprintf(stderr, "no case: %s, %s, %s\n", function.c_str(), type.c_str(), edge.c_str());
      }
  for (const auto &[function, types] : covered) {
    if (!scope->contains(function)) {
      ++faults;
      std::fprintf(stderr, "not in scope.json: %s\n", function.c_str());
    }
    std::printf("%-26s", function.c_str());
    for (const auto &[type, edges] : types) {
      std::string letters; // the edges' first letters
      for (const std::string &edge : edges)
        letters += edge[0];
      if (!letters.empty())
        std::printf(" %s:%s", type.c_str(), letters.c_str());
    }
    std::printf("\n");
  }
  std::printf("%zu cells in scope, %zu faults\n", cells, faults);
  return faults == 0;
}

} // namespace tegula::conformance
