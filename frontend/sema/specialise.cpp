// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides each parameter of a kernel. Order of precedence: -D, the arguments, the chosen configuration, heuristics, defaults.
#include "frontend/sema/specialise.h"

#include "frontend/parse/parser.h"
#include "frontend/sema/decorators.h"
#include "frontend/sema/frame.h"
#include "sdk/base/nearest_name.h"

#include <algorithm>

namespace tegula::frontend::sema {

namespace {

bool isWord(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; }) &&
         !std::isdigit(static_cast<unsigned char>(text[0]));
}

/// Spellings of types that are likelier meant as words in a -D value.
bool isEverydayWord(std::string_view text) {
  constexpr std::string_view kWords[] = {"B", "bool", "half", "float", "double", "void"};
  return std::find(std::begin(kWords), std::end(kWords), text) != std::end(kWords);
}

bool contains(const std::vector<std::string> &names, std::string_view name) { return std::find(names.begin(), names.end(), name) != names.end(); }

class Specialiser {
public:
  Specialiser(Evaluator &ev, ModuleObject &main, std::shared_ptr<FunctionObject> kernel)
      : ev(ev), request(ev.request()), main(main), kernel(std::move(kernel)), arguments(ev.request().arguments) {
    for (const auto &list : {argumentsOf(*this->kernel).posOnly, argumentsOf(*this->kernel).args})
      parameters.insert(parameters.end(), list.begin(), list.end());
  }

  std::optional<Specialisation> run() {
    result.function = kernel;
    const ast::Arguments &all = argumentsOf(*kernel);
    if (!all.kwOnly.empty() || all.kwArg || all.varArg)
      return ev.error(kernel->def->nameRange, "F2222",
                      "kernel '" + kernel->name + "' has keyword-only parameters, *args or **kwargs, which are not part of the language");
    if (!bindSignature() || !checkNames() || !readGiven() || !chooseConfiguration() || !runHeuristics() || !decide() || !launchOptions())
      return std::nullopt;
    return std::move(result);
  }

private:
  Evaluator &ev;
  const CompileRequest &request;
  ModuleObject &main;
  std::shared_ptr<FunctionObject> kernel;
  std::vector<const ast::Arg *> parameters;
  Specialisation result;
  std::map<std::string, ArgumentSpec> arguments; ///< of the request, by parameter
  std::map<std::string, Value> known;    ///< constants so far, by parameter
  const InstanceObject *config = nullptr;

  bool fail(ast::Range range, std::string_view code, std::string message, std::string help = {}) {
    ev.error(range, code, std::move(message), std::move(help));
    return false;
  }

  const ast::Arg *find(std::string_view name) const {
    auto it = std::find_if(parameters.begin(), parameters.end(), [&](const ast::Arg *p) { return p->name == name; });
    return it == parameters.end() ? nullptr : *it;
  }

  const Value *defaultOf(const ast::Arg *parameter) const {
    size_t index = static_cast<size_t>(std::find(parameters.begin(), parameters.end(), parameter) - parameters.begin());
    size_t first = parameters.size() - kernel->defaults.size();
    return index >= first ? &kernel->defaults[index - first] : nullptr;
  }

  /// Gives the items of a signature to the parameters in order.
  bool bindSignature() {
    if (!request.signature)
      return true;
    const std::vector<ArgumentSpec> &items = *request.signature;
    std::vector<const ast::Arg *> open = parameters;
    auto leaveOut = [&](auto without) {
      if (open.size() != items.size())
        std::erase_if(open, without);
    };
    leaveOut([&](const ast::Arg *parameter) { return request.defines.contains(std::string(parameter->name)); });
    leaveOut([&](const ast::Arg *parameter) { return isConstexprAnnotation(*kernel, *parameter); });
    if (items.size() != open.size())
      return fail(kernel->def->nameRange, "F4010",
                  "the signature has " + std::to_string(items.size()) + " items and kernel '" + kernel->name + "' has " +
                      std::to_string(parameters.size()) + " parameters",
                  "give one item per parameter; those that -D, a configuration or a heuristic gives may be left out");
    for (size_t i = 0; i < items.size(); ++i)
      arguments.emplace(std::string(open[i]->name), items[i]);
    return true;
  }

