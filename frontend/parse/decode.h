// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source encodings: byte order mark and coding declaration (PEP 263).
#pragma once

#include "frontend/source/source_buffer.h"

#include <memory>
#include <string>

namespace tegula::frontend {

/// The source as UTF-8 (the same buffer where it is already); null with `error` where its encoding is unknown or the bytes do not fit it.
std::shared_ptr<const SourceBuffer> decodeSource(const std::shared_ptr<const SourceBuffer> &source, std::string &error);

} // namespace tegula::frontend
