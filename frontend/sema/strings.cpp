// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Methods of str. Case and character classes are those of ASCII; other characters pass through.
#include "frontend/sema/frame.h"

#include <algorithm>
#include <cctype>

namespace tegula::frontend::sema {

namespace {

const std::string &self(const CallArgs &args) { return args.positional[0].asString(); }

/// The string argument at `index` (0 is the receiver), or null after an error.
const std::string *text(Evaluator &ev, const CallArgs &args, size_t index) {
  if (index < args.positional.size() && args.positional[index].is(Kind::Str))
    return &args.positional[index].asString();
  ev.error(args.range, "F2301", "this method of str takes a string as argument " + std::to_string(index));
  return nullptr;
}

template <int (*Fn)(int)> MaybeValue mapped(Evaluator &, const CallArgs &args) {
  std::string out = self(args);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return static_cast<char>(c < 0x80 ? Fn(c) : c); });
  return Value::string(std::move(out));
}

template <int (*Fn)(int)> MaybeValue classified(Evaluator &, const CallArgs &args) {
  const std::string &s = self(args);
  return Value::boolean(!s.empty() && std::all_of(s.begin(), s.end(), [](unsigned char c) { return Fn(c) != 0; }));
}

/// Cased letters exist and all are of the wanted case.
template <int (*Wanted)(int), int (*Unwanted)(int)> MaybeValue cased(Evaluator &, const CallArgs &args) {
  const std::string &s = self(args);
  return Value::boolean(std::any_of(s.begin(), s.end(), [](unsigned char c) { return Wanted(c); }) &&
                        std::none_of(s.begin(), s.end(), [](unsigned char c) { return Unwanted(c); }));
}

template <bool Left, bool Right> MaybeValue strip(Evaluator &ev, const CallArgs &args) {
  std::string_view s = self(args), chars = " \t\n\r\f\v";
  if (args.positional.size() > 1 && !args.positional[1].isNone()) {
    const std::string *given = text(ev, args, 1);
    if (!given)
      return std::nullopt;
    chars = *given;
  }
  if (Left)
    s.remove_prefix(std::min(s.find_first_not_of(chars), s.size()));
  if (Right)
    s = s.substr(0, s.find_last_not_of(chars) + 1);
  return Value::string(std::string(s));
}

template <bool AtEnd> MaybeValue startsOrEnds(Evaluator &ev, const CallArgs &args) {
  if (args.positional.size() > 1 && args.positional[1].isSequence()) {
    for (const Value &v : args.positional[1].items())
      if (v.is(Kind::Str) && (AtEnd ? self(args).ends_with(v.asString()) : self(args).starts_with(v.asString())))
        return Value::boolean(true);
    return Value::boolean(false);
  }
  const std::string *part = text(ev, args, 1);
  if (!part)
    return std::nullopt;
  return Value::boolean(AtEnd ? self(args).ends_with(*part) : self(args).starts_with(*part));
}

Value strings(std::vector<std::string> parts) {
  std::vector<Value> items;
  for (std::string &part : parts)
    items.push_back(Value::string(std::move(part)));
  return Value::list(std::move(items));
}