  bool checkNames() {
    auto known = [&](const std::string &name) {
      if (find(name))
        return true;
      std::string listed;
      std::vector<std::string> names;
      for (const ast::Arg *parameter : parameters) {
        names.emplace_back(parameter->name);
        listed += (listed.empty() ? "'" : ", '") + names.back() + "'";
      }
      std::string near = base::nearestName(name, names);
      return fail(kernel->def->nameRange, "F4002", "kernel '" + kernel->name + "' has no parameter '" + name + "'",
                  (near.empty() ? "" : "did you mean '" + near + "'? ") + "its parameters are " + listed);
    };
    for (const auto &[name, spec] : arguments)
      if (!known(name))
        return false;
    bool nested = kernel->closure != nullptr; // -D also gives what the functions around a nested kernel take
    for (const auto &[name, text] : request.defines)
      if (!nested && !known(name))
        return false;
    return true;
  }

  bool readGiven() {
    for (const auto &[name, text] : request.defines)
      if (find(name))
        known[name] = parseDefine(ev, main, text);
    for (const auto &[name, spec] : arguments)
      if (spec.kind == ArgumentSpec::Kind::Constant && !known.contains(name))
        known[name] = parseDefine(ev, main,
                                  spec.constant == "none"    ? "None"
                                  : spec.constant == "true"  ? "True"
                                  : spec.constant == "false" ? "False"
                                                             : spec.constant);
    return true;
  }

  bool isMissing(const ast::Arg *parameter) const {
    std::string name(parameter->name);
    return !known.contains(name) && !arguments.contains(name);
  }

  bool isHeuristic(std::string_view name) const {
    return std::any_of(kernel->heuristics.begin(), kernel->heuristics.end(),
                       [&](const Value &h) { return h.is(Kind::Dict) && h.as<DictObject>().get(name); });
  }

  /// The first configuration is there, and the user gave none of its constants: then it is the default, before those of parameters.
  bool isFirstUntouched(const Value &configs) const {
    if (!configs.isSequence() || configs.items().empty() || !isConfig(configs.items()[0]))
      return false;
    const Value &kwargs = configs.items()[0].as<InstanceObject>().members.at("kwargs");
    if (!kwargs.is(Kind::Dict))
      return false;
    const auto &items = kwargs.as<DictObject>().items;
    return std::all_of(items.begin(), items.end(), [&](const auto &item) {
      const ast::Arg *parameter = item.first.is(Kind::Str) ? find(item.first.asString()) : nullptr;
      return !parameter || isMissing(parameter);
    });
  }

