// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values as text: repr, str, format specifications and % formatting, digit for digit as Python prints them.
#include "frontend/sema/frame.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace tegula::frontend::sema {

std::string floatRepr(double value) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  // The shortest digits that read back, laid out as Python does: exponent form below 1e-4 and from 1e16.
  char buffer[64];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
  std::string_view text(buffer, static_cast<size_t>(end - buffer));
  bool negative = text.starts_with('-');
  if (negative)
    text.remove_prefix(1);
  size_t e = text.find('e');
  int exponent = std::atoi(std::string(text.substr(e + 1)).c_str());
  std::string digits;
  for (char c : text.substr(0, e))
    if (c != '.')
      digits += c;
  std::string out = negative ? "-" : "";
  if (exponent < -4 || exponent >= 16) {
    out += digits[0];
    if (digits.size() > 1)
      out += "." + digits.substr(1);
    int magnitude = exponent < 0 ? -exponent : exponent;
    return out + (exponent < 0 ? "e-" : "e+") + (magnitude < 10 ? "0" : "") + std::to_string(magnitude);
  }
  if (exponent < 0)
    return out + "0." + std::string(static_cast<size_t>(-exponent - 1), '0') + digits;
  auto whole = static_cast<size_t>(exponent) + 1;
  if (digits.size() <= whole)
    return out + digits + std::string(whole - digits.size(), '0') + ".0";
  return out + digits.substr(0, whole) + "." + digits.substr(whole);
}

std::string quoted(std::string_view text) {
  char quote = text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos ? '"' : '\'';
  std::string out(1, quote);
  for (char c : text) {
    if (c == quote || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      char code[8];
      std::snprintf(code, sizeof code, "\\x%02x", static_cast<unsigned char>(c));
      out += code;
    } else {
      out += c;
    }
  }
  return out + quote;
}

namespace {
std::string joined(Evaluator &ev, const std::vector<Value> &items) {
  std::string out;
  for (size_t i = 0; i < items.size(); ++i)
    out += (i ? ", " : "") + ev.repr(items[i]);
  return out;
}

std::string instanceText(Evaluator &ev, const Value &value, bool isRepr) {
  const auto &instance = value.as<InstanceObject>();
  for (std::string_view name : {isRepr ? "__repr__" : "__str__", "__repr__"}) {
    bool found = false;
    MaybeValue text = callSpecial(ev, value, name, {}, {}, found);
    if (found)
      return text && text->is(Kind::Str) ? text->asString() : std::string();
  }
  if (!instance.cls.is(Kind::Class))
    return "<object>";
  const auto &cls = instance.cls.as<ClassObject>();
  auto member = [&](std::string_view name) {
    auto it = instance.members.find(name);
    return it == instance.members.end() ? Value() : it->second;
  };
  if (cls.isEnum)
    return isRepr ? "<" + cls.name + "." + ev.str(member("name")) + ": " + ev.repr(member("value")) + ">" : cls.name + "." + ev.str(member("name"));
  if (inheritsFrom(cls, "BaseException")) {
    Value args = member("args");
    if (isRepr)
      return cls.name + "(" + (args.isSequence() ? joined(ev, args.items()) : "") + ")";
    return args.isSequence() && !args.items().empty() ? ev.str(args.items()[0]) : "";
  }
  if (member("__name__").is(Kind::Str) && cls.name.ends_with(".dtype"))
    return cls.name.substr(0, cls.name.size() - 5) + member("__name__").asString();
  return "<" + cls.name + " object>";
}
} // namespace

size_t codePoints(std::string_view text) {
  size_t n = 0;
  for (char c : text)
    n += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  return n;
}

std::string Evaluator::repr(const Value &value) {
  // Containers may hold themselves, and one object many times over.
  constexpr unsigned kMaxDepth = 64;
  if (impl->reprDepth == 0)
    impl->reprLeft = kMaxItems;
  if (impl->reprDepth == kMaxDepth || impl->reprLeft == 0)
    return "...";
  --impl->reprLeft;
  ++impl->reprDepth;
  std::string text = plainRepr(value);
  --impl->reprDepth;
  return text;
}

