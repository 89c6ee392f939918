// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recursive-descent evaluator; values are computed while parsing. The first fault ends it.
#include "driver/session/grid_expression.h"

#include "sdk/base/nearest_name.h"

#include <cctype>

namespace tegula::driver {

namespace {
class Evaluator {
public:
  Evaluator(const OptionText &option, const std::map<std::string, int64_t> &names, base::DiagnosticSink &sink) : option(option), text(option.text), names(names), sink(sink) {}

  std::optional<std::array<uint32_t, 3>> run() {
    std::array<uint32_t, 3> grid{1, 1, 1};
    bool parenthesised = wholeIsParenthesised(); // "(a, b)" as Python writes a grid
    if (parenthesised)
      eat("(");
    for (size_t i = 0;; ++i) {
      space();
      if (i > 0 && (pos == text.size() || (parenthesised && text[pos] == ')')))
        break; // a trailing comma
      size_t begin = pos;
      int64_t value = sum();
      if (failed)
        return std::nullopt;
      size_t end = pos;
      while (end > begin && text[end - 1] == ' ')
        --end;
      if (i == 3)
        return error("D1301", begin, end, "a grid has at most three dimensions");
      if (value < 1 || value > 2147483647)
        return error("D1304", begin, end, "dimension " + std::to_string(i) + " of the grid is " + std::to_string(value), "every dimension is from 1 to 2147483647; a kernel with nothing to do is not launched");
      grid[i] = static_cast<uint32_t>(value);
      if (!eat(","))
        break;
    }
    if (parenthesised)
      eat(")");
    space();
    if (pos != text.size())
      return error("D1301", pos, text.size(), "'" + std::string(text.substr(pos)) + "' is not expected in a grid");
    return grid;
  }

private:
  const OptionText &option;
  std::string_view text;
  const std::map<std::string, int64_t> &names;
  base::DiagnosticSink &sink;
  size_t pos = 0;
  bool failed = false;
  int depth = 0;

  std::nullopt_t error(const char *code, size_t begin, size_t end, std::string message, std::string help = {}) {
    if (!failed)
      fail(sink, code, std::move(message), option.at(begin, end), std::move(help));
    failed = true;
    pos = text.size();
    return std::nullopt;
  }
  void space() {
    while (pos < text.size() && std::isspace(static_cast<unsigned char>(text[pos])))
      ++pos;
  }
  bool eat(std::string_view token) {
    space();
    if (text.substr(pos, token.size()) != token)
      return false;
    pos += token.size();
    return true;
  }
  /// The text is one parenthesis with a comma at its top level.
  bool wholeIsParenthesised() {
    space();
    if (pos >= text.size() || text[pos] != '(')
      return false;
    int level = 0;
    bool comma = false;
    for (size_t i = pos; i < text.size(); ++i) {
      level += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
      comma |= text[i] == ',' && level == 1;
      if (level == 0)
        return comma && text.find_first_not_of(' ', i + 1) == std::string_view::npos;
    }
    return false;
  }

  int64_t checked(__int128 value, size_t begin) {
    if (value > INT64_MAX || value < INT64_MIN)
      error("D1303", begin, pos, "the number does not fit in 64 bits");
    return static_cast<int64_t>(value);
  }

  int64_t sum() {
    if (++depth > 100)
      error("D1301", 0, text.size(), "the expression is nested too deeply");
    size_t begin = pos;
    int64_t value = product();
    while (!failed) {
      if (eat("+"))
        value = checked(static_cast<__int128>(value) + product(), begin);
      else if (eat("-"))
        value = checked(static_cast<__int128>(value) - product(), begin);
      else
        break;
    }
    --depth;
    return value;
  }

  int64_t product() {
    size_t begin = pos;
    int64_t value = unary();
    while (!failed) {
      space();
      if (text.substr(pos, 2) == "//")
        pos += 2, value = divide(value, unary(), begin, '/');
      else if (eat("*"))
        value = checked(static_cast<__int128>(value) * unary(), begin);
      else if (eat("/")) {
        int64_t by = unary();
        if (!failed && by != 0 && value % by != 0)
          error("D1303", begin, pos, std::to_string(value) + " / " + std::to_string(by) + " is no integer", "use // to round down or cdiv to round up");
        value = divide(value, by, begin, '/');
      } else if (eat("%"))
        value = divide(value, unary(), begin, '%');
      else
        break;
    }
    return value;
  }

