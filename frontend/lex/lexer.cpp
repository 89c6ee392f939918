// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules are those of the Python reference, chapter 2, and of PEP 701 for formatted strings.

#include "frontend/lex/lexer.h"

#include "frontend/lex/unicode.h"

#include <cstring>

namespace tegula::frontend {

namespace {

constexpr size_t kMaxNesting = 200; ///< open brackets, as CPython has it
constexpr size_t kMaxIndents = 100;

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isHex(char c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/// An open formatted string; `fields` counts the replacement fields that are open in it.
struct OpenString {
  char quote;
  bool triple, raw;
  /// Bracket depth at each open replacement field, outermost first.
  std::vector<size_t> fields;
  /// Per open field: is its format specification being read?
  std::vector<bool> inSpec;
  uint32_t begin;
};

class Lexer {
public:
  Lexer(const SourceBuffer &source, base::DiagnosticSink &sink) : source(source), sink(sink), text(source.text()) {}

  std::vector<Token> run(bool &hasFailed) {
    indents.push_back({0, 0});
    lineStart();
    while (!finished) {
      if (inMiddle())
        middle();
      else
        token();
    }
    hasFailed = failed;
    return std::move(tokens);
  }

private:
  struct Indent {
    uint32_t column, alternative;
  };

  char peek(size_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }
  bool atEnd() const { return at >= text.size(); }
  bool atNewline() const { return peek() == '\n' || peek() == '\r'; }
  void skipNewline() {
    if (peek() == '\r' && peek(1) == '\n')
      ++at;
    ++at;
  }

  void error(uint32_t begin, uint32_t end, const char *code, std::string message, std::string help = {}) {
    failed = true;
    if (errors++ < 20) // a damaged file would else fill the screen
      sink.report({base::Severity::Error, code, std::move(message), source.range(begin, std::max(begin, end)), {}, std::move(help)});
  }

  void push(TokenKind kind, uint32_t begin, uint32_t end) {
    Token t;
    t.kind = kind;
    t.begin = begin;
    t.end = end;
    t.text = text.substr(begin, end - begin);
    tokens.push_back(t);
  }

  // ---- lines ----

  /// Measures the indentation of the line at `at` and emits Indent and Dedent. Blank lines and comment lines have none.
  void lineStart() {
    while (true) {
      uint32_t begin = static_cast<uint32_t>(at), column = 0, alternative = 0, continued = 0;
      for (;; ++at) {
        char c = peek();
        if (c == ' ') {
          ++column;
          ++alternative;
        } else if (c == '\t') {
          column = (column / 8 + 1) * 8;
          ++alternative;
        } else if (c == '\f') {
          column = alternative = 0;
        } else if (c == '\\' && (peek(1) == '\n' || peek(1) == '\r')) {
          // The first backslash after blanks decides the indentation; with none before it, blanks go on counting.
          if (!continued)
            continued = column;
          auto place = static_cast<uint32_t>(at++);
          skipNewline();
          --at; // the loop steps over it
          if (at + 1 >= text.size())
            error(place, place + 1, "F1111", "unexpected end of the file after a line continuation");
        } else {
          break;
        }
      }
      if (peek() == '#')
        while (!atEnd() && !atNewline())
          ++at;
      if (atEnd()) {
        finish();
        return;
      }
      if (atNewline()) {
        skipNewline();
        continue;
      }
      indentation(begin, continued ? continued : column, continued ? continued : alternative);
      return;
    }
  }

  void indentation(uint32_t begin, uint32_t column, uint32_t alternative) {
    uint32_t here = static_cast<uint32_t>(at);
    const Indent &top = indents.back();
    if (column == top.column) {
      if (alternative != top.alternative)
        error(begin, here, "F1102", "inconsistent use of tabs and spaces in indentation", "indent with spaces alone");
      return;
    }
    if (column > top.column) {
      if (alternative <= top.alternative)
        error(begin, here, "F1102", "inconsistent use of tabs and spaces in indentation", "indent with spaces alone");
      if (indents.size() >= kMaxIndents) {
        error(begin, here, "F1103", "too many levels of indentation");
        return;
      }
      indents.push_back({column, alternative});
      push(TokenKind::Indent, begin, here);
      return;
    }
    while (indents.size() > 1 && column < indents.back().column) {
      indents.pop_back();
      push(TokenKind::Dedent, here, here);
    }
    if (column != indents.back().column)
      error(begin, here, "F1101", "this indentation matches no outer level");
    else if (alternative != indents.back().alternative)
      error(begin, here, "F1102", "inconsistent use of tabs and spaces in indentation", "indent with spaces alone");
  }

  void finish() {
    uint32_t end = static_cast<uint32_t>(text.size());
    if (!brackets.empty())
      reportUnclosed();
    if (!tokens.empty() && !tokens.back().is(TokenKind::Newline) && !tokens.back().is(TokenKind::Dedent))
      push(TokenKind::Newline, end, end);
    while (indents.size() > 1) {
      indents.pop_back();
      push(TokenKind::Dedent, end, end);
    }
    push(TokenKind::End, end, end);
    finished = true;
  }

  // ---- formatted strings ----

  /// Is the next character part of a formatted string's literal text?
  bool inMiddle() const {
    if (strings.empty())
      return false;
    const OpenString &s = strings.back();
    if (s.fields.empty())
      return true;
    return s.inSpec.back();
  }

  void pushMiddle(uint32_t begin, uint32_t end, const OpenString &s) {
    if (begin == end)
      return;
    push(TokenKind::FStringMiddle, begin, end);
    tokens.back().raw = s.raw;
    tokens.back().isFormatSpec = !s.fields.empty();
  }

  void middle() {
    OpenString &s = strings.back();
    bool spec = !s.fields.empty();
    auto begin = static_cast<uint32_t>(at);
    while (true) {
      auto here = static_cast<uint32_t>(at);
      char c = peek();
      bool closes = c == s.quote && (!s.triple || (peek(1) == s.quote && peek(2) == s.quote));
      if (atEnd() || (!s.triple && atNewline())) {
        if (spec && !atEnd()) { // a specification ends where its line does; the parser then misses the brace
          pushMiddle(begin, here, s);
          s.inSpec.back() = false;
          return;
        }
        error(s.begin, s.begin + 1, "F1105", "this formatted string has no end");
        pushMiddle(begin, here, s);
        closeBrokenString();
        return;
      }
      if (closes && !spec) {
        pushMiddle(begin, here, s);
        at += s.triple ? 3 : 1;
        push(TokenKind::FStringEnd, here, static_cast<uint32_t>(at));
        strings.pop_back();
        return;
      }
      if (closes && spec && !s.triple) { // unclosed field: let the parser say so
        pushMiddle(begin, here, s);
        error(s.begin, here, "F1106", "expected '}' before the end of this formatted string");
        closeBrokenString();
        return;
      }
      if (c == '{') {
        if (peek(1) == '{' && !spec) {
          pushMiddle(begin, here + 1, s);
          tokens.back().end = here + 2; // both braces belong to the token
          at += 2;
          begin = static_cast<uint32_t>(at);
          continue;
        }
        pushMiddle(begin, here, s);
        open('{', here);
        push(TokenKind::Operator, here, here + 1);
        ++at;
        s.fields.push_back(brackets.size());
        s.inSpec.push_back(false);
        return;
      }
      if (c == '}') {
        if (peek(1) == '}' && !spec) {
          pushMiddle(begin, here + 1, s);
          tokens.back().end = here + 2; // both braces belong to the token
          at += 2;
          begin = static_cast<uint32_t>(at);
          continue;
        }
        pushMiddle(begin, here, s);
        if (!spec) {
          error(here, here + 1, "F1107", "a single '}' is not allowed in a formatted string", "write '}}' for a brace");
          ++at;
          begin = static_cast<uint32_t>(at);
          continue;
        }
        closeField(here);
        return;
      }
      if (c == '\\') {
        ++at;
        if (peek() == '{' || peek() == '}')
          continue; // the backslash stands for itself
        if (!s.raw && peek() == 'N' && peek(1) == '{') {
          while (!atEnd() && peek() != '}' && !atNewline() && peek() != s.quote)
            ++at;
          if (peek() == '}')
            ++at;
          continue;
        }
        if (peek() == '\r' && peek(1) == '\n')
          ++at;
        if (!atEnd())
          ++at;
        continue;
      }
      ++at;
    }
  }

  void closeField(uint32_t here) {
    OpenString &s = strings.back();
    push(TokenKind::Operator, here, here + 1);
    at = here + 1;
    s.fields.pop_back();
    s.inSpec.pop_back();
    if (!brackets.empty())
      brackets.pop_back();
  }

  /// After an unfinished formatted string: forget it and what it opened.
  void closeBrokenString() {
    OpenString &s = strings.back();
    if (!s.fields.empty())
      brackets.resize(std::min(brackets.size(), s.fields.front() - 1));
    auto here = static_cast<uint32_t>(at);
    push(TokenKind::FStringEnd, here, here);
    strings.pop_back();
  }

  // ---- tokens ----

  void open(char bracket, uint32_t place) {
    if (brackets.size() >= kMaxNesting) {
      if (brackets.size() == kMaxNesting)
        error(place, place + 1, "F1108", "too many nested parentheses");
    }
    brackets.emplace_back(bracket, place);
  }

  void reportUnclosed() {
    uint32_t place = brackets.back().second;
    error(place, place + 1, "F1104", std::string("'") + brackets.back().first + "' was never closed");
  }

  /// Does the line at `at` begin with a word that can stand in no brackets? Then they were left open.
  bool statementBegins() const {
    size_t begin = std::min(text.find_first_not_of(" \t\f", at), text.size()), end = begin;
    while (end < text.size() && (isIdentifierStart(text[end]) || isDigit(text[end])))
      ++end;
    return isStatementWord(text.substr(begin, end - begin));
  }

  void close(char bracket, uint32_t place) {
    if (brackets.empty()) {
      error(place, place + 1, "F1109", std::string("unmatched '") + bracket + "'");
      return;
    }
    char wanted = brackets.back().first == '(' ? ')' : brackets.back().first == '[' ? ']' : '}';
    if (bracket != wanted)
      error(place, place + 1, "F1110", std::string("'") + bracket + "' does not close '" + brackets.back().first + "'");
    brackets.pop_back();
  }

  void token() {
    char c = peek();
    if (c == ' ' || c == '\t' || c == '\f') {
      ++at;
      return;
    }
    auto begin = static_cast<uint32_t>(at);
    if (c == '#') {
      while (!atEnd() && !atNewline())
        ++at;
      return;
    }
    if (atEnd()) {
      finish();
      return;
    }
    if (atNewline()) {
      skipNewline();
      if (!brackets.empty()) {
        if (strings.empty() && statementBegins()) {
          reportUnclosed();
          brackets.clear();
          push(TokenKind::Newline, begin, begin);
          lineStart();
        }
        return;
      }
      if (!strings.empty()) {
        error(strings.back().begin, strings.back().begin + 1, "F1105", "this formatted string has no end");
        closeBrokenString();
        return;
      }
      push(TokenKind::Newline, begin, begin);
      lineStart();
      return;
    }
    if (c == '\\') {
      if (peek(1) == '\n' || peek(1) == '\r') {
        ++at;
        skipNewline();
        if (atEnd())
          error(begin, begin + 1, "F1111", "unexpected end of the file after a line continuation");
        return;
      }
      error(begin, begin + 1, "F1112", "unexpected character after a line continuation");
      ++at;
      return;
    }
    if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
      number();
      return;
    }
    if (c == '"' || c == '\'' || stringPrefix()) {
      string();
      return;
    }
    if (isIdentifierStart(c)) {
      name();
      return;
    }
    operatorToken();
  }

  bool isIdentifierStart(char c) const {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
  }

  /// Length of a string prefix at `at` that quotes follow; 0 for none.
  size_t stringPrefix() const {
    size_t n = 0;
    bool bytes = false, raw = false, unicode = false, formatted = false;
    for (; n < 3; ++n) {
      char c = peek(n);
      if ((c == 'b' || c == 'B') && !bytes && !unicode && !formatted)
        bytes = true;
      else if ((c == 'r' || c == 'R') && !raw && !unicode)
        raw = true;
      else if ((c == 'u' || c == 'U') && n == 0)
        unicode = true;
      else if ((c == 'f' || c == 'F') && !formatted && !bytes && !unicode)
        formatted = true;
      else
        return n && (c == '"' || c == '\'') ? n : 0;
    }
    return 0;
  }

  void name() {
    auto begin = static_cast<uint32_t>(at);
    bool bad = false;
    while (!atEnd()) {
      auto c = static_cast<unsigned char>(peek());
      if (c < 0x80) {
        if (!isIdentifierStart(peek()) && !isDigit(peek()))
          break;
        ++at;
        continue;
      }
      size_t length = 0;
      uint32_t code = decodeUtf8(text.substr(at), length);
      bool fits = at == begin ? isXidStart(code) : isXidContinue(code);
      if (!fits) {
        if (at == begin || !bad)
          error(static_cast<uint32_t>(at), static_cast<uint32_t>(at + length), "F1113", "invalid character " + codePointName(code));
        bad = true;
      }
      at += length;
    }
    push(TokenKind::Name, begin, static_cast<uint32_t>(at));
  }

  void digits(bool (*accepts)(char)) {
    while (true) {
      if (!accepts(peek())) {
        error(static_cast<uint32_t>(at), static_cast<uint32_t>(at + 1), "F1114", "invalid number");
        return;
      }
      while (accepts(peek()))
        ++at;
      if (peek() != '_')
        return;
      ++at;
    }
  }

  void number() {
    auto begin = static_cast<uint32_t>(at);
    bool integer = true, zeroLed = false;
    if (peek() == '0' && std::strchr("xXoObB", peek(1)) && peek(1)) {
      char base = static_cast<char>(peek(1) | 0x20);
      at += 2;
      if (peek() == '_')
        ++at;
      digits(base == 'x' ? isHex : base == 'o' ? +[](char c) { return c >= '0' && c <= '7'; } : +[](char c) { return c == '0' || c == '1'; });
      if (isDigit(peek()))
        error(static_cast<uint32_t>(at), static_cast<uint32_t>(at + 1), "F1114", "invalid digit in this number");
    } else {
      if (peek() != '.') {
        digits(isDigit);
        std::string_view body = text.substr(begin, at - begin);
        zeroLed = body[0] == '0' && body.find_first_not_of("0_") != std::string_view::npos;
      }
      if (peek() == '.') {
        integer = false;
        ++at;
        if (isDigit(peek()))
          digits(isDigit);
      }
      if ((peek() | 0x20) == 'e' && (isDigit(peek(1)) || ((peek(1) == '+' || peek(1) == '-') && isDigit(peek(2))))) {
        integer = false;
        at += isDigit(peek(1)) ? 1 : 2;
        digits(isDigit);
      }
      if ((peek() | 0x20) == 'j') {
        integer = false;
        ++at;
      }
      if (integer && zeroLed)
        error(begin, static_cast<uint32_t>(at), "F1115", "leading zeros in a decimal integer", "write 0o for octal");
    }
    if (isIdentifierStart(peek()) && !keywordFollows())
      error(begin, static_cast<uint32_t>(at + 1), "F1114", "invalid number");
    push(TokenKind::Number, begin, static_cast<uint32_t>(at));
  }

  /// `1if x else y` is accepted: a number may be followed by a keyword at once.
  bool keywordFollows() const {
    for (std::string_view word : {"and", "else", "for", "if", "in", "is", "not", "or"})
      if (text.substr(at, word.size()) == word)
        return true;
    return false;
  }

  void string() {
    auto begin = static_cast<uint32_t>(at);
    size_t prefix = stringPrefix();
    std::string_view letters = text.substr(at, prefix);
    bool formatted = letters.find_first_of("fF") != std::string_view::npos, raw = letters.find_first_of("rR") != std::string_view::npos;
    at += prefix;
    char quote = peek();
    bool triple = peek(1) == quote && peek(2) == quote;
    at += triple ? 3 : 1;
    if (formatted) {
      push(TokenKind::FStringStart, begin, static_cast<uint32_t>(at));
      if (strings.size() >= 150) {
        error(begin, begin + 1, "F1108", "formatted strings nest too deeply");
        at = text.size();
        strings.clear();
        return;
      }
      strings.push_back({quote, triple, raw, {}, {}, begin});
      return;
    }
    while (true) {
      if (atEnd() || (!triple && atNewline())) {
        error(begin, begin + 1, "F1105", "this string has no end");
        break;
      }
      char c = peek();
      if (c == quote && (!triple || (peek(1) == quote && peek(2) == quote))) {
        at += triple ? 3 : 1;
        break;
      }
      if (c == '\\') {
        ++at;
        if (peek() == '\r' && peek(1) == '\n')
          ++at;
      }
      if (!atEnd())
        ++at;
    }
    push(TokenKind::String, begin, static_cast<uint32_t>(at));
  }

  void operatorToken() {
    static constexpr std::string_view kOperators[] = {
        "**=", "//=", ">>=", "<<=", "...", "!=", "->", ":=", "**", "//", ">>", "<<", "<=", ">=", "==", "+=", "-=", "*=", "/=", "%=", "@=", "&=", "|=",
        "^=", "+", "-", "*", "/", "%", "@", "&", "|", "^", "~", "<", ">", "(", ")", "[", "]", "{", "}", ",", ":", ".", ";", "=", "!"};
    auto begin = static_cast<uint32_t>(at);
    bool atFieldLevel = !strings.empty() && !strings.back().fields.empty() && brackets.size() == strings.back().fields.back();
    if (atFieldLevel) {
      OpenString &s = strings.back();
      char c = peek();
      if (c == '}') {
        closeField(begin);
        return;
      }
      if (c == ':') { // the format specification begins; `:=` needs parentheses here
        push(TokenKind::Operator, begin, begin + 1);
        ++at;
        s.inSpec.back() = true;
        return;
      }
      if (c == '!' && peek(1) != '=') {
        push(TokenKind::Operator, begin, begin + 1);
        ++at;
        return;
      }
    }
    for (std::string_view op : kOperators) {
      if (text.substr(at, op.size()) != op)
        continue;
      if (op == "!" && !atFieldLevel)
        break;
      at += op.size();
      if (op == "(" || op == "[" || op == "{")
        open(op[0], begin);
      else if (op == ")" || op == "]" || op == "}")
        close(op[0], begin);
      push(TokenKind::Operator, begin, static_cast<uint32_t>(at));
      return;
    }
    error(begin, begin + 1, "F1113", std::string("invalid character '") + (peek() >= ' ' && peek() < 0x7f ? std::string(1, peek()) : codePointName(static_cast<unsigned char>(peek()))) + "'");
    ++at;
  }

  const SourceBuffer &source;
  base::DiagnosticSink &sink;
  std::string_view text;
  size_t at = 0;
  std::vector<Token> tokens;
  std::vector<Indent> indents;
  std::vector<std::pair<char, uint32_t>> brackets; ///< open brackets with their places
  std::vector<OpenString> strings;
  bool finished = false, failed = false;
  unsigned errors = 0;
};

} // namespace

std::vector<Token> lex(const SourceBuffer &source, base::DiagnosticSink &sink, bool &failed) { return Lexer(source, sink).run(failed); }

} // namespace tegula::frontend
