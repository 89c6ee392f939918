// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuzzing KIR, for libFuzzer. Bytes are read and verified, and what is accepted goes to text and back; input that begins with "kir " is parsed.
// The mutator knows that files are words and keeps the header's length right, so that most inputs get past the header; it begins with the examples.

#include "kir_instructions.h"
#include "sdk/kir/kir.h"
#include "sdk/kir/kir_examples.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

namespace {

using Bytes = std::vector<uint8_t>;

/// Ends the run where something that must hold does not.
void require(bool holds) {
  if (!holds)
    abort();
}

bool parse(const std::string &text, Bytes &out) {
  uint8_t *bytes = nullptr;
  size_t size = 0;
  tegula_kir_error_t error{};
  int32_t status = tegula_kir_parse(text.data(), text.size(), nullptr, &bytes, &size, &error);
  require(status == error.code && (status == TEGULA_KIR_OK) == (bytes != nullptr));
  out.assign(bytes, bytes + size);
  free(bytes);
  return status == TEGULA_KIR_OK;
}

/// Reads; the text of what was read, or nothing. Whether it verifies, in `verified`.
std::string printed(const Bytes &bytes, bool &verified) {
  tegula_kir_module_t *module = nullptr;
  tegula_kir_error_t error{};
  int32_t status = tegula_kir_read(bytes.data(), bytes.size(), nullptr, &module, &error);
  require(status == error.code && (status == TEGULA_KIR_OK) == (module != nullptr));
  verified = false;
  if (!module)
    return {};
  for (uint32_t i = 0; i < module->inst_count; ++i) {
    tegula_kir_place_t place;
    tegula_kir_get_place(module, module->insts[i].loc, &place);
  }
  status = tegula_kir_verify(module, &error);
  require(status == error.code);
  verified = status == TEGULA_KIR_OK;
  size_t length = 0;
  char *text = tegula_kir_print(module, &length);
  require(text != nullptr);
  std::string result(text, length);
  tegula_kir_free_text(module, text, length);
  tegula_kir_free(module);
  return result;
}

void fromBytes(const Bytes &bytes) {
  bool verified = false, again = false;
  std::string text = printed(bytes, verified);
  Bytes back;
  if (!verified)
    return;
  // The text has neither skipped extensions nor unused ids, so its bytes may be fewer; their text is the same.
  require(parse(text, back));
  require(printed(back, again) == text && again);
}

Bytes example(std::mt19937 &random) {
  constexpr size_t kCount = std::size(tegula::kir_examples::kBodies);
  size_t n = random() % (kCount + 2);
  std::string text = n < kCount ? tegula::kir_examples::module(tegula::kir_examples::kBodies[n])
                                : (n == kCount ? tegula::kir_examples::rich() : tegula::kir_examples::described());
  if (random() % 8 == 0)
    return Bytes(text.begin(), text.end());
  Bytes bytes;
  require(parse(text, bytes));
  return bytes;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Bytes bytes(data, data + size);
  if (size >= 4 && std::memcmp(data, "kir ", 4) == 0 && !parse(std::string(bytes.begin(), bytes.end()), bytes))
    return 0;
  fromBytes(bytes);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  std::mt19937 random(seed);
  if (size < 24 || random() % 64 == 0) {
    Bytes bytes = example(random);
    size = std::min(bytes.size(), maxSize);
    std::memcpy(data, bytes.data(), size);
    return size;
  }
  if (std::memcmp(data, "kir ", 4) == 0 || random() % 16 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  size_t words = size / 4, at = 6 + random() % std::max<size_t>(words - 6, 1);
  uint32_t value = random() % 4 ? random() % 160 : static_cast<uint32_t>(random());
  switch (random() % 4) {
  case 0: // a word more or less
    if (random() % 2 && (words + 1) * 4 <= maxSize && at <= words) {
      std::memmove(data + at * 4 + 4, data + at * 4, (words - at) * 4);
      ++words;
    } else if (at < words) {
      std::memmove(data + at * 4, data + at * 4 + 4, (words - at - 1) * 4);
      --words;
    }
    break;
  case 1: // a word from elsewhere
    if (at < words)
      std::memmove(data + at * 4, data + random() % words * 4, 4);
    break;
  default:
    if (at < words)
      std::memcpy(data + at * 4, &value, 4);
  }
  uint32_t count = static_cast<uint32_t>(words);
  std::memcpy(data + 16, &count, 4);
  return words * 4;
}