  int64_t divide(int64_t a, int64_t b, size_t begin, char what) {
    if (failed)
      return 0;
    if (b == 0)
      return error("D1303", begin, pos, "division by zero"), 0;
    if (b == -1)
      return what == '%' ? 0 : checked(-static_cast<__int128>(a), begin);
    int64_t quotient = a / b, rest = a % b;
    if (rest != 0 && (rest < 0) != (b < 0))
      --quotient, rest += b;
    return what == '%' ? rest : quotient;
  }

  int64_t unary() {
    size_t begin = pos;
    if (++depth > 100)
      return error("D1301", 0, text.size(), "the expression is nested too deeply"), 0;
    int64_t value = eat("-") ? checked(-static_cast<__int128>(unary()), begin) : eat("+") ? unary() : primary();
    --depth;
    return value;
  }

  int64_t primary() {
    space();
    size_t begin = pos;
    if (eat("(")) {
      int64_t value = sum();
      if (!failed && !eat(")"))
        error("D1301", pos, pos + 1, "a closing parenthesis is missing");
      return value;
    }
    if (pos < text.size() && std::isdigit(static_cast<unsigned char>(text[pos]))) {
      __int128 value = 0;
      for (; pos < text.size() && (std::isdigit(static_cast<unsigned char>(text[pos])) || text[pos] == '_'); ++pos)
        if (text[pos] != '_' && value <= INT64_MAX)
          value = value * 10 + (text[pos] - '0');
      return checked(value, begin);
    }
    while (pos < text.size() && (std::isalnum(static_cast<unsigned char>(text[pos])) || text[pos] == '_' || text[pos] == '.'))
      ++pos;
    std::string name(text.substr(begin, pos - begin));
    if (name.empty())
      return error("D1301", pos, std::min(pos + 1, text.size()), pos >= text.size() ? "the grid ends where a number or name is expected" : "'" + std::string(text.substr(pos, 1)) + "' is not expected in a grid"), 0;
    for (std::string_view prefix : {"triton.", "tl."})
      if (name.starts_with(prefix))
        name.erase(0, prefix.size());
    if (eat("("))
      return call(name, begin);
    if (auto it = names.find(name); it != names.end())
      return it->second;
    std::vector<std::string> known;
    std::string listed;
    for (const auto &[n, value] : names) {
      known.push_back(n);
      listed += (listed.empty() ? "'" : ", '") + n + "'";
    }
    std::string nearest = base::nearestName(name, known);
    return error("D1302", begin, pos, "'" + name + "' is no integer argument or constant of the kernel", !nearest.empty() ? "did you mean '" + nearest + "'?" : listed.empty() ? "" : "known here: " + listed), 0;
  }

  int64_t call(const std::string &name, size_t begin) {
    std::vector<int64_t> arguments;
    size_t nameEnd = begin + name.size();
    do {
      arguments.push_back(sum());
    } while (!failed && eat(","));
    if (!failed && !eat(")"))
      error("D1301", pos, pos + 1, "a closing parenthesis is missing");
    if (failed)
      return 0;
    if (name == "cdiv" && arguments.size() == 2) {
      int64_t floor = divide(arguments[0], arguments[1], begin, '/');
      return failed || arguments[0] % arguments[1] == 0 ? floor : floor + 1;
    }
    if (name == "min")
      return *std::min_element(arguments.begin(), arguments.end());
    if (name == "max")
      return *std::max_element(arguments.begin(), arguments.end());
    return error("D1301", begin, nameEnd, name == "cdiv" ? "cdiv takes two numbers" : "'" + name + "' is no function of grids", "grids use cdiv, min and max"), 0;
  }
};
} // namespace

std::optional<std::array<uint32_t, 3>> evaluateGrid(const OptionText &text, const std::map<std::string, int64_t> &names, base::DiagnosticSink &sink) {
  return Evaluator(text, names, sink).run();
}

} // namespace tegula::driver