template <bool FromRight> MaybeValue split(Evaluator &ev, const CallArgs &args) {
  std::string_view s = self(args);
  Value separator = args.positional.size() > 1 ? args.positional[1] : Value();
  Int limit = args.positional.size() > 2 && args.positional[2].is(Kind::Int) ? args.positional[2].asInt() : -1;
  for (const auto &[name, value] : args.keywords) {
    if (name == "sep")
      separator = value;
    else if (name == "maxsplit" && value.is(Kind::Int))
      limit = value.asInt();
  }
  std::vector<std::string> parts;
  if (separator.isNone()) {
    constexpr std::string_view kSpace = " \t\n\r\f\v";
    while (true) {
      size_t begin = s.find_first_not_of(kSpace);
      if (begin == std::string_view::npos)
        break;
      s.remove_prefix(begin);
      if (limit == 0) {
        parts.emplace_back(s.substr(0, s.find_last_not_of(kSpace) + 1));
        break;
      }
      --limit;
      size_t end = std::min(s.find_first_of(kSpace), s.size());
      parts.emplace_back(s.substr(0, end));
      s.remove_prefix(end);
    }
    return strings(std::move(parts));
  }
  if (!separator.is(Kind::Str) || separator.asString().empty())
    return ev.error(args.range, "F2303", "the separator must be a string that is not empty");
  const std::string &sep = separator.asString();
  for (; limit != 0; --limit) {
    size_t at = FromRight ? s.rfind(sep) : s.find(sep);
    if (at == std::string_view::npos)
      break;
    parts.emplace_back(FromRight ? s.substr(at + sep.size()) : s.substr(0, at));
    s = FromRight ? s.substr(0, at) : s.substr(at + sep.size());
  }
  parts.emplace_back(s);
  if (FromRight)
    std::reverse(parts.begin(), parts.end());
  return strings(std::move(parts));
}

MaybeValue splitLines(Evaluator &, const CallArgs &args) {
  std::vector<std::string> lines;
  std::string_view s = self(args);
  while (!s.empty()) {
    size_t end = s.find('\n');
    lines.emplace_back(s.substr(0, end));
    s.remove_prefix(end == std::string_view::npos ? s.size() : end + 1);
  }
  return strings(std::move(lines));
}

template <bool FromRight> MaybeValue partition(Evaluator &ev, const CallArgs &args) {
  const std::string *sep = text(ev, args, 1);
  if (!sep)
    return std::nullopt;
  const std::string &s = self(args);
  size_t at = FromRight ? s.rfind(*sep) : s.find(*sep);
  if (at == std::string::npos)
    return FromRight ? Value::tuple({Value::string(""), Value::string(""), Value::string(s)})
                     : Value::tuple({Value::string(s), Value::string(""), Value::string("")});
  return Value::tuple({Value::string(s.substr(0, at)), Value::string(*sep), Value::string(s.substr(at + sep->size()))});
}

MaybeValue tooLong(Evaluator &ev, const CallArgs &args) { return ev.error(args.range, "F2305", "the string would be longer than 16 MiB"); }

MaybeValue joinItems(Evaluator &ev, const CallArgs &args) {
  if (args.positional.size() != 2)
    return ev.error(args.range, "F2301", "join takes one iterable of strings");
  auto items = ev.iterate(args.positional[1], args.range);
  if (!items)
    return std::nullopt;
  std::string out;
  for (size_t i = 0; i < items->size(); ++i) {
    if ((*items)[i].isUnknown())
      return (*items)[i];
    if (!(*items)[i].is(Kind::Str))
      return ev.error(args.range, "F2302", "join takes strings, not values of type '" + typeNameOf((*items)[i]) + "'");
    out += (i ? self(args) : "") + (*items)[i].asString();
    if (out.size() > kMaxText)
      return tooLong(ev, args);
  }
  return Value::string(std::move(out));
}

MaybeValue replaceText(Evaluator &ev, const CallArgs &args) {
  const std::string *from = text(ev, args, 1), *to = from ? text(ev, args, 2) : nullptr;
  if (!to)
    return std::nullopt;
  std::string out;
  std::string_view s = self(args);
  if (from->empty())
    return Value::string(std::string(s));
  for (size_t at; (at = s.find(*from)) != std::string_view::npos; s.remove_prefix(at + from->size()))
    if (out.append(s.substr(0, at)).append(*to).size() > kMaxText)
      return tooLong(ev, args);
  return Value::string(out.append(s));
}

template <bool FromRight, bool MustFind> MaybeValue findText(Evaluator &ev, const CallArgs &args) {
  const std::string *part = text(ev, args, 1);
  if (!part)
    return std::nullopt;
  size_t at = FromRight ? self(args).rfind(*part) : self(args).find(*part);
  if (at == std::string::npos && MustFind)
    return ev.error(args.range, "F2303", "substring not found");
  return Value::integer(at == std::string::npos ? Int(-1) : Int(at));
}

