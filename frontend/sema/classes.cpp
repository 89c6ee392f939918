// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classes: definition, look-up of members, instances, enums, named tuples and field-wise construction.
#include "frontend/sema/builtin_types.h"
#include "frontend/sema/frame.h"

#include <algorithm>

namespace tegula::frontend::sema {

const Value *findMember(const ClassObject &cls, std::string_view name) {
  if (auto it = cls.members.find(name); it != cls.members.end())
    return &it->second;
  for (const Value &base : cls.bases)
    if (base.is(Kind::Class))
      if (const Value *found = findMember(base.as<ClassObject>(), name))
        return found;
  return nullptr;
}

bool isSubclass(const ClassObject &cls, const ClassObject &base) {
  if (&cls == &base)
    return true;
  return std::any_of(cls.bases.begin(), cls.bases.end(), [&](const Value &b) { return b.is(Kind::Class) && isSubclass(b.as<ClassObject>(), base); });
}

bool inheritsFrom(const ClassObject &cls, std::string_view baseName) {
  if (cls.name == baseName)
    return true;
  return std::any_of(cls.bases.begin(), cls.bases.end(),
                     [&](const Value &b) { return b.is(Kind::Class) && inheritsFrom(b.as<ClassObject>(), baseName); });
}

namespace {

constexpr std::string_view kFields = "<fields>"; // no identifier: the user cannot reach it

bool hasUnknownBase(const ClassObject &cls) {
  return std::any_of(cls.bases.begin(), cls.bases.end(), [](const Value &b) { return !b.is(Kind::Class) || hasUnknownBase(b.as<ClassObject>()); });
}

/// Names that a class body assigns, in order.
std::vector<std::string> assignedInOrder(ast::List<ast::Stmt> body) {
  std::vector<std::string> names;
  for (const ast::Stmt *stmt : body) {
    const ast::Expr *target = nullptr;
    if (const auto *assign = ast::dynAs<ast::Assign>(stmt))
      target = assign->targets[0];
    else if (const auto *annotated = ast::dynAs<ast::AnnAssign>(stmt))
      target = annotated->target;
    if (const auto *name = ast::dynAs<ast::Name>(target))
      names.emplace_back(name->id);
  }
  return names;
}

void makeEnumMembers(ClassObject &cls, const Value &self, const std::vector<std::string> &order) {
  Int last = 0;
  for (const std::string &name : order) {
    auto it = cls.members.find(name);
    if (it == cls.members.end() || name.starts_with("__") || it->second.is(Kind::Function))
      continue;
    if (typeNameOf(it->second) == "enum.auto" || (it->second.is(Kind::Class) && it->second.as<ClassObject>().name == "enum.auto"))
      it->second = Value::integer(last + 1);
    if (it->second.is(Kind::Int))
      last = it->second.asInt();
    auto member = std::make_shared<InstanceObject>();
    member->cls = self;
    member->members.emplace("name", Value::string(name));
    member->members.emplace("value", it->second);
    it->second = Value::object(std::move(member));
    cls.memberOrder.push_back(name);
  }
}

MaybeValue bindMember(Evaluator &ev, const Value &member, const Value &self, const Value &cls, ast::Range range) {
  auto bound = [&](const Value &receiver, const Value &function) {
    auto method = std::make_shared<BoundMethodObject>();
    method->self = receiver;
    method->function = function;
    return Value::object(std::move(method));
  };
  bool isInstance = self.is(Kind::Instance);
  if (member.is(Kind::Function))
    return isInstance ? bound(self, member) : member;
  if (isDescriptor(member, "staticmethod"))
    return member.as<InstanceObject>().members.at("function");
  if (isDescriptor(member, "classmethod"))
    return bound(cls, member.as<InstanceObject>().members.at("function"));
  if (isDescriptor(member, "property") && isInstance)
    return ev.call(member.as<InstanceObject>().members.at("function"), CallArgs{{self}, {}, range, {range}, {}});
  return member;
}

/// Values for `fields` from a call, defaults from the class.
std::optional<std::vector<Value>> bindFields(Evaluator &ev, const ClassObject &cls, const std::vector<Value> &fields, const CallArgs &args) {
  std::vector<MaybeValue> values(fields.size());
  if (args.positional.size() > fields.size())
    return ev.error(args.range, "F2301",
                    "'" + cls.name + "' takes " + std::to_string(fields.size()) + " arguments, not " + std::to_string(args.positional.size()));
  std::copy(args.positional.begin(), args.positional.end(), values.begin());
  for (const auto &[name, value] : args.keywords) {
    auto at = std::find_if(fields.begin(), fields.end(), [&](const Value &f) { return f.asString() == name; });
    if (at == fields.end())
      return ev.error(args.range, "F2301", "'" + cls.name + "' has no field '" + name + "'");
    values[static_cast<size_t>(at - fields.begin())] = value;
  }
  std::vector<Value> out;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (!values[i])
      if (const Value *otherwise = findMember(cls, fields[i].asString()))
        values[i] = *otherwise;
    if (!values[i])
      return ev.error(args.range, "F2301", "'" + cls.name + "' needs a value for '" + fields[i].asString() + "'");
    out.push_back(*values[i]);
  }
  return out;
}
} // namespace

