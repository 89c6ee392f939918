// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The evaluator's state, its errors with their call chains, and the dispatch of Python's operations on values.
#include "frontend/sema/evaluator.h"

#include "frontend/sema/frame.h"
#include "frontend/sema/language.h"
#include "frontend/sema/tensor_semantics.h"
#include "sdk/base/nearest_name.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tegula::frontend::sema {

Evaluator::Evaluator(ModuleLoader &loader, const CompileRequest &request, base::DiagnosticSink &sink, emit::TileBuilder *builder)
    : impl(std::make_unique<Impl>(loader, request, sink, builder)) {}
Evaluator::~Evaluator() = default;

Mode Evaluator::mode() const { return impl->frames.empty() ? Mode::Host : impl->frames.back()->mode; }
emit::TileBuilder &Evaluator::builder() {
  assert(impl->builder && "kernel code is evaluated with a builder");
  return *impl->builder;
}
const CompileRequest &Evaluator::request() const { return impl->request; }
uint32_t Evaluator::numWarps() const { return impl->numWarps; }
void Evaluator::setNumWarps(uint32_t count) { impl->numWarps = count; }
const LanguageDefaults &Evaluator::defaults() const { return impl->request.defaults; }
ModuleLoader &Evaluator::loader() { return impl->loader; }

Frame::Frame(Evaluator &ev, ModuleObject &module, std::shared_ptr<Scope> scope, Mode mode, const FunctionObject *function, ast::Range callSite)
    : ev(ev), impl(*ev.impl), module(module), scope(scope), mode(mode), function(function), callSite(callSite), outermost(scope),
      functionScope(std::move(scope)) {
  impl.frames.push_back(this);
}
Frame::~Frame() { impl.frames.pop_back(); }

std::string_view Frame::sourceText(ast::Range range) const {
  return module.tree ? module.tree->source->text().substr(range.begin, range.end - range.begin) : std::string_view();
}

base::SourceRange Frame::place(ast::Range range) const {
  return module.tree ? module.tree->source->range(range.begin, range.end) : base::SourceRange();
}

namespace {
/// The exception that Python would raise where we report `code`; others are errors of the language, which are TypeErrors at heart.
std::string_view exceptionOf(std::string_view code) {
  static constexpr std::pair<std::string_view, std::string_view> kTable[] = {
      {"F2101", "NameError"},  {"F2104", ""},           {"F2105", "AttributeError"}, {"F2106", "ImportError"}, {"F2303", "ValueError"},
      {"F2304", "ZeroDivisionError"}, {"F2305", "OverflowError"}, {"F2306", "IndexError"}, {"F2307", "KeyError"}, {"F2308", "ValueError"},
      {"F2313", "AssertionError"},
  };
  for (auto [known, exception] : kTable)
    if (known == code)
      return exception;
  return "TypeError";
}

/// Is it a file that is embedded in the program?
bool isLibrary(const ModuleObject &module) { return module.tree && module.tree->source->path().starts_with("<triton.language."); }

base::Diagnostic diagnosticAt(const std::vector<Frame *> &frames, base::Severity severity, ast::Range range, std::string_view code,
                              std::string message, std::string help) {
  base::Diagnostic d{severity, std::string(code), std::move(message), {}, {}, std::move(help)};
  if (frames.empty())
    return d;
  // What a function of the language's own library finds is said at the call that the user wrote.
  size_t last = frames.size() - 1;
  while (last > 0 && isLibrary(frames[last]->module))
    range = frames[last--]->callSite;
  d.where = frames[last]->place(range);
  constexpr size_t kMaxNotes = 8;
  std::vector<base::Note> chain;
  for (size_t i = last; i > 0; --i) {
    const Frame &callee = *frames[i], &caller = *frames[i - 1];
    if (callee.function && (callee.callSite.begin != 0 || callee.callSite.end != 0))
      chain.push_back({"'" + callee.function->name + "' is called from here", caller.place(callee.callSite)});
  }
  if (chain.size() > kMaxNotes) { // a recursion: its ends say all
    chain[kMaxNotes - 2] = {std::to_string(chain.size() - kMaxNotes + 1) + " calls between are left out", {}};
    chain.erase(chain.begin() + kMaxNotes - 1, chain.end() - 1);
  }
  d.notes = std::move(chain);
  return d;
}
} // namespace

