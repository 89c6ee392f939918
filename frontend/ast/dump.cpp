// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/ast/dump.h"

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

const char *kBinOps[] = {"Add", "Sub", "Mult", "MatMult", "Div", "Mod", "Pow", "LShift", "RShift", "BitOr", "BitXor", "BitAnd", "FloorDiv"};
const char *kUnaryOps[] = {"Invert", "Not", "UAdd", "USub"};
const char *kCmpOps[] = {"Eq", "NotEq", "Lt", "LtE", "Gt", "GtE", "Is", "IsNot", "In", "NotIn"};
const char *kContexts[] = {"Load", "Store", "Del"};

class Dumper {
public:
  Dumper(const SourceBuffer &source, bool attributes) : source(source), attributes(attributes) {}
  std::string out;

  void module(const Module &m) {
    out += "Module(body=";
    stmts(m.body);
    out += ", type_ignores=[])";
  }

private:
  // Fields of the node being printed; the first has no comma before it.
  void open(const char *name) {
    out += name;
    out += '(';
    first = true;
  }
  void field(const char *name) {
    if (!first)
      out += ", ";
    first = false;
    out += name;
    out += '=';
  }
  void close(Range range) {
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
  void closePlain() {
    out += ')';
    first = false;
  }

  template <typename Items, typename F> void sequence(const Items &items, F f) {
    out += '[';
    bool comma = false;
    for (const auto &item : items) {
      if (comma)
        out += ", ";
      comma = true;
      f(item);
    }
    out += ']';
  }
  void exprs(List<Expr> items) {
    sequence(items, [&](const Expr *e) { e ? expr(e) : void(out += "None"); });
  }
  void stmts(List<Stmt> items) {
    sequence(items, [&](const Stmt *s) { stmt(s); });
  }
  void word(Text text) { out += quoted(text, false); }

  void exprField(const char *name, const Expr *e) {
    if (!e)
      return;
    field(name);
    expr(e);
    first = false;
  }
  void exprsField(const char *name, List<Expr> items) {
    field(name);
    exprs(items);
    first = false;
  }
  void stmtsField(const char *name, List<Stmt> items) {
    field(name);
    stmts(items);
    first = false;
  }
  void wordField(const char *name, Text text) {
    field(name);
    word(text);
  }
  void context(Context ctx) {
    field("ctx");
    out += kContexts[static_cast<int>(ctx)];
    out += "()";
  }

  void constant(const Constant *c) {
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

  void comprehensionFields(const Expr *elt, List<Comprehension> generators) {
    exprField("elt", elt);
    comprehensions(generators);
  }
  void comprehensions(List<Comprehension> generators) {
    field("generators");
    sequence(generators, [&](const Comprehension *c) {
      open("comprehension");
      exprField("target", c->target);
      exprField("iter", c->iter);
      exprsField("ifs", c->ifs);
      field("is_async");
      out += c->isAsync ? "1" : "0";
      closePlain();
    });
    first = false;
  }

  void keywords(List<Keyword> items) {
    field("keywords");
    sequence(items, [&](const Keyword *k) {
      open("keyword");
      if (!k->isDoubleStar)
        wordField("arg", k->arg);
      exprField("value", k->value);
      close(k->range);
    });
    first = false;
  }

  void argument(const Arg *a) {
    open("arg");
    wordField("arg", a->name);
    exprField("annotation", a->annotation);
    close(a->range);
  }
  void arguments(const Arguments *a) {
    field("args");
    open("arguments");
    auto group = [&](const char *name, List<Arg> items) {
      field(name);
      sequence(items, [&](const Arg *arg) { argument(arg); });
      first = false;
    };
    group("posonlyargs", a->posOnly);
    group("args", a->args);
    if (a->varArg) {
      field("vararg");
      argument(a->varArg);
    }
    group("kwonlyargs", a->kwOnly);
    exprsField("kw_defaults", a->kwDefaults);
    if (a->kwArg) {
      field("kwarg");
      argument(a->kwArg);
    }
    exprsField("defaults", a->defaults);
    closePlain();
  }

  void expr(const Expr *e) {
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

  void aliases(List<Alias> items) {
    field("names");
    sequence(items, [&](const Alias *a) {
      open("alias");
      wordField("name", a->name);
      if (!a->asName.empty())
        wordField("asname", a->asName);
      close(a->range);
    });
    first = false;
  }

  void typeParams(List<TypeParam> items) {
    field("type_params");
    sequence(items, [&](const TypeParam *p) {
      open(p->kind == TypeParam::Kind::TypeVar ? "TypeVar" : p->kind == TypeParam::Kind::ParamSpec ? "ParamSpec" : "TypeVarTuple");
      wordField("name", p->name);
      exprField("bound", p->bound);
      close(p->range);
    });
    first = false;
  }

  void stmt(const Stmt *s);
  void pattern(const Pattern *p);
  void patternsField(const char *name, List<Pattern> items) {
    field(name);
    sequence(items, [&](const Pattern *p) { pattern(p); });
    first = false;
  }

  const SourceBuffer &source;
  bool attributes;
  bool first = true;
};

void Dumper::stmt(const Stmt *s) {
  switch (s->kind) {
  case StmtKind::FunctionDef:
  case StmtKind::AsyncFunctionDef: {
    auto *n = as<FunctionDef>(s);
    open(s->kind == StmtKind::FunctionDef ? "FunctionDef" : "AsyncFunctionDef");
    wordField("name", n->name);
    arguments(n->args);
    stmtsField("body", n->body);
    exprsField("decorator_list", n->decorators);
    exprField("returns", n->returns);
    typeParams(n->typeParams);
    break;
  }
  case StmtKind::ClassDef: {
    auto *n = as<ClassDef>(s);
    open("ClassDef");
    wordField("name", n->name);
    exprsField("bases", n->bases);
    keywords(n->keywords);
    stmtsField("body", n->body);
    exprsField("decorator_list", n->decorators);
    typeParams(n->typeParams);
    break;
  }
  case StmtKind::Return:
    open("Return");
    exprField("value", as<Return>(s)->value);
    break;
  case StmtKind::Delete:
    open("Delete");
    exprsField("targets", as<Delete>(s)->targets);
    break;
  case StmtKind::Assign:
    open("Assign");
    exprsField("targets", as<Assign>(s)->targets);
    exprField("value", as<Assign>(s)->value);
    break;
  case StmtKind::TypeAlias:
    open("TypeAlias");
    exprField("name", as<TypeAlias>(s)->name);
    typeParams(as<TypeAlias>(s)->typeParams);
    exprField("value", as<TypeAlias>(s)->value);
    break;
  case StmtKind::AugAssign:
    open("AugAssign");
    exprField("target", as<AugAssign>(s)->target);
    field("op");
    out += std::string(kBinOps[static_cast<int>(as<AugAssign>(s)->op)]) + "()";
    exprField("value", as<AugAssign>(s)->value);
    break;
  case StmtKind::AnnAssign:
    open("AnnAssign");
    exprField("target", as<AnnAssign>(s)->target);
    exprField("annotation", as<AnnAssign>(s)->annotation);
    exprField("value", as<AnnAssign>(s)->value);
    field("simple");
    out += as<AnnAssign>(s)->simple ? "1" : "0";
    break;
  case StmtKind::For:
  case StmtKind::AsyncFor:
    open(s->kind == StmtKind::For ? "For" : "AsyncFor");
    exprField("target", as<For>(s)->target);
    exprField("iter", as<For>(s)->iter);
    stmtsField("body", as<For>(s)->body);
    stmtsField("orelse", as<For>(s)->orElse);
    break;
  case StmtKind::While:
    open("While");
    exprField("test", as<While>(s)->test);
    stmtsField("body", as<While>(s)->body);
    stmtsField("orelse", as<While>(s)->orElse);
    break;
  case StmtKind::If:
    open("If");
    exprField("test", as<If>(s)->test);
    stmtsField("body", as<If>(s)->body);
    stmtsField("orelse", as<If>(s)->orElse);
    break;
  case StmtKind::With:
  case StmtKind::AsyncWith:
    open(s->kind == StmtKind::With ? "With" : "AsyncWith");
    field("items");
    sequence(as<With>(s)->items, [&](const WithItem *item) {
      open("withitem");
      exprField("context_expr", item->context);
      exprField("optional_vars", item->vars);
      closePlain();
    });
    first = false;
    stmtsField("body", as<With>(s)->body);
    break;
  case StmtKind::Match:
    open("Match");
    exprField("subject", as<Match>(s)->subject);
    field("cases");
    sequence(as<Match>(s)->cases, [&](const MatchCase *c) {
      open("match_case");
      field("pattern");
      pattern(c->pattern);
      exprField("guard", c->guard);
      stmtsField("body", c->body);
      closePlain();
    });
    first = false;
    break;
  case StmtKind::Raise:
    open("Raise");
    exprField("exc", as<Raise>(s)->exc);
    exprField("cause", as<Raise>(s)->cause);
    break;
  case StmtKind::Try:
  case StmtKind::TryStar:
    open(s->kind == StmtKind::Try ? "Try" : "TryStar");
    stmtsField("body", as<Try>(s)->body);
    field("handlers");
    sequence(as<Try>(s)->handlers, [&](const ExceptHandler *h) {
      open("ExceptHandler");
      exprField("type", h->type);
      if (!h->name.empty())
        wordField("name", h->name);
      stmtsField("body", h->body);
      close(h->range);
    });
    first = false;
    stmtsField("orelse", as<Try>(s)->orElse);
    stmtsField("finalbody", as<Try>(s)->finalBody);
    break;
  case StmtKind::Assert:
    open("Assert");
    exprField("test", as<Assert>(s)->test);
    exprField("msg", as<Assert>(s)->msg);
    break;
  case StmtKind::Import:
    open("Import");
    aliases(as<Import>(s)->names);
    break;
  case StmtKind::ImportFrom:
    open("ImportFrom");
    if (!as<ImportFrom>(s)->module.empty())
      wordField("module", as<ImportFrom>(s)->module);
    aliases(as<ImportFrom>(s)->names);
    field("level");
    out += std::to_string(as<ImportFrom>(s)->level);
    break;
  case StmtKind::Global:
  case StmtKind::Nonlocal:
    open(s->kind == StmtKind::Global ? "Global" : "Nonlocal");
    field("names");
    sequence(as<Global>(s)->names, [&](Text name) { word(name); });
    first = false;
    break;
  case StmtKind::Expr:
    open("Expr");
    exprField("value", as<ExprStmt>(s)->value);
    break;
  case StmtKind::Pass:
    open("Pass");
    break;
  case StmtKind::Break:
    open("Break");
    break;
  case StmtKind::Continue:
    open("Continue");
    break;
  case StmtKind::Invalid:
    open("Invalid");
    break;
  }
  close(s->range);
}

void Dumper::pattern(const Pattern *p) {
  switch (p->kind) {
  case PatternKind::MatchValue:
    open("MatchValue");
    exprField("value", as<MatchValue>(p)->value);
    break;
  case PatternKind::MatchSingleton: {
    open("MatchSingleton");
    field("value");
    ConstantKind k = as<MatchSingleton>(p)->value;
    out += k == ConstantKind::None ? "None" : k == ConstantKind::True ? "True" : "False";
    break;
  }
  case PatternKind::MatchSequence:
    open("MatchSequence");
    patternsField("patterns", as<MatchSequence>(p)->patterns);
    break;
  case PatternKind::MatchMapping:
    open("MatchMapping");
    exprsField("keys", as<MatchMapping>(p)->keys);
    patternsField("patterns", as<MatchMapping>(p)->patterns);
    if (!as<MatchMapping>(p)->rest.empty())
      wordField("rest", as<MatchMapping>(p)->rest);
    break;
  case PatternKind::MatchClass:
    open("MatchClass");
    exprField("cls", as<MatchClass>(p)->cls);
    patternsField("patterns", as<MatchClass>(p)->patterns);
    field("kwd_attrs");
    sequence(as<MatchClass>(p)->kwdAttrs, [&](Text name) { word(name); });
    first = false;
    patternsField("kwd_patterns", as<MatchClass>(p)->kwdPatterns);
    break;
  case PatternKind::MatchStar:
    open("MatchStar");
    if (!as<MatchStar>(p)->name.empty())
      wordField("name", as<MatchStar>(p)->name);
    break;
  case PatternKind::MatchAs:
    open("MatchAs");
    if (as<MatchAs>(p)->pattern) {
      field("pattern");
      pattern(as<MatchAs>(p)->pattern);
      first = false;
    }
    if (!as<MatchAs>(p)->name.empty())
      wordField("name", as<MatchAs>(p)->name);
    break;
  case PatternKind::MatchOr:
    open("MatchOr");
    patternsField("patterns", as<MatchOr>(p)->patterns);
    break;
  }
  close(p->range);
}

} // namespace

std::string dump(const Module &module, bool attributes) {
  Dumper dumper(*module.source, attributes);
  dumper.module(module);
  return std::move(dumper.out);
}

} // namespace tegula::frontend::ast
