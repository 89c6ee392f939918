// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise ops: verification and exact folds. Transcendental functions are never folded.
#include "middle/ir/math_ops.h"

#include "mlir/Dialect/CommonFolders.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

#define GET_OP_CLASSES
#include "middle/ir/math_ops.cpp.inc"

using namespace mlir;

namespace tegula::middle::tile {
namespace {

/// Functions of two arguments are numbered from here in KIR.
constexpr uint32_t kFirstBinaryFunction = 128;

bool isBinary(MathFunction function) { return static_cast<uint32_t>(function) >= kFirstBinaryFunction; }

} // namespace

void TileDialect::registerMathOps() {
  addOperations<
#define GET_OP_LIST
#include "middle/ir/math_ops.cpp.inc"
      >();
}

OpFoldResult MulHiUIOp::fold(FoldAdaptor adaptor) {
  return constFoldBinaryOp<IntegerAttr>(adaptor.getOperands(), [](const APInt &a, const APInt &b) {
    unsigned width = a.getBitWidth();
    return (a.zext(2 * width) * b.zext(2 * width)).lshr(width).trunc(width);
  });
}

OpFoldResult MulHiSIOp::fold(FoldAdaptor adaptor) {
  return constFoldBinaryOp<IntegerAttr>(adaptor.getOperands(), [](const APInt &a, const APInt &b) {
    unsigned width = a.getBitWidth();
    return (a.sext(2 * width) * b.sext(2 * width)).lshr(width).trunc(width);
  });
}

OpFoldResult Bits1Op::fold(FoldAdaptor adaptor) {
  BitFunction function = getFunction();
  return constFoldUnaryOp<IntegerAttr>(adaptor.getOperands(), [function](const APInt &value) {
    unsigned width = value.getBitWidth();
    switch (function) {
    case BitFunction::Popcount:
      return APInt(width, value.popcount(), false, /*implicitTrunc=*/true);
    case BitFunction::Clz:
      return APInt(width, value.countl_zero(), false, /*implicitTrunc=*/true);
    case BitFunction::Ffs:
      return APInt(width, value.isZero() ? 0 : value.countr_zero() + 1, false, /*implicitTrunc=*/true);
    case BitFunction::Brev:
      return value.reverseBits();
    case BitFunction::Not:
      return ~value;
    }
    llvm_unreachable("all cases are handled");
  });
}

OpFoldResult FpCastOp::fold(FoldAdaptor adaptor) {
  Type from = getElementTypeOrSelf(getValue()), to = getElementTypeOrSelf(getType());
  if (from == to)
    return getValue();
  // Widening is exact; NaNs keep what the target makes of them. Narrowing constants is exact only where nothing is
  // lost.
  const llvm::fltSemantics &semantics = cast<FloatType>(to).getFloatSemantics();
  return constFoldCastOp<FloatAttr, FloatAttr>(adaptor.getOperands(), getType(), [&](const APFloat &value, bool &ok) {
    APFloat result = value;
    bool losesInfo = false;
    result.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
    ok = ok && !losesInfo && value.isFinite();
    return result;
  });
}

LogicalResult Math1Op::verify() {
  if (isBinary(getFunction()))
    return emitOpError() << "'" << stringifyMathFunction(getFunction()) << "' takes two arguments";
  return success();
}

LogicalResult Math2Op::verify() {
  if (!isBinary(getFunction()))
    return emitOpError() << "'" << stringifyMathFunction(getFunction()) << "' takes one argument";
  return success();
}

LogicalResult ClassifyOp::inferReturnTypes(MLIRContext *context, std::optional<Location>, ClassifyOp::Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  types.push_back(withShapeOf(adaptor.getValue().getType(), IntegerType::get(context, 1)));
  return success();
}

} // namespace tegula::middle::tile
