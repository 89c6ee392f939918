// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers are aligned to 256 bytes, so a pointer is divisible by 16 where its offset is.
#include "driver/tools/arguments.h"

#include "sdk/base/nearest_name.h"

#include <algorithm>
#include <set>

namespace tegula::driver::tools {

namespace {
constexpr int64_t kAlignment = 16;

bool looksLikeType(std::string_view text) {
  if (text.empty())
    return false;
  if (text[0] == '*')
    return true;
  return findElementType(text.substr(0, text.find(':'))) != nullptr;
}

std::string nearestBuffer(std::string_view name, const JobArguments &arguments) {
  std::vector<std::string> names;
  for (const JobArgument &argument : arguments.arguments)
    if (!argument.item && argument.spec.isBuffer() && argument.name != name)
      names.push_back(argument.name);
  std::string listed;
  for (const std::string &n : names)
    listed += (listed.empty() ? "'" : ", '") + n + "'";
  return base::didYouMean(name, names, listed.empty() ? "no argument has a buffer" : "buffers are " + listed);
}
} // namespace

const JobArgument *JobArguments::find(std::string_view name) const {
  auto it = std::find_if(arguments.begin(), arguments.end(), [&](const JobArgument &a) { return a.name == name; });
  return it == arguments.end() ? nullptr : &*it;
}

HostBuffer *JobArguments::bufferOf(std::string_view name) {
  const JobArgument *argument = find(name);
  return argument && !argument->item && argument->spec.isBuffer() ? &buffers[argument->buffer] : nullptr;
}

bool readArguments(const Job &job, bool typesOnly, JobArguments &out, base::DiagnosticSink &sink) {
  bool good = true;
  std::set<std::string> names;
  std::vector<OptionText> texts;
  auto wrong = [&](const char *code, std::string message, base::SourceRange where, std::string help = {}) {
    fail(sink, code, std::move(message), std::move(where), std::move(help));
    good = false;
  };
  for (const auto &[name, text] : job.arguments) {
    OptionText option{"--arg " + name + "=", text};
    JobArgument argument;
    argument.name = name;
    if (!names.insert(name).second)
      wrong("D1107", "argument '" + name + "' is given twice", option.all());
    if (typesOnly && looksLikeType(text)) {
      argument.item = parseSignatureItem(option, 0, text.size(), sink);
      good &= argument.item.has_value();
    } else if (auto spec = parseValueSpec(option, sink)) {
      argument.spec = std::move(*spec);
    } else {
      good = false;
    }
    out.arguments.push_back(std::move(argument));
    texts.push_back(std::move(option));
  }
  if (!good)
    return false;
  uint64_t promised = 0; // to buffers of zeros, which take no memory yet
  for (size_t i = 0; i < out.arguments.size(); ++i) {
    JobArgument &argument = out.arguments[i];
    if (argument.item || !argument.spec.isBuffer() || argument.spec.kind == ValueSpec::Kind::Same)
      continue;
    bool untouched = !typesOnly && (argument.spec.kind == ValueSpec::Kind::Zeros || argument.spec.kind == ValueSpec::Kind::Empty);
    uint64_t bytes = untouched ? *elementCount(argument.spec.shape) * argument.spec.type->bytes : 0;
    auto array = base::memoryFits(bytes, promised) ? makeArray(argument.spec, texts[i], sink, typesOnly) : failOfMemory(bytes + promised, texts[i].all(), sink);
    promised += bytes;
    if (!array) {
      good = false;
      continue;
    }
    argument.type = array->type;
    argument.buffer = out.buffers.size();
    argument.offsetBytes = static_cast<uint64_t>(argument.spec.offset) * array->type->bytes;
    out.buffers.push_back({argument.name, std::move(*array), texts[i].all(), argument.spec.kind == ValueSpec::Kind::Empty, false, untouched});
  }
  if (!good)
    return false;
  for (size_t i = 0; i < out.arguments.size(); ++i) {
    JobArgument &argument = out.arguments[i];
    if (argument.item || argument.spec.kind != ValueSpec::Kind::Same)
      continue;
    const JobArgument *owner = out.find(argument.spec.same);
    if (!owner || owner->item || !owner->spec.isBuffer() || owner->spec.kind == ValueSpec::Kind::Same) {
      size_t at = 5;
      wrong("D1105", "'" + argument.spec.same + "' is no argument with a buffer of its own", texts[i].at(at, at + argument.spec.same.size()), nearestBuffer(argument.spec.same, out));
      continue;
    }
    argument.buffer = owner->buffer;
    argument.type = argument.spec.type ? argument.spec.type : owner->type;
    argument.offsetBytes = static_cast<uint64_t>(argument.spec.offset) * argument.type->bytes;
    uint64_t size = out.buffers[owner->buffer].array.byteCount();
    if (argument.offsetBytes > size)
      wrong("D1106", "the offset is " + std::to_string(argument.offsetBytes) + " bytes and the buffer of '" + owner->name + "' has " + std::to_string(size), texts[i].all());
  }
  for (const auto &[option, list] : {std::pair{"--out ", &job.outputs}, {"--check ", &job.checks}})
    for (const auto &[name, text] : *list) {
      HostBuffer *buffer = out.bufferOf(name);
      if (buffer)
        buffer->output = true;
      else if (!typesOnly)
        wrong("D1105", "'" + name + "' is no argument with a buffer", OptionText{option, name + "=" + text}.at(0, name.size()), nearestBuffer(name, out));
    }
  return good;
}

tegula_argument_spec_t specialise(const JobArgument &argument, std::deque<std::string> &keep) {
  auto kept = [&](std::string text) {
    keep.push_back(std::move(text));
    return asText(keep.back());
  };
  tegula_argument_spec_t spec{};
  spec.struct_size = sizeof spec;
  spec.name = kept(argument.name);
  spec.divisibility = 1;
  if (argument.item) {
    using Kind = SignatureItem::Kind;
    spec.kind = argument.item->kind == Kind::Pointer ? TEGULA_ARGUMENT_POINTER : argument.item->kind == Kind::Scalar ? TEGULA_ARGUMENT_SCALAR : TEGULA_ARGUMENT_CONSTANT;
    spec.type = kept(argument.item->type);
    spec.constant = kept(argument.item->constant);
    spec.divisibility = argument.item->divisibility;
    return spec;
  }
  if (argument.spec.kind == ValueSpec::Kind::None) {
    spec.kind = TEGULA_ARGUMENT_CONSTANT;
    spec.constant = kept("None");
  } else if (argument.spec.isBuffer()) {
    spec.kind = TEGULA_ARGUMENT_POINTER;
    spec.type = kept("*" + std::string(argument.type->triton));
    spec.divisibility = argument.offsetBytes % kAlignment == 0 ? kAlignment : 1;
  } else {
    const Scalar &value = argument.spec.scalar;
    spec.kind = TEGULA_ARGUMENT_SCALAR;
    spec.type = kept(std::string(scalarType(argument.spec)->triton));
    spec.constant = kept(scalarText(value));
    // What divides a value is asked of integers only; Triton does the same.
    if (value.kind == Scalar::Kind::Int && !scalarType(argument.spec)->isFloat() && static_cast<uint64_t>(value.integer) % kAlignment == 0)
      spec.divisibility = kAlignment;
  }
  return spec;
}

} // namespace tegula::driver::tools