  bool chooseConfiguration() {
    const Value &configs = kernel->autotuneConfigs;
    bool needed = request.config.has_value();
    const ast::Arg *missing = nullptr;
    for (const ast::Arg *parameter : parameters)
      if (isMissing(parameter) && !defaultOf(parameter) && !isHeuristic(parameter->name))
        missing = missing ? missing : parameter;
    if (!needed && (configs.isNone() || (!missing && !isFirstUntouched(configs))))
      return true;
    if (configs.isNone())
      return fail(kernel->def->nameRange, "F4005", "kernel '" + kernel->name + "' has no configurations to choose from");
    auto give = [&] {
      return missing ? "give the constants with -D, first of them -D " + std::string(missing->name) + "=VALUE"
                     : std::string("give the constants with -D");
    };
    if (configs.isUnknown())
      return fail(kernel->def->nameRange, "F4005",
                  "the configurations of '" + kernel->name + "' are unknown here: " + configs.as<UnknownObject>().reason, give());
    if (!configs.isSequence() || configs.items().empty())
      return fail(kernel->def->nameRange, "F4005", "the configurations of '" + kernel->name + "' are no list", give());
    size_t index = request.config.value_or(0);
    if (index >= configs.items().size())
      return fail(kernel->def->nameRange, "F4005",
                  "there is no configuration " + std::to_string(index) + "; '" + kernel->name + "' has " + std::to_string(configs.items().size()));
    const Value &chosen = configs.items()[index];
    if (!isConfig(chosen))
      return fail(kernel->def->nameRange, "F4005", "configuration " + std::to_string(index) + " of '" + kernel->name + "' is unknown here", give());
    config = &chosen.as<InstanceObject>();
    const Value &kwargs = config->members.at("kwargs");
    if (!kwargs.is(Kind::Dict))
      return true;
    for (const auto &[key, value] : kwargs.as<DictObject>().items) {
      const ast::Arg *parameter = key.is(Kind::Str) ? find(key.asString()) : nullptr;
      if (!parameter)
        ev.remark(kernel->def->nameRange, "F4008", "option " + ev.repr(key) + " of the configuration is not known and is ignored");
      else if (isMissing(parameter))
        known[key.asString()] = value;
    }
    return true;
  }

  /// What heuristics see of an argument that is no constant.
  Value argumentForHeuristics(const std::string &name, const ArgumentSpec &spec) {
    auto type = parseType(spec.type);
    if (spec.kind == ArgumentSpec::Kind::Pointer && type) {
      auto cls = std::make_shared<ClassObject>();
      cls->name = "Tensor";
      auto tensor = std::make_shared<InstanceObject>();
      tensor->cls = Value::object(std::move(cls));
      tensor->members.emplace("dtype", torchDtype(type->pointee()));
      return Value::object(std::move(tensor));
    }
    if (!spec.constant.empty())
      return parseDefine(ev, main, spec.constant);
    return Value::unknown("the value of argument '" + name + "' is not known when compiling");
  }

  Value torchDtype(const Type &type) {
    static constexpr std::pair<Scalar, std::string_view> kNames[] = {{Scalar::Int1, "bool"},
                                                                     {Scalar::Float16, "float16"},
                                                                     {Scalar::BFloat16, "bfloat16"},
                                                                     {Scalar::Float32, "float32"},
                                                                     {Scalar::Float64, "float64"},
                                                                     {Scalar::Float8E4NV, "float8_e4m3fn"},
                                                                     {Scalar::Float8E5, "float8_e5m2"},
                                                                     {Scalar::Float8E4B8, "float8_e4m3fnuz"},
                                                                     {Scalar::Float8E5B16, "float8_e5m2fnuz"}};
    std::string name = type.str();
    for (auto [scalar, torch] : kNames)
      if (type.is(scalar))
        name = torch;
    MaybeValue value = ev.loader().lookup(ev, *ev.loader().import("torch", nullptr, 0), name);
    return value ? *value : Value::unknown("torch has no dtype '" + name + "'");
  }

  bool runHeuristics() {
    if (kernel->heuristics.empty())
      return true;
    Value args = Value::dict();
    for (const ast::Arg *parameter : parameters) {
      std::string name(parameter->name);
      auto spec = arguments.find(name);
      if (auto it = known.find(name); it != known.end())
        args.as<DictObject>().set(Value::string(name), it->second);
      else if (spec != arguments.end())
        args.as<DictObject>().set(Value::string(name), argumentForHeuristics(name, spec->second));
    }
    for (const Value &group : kernel->heuristics) {
      if (!group.is(Kind::Dict))
        continue;
      for (const auto &[key, function] : group.as<DictObject>().items) {
        if (!key.is(Kind::Str) || known.contains(key.asString()))
          continue;
        Capture capture(ev.internals());
        ast::Range range = kernel->def->nameRange;
        MaybeValue value = ev.call(function, CallArgs{{args}, {}, range, {range}, {}});
        if (!value)
          value = Value::unknown(capture.failure.message, capture.failure.flag);
        known[key.asString()] = *value;
        args.as<DictObject>().set(key, *value);
      }
    }
    return true;
  }