MaybeValue countText(Evaluator &ev, const CallArgs &args) {
  const std::string *part = text(ev, args, 1);
  if (!part || part->empty())
    return part ? MaybeValue(Value::integer(Int(self(args).size() + 1))) : std::nullopt;
  Int n = 0;
  for (size_t at = 0; (at = self(args).find(*part, at)) != std::string::npos; at += part->size())
    ++n;
  return Value::integer(n);
}

template <bool AtEnd> MaybeValue removeAffix(Evaluator &ev, const CallArgs &args) {
  const std::string *part = text(ev, args, 1);
  if (!part)
    return std::nullopt;
  std::string s = self(args);
  if (AtEnd ? s.ends_with(*part) : s.starts_with(*part))
    s = AtEnd ? s.substr(0, s.size() - part->size()) : s.substr(part->size());
  return Value::string(std::move(s));
}

MaybeValue capitalize(Evaluator &, const CallArgs &args) {
  std::string s = self(args);
  for (size_t i = 0; i < s.size(); ++i)
    s[i] = static_cast<char>(i ? std::tolower(static_cast<unsigned char>(s[i])) : std::toupper(static_cast<unsigned char>(s[i])));
  return Value::string(std::move(s));
}

MaybeValue title(Evaluator &, const CallArgs &args) {
  std::string s = self(args);
  bool inWord = false;
  for (char &c : s) {
    auto u = static_cast<unsigned char>(c);
    c = static_cast<char>(inWord ? std::tolower(u) : std::toupper(u));
    inWord = std::isalpha(u);
  }
  return Value::string(std::move(s));
}

template <char Align> MaybeValue justify(Evaluator &ev, const CallArgs &args) {
  if (args.positional.size() < 2 || !args.positional[1].is(Kind::Int))
    return ev.error(args.range, "F2301", "this method of str takes a width");
  std::string fill = Align == '=' ? "0" : " ";
  if (args.positional.size() > 2 && args.positional[2].is(Kind::Str))
    fill = args.positional[2].asString();
  if (codePoints(fill) != 1)
    return ev.error(args.range, "F2301", "the fill of this method of str must be one character");
  std::string s = self(args);
  const Int width = args.positional[1].asInt(), length = Int(codePoints(s));
  if (width > Int(kMaxText) / Int(fill.size()))
    return tooLong(ev, args);
  const size_t missing = width > length ? static_cast<size_t>(width - length) : 0;
  size_t sign = Align == '=' && !s.empty() && (s[0] == '-' || s[0] == '+') ? 1 : 0;
  size_t left = Align == '<' ? 0 : Align == '^' ? missing / 2 : missing;
  auto filled = [&](size_t count) {
    std::string text;
    for (size_t i = 0; i < count; ++i)
      text += fill;
    return text;
  };
  s.insert(sign, filled(left));
  s += filled(missing - left);
  return Value::string(std::move(s));
}

