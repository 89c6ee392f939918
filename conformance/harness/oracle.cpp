// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses and runs oracle expressions in one pass; the harness is a program, so its errors are exceptions that end here.

#include "conformance/harness/oracle.h"

#include <cctype>
#include <cmath>
#include <cstdlib>

namespace tegula::conformance {

int64_t OracleArgs::keyword(std::string_view name, int64_t otherwise) const {
  auto it = keywords.find(name);
  return it == keywords.end() ? otherwise : static_cast<int64_t>(it->second.integer(0));
}

std::vector<int64_t> broadcastShapes(const std::vector<int64_t> &a, const std::vector<int64_t> &b) {
  std::vector<int64_t> shape(std::max(a.size(), b.size()), 1);
  for (size_t i = 0; i < shape.size(); ++i) {
    int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1, y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1)
      throw OracleError{"shapes do not broadcast"};
    shape[shape.size() - 1 - i] = x == 1 ? y : x;
  }
  return shape;
}

namespace {

/// For each element of `shape` the index of the element of `from` that it comes from.
std::vector<size_t> broadcastIndex(const std::vector<int64_t> &from, const std::vector<int64_t> &shape) {
  std::vector<size_t> strides(shape.size(), 0);
  size_t stride = 1;
  for (size_t i = 0; i < from.size(); ++i) {
    size_t dim = shape.size() - 1 - i, source = from.size() - 1 - i;
    strides[dim] = from[source] == 1 ? 0 : stride;
    stride *= static_cast<size_t>(from[source]);
  }
  std::vector<size_t> index(static_cast<size_t>(elementCount(shape)));
  std::vector<int64_t> at(shape.size(), 0);
  size_t offset = 0;
  for (size_t &slot : index) {
    slot = offset;
    for (size_t d = shape.size(); d-- > 0;) {
      offset += strides[d];
      if (++at[d] < shape[d])
        break;
      offset -= strides[d] * static_cast<size_t>(shape[d]);
      at[d] = 0;
    }
  }
  return index;
}

} // namespace

Array broadcastTo(const Array &array, const std::vector<int64_t> &shape) {
  if (array.shape == shape)
    return array;
  if (broadcastShapes(array.shape, shape) != shape)
    throw OracleError{"cannot broadcast to a smaller shape"};
  std::vector<size_t> index = broadcastIndex(array.shape, shape);
  Array result;
  result.shape = shape;
  result.isReal = array.isReal;
  for (size_t i : index) {
    if (array.isReal)
      result.reals.push_back(array.reals[i]);
    else
      result.integers.push_back(array.integers[i]);
  }
  return result;
}

Array zip(const Array &a, const Array &b, Integer (*onIntegers)(Integer, Integer), Real (*onReals)(Real, Real)) {
  std::vector<int64_t> shape = broadcastShapes(a.shape, b.shape);
  std::vector<size_t> left = broadcastIndex(a.shape, shape), right = broadcastIndex(b.shape, shape);
  bool exact = !a.isReal && !b.isReal && onIntegers;
  if (!exact && !onReals)
    throw OracleError{"this operation takes integers"};
  Array result = exact ? Array::integersOf(shape) : Array::realsOf(shape);
  for (size_t i = 0; i < left.size(); ++i) {
    if (exact)
      result.integers[i] = onIntegers(a.integers[left[i]], b.integers[right[i]]);
    else
      result.reals[i] = onReals(a.real(left[i]), b.real(right[i]));
  }
  return result;
}

Array matrixProduct(const Array &a, const Array &b) {
  if (a.shape.size() < 2 || b.shape.size() < 2)
    throw OracleError{"@ takes arrays of rank 2 or more"};
  int64_t m = a.shape[a.shape.size() - 2], k = a.shape.back(), n = b.shape.back();
  if (b.shape[b.shape.size() - 2] != k)
    throw OracleError{"@: inner sizes differ"};
  std::vector<int64_t> batch = broadcastShapes({a.shape.begin(), a.shape.end() - 2}, {b.shape.begin(), b.shape.end() - 2});
  auto full = [&](int64_t r, int64_t c) {
    std::vector<int64_t> s = batch;
    s.push_back(r);
    s.push_back(c);
    return s;
  };
  Array x = broadcastTo(a, full(m, k)), y = broadcastTo(b, full(k, n));
  bool exact = !x.isReal && !y.isReal;
  Array result = exact ? Array::integersOf(full(m, n)) : Array::realsOf(full(m, n));
  for (int64_t p = 0, count = elementCount(batch); p < count; ++p)
    for (int64_t i = 0; i < m; ++i)
      for (int64_t l = 0; l < k; ++l) {
        size_t from = static_cast<size_t>((p * m + i) * k + l);
        for (int64_t j = 0; j < n; ++j) {
          size_t at = static_cast<size_t>((p * k + l) * n + j), to = static_cast<size_t>((p * m + i) * n + j);
          if (exact)
            result.integers[to] += x.integers[from] * y.integers[at];
          else
            result.reals[to] += x.real(from) * y.real(at);
        }
      }
  return result;
}

