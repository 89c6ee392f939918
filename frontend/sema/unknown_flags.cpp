// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What follows from a flag that is not known when compiling: both ways are taken, and what they agree on is known.
#include "frontend/sema/frame.h"
#include "frontend/sema/language.h"

namespace tegula::frontend::sema {

namespace {

bool isOfTriton(std::string_view name) { return name == "triton" || name.starts_with("triton."); }

bool isImportOfTriton(const Value &value) {
  return value.is(Kind::LazyImport) && value.as<LazyImportObject>().level == 0 && isOfTriton(value.as<LazyImportObject>().module);
}

bool sameImport(const Value &a, const Value &b) {
  if (!a.is(Kind::LazyImport) || !b.is(Kind::LazyImport))
    return false;
  const auto &x = a.as<LazyImportObject>(), &y = b.as<LazyImportObject>();
  return x.module == y.module && x.member == y.member && x.level == y.level && x.from == y.from;
}

/// The modules of the language, its decorators and what they make: packages put placeholders in their place where there is no driver.
bool isLanguageItself(const Value &value) {
  if (value.is(Kind::Module))
    return isOfTriton(value.as<ModuleObject>().name);
  if (value.is(Kind::Builtin)) {
    std::string_view name = value.as<BuiltinObject>().name;
    return isOfTriton(name) && name.find('.') == name.rfind('.');
  }
  if (!isImportOfTriton(value))
    return isJitFunction(value);
  const auto &lazy = value.as<LazyImportObject>();
  return lazy.member.empty() || isLanguageModule(lazy.module + "." + lazy.member);
}

bool isLanguageFunction(const Value &value) {
  return isImportOfTriton(value) || (value.is(Kind::Builtin) && isOfTriton(value.as<BuiltinObject>().name));
}

} // namespace

MaybeValue Frame::eitherWay(const Value &a, const Value &b) {
  if (sameImport(a, b))
    return a;
  if (a.kind() == b.kind() && equalValues(a, b))
    return a.isConstexprWrapped() ? a : b;
  if (isLanguageItself(a) != isLanguageItself(b))
    return isLanguageItself(a) ? a : b;
  // One function that has moved, or that each vendor's library has.
  if (isImportOfTriton(a) && isImportOfTriton(b) && a.as<LazyImportObject>().member == b.as<LazyImportObject>().member)
    return impl.loader.resolve(ev, a).isUnknown() ? b : a;
  // The way that finds no function is not the one that is taken.
  if (a.isUnknown() && isLanguageFunction(b))
    return b;
  if (b.isUnknown() && isLanguageFunction(a))
    return a;
  return std::nullopt;
}

// A name that only one arm binds is what that arm says: a program that uses it takes that arm.
Flow Frame::execUnknownIf(const ast::If &stmt, const Value &unknown) {
  Names before = functionScope->names;
  execTolerant(stmt.body);
  Names thenNames = std::move(functionScope->names);
  functionScope->names = std::move(before);
  execTolerant(stmt.orElse);
  const auto &cause = unknown.as<UnknownObject>();
  for (const auto &[name, value] : thenNames) {
    auto other = functionScope->names.find(name);
    MaybeValue agreed = other == functionScope->names.end() ? value : eitherWay(value, other->second);
    bind(name, agreed ? std::move(*agreed)
                      : Value::unknown("it depends on '" + (cause.flag.empty() ? std::string(sourceText(stmt.test->range)) : cause.flag) +
                                           "': " + cause.reason,
                                       cause.flag));
  }
  return Flow::Normal;
}

MaybeValue Frame::evalUnknownIfExp(const ast::IfExp &expr, const Value &unknown) {
  Value sides[2];
  for (const ast::Expr *side : {expr.body, expr.orElse}) {
    Capture capture(impl);
    MaybeValue value = eval(side);
    sides[side == expr.orElse] = value ? std::move(*value) : Value::unknown(capture.failure.message, capture.failure.flag);
  }
  MaybeValue agreed = eitherWay(sides[0], sides[1]);
  return agreed ? agreed : unknown;
}

} // namespace tegula::frontend::sema
