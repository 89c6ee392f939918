// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions: definition, binding of arguments to parameters, and the ways to call one: run at compile time, inlined into the kernel,
// or built once as a function of its own (noinline).
#include "frontend/sema/frame.h"
#include "sdk/base/nearest_name.h"

#include <algorithm>

namespace tegula::frontend::sema {

namespace {
constexpr size_t kMaxDepth = 250; // activations; Python's own limit is higher, our stack is not

std::shared_ptr<FunctionObject> newFunction(Frame &frame, const ast::Arguments &arguments, std::shared_ptr<Scope> closure) {
  auto function = std::make_shared<FunctionObject>();
  function->module = &frame.module;
  if (closure)
    frame.ev.loader().track(closure);
  function->closure = std::move(closure);
  auto evaluate = [&](const ast::Expr *expr) {
    Capture capture(frame.impl);
    MaybeValue value = expr ? frame.eval(expr) : MaybeValue(Value());
    return value ? *value : Value::unknown(capture.failure.message, capture.failure.flag);
  };
  for (const ast::Expr *expr : arguments.defaults)
    function->defaults.push_back(evaluate(expr));
  for (const ast::Expr *expr : arguments.kwDefaults)
    function->kwDefaults.push_back(evaluate(expr));
  return function;
}
} // namespace

const ast::Arguments &argumentsOf(const FunctionObject &function) { return function.def ? *function.def->args : *function.lambda->args; }

bool isConstexprAnnotation(const FunctionObject &function, const ast::Arg &arg) {
  if (!arg.annotation || !function.module->tree)
    return false;
  const ast::Range &r = arg.annotation->range;
  return function.module->tree->source->text().substr(r.begin, r.end - r.begin).find("constexpr") != std::string_view::npos;
}

MaybeValue Frame::makeFunction(const ast::FunctionDef &def) {
  auto closure = methodScope && scope != module.scope && classFields ? methodScope : isModuleLevel() ? nullptr : scope;
  auto function = newFunction(*this, *def.args, closure);
  function->name = def.name;
  function->def = &def;
  return decorate(Value::object(std::move(function)), def.decorators);
}

MaybeValue Frame::makeLambda(const ast::Lambda &lambda) {
  auto function = newFunction(*this, *lambda.args, isModuleLevel() ? nullptr : scope);
  function->name = "<lambda>";
  function->lambda = &lambda;
  return Value::object(std::move(function));
}

bool bindArguments(Evaluator &ev, const FunctionObject &function, const CallArgs &args, Scope &scope,
                   std::map<std::string, ast::Range, std::less<>> &places) {
  const ast::Arguments &parameters = argumentsOf(function);
  std::vector<const ast::Arg *> positional(parameters.posOnly.begin(), parameters.posOnly.end());
  positional.insert(positional.end(), parameters.args.begin(), parameters.args.end());
  auto fail = [&](ast::Range range, std::string message, std::string help = {}) {
    ev.error(range, "F2301", "'" + function.name + "' " + message, std::move(help));
    return false;
  };
  auto set = [&](std::string_view name, Value value, ast::Range range) {
    scope.names.insert_or_assign(std::string(name), std::move(value));
    places.insert_or_assign(std::string(name), range);
  };
  std::vector<Value> extra;
  for (size_t i = 0; i < args.positional.size(); ++i) {
    if (i < positional.size())
      set(positional[i]->name, args.positional[i], args.positionalRanges[i]);
    else
      extra.push_back(args.positional[i]);
  }
  if (!extra.empty() && !parameters.varArg)
    return fail(args.range, "takes " + std::to_string(positional.size()) + " positional arguments, not " + std::to_string(args.positional.size()));
  Value more = Value::dict();
  for (size_t i = 0; i < args.keywords.size(); ++i) {
    const auto &[name, value] = args.keywords[i];
    auto isNamed = [&, &name = name](const ast::Arg *p) { return p->name == name; };
    bool known = std::any_of(parameters.args.begin(), parameters.args.end(), isNamed) || std::any_of(parameters.kwOnly.begin(), parameters.kwOnly.end(), isNamed);
    if (!known) {
      if (!parameters.kwArg) {
        std::vector<std::string> names;
        for (const auto &list : {parameters.args, parameters.kwOnly})
          for (const ast::Arg *p : list)
            names.emplace_back(p->name);
        return fail(args.keywordRanges[i], "has no parameter '" + name + "'", base::didYouMean(name, names));
      }
      more.as<DictObject>().set(Value::string(name), value);
      continue;
    }
    if (scope.names.contains(name))
      return fail(args.keywordRanges[i], "is given '" + name + "' twice");
    set(name, value, args.keywordRanges[i]);
  }
  for (size_t i = 0; i < positional.size(); ++i) {
    if (scope.names.contains(positional[i]->name))
      continue;
    size_t firstDefault = positional.size() - function.defaults.size();
    if (i < firstDefault)
      return fail(args.range, "is not given a value for its parameter '" + std::string(positional[i]->name) + "'");
    set(positional[i]->name, function.defaults[i - firstDefault], args.range);
  }
  for (size_t i = 0; i < parameters.kwOnly.size(); ++i) {
    if (scope.names.contains(parameters.kwOnly[i]->name))
      continue;
    if (!parameters.kwDefaults[i])
      return fail(args.range, "is not given a value for its parameter '" + std::string(parameters.kwOnly[i]->name) + "'");
    set(parameters.kwOnly[i]->name, function.kwDefaults[i], args.range);
  }
  if (parameters.varArg)
    set(parameters.varArg->name, Value::tuple(std::move(extra)), args.range);
  if (parameters.kwArg)
    set(parameters.kwArg->name, more, args.range);
  return true;
}

namespace {

MaybeValue runHost(Evaluator &ev, const FunctionObject &function, std::shared_ptr<Scope> scope, ast::Range callSite) {
  Frame frame(ev, *function.module, std::move(scope), Mode::Host, &function, callSite);
  if (function.lambda)
    return frame.eval(function.lambda->body);
  Flow flow = frame.execBlock(function.def->body, nullptr);
  return flow == Flow::Error ? std::nullopt : MaybeValue(frame.returnValue);
}

/// Runs a jit function's body in place. The builder's place is the call.
MaybeValue runInline(Evaluator &ev, const FunctionObject &function, std::shared_ptr<Scope> scope, ast::Range callSite) {
  emit::TileBuilder &builder = ev.builder();
  builder.pushCallSite();
  MaybeValue result;
  {
    Frame frame(ev, *function.module, std::move(scope), Mode::Kernel, &function, callSite);
    if (frame.execBlock(function.def->body, nullptr) != Flow::Error)
      result = frame.returnValue;
  }
  builder.popCallSite();
  return result;
}

/// Builds a noinline function once per combination of types and constants, and calls it.
MaybeValue runOutlined(Evaluator &ev, const FunctionObject &function, std::shared_ptr<Scope> scope, const CallArgs &args,
                       const std::map<std::string, ast::Range, std::less<>> &places) {
  Evaluator::Impl &impl = ev.internals();
  std::string key = std::to_string(reinterpret_cast<uintptr_t>(function.def));
  std::vector<emit::IrValue> operands;
  std::vector<emit::ParameterInfo> parameters;
  std::vector<Value *> slots;
  for (auto &[name, value] : scope->names) {
    key += "," + name + "=";
    if (!value.isTensor()) {
      if (containsTensor(value))
        return ev.error(places.at(name), "F3006", "a noinline function takes scalars and constants, not a value of type '" + typeNameOf(value) + "'");
      key += ev.repr(value);
      continue;
    }
    const Tensor &tensor = value.asTensor();
    if (tensor.type.isBlock() && tensor.type.elementCount() != 1)
      return ev.error(places.at(name), "F3006", "a noinline function takes scalars, not a tensor of type '" + tensor.type.str() + "'");
    key += tensor.type.spelling();
    operands.push_back(tensor.value);
    parameters.push_back({name, tensor.type, 1});
    slots.push_back(&value);
  }
  auto it = impl.outlined.find(key);
  if (it == impl.outlined.end()) {
    if (std::any_of(impl.frames.begin(), impl.frames.end(), [&](const Frame *f) { return f->function && f->function->def == function.def; }))
      return ev.error(args.range, "F2315", "'" + function.name + "' is noinline and calls itself");
    std::string name = function.name;
    for (unsigned i = 1; !impl.outlinedNames.insert(name).second; ++i)
      name = function.name + "_" + std::to_string(i);
    RuntimeRegion region(impl); // built once for all its calls
    emit::Values formal = impl.builder->beginFunction(name, parameters);
    for (size_t i = 0; i < slots.size(); ++i)
      *slots[i] = Value::tensor(formal[i], parameters[i].type);
    MaybeValue result = runInline(ev, function, scope, args.range);
    if (!result)
      return std::nullopt;
    std::vector<emit::IrValue> results;
    flatten(*result, results);
    impl.builder->endFunction(results);
    it = impl.outlined.emplace(key, std::pair(name, *result)).first;
  }
  std::vector<Type> types;
  collectTypes(it->second.second, types);
  emit::Values results = impl.builder->call(it->second.first, operands, types);
  const emit::IrValue *cursor = results.data();
  return rebuild(it->second.second, cursor);
}

} // namespace

MaybeValue callFunction(Evaluator &ev, const Value &callee, const CallArgs &args) {
  const auto &function = callee.as<FunctionObject>();
  Evaluator::Impl &impl = ev.internals();
  if (impl.frames.size() > kMaxDepth)
    return ev.error(args.range, "F2315", "calls nest more than " + std::to_string(kMaxDepth) + " deep", "recursion must end at compile time");
  bool inKernel = ev.mode() == Mode::Kernel;
  if (inKernel && function.functionKind == FunctionKind::Python)
    return ev.error(args.range, "F2401", "'" + function.name + "' is a plain Python function, which a kernel cannot call",
                    "decorate it with @triton.jit, or with @triton.constexpr_function if it computes at compile time");
  if (!inKernel && function.functionKind == FunctionKind::Jit)
    return Value::unknown("'" + function.name + "' is a kernel function, which does not run when compiling");
  const ast::Arguments &parameters = argumentsOf(function);
  bool isJit = function.functionKind == FunctionKind::Jit;
  if (isJit && (!parameters.kwOnly.empty() || parameters.kwArg))
    return ev.error(args.range, "F2222", "'" + function.name + "' has keyword-only parameters or **kwargs, which are not part of the language");
  auto scope = std::make_shared<Scope>();
  scope->parent = function.closure;
  std::map<std::string, ast::Range, std::less<>> places;
  if (!bindArguments(ev, function, args, *scope, places))
    return std::nullopt;
  if (!isJit) {
    MaybeValue result = runHost(ev, function, std::move(scope), args.range);
    if (inKernel && result && containsTensor(*result))
      return ev.error(args.range, "F2403", "'" + function.name + "' runs at compile time, so it cannot return a run-time value", "decorate it with @triton.jit");
    return result;
  }
  for (const auto &list : {parameters.posOnly, parameters.args})
    for (const ast::Arg *parameter : list) {
      if (!isConstexprAnnotation(function, *parameter))
        continue;
      // Triton takes run-time values here too, and public kernels give them.
      Value &value = scope->names.find(parameter->name)->second;
      value = value.wrappedConstexpr();
    }
  const Frame &caller = *impl.frames.back();
  if (caller.module.tree)
    impl.builder->setLocation(*caller.module.tree->source, args.range);
  if (function.noInline)
    return runOutlined(ev, function, std::move(scope), args, places);
  return runInline(ev, function, std::move(scope), args.range);
}

} // namespace tegula::frontend::sema