MaybeValue Frame::makeClass(const ast::ClassDef &def) {
  auto cls = std::make_shared<ClassObject>();
  cls->name = def.name;
  Value self = Value::object(cls);
  ev.loader().track(self.shared());
  for (const ast::Expr *base : def.bases) {
    Capture capture(impl);
    MaybeValue value = eval(base);
    cls->bases.push_back(value ? *value : Value::unknown(capture.failure.message));
    cls->isEnum |= value && value->is(Kind::Class) && value->as<ClassObject>().isEnum;
  }
  auto body = std::make_shared<Scope>();
  if (!isModuleLevel())
    body->parent = scope;
  auto methods = std::make_shared<Scope>();
  methods->parent = body->parent;
  methods->names.emplace("__class__", self);
  std::vector<std::string> fields;
  auto outerScope = scope, outerFunctionScope = functionScope, outerMethodScope = methodScope;
  auto *outerFields = classFields;
  scope = functionScope = body;
  methodScope = methods;
  classFields = &fields;
  execTolerant(def.body);
  scope = outerScope;
  functionScope = outerFunctionScope;
  methodScope = outerMethodScope;
  classFields = outerFields;
  cls->members = std::move(body->names);
  if (cls->isEnum) {
    makeEnumMembers(*cls, self, assignedInOrder(def.body));
    return decorate(self, def.decorators);
  }
  std::vector<Value> all;
  for (const Value &base : cls->bases)
    if (const Value *inherited = base.is(Kind::Class) ? findMember(base.as<ClassObject>(), kFields) : nullptr)
      all = inherited->items();
  for (std::string &field : fields)
    all.push_back(Value::string(std::move(field)));
  if (!all.empty())
    cls->members.insert_or_assign(std::string(kFields), Value::tuple(std::move(all)));
  return decorate(self, def.decorators);
}