std::string Evaluator::plainRepr(const Value &value) {
  switch (value.kind()) {
  case Kind::None: return "None";
  case Kind::Bool: return value.asBool() ? "True" : "False";
  case Kind::Int: return intToString(value.asInt());
  case Kind::Float: return floatRepr(value.asFloat());
  case Kind::Ellipsis: return "Ellipsis";
  case Kind::Type: return value.asType().str();
  case Kind::Tensor: return value.asTensor().type.str();
  case Kind::Str: return quoted(value.asString());
  case Kind::Bytes: return "b" + quoted(value.as<BytesObject>().bytes);
  case Kind::Tuple: {
    const auto &tuple = value.as<TupleObject>();
    if (tuple.fieldNames.empty())
      return "(" + joined(*this, tuple.items) + (tuple.items.size() == 1 ? ",)" : ")");
    std::string out = tuple.typeName + "(";
    for (size_t i = 0; i < tuple.items.size(); ++i)
      out += (i ? ", " : "") + tuple.fieldNames[i] + "=" + repr(tuple.items[i]);
    return out + ")";
  }
  case Kind::List: return "[" + joined(*this, value.items()) + "]";
  case Kind::Dict: {
    std::string out = "{";
    for (const auto &[k, v] : value.as<DictObject>().items)
      out += (out.size() > 1 ? ", " : "") + repr(k) + ": " + repr(v);
    return out + "}";
  }
  case Kind::Set: return value.as<SetObject>().items.empty() ? "set()" : "{" + joined(*this, value.as<SetObject>().items) + "}";
  case Kind::Slice: {
    const auto &s = value.as<SliceObject>();
    return "slice(" + repr(s.lower) + ", " + repr(s.upper) + ", " + repr(s.step) + ")";
  }
  case Kind::Range: {
    const auto &r = value.as<RangeObject>();
    bool unit = r.step.is(Kind::Int) && r.step.asInt() == 1;
    return "range(" + repr(r.lower) + ", " + repr(r.upper) + (unit ? ")" : ", " + repr(r.step) + ")");
  }
  case Kind::Function: return "<function " + value.as<FunctionObject>().name + ">";
  case Kind::Builtin: return "<built-in function " + value.as<BuiltinObject>().name + ">";
  case Kind::Module: return "<module '" + value.as<ModuleObject>().name + "'>";
  case Kind::Class: return "<class '" + value.as<ClassObject>().name + "'>";
  case Kind::Instance: return instanceText(*this, value, true);
  case Kind::Unknown: return "<unknown: " + value.as<UnknownObject>().reason + ">";
  default: return "<" + typeNameOf(value) + ">";
  }
}

std::string Evaluator::str(const Value &value) {
  if (value.is(Kind::Str))
    return value.asString();
  return value.is(Kind::Instance) ? instanceText(*this, value, false) : repr(value);
}

namespace {
struct Spec {
  std::string fill = " ";
  char align = 0, sign = '-', type = 0, grouping = 0;
  bool alternate = false;
  int width = 0, precision = -1;
};

std::optional<Spec> parseSpec(std::string_view text) {
  Spec spec;
  auto isAlign = [](char c) { return c == '<' || c == '>' || c == '^' || c == '='; };
  size_t first = 1; // bytes of the first character
  while (first < text.size() && (static_cast<unsigned char>(text[first]) & 0xc0) == 0x80)
    ++first;
  size_t i = 0;
  if (text.size() > first && isAlign(text[first])) {
    spec.fill = text.substr(0, first);
    spec.align = text[first];
    i = first + 1;
  } else if (!text.empty() && isAlign(text[0])) {
    spec.align = text[i++];
  }
  if (i < text.size() && (text[i] == '+' || text[i] == '-' || text[i] == ' '))
    spec.sign = text[i++];
  if (i < text.size() && text[i] == '#') {
    spec.alternate = true;
    ++i;
  }
  if (i < text.size() && text[i] == '0') {
    if (!spec.align) {
      spec.fill = "0";
      spec.align = '=';
    }
    ++i;
  }
  auto number = [&](int &out) {
    out = 0;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9' && out < 100000)
      out = out * 10 + (text[i++] - '0');
  };
  number(spec.width);
  if (i < text.size() && (text[i] == ',' || text[i] == '_'))
    spec.grouping = text[i++];
  if (i < text.size() && text[i] == '.') {
    ++i;
    number(spec.precision);
  }
  if (i < text.size())
    spec.type = text[i++];
  return i == text.size() ? std::optional(spec) : std::nullopt;
}

std::string group(std::string digits, char separator, size_t every) {
  size_t end = digits.find_first_not_of("0123456789abcdefABCDEF");
  if (end == std::string::npos)
    end = digits.size();
  for (size_t i = end; i > every; i -= every)
    digits.insert(i - every, 1, separator);
  return digits;
}

std::string inBase(unsigned __int128 value, unsigned base, bool upper) {
  std::string digits;
  do
    digits.insert(digits.begin(), (upper ? "0123456789ABCDEF" : "0123456789abcdef")[static_cast<unsigned>(value % base)]);
  while (value /= base);
  return digits;
}

std::string pad(const Spec &spec, std::string_view sign, std::string body, char defaultAlign) {
  size_t length = codePoints(body) + sign.size();
  size_t missing = static_cast<size_t>(spec.width) > length ? static_cast<size_t>(spec.width) - length : 0;
  auto fill = [&](size_t n) {
    std::string out;
    for (size_t i = 0; i < n; ++i)
      out += spec.fill;
    return out;
  };
  switch (spec.align ? spec.align : defaultAlign) {
  case '<': return std::string(sign) + body + fill(missing);
  case '^': return fill(missing / 2) + std::string(sign) + body + fill(missing - missing / 2);
  case '=': return std::string(sign) + fill(missing) + body;
  default: return fill(missing) + std::string(sign) + body;
  }
}

std::string floatBody(double magnitude, const Spec &spec, const Value &value) {
  if (!spec.type && spec.precision < 0)
    return floatRepr(magnitude);
  char format[16], buffer[512];
  char type = spec.type ? spec.type : 'g';
  if (type == '%')
    type = 'f';
  std::snprintf(format, sizeof format, "%%%s.*%c", spec.alternate ? "#" : "", type);
  int precision = spec.precision < 0 ? 6 : std::min(spec.precision, 100);
  std::snprintf(buffer, sizeof buffer, format, precision, spec.type == '%' ? magnitude * 100 : magnitude);
  std::string body(buffer);
  // Without a type Python keeps a digit after the point.
  if (!spec.type && value.is(Kind::Float) && body.find_first_of(".en") == std::string::npos)
    body += ".0";
  return spec.type == '%' ? body + "%" : body;
}
} // namespace