std::nullopt_t Evaluator::error(ast::Range range, std::string_view code, std::string message, std::string help) {
  if (impl->exhausted)
    return std::nullopt;
  if (!impl->captures.empty()) {
    Failure &failure = *impl->captures.back();
    if (failure.message.empty()) {
      failure.code = code;
      failure.exception = exceptionOf(code);
      failure.message = std::move(message);
    }
    return std::nullopt;
  }
  impl->sink.report(diagnosticAt(impl->frames, base::Severity::Error, range, code, std::move(message), std::move(help)));
  return std::nullopt;
}

void Evaluator::warning(ast::Range range, std::string_view code, std::string message, std::string help) {
  if (impl->captures.empty())
    impl->sink.report(diagnosticAt(impl->frames, base::Severity::Warning, range, code, std::move(message), std::move(help)));
}

void Evaluator::remark(ast::Range range, std::string_view code, std::string message) {
  if (impl->captures.empty())
    impl->sink.report(diagnosticAt(impl->frames, base::Severity::Remark, range, code, std::move(message), {}));
}

bool Evaluator::step(ast::Range range) {
  if (impl->exhausted)
    return false;
  if (impl->stepsLeft-- != 0)
    return true;
  // A limit is final: tolerance does not catch it.
  std::vector<Failure *> none;
  std::swap(none, impl->captures);
  error(range, "F2314", "evaluation took too many steps", "a loop or recursion at compile time does not seem to end");
  std::swap(none, impl->captures);
  impl->exhausted = true;
  return false;
}

bool Evaluator::runsInKernel(ast::Range range) {
  if (mode() == Mode::Kernel)
    return true;
  error(range, "F2403", "a function that runs at compile time cannot compute with run-time values", "it can ask for their dtype and shape");
  return false;
}

MaybeValue Evaluator::call(const Value &callee, const CallArgs &args) {
  if (!step(args.range))
    return std::nullopt;
  switch (callee.kind()) {
  case Kind::Builtin: {
    const auto &builtin = callee.as<BuiltinObject>();
    if (mode() == Mode::Host && builtin.name.find('.') == std::string::npos && builtin.name != "print")
      for (const Value &arg : args.positional)
        if (arg.isUnknown())
          return arg;
    if (builtin.name.starts_with("triton.language.") && std::any_of(args.positional.begin(), args.positional.end(), containsTensor) &&
        !runsInKernel(args.range))
      return std::nullopt;
    if (mode() == Mode::Kernel && impl->frames.back()->module.tree)
      impl->builder->setLocation(*impl->frames.back()->module.tree->source, args.range);
    return builtin.fn(*this, args);
  }
  case Kind::BoundMethod: {
    const auto &method = callee.as<BoundMethodObject>();
    CallArgs withSelf = args;
    withSelf.positional.insert(withSelf.positional.begin(), method.self);
    withSelf.positionalRanges.insert(withSelf.positionalRanges.begin(), args.range);
    return call(method.function, withSelf);
  }
  case Kind::Partial: {
    const auto &partial = callee.as<PartialObject>();
    CallArgs all = partial.args;
    all.range = args.range;
    all.positionalRanges.assign(all.positional.size(), args.range);
    all.keywordRanges.assign(all.keywords.size(), args.range);
    all.positional.insert(all.positional.end(), args.positional.begin(), args.positional.end());
    all.positionalRanges.insert(all.positionalRanges.end(), args.positionalRanges.begin(), args.positionalRanges.end());
    for (size_t i = 0; i < args.keywords.size(); ++i) {
      auto same = std::find_if(all.keywords.begin(), all.keywords.end(), [&](const auto &k) { return k.first == args.keywords[i].first; });
      if (same != all.keywords.end()) {
        same->second = args.keywords[i].second;
        continue;
      }
      all.keywords.push_back(args.keywords[i]);
      all.keywordRanges.push_back(args.keywordRanges[i]);
    }
    return call(partial.function, all);
  }
  case Kind::Function:
    return callFunction(*this, callee, args);
  case Kind::Class:
    return instantiate(*this, callee, args);
  case Kind::Instance: {
    const auto &cls = callee.as<InstanceObject>().cls;
    if (const Value *method = cls.is(Kind::Class) ? findMember(cls.as<ClassObject>(), "__call__") : nullptr) {
      CallArgs withSelf = args;
      withSelf.positional.insert(withSelf.positional.begin(), callee);
      withSelf.positionalRanges.insert(withSelf.positionalRanges.begin(), args.range);
      return call(*method, withSelf);
    }
    break;
  }
  case Kind::Str:
    if (auto function = impl->definedFunctions.find(callee.asString()); function != impl->definedFunctions.end())
      return call(Value(function->second), args);
    break;
  case Kind::Unknown:
    if (mode() == Mode::Host)
      return callee;
    impl->frames.back()->requireKnown(callee, args.range);
    return std::nullopt;
  default:
    break;
  }
  return error(args.range, "F2310", "a value of type '" + typeNameOf(callee) + "' cannot be called");
}