namespace {

// Modulo 2^128, so that what `wrap` cuts off may overflow.
using Unsigned = unsigned __int128;
Integer add(Integer a, Integer b) { return Integer(Unsigned(a) + Unsigned(b)); }
Integer subtract(Integer a, Integer b) { return Integer(Unsigned(a) - Unsigned(b)); }
Integer multiply(Integer a, Integer b) { return Integer(Unsigned(a) * Unsigned(b)); }
Integer shiftLeft(Integer a, Integer b) { return b >= 127 ? 0 : Integer(Unsigned(a) << b); }
Integer shiftRight(Integer a, Integer b) { return b >= 127 ? (a < 0 ? -1 : 0) : a >> b; }
Integer powInteger(Integer a, Integer b) {
  Integer r = 1;
  while (b-- > 0)
    r = multiply(r, a);
  return r;
}

Array binary(std::string_view op, const Array &a, const Array &b) {
  using I = Integer;
  using R = Real;
  if (op == "+")
    return zip(a, b, add, [](R x, R y) { return x + y; });
  if (op == "-")
    return zip(a, b, subtract, [](R x, R y) { return x - y; });
  if (op == "*")
    return zip(a, b, multiply, [](R x, R y) { return x * y; });
  if (op == "/")
    return zip(a, b, nullptr, [](R x, R y) { return x / y; });
  if (op == "//")
    return zip(a, b, [](I x, I y) { return y ? x / y : I(0); }, [](R x, R y) { return std::floor(x / y); });
  if (op == "%")
    return zip(a, b, [](I x, I y) { return y ? x % y : I(0); }, [](R x, R y) { return std::fmod(x, y); });
  if (op == "**")
    return zip(a, b, powInteger, [](R x, R y) { return std::pow(x, y); });
  if (op == "@")
    return matrixProduct(a, b);
  if (op == "&")
    return zip(a, b, [](I x, I y) { return x & y; }, nullptr);
  if (op == "|")
    return zip(a, b, [](I x, I y) { return x | y; }, nullptr);
  if (op == "^")
    return zip(a, b, [](I x, I y) { return x ^ y; }, nullptr);
  if (op == "<<")
    return zip(a, b, shiftLeft, nullptr);
  if (op == ">>")
    return zip(a, b, shiftRight, nullptr);
  auto test = [&](bool (*f)(R, R), bool (*g)(I, I)) {
    Array r;
    r.shape = broadcastShapes(a.shape, b.shape);
    Array x = broadcastTo(a, r.shape), y = broadcastTo(b, r.shape);
    for (size_t i = 0; i < x.size(); ++i)
      r.integers.push_back(x.isReal || y.isReal ? f(x.real(i), y.real(i)) : g(x.integers[i], y.integers[i]));
    return r;
  };
  if (op == "==")
    return test([](R x, R y) { return x == y; }, [](I x, I y) { return x == y; });
  if (op == "!=")
    return test([](R x, R y) { return x != y; }, [](I x, I y) { return x != y; });
  if (op == "<")
    return test([](R x, R y) { return x < y; }, [](I x, I y) { return x < y; });
  if (op == "<=")
    return test([](R x, R y) { return x <= y; }, [](I x, I y) { return x <= y; });
  if (op == ">")
    return test([](R x, R y) { return x > y; }, [](I x, I y) { return x > y; });
  if (op == ">=")
    return test([](R x, R y) { return x >= y; }, [](I x, I y) { return x >= y; });
  throw OracleError{"unknown operator " + std::string(op)};
}

struct Slice {
  bool newAxis = false, single = false;
  std::optional<int64_t> begin, end, step;
};

Array slice(const Array &array, const std::vector<Slice> &slices) {
  struct Dim {
    int64_t begin, step, count, stride;
    bool keep;
  };
  std::vector<Dim> dims;
  size_t axis = 0;
  std::vector<int64_t> strides(array.shape.size(), 1);
  for (size_t d = array.shape.size(); d-- > 1;)
    strides[d - 1] = strides[d] * array.shape[d];
  for (const Slice &s : slices) {
    if (s.newAxis) {
      dims.push_back({0, 1, 1, 0, true});
      continue;
    }
    if (axis >= array.shape.size())
      throw OracleError{"too many indices"};
    int64_t n = array.shape[axis], stride = strides[axis];
    ++axis;
    auto at = [&](int64_t i) { return i < 0 ? i + n : i; };
    if (s.single) {
      int64_t i = at(*s.begin);
      if (i < 0 || i >= n)
        throw OracleError{"index out of range"};
      dims.push_back({i, 1, 1, stride, false});
      continue;
    }
    int64_t step = s.step.value_or(1);
    if (step == 0)
      throw OracleError{"slice step is zero"};
    int64_t begin = s.begin ? at(*s.begin) : step > 0 ? 0 : n - 1, end = s.end ? at(*s.end) : step > 0 ? n : -1;
    begin = std::min(std::max<int64_t>(begin, step > 0 ? 0 : -1), step > 0 ? n : n - 1);
    end = std::min(std::max<int64_t>(end, step > 0 ? 0 : -1), n);
    int64_t count = step > 0 ? (end - begin + step - 1) / step : (begin - end - step - 1) / -step;
    dims.push_back({begin, step, std::max<int64_t>(count, 0), stride, true});
  }
  for (; axis < array.shape.size(); ++axis)
    dims.push_back({0, 1, array.shape[axis], strides[axis], true});
  Array result;
  result.isReal = array.isReal;
  int64_t total = 1;
  for (const Dim &d : dims) {
    total *= d.count;
    if (d.keep)
      result.shape.push_back(d.count);
  }
  for (int64_t i = 0; i < total; ++i) {
    int64_t left = i, offset = 0;
    for (size_t d = dims.size(); d-- > 0;) {
      offset += (dims[d].begin + left % dims[d].count * dims[d].step) * dims[d].stride;
      left /= dims[d].count;
    }
    if (array.isReal)
      result.reals.push_back(array.reals[static_cast<size_t>(offset)]);
    else
      result.integers.push_back(array.integers[static_cast<size_t>(offset)]);
  }
  return result;
}

/// Recursive descent over one expression.
class Parser {
public:
  Parser(std::string_view text, const Names &names) : text(text), names(names) {}

