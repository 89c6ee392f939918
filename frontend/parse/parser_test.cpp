// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trees of syntax that older interpreters do not know, diagnostics with their carets, recovery, limits, and damaged input. The comparison
// with CPython over its standard library is in test/compare_with_cpython.py.

#include "frontend/parse/parser.h"

#include "frontend/ast/dump.h"

#include <gtest/gtest.h>

#include <random>

using namespace tegula;
using namespace tegula::frontend;

namespace {

struct Parsed {
  std::shared_ptr<ast::Module> module;
  std::vector<base::Diagnostic> diagnostics;
};

Parsed parse(std::string text) {
  base::DiagnosticList list;
  Parsed result;
  result.module = parseModule(std::make_shared<SourceBuffer>("k.py", std::move(text)), list);
  result.diagnostics = list.take();
  return result;
}

/// The dump, or the first error.
std::string dumped(std::string text) {
  Parsed p = parse(std::move(text));
  return p.module->complete ? ast::dump(*p.module) : "error " + (p.diagnostics.empty() ? "without a record" : p.diagnostics[0].message);
}

/// "CODE message" for each error, with the source line and carets below it.
std::string errors(std::string text) {
  std::string out;
  for (const base::Diagnostic &d : parse(std::move(text)).diagnostics) {
    out += std::to_string(d.where.line) + ": " + d.code + " " + d.message + "\n" + d.where.lineText + "\n" + std::string(d.where.column - 1, ' ') +
           std::string(d.where.endColumn - d.where.column, '^') + "\n";
    if (!d.help.empty())
      out += "help: " + d.help + "\n";
  }
  return out;
}

std::string codes(std::string text) {
  std::string out;
  for (const base::Diagnostic &d : parse(std::move(text)).diagnostics)
    out += (out.empty() ? "" : " ") + d.code + "@" + std::to_string(d.where.line);
  return out;
}

std::string repeat(std::string_view part, size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i)
    out += part;
  return out;
}

} // namespace

// ---- trees ----

TEST(ParserTrees, TypeParameters) {
  EXPECT_EQ(dumped("type X[T: int, *Ts, **P] = T\n"),
            "Module(body=[TypeAlias(name=Name(id='X', ctx=Store()), type_params=[TypeVar(name='T', bound=Name(id='int', ctx=Load())), "
            "TypeVarTuple(name='Ts'), ParamSpec(name='P')], value=Name(id='T', ctx=Load()))], type_ignores=[])");
}

TEST(ParserTrees, FormattedStringsNestQuotes) {
  EXPECT_EQ(dumped("f\"{f\"{x!r:>{w}.2}\"}{y = }\"\n"),
            "Module(body=[Expr(value=JoinedStr(values=[FormattedValue(value=JoinedStr(values=[FormattedValue(value=Name(id='x', ctx=Load()), "
            "conversion=114, format_spec=JoinedStr(values=[Constant(value='>'), FormattedValue(value=Name(id='w', ctx=Load()), conversion=-1), "
            "Constant(value='.2')]))]), conversion=-1), Constant(value='y = '), FormattedValue(value=Name(id='y', ctx=Load()), "
            "conversion=114)]))], type_ignores=[])");
}

TEST(ParserTrees, SoftKeywordsAreNames) {
  EXPECT_EQ(dumped("match = type = case = _ = 1\nmatch(x)\nmatch[x]\ntype(x)\nmatch * x\n").substr(0, 7), "Module(");
  EXPECT_NE(dumped("match x:\n  case [1, *_]: pass\n").find("MatchStar()"), std::string::npos);
  EXPECT_NE(dumped("match -x:\n  case _: pass\n").find("Match(subject=UnaryOp"), std::string::npos);
}

TEST(ParserTrees, IdentifiersAreNormalised) {
  EXPECT_EQ(dumped("\xEF\xBD\x98 = 1\n"), dumped("x = 1\n"));           // fullwidth x
  EXPECT_EQ(dumped("\xEF\xAC\x81 = 1\n"), dumped("fi = 1\n"));          // ligature
  EXPECT_EQ(dumped("e\xCC\x81 = 1\n"), dumped("\xC3\xA9 = 1\n"));       // e, combining acute
  EXPECT_EQ(dumped("e\xCC\x81\xCC\xA3 = 1\n"), dumped("\xE1\xBA\xB9\xCC\x81 = 1\n")); // marks are ordered first
  EXPECT_EQ(dumped("\xE1\x84\x80\xE1\x85\xA1\xE1\x86\xA8 = 1\n"), dumped("\xEA\xB0\x81 = 1\n")); // Hangul
}

TEST(ParserTrees, BigIntegersAndEncodings) {
  EXPECT_NE(dumped("x = 0xffff_ffff_ffff_ffff_ffff\n").find("value=1208925819614629174706175)"), std::string::npos);
  EXPECT_NE(dumped("# coding: latin-1\nx = '\xE9'\n").find("value='\xC3\xA9'"), std::string::npos);
  Parsed marked = parse("\xEF\xBB\xBFx = )\n");
  ASSERT_EQ(marked.diagnostics.size(), 1u);
  EXPECT_EQ(marked.diagnostics[0].where.column, 5u); // the mark is no column
}