MaybeValue Evaluator::binary(ast::BinOpKind op, const Value &lhs, const Value &rhs, ast::Range range) {
  for (const Value *operand : {&lhs, &rhs})
    if (operand->isUnknown()) {
      if (mode() == Mode::Host)
        return *operand;
      impl->frames.back()->requireKnown(*operand, range);
      return std::nullopt;
    }
  if (lhs.isTensor() || rhs.isTensor()) {
    if (!runsInKernel(range))
      return std::nullopt;
    if (op == ast::BinOpKind::MatMult)
      return error(range, "F2217", "the '@' operator is not part of the language", "use tl.dot");
    return tensorBinary(*this, op, lhs, rhs, range);
  }
  return hostBinary(*this, op, lhs, rhs, range);
}

MaybeValue Evaluator::compare(ast::CmpOpKind op, const Value &lhs, const Value &rhs, ast::Range range) {
  for (const Value *operand : {&lhs, &rhs})
    if (operand->isUnknown()) {
      if (mode() == Mode::Host)
        return *operand;
      impl->frames.back()->requireKnown(*operand, range);
      return std::nullopt;
    }
  if (op == ast::CmpOpKind::Is || op == ast::CmpOpKind::IsNot)
    return Value::boolean(identicalValues(lhs, rhs) == (op == ast::CmpOpKind::Is));
  bool membership = op == ast::CmpOpKind::In || op == ast::CmpOpKind::NotIn;
  if (lhs.isTensor() || rhs.isTensor()) {
    if (!runsInKernel(range))
      return std::nullopt;
    if (membership)
      return error(range, "F2215", "'" + std::string(spelling(op)) + "' needs values that are known when compiling");
    // A tensor equals nothing that is not a number.
    bool comparable = (lhs.isTensor() || lhs.isNumber()) && (rhs.isTensor() || rhs.isNumber());
    if (!comparable && (op == ast::CmpOpKind::Eq || op == ast::CmpOpKind::NotEq))
      return Value::boolean(op == ast::CmpOpKind::NotEq);
    return tensorCompare(*this, op, lhs, rhs, range);
  }
  if (mode() == Mode::Kernel && ((lhs.is(Kind::Type) && rhs.is(Kind::Str)) || (lhs.is(Kind::Str) && rhs.is(Kind::Type))))
    warning(range, "F2227", "a dtype never equals a string", "a -D value that is to be text needs quotes of its own, as in -D NAME=\"'int8'\"");
  return hostCompare(*this, op, lhs, rhs, range);
}

