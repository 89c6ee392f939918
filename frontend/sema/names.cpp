// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a name stands for: local scopes, names that only some paths define, the module, Python's builtins; and which globals a
// kernel may read.
#include "frontend/sema/frame.h"

#include "sdk/base/nearest_name.h"

#include <algorithm>

namespace tegula::frontend::sema {

namespace {
size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t up = row[j];
      row[j] = std::min({up + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = up;
    }
  }
  return row[b.size()];
}

/// May a kernel read this global although it is not wrapped in tl.constexpr? Containers are read by subscript, so they count as
/// what they hold.
bool isReadableGlobal(const Value &value) {
  switch (value.kind()) {
  case Kind::Bool:
  case Kind::Int:
  case Kind::Float:
  case Kind::Str:
  case Kind::Bytes:
    return value.isConstexprWrapped();
  case Kind::List:
  case Kind::Tuple:
    return value.isConstexprWrapped() || std::all_of(value.items().begin(), value.items().end(), isReadableGlobal);
  case Kind::Dict: {
    const auto &items = value.as<DictObject>().items;
    return value.isConstexprWrapped() || std::all_of(items.begin(), items.end(), [](const auto &item) { return isReadableGlobal(item.second); });
  }
  default:
    return true;
  }
}
} // namespace

std::string Frame::nearestName(std::string_view name) {
  std::string best;
  size_t bestDistance = name.size() < 4 ? 2 : 3; // anything nearer than this is a likely slip
  auto consider = [&](std::string_view candidate) {
    if (candidate == name || !base::couldBeNear(name, candidate, bestDistance))
      return;
    size_t distance = editDistance(name, candidate);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = candidate;
    }
  };
  for (const Scope *s = scope.get(); s; s = s->parent.get())
    for (const auto &[candidate, value] : s->names)
      consider(candidate);
  for (const auto &[candidate, value] : module.scope->names)
    consider(candidate);
  for (std::string_view candidate : pythonBuiltinNames())
    consider(candidate);
  return best;
}

bool Frame::requireKnown(const Value &value, ast::Range range) {
  if (!value.isUnknown())
    return true;
  const auto &unknown = value.as<UnknownObject>();
  if (mode == Mode::Kernel) {
    std::string help = unknown.flag.empty() ? "" : "give its value with --global " + unknown.flag + "=VALUE";
    std::string subject = unknown.flag.empty() ? "'" + std::string(sourceText(range)) + "'" : "'" + unknown.flag + "'";
    ev.error(range, "F2104", subject + " decides kernel code and is unknown here: " + unknown.reason, help);
  } else {
    ev.error(range, "F2104", unknown.reason, unknown.flag.empty() ? "" : "give its value with --global " + unknown.flag + "=VALUE");
  }
  return false;
}

bool Frame::checkReadable(std::string_view name, const Value &value, ast::Range range) {
  if (!isKernel() || isReadableGlobal(value))
    return true;
  ev.error(range, "F2103", "global '" + std::string(name) + "' is not a constexpr, so a kernel cannot read it",
           "write '" + std::string(name) + " = tl.constexpr(" + ev.repr(value) + ")'");
  return false;
}

MaybeValue Frame::lookup(std::string_view name, ast::Range range) {
  bool isLocal = true; // in this activation, its comprehensions included; then come the functions around it
  for (const Scope *s = scope.get(); s && s != module.scope.get(); s = s->parent.get()) {
    auto it = s->names.find(name);
    if (it != s->names.end()) {
      Value value = it->second.is(Kind::LazyImport) ? impl.loader.resolve(ev, it->second) : it->second;
      return isLocal || checkReadable(name, value, range) ? MaybeValue(value) : std::nullopt;
    }
    isLocal &= s != outermost.get();
  }
  if (auto it = lost.find(name); it != lost.end()) {
    const SourceBuffer &source = *module.tree->source;
    return ev.error(range, "F2102", "'" + std::string(name) + "' may be undefined here: the '" + std::string(it->second.by) + "' in line " +
                                        std::to_string(source.locate(it->second.where.begin).line) + " does not define it on every path",
                    "assign '" + std::string(name) + "' before that statement");
  }
  if (MaybeValue value = impl.loader.lookup(ev, module, name)) {
    Value resolved = impl.loader.resolve(ev, *value);
    if (!checkReadable(name, resolved, range))
      return std::nullopt;
    return resolved;
  }
  if (MaybeValue value = pythonBuiltin(name))
    return value;
  if (name == "__name__")
    return Value::string(module.name);
  if (name == "__file__")
    return Value::string(module.tree ? module.tree->source->path() : std::string());
  std::string near = nearestName(name);
  return ev.error(range, "F2101", "'" + std::string(name) + "' is not defined", near.empty() ? "" : "did you mean '" + near + "'?");
}

void Frame::bind(std::string_view name, Value value) {
  Scope *target = functionScope.get();
  if (!globalNames.empty() && globalNames.contains(name))
    target = module.scope.get();
  // The flag that --global answers is the name as the module binds it.
  if (value.isUnknown() && target == module.scope.get() && value.as<UnknownObject>().flag.empty())
    value = Value::unknown(value.as<UnknownObject>().reason, module.name + "." + std::string(name));
  lost.erase(std::string(name));
  if (isKernel() && value.isTensor())
    impl.builder->nameValue(value.asTensor().value, name);
  target->names.insert_or_assign(std::string(name), std::move(value));
}

} // namespace tegula::frontend::sema
