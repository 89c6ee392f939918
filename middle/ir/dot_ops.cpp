// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products: verification.
#include "middle/ir/dot_ops.h"

#include "mlir/IR/Builders.h"

#define GET_OP_CLASSES
#include "middle/ir/dot_ops.cpp.inc"

using namespace mlir;

namespace tegula::middle::tile {

void TileDialect::registerDotOps() {
  addOperations<
#define GET_OP_LIST
#include "middle/ir/dot_ops.cpp.inc"
      >();
}

LogicalResult DotOp::verify() {
  auto lhs = cast<RankedTensorType>(getLhs().getType()), rhs = cast<RankedTensorType>(getRhs().getType()),
       sum = cast<RankedTensorType>(getType());
  int64_t rank = lhs.getRank();
  if (rank < 2 || rank > 3 || rhs.getRank() != rank || sum.getRank() != rank)
    return emitOpError() << "operands must all be of rank 2 or all of rank 3";
  auto a = lhs.getShape(), b = rhs.getShape(), c = sum.getShape();
  if (rank == 3 && (a[0] != b[0] || a[0] != c[0]))
    return emitOpError() << "batch sizes " << a[0] << ", " << b[0] << " and " << c[0] << " differ";
  if (a[rank - 1] != b[rank - 2])
    return emitOpError() << "inner sizes " << a[rank - 1] << " and " << b[rank - 2] << " differ";
  if (c[rank - 2] != a[rank - 2] || c[rank - 1] != b[rank - 1])
    return emitOpError() << "accumulator must be " << a[rank - 2] << "x" << b[rank - 1] << ", not " << c[rank - 2]
                         << "x" << c[rank - 1];
  bool isFloat = isa<FloatType>(sum.getElementType());
  if (isFloat != isa<FloatType>(lhs.getElementType()) || isFloat != isa<FloatType>(rhs.getElementType()))
    return emitOpError() << "mixes integers and floats";
  return success();
}

} // namespace tegula::middle::tile
