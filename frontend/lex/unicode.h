// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Python needs of Unicode: identifier characters, and the compatibility form (NFKC) of identifiers. Tables are generated when
// building (generate_unicode.py).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tegula::frontend {

/// The first code point of `text` and its length in bytes; U+FFFD and length 1 where it is no UTF-8.
uint32_t decodeUtf8(std::string_view text, size_t &length);
void appendUtf8(std::string &out, uint32_t code);
bool isXidStart(uint32_t code);
bool isXidContinue(uint32_t code);
/// As Python's str.isprintable.
bool isPrintable(uint32_t code);
/// "U+00E9".
std::string codePointName(uint32_t code);
/// Normalisation form KC, which CPython gives names.
std::string normalizeIdentifier(std::string_view name);

} // namespace tegula::frontend
