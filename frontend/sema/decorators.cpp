// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decorators: Triton's own are applied, others are passed over; and the host-side functions of the `triton` module.
#include "frontend/sema/decorators.h"

#include "frontend/sema/builtin_types.h"
#include "frontend/sema/frame.h"
#include "frontend/sema/language.h"

#include <algorithm>

namespace tegula::frontend::sema {

namespace {

const Value *keyword(const CallArgs &args, std::string_view name) {
  for (const auto &[key, value] : args.keywords)
    if (key == name)
      return &value;
  return nullptr;
}

/// A copy of the function that a decorator is applied to (its last positional argument), or null: the decorator is only being
/// given its arguments.
std::shared_ptr<FunctionObject> decorated(const CallArgs &args) {
  if (args.positional.empty() || !args.positional.back().is(Kind::Function))
    return nullptr;
  return std::make_shared<FunctionObject>(args.positional.back().as<FunctionObject>());
}

Value later(std::string_view name, BuiltinFn fn, const CallArgs &args) {
  auto partial = std::make_shared<PartialObject>();
  partial->function = builtin(std::string(name), fn);
  partial->args = args;
  return Value::object(std::move(partial));
}

std::vector<std::string> parameterNames(const FunctionObject &function) {
  std::vector<std::string> names;
  for (const auto &list : {argumentsOf(function).posOnly, argumentsOf(function).args})
    for (const ast::Arg *arg : list)
      names.emplace_back(arg->name);
  return names;
}

/// do_not_specialize lists parameters by name or index.
std::vector<std::string> namedParameters(const FunctionObject &function, const Value *list) {
  std::vector<std::string> names, parameters = parameterNames(function);
  if (list && list->isSequence())
    for (const Value &item : list->items()) {
      if (item.is(Kind::Str))
        names.push_back(item.asString());
      else if (item.is(Kind::Int) && item.asInt() >= 0 && item.asInt() < Int(parameters.size()))
        names.push_back(parameters[static_cast<size_t>(item.asInt())]);
    }
  return names;
}

MaybeValue jit(Evaluator &ev, const CallArgs &args) {
  auto function = decorated(args);
  if (!function)
    return args.positional.empty() ? later("triton.jit", jit, args) : args.positional[0];
  function->functionKind = FunctionKind::Jit;
  const Value *noInline = keyword(args, "noinline");
  function->noInline = noInline && noInline->is(Kind::Bool) && noInline->asBool();
  function->doNotSpecialize = namedParameters(*function, keyword(args, "do_not_specialize"));
  function->doNotSpecializeOnAlignment = namedParameters(*function, keyword(args, "do_not_specialize_on_alignment"));
  return Value::object(std::move(function));
}

MaybeValue constexprFunction(Evaluator &ev, const CallArgs &args) {
  auto function = decorated(args);
  if (!function)
    return args.positional.empty() ? later("triton.constexpr_function", constexprFunction, args) : args.positional[0];
  function->functionKind = FunctionKind::Constexpr;
  return Value::object(std::move(function));
}

MaybeValue autotune(Evaluator &ev, const CallArgs &args) {
  auto function = decorated(args);
  if (!function)
    return later("triton.autotune", autotune, args);
  const Value *configs = keyword(args, "configs");
  if (!configs && args.positional.size() > 1)
    configs = &args.positional[0];
  function->autotuneConfigs = configs ? *configs : Value::unknown("autotune was given no configurations");
  return Value::object(std::move(function));
}

MaybeValue heuristics(Evaluator &ev, const CallArgs &args) {
  auto function = decorated(args);
  if (!function)
    return later("triton.heuristics", heuristics, args);
  const Value *values = keyword(args, "values");
  if (!values && args.positional.size() > 1)
    values = &args.positional[0];
  if (values)
    function->heuristics.insert(function->heuristics.begin(), *values);
  return Value::object(std::move(function));
}

/// Leaves what it decorates as it is.
MaybeValue passOver(Evaluator &, const CallArgs &args) {
  return args.positional.empty() ? later("triton.decorator", passOver, args) : args.positional.back();
}

Value configClass() {
  static const Value cls = [] {
    auto c = std::make_shared<ClassObject>();
    c->name = "triton.Config";
    return Value::object(std::move(c));
  }();
  return cls;
}

MaybeValue config(Evaluator &ev, const CallArgs &args) {
  auto bound =
      BoundArgs::bind(ev, "triton.Config",
                      "kwargs, num_warps=4, num_stages=3, num_ctas=1, maxnreg=None, pre_hook=None, ir_override=None, "
                      "num_buffers_warp_spec=0, num_consumer_groups=0, reg_dec_producer=0, reg_inc_consumer=0, minRegAutoWS=None, maxRegAutoWS=None",
                      args);
  if (!bound)
    return std::nullopt;
  auto instance = std::make_shared<InstanceObject>();
  instance->cls = configClass();
  for (std::string_view name : {"kwargs", "num_warps", "num_stages", "num_ctas", "maxnreg", "pre_hook"})
    instance->members.emplace(std::string(name), (*bound)[name]);
  return Value::object(std::move(instance));
}

MaybeValue cdiv(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "triton.cdiv", "x, y", args);
  if (!bound)
    return std::nullopt;
  const Value &x = (*bound)["x"], &y = (*bound)["y"];
  if (x.isUnknown() || y.isUnknown())
    return x.isUnknown() ? x : y;
  if (x.isTensor() || y.isTensor()) {
    MaybeValue function = languageFunction(ev, "cdiv");
    return function ? ev.call(*function, args) : ev.error(args.range, "F2105", "'triton.language' has no name 'cdiv'");
  }
  MaybeValue sum = ev.binary(ast::BinOpKind::Add, x, y, args.range);
  MaybeValue top = sum ? ev.binary(ast::BinOpKind::Sub, *sum, Value::integer(1), args.range) : std::nullopt;
  return top ? ev.binary(ast::BinOpKind::FloorDiv, *top, y, args.range) : std::nullopt;
}

MaybeValue nextPowerOf2(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "triton.next_power_of_2", "n", args);
  if (!bound)
    return std::nullopt;
  if ((*bound)["n"].isUnknown())
    return (*bound)["n"];
  auto n = bound->integer("n");
  if (!n)
    return std::nullopt;
  Int power = *n > 0;
  while (power && power < Int(*n))
    power <<= 1;
  return Value::integer(power);
}