// ---- diagnostics ----

TEST(ParserErrors, Messages) {
  EXPECT_EQ(errors("x = 1 +\n"), "1: F1201 expected an expression, found the end of the line\nx = 1 +\n       ^\n");
  EXPECT_EQ(errors("print x\n"), "1: F1211 expected the end of the statement, found 'x'\nprint x\n      ^\nhelp: write print(...)\n");
  EXPECT_EQ(errors("if a = 1:\n  pass\n"),
            "1: F1201 expected ':', found '='\nif a = 1:\n     ^\nhelp: use '==' to compare, or ':=' to assign within an expression\n");
  EXPECT_EQ(errors("f() = \"\xC3\xA9\"\n"), "1: F1209 a call cannot be assigned to\nf() = \"\xC3\xA9\"\n^^^\nhelp: use '==' to compare\n");
  EXPECT_EQ(errors("\xC3\xA9 = f(a for a in b, 1)\n"),
            "1: F1206 a generator expression must be in parentheses here\n\xC3\xA9 = f(a for a in b, 1)\n      ^^^^^^^^^^^^\n");
  EXPECT_EQ(errors("x = (1,\n"), "1: F1104 '(' was never closed\nx = (1,\n    ^\n");
  EXPECT_EQ(errors("def f(a=1, b): pass\n"),
            "1: F1220 a parameter without a default follows one with a default\ndef f(a=1, b): pass\n           ^\n");
  EXPECT_EQ(errors("for i in x:\npass\n"), "2: F1213 expected an indented block\npass\n^^^^\nhelp: write 'pass' for an empty one\n");
  EXPECT_EQ(errors("None = 1\n"), "1: F1209 None cannot be assigned to\nNone = 1\n^^^^\nhelp: use '==' to compare\n");
}

TEST(ParserErrors, WhatTheCompilerRejects) {
  const std::pair<const char *, const char *> cases[] = {
      {"return 1\n", "F1301@1"},
      {"class A:\n  return\n", "F1301@2"},
      {"if x:\n  break\n", "F1302@2"},
      {"while x:\n  def f(): continue\n", "F1302@2"},
      {"while x:\n  try: pass\n  except* A: break\n", "F1302@3"},
      {"def f(a, *, a): pass\n", "F1303@1"},
      {"lambda a, a: 1\n", "F1303@1"},
      {"x.__debug__ = 1\n", "F1304@1"},
      {"nonlocal x\n", "F1305@1"},
      {"def f():\n  x = 1\n  global x\n", "F1305@3"},
      {"def f():\n  def g():\n    nonlocal x\n", "F1305@3"},
      {"def f(): await x\n", "F1306@1"},
      {"def f(): return [x async for x in y]\n", "F1306@1"},
      {"class A:\n  yield\n", "F1306@2"},
      {"f(a=1, b=2, a=3)\n", "F1307@1"},
      {"[x := 1 for x in y]\n", "F1308@1"},
      {"[a for a in (b := c)]\n", "F1308@1"},
      {"x = 1\nfrom __future__ import annotations\n", "F1309@2"},
      {"def f():\n  from a import *\n", "F1309@2"},
      {"match x:\n  case a: pass\n  case 1: pass\n", "F1310@2"},
      {"match x:\n  case [a, a]: pass\n", "F1310@2"},
      {"match x:\n  case {1: a, True: b}: pass\n", "F1310@2"},
      {"*a = b\n", "F1208@1"},
      {"*a, *b = c\n", "F1208@1"},
      {"x = *a\n", "F1208@1"},
  };
  for (auto [text, want] : cases)
    EXPECT_EQ(codes(text), want) << text;
}

TEST(ParserErrors, WhatTheCompilerAccepts) {
  for (const char *text : {"def f():\n  x = 1\n  def g():\n    nonlocal x\n    x = 2\n", "async def f():\n  return [await x async for x in y]\n",
                           "def f():\n  return (await x for x in y)\n", "while x:\n  try: pass\n  finally: continue\n", "a[*b or c]\n",
                           "def f():\n  [y := x for x in z]\n", "class A:\n  def f(self):\n    nonlocal __class__\n", "f(**a, **b, c=1)\n",
                           "match x:\n  case a if b: pass\n  case [a, *_] | (a,): pass\n  case _: pass\n", "*a, b = c\n", "if x:\n\\\n  y\n",
                           "'doc'\nfrom __future__ import annotations\n", "def f():\n  def g():\n    nonlocal x\n  x = 1\n"})
    EXPECT_EQ(codes(text), "") << text;
}

// ---- recovery ----

TEST(ParserRecovery, GoesOnAfterEachStatement) {
  EXPECT_EQ(codes("x = = 1\ny = 2\ndef f(:\n  return 1\nz = )\nw = 3\n"), "F1201@1 F1104@3 F1109@5");
  EXPECT_EQ(codes("def f():\n  x = = 1\n  y = 2\n  z = = 3\ng(\n"), "F1201@2 F1201@4 F1104@5");
}

