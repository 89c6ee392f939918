// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hints, barriers, prints and assertions.

#include "frontend/sema/builtins/families.h"

namespace tegula::frontend::sema {

namespace {

/// `values` as one positive number per dimension.
std::optional<std::vector<uint64_t>> hintValues(Evaluator &ev, const BoundArgs &args, size_t rank) {
  auto values = args.shape("values");
  if (!values)
    return std::nullopt;
  size_t wanted = rank ? rank : 1;
  if (values->size() != wanted)
    return ev.error(args.range("values"), "F3701",
                    "a hint has one value per dimension: " + std::to_string(wanted) + ", not " + std::to_string(values->size()));
  std::vector<uint64_t> result;
  for (int64_t v : *values) {
    if (v <= 0)
      return ev.error(args.range("values"), "F3701", "the values of a hint are positive, not " + std::to_string(v));
    result.push_back(static_cast<uint64_t>(v));
  }
  return result;
}

enum class HintKind { Multiple, Contiguous, Constant };

template <HintKind Kind> MaybeValue hint(Evaluator &ev, const CallArgs &args) {
  constexpr const char *name = Kind == HintKind::Multiple ? "multiple_of" : Kind == HintKind::Contiguous ? "max_contiguous" : "max_constancy";
  auto bound = BoundArgs::bind(ev, name, "input, values", args);
  if (!bound)
    return std::nullopt;
  if (!(*bound)["input"].isTensor()) // a constant knows its own divisors
    return (*bound)["input"];
  const Tensor &t = (*bound)["input"].asTensor();
  auto values = hintValues(ev, *bound, t.type.shape.size());
  if (!values)
    return std::nullopt;
  std::vector<uint64_t> none;
  return Value::tensor(ev.builder().hint(t.value, Kind == HintKind::Multiple ? *values : none, Kind == HintKind::Contiguous ? *values : none,
                                         Kind == HintKind::Constant ? *values : none),
                       t.type);
}

MaybeValue assume(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "assume", "cond", args);
  if (!bound)
    return std::nullopt;
  if (!(*bound)["cond"].isTensor()) {
    auto holds = ev.truth((*bound)["cond"], args.range);
    if (holds && !*holds)
      return ev.error(args.range, "F3702", "assume() of something that is known to be false");
    return holds ? MaybeValue(Value::none()) : std::nullopt;
  }
  auto condition = toCondition(ev, (*bound)["cond"], args.range);
  if (!condition)
    return std::nullopt;
  ev.builder().assume(condition->value);
  return Value::none();
}

MaybeValue debugBarrier(Evaluator &ev, const CallArgs &args) {
  if (!BoundArgs::bind(ev, "debug_barrier", "", args))
    return std::nullopt;
  ev.builder().barrier();
  return Value::none();
}

MaybeValue staticPrint(Evaluator &ev, const CallArgs &args) {
  std::string text;
  for (const Value &v : args.positional)
    text += (text.empty() ? "" : " ") + (v.isTensor() ? v.asTensor().type.str() : ev.str(v));
  ev.remark(args.range, "F3703", text);
  return Value::none();
}

MaybeValue staticAssert(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "static_assert", "cond, msg=''", args);
  if (!bound)
    return std::nullopt;
  if ((*bound)["cond"].isTensor())
    return ev.error(bound->range("cond"), "F3704", "static_assert needs a condition that is known when compiling", "use tl.device_assert");
  auto holds = ev.truth((*bound)["cond"], bound->range("cond"));
  if (!holds)
    return std::nullopt;
  if (*holds)
    return Value::none();
  std::string message = (*bound)["msg"].isNone() ? "" : ev.str((*bound)["msg"]);
  return ev.error(args.range, "F3705", "static assertion failed" + (message.empty() ? "" : ": " + message));
}

MaybeValue devicePrint(Evaluator &ev, const CallArgs &args) {
  bool hex = false;
  for (const auto &[name, value] : args.keywords) {
    if (name != "hex")
      return ev.error(args.range, "F2301", "'device_print' has no parameter '" + name + "'");
    auto flag = ev.truth(value, args.range);
    if (!flag)
      return std::nullopt;
    hex = *flag;
  }
  // A leading string is the prefix; further strings go into it, as print(...) with several texts does.
  std::string prefix;
  emit::Values values;
  std::vector<uint32_t> isSigned;
  for (size_t i = 0; i < args.positional.size(); ++i) {
    const Value &v = args.positional[i];
    if (v.is(Kind::Str)) {
      prefix += (prefix.empty() ? "" : " ") + v.asString();
      continue;
    }
    auto t = toTensor(ev, v, args.positionalRanges[i]);
    if (!t)
      return std::nullopt;
    values.push_back(t->value);
    isSigned.push_back(t->type.isSignedInt());
  }
  // As Triton has it: the prefix ends in ": " where a value follows.
  if (!prefix.empty() && !values.empty() && !prefix.ends_with(": "))
    prefix = (prefix.ends_with(' ') ? prefix.substr(0, prefix.size() - 1) : prefix) + ": ";
  // As in Triton, the prefix ends in ": " where a value follows.
  if (!prefix.empty() && !values.empty() && !prefix.ends_with(": "))
    prefix = (prefix.ends_with(' ') ? prefix.substr(0, prefix.size() - 1) : prefix) + ": ";
  ev.builder().print(prefix, hex, values, isSigned);
  return Value::none();
}

MaybeValue deviceAssert(Evaluator &ev, const CallArgs &args) {
  auto bound = BoundArgs::bind(ev, "device_assert", "cond, msg='', mask=None", args);
  if (!bound)
    return std::nullopt;
  auto condition = tensorArg(ev, *bound, "cond");
  condition = condition ? castTensor(ev, *condition, Type(Scalar::Int1), bound->range("cond")) : std::nullopt;
  if (!condition)
    return std::nullopt;
  emit::IrValue mask;
  if (!(*bound)["mask"].isNone()) {
    auto m = tensorArg(ev, *bound, "mask");
    m = m ? castTensor(ev, *m, Type(Scalar::Int1), bound->range("mask")) : std::nullopt;
    m = m ? broadcastTo(ev, *m, condition->type.shape, bound->range("mask")) : std::nullopt;
    if (!m)
      return std::nullopt;
    mask = m->value;
  }
  // Without --debug an assertion costs nothing.
  if (ev.request().debug)
    ev.builder().assertTrue(condition->value, mask, (*bound)["msg"].is(Kind::Str) ? (*bound)["msg"].asString() : ev.str((*bound)["msg"]));
  return Value::none();
}

constexpr BuiltinEntry kEntries[] = {
    {"multiple_of", hint<HintKind::Multiple>},
    {"max_contiguous", hint<HintKind::Contiguous>},
    {"max_constancy", hint<HintKind::Constant>},
    {"assume", assume},
    {"debug_barrier", debugBarrier},
    {"static_print", staticPrint},
    {"static_assert", staticAssert},
    {"device_print", devicePrint},
    {"device_assert", deviceAssert},
};

} // namespace

std::span<const BuiltinEntry> effectBuiltins() { return kEntries; }

} // namespace tegula::frontend::sema