  /// The scalar type that a parameter's annotation fixes ("x: tl.int64", "x: 'i64'").
  std::optional<Type> annotatedScalar(const ast::Arg *parameter) {
    if (!parameter->annotation)
      return std::nullopt;
    Value annotation = *ev.evaluate(parameter->annotation, *kernel->module, kernel->closure);
    auto type = annotation.is(Kind::Type)  ? std::optional(annotation.asType())
                : annotation.is(Kind::Str) ? parseType(annotation.asString())
                                           : std::nullopt;
    return type && !type->isPointer() && !type->isBlock() && !type->isVoid() ? type : std::nullopt;
  }

  void addArgument(const ast::Arg *parameter, const Type &type, uint64_t divisibility) {
    std::string name(parameter->name);
    result.arguments.push_back({name, type, divisibility});
    Parameter p;
    p.name = std::move(name);
    p.type = type.spelling();
    p.divisibility = divisibility;
    result.parameters.push_back(std::move(p));
  }

  void addConstant(const ast::Arg *parameter, const Value &value) {
    result.constants.emplace(std::string(parameter->name), value);
    Parameter p;
    p.name = parameter->name;
    p.isConstant = true;
    p.constant = value.is(Kind::Function) ? value.as<FunctionObject>().name : ev.repr(value);
    result.parameters.push_back(std::move(p));
  }

  bool decide() {
    for (const ast::Arg *parameter : parameters) {
      std::string name(parameter->name);
      bool isConstexpr = isConstexprAnnotation(*kernel, *parameter);
      auto spec = arguments.find(name);
      if (auto it = known.find(name); it != known.end()) {
        if (it->second.isUnknown()) {
          const auto &unknown = it->second.as<UnknownObject>();
          return fail(parameter->range, "F4004", "the value of '" + name + "' cannot be computed: " + unknown.reason,
                      "give it with -D " + name + "=VALUE" + (unknown.flag.empty() ? "" : ", or give --global " + unknown.flag + "=VALUE"));
        }
        if (!isConstexpr && !it->second.isNone() && request.defines.contains(name))
          ev.remark(parameter->range, "F4011",
                    "-D makes '" + name + "' a constant, though it is no tl.constexpr; with Triton it is passed at run time");
        addConstant(parameter, isConstexpr ? it->second.wrappedConstexpr() : it->second);
        continue;
      }
      if (spec == arguments.end()) {
        const Value *value = defaultOf(parameter);
        if (!value || value->isUnknown())
          return fail(parameter->range, "F4001",
                      "parameter '" + name + "' of kernel '" + kernel->name + "' is not given" +
                          (value ? ": its default is unknown here, " + value->as<UnknownObject>().reason : ""),
                      isConstexpr ? "give it with -D " + name + "=VALUE"
                                  : "give it with --arg " + name + "=..., a value to run or a type to compile");
        addConstant(parameter, isConstexpr ? value->wrappedConstexpr() : *value);
        continue;
      }
      if (isConstexpr)
        return fail(parameter->range, "F4007",
                    "parameter '" + name + "' is constexpr, so it takes a constant and not an argument of type '" + spec->second.type + "'",
                    "give it with -D " + name + "=VALUE");
      auto type = parseType(spec->second.type);
      bool wantsPointer = spec->second.kind == ArgumentSpec::Kind::Pointer;
      if (!type || type->isVoid() || type->isPointer() != wantsPointer)
        return fail(parameter->range, "F4003", "'" + spec->second.type + "' is no type of an argument",
                    "types are spelled '*fp32', 'i32', 'fp16' and so on");
      auto fixed = wantsPointer ? std::nullopt : annotatedScalar(parameter);
      type = fixed ? fixed : type;
      // An integer 1 is folded, so that strides of 1 cost nothing.
      if (!wantsPointer && !fixed && spec->second.constant == "1" && type->isInt() && !contains(kernel->doNotSpecialize, name)) {
        addConstant(parameter, Value::integer(1));
        continue;
      }
      uint64_t divisibility = spec->second.divisibility;
      if (contains(kernel->doNotSpecialize, name) || contains(kernel->doNotSpecializeOnAlignment, name) || (!wantsPointer && !type->isInt()))
        divisibility = 1;
      addArgument(parameter, *type, divisibility);
    }
    return true;
  }

