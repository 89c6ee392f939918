// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A handle to a value of the tile IR that needs no MLIR header, so that the evaluator builds quickly.
#pragma once

namespace tegula::frontend::emit {

/// An mlir::Value as an opaque pointer. Valid as long as the TileBuilder that made it.
struct IrValue {
  void *impl = nullptr;
  explicit operator bool() const { return impl != nullptr; }
  bool operator==(const IrValue &other) const = default;
};

} // namespace tegula::frontend::emit
