// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What may stand on the left of an assignment, after `del`, `for` and `as`.

#include "frontend/parse/parser_impl.h"

namespace tegula::frontend {

using namespace ast;

static const char *describe(const Expr *expr) {
  switch (expr->kind) {
  case ExprKind::Call:
    return "a call";
  case ExprKind::Constant:
    switch (as<Constant>(expr)->constant) {
    case ConstantKind::None:
      return "None";
    case ConstantKind::True:
      return "True";
    case ConstantKind::False:
      return "False";
    case ConstantKind::Ellipsis:
      return "an ellipsis";
    default:
      return "a literal";
    }
  case ExprKind::JoinedStr:
    return "a formatted string";
  case ExprKind::Compare:
    return "a comparison";
  case ExprKind::IfExp:
    return "a conditional expression";
  case ExprKind::Lambda:
    return "a lambda";
  case ExprKind::NamedExpr:
    return "an assignment expression";
  case ExprKind::Yield:
  case ExprKind::YieldFrom:
    return "a yield expression";
  case ExprKind::Await:
    return "an await expression";
  case ExprKind::Dict:
  case ExprKind::Set:
    return "a dictionary or set";
  case ExprKind::ListComp:
  case ExprKind::SetComp:
  case ExprKind::DictComp:
  case ExprKind::GeneratorExp:
    return "a comprehension";
  case ExprKind::Tuple:
    return "a tuple";
  case ExprKind::List:
    return "a list";
  case ExprKind::Starred:
    return "a starred expression";
  default:
    return "an expression";
  }
}

void Parser::makeTarget(Expr *expr, TargetKind kind, bool nested) {
  if (broken)
    return;
  Context ctx = kind == TargetKind::Delete ? Context::Del : Context::Store;
  bool single = kind == TargetKind::AugAssign || kind == TargetKind::Annotated;
  switch (expr->kind) {
  case ExprKind::Name:
    as<Name>(expr)->ctx = ctx;
    return;
  case ExprKind::Attribute:
    as<Attribute>(expr)->ctx = ctx;
    return;
  case ExprKind::Subscript:
    as<Subscript>(expr)->ctx = ctx;
    return;
  case ExprKind::Starred:
    if (single || kind == TargetKind::Delete || as<Starred>(expr)->value->kind == ExprKind::Starred)
      break;
    as<Starred>(expr)->ctx = ctx;
    makeTarget(as<Starred>(expr)->value, kind, true);
    return;
  case ExprKind::Tuple:
    if (single)
      break;
    as<Tuple>(expr)->ctx = ctx;
    for (Expr *item : as<Tuple>(expr)->elts)
      makeTarget(item, kind, true);
    return;
  case ExprKind::List:
    if (single)
      break;
    as<ListExpr>(expr)->ctx = ctx;
    for (Expr *item : as<ListExpr>(expr)->elts)
      makeTarget(item, kind, true);
    return;
  default:
    break;
  }
  const char *verb = kind == TargetKind::Delete ? "deleted" : kind == TargetKind::Annotated ? "annotated" : "assigned to";
  bool comparison =
      kind == TargetKind::Assign && !nested && (expr->kind == ExprKind::Compare || expr->kind == ExprKind::Constant || expr->kind == ExprKind::Call);
  error(expr->range, "F1209", std::string(describe(expr)) + " cannot be " + verb, comparison ? "use '==' to compare" : "");
}

} // namespace tegula::frontend
