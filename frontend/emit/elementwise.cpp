// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic, comparisons, mathematics and conversions.

#include "frontend/emit/builder_impl.h"

#include "middle/ir/math_ops.h"
#include "middle/ir/memory_ops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace tegula::frontend::emit {

namespace tile = middle::tile;
namespace arith = mlir::arith;

IrValue TileBuilder::binary(BinaryOp op, IrValue lhs, IrValue rhs) {
  mlir::Value a = unwrap(lhs), b = unwrap(rhs);
  switch (op) {
  case BinaryOp::AddI:
    return impl->result<arith::AddIOp>(a, b);
  case BinaryOp::SubI:
    return impl->result<arith::SubIOp>(a, b);
  case BinaryOp::MulI:
    return impl->result<arith::MulIOp>(a, b);
  case BinaryOp::DivSI:
    return impl->result<arith::DivSIOp>(a, b);
  case BinaryOp::DivUI:
    return impl->result<arith::DivUIOp>(a, b);
  case BinaryOp::RemSI:
    return impl->result<arith::RemSIOp>(a, b);
  case BinaryOp::RemUI:
    return impl->result<arith::RemUIOp>(a, b);
  case BinaryOp::AndI:
    return impl->result<arith::AndIOp>(a, b);
  case BinaryOp::OrI:
    return impl->result<arith::OrIOp>(a, b);
  case BinaryOp::XorI:
    return impl->result<arith::XOrIOp>(a, b);
  case BinaryOp::ShlI:
    return impl->result<arith::ShLIOp>(a, b);
  case BinaryOp::ShrSI:
    return impl->result<arith::ShRSIOp>(a, b);
  case BinaryOp::ShrUI:
    return impl->result<arith::ShRUIOp>(a, b);
  case BinaryOp::MinSI:
    return impl->result<arith::MinSIOp>(a, b);
  case BinaryOp::MaxSI:
    return impl->result<arith::MaxSIOp>(a, b);
  case BinaryOp::MinUI:
    return impl->result<arith::MinUIOp>(a, b);
  case BinaryOp::MaxUI:
    return impl->result<arith::MaxUIOp>(a, b);
  case BinaryOp::MulHiUI:
    return impl->result<tile::MulHiUIOp>(a, b);
  case BinaryOp::MulHiSI:
    return impl->result<tile::MulHiSIOp>(a, b);
  case BinaryOp::AddF:
    return impl->result<arith::AddFOp>(a, b);
  case BinaryOp::SubF:
    return impl->result<arith::SubFOp>(a, b);
  case BinaryOp::MulF:
    return impl->result<arith::MulFOp>(a, b);
  case BinaryOp::DivF:
    return impl->result<arith::DivFOp>(a, b);
  case BinaryOp::DivFRn:
    return impl->result<tile::DivFRnOp>(a, b);
  case BinaryOp::RemF:
    return impl->result<arith::RemFOp>(a, b);
  case BinaryOp::MinNumF:
    return impl->result<arith::MinNumFOp>(a, b);
  case BinaryOp::MaxNumF:
    return impl->result<arith::MaxNumFOp>(a, b);
  case BinaryOp::MinimumF:
    return impl->result<arith::MinimumFOp>(a, b);
  case BinaryOp::MaximumF:
    return impl->result<arith::MaximumFOp>(a, b);
  }
  llvm_unreachable("unknown binary operation");
}

IrValue TileBuilder::compare(CmpOp op, IrValue lhs, IrValue rhs) {
  mlir::Value a = unwrap(lhs), b = unwrap(rhs);
  if (mlir::isa<tile::PtrType>(mlir::getElementTypeOrSelf(a.getType()))) {
    a = unwrap(pointerToInt(lhs));
    b = unwrap(pointerToInt(rhs));
  }
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  switch (op) {
  case CmpOp::Oeq:
    return impl->result<arith::CmpFOp>(F::OEQ, a, b);
  case CmpOp::Une:
    return impl->result<arith::CmpFOp>(F::UNE, a, b);
  case CmpOp::Olt:
    return impl->result<arith::CmpFOp>(F::OLT, a, b);
  case CmpOp::Ole:
    return impl->result<arith::CmpFOp>(F::OLE, a, b);
  case CmpOp::Ogt:
    return impl->result<arith::CmpFOp>(F::OGT, a, b);
  case CmpOp::Oge:
    return impl->result<arith::CmpFOp>(F::OGE, a, b);
  case CmpOp::Eq:
    return impl->result<arith::CmpIOp>(I::eq, a, b);
  case CmpOp::Ne:
    return impl->result<arith::CmpIOp>(I::ne, a, b);
  case CmpOp::Slt:
    return impl->result<arith::CmpIOp>(I::slt, a, b);
  case CmpOp::Sle:
    return impl->result<arith::CmpIOp>(I::sle, a, b);
  case CmpOp::Sgt:
    return impl->result<arith::CmpIOp>(I::sgt, a, b);
  case CmpOp::Sge:
    return impl->result<arith::CmpIOp>(I::sge, a, b);
  case CmpOp::Ult:
    return impl->result<arith::CmpIOp>(I::ult, a, b);
  case CmpOp::Ule:
    return impl->result<arith::CmpIOp>(I::ule, a, b);
  case CmpOp::Ugt:
    return impl->result<arith::CmpIOp>(I::ugt, a, b);
  case CmpOp::Uge:
    return impl->result<arith::CmpIOp>(I::uge, a, b);
  }
  llvm_unreachable("unknown comparison");
}

