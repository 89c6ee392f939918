// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NumPy's .npy files, versions 1 to 3, in C order and little-endian.
#pragma once

#include "driver/session/bytes.h"
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
  Bytes bytes;

  /// Elements, and bytes, of the shape; the memory may not be there yet.
  uint64_t count() const {
    uint64_t product = 1;
    for (int64_t size : shape)
      product *= static_cast<uint64_t>(size);
    return product;
  }
  uint64_t byteCount() const { return count() * type->bytes; }
};

/// Reads a file; `reinterpret` (may be null) is the type that its integers stand for. `named` is where the file was asked for.
std::optional<Array> readNpy(const std::string &path, const ElementType *reinterpret, base::DiagnosticSink &sink, const base::SourceRange &named = {});
/// The error for an array of so many bytes that memory is short for, at `where`.
std::nullopt_t failOfMemory(uint64_t bytes, const base::SourceRange &where, base::DiagnosticSink &sink);
/// What stands before the elements of an array in a file.
std::string npyHead(const Array &array);
/// Reads a file as it is.
std::optional<std::string> readFile(const std::string &path, base::DiagnosticSink &sink);

/// Product of a shape, or nullopt where an entry is negative or the product has more than 2^48 elements.
std::optional<uint64_t> elementCount(const std::vector<int64_t> &shape);

} // namespace tegula::driver