  bool launchOptions() {
    auto option = [&](const char *name, uint32_t &to) {
      if (!config)
        return;
      const Value &value = config->members.at(name);
      if (value.is(Kind::Int) && value.asInt() >= 0 && value.asInt() <= 1 << 20)
        to = static_cast<uint32_t>(value.asInt());
    };
    option("num_warps", result.numWarps);
    option("num_stages", result.numStages);
    option("num_ctas", result.numCtas);
    option("maxnreg", result.maxRegisters);
    result.numWarps = request.numWarps.value_or(result.numWarps);
    result.numStages = request.numStages.value_or(result.numStages);
    if (result.numCtas > 1)
      return fail(kernel->def->nameRange, "F4006",
                  "the configuration asks for " + std::to_string(result.numCtas) + " cooperating workgroups (num_ctas), which is not supported");
    if (result.numWarps == 0 || (result.numWarps & (result.numWarps - 1)) || result.numWarps > 64)
      return fail(kernel->def->nameRange, "F4009", "num_warps must be a power of two up to 64, not " + std::to_string(result.numWarps));
    return true;
  }
};

} // namespace

Value parseDefine(Evaluator &ev, ModuleObject &main, const std::string &text) {
  if (auto type = parseType(text); type && !isEverydayWord(text))
    return Value::type(*type);
  if (text == "true" || text == "false") // as arguments spell them; as text they would both count as true
    return Value::boolean(text == "true");
  // A word is text, which kernels compare, and names a function where it is called.
  auto isFunction = [](const Value &v) { return v.is(Kind::Function) || v.is(Kind::Builtin) || v.is(Kind::Class); };
  if (isWord(text) && text != "None" && text != "True" && text != "False") {
    Capture capture(ev.internals());
    if (MaybeValue value = ev.loader().lookup(ev, main, text)) {
      Value resolved = ev.loader().resolve(ev, *value);
      if (isFunction(resolved))
        ev.internals().definedFunctions.insert_or_assign(text, resolved);
    }
    return Value::string(text);
  }
  base::DiagnosticList ignored;
  auto tree = parseModule(std::make_shared<SourceBuffer>("<-D>", text), ignored);
  if (!tree->complete || tree->body.size() != 1 || tree->body[0]->kind != ast::StmtKind::Expr)
    return Value::string(text);
  auto scope = std::make_shared<Scope>();
  scope->names["triton"] = moduleValue(*ev.loader().import("triton", nullptr, 0));
  scope->names["tl"] = moduleValue(*ev.loader().import("triton.language", nullptr, 0));
  MaybeValue value = ev.evaluate(ast::as<ast::ExprStmt>(tree->body[0])->value, main, scope);
  ev.internals().literalTrees.push_back(std::move(tree)); // lambdas and names may point into it
  return value && !value->isUnknown() ? *value : Value::string(text);
}

std::optional<Specialisation> specialise(Evaluator &ev, ModuleObject &main, std::shared_ptr<FunctionObject> kernel) {
  Frame frame(ev, *kernel->module, kernel->module->scope, Mode::Host, nullptr, {});
  return Specialiser(ev, main, std::move(kernel)).run();
}

} // namespace tegula::frontend::sema
