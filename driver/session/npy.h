// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NumPy's .npy files, versions 1 to 3, in C order and little-endian.
#pragma once

#include "driver/session/element_type.h"
#include "sdk/base/diagnostic.h"

#include <optional>
#include <string>
#include <vector>

namespace tegula::driver {

/// An array: `bytes` holds the elements of `type` in C order. `stored` is what a .npy file of it holds (the integers that carry bf16 or fp8).
struct Array {
  const ElementType *type = nullptr;
  std::string stored; ///< NumPy's kind and size: "u2" or "i2" where `type` is bf16
  std::vector<int64_t> shape;
  std::vector<uint8_t> bytes;

  size_t count() const { return type->bytes ? bytes.size() / type->bytes : 0; }
};

/// Reads a file; `reinterpret` (may be null) is the type that its integers stand for.
std::optional<Array> readNpy(const std::string &path, const ElementType *reinterpret, base::DiagnosticSink &sink);
/// What stands before the elements of an array in a file.
std::string npyHead(const Array &array);
/// Reads a file as it is; reading ends early where it does not begin with `mark`, perhaps a device that never ends.
std::optional<std::string> readFile(const std::string &path, base::DiagnosticSink &sink, std::string_view mark = "");

/// Product of a shape, or nullopt where an entry is negative or the product has more than 2^48 elements.
std::optional<uint64_t> elementCount(const std::vector<int64_t> &shape);

} // namespace tegula::driver
