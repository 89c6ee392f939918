// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Items are split at commas and trimmed, as upstream's ahead-of-time compiler does.
#include "driver/session/signature.h"

#include "driver/session/element_type.h"
#include "driver/session/value_spec.h"

namespace tegula::driver {

std::optional<SignatureItem> parseSignatureItem(const OptionText &option, size_t begin, size_t end, base::DiagnosticSink &sink) {
  std::string_view all = option.text;
  while (begin < end && all[begin] == ' ')
    ++begin;
  while (end > begin && all[end - 1] == ' ')
    --end;
  std::string_view text = all.substr(begin, end - begin);
  auto wrong = [&](size_t from, size_t to, std::string message, std::string help = {}) { return fail(sink, "D1201", std::move(message), option.at(begin + from, begin + to), std::move(help)); };
  if (text.empty())
    return wrong(0, 0, "an item of the signature is empty", "an item is a number or a type, as in '*fp32:16, i32, 1024'");
  SignatureItem item;
  if (auto number = parseScalar(text); number && number->kind != Scalar::Kind::Bool) {
    item.kind = SignatureItem::Kind::Constant;
    item.constant = scalarText(*number);
    return item;
  }
  size_t colon = text.find(':');
  std::string_view type = text.substr(0, colon), element = type;
  bool pointer = element.starts_with("*");
  if (pointer)
    element.remove_prefix(1);
  size_t skipped = type.size() - element.size();
  if (element.starts_with("k")) {
    element.remove_prefix(1);
    ++skipped;
  }
  const ElementType *found = findElementType(element);
  if (!found) {
    std::string nearest = nearestElementType(element);
    const ElementType *near = nearest.empty() ? nullptr : findElementType(nearest);
    return wrong(skipped, type.size(), "'" + std::string(element) + "' is no type of an argument",
                 near ? "did you mean '" + std::string(near->triton) + "'?" : "types are i1, i8 to i64, u1, u8 to u64, fp16, bf16, fp32, fp64, fp8e4nv, fp8e5, fp8e4b8, fp8e5b16, fp8e4b15, each with '*' for a pointer");
  }
  item.kind = pointer ? SignatureItem::Kind::Pointer : SignatureItem::Kind::Scalar;
  std::string spelled(element == "u1" || element == "B" || found->kind != ElementType::Kind::Bool ? found->triton : element);
  item.type = pointer ? "*" + std::string(skipped > 1 ? "k" : "") + spelled : spelled;
  if (colon == std::string_view::npos)
    return item;
  std::string_view hint = text.substr(colon + 1);
  if (hint == "16") {
    item.divisibility = 16;
  } else if (hint == "1" && !pointer) {
    item.kind = SignatureItem::Kind::Constant;
    item.type.clear();
    item.constant = "1";
  } else {
    return wrong(colon + 1, text.size(), "'" + std::string(hint) + "' is no hint", pointer ? "a pointer takes ':16' (address divisible by 16)" : "hints are ':16' (divisible by 16) and ':1' (the value is 1)");
  }
  return item;
}

std::optional<std::vector<SignatureItem>> parseSignature(const OptionText &option, base::DiagnosticSink &sink) {
  std::vector<SignatureItem> items;
  std::string_view text = option.text;
  if (text.find_first_not_of(' ') == std::string_view::npos)
    return items;
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = std::min(text.find(',', begin), text.size());
    auto item = parseSignatureItem(option, begin, end, sink);
    if (!item)
      return std::nullopt;
    items.push_back(std::move(*item));
    begin = end + 1;
  }
  return items;
}

} // namespace tegula::driver
