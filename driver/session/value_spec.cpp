// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsing is by prefix: '@', 'zeros:', 'full:', 'rand:', 'empty:', 'same:', else a scalar. Options (',offset=N') are cut off from the right
// first, because a file's name may hold commas and colons.
#include "driver/session/value_spec.h"

#include "driver/session/random.h"

#include <charconv>
#include <cctype>
#include <cmath>
#include <cstring>
#include <limits>

namespace tegula::driver {

namespace {
std::string lower(std::string_view text) {
  std::string out(text);
  for (char &c : out)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

template <typename T> std::optional<T> number(std::string_view text) {
  T value{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(value) : std::nullopt;
}

class Parser {
public:
  Parser(const OptionText &option, base::DiagnosticSink &sink) : option(option), text(option.text), sink(sink) {}

  std::optional<ValueSpec> run() {
    if (text.empty())
      return error("D1101", 0, 0, "no value is given", "a value is @FILE.npy, zeros:f32[N], rand:f32[N],seed=S, empty:f32[N], full:f32[N],value=V, same:NAME, a number, true, false or none");
    if (text[0] == '@')
      return file();
    for (auto [prefix, kind] : {std::pair{"zeros:", ValueSpec::Kind::Zeros}, {"full:", ValueSpec::Kind::Full}, {"rand:", ValueSpec::Kind::Random}, {"empty:", ValueSpec::Kind::Empty}})
      if (text.starts_with(prefix)) {
        spec.kind = kind;
        return made(std::string_view(prefix).size());
      }
    if (text.starts_with("same:"))
      return same();
    return scalar();
  }

private:
  const OptionText &option;
  std::string_view text;
  base::DiagnosticSink &sink;
  ValueSpec spec;

  std::nullopt_t error(const char *code, size_t begin, size_t end, std::string message, std::string help = {}) {
    return fail(sink, code, std::move(message), option.at(begin, end), std::move(help));
  }

  const ElementType *type(size_t begin, size_t end) {
    std::string_view name = text.substr(begin, end - begin);
    const ElementType *found = findElementType(name);
    if (!found) {
      std::string nearest = nearestElementType(name);
      error("D1102", begin, end, "'" + std::string(name) + "' is no dtype", nearest.empty() ? "dtypes are i1, i8 to i64, u8 to u64, f16, bf16, f32, f64, f8e4nv, f8e5, f8e4b8, f8e5b16" : "did you mean '" + nearest + "'?");
    }
    return found;
  }

  /// Cuts ",offset=N" off the end of `stop`; false after an error.
  bool offset(size_t begin, size_t &stop) {
    size_t at = text.substr(0, stop).rfind(",offset=");
    if (at == std::string_view::npos || at < begin)
      return true;
    return setOption(at + 1, stop) && (stop = at, true);
  }

  /// One "key=value" in [begin, end).
  bool setOption(size_t begin, size_t end) {
    std::string_view item = text.substr(begin, end - begin);
    size_t equals = item.find('=');
    std::string_view key = item.substr(0, equals), value = equals == std::string_view::npos ? std::string_view() : item.substr(equals + 1);
    auto wrong = [&](const std::string &why) { return error("D1101", begin, end, why), false; };
    if (key == "offset") {
      auto n = number<int64_t>(value);
      return n && *n >= 0 ? (spec.offset = *n, true) : wrong("an offset is a number of elements, not '" + std::string(value) + "'");
    }
    if (key == "seed" && spec.kind == ValueSpec::Kind::Random) {
      auto n = number<uint64_t>(value);
      return n ? (spec.seed = *n, true) : wrong("a seed is a non-negative integer, not '" + std::string(value) + "'");
    }
    if (key == "value" && spec.kind == ValueSpec::Kind::Full) {
      auto n = parseScalar(value);
      if (!n)
        return wrong("'" + std::string(value) + "' is no number");
      spec.scalar = *n;
      return fits(end - value.size(), end);
    }
    return wrong("unknown option '" + std::string(key) + "'");
  }

  std::optional<ValueSpec> file() {
    spec.kind = ValueSpec::Kind::File;
    size_t stop = text.size();
    if (!offset(1, stop))
      return std::nullopt;
    size_t colon = text.substr(0, stop).rfind(':');
    // A colon with no '/' or '.' after it starts a dtype, whether we know it or not.
    if (colon != std::string_view::npos && text.substr(colon + 1, stop - colon - 1).find_first_of("/.") == std::string_view::npos) {
      spec.type = type(colon + 1, stop);
      if (!spec.type)
        return std::nullopt;
      stop = colon;
    }
    spec.path = text.substr(1, stop - 1);
    if (spec.path.empty())
      return error("D1101", 0, 1, "'@' is followed by the name of a .npy file");
    return spec;
  }

  std::optional<ValueSpec> made(size_t begin) {
    size_t bracket = text.find('[', begin), close = text.find(']', begin);
    if (bracket == std::string_view::npos || close == std::string_view::npos || close < bracket)
      return error("D1103", begin, text.size(), "a dtype and a shape are expected here", "as in " + std::string(text.substr(0, begin)) + "f32[1024]");
    spec.type = type(begin, bracket);
    if (!spec.type)
      return std::nullopt;
    for (size_t at = bracket + 1; at < close;) {
      size_t end = std::min(text.find(',', at), close);
      std::string_view item = text.substr(at, end - at);
      while (!item.empty() && item[0] == ' ')
        item.remove_prefix(1);
      auto size = number<int64_t>(item);
      if (!size || *size < 0)
        return error("D1103", at, end, "'" + std::string(item) + "' is no size of a dimension");
      spec.shape.push_back(*size);
      at = end + 1;
    }
    auto count = elementCount(spec.shape);
    if (!count || *count * spec.type->bytes > uint64_t(1) << 40)
      return error("D1103", bracket, close + 1, "the shape has more elements than fit in memory");
    for (size_t at = close + 1; at < text.size();) {
      if (text[at] != ',')
        return error("D1101", at, text.size(), "'" + std::string(text.substr(at)) + "' is not expected here");
      size_t end = std::min(text.find(',', at + 1), text.size());
      if (!setOption(at + 1, end))
        return std::nullopt;
      at = end;
    }
    if (spec.kind == ValueSpec::Kind::Full && text.find(",value=", close) == std::string_view::npos)
      return error("D1101", text.size(), text.size(), "'full:' is followed by a value", "as in " + std::string(text.substr(0, close + 1)) + ",value=1");
    return spec;
  }

  std::optional<ValueSpec> same() {
    spec.kind = ValueSpec::Kind::Same;
    size_t stop = text.size();
    if (!offset(5, stop))
      return std::nullopt;
    size_t colon = text.find(':', 5);
    if (colon < stop && !(spec.type = type(colon + 1, stop)))
      return std::nullopt;
    spec.same = text.substr(5, std::min(colon, stop) - 5);
    if (spec.same.empty())
      return error("D1101", 5, 5, "'same:' is followed by the name of another argument");
    return spec;
  }

  std::optional<ValueSpec> scalar() {
    std::string word = lower(text);
    if (word == "none")
      return spec;
    spec.kind = ValueSpec::Kind::Scalar;
    size_t colon = text.rfind(':');
    if (auto value = parseScalar(text.substr(0, colon))) {
      spec.scalar = *value;
      if (colon != std::string_view::npos && !(spec.type = type(colon + 1, text.size())))
        return std::nullopt;
      return fits(0, std::min(colon, text.size())) ? std::optional(spec) : std::nullopt;
    }
    std::string help = "a value is @FILE.npy, zeros:f32[N], rand:f32[N],seed=S, empty:f32[N], full:f32[N],value=V, same:NAME, a number, true, false or none";
    if (text.ends_with(".npy") || text.find(".npy:") != std::string_view::npos)
      help = "a file is written with '@': @" + std::string(text);
    else if (findElementType(text) || text[0] == '*')
      help = "this is a type; `tegula run` takes values, as in " + (text[0] == '*' ? std::string("zeros:f32[1024]") : "42:" + std::string(text));
    return error("D1101", 0, text.size(), "'" + std::string(text) + "' is no value of an argument", help);
  }

  /// Can the type hold the number, which stands in [begin, end)?
  bool fits(size_t begin, size_t end) {
    const ElementType *t = spec.type;
    const Scalar &s = spec.scalar;
    auto refuse = [&](const std::string &why) { return error("D1104", begin, end, why), false; };
    if (!t || t->isFloat() || t->kind == ElementType::Kind::Bool)
      return true;
    if (s.kind == Scalar::Kind::Float)
      return refuse("'" + std::string(text.substr(begin, end - begin)) + "' is no integer, but '" + std::string(t->name) + "' is an integer type");
    bool isUnsigned = t->kind == ElementType::Kind::UInt;
    bool in = t->bytes == 8 ? (isUnsigned ? s.big || s.integer >= 0 : !s.big)
              : isUnsigned  ? !s.big && s.integer >= 0 && s.integer < int64_t(1) << t->bytes * 8
                            : !s.big && s.integer >= -(int64_t(1) << (t->bytes * 8 - 1)) && s.integer < int64_t(1) << (t->bytes * 8 - 1);
    return in || refuse("'" + std::string(t->name) + "' cannot hold " + scalarText(s));
  }
};
} // namespace

std::optional<Scalar> parseScalar(std::string_view text) {
  Scalar scalar;
  std::string word = lower(text);
  if (word == "true" || word == "false") {
    scalar.kind = Scalar::Kind::Bool;
    scalar.integer = word == "true";
    return scalar;
  }
  bool negative = word.starts_with("-");
  std::string_view digits = std::string_view(word).substr(negative || word.starts_with("+") ? 1 : 0);
  int base = digits.starts_with("0x") ? 16 : digits.starts_with("0b") ? 2 : 10;
  std::string_view plain = digits.substr(base == 10 ? 0 : 2);
  uint64_t magnitude = 0;
  auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), magnitude, base);
  if (!plain.empty() && end == plain.data() + plain.size() && error == std::errc()) {
    if (negative && magnitude > uint64_t(1) << 63)
      return std::nullopt;
    scalar.integer = static_cast<int64_t>(negative ? 0 - magnitude : magnitude);
    scalar.big = !negative && magnitude > static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
    return scalar;
  }
  scalar.kind = Scalar::Kind::Float;
  if (digits.starts_with("float('") && digits.ends_with("')")) { // float('inf'), as -D takes it
    digits = digits.substr(7, digits.size() - 9);
    if (digits.starts_with("-"))
      negative = !negative, digits.remove_prefix(1);
  }
  auto value = number<double>(digits); // reads inf and nan, too
  if (!value || digits.starts_with("-"))
    return std::nullopt;
  scalar.number = negative ? -*value : *value;
  return scalar;
}

std::optional<ValueSpec> parseValueSpec(const OptionText &text, base::DiagnosticSink &sink) { return Parser(text, sink).run(); }

std::optional<Array> makeArray(const ValueSpec &spec, const OptionText &text, base::DiagnosticSink &sink, bool shapeOnly) {
  std::optional<Array> array;
  if (spec.kind == ValueSpec::Kind::File) {
    array = readNpy(spec.path, spec.type, sink, text.all());
    if (!array)
      return std::nullopt;
  } else {
    array.emplace();
    array->type = spec.type;
    array->stored = spec.type->numpy;
    array->shape = spec.shape;
    if (!shapeOnly && !array->bytes.allocate(array->byteCount()))
      return failOfMemory(array->byteCount(), text.all(), sink);
    if (spec.kind == ValueSpec::Kind::Random && !shapeOnly)
      fillRandom(*array, spec.seed);
    else if (spec.kind == ValueSpec::Kind::Full) {
      uint64_t bits = scalarBits(spec.scalar, *spec.type);
      for (size_t i = 0; i < array->bytes.size(); i += spec.type->bytes)
        std::memcpy(&array->bytes[i], &bits, spec.type->bytes);
    }
  }
  if (spec.offset > static_cast<int64_t>(array->count()))
    return fail(sink, "D1106", "the offset is " + std::to_string(spec.offset) + " elements and the buffer has " + std::to_string(array->count()), text.all());
  return array;
}

const ElementType *scalarType(const ValueSpec &spec) {
  if (spec.type)
    return spec.type;
  const Scalar &s = spec.scalar;
  if (s.kind == Scalar::Kind::Bool)
    return findElementType("i1");
  if (s.kind == Scalar::Kind::Float)
    return findElementType("f32");
  bool narrow = !s.big && s.integer >= std::numeric_limits<int32_t>::min() && s.integer <= std::numeric_limits<int32_t>::max();
  return findElementType(narrow ? "i32" : s.big ? "u64" : "i64");
}

uint64_t scalarBits(const Scalar &scalar, const ElementType &type) {
  uint64_t bits = 0;
  if (scalar.kind == Scalar::Kind::Float)
    writeNumber(type, scalar.number, &bits);
  else if (type.isFloat())
    writeNumber(type, scalar.big ? static_cast<double>(static_cast<uint64_t>(scalar.integer)) : static_cast<double>(scalar.integer), &bits);
  else
    writeInteger(type, scalar.integer, &bits);
  return bits;
}

std::string scalarText(const Scalar &scalar) {
  if (scalar.kind == Scalar::Kind::Bool)
    return scalar.integer ? "True" : "False";
  if (scalar.kind == Scalar::Kind::Int)
    return scalar.big ? std::to_string(static_cast<uint64_t>(scalar.integer)) : std::to_string(scalar.integer);
  if (std::isnan(scalar.number))
    return "float('nan')";
  if (std::isinf(scalar.number))
    return scalar.number < 0 ? "float('-inf')" : "float('inf')";
  char buffer[40];
  auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, scalar.number);
  std::string text(buffer, end);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

} // namespace tegula::driver
