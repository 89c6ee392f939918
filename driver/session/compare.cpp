// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tolerances without options are about two units of the type for rounding and a little below its usual magnitudes.
#include "driver/session/compare.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

namespace tegula::driver {

namespace {
void defaultTolerance(const ElementType &type, double &rtol, double &atol) {
  if (!type.isFloat())
    return;
  rtol = type.bytes == 8 ? 1e-9 : type.bytes == 4 ? 1e-5 : std::ldexp(2.0, -static_cast<int>(type.mantissaBits));
  atol = type.bytes == 8 ? 1e-12 : type.bytes == 4 ? 1e-6 : std::ldexp(0.25, -static_cast<int>(type.mantissaBits));
}
} // namespace

std::optional<CheckSpec> parseCheckSpec(const OptionText &option, base::DiagnosticSink &sink) {
  CheckSpec spec;
  std::string_view text = option.text;
  size_t stop = text.size();
  for (bool more = true; more;) {
    more = false;
    for (auto [key, to] : {std::pair{",rtol=", &spec.rtol}, {",atol=", &spec.atol}}) {
      size_t at = text.substr(0, stop).rfind(key);
      if (at == std::string_view::npos || text.substr(at + 1, stop - at - 1).find(',') != std::string_view::npos)
        continue;
      size_t begin = at + std::string_view(key).size();
      double value = -1;
      auto [end, error] = std::from_chars(text.data() + begin, text.data() + stop, value);
      if (error != std::errc() || end != text.data() + stop || !(value >= 0))
        return fail(sink, "D1403", "a tolerance is a non-negative number, not '" + std::string(text.substr(begin, stop - begin)) + "'", option.at(begin, stop));
      *to = value;
      stop = at;
      more = true;
    }
  }
  spec.path = text.substr(0, stop);
  if (!spec.path.empty() && spec.path[0] == '@')
    spec.path.erase(0, 1);
  if (spec.path.empty())
    return fail(sink, "D1403", "no file with the expected values is given", option.all());
  return spec;
}

std::optional<CheckResult> compareArrays(const Array &got, const Array &expected, const CheckSpec &spec, const OptionText &option, base::DiagnosticSink &sink) {
  bool carried = !got.type->hasNumpy() && !expected.type->isFloat() && expected.type->bytes == got.type->bytes; // integers that stand for bf16 or fp8
  const ElementType &wanted = carried ? *got.type : *expected.type;
  if (got.count() != expected.count())
    return fail(sink, "D1402", fmt::format("'{}' has {} elements and the buffer has {}", spec.path, expected.count(), got.count()), option.all());
  if (got.type->isFloat() != wanted.isFloat())
    return fail(sink, "D1402", fmt::format("'{}' holds {} and the buffer holds {}", spec.path, wanted.name, got.type->name), option.all());
  CheckResult result;
  defaultTolerance(*got.type, result.rtol, result.atol);
  result.rtol = spec.rtol.value_or(result.rtol);
  result.atol = spec.atol.value_or(result.atol);
  result.elements = got.count();
  for (uint64_t i = 0; i < result.elements; ++i) {
    const void *a = &got.bytes[i * got.type->bytes], *b = &expected.bytes[i * wanted.bytes];
    double x = readNumber(*got.type, a), y = readNumber(wanted, b);
    double error = std::fabs(x - y);
    bool same = got.type->isFloat() ? x == y || (std::isnan(x) && std::isnan(y)) : readInteger(*got.type, a) == readInteger(wanted, b);
    if (same)
      continue;
    double bound = result.atol + result.rtol * std::fabs(y);
    if (!got.type->isFloat())
      error = std::max(error, 1.0); // 64-bit integers may round to the same double
    double ratio = std::isfinite(error) && std::isfinite(y) ? (bound > 0 ? error / bound : std::numeric_limits<double>::infinity()) : std::numeric_limits<double>::infinity();
    if (std::isfinite(error))
      result.worst = std::max(result.worst, error);
    if (ratio > 1)
      ++result.wrong;
    if (ratio > result.worstRatio) {
      result.worstRatio = ratio;
      result.worstIndex = i;
      auto show = [&](const ElementType &type, const void *at) {
        return type.isFloat() ? fmt::format("{}", readNumber(type, at)) : type.kind == ElementType::Kind::UInt ? fmt::format("{}", static_cast<uint64_t>(readInteger(type, at))) : fmt::format("{}", readInteger(type, at));
      };
      result.got = show(*got.type, a);
      result.expected = show(wanted, b);
    }
  }
  result.passed = result.wrong == 0;
  return result;
}

} // namespace tegula::driver