MaybeValue instantiate(Evaluator &ev, const Value &clsValue, const CallArgs &args) {
  auto &cls = clsValue.as<ClassObject>();
  if (cls.isEnum) {
    for (const std::string &name : cls.memberOrder)
      if (const Value &member = cls.members.find(name)->second; member.is(Kind::Instance) && args.positional.size() == 1 &&
                                                                equalValues(member.as<InstanceObject>().members.at("value"), args.positional[0]))
        return member;
    return ev.error(args.range, "F2303", "no member of '" + cls.name + "' has this value");
  }
  const Value *fields = findMember(cls, kFields);
  if (inheritsFrom(cls, "NamedTuple")) {
    auto values = bindFields(ev, cls, fields ? fields->items() : std::vector<Value>(), args);
    if (!values)
      return std::nullopt;
    auto tuple = std::make_shared<TupleObject>();
    tuple->items = std::move(*values);
    tuple->typeName = cls.name;
    if (fields)
      for (const Value &field : fields->items())
        tuple->fieldNames.push_back(field.asString());
    return Value::object(std::move(tuple));
  }
  auto instance = std::make_shared<InstanceObject>();
  instance->cls = clsValue;
  Value self = Value::object(instance);
  if (inheritsFrom(cls, "BaseException"))
    instance->members.emplace("args", Value::tuple(args.positional));
  if (const Value *init = findMember(cls, "__init__")) {
    CallArgs withSelf = args;
    withSelf.positional.insert(withSelf.positional.begin(), self);
    withSelf.positionalRanges.insert(withSelf.positionalRanges.begin(), args.range);
    return ev.call(*init, withSelf) ? MaybeValue(self) : std::nullopt;
  }
  if (fields && !(args.positional.empty() && args.keywords.empty() && hasUnknownBase(cls))) {
    auto values = bindFields(ev, cls, fields->items(), args);
    if (!values)
      return std::nullopt;
    for (size_t i = 0; i < values->size(); ++i)
      instance->members.insert_or_assign(fields->items()[i].asString(), (*values)[i]);
  }
  return self;
}

MaybeValue instanceAttribute(Evaluator &ev, const Value &value, std::string_view name, ast::Range range) {
  const auto &instance = value.as<InstanceObject>();
  if (auto it = instance.members.find(name); it != instance.members.end())
    return it->second;
  if (name == "__class__")
    return instance.cls;
  if (instance.cls.is(Kind::Class)) {
    const auto &cls = instance.cls.as<ClassObject>();
    if (const Value *member = findMember(cls, name))
      return bindMember(ev, *member, value, instance.cls, range);
    if (isDescriptor(value, "property") && (name == "setter" || name == "getter" || name == "deleter"))
      return builtin("property." + std::string(name), [](Evaluator &, const CallArgs &args) -> MaybeValue { return args.positional.at(0); });
    bool found = false;
    MaybeValue special = callSpecial(ev, value, "__getattr__", {Value::string(std::string(name))}, range, found);
    if (found)
      return special;
    if (hasUnknownBase(cls))
      return Value::unknown("attribute '" + std::string(name) + "' of '" + cls.name + "' comes from a class that is not known when compiling");
  }
  return ev.error(range, "F2105", "a value of type '" + typeNameOf(value) + "' has no attribute '" + std::string(name) + "'");
}

MaybeValue classAttribute(Evaluator &ev, const Value &value, std::string_view name, ast::Range range) {
  const auto &cls = value.as<ClassObject>();
  if (const Value *member = findMember(cls, name))
    return bindMember(ev, *member, Value(), value, range);
  if (name == "__name__" || name == "__qualname__")
    return Value::string(cls.name);
  if (name == "__members__" && cls.isEnum) {
    Value members = Value::dict();
    for (const std::string &member : cls.memberOrder)
      members.as<DictObject>().set(Value::string(member), cls.members.find(member)->second);
    return members;
  }
  if (hasUnknownBase(cls))
    return Value::unknown("attribute '" + std::string(name) + "' of '" + cls.name + "' comes from a class that is not known when compiling");
  return ev.error(range, "F2105", "class '" + cls.name + "' has no attribute '" + std::string(name) + "'");
}

MaybeValue callSpecial(Evaluator &ev, const Value &self, std::string_view name, std::vector<Value> args, ast::Range range, bool &found) {
  if (!self.is(Kind::Instance) || !self.as<InstanceObject>().cls.is(Kind::Class))
    return std::nullopt;
  const Value *method = findMember(self.as<InstanceObject>().cls.as<ClassObject>(), name);
  if (!method)
    return std::nullopt;
  found = true;
  args.insert(args.begin(), self);
  size_t n = args.size();
  return ev.call(*method, CallArgs{std::move(args), {}, range, std::vector<ast::Range>(n, range), {}});
}

} // namespace tegula::frontend::sema
