// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `--arg NAME=SPEC` of `tegula run` says: a buffer from a file or made up, a scalar, or nothing. docs/command-line.md has the forms.
#pragma once

#include "driver/session/npy.h"
#include "driver/session/option_text.h"

namespace tegula::driver {

/// A scalar as it was written. Integers keep all 64 bits; `big` tells those above the signed range.
struct Scalar {
  enum class Kind : uint8_t { Bool, Int, Float } kind = Kind::Int;
  int64_t integer = 0;
  bool big = false;
  double number = 0;
};

struct ValueSpec {
  enum class Kind : uint8_t { File, Zeros, Full, Random, Empty, Same, Scalar, None } kind = Kind::None;
  std::string path;                  ///< File
  std::string same;                  ///< Same: the argument whose buffer this is
  const ElementType *type = nullptr; ///< of the elements, or of the scalar; null where it follows from the value (or from the buffer)
  std::vector<int64_t> shape;
  Scalar scalar;                     ///< Scalar, and the value of Full
  uint64_t seed = 0;
  int64_t offset = 0; ///< in elements

  bool isBuffer() const { return kind < Kind::Scalar; }
};

/// nullopt after an error that points into the text.
std::optional<ValueSpec> parseValueSpec(const OptionText &text, base::DiagnosticSink &sink);

/// The array a spec stands for (not for Same, Scalar and None). `Empty` has zeros in it, which nobody is to rely on.
/// With `shapeOnly` it has no memory (unless it comes from a file).
std::optional<Array> makeArray(const ValueSpec &spec, const OptionText &text, base::DiagnosticSink &sink, bool shapeOnly = false);

/// The type that Triton gives an argument of this value: the stated one, u1, fp32, or the first of i32, i64, u64 that holds it.
const ElementType *scalarType(const ValueSpec &spec);
/// The bits of a scalar in its type, in the low bytes.
uint64_t scalarBits(const Scalar &scalar, const ElementType &type);
/// The scalar as Python would write it.
std::string scalarText(const Scalar &scalar);
/// A number, true, false, inf or nan (Python's and C's spellings); nullopt where it is none.
std::optional<Scalar> parseScalar(std::string_view text);

} // namespace tegula::driver
