// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions: one function for both modes; what a kernel may not contain is refused here by name.
#include "frontend/sema/frame.h"
#include "frontend/sema/language.h"
#include "frontend/sema/tensor_semantics.h"

#include <algorithm>

namespace tegula::frontend::sema {

MaybeValue Frame::evalConstant(const ast::Constant &constant) {
  switch (constant.constant) {
  case ast::ConstantKind::None:
    return Value::none();
  case ast::ConstantKind::True:
  case ast::ConstantKind::False:
    return Value::boolean(constant.constant == ast::ConstantKind::True);
  case ast::ConstantKind::Ellipsis:
    return Value::ellipsis();
  case ast::ConstantKind::Int: {
    Int value = 0;
    for (char digit : constant.text)
      if (__builtin_mul_overflow(value, Int(10), &value) || __builtin_add_overflow(value, Int(digit - '0'), &value))
        return ev.error(constant.range, "F2305", "integers beyond 127 bits are not supported");
    return Value::integer(value);
  }
  case ast::ConstantKind::Float:
    return Value::floating(constant.number);
  case ast::ConstantKind::Str:
    return Value::string(std::string(constant.text));
  case ast::ConstantKind::Bytes: {
    auto bytes = std::make_shared<BytesObject>();
    bytes->bytes = constant.text;
    return Value::object(std::move(bytes));
  }
  case ast::ConstantKind::Complex:
    break;
  }
  return ev.error(constant.range, "F2309", "complex numbers are not supported");
}

MaybeValue Frame::evalBoolOp(const ast::BoolOp &expr) {
  bool isAnd = expr.op == ast::BoolOpKind::And;
  MaybeValue result = eval(expr.values[0]);
  for (size_t i = 1; result && i < expr.values.size(); ++i) {
    if (result->isUnknown()) {
      if (isKernel()) {
        requireKnown(*result, expr.values[i - 1]->range);
        return std::nullopt;
      }
      // One operand that is known to decide decides, whatever the unknown is.
      MaybeValue right = eval(expr.values[i]);
      if (right && !right->isUnknown() && !right->isTensor()) {
        auto known = ev.truth(*right, expr.values[i]->range);
        if (known && *known != isAnd)
          result = Value::boolean(*known);
      }
      continue;
    }
    if (result->isTensor()) {
      MaybeValue right = eval(expr.values[i]);
      if (!right || !requireKnown(*right, expr.values[i]->range))
        return std::nullopt;
      result = tensorLogical(ev, expr.op, *result, *right, expr.range);
      continue;
    }
    auto known = ev.truth(*result, expr.values[i - 1]->range);
    if (!known)
      return std::nullopt;
    if (*known != isAnd)
      return result;
    result = eval(expr.values[i]);
  }
  return result;
}

MaybeValue Frame::evalCompare(const ast::Compare &expr) {
  if (isKernel() && expr.ops.size() > 1)
    return ev.error(expr.range, "F2216", "chained comparisons are not part of the language", "write '(a < b) & (b < c)'");
  MaybeValue left = eval(expr.left);
  MaybeValue result;
  for (size_t i = 0; left && i < expr.ops.size(); ++i) {
    MaybeValue right = eval(expr.comparators[i]);
    if (!right)
      return std::nullopt;
    result = ev.compare(expr.ops[i], *left, *right, expr.range);
    if (!result || i + 1 == expr.ops.size())
      return result;
    if (result->isUnknown())
      return result;
    auto known = ev.truth(*result, expr.range);
    if (!known)
      return std::nullopt;
    if (!*known)
      return result;
    left = right;
  }
  return std::nullopt;
}

MaybeValue Frame::evalFormatted(const ast::FormattedValue &expr) {
  MaybeValue value = eval(expr.value);
  if (!value || value->isUnknown())
    return value;
  if (value->isTensor())
    return ev.error(expr.range, "F2302", "a run-time value cannot be part of an f-string", "use tl.device_print to print it");
  if (expr.conversion == 'r' || expr.conversion == 'a')
    value = Value::string(ev.repr(*value));
  else if (expr.conversion == 's')
    value = Value::string(ev.str(*value));
  std::string spec;
  if (expr.formatSpec) {
    MaybeValue text = eval(expr.formatSpec);
    if (!text || text->isUnknown())
      return text;
    spec = text->asString();
  }
  auto text = formatValue(ev, *value, spec, expr.range);
  return text ? MaybeValue(Value::string(std::move(*text))) : std::nullopt;
}

MaybeValue Frame::evalJoined(const ast::JoinedStr &expr) {
  std::string text;
  for (const ast::Expr *part : expr.values) {
    MaybeValue value = eval(part);
    if (!value || value->isUnknown())
      return value;
    text += value->asString();
  }
  return Value::string(std::move(text));
}

MaybeValue Frame::evalDict(const ast::Dict &expr) {
  Value dict = Value::dict();
  for (size_t i = 0; i < expr.keys.size(); ++i) {
    MaybeValue value = eval(expr.values[i]);
    if (!value)
      return std::nullopt;
    if (!expr.keys[i]) {
      if (value->isUnknown())
        return value;
      if (!value->is(Kind::Dict))
        return ev.error(expr.values[i]->range, "F2302", "'**' needs a dict, not a value of type '" + typeNameOf(*value) + "'");
      for (const auto &[k, v] : value->as<DictObject>().items)
        dict.as<DictObject>().set(k, v);
      continue;
    }
    MaybeValue key = eval(expr.keys[i]);
    if (!key || key->isUnknown())
      return key;
    dict.as<DictObject>().set(*key, *value);
  }
  return dict;
}

std::optional<std::vector<Value>> Frame::evalItems(ast::List<ast::Expr> exprs) {
  std::vector<Value> items;
  for (const ast::Expr *expr : exprs) {
    const auto *star = ast::dynAs<ast::Starred>(expr);
    MaybeValue value = eval(star ? star->value : expr);
    if (!value)
      return std::nullopt;
    if (!star) {
      items.push_back(std::move(*value));
      continue;
    }
    auto more = ev.iterate(*value, expr->range);
    if (!more)
      return std::nullopt;
    items.insert(items.end(), more->begin(), more->end());
  }
  return items;
}

bool Frame::walkGenerators(ast::List<ast::Comprehension> generators, size_t index, const std::function<bool()> &body, Value &unknown) {
  if (index == generators.size())
    return body();
  const ast::Comprehension &generator = *generators[index];
  MaybeValue iterable = eval(generator.iter);
  if (!iterable)
    return false;
  if (iterable->isUnknown()) {
    unknown = *iterable;
    return requireKnown(isKernel() ? *iterable : Value(), generator.iter->range);
  }
  auto items = ev.iterate(*iterable, generator.iter->range);
  if (!items)
    return false;
  for (Value &item : *items) {
    if (!ev.step(generator.target->range) || !assign(generator.target, std::move(item), generator.target->range))
      return false;
    bool wanted = true;
    for (const ast::Expr *test : generator.ifs) {
      MaybeValue value = eval(test);
      if (!value)
        return false;
      if (value->isUnknown() && !isKernel()) {
        unknown = *value;
        return true;
      }
      auto known = ev.truth(*value, test->range);
      if (!known)
        return false;
      if (!*known) {
        wanted = false;
        break;
      }
    }
    if (wanted && !walkGenerators(generators, index + 1, body, unknown))
      return false;
    if (unknown.isUnknown())
      return true;
  }
  return true;
}

MaybeValue Frame::evalComprehension(const ast::Expr *expr, ast::List<ast::Comprehension> generators) {
  if (isKernel() && expr->kind != ast::ExprKind::ListComp)
    return ev.error(expr->range, "F2207", "dicts, sets and generators are not part of the language");
  if (isKernel() && generators.size() > 1)
    return ev.error(expr->range, "F2207", "a list comprehension in a kernel has one 'for'");
  auto inner = std::make_shared<Scope>();
  inner->parent = scope;
  std::shared_ptr<Scope> outerScope = scope, outerFunctionScope = functionScope;
  scope = functionScope = inner;
  std::vector<Value> items;
  Value dict = Value::dict(), unknown;
  auto one = [&](const ast::Expr *elt) {
    MaybeValue value = eval(elt);
    if (value)
      items.push_back(std::move(*value));
    return value.has_value();
  };
  std::function<bool()> body;
  switch (expr->kind) {
  case ast::ExprKind::ListComp: body = [&] { return one(ast::as<ast::ListComp>(expr)->elt); }; break;
  case ast::ExprKind::SetComp: body = [&] { return one(ast::as<ast::SetComp>(expr)->elt); }; break;
  case ast::ExprKind::GeneratorExp: body = [&] { return one(ast::as<ast::GeneratorExp>(expr)->elt); }; break;
  default:
    body = [&] {
      MaybeValue key = eval(ast::as<ast::DictComp>(expr)->key);
      MaybeValue value = key ? eval(ast::as<ast::DictComp>(expr)->value) : std::nullopt;
      if (value)
        dict.as<DictObject>().set(*key, *value);
      return value.has_value();
    };
  }
  bool ok = walkGenerators(generators, 0, body, unknown);
  scope = outerScope;
  functionScope = outerFunctionScope;
  if (!ok)
    return std::nullopt;
  if (unknown.isUnknown())
    return unknown;
  if (expr->kind == ast::ExprKind::DictComp)
    return dict;
  if (expr->kind != ast::ExprKind::SetComp)
    return Value::list(std::move(items));
  auto set = std::make_shared<SetObject>();
  for (Value &item : items)
    if (std::none_of(set->items.begin(), set->items.end(), [&](const Value &other) { return equalValues(item, other); }))
      set->items.push_back(std::move(item));
  return Value::object(std::move(set));
}

std::optional<CallArgs> Frame::evalArguments(const ast::Call &call) {
  CallArgs args;
  args.range = call.range;
  for (const ast::Expr *arg : call.args) {
    const auto *star = ast::dynAs<ast::Starred>(arg);
    MaybeValue value = eval(star ? star->value : arg);
    if (!value)
      return std::nullopt;
    if (!star) {
      args.positional.push_back(std::move(*value));
      args.positionalRanges.push_back(arg->range);
      continue;
    }
    auto items = ev.iterate(*value, arg->range);
    if (!items)
      return std::nullopt;
    args.positional.insert(args.positional.end(), items->begin(), items->end());
    args.positionalRanges.resize(args.positional.size(), arg->range);
  }
  for (const ast::Keyword *keyword : call.keywords) {
    MaybeValue value = eval(keyword->value);
    if (!value)
      return std::nullopt;
    if (!keyword->isDoubleStar) {
      args.keywords.emplace_back(std::string(keyword->arg), std::move(*value));
      args.keywordRanges.push_back(keyword->range);
      continue;
    }
    if (!requireKnown(*value, keyword->range))
      return std::nullopt;
    if (!value->is(Kind::Dict))
      return ev.error(keyword->range, "F2302", "'**' needs a dict, not a value of type '" + typeNameOf(*value) + "'");
    for (const auto &[k, v] : value->as<DictObject>().items) {
      args.keywords.emplace_back(k.is(Kind::Str) ? k.asString() : std::string(), v);
      args.keywordRanges.push_back(keyword->range);
    }
  }
  return args;
}

MaybeValue Frame::evalSuper() {
  auto self = function && !argumentsOf(*function).args.empty() ? lookup(argumentsOf(*function).args[0]->name, {}) : std::nullopt;
  const Value *cls = nullptr;
  if (function && function->closure)
    if (auto it = function->closure->names.find("__class__"); it != function->closure->names.end())
      cls = &it->second;
  if (!self || !cls || !cls->is(Kind::Class))
    return ev.error({}, "F2309", "super() stands outside a method");
  // A view of the instance as one of its first base; attribute look-up starts there.
  auto view = std::make_shared<BoundMethodObject>();
  view->self = *self;
  view->function = cls->as<ClassObject>().bases.empty() ? Value() : cls->as<ClassObject>().bases[0];
  return Value::object(std::move(view));
}

MaybeValue Frame::evalSubscriptIndex(const ast::Expr *index) {
  if (index->kind != ast::ExprKind::Slice)
    return eval(index);
  const auto *slice = ast::as<ast::Slice>(index);
  auto object = std::make_shared<SliceObject>();
  for (auto [part, to] : {std::pair{slice->lower, &object->lower}, {slice->upper, &object->upper}, {slice->step, &object->step}}) {
    if (!part)
      continue;
    MaybeValue value = eval(part);
    if (!value)
      return std::nullopt;
    *to = std::move(*value);
  }
  return Value::object(std::move(object));
}

MaybeValue Frame::eval(const ast::Expr *expr) {
  if (!ev.step(expr->range))
    return std::nullopt;
  if (isKernel() && module.tree)
    impl.builder->setLocation(*module.tree->source, expr->range);
  switch (expr->kind) {
  case ast::ExprKind::Constant:
    return evalConstant(*ast::as<ast::Constant>(expr));
  case ast::ExprKind::Name:
    return lookup(ast::as<ast::Name>(expr)->id, expr->range);
  case ast::ExprKind::Attribute: {
    const auto *attribute = ast::as<ast::Attribute>(expr);
    MaybeValue object = eval(attribute->value);
    if (!object)
      return std::nullopt;
    if (attribute->value->kind == ast::ExprKind::Call && object->is(Kind::BoundMethod) && object->as<BoundMethodObject>().function.is(Kind::Class)) {
      // super().name
      auto &view = object->as<BoundMethodObject>();
      const Value *member = findMember(view.function.as<ClassObject>(), attribute->attr);
      if (!member && attribute->attr == "__init__")
        return Value::builtin("object.__init__", [](Evaluator &, const CallArgs &) -> MaybeValue { return Value::none(); });
      if (!member)
        return ev.error(expr->range, "F2105", "no base class has '" + std::string(attribute->attr) + "'");
      auto bound = std::make_shared<BoundMethodObject>();
      bound->self = view.self;
      bound->function = *member;
      return Value::object(std::move(bound));
    }
    return ev.attribute(*object, attribute->attr, expr->range);
  }
  case ast::ExprKind::Subscript: {
    const auto *subscript = ast::as<ast::Subscript>(expr);
    MaybeValue object = eval(subscript->value);
    MaybeValue index = object ? evalSubscriptIndex(subscript->slice) : std::nullopt;
    return index ? ev.subscript(*object, *index, expr->range) : std::nullopt;
  }
  case ast::ExprKind::Slice:
    return evalSubscriptIndex(expr);
  case ast::ExprKind::BinOp: {
    const auto *op = ast::as<ast::BinOp>(expr);
    MaybeValue left = eval(op->left);
    MaybeValue right = left ? eval(op->right) : std::nullopt;
    if (!right)
      return std::nullopt;
    if (isKernel())
      impl.builder->setLocation(*module.tree->source, expr->range);
    return ev.binary(op->op, *left, *right, expr->range);
  }
  case ast::ExprKind::UnaryOp: {
    const auto *op = ast::as<ast::UnaryOp>(expr);
    MaybeValue operand = eval(op->operand);
    return operand ? ev.unary(op->op, *operand, expr->range) : std::nullopt;
  }
  case ast::ExprKind::BoolOp:
    return evalBoolOp(*ast::as<ast::BoolOp>(expr));
  case ast::ExprKind::Compare:
    return evalCompare(*ast::as<ast::Compare>(expr));
  case ast::ExprKind::IfExp:
    return evalIfExp(*ast::as<ast::IfExp>(expr));
  case ast::ExprKind::Call: {
    const auto *call = ast::as<ast::Call>(expr);
    if (const auto *name = ast::dynAs<ast::Name>(call->func); name && name->id == "super" && call->args.empty())
      return evalSuper();
    MaybeValue callee = eval(call->func);
    if (!callee)
      return std::nullopt;
    if (callee->isUnknown() && !isKernel())
      return callee;
    auto args = evalArguments(*call);
    return args ? ev.call(*callee, *args) : std::nullopt;
  }
  case ast::ExprKind::Tuple:
  case ast::ExprKind::List: {
    bool isTuple = expr->kind == ast::ExprKind::Tuple;
    auto elements = isTuple ? ast::as<ast::Tuple>(expr)->elts : ast::as<ast::ListExpr>(expr)->elts;
    auto items = evalItems(elements);
    if (!items)
      return std::nullopt;
    return isTuple ? Value::tuple(std::move(*items)) : Value::list(std::move(*items));
  }
  case ast::ExprKind::NamedExpr: {
    const auto *walrus = ast::as<ast::NamedExpr>(expr);
    MaybeValue value = eval(walrus->value);
    if (value && isKernel())
      value = decay(*value, expr->range);
    return value && assign(walrus->target, *value, expr->range) ? value : std::nullopt;
  }
  case ast::ExprKind::JoinedStr:
    return evalJoined(*ast::as<ast::JoinedStr>(expr));
  case ast::ExprKind::FormattedValue:
    return evalFormatted(*ast::as<ast::FormattedValue>(expr));
  case ast::ExprKind::ListComp:
    return evalComprehension(expr, ast::as<ast::ListComp>(expr)->generators);
  case ast::ExprKind::SetComp:
    return evalComprehension(expr, ast::as<ast::SetComp>(expr)->generators);
  case ast::ExprKind::DictComp:
    return evalComprehension(expr, ast::as<ast::DictComp>(expr)->generators);
  case ast::ExprKind::GeneratorExp:
    return evalComprehension(expr, ast::as<ast::GeneratorExp>(expr)->generators);
  case ast::ExprKind::Lambda:
    if (isKernel())
      return ev.error(expr->range, "F2204", "lambdas are not part of the language", "define a function with @triton.jit");
    return makeLambda(*ast::as<ast::Lambda>(expr));
  case ast::ExprKind::Dict:
    if (isKernel())
      return ev.error(expr->range, "F2207", "dicts, sets and generators are not part of the language");
    return evalDict(*ast::as<ast::Dict>(expr));
  case ast::ExprKind::Set: {
    if (isKernel())
      return ev.error(expr->range, "F2207", "dicts, sets and generators are not part of the language");
    auto items = evalItems(ast::as<ast::Set>(expr)->elts);
    if (!items)
      return std::nullopt;
    auto set = std::make_shared<SetObject>();
    for (Value &item : *items)
      if (std::none_of(set->items.begin(), set->items.end(), [&](const Value &other) { return equalValues(item, other); }))
        set->items.push_back(std::move(item));
    return Value::object(std::move(set));
  }
  case ast::ExprKind::Starred:
    return ev.error(expr->range, "F2220", "a starred expression is not allowed here");
  case ast::ExprKind::Await:
  case ast::ExprKind::Yield:
  case ast::ExprKind::YieldFrom:
    return ev.error(expr->range, "F2212", "generators and coroutines are not supported");
  }
  return std::nullopt;
}

} // namespace tegula::frontend::sema