  Array run() {
    Array value = comparison();
    skip();
    if (at != text.size())
      throw OracleError{"unexpected '" + std::string(text.substr(at, 12)) + "'"};
    return value;
  }

private:
  void skip() {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])))
      ++at;
  }
  bool accept(std::string_view token) {
    skip();
    if (text.substr(at, token.size()) != token)
      return false;
    at += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!accept(token))
      throw OracleError{"expected '" + std::string(token) + "' at '" + std::string(text.substr(at, 12)) + "'"};
  }
  /// The longest of `ops` that stands here and is not the beginning of a longer operator.
  std::string_view operatorOf(std::initializer_list<std::string_view> ops) {
    skip();
    static constexpr std::string_view kAll[] = {"**", "//", "<<", ">>", "<=", ">=", "==", "!=", "+", "-",
                                                "*",  "/",  "%",  "@",  "&",  "|",  "^",  "<",  ">"};
    for (std::string_view op : kAll)
      if (text.substr(at, op.size()) == op) {
        for (std::string_view wanted : ops)
          if (wanted == op) {
            at += op.size();
            return op;
          }
        return {};
      }
    return {};
  }

  Array level(Array (Parser::*next)(), std::initializer_list<std::string_view> ops) {
    Array value = (this->*next)();
    for (std::string_view op; !(op = operatorOf(ops)).empty();)
      value = binary(op, value, (this->*next)());
    return value;
  }
  Array comparison() { return level(&Parser::bitOr, {"==", "!=", "<=", ">=", "<", ">"}); }
  Array bitOr() { return level(&Parser::bitXor, {"|"}); }
  Array bitXor() { return level(&Parser::bitAnd, {"^"}); }
  Array bitAnd() { return level(&Parser::shift, {"&"}); }
  Array shift() { return level(&Parser::sum, {"<<", ">>"}); }
  Array sum() { return level(&Parser::product, {"+", "-"}); }
  Array product() { return level(&Parser::unary, {"*", "//", "/", "%", "@"}); }
  Array unary() {
    if (accept("-"))
      return binary("*", Array::ofInteger(-1), unary());
    if (accept("~"))
      return binary("^", unary(), Array::ofInteger(-1));
    Array base = postfix();
    if (!operatorOf({"**"}).empty())
      return binary("**", base, unary());
    return base;
  }
  Array postfix() {
    Array value = atom();
    while (accept("["))
      value = slice(value, slices());
    return value;
  }
  std::optional<int64_t> sliceBound() {
    skip();
    if (at < text.size() && (text[at] == ':' || text[at] == ',' || text[at] == ']'))
      return std::nullopt;
    return static_cast<int64_t>(bitOr().integer(0));
  }
  std::vector<Slice> slices() {
    std::vector<Slice> result;
    do {
      Slice s;
      if (accept("None")) {
        s.newAxis = true;
      } else {
        s.begin = sliceBound();
        if (accept(":")) {
          s.end = sliceBound();
          if (accept(":"))
            s.step = sliceBound();
        } else {
          s.single = true;
        }
      }
      result.push_back(s);
    } while (accept(","));
    expect("]");
    return result;
  }
  Array number() {
    const char *begin = text.data() + at;
    std::string digits;
    size_t end = at;
    bool real = false;
    if (text.substr(at, 2) == "0x") {
      end = at + 2;
      Integer value = 0;
      for (; end < text.size() && std::isxdigit(static_cast<unsigned char>(text[end])); ++end)
        value = value * 16 + (std::isdigit(static_cast<unsigned char>(text[end])) ? text[end] - '0' : std::tolower(text[end]) - 'a' + 10);
      at = end;
      return Array::ofInteger(value);
    }
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '.' ||
                                 ((text[end] == '-' || text[end] == '+') && end > at && (text[end - 1] == 'e' || text[end - 1] == 'E')))) {
      real |= text[end] == '.' || text[end] == 'e' || text[end] == 'E';
      ++end;
    }
    digits.assign(begin, end - at);
    at = end;
    if (real)
      return Array::ofReal(std::strtold(digits.c_str(), nullptr));
    Integer value = 0;
    for (char c : digits)
      value = value * 10 + (c - '0');
    return Array::ofInteger(value);
  }
  Array atom() {
    if (accept("(")) {
      Array value = comparison();
      expect(")");
      return value;
    }
    skip();
    if (at >= text.size())
      throw OracleError{"expression ends too early"};
    if (std::isdigit(static_cast<unsigned char>(text[at])))
      return number();
    std::string name = identifier();
    if (!accept("(")) {
      if (name == "inf")
        return Array::ofReal(INFINITY);
      if (name == "nan")
        return Array::ofReal(NAN);
      if (name == "pi")
        return Array::ofReal(3.14159265358979323846264338327950288L);
      auto it = names.find(name);
      if (it == names.end())
        throw OracleError{"unknown name '" + name + "'"};
      return it->second;
    }
    OracleFunction function = findOracleFunction(name);
    if (!function)
      throw OracleError{"unknown function '" + name + "'"};
    OracleArgs args;
    if (!accept(")")) {
      do {
        skip();
        if (accept("'")) {
          size_t end = text.find('\'', at);
          if (end == std::string_view::npos)
            throw OracleError{"string without end"};
          args.texts.emplace_back(text.substr(at, end - at));
          at = end + 1;
          continue;
        }
        size_t before = at;
        if (std::isalpha(static_cast<unsigned char>(text[at]))) {
          std::string keyword = identifier();
          skip();
          if (at + 1 < text.size() && text[at] == '=' && text[at + 1] != '=') {
            ++at;
            args.keywords.insert_or_assign(keyword, comparison());
            continue;
          }
          at = before;
        }
        args.arrays.push_back(comparison());
      } while (accept(","));
      expect(")");
    }
    return function(args);
  }
  std::string identifier() {
    skip();
    size_t end = at;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
      ++end;
    if (end == at)
      throw OracleError{"expected a name at '" + std::string(text.substr(at, 12)) + "'"};
    std::string name(text.substr(at, end - at));
    at = end;
    return name;
  }

  std::string_view text;
  const Names &names;
  size_t at = 0;
};

} // namespace

std::optional<Array> evaluateOracle(std::string_view expression, const Names &names, std::string &error) {
  try {
    return Parser(expression, names).run();
  } catch (const OracleError &e) {
    error = e.message + " in '" + std::string(expression) + "'";
    return std::nullopt;
  }
}

bool runOracle(const std::vector<std::string> &lines, Names &names, std::string &error) {
  for (const std::string &line : lines) {
    size_t equals = line.find('=');
    if (equals == std::string::npos) {
      error = "expected 'name = expression', found '" + line + "'";
      return false;
    }
    std::string name = line.substr(0, equals);
    name.erase(name.find_last_not_of(' ') + 1);
    auto value = evaluateOracle(std::string_view(line).substr(equals + 1), names, error);
    if (!value)
      return false;
    names.insert_or_assign(name, std::move(*value));
  }
  return true;
}

} // namespace tegula::conformance