TEST(ParserRecovery, KeepsWhatIsWhole) {
  Parsed p = parse("x = = 1\ndef f():\n  y = 2\n  z = = 3\n");
  EXPECT_FALSE(p.module->complete);
  ASSERT_EQ(p.module->body.size(), 2u);
  EXPECT_EQ(p.module->body[0]->kind, ast::StmtKind::Invalid);
  ASSERT_EQ(p.module->body[1]->kind, ast::StmtKind::FunctionDef);
  auto body = ast::as<ast::FunctionDef>(p.module->body[1])->body;
  ASSERT_EQ(body.size(), 2u);
  EXPECT_EQ(body[0]->kind, ast::StmtKind::Assign);
  EXPECT_EQ(body[1]->kind, ast::StmtKind::Invalid);
}

// ---- limits and damage ----

TEST(ParserLimits, AreDiagnostics) {
  EXPECT_EQ(codes(repeat("(", 199) + "a" + repeat(")", 199) + "\n"), "");
  EXPECT_NE(codes(repeat("(", 5000)).find("F1108"), std::string::npos);
  EXPECT_EQ(codes("x" + repeat("+1", 100000) + "\n"), "F1203@1");
  EXPECT_EQ(codes("x" + repeat(".a", 100000) + "\n"), "F1203@1");
  EXPECT_EQ(codes("x" + repeat("()", 100000) + "\n"), "F1203@1");
  EXPECT_EQ(codes("x = " + repeat("-", 100000) + "1\n"), "F1203@1");
  EXPECT_EQ(codes("f'{a:{b:{c}}}'\n"), "");
  EXPECT_EQ(codes("f'{a:{b:{c:{d}}}}'\n"), "F1203@1");
  std::string blocks;
  for (size_t i = 0; i < 150; ++i)
    blocks += std::string(i, ' ') + "if a:\n";
  EXPECT_NE(codes(blocks + std::string(150, ' ') + "b\n").find("F1103"), std::string::npos);
}

/// Any bytes give a tree or a diagnostic: cut and changed sources, from fixed seeds.
TEST(ParserDamage, NeverCrashes) {
  const std::string seeds[] = {
      "import triton\nimport triton.language as tl\n\n@triton.jit\ndef k(p, n, BLOCK: tl.constexpr):\n    i = tl.program_id(0) * BLOCK + "
      "tl.arange(0, BLOCK)\n"
      "    x = tl.load(p + i, mask=i < n, other=0.0)\n    for j in range(0, n, BLOCK):\n        x += tl.where(x > 0, x, -x) if j else x\n    "
      "tl.store(p + i, x)\n",
      "f'''{a!r:>{w}.{p}} {{}} {x = }{f\"{'a' 'b'}\"}\\N{DIGIT ONE}\\x41'''\nrb'\\xff' b'\\0'\nu'\\u1234' R'''\\'''\n",
      "match x, *y:\n    case {'a': [1, *_], **rest} if rest: pass\n    case A(b, c=-1 | 2+3j as d): pass\n    case _: pass\n",
      "async def f[T: int, *Ts, **P](a, /, b=1, *c: *Ts, d, **e) -> T:\n    async with (a as b, c as d,): pass\n    try:\n        await (yield)\n"
      "    except* (A, B) as e: raise X from e\n    else: del a[1:2, ...], b.c\n    return [x async for x in y if (z := x)] and {**a, 'b': lambda "
      "*a, k=1, **b: 0}\n",
      "if a:\n\tb\n\\\n\x0c  \nelse :\n    '''x\n  y''' ; c = \xC3\xA9\xE2\x84\x98 \n# coding: latin-1\n0x1_f 1e5j .5 1_0.\n"};
  std::mt19937 random(12345);
  const std::string alphabet = "()[]{}'\"\\\n\t #:=!*fbr\x0c\r.,;@-09aN_\xC3\xA9\xE2\xF0\xFF";
  for (const std::string &seed : seeds) {
    ASSERT_TRUE(parse(seed).module);
    for (int round = 0; round < 3000; ++round) {
      std::string text = seed;
      if (random() % 3 == 0)
        text.resize(random() % text.size());
      for (unsigned edits = random() % 5; edits && !text.empty(); --edits) {
        size_t place = random() % text.size();
        switch (random() % 4) {
        case 0:
          text[place] = alphabet[random() % alphabet.size()];
          break;
        case 1:
          text.insert(place, 1, alphabet[random() % alphabet.size()]);
          break;
        case 2:
          text.erase(place, 1 + random() % 8);
          break;
        default:
          text.insert(place, text.substr(random() % text.size(), random() % 40));
        }
      }
      Parsed p = parse(text);
      ASSERT_TRUE(p.module);
      ASSERT_EQ(p.module->complete, p.diagnostics.empty()) << text;
      if (p.module->complete)
        ASSERT_FALSE(ast::dump(*p.module, true).empty());
    }
  }
}