IrValue TileBuilder::unary(UnaryOp op, IrValue value) {
  mlir::Value v = unwrap(value);
  switch (op) {
  case UnaryOp::NegF:
    return impl->result<arith::NegFOp>(v);
  case UnaryOp::AbsF:
    return impl->result<mlir::math::AbsFOp>(v);
  case UnaryOp::AbsI:
    return impl->result<mlir::math::AbsIOp>(v);
  case UnaryOp::Floor:
    return impl->result<mlir::math::FloorOp>(v);
  case UnaryOp::Ceil:
    return impl->result<mlir::math::CeilOp>(v);
  }
  llvm_unreachable("unknown unary operation");
}

IrValue TileBuilder::fma(IrValue a, IrValue b, IrValue c) { return impl->result<mlir::math::FmaOp>(unwrap(a), unwrap(b), unwrap(c)); }

IrValue TileBuilder::select(IrValue condition, IrValue onTrue, IrValue onFalse) {
  return impl->result<arith::SelectOp>(unwrap(condition), unwrap(onTrue), unwrap(onFalse));
}

IrValue TileBuilder::math(std::string_view function, std::span<const IrValue> args) {
  auto which = tile::symbolizeMathFunction(llvm::StringRef(function.data(), function.size()));
  assert(which && "no such mathematical function");
  mlir::Type type = unwrap(args[0]).getType();
  if (args.size() == 1)
    return impl->result<tile::Math1Op>(type, *which, unwrap(args[0]));
  return impl->result<tile::Math2Op>(type, *which, unwrap(args[0]), unwrap(args[1]));
}

IrValue TileBuilder::bits(std::string_view function, IrValue value) {
  auto which = tile::symbolizeBitFunction(llvm::StringRef(function.data(), function.size()));
  assert(which && "no such function on bits");
  return impl->result<tile::Bits1Op>(unwrap(value).getType(), *which, unwrap(value));
}

IrValue TileBuilder::classify(std::string_view test, IrValue value) {
  auto which = tile::symbolizeFloatClass(llvm::StringRef(test.data(), test.size()));
  assert(which && "no such class of floats");
  mlir::Value v = unwrap(value);
  return impl->result<tile::ClassifyOp>(tile::withShapeOf(v.getType(), impl->builder.getI1Type()), *which, v);
}

IrValue TileBuilder::extendInt(IrValue value, const Type &to, bool isSigned) {
  mlir::Value v = unwrap(value);
  mlir::Type type = impl->typeLike(v, to);
  return isSigned ? impl->result<arith::ExtSIOp>(type, v) : impl->result<arith::ExtUIOp>(type, v);
}

IrValue TileBuilder::truncateInt(IrValue value, const Type &to) {
  return impl->result<arith::TruncIOp>(impl->typeLike(unwrap(value), to), unwrap(value));
}

IrValue TileBuilder::intToFloat(IrValue value, const Type &to, bool isSigned) {
  mlir::Value v = unwrap(value);
  mlir::Type type = impl->typeLike(v, to);
  return isSigned ? impl->result<arith::SIToFPOp>(type, v) : impl->result<arith::UIToFPOp>(type, v);
}

IrValue TileBuilder::floatToInt(IrValue value, const Type &to, bool isSigned) {
  mlir::Value v = unwrap(value);
  mlir::Type type = impl->typeLike(v, to);
  return isSigned ? impl->result<arith::FPToSIOp>(type, v) : impl->result<arith::FPToUIOp>(type, v);
}

IrValue TileBuilder::floatToFloat(IrValue value, const Type &to, Rounding rounding) {
  mlir::Value v = unwrap(value);
  bool isToZero = rounding == Rounding::Rtz;
  // What GPUs do: PTX's cvt.rn.satfinite, and CDNA's conversions with FP16_OVFL set.
  return impl->result<tile::FpCastOp>(impl->typeLike(v, to), v, isToZero ? tile::Rounding::Rtz : tile::Rounding::Rtne,
                                      /*saturate=*/to.isFp8() && !isToZero);
}

IrValue TileBuilder::bitcast(IrValue value, const Type &to) {
  mlir::Value v = unwrap(value);
  mlir::Type type = impl->typeLike(v, to);
  if (type == v.getType())
    return value;
  if (mlir::isa<tile::PtrType>(mlir::getElementTypeOrSelf(type)))
    return impl->result<tile::BitcastOp>(type, v);
  return impl->result<arith::BitcastOp>(type, v);
}

IrValue TileBuilder::pointerToInt(IrValue value) {
  mlir::Value v = unwrap(value);
  return impl->result<tile::PtrToIntOp>(tile::withShapeOf(v.getType(), impl->builder.getI64Type()), v);
}

IrValue TileBuilder::intToPointer(IrValue value, const Type &to) {
  return impl->result<tile::IntToPtrOp>(impl->typeLike(unwrap(value), to), unwrap(value));
}

} // namespace tegula::frontend::emit