MaybeValue Evaluator::unary(ast::UnaryOpKind op, const Value &operand, ast::Range range) {
  if (operand.isTensor() && !runsInKernel(range))
    return std::nullopt;
  if (operand.isTensor())
    return tensorUnary(*this, op, operand.asTensor(), range);
  if (operand.isUnknown()) {
    if (mode() == Mode::Host)
      return operand;
    impl->frames.back()->requireKnown(operand, range);
    return std::nullopt;
  }
  auto keep = [&](Value v) { return operand.isConstexprWrapped() ? v.wrappedConstexpr() : v; };
  if (op == ast::UnaryOpKind::Not) {
    auto known = truth(operand, range);
    return known ? MaybeValue(keep(Value::boolean(!*known))) : std::nullopt;
  }
  if (operand.is(Kind::Instance)) {
    bool found = false;
    std::string_view name = op == ast::UnaryOpKind::USub ? "__neg__" : op == ast::UnaryOpKind::UAdd ? "__pos__" : "__invert__";
    MaybeValue result = callSpecial(*this, operand, name, {}, range, found);
    if (found)
      return result;
  }
  if (operand.is(Kind::Float) && op != ast::UnaryOpKind::Invert)
    return keep(Value::floating(op == ast::UnaryOpKind::USub ? -operand.asFloat() : operand.asFloat()));
  if (operand.is(Kind::Int) || operand.is(Kind::Bool)) {
    Int i = operand.asInt();
    return keep(Value::integer(op == ast::UnaryOpKind::USub ? -i : op == ast::UnaryOpKind::Invert ? ~i : i));
  }
  std::string_view sign = op == ast::UnaryOpKind::USub ? "-" : op == ast::UnaryOpKind::UAdd ? "+" : "~";
  return error(range, "F2309", "'" + std::string(sign) + "' does not work on a value of type '" + typeNameOf(operand) + "'");
}

std::optional<bool> Evaluator::truth(const Value &value, ast::Range range) {
  switch (value.kind()) {
  case Kind::None: return false;
  case Kind::Bool: return value.asBool();
  case Kind::Int: return value.asInt() != 0;
  case Kind::Float: return value.asFloat() != 0;
  case Kind::Str: return !value.asString().empty();
  case Kind::Bytes: return !value.as<BytesObject>().bytes.empty();
  case Kind::Tuple:
  case Kind::List: return !value.items().empty();
  case Kind::Dict: return !value.as<DictObject>().items.empty();
  case Kind::Set: return !value.as<SetObject>().items.empty();
  case Kind::Tensor:
    return error(range, "F3007", "the truth of a run-time value of type '" + typeNameOf(value) + "' is not known when compiling");
  case Kind::Unknown:
    if (!impl->captures.empty() && impl->captures.back()->message.empty()) {
      impl->captures.back()->code = "F2104";
      impl->captures.back()->message = value.as<UnknownObject>().reason;
      impl->captures.back()->flag = value.as<UnknownObject>().flag;
      return std::nullopt;
    }
    if (!impl->frames.empty())
      impl->frames.back()->requireKnown(value, range);
    return std::nullopt;
  case Kind::Instance:
    for (std::string_view name : {"__bool__", "__len__"}) {
      bool found = false;
      MaybeValue result = callSpecial(*this, value, name, {}, range, found);
      if (found)
        return result ? truth(*result, range) : std::nullopt;
    }
    return true;
  case Kind::Range: {
    auto items = iterate(value, range);
    return items ? std::optional<bool>(!items->empty()) : std::nullopt;
  }
  default:
    return true;
  }
}

MaybeValue Evaluator::subscript(const Value &object, const Value &index, ast::Range range) {
  for (const Value *operand : {&object, &index})
    if (operand->isUnknown()) {
      if (mode() == Mode::Host)
        return *operand;
      impl->frames.back()->requireKnown(*operand, range);
      return std::nullopt;
    }
  if (object.isTensor())
    return tensorSubscript(*this, object.asTensor(), index, range);
  return subscriptContainer(*this, object, index, range);
}

