// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading the tree, key by key. Every key has one reader; what has none is unknown.
#include "targets/facts/facts.h"

#include <algorithm>

namespace tegula::facts {
namespace {

/// Walks one map and keeps the first thing that is wrong.
class Reader {
public:
  Reader(std::string_view target, base::DiagnosticSink &sink) : target(target), sink(sink) {}

  template <class F> void eachKey(const Tree &map, F known) {
    for (const Tree &child : map.children)
      if (!known(child) && child.mustUnderstand)
        fail("T1041", "the facts of '" + target + "' have '" + child.key + "', which must be understood and is not known here");
  }

  void read(const Tree &tree, std::string &value) {
    if (expect(tree, Tree::Kind::String, "a string"))
      value = tree.text;
  }
  template <class Int> void readCount(const Tree &tree, Int &value) {
    if (expect(tree, Tree::Kind::Int, "an integer") && tree.integer >= 0)
      value = static_cast<Int>(tree.integer);
    else if (ok)
      fail("T1042", "'" + tree.key + "' of '" + target + "' is negative");
  }
  void read(const Tree &tree, std::vector<std::string> &values) {
    if (!expect(tree, Tree::Kind::List, "a list of strings"))
      return;
    values.clear();
    for (const Tree &child : tree.children)
      if (expect(child, Tree::Kind::String, "a list of strings"))
        values.push_back(child.text);
  }
  bool expect(const Tree &tree, Tree::Kind kind, const char *what) {
    if (tree.kind != kind)
      fail("T1042", "'" + tree.key + "' of '" + target + "' is not " + what);
    return tree.kind == kind;
  }
  void fail(const char *code, std::string message) {
    if (ok)
      sink.report({base::Severity::Error, code, std::move(message), {}, {}, {}});
    ok = false;
  }

  bool ok = true;

private:
  std::string target;
  base::DiagnosticSink &sink;
};

Accuracy accuracyOf(std::string_view name) {
  if (name == "correctly_rounded")
    return Accuracy::CorrectlyRounded;
  if (name == "faithful")
    return Accuracy::Faithful;
  if (name == "ulp2")
    return Accuracy::Ulp2;
  return name == "fast" ? Accuracy::Fast : Accuracy::Unknown;
}

bool contains(const std::vector<std::string> &values, std::string_view value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

void readLanguage(Reader &reader, const Tree &tree, LanguageFacts &language) {
  reader.eachKey(tree, [&](const Tree &child) {
    if (child.key == "backend")
      return reader.read(child, language.backendName), true;
    if (child.key == "arch")
      return reader.read(child, language.arch), true;
    if (child.key == "dot_precision")
      return reader.read(child, language.dotPrecision), true;
    if (child.key == "dot_precisions")
      return reader.read(child, language.dotPrecisions), true;
    if (child.key == "fp8_types")
      return reader.read(child, language.fp8Types), true;
    return false;
  });
}

void readOperations(Reader &reader, const Tree &tree, std::vector<OperationRow> &operations) {
  for (const Tree &row : tree.children) {
    OperationRow out;
    if (!reader.expect(row, Tree::Kind::Map, "a list of maps"))
      return;
    reader.eachKey(row, [&](const Tree &child) {
      std::string accuracy;
      if (child.key == "operation")
        return reader.read(child, out.operation), true;
      if (child.key == "types")
        return reader.read(child, out.types), true;
      if (child.key != "accuracy")
        return false;
      reader.read(child, accuracy);
      out.accuracy = accuracyOf(accuracy);
      return true;
    });
    operations.push_back(std::move(out));
  }
}

} // namespace

bool Facts::supportsType(std::string_view type) const { return types.empty() || contains(types, type); }

bool Facts::supportsOperation(std::string_view operation, std::string_view type) const {
  if (operations.empty())
    return supportsType(type);
  return std::any_of(operations.begin(), operations.end(), [&](const OperationRow &row) {
    return row.operation == operation && (row.types.empty() || contains(row.types, type));
  });
}

Accuracy Facts::accuracy(std::string_view operation, std::string_view type) const {
  for (const OperationRow &row : operations)
    if (row.operation == operation && (row.types.empty() || contains(row.types, type)))
      return row.accuracy;
  return Accuracy::Unknown;
}

std::optional<Facts> parseFacts(const Tree &root, std::string_view target, base::DiagnosticSink &sink) {
  Facts facts;
  Reader reader(target, sink);
  if (!reader.expect(root, Tree::Kind::Map, "a map"))
    return std::nullopt;
  bool hasLevel = false;
  reader.eachKey(root, [&](const Tree &child) {
    if (child.key == "kir_level") {
      std::string level;
      reader.read(child, level);
      hasLevel = level == "tile" || level == "thread";
      facts.kirLevel = level == "thread" ? KirLevel::Thread : KirLevel::Tile;
      return true;
    }
    if (child.key == "types")
      return reader.read(child, facts.types), true;
    if (child.key == "max_tensor_elements")
      return reader.readCount(child, facts.maxTensorElements), true;
    if (child.key == "machine") {
      reader.eachKey(child, [&](const Tree &machine) {
        if (machine.key != "lanes")
          return false;
        reader.readCount(machine, facts.machine.lanes);
        return true;
      });
      return true;
    }
    if (child.key == "language")
      return readLanguage(reader, child, facts.language), true;
    if (child.key == "operations")
      return readOperations(reader, child, facts.operations), true;
    return false;
  });
  if (reader.ok && !hasLevel)
    reader.fail("T1042", "the facts of '" + std::string(target) + "' name no KIR level that is known here ('tile', 'thread')");
  return reader.ok ? std::optional<Facts>(std::move(facts)) : std::nullopt;
}

} // namespace tegula::facts
