// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding the kernel that a request names, at module level or inside a function that makes kernels.
#include "frontend/sema/frame.h"
#include "frontend/sema/specialise.h"
#include "sdk/base/nearest_name.h"

namespace tegula::frontend::sema {

namespace {

bool isJitDecorator(const ast::Expr *expr) {
  if (const auto *call = ast::dynAs<ast::Call>(expr))
    expr = call->func;
  if (const auto *attribute = ast::dynAs<ast::Attribute>(expr))
    return attribute->attr == "jit";
  const auto *name = ast::dynAs<ast::Name>(expr);
  return name && name->id == "jit";
}

/// Visits each function with the functions around it, outermost first.
template <typename Visit> void forEachFunction(ast::List<ast::Stmt> body, std::vector<const ast::FunctionDef *> &around, const Visit &visit) {
  for (const ast::Stmt *stmt : body) {
    switch (stmt->kind) {
    case ast::StmtKind::FunctionDef: {
      const auto *def = ast::as<ast::FunctionDef>(stmt);
      visit(*def, around);
      around.push_back(def);
      forEachFunction(def->body, around, visit);
      around.pop_back();
      break;
    }
    case ast::StmtKind::If:
      forEachFunction(ast::as<ast::If>(stmt)->body, around, visit);
      forEachFunction(ast::as<ast::If>(stmt)->orElse, around, visit);
      break;
    case ast::StmtKind::Try:
      forEachFunction(ast::as<ast::Try>(stmt)->body, around, visit);
      for (const ast::ExceptHandler *handler : ast::as<ast::Try>(stmt)->handlers)
        forEachFunction(handler->body, around, visit);
      forEachFunction(ast::as<ast::Try>(stmt)->orElse, around, visit);
      break;
    case ast::StmtKind::With:
      forEachFunction(ast::as<ast::With>(stmt)->body, around, visit);
      break;
    default:
      break;
    }
  }
}

bool isJit(const ast::FunctionDef &def) {
  for (const ast::Expr *decorator : def.decorators)
    if (isJitDecorator(decorator))
      return true;
  return false;
}

/// Runs the functions around a nested kernel as far as they can be run: their parameters are -D values, defaults or unknown.
Value evaluateNested(Evaluator &ev, ModuleObject &main, const std::vector<const ast::FunctionDef *> &around, const std::string &kernel) {
  std::shared_ptr<Scope> scope;
  for (const ast::FunctionDef *outer : around) {
    auto inner = std::make_shared<Scope>();
    inner->parent = scope;
    scope = inner;
    std::vector<const ast::Arg *> parameters(outer->args->posOnly.begin(), outer->args->posOnly.end());
    parameters.insert(parameters.end(), outer->args->args.begin(), outer->args->args.end());
    parameters.insert(parameters.end(), outer->args->kwOnly.begin(), outer->args->kwOnly.end());
    for (const ast::Arg *parameter : parameters) {
      std::string name(parameter->name);
      auto given = ev.request().defines.find(name);
      scope->names[name] = given != ev.request().defines.end() ? parseDefine(ev, main, given->second).wrappedConstexpr()
                                                               : Value::unknown("'" + name + "' is a parameter of '" + std::string(outer->name) +
                                                                                "', in which the kernel is defined; -D " + name + "=VALUE gives it");
    }
    Frame frame(ev, main, scope, Mode::Host, nullptr, {});
    frame.execTolerant(outer->body);
  }
  auto it = scope->names.find(kernel);
  return it == scope->names.end() ? Value() : it->second;
}
} // namespace

std::vector<std::string> kernelNames(const ast::Module &tree) {
  std::vector<std::string> names;
  std::vector<const ast::FunctionDef *> around;
  forEachFunction(tree.body, around, [&](const ast::FunctionDef &def, const auto &) {
    if (isJit(def))
      names.emplace_back(def.name);
  });
  return names;
}

std::shared_ptr<FunctionObject> findKernel(Evaluator &ev, ModuleObject &main) {
  const std::string &name = ev.request().kernel;
  ev.runModule(main);
  Frame frame(ev, main, main.scope, Mode::Host, nullptr, {});
  MaybeValue value = ev.loader().lookup(ev, main, name);
  if (value)
    value = ev.loader().resolve(ev, *value);
  ast::Range place;
  bool defined = false;
  std::vector<const ast::FunctionDef *> around, path;
  forEachFunction(main.tree->body, around, [&](const ast::FunctionDef &def, const auto &outer) {
    if (def.name != name || defined)
      return;
    defined = true;
    place = def.nameRange;
    path = outer;
  });
  if (!value && defined && !path.empty())
    value = evaluateNested(ev, main, path, name);
  if (auto shadowed = ev.internals().shadowedKernels.find({&main, name});
      shadowed != ev.internals().shadowedKernels.end() && !(value && isJitFunction(*value)))
    value = shadowed->second;
  if (value && isJitFunction(*value))
    return std::static_pointer_cast<FunctionObject>(value->shared());
  if (value && value->isUnknown()) {
    const auto &unknown = value->as<UnknownObject>();
    ev.error(place, "F2002", "kernel '" + name + "' cannot be read: " + unknown.reason, unknown.howToKnow());
    return nullptr;
  }
  if (value && value->is(Kind::Function) && value->as<FunctionObject>().unknownJit.isUnknown()) {
    const auto &unknown = value->as<FunctionObject>().unknownJit.as<UnknownObject>();
    ev.error(place, "F2003", "whether '" + name + "' is a kernel is unknown: its decorator is, since " + unknown.reason,
             unknown.howToKnow());
    return nullptr;
  }
  if (value) {
    ev.error(place, "F2003", "'" + name + "' is not a kernel", value->is(Kind::Function) ? "decorate it with @triton.jit" : "");
    return nullptr;
  }
  std::string listed;
  std::vector<std::string> kernels = kernelNames(*main.tree);
  for (const std::string &kernel : kernels)
    listed += (listed.empty() ? "the file has " : ", ") + ("'" + kernel + "'");
  std::string near = base::nearestName(name, kernels);
  ev.error({}, "F2002", "there is no kernel '" + name + "' in '" + main.tree->source->path() + "'",
           (near.empty() ? "" : "did you mean '" + near + "'? ") + (listed.empty() ? "the file has no function decorated with @triton.jit" : listed));
  return nullptr;
}

} // namespace tegula::frontend::sema
