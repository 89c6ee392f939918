// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/render/render.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace tegula;
using namespace tegula::driver;

namespace {
base::Diagnostic make(std::string line, uint32_t column, uint32_t endColumn) {
  base::Diagnostic d;
  d.code = "F1203";
  d.message = "expected ')'";
  d.where = {"k.py", 7, column, endColumn, std::move(line)};
  return d;
}

TEST(Render, caretUnderTheStretch) {
  EXPECT_EQ(renderText(make("    x = f(a", 9, 12), false), "k.py:7:9: error[F1203]: expected ')'\n"
                                                           "      x = f(a\n"
                                                           "          ^~~\n");
}

TEST(Render, tabsAreExpanded) {
  EXPECT_EQ(renderText(make("\ta\tb", 4, 5), false), "k.py:7:4: error[F1203]: expected ')'\n"
                                                     "          a       b\n"
                                                     "                  ^\n");
}

TEST(Render, columnsAreCodePointsAndWideOnesTakeTwo) {
  // Two wide characters stand before the caret, and one is marked.
  EXPECT_EQ(renderText(make("変数 = 値", 6, 7), false), "k.py:7:6: error[F1203]: expected ')'\n"
                                                     "  変数 = 値\n"
                                                     "         ^~\n");
  EXPECT_EQ(displayWidth("e\xCC\x81x"), 2u); // a combining accent takes no column
}

TEST(Render, caretBehindTheLine) {
  EXPECT_EQ(renderText(make("f(a", 4, 4), false), "k.py:7:4: error[F1203]: expected ')'\n"
                                                  "  f(a\n"
                                                  "     ^\n");
}

TEST(Render, stretchBeyondTheLineIsCut) { EXPECT_NE(renderText(make("ab", 2, 90), false).find("\n   ^\n"), std::string::npos); }

TEST(Render, invalidBytesDoNotMoveTheCaret) {
  std::string text = renderText(make("a\xFFz", 3, 4), false);
  EXPECT_NE(text.find("\n  a\xEF\xBF\xBDz\n    ^\n"), std::string::npos) << text;
}

TEST(Render, notesAndHelp) {
  base::Diagnostic d = make("f(a", 1, 2);
  d.notes.push_back({"called from here", {"m.py", 3, 1, 4, "g()"}});
  d.help = "close it";
  EXPECT_EQ(renderText(d, false), "k.py:7:1: error[F1203]: expected ')'\n  f(a\n  ^\nm.py:3:1: note: called from here\n  g()\n  ^~~\nhelp: close it\n");
}

TEST(Render, withoutAPlace) {
  base::Diagnostic d;
  d.severity = base::Severity::Warning;
  d.code = "D1";
  d.message = "m";
  EXPECT_EQ(renderText(d, false), "warning[D1]: m\n");
  d.where.file = "a.npy";
  EXPECT_EQ(renderText(d, false), "a.npy: warning[D1]: m\n");
}

TEST(Render, colourOnlyWhenAsked) {
  EXPECT_EQ(renderText(make("f(a", 1, 2), false).find('\x1b'), std::string::npos);
  EXPECT_NE(renderText(make("f(a", 1, 2), true).find("\x1b[1;31merror[F1203]"), std::string::npos);
}

TEST(Render, jsonHasEverything) {
  base::Diagnostic d = make("f(\xFF\"a", 1, 2);
  d.message = "a \"quoted\" name \xFF";
  d.notes.push_back({"note", {"m.py", 3, 1, 4, "g()"}});
  d.help = "h";
  auto json = nlohmann::json::parse(renderJson(d));
  EXPECT_EQ(json["severity"], "error");
  EXPECT_EQ(json["code"], "F1203");
  EXPECT_EQ(json["line"], 7);
  EXPECT_EQ(json["column"], 1);
  EXPECT_EQ(json["notes"][0]["file"], "m.py");
  EXPECT_EQ(json["help"], "h");
}
} // namespace
