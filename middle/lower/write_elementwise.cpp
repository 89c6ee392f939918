// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants, arith and the exact part of math.
#include "middle/lower/kir_writer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace tegula::middle::lower {
namespace {

using Unary = uint32_t (*)(tegula_kir_writer_t *, uint32_t type, uint32_t value);
using Binary = uint32_t (*)(tegula_kir_writer_t *, uint32_t type, uint32_t lhs, uint32_t rhs);

template <typename Op> bool unary(KirWriter &w, Operation *op, Unary emit) {
  return isa<Op>(op) && w.defineResult(op, emit(w.kir, w.resultType(op), w.id(op->getOperand(0))));
}

template <typename Op> bool binary(KirWriter &w, Operation *op, Binary emit) {
  return isa<Op>(op) &&
         w.defineResult(op, emit(w.kir, w.resultType(op), w.id(op->getOperand(0)), w.id(op->getOperand(1))));
}

template <typename Op> bool rounding(KirWriter &w, Operation *op, uint32_t function) {
  return isa<Op>(op) &&
         w.defineResult(op, tegula_kir_emit_math1(w.kir, w.resultType(op), w.id(op->getOperand(0)), function));
}

template <typename Op> bool bits(KirWriter &w, Operation *op, uint32_t function) {
  return isa<Op>(op) &&
         w.defineResult(op, tegula_kir_emit_bits1(w.kir, w.resultType(op), w.id(op->getOperand(0)), function));
}

bool constant(KirWriter &w, arith::ConstantOp op) {
  Attribute value = op.getValue();
  if (auto splat = dyn_cast<SplatElementsAttr>(value))
    value = splat.getSplatValue<Attribute>();
  APInt number;
  if (auto integer = dyn_cast<IntegerAttr>(value))
    number = integer.getValue();
  else if (auto real = dyn_cast<FloatAttr>(value))
    number = real.getValue().bitcastToAPInt();
  else {
    op.emitError()
        << "[M1003] constant has no counterpart in kernel IR: only numbers and tensors that repeat one number do";
    w.failed = true;
    return true;
  }
  return w.defineResult(op, tegula_kir_emit_const(w.kir, w.resultType(op), number.getZExtValue()));
}

/// Widening and narrowing as upstream spells it.
bool convert(KirWriter &w, Operation *op, std::optional<arith::RoundingMode> mode) {
  uint32_t rounding = TEGULA_KIR_ROUNDING_RTNE;
  if (mode == arith::RoundingMode::toward_zero)
    rounding = TEGULA_KIR_ROUNDING_RTZ;
  else if (mode && mode != arith::RoundingMode::to_nearest_even)
    return false;
  return w.defineResult(op, tegula_kir_emit_fpcast(w.kir, w.resultType(op), w.id(op->getOperand(0)), rounding, 0));
}

/// Both halves of a product: canonicalisation makes it of a shifted wide product.
bool extendedProduct(KirWriter &w, Operation *op, Binary high) {
  uint32_t type = w.resultType(op), lhs = w.id(op->getOperand(0)), rhs = w.id(op->getOperand(1));
  return w.defineResults(op, {tegula_kir_emit_muli(w.kir, type, lhs, rhs), high(w.kir, type, lhs, rhs)});
}

bool writeArith(KirWriter &w, Operation *op) {
  namespace a = arith;
  if (isa<a::MulUIExtendedOp>(op))
    return extendedProduct(w, op, tegula_kir_emit_mulhui);
  if (isa<a::MulSIExtendedOp>(op))
    return extendedProduct(w, op, tegula_kir_emit_mulhsi);
  if (auto compare = dyn_cast<a::CmpIOp>(op))
    return w.defineResult(op,
                          tegula_kir_emit_cmpi(w.kir, w.resultType(op), w.id(compare.getLhs()), w.id(compare.getRhs()),
                                               static_cast<uint32_t>(compare.getPredicate())));
  if (auto compare = dyn_cast<a::CmpFOp>(op))
    return w.defineResult(op,
                          tegula_kir_emit_cmpf(w.kir, w.resultType(op), w.id(compare.getLhs()), w.id(compare.getRhs()),
                                               static_cast<uint32_t>(compare.getPredicate())));
  if (auto select = dyn_cast<a::SelectOp>(op))
    return w.defineResult(op, tegula_kir_emit_select(w.kir, w.resultType(op), w.id(select.getCondition()),
                                                     w.id(select.getTrueValue()), w.id(select.getFalseValue())));
  if (auto narrow = dyn_cast<a::TruncFOp>(op))
    return convert(w, op, narrow.getRoundingmode());
  if (isa<a::ExtFOp>(op))
    return convert(w, op, std::nullopt);
  return binary<a::AddIOp>(w, op, tegula_kir_emit_addi) || binary<a::SubIOp>(w, op, tegula_kir_emit_subi) ||
         binary<a::MulIOp>(w, op, tegula_kir_emit_muli) || binary<a::DivSIOp>(w, op, tegula_kir_emit_divsi) ||
         binary<a::DivUIOp>(w, op, tegula_kir_emit_divui) || binary<a::RemSIOp>(w, op, tegula_kir_emit_remsi) ||
         binary<a::RemUIOp>(w, op, tegula_kir_emit_remui) || binary<a::AndIOp>(w, op, tegula_kir_emit_andi) ||
         binary<a::OrIOp>(w, op, tegula_kir_emit_ori) || binary<a::XOrIOp>(w, op, tegula_kir_emit_xori) ||
         binary<a::ShLIOp>(w, op, tegula_kir_emit_shli) || binary<a::ShRSIOp>(w, op, tegula_kir_emit_shrsi) ||
         binary<a::ShRUIOp>(w, op, tegula_kir_emit_shrui) || binary<a::MinSIOp>(w, op, tegula_kir_emit_minsi) ||
         binary<a::MaxSIOp>(w, op, tegula_kir_emit_maxsi) || binary<a::MinUIOp>(w, op, tegula_kir_emit_minui) ||
         binary<a::MaxUIOp>(w, op, tegula_kir_emit_maxui) || binary<a::AddFOp>(w, op, tegula_kir_emit_addf) ||
         binary<a::SubFOp>(w, op, tegula_kir_emit_subf) || binary<a::MulFOp>(w, op, tegula_kir_emit_mulf) ||
         binary<a::DivFOp>(w, op, tegula_kir_emit_divf) || binary<a::RemFOp>(w, op, tegula_kir_emit_remf) ||
         binary<a::MinNumFOp>(w, op, tegula_kir_emit_minnumf) || binary<a::MaxNumFOp>(w, op, tegula_kir_emit_maxnumf) ||
         binary<a::MinimumFOp>(w, op, tegula_kir_emit_minimumf) ||
         binary<a::MaximumFOp>(w, op, tegula_kir_emit_maximumf) || unary<a::NegFOp>(w, op, tegula_kir_emit_negf) ||
         unary<a::TruncIOp>(w, op, tegula_kir_emit_trunci) || unary<a::ExtSIOp>(w, op, tegula_kir_emit_extsi) ||
         unary<a::ExtUIOp>(w, op, tegula_kir_emit_extui) || unary<a::SIToFPOp>(w, op, tegula_kir_emit_sitofp) ||
         unary<a::UIToFPOp>(w, op, tegula_kir_emit_uitofp) || unary<a::FPToSIOp>(w, op, tegula_kir_emit_fptosi) ||
         unary<a::FPToUIOp>(w, op, tegula_kir_emit_fptoui) || unary<a::BitcastOp>(w, op, tegula_kir_emit_bitcast);
}

bool writeUpstreamMath(KirWriter &w, Operation *op) {
  if (auto fma = dyn_cast<math::FmaOp>(op))
    return w.defineResult(
        op, tegula_kir_emit_fma(w.kir, w.resultType(op), w.id(fma.getA()), w.id(fma.getB()), w.id(fma.getC())));
  if (auto copy = dyn_cast<math::CopySignOp>(op))
    return w.defineResult(op, tegula_kir_emit_math2(w.kir, w.resultType(op), w.id(copy.getLhs()), w.id(copy.getRhs()),
                                                    TEGULA_KIR_MATH_FUNCTION_COPYSIGN));
  return unary<math::AbsFOp>(w, op, tegula_kir_emit_absf) || unary<math::AbsIOp>(w, op, tegula_kir_emit_absi) ||
         rounding<math::FloorOp>(w, op, TEGULA_KIR_MATH_FUNCTION_FLOOR) ||
         rounding<math::CeilOp>(w, op, TEGULA_KIR_MATH_FUNCTION_CEIL) ||
         rounding<math::TruncOp>(w, op, TEGULA_KIR_MATH_FUNCTION_TRUNC) ||
         rounding<math::RoundOp>(w, op, TEGULA_KIR_MATH_FUNCTION_ROUND) ||
         rounding<math::RoundEvenOp>(w, op, TEGULA_KIR_MATH_FUNCTION_RINT) ||
         bits<math::CountLeadingZerosOp>(w, op, TEGULA_KIR_BIT_FUNCTION_CLZ) ||
         bits<math::CtPopOp>(w, op, TEGULA_KIR_BIT_FUNCTION_POPCOUNT);
}

} // namespace

bool writeElementwise(KirWriter &w, Operation *op) {
  if (auto number = dyn_cast<arith::ConstantOp>(op))
    return constant(w, number);
  if (isa<ub::PoisonOp>(op))
    return w.defineResult(op, tegula_kir_emit_poison(w.kir, w.resultType(op)));
  Dialect *dialect = op->getDialect();
  return (isa_and_nonnull<arith::ArithDialect>(dialect) && writeArith(w, op)) ||
         (isa_and_nonnull<math::MathDialect>(dialect) && writeUpstreamMath(w, op));
}

} // namespace tegula::middle::lower