MaybeValue Evaluator::attribute(const Value &object, std::string_view name, ast::Range range) {
  MaybeValue found;
  BuiltinFn method = nullptr;
  switch (object.kind()) {
  case Kind::Unknown:
    if (mode() == Mode::Host)
      return object;
    impl->frames.back()->requireKnown(object, range);
    return std::nullopt;
  case Kind::Module: {
    auto &module = object.as<ModuleObject>();
    if ((found = impl->loader.attribute(*this, module, name)))
      return impl->loader.resolve(*this, *found);
    if (name == "__name__")
      return Value::string(module.name);
    std::vector<std::string> names = languageNames(module.name);
    for (const auto &[known, value] : module.scope->names)
      names.emplace_back(known);
    return error(range, "F2105", "module '" + module.name + "' has no name '" + std::string(name) + "'", base::didYouMean(name, names));
  }
  case Kind::Tensor:
  case Kind::BlockPointer:
    found = tensorAttribute(*this, object, name);
    break;
  case Kind::Type:
    if (name == "value")
      return object;
    found = typeAttribute(*this, object.asType(), name);
    break;
  case Kind::Instance:
    return instanceAttribute(*this, object, name, range);
  case Kind::Class:
    return classAttribute(*this, object, name, range);
  case Kind::Function: {
    const auto &function = object.as<FunctionObject>();
    if (name == "__name__" || name == "__qualname__")
      return Value::string(function.name);
    if (name == "fn")
      return object;
    break;
  }
  case Kind::Builtin:
    if (name == "__name__") {
      const std::string &full = object.as<BuiltinObject>().name;
      return Value::string(full.substr(full.rfind('.') + 1));
    }
    if (name == "fromkeys" || name == "join" || name == "fromhex")
      break;
    break;
  case Kind::Tuple: {
    const auto &tuple = object.as<TupleObject>();
    for (size_t i = 0; i < tuple.fieldNames.size(); ++i)
      if (tuple.fieldNames[i] == name)
        return tuple.items[i];
    method = containerMethod(Kind::Tuple, name);
    break;
  }
  case Kind::List:
  case Kind::Dict:
  case Kind::Set:
    method = containerMethod(object.kind(), name);
    break;
  case Kind::Str:
    method = stringMethod(name);
    break;
  case Kind::Slice: {
    const auto &slice = object.as<SliceObject>();
    if (name == "start" || name == "stop" || name == "step")
      return name == "start" ? slice.lower : name == "stop" ? slice.upper : slice.step;
    break;
  }
  case Kind::Range: {
    const auto &r = object.as<RangeObject>();
    if (name == "start" || name == "stop" || name == "step")
      return name == "start" ? r.lower : name == "stop" ? r.upper : r.step;
    break;
  }
  case Kind::Int:
  case Kind::Bool:
    if (name == "bit_length")
      method = [](Evaluator &, const CallArgs &args) -> MaybeValue {
        Int i = args.positional[0].asInt();
        int bits = 0;
        for (auto rest = static_cast<unsigned __int128>(i < 0 ? -i : i); rest; rest >>= 1)
          ++bits;
        return Value::integer(bits);
      };
    break;
  case Kind::Float:
    if (name == "is_integer")
      method = [](Evaluator &, const CallArgs &args) -> MaybeValue {
        double d = args.positional[0].asFloat();
        return Value::boolean(std::isfinite(d) && d == std::trunc(d));
      };
    break;
  default:
    break;
  }
  if (found)
    return found;
  if (method) {
    auto bound = std::make_shared<BoundMethodObject>();
    bound->self = object;
    auto fn = std::make_shared<BuiltinObject>();
    fn->name = typeNameOf(object) + "." + std::string(name);
    fn->fn = method;
    bound->function = Value::object(std::move(fn));
    return Value::object(std::move(bound));
  }
  // constexpr(x).value
  if (name == "value" && (object.isConstexprWrapped() || mode() == Mode::Kernel) && !object.isTensor())
    return object;
  return error(range, "F2105", "a value of type '" + typeNameOf(object) + "' has no attribute '" + std::string(name) + "'",
               object.isTensor() ? base::didYouMean(name, tensorNames()) : "");
}

bool Evaluator::hasAttribute(const Value &object, std::string_view name) {
  Capture capture(*impl);
  return attribute(object, name, {}).has_value();
}

MaybeValue Evaluator::evaluate(const ast::Expr *expr, ModuleObject &module, std::shared_ptr<Scope> scope) {
  Capture capture(*impl);
  Frame frame(*this, module, scope ? std::move(scope) : module.scope, Mode::Host, nullptr, {});
  MaybeValue value = frame.eval(expr);
  if (value)
    return value;
  return Value::unknown(capture.failure.message, capture.failure.flag);
}

void Evaluator::runModule(ModuleObject &module) {
  if (module.state != ModuleObject::State::Fresh || !module.tree)
    return;
  module.state = ModuleObject::State::Running;
  {
    Frame frame(*this, module, module.scope, Mode::Host, nullptr, {});
    frame.execTolerant(module.tree->body);
  }
  module.state = ModuleObject::State::Done;
}

} // namespace tegula::frontend::sema
