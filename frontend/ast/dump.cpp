// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/ast/dump.h"

#include "frontend/ast/dump_impl.h"

#include "frontend/lex/unicode.h"
#include "frontend/source/source_buffer.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace tegula::frontend::ast {

namespace {

std::string pythonFloat(double value) {
  if (std::isinf(value))
    return value > 0 ? "inf" : "-inf";
  char buffer[64];
  auto scientific = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  std::string text(buffer, scientific.ptr);
  size_t e = text.find('e');
  int exponent = std::atoi(text.c_str() + e + 1);
  if (exponent < -4 || exponent >= 16) {
    char tail[16];
    std::snprintf(tail, sizeof tail, "e%c%02d", exponent < 0 ? '-' : '+', std::abs(exponent));
    return text.substr(0, e) + tail;
  }
  auto fixed = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed);
  text.assign(buffer, fixed.ptr);
  return text.find('.') == std::string::npos ? text + ".0" : text;
}

std::string quoted(std::string_view text, bool bytes) {
  char quote = text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos ? '"' : '\'';
  std::string out(1, quote);
  char buffer[16];
  for (size_t i = 0, length; i < text.size(); i += length) {
    length = 1;
    uint32_t code = bytes ? static_cast<unsigned char>(text[i]) : decodeUtf8(text.substr(i), length);
    if (code == static_cast<uint32_t>(quote) || code == '\\') {
      out += '\\';
      out += static_cast<char>(code);
    } else if (code == '\n' || code == '\r' || code == '\t') {
      out += code == '\n' ? "\\n" : code == '\r' ? "\\r" : "\\t";
    } else if (code < 0x20 || code == 0x7F || (bytes && code >= 0x80)) {
      std::snprintf(buffer, sizeof buffer, "\\x%02x", code);
      out += buffer;
    } else if (code < 0x80 || isPrintable(code)) {
      out += text.substr(i, length);
    } else {
      std::snprintf(buffer, sizeof buffer, code < 0x100 ? "\\x%02x" : code < 0x10000 ? "\\u%04x" : "\\U%08x", code);
      out += buffer;
    }
  }
  return out + quote;
}

const char *kUnaryOps[] = {"Invert", "Not", "UAdd", "USub"};
const char *kCmpOps[] = {"Eq", "NotEq", "Lt", "LtE", "Gt", "GtE", "Is", "IsNot", "In", "NotIn"};
const char *kContexts[] = {"Load", "Store", "Del"};

} // namespace

void Dumper::close(Range range) {
  if (attributes) {
    auto from = source.locate(range.begin), to = source.locate(range.end);
    field("lineno");
    out += std::to_string(from.line);
    field("col_offset");
    out += std::to_string(from.byteColumn);
    field("end_lineno");
    out += std::to_string(to.line);
    field("end_col_offset");
    out += std::to_string(to.byteColumn);
  }
  out += ')';
  first = false;
}

void Dumper::word(Text text) { out += quoted(text, false); }

void Dumper::context(Context ctx) {
  field("ctx");
  out += kContexts[static_cast<int>(ctx)];
  out += "()";
}

void Dumper::constant(const Constant *c) {
  open("Constant");
  field("value");
  switch (c->constant) {
  case ConstantKind::None:
    out += "None";
    break;
  case ConstantKind::True:
    out += "True";
    break;
  case ConstantKind::False:
    out += "False";
    break;
  case ConstantKind::Ellipsis:
    out += "Ellipsis";
    break;
  case ConstantKind::Int:
    out += c->text;
    break;
  case ConstantKind::Float:
    out += pythonFloat(c->number);
    break;
  case ConstantKind::Complex: {
    std::string text = pythonFloat(c->number);
    if (text.size() > 2 && text.substr(text.size() - 2) == ".0")
      text.resize(text.size() - 2);
    out += text + "j";
    break;
  }
  case ConstantKind::Str:
    out += quoted(c->text, false);
    break;
  case ConstantKind::Bytes:
    out += "b" + quoted(c->text, true);
    break;
  }
  if (c->unicodePrefix && c->constant == ConstantKind::Str) {
    field("kind");
    out += "'u'";
  }
  close(c->range);
}