constexpr NamedBuiltin kMembers[] = {
    {"Config", config}, {"aggregate", passOver}, {"autotune", autotune}, {"cdiv", cdiv}, {"constexpr_function", constexprFunction},
    {"heuristics", heuristics}, {"jit", jit}, {"must_use_result", passOver}, {"next_power_of_2", nextPowerOf2},
};

/// Is this a decorator that has a meaning here (Triton's, or of Python's classes)?
bool isOurs(const Value &decorator) {
  const Value *function = &decorator;
  if (decorator.is(Kind::Partial))
    function = &decorator.as<PartialObject>().function;
  if (!function->is(Kind::Builtin))
    return false;
  const std::string &name = function->as<BuiltinObject>().name;
  return name.starts_with("triton.") || name == "property" || name == "staticmethod" || name == "classmethod";
}

bool areConfigs(const Value &value) {
  return value.isSequence() && !value.items().empty() && std::all_of(value.items().begin(), value.items().end(), isConfig);
}
} // namespace

bool isConfig(const Value &value) { return value.is(Kind::Instance) && identicalValues(value.as<InstanceObject>().cls, configClass()); }

MaybeValue hostLanguageMember(std::string_view name) {
  for (const NamedBuiltin &member : kMembers)
    if (member.name == name)
      return builtin("triton." + std::string(name), member.fn);
  if (name == "__version__")
    return Value::string("3.6.0");
  return std::nullopt;
}

MaybeValue Frame::decorate(Value value, ast::List<ast::Expr> decorators) {
  for (size_t i = decorators.size(); i-- > 0;) {
    const ast::Expr *expr = decorators[i];
    const auto *call = ast::dynAs<ast::Call>(expr);
    Capture capture(impl);
    MaybeValue decorator = eval(call ? call->func : expr);
    if (decorator && call && isOurs(*decorator))
      decorator = eval(expr);
    if (decorator && isOurs(*decorator)) {
      MaybeValue result = ev.call(*decorator, CallArgs{{value}, {}, expr->range, {expr->range}, {}});
      if (result && !result->isUnknown())
        value = std::move(*result);
      else if (value.is(Kind::Function))
        value = Value::unknown("decorator '" + std::string(sourceText(expr->range)) + "' failed: " + capture.failure.message);
      continue;
    }
    // Somebody else's: passed over, except that one with `configs=` tunes.
    if (!value.is(Kind::Function))
      continue;
    std::string_view spelling = sourceText(call ? call->func->range : expr->range);
    value.as<FunctionObject>().passedOver.emplace_back(spelling);
    if (decorator && decorator->isUnknown() && (spelling == "jit" || spelling.ends_with(".jit")))
      value.as<FunctionObject>().unknownJit = *decorator;
    if (!call)
      continue;
    for (const ast::Keyword *argument : call->keywords) {
      if (argument->arg != "configs")
        continue;
      MaybeValue configs = eval(argument->value);
      auto &function = value.as<FunctionObject>();
      if (configs && areConfigs(*configs))
        function.autotuneConfigs = *configs;
      else if (function.autotuneConfigs.isNone())
        function.autotuneConfigs =
            configs && configs->isUnknown()
                ? *configs
                : Value::unknown("the configurations of '" + std::string(sourceText(call->func->range)) + "' cannot be computed");
    }
  }
  return value;
}

} // namespace tegula::frontend::sema
