// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values as bundles of IR values: what control flow carries and merges. And which names statements assign.
#include "frontend/sema/frame.h"

#include <algorithm>

namespace tegula::frontend::sema {

namespace {

/// Calls `visit(tensor)` for each IR value in order. One walk serves all uses, so that they agree on the order.
template <typename Visit> void forEachTensor(const Value &value, const Visit &visit) {
  switch (value.kind()) {
  case Kind::Tensor:
    visit(value.asTensor());
    break;
  case Kind::Tuple:
  case Kind::List:
    for (const Value &item : value.items())
      forEachTensor(item, visit);
    break;
  case Kind::Instance:
    for (const auto &[name, member] : value.as<InstanceObject>().members)
      forEachTensor(member, visit);
    break;
  case Kind::BlockPointer: {
    const auto &pointer = value.as<BlockPointerObject>();
    visit(pointer.base);
    for (const auto *list : {&pointer.shape, &pointer.strides, &pointer.offsets})
      for (const Tensor &tensor : *list)
        visit(tensor);
    break;
  }
  default:
    break;
  }
}

std::vector<Type> typesOf(const Value &value) {
  std::vector<Type> types;
  forEachTensor(value, [&](const Tensor &t) { types.push_back(t.type); });
  return types;
}

bool sameItems(const std::vector<Value> &lhs, const std::vector<Value> &rhs) {
  return std::equal(lhs.begin(), lhs.end(), rhs.begin(), rhs.end(), sameStructure);
}
} // namespace

bool sameStructure(const Value &lhs, const Value &rhs) {
  if (lhs.kind() != rhs.kind())
    return false;
  switch (lhs.kind()) {
  case Kind::Tensor:
    return lhs.asTensor().type == rhs.asTensor().type;
  case Kind::Tuple:
  case Kind::List:
    return sameItems(lhs.items(), rhs.items());
  case Kind::BlockPointer: {
    const auto &a = lhs.as<BlockPointerObject>(), &b = rhs.as<BlockPointerObject>();
    return a.blockShape == b.blockShape && a.order == b.order && typesOf(lhs) == typesOf(rhs);
  }
  case Kind::Instance: {
    const auto &a = lhs.as<InstanceObject>(), &b = rhs.as<InstanceObject>();
    if (&a == &b)
      return true;
    return identicalValues(a.cls, b.cls) &&
           std::equal(a.members.begin(), a.members.end(), b.members.begin(), b.members.end(),
                      [](const auto &x, const auto &y) { return x.first == y.first && sameStructure(x.second, y.second); });
  }
  default:
    return equalValues(lhs, rhs);
  }
}

void flatten(const Value &value, std::vector<emit::IrValue> &out) {
  forEachTensor(value, [&](const Tensor &t) { out.push_back(t.value); });
}

void collectTypes(const Value &value, std::vector<Type> &out) {
  forEachTensor(value, [&](const Tensor &t) { out.push_back(t.type); });
}

bool containsTensor(const Value &value) {
  bool found = false;
  forEachTensor(value, [&](const Tensor &) { found = true; });
  return found;
}

Value rebuild(const Value &value, const emit::IrValue *&cursor) {
  if (!containsTensor(value))
    return value;
  switch (value.kind()) {
  case Kind::Tensor:
    return Value::tensor(*cursor++, value.asTensor().type);
  case Kind::Tuple: {
    auto tuple = std::make_shared<TupleObject>(value.as<TupleObject>());
    for (Value &item : tuple->items)
      item = rebuild(item, cursor);
    return Value::object(std::move(tuple));
  }
  case Kind::List: {
    auto list = std::make_shared<ListObject>(value.as<ListObject>());
    for (Value &item : list->items)
      item = rebuild(item, cursor);
    return Value::object(std::move(list));
  }
  case Kind::Instance: {
    auto instance = std::make_shared<InstanceObject>(value.as<InstanceObject>());
    for (auto &[name, member] : instance->members)
      member = rebuild(member, cursor);
    return Value::object(std::move(instance));
  }
  default: {
    auto pointer = std::make_shared<BlockPointerObject>(value.as<BlockPointerObject>());
    pointer->base.value = *cursor++;
    for (auto *list : {&pointer->shape, &pointer->strides, &pointer->offsets})
      for (Tensor &tensor : *list)
        tensor.value = *cursor++;
    return Value::object(std::move(pointer));
  }
  }
}

bool needsPromotion(const Value &value, const Value &other) {
  if (value.isNumber())
    return (other.isTensor() && !other.asTensor().type.isBlock()) || (other.isNumber() && !equalValues(value, other));
  if (!value.isSequence() || value.kind() != other.kind() || value.items().size() != other.items().size())
    return false;
  for (size_t i = 0; i < value.items().size(); ++i)
    if (needsPromotion(value.items()[i], other.items()[i]))
      return true;
  return false;
}

namespace {
void collectTarget(const ast::Expr *target, std::set<std::string> &names) {
  switch (target->kind) {
  case ast::ExprKind::Name:
    names.emplace(ast::as<ast::Name>(target)->id);
    break;
  case ast::ExprKind::Tuple:
    for (const ast::Expr *item : ast::as<ast::Tuple>(target)->elts)
      collectTarget(item, names);
    break;
  case ast::ExprKind::List:
    for (const ast::Expr *item : ast::as<ast::ListExpr>(target)->elts)
      collectTarget(item, names);
    break;
  case ast::ExprKind::Starred:
    collectTarget(ast::as<ast::Starred>(target)->value, names);
    break;
  default:
    break;
  }
}

/// Walrus targets; only the places where one can stand without parentheses of its own matter in practice.
void collectWalrus(const ast::Expr *expr, std::set<std::string> &names) {
  if (!expr)
    return;
  switch (expr->kind) {
  case ast::ExprKind::NamedExpr:
    collectTarget(ast::as<ast::NamedExpr>(expr)->target, names);
    collectWalrus(ast::as<ast::NamedExpr>(expr)->value, names);
    break;
  case ast::ExprKind::BinOp:
    collectWalrus(ast::as<ast::BinOp>(expr)->left, names);
    collectWalrus(ast::as<ast::BinOp>(expr)->right, names);
    break;
  case ast::ExprKind::UnaryOp:
    collectWalrus(ast::as<ast::UnaryOp>(expr)->operand, names);
    break;
  case ast::ExprKind::BoolOp:
    for (const ast::Expr *value : ast::as<ast::BoolOp>(expr)->values)
      collectWalrus(value, names);
    break;
  case ast::ExprKind::Compare:
    collectWalrus(ast::as<ast::Compare>(expr)->left, names);
    for (const ast::Expr *value : ast::as<ast::Compare>(expr)->comparators)
      collectWalrus(value, names);
    break;
  case ast::ExprKind::Call:
    for (const ast::Expr *arg : ast::as<ast::Call>(expr)->args)
      collectWalrus(arg, names);
    for (const ast::Keyword *arg : ast::as<ast::Call>(expr)->keywords)
      collectWalrus(arg->value, names);
    break;
  default:
    break;
  }
}
} // namespace

void collectAssigned(ast::List<ast::Stmt> body, std::set<std::string> &names) {
  for (const ast::Stmt *stmt : body) {
    switch (stmt->kind) {
    case ast::StmtKind::Assign:
      for (const ast::Expr *target : ast::as<ast::Assign>(stmt)->targets)
        collectTarget(target, names);
      collectWalrus(ast::as<ast::Assign>(stmt)->value, names);
      break;
    case ast::StmtKind::AugAssign:
      collectTarget(ast::as<ast::AugAssign>(stmt)->target, names);
      collectWalrus(ast::as<ast::AugAssign>(stmt)->value, names);
      break;
    case ast::StmtKind::AnnAssign:
      if (ast::as<ast::AnnAssign>(stmt)->value)
        collectTarget(ast::as<ast::AnnAssign>(stmt)->target, names);
      collectWalrus(ast::as<ast::AnnAssign>(stmt)->value, names);
      break;
    case ast::StmtKind::Expr:
      collectWalrus(ast::as<ast::ExprStmt>(stmt)->value, names);
      break;
    case ast::StmtKind::FunctionDef:
    case ast::StmtKind::AsyncFunctionDef:
      names.emplace(ast::as<ast::FunctionDef>(stmt)->name);
      break;
    case ast::StmtKind::ClassDef:
      names.emplace(ast::as<ast::ClassDef>(stmt)->name);
      break;
    case ast::StmtKind::Import:
      for (const ast::Alias *alias : ast::as<ast::Import>(stmt)->names)
        names.emplace(alias->asName.empty() ? alias->name.substr(0, alias->name.find('.')) : alias->asName);
      break;
    case ast::StmtKind::ImportFrom:
      for (const ast::Alias *alias : ast::as<ast::ImportFrom>(stmt)->names)
        names.emplace(alias->asName.empty() ? alias->name : alias->asName);
      break;
    case ast::StmtKind::For:
    case ast::StmtKind::AsyncFor:
      collectTarget(ast::as<ast::For>(stmt)->target, names);
      collectAssigned(ast::as<ast::For>(stmt)->body, names);
      collectAssigned(ast::as<ast::For>(stmt)->orElse, names);
      break;
    case ast::StmtKind::While:
      collectWalrus(ast::as<ast::While>(stmt)->test, names);
      collectAssigned(ast::as<ast::While>(stmt)->body, names);
      collectAssigned(ast::as<ast::While>(stmt)->orElse, names);
      break;
    case ast::StmtKind::If:
      collectWalrus(ast::as<ast::If>(stmt)->test, names);
      collectAssigned(ast::as<ast::If>(stmt)->body, names);
      collectAssigned(ast::as<ast::If>(stmt)->orElse, names);
      break;
    case ast::StmtKind::With:
    case ast::StmtKind::AsyncWith:
      for (const ast::WithItem *item : ast::as<ast::With>(stmt)->items)
        if (item->vars)
          collectTarget(item->vars, names);
      collectAssigned(ast::as<ast::With>(stmt)->body, names);
      break;
    case ast::StmtKind::Try:
    case ast::StmtKind::TryStar: {
      const auto *attempt = ast::as<ast::Try>(stmt);
      for (auto part : {attempt->body, attempt->orElse, attempt->finalBody})
        collectAssigned(part, names);
      for (const ast::ExceptHandler *handler : attempt->handlers)
        collectAssigned(handler->body, names);
      break;
    }
    case ast::StmtKind::Match:
      for (const ast::MatchCase *one : ast::as<ast::Match>(stmt)->cases)
        collectAssigned(one->body, names);
      break;
    default:
      break;
    }
  }
}

} // namespace tegula::frontend::sema