/// str.format: {} {0} {name} {0.attr} {0[key]} with !r/!s and a specification (itself with fields).
std::optional<std::string> formatText(Evaluator &ev, std::string_view pattern, const CallArgs &args, size_t &automatic) {
  std::string out;
  for (size_t i = 0; i < pattern.size(); ++i) {
    char c = pattern[i];
    if ((c == '{' || c == '}') && i + 1 < pattern.size() && pattern[i + 1] == c) {
      out += c;
      ++i;
      continue;
    }
    if (c != '{') {
      out += c;
      continue;
    }
    size_t depth = 1, end = i + 1;
    for (; end < pattern.size() && depth; ++end)
      depth += pattern[end] == '{' ? 1 : pattern[end] == '}' ? size_t(-1) : 0;
    if (depth)
      return ev.error(args.range, "F2303", "a '{' of the format string is not closed");
    std::string_view field = pattern.substr(i + 1, end - i - 2);
    i = end - 1;
    std::string_view spec;
    if (size_t colon = field.find(':'); colon != std::string_view::npos) {
      spec = field.substr(colon + 1);
      field = field.substr(0, colon);
    }
    char conversion = 0;
    if (field.size() >= 2 && field[field.size() - 2] == '!') {
      conversion = field.back();
      field.remove_suffix(2);
    }
    size_t nameEnd = std::min(field.find_first_of(".["), field.size());
    std::string name(field.substr(0, nameEnd));
    MaybeValue value;
    if (name.empty() || std::all_of(name.begin(), name.end(), [](unsigned char d) { return std::isdigit(d); })) {
      size_t index = name.empty() ? automatic++ : static_cast<size_t>(std::atoi(name.c_str()));
      if (index + 1 < args.positional.size())
        value = args.positional[index + 1];
    } else {
      for (const auto &[keyword, given] : args.keywords)
        if (keyword == name)
          value = given;
    }
    if (!value)
      return ev.error(args.range, "F2306", "the format string asks for an argument '" + name + "' that was not given");
    for (std::string_view rest = field.substr(nameEnd); value && !rest.empty();) {
      size_t next = rest[0] == '[' ? rest.find(']') + 1 : std::min(rest.find_first_of(".[", 1), rest.size());
      if (next == 0)
        return ev.error(args.range, "F2303", "a '[' of the format string is not closed");
      if (rest[0] == '.') {
        value = ev.attribute(*value, rest.substr(1, next - 1), args.range);
      } else {
        std::string key(rest.substr(1, next - 2));
        bool isIndex = !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char d) { return std::isdigit(d); });
        value = ev.subscript(*value, isIndex ? Value::integer(std::atoi(key.c_str())) : Value::string(key), args.range);
      }
      rest.remove_prefix(next);
    }
    auto inner = value ? formatText(ev, spec, args, automatic) : std::nullopt;
    if (!inner)
      return std::nullopt;
    Value shown = conversion == 'r' ? Value::string(ev.repr(*value)) : conversion == 's' ? Value::string(ev.str(*value)) : *value;
    auto piece = formatValue(ev, shown, *inner, args.range);
    if (!piece)
      return std::nullopt;
    out += *piece;
  }
  return out;
}

MaybeValue format(Evaluator &ev, const CallArgs &args) {
  size_t automatic = 0;
  auto out = formatText(ev, self(args), args, automatic);
  return out ? MaybeValue(Value::string(std::move(*out))) : std::nullopt;
}

struct Method {
  std::string_view name;
  BuiltinFn fn;
};
constexpr Method kMethods[] = {
    {"capitalize", capitalize}, {"center", justify<'^'>}, {"count", countText}, {"endswith", startsOrEnds<true>},
    {"find", findText<false, false>}, {"format", format}, {"index", findText<false, true>}, {"isalnum", classified<std::isalnum>},
    {"isalpha", classified<std::isalpha>}, {"isdecimal", classified<std::isdigit>}, {"isdigit", classified<std::isdigit>},
    {"islower", cased<std::islower, std::isupper>}, {"isnumeric", classified<std::isdigit>}, {"isspace", classified<std::isspace>},
    {"isupper", cased<std::isupper, std::islower>}, {"join", joinItems}, {"ljust", justify<'<'>}, {"lower", mapped<std::tolower>},
    {"casefold", mapped<std::tolower>}, {"lstrip", strip<true, false>}, {"partition", partition<false>}, {"removeprefix", removeAffix<false>},
    {"removesuffix", removeAffix<true>}, {"replace", replaceText}, {"rfind", findText<true, false>}, {"rindex", findText<true, true>},
    {"rjust", justify<'>'>}, {"rpartition", partition<true>}, {"rsplit", split<true>}, {"rstrip", strip<false, true>},
    {"split", split<false>}, {"splitlines", splitLines}, {"startswith", startsOrEnds<false>}, {"strip", strip<true, true>},
    {"title", title}, {"upper", mapped<std::toupper>}, {"zfill", justify<'='>},
};

} // namespace

BuiltinFn stringMethod(std::string_view name) {
  for (const Method &method : kMethods)
    if (method.name == name)
      return method.fn;
  return nullptr;
}

} // namespace tegula::frontend::sema