void Dumper::expr(const Expr *e) {
  switch (e->kind) {
  case ExprKind::BoolOp: {
    auto *n = as<BoolOp>(e);
    open("BoolOp");
    field("op");
    out += n->op == BoolOpKind::And ? "And()" : "Or()";
    exprsField("values", n->values);
    break;
  }
  case ExprKind::NamedExpr:
    open("NamedExpr");
    exprField("target", as<NamedExpr>(e)->target);
    exprField("value", as<NamedExpr>(e)->value);
    break;
  case ExprKind::BinOp:
    open("BinOp");
    exprField("left", as<BinOp>(e)->left);
    field("op");
    out += std::string(kBinOps[static_cast<int>(as<BinOp>(e)->op)]) + "()";
    exprField("right", as<BinOp>(e)->right);
    break;
  case ExprKind::UnaryOp:
    open("UnaryOp");
    field("op");
    out += std::string(kUnaryOps[static_cast<int>(as<UnaryOp>(e)->op)]) + "()";
    exprField("operand", as<UnaryOp>(e)->operand);
    break;
  case ExprKind::Lambda:
    open("Lambda");
    arguments(as<Lambda>(e)->args);
    exprField("body", as<Lambda>(e)->body);
    break;
  case ExprKind::IfExp:
    open("IfExp");
    exprField("test", as<IfExp>(e)->test);
    exprField("body", as<IfExp>(e)->body);
    exprField("orelse", as<IfExp>(e)->orElse);
    break;
  case ExprKind::Dict:
    open("Dict");
    exprsField("keys", as<Dict>(e)->keys);
    exprsField("values", as<Dict>(e)->values);
    break;
  case ExprKind::Set:
    open("Set");
    exprsField("elts", as<Set>(e)->elts);
    break;
  case ExprKind::ListComp:
    open("ListComp");
    comprehensionFields(as<ListComp>(e)->elt, as<ListComp>(e)->generators);
    break;
  case ExprKind::SetComp:
    open("SetComp");
    comprehensionFields(as<SetComp>(e)->elt, as<SetComp>(e)->generators);
    break;
  case ExprKind::GeneratorExp:
    open("GeneratorExp");
    comprehensionFields(as<GeneratorExp>(e)->elt, as<GeneratorExp>(e)->generators);
    break;
  case ExprKind::DictComp:
    open("DictComp");
    exprField("key", as<DictComp>(e)->key);
    exprField("value", as<DictComp>(e)->value);
    comprehensions(as<DictComp>(e)->generators);
    break;
  case ExprKind::Await:
    open("Await");
    exprField("value", as<Await>(e)->value);
    break;
  case ExprKind::Yield:
    open("Yield");
    exprField("value", as<Yield>(e)->value);
    break;
  case ExprKind::YieldFrom:
    open("YieldFrom");
    exprField("value", as<YieldFrom>(e)->value);
    break;
  case ExprKind::Compare: {
    auto *n = as<Compare>(e);
    open("Compare");
    exprField("left", n->left);
    field("ops");
    sequence(n->ops, [&](CmpOpKind op) { out += std::string(kCmpOps[static_cast<int>(op)]) + "()"; });
    exprsField("comparators", n->comparators);
    break;
  }
  case ExprKind::Call:
    open("Call");
    exprField("func", as<Call>(e)->func);
    exprsField("args", as<Call>(e)->args);
    keywords(as<Call>(e)->keywords);
    break;
  case ExprKind::FormattedValue:
    open("FormattedValue");
    exprField("value", as<FormattedValue>(e)->value);
    field("conversion");
    out += std::to_string(as<FormattedValue>(e)->conversion);
    exprField("format_spec", as<FormattedValue>(e)->formatSpec);
    break;
  case ExprKind::JoinedStr:
    open("JoinedStr");
    exprsField("values", as<JoinedStr>(e)->values);
    break;
  case ExprKind::Constant:
    constant(as<Constant>(e));
    return;
  case ExprKind::Attribute:
    open("Attribute");
    exprField("value", as<Attribute>(e)->value);
    wordField("attr", as<Attribute>(e)->attr);
    context(as<Attribute>(e)->ctx);
    break;
  case ExprKind::Subscript:
    open("Subscript");
    exprField("value", as<Subscript>(e)->value);
    exprField("slice", as<Subscript>(e)->slice);
    context(as<Subscript>(e)->ctx);
    break;
  case ExprKind::Starred:
    open("Starred");
    exprField("value", as<Starred>(e)->value);
    context(as<Starred>(e)->ctx);
    break;
  case ExprKind::Name:
    open("Name");
    wordField("id", as<Name>(e)->id);
    context(as<Name>(e)->ctx);
    break;
  case ExprKind::List:
    open("List");
    exprsField("elts", as<ListExpr>(e)->elts);
    context(as<ListExpr>(e)->ctx);
    break;
  case ExprKind::Tuple:
    open("Tuple");
    exprsField("elts", as<Tuple>(e)->elts);
    context(as<Tuple>(e)->ctx);
    break;
  case ExprKind::Slice:
    open("Slice");
    exprField("lower", as<Slice>(e)->lower);
    exprField("upper", as<Slice>(e)->upper);
    exprField("step", as<Slice>(e)->step);
    break;
  }
  close(e->range);
}

std::string dump(const Module &module, bool attributes) {
  Dumper dumper(*module.source, attributes);
  dumper.module(module);
  return std::move(dumper.out);
}

} // namespace tegula::frontend::ast