std::optional<std::string> formatValue(Evaluator &ev, const Value &value, std::string_view text, ast::Range range) {
  if (text.empty())
    return ev.str(value);
  auto spec = parseSpec(text);
  constexpr std::string_view kIntTypes = "bdoxXnc", kFloatTypes = "eEfFgG%";
  bool isInteger = value.is(Kind::Int) || value.is(Kind::Bool);
  bool asFloat = spec && (value.is(Kind::Float) || (isInteger && spec->type && kFloatTypes.find(spec->type) != std::string_view::npos));
  bool asInteger = spec && !asFloat && isInteger && (!spec->type || kIntTypes.find(spec->type) != std::string_view::npos);
  bool valid =
      spec && (asFloat ? !spec->type || kFloatTypes.find(spec->type) != std::string_view::npos : asInteger || !spec->type || spec->type == 's');
  if (!valid)
    return ev.error(range, "F2303", "'" + std::string(text) + "' is no format for a value of type '" + typeNameOf(value) + "'");
  if (asInteger && (value.is(Kind::Int) || spec->type)) {
    Int i = value.asInt();
    auto magnitude = i < 0 ? -static_cast<unsigned __int128>(i) : static_cast<unsigned __int128>(i);
    std::string sign = i < 0 ? "-" : spec->sign == '-' ? "" : std::string(1, spec->sign);
    if (spec->type == 'c')
      return pad(*spec, "", std::string(1, static_cast<char>(i)), '<');
    unsigned base = spec->type == 'x' || spec->type == 'X' ? 16 : spec->type == 'o' ? 8 : spec->type == 'b' ? 2 : 10;
    std::string body = inBase(magnitude, base, spec->type == 'X');
    if (spec->grouping)
      body = group(body, spec->grouping, base == 10 ? 3 : 4);
    if (spec->alternate && base != 10)
      sign += std::string("0") + spec->type;
    return pad(*spec, sign, body, '>');
  }
  if (asFloat) {
    double d = value.asFloat();
    std::string sign = std::signbit(d) && !std::isnan(d) ? "-" : spec->sign == '-' ? "" : std::string(1, spec->sign);
    std::string body = floatBody(std::fabs(d), *spec, value);
    if (spec->grouping)
      body = group(body, spec->grouping, 3);
    return pad(*spec, sign, body, '>');
  }
  std::string body = ev.str(value);
  if (spec->precision >= 0) {
    size_t end = 0;
    for (int n = 0; end < body.size() && (n < spec->precision || (static_cast<unsigned char>(body[end]) & 0xc0) == 0x80); ++end)
      n += end + 1 < body.size() && (static_cast<unsigned char>(body[end + 1]) & 0xc0) != 0x80;
    body.resize(spec->precision == 0 ? 0 : end);
  }
  return pad(*spec, "", body, '<');
}

std::optional<std::string> percentFormat(Evaluator &ev, std::string_view text, const Value &args, ast::Range range) {
  std::vector<Value> items = args.is(Kind::Tuple) ? args.items() : std::vector<Value>{args};
  size_t next = 0;
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (++i < text.size() && text[i] == '%') {
      out += '%';
      continue;
    }
    std::string spec;
    while (i < text.size() && std::string_view("+- #0123456789.").find(text[i]) != std::string_view::npos)
      spec += text[i++];
    if (i == text.size() || next == items.size())
      return ev.error(range, "F2303", "the arguments do not fit the format string");
    const Value &item = items[next++];
    bool leftAligned = spec.starts_with('-');
    if (leftAligned)
      spec = "<" + spec.substr(1);
    switch (text[i]) {
    case 's':
    case 'r': {
      std::string whole = text[i] == 's' ? ev.str(item) : ev.repr(item);
      auto piece = formatValue(ev, Value::string(whole), spec.empty() || leftAligned ? spec : ">" + spec, range);
      if (!piece)
        return std::nullopt;
      out += *piece;
      break;
    }
    default: {
      bool toInteger = (text[i] == 'd' || text[i] == 'i') && item.is(Kind::Float);
      auto whole = toInteger ? floatToInt(item.asFloat()) : std::nullopt;
      auto piece = formatValue(ev, whole ? Value::integer(*whole) : item, spec + (text[i] == 'i' ? 'd' : text[i]), range);
      if (!piece)
        return std::nullopt;
      out += *piece;
    }
    }
  }
  if (next != items.size() && args.is(Kind::Tuple))
    return ev.error(range, "F2303", "not all arguments are used by the format string");
  return out;
}

} // namespace tegula::frontend::sema
