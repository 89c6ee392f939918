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

std::string UnknownObject::howToKnow() const {
  std::string give = flag.empty() ? "" : "give its value with --global " + flag + "=VALUE";
  std::string find = reason.ends_with("was not found") ? "name the folder of the package with --module-path" : "";
  return give + (give.empty() || find.empty() ? "" : ", or ") + find;
}

std::string Frame::didYouMean(std::string_view name) {
  std::vector<std::string> names;
  for (const Scope *s = scope.get(); s; s = s->parent.get())
    for (const auto &[candidate, value] : s->names)
      names.emplace_back(candidate);
  for (const auto &[candidate, value] : module.scope->names)
    names.emplace_back(candidate);
  for (std::string_view candidate : pythonBuiltinNames())
    names.emplace_back(candidate);
  return base::didYouMean(name, names);
}

bool Frame::requireKnown(const Value &value, ast::Range range) {
  if (!value.isUnknown())
    return true;
  const auto &unknown = value.as<UnknownObject>();
  if (mode == Mode::Kernel) {
    std::string subject = unknown.flag.empty() ? "'" + std::string(sourceText(range)) + "'" : "'" + unknown.flag + "'";
    ev.error(range, "F2104", subject + " decides kernel code and is unknown here: " + unknown.reason, unknown.howToKnow());
  } else {
    ev.error(range, "F2104", unknown.reason, unknown.howToKnow());
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
  return ev.error(range, "F2101", "'" + std::string(name) + "' is not defined", didYouMean(name));
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
