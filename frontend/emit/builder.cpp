// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules, places, types, functions and constants.

#include "frontend/emit/builder_impl.h"

#include "frontend/source/source_buffer.h"
#include "middle/ir/memory_ops.h"
#include "middle/ir/program_ops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

#include <algorithm>

namespace tegula::frontend::emit {

namespace tile = middle::tile;
using sema::Scalar;

TileBuilder::Impl::Impl(mlir::MLIRContext &context)
    : builder(&context), module(mlir::ModuleOp::create(mlir::UnknownLoc::get(&context))), place(mlir::UnknownLoc::get(&context)) {
  context.loadDialect<tile::TileDialect, mlir::arith::ArithDialect, mlir::math::MathDialect, mlir::scf::SCFDialect, mlir::func::FuncDialect,
                      mlir::ub::UBDialect>();
  builder.setInsertionPointToEnd(module->getBody());
}

TileBuilder::TileBuilder(mlir::MLIRContext &context) : impl(std::make_unique<Impl>(context)) {}
TileBuilder::~TileBuilder() {
  while (!impl->regions.empty())
    abandonRegion();
}

mlir::ModuleOp TileBuilder::module() { return *impl->module; }
void *TileBuilder::release() { return const_cast<void *>(impl->module.release().getAsOpaquePointer()); }

void TileBuilder::setLaunch(uint32_t numWarps, uint32_t numStages, uint32_t numCtas, uint32_t maxRegisters) {
  mlir::ModuleOp module = *impl->module;
  for (auto [name, value] : {std::pair("tile.num_warps", numWarps), std::pair("tile.num_stages", numStages), std::pair("tile.num_ctas", numCtas),
                             std::pair("tile.max_registers", maxRegisters)})
    if (value)
      module->setAttr(name, impl->builder.getI32IntegerAttr(static_cast<int32_t>(value)));
}

// ---- places ----

void TileBuilder::setLocation(const SourceBuffer &source, ast::Range range) {
  if (impl->lastSource == &source && impl->lastRange.begin == range.begin && impl->lastRange.end == range.end)
    return;
  if (impl->lastSource != &source)
    impl->lastFile = impl->builder.getStringAttr(source.path());
  impl->lastSource = &source;
  impl->lastRange = range;
  auto from = source.locate(range.begin), to = source.locate(std::max(range.begin, range.end));
  mlir::Location place = from.line == to.line ? mlir::FileLineColRange::get(impl->lastFile, from.line, from.column, to.column)
                                              : mlir::FileLineColRange::get(impl->lastFile, from.line, from.column, to.line, to.column);
  impl->place = impl->callers.empty() ? place : mlir::CallSiteLoc::get(place, impl->callers.back());
}

void TileBuilder::pushCallSite() {
  impl->callers.push_back(impl->place);
  impl->lastSource = nullptr;
}

void TileBuilder::popCallSite() {
  impl->place = impl->callers.pop_back_val();
  impl->lastSource = nullptr;
}

void TileBuilder::nameValue(IrValue value, std::string_view name) {
  mlir::Value v = unwrap(value);
  // A value keeps its first name, and only one whose place is plain can carry it.
  if (v.getDefiningOp() && !mlir::isa<mlir::NameLoc>(v.getLoc()))
    v.setLoc(mlir::NameLoc::get(impl->builder.getStringAttr(name), v.getLoc()));
}

// ---- types ----

mlir::Type TileBuilder::Impl::scalarType(const Type &t) {
  if (t.pointerDepth) {
    Type pointee = t.pointee();
    // A bool is a byte in memory.
    mlir::Type element = pointee.is(Scalar::Int1) ? builder.getI8Type() : pointee.isVoid() ? builder.getI8Type() : scalarType(pointee);
    return tile::PtrType::get(element, static_cast<tile::AddressSpace>(t.addressSpace));
  }
  switch (t.scalar) {
  case Scalar::Float16:
    return builder.getF16Type();
  case Scalar::BFloat16:
    return builder.getBF16Type();
  case Scalar::Float32:
    return builder.getF32Type();
  case Scalar::Float64:
    return builder.getF64Type();
  case Scalar::Float8E4NV:
    return mlir::Float8E4M3FNType::get(context());
  case Scalar::Float8E5:
    return mlir::Float8E5M2Type::get(context());
  case Scalar::Float8E4B8:
    return mlir::Float8E4M3FNUZType::get(context());
  case Scalar::Float8E5B16:
    return mlir::Float8E5M2FNUZType::get(context());
  case Scalar::Float8E4B15: // its bits; arithmetic on it is refused before it gets here
  case Scalar::Void:
    return builder.getI8Type();
  default:
    return builder.getIntegerType(t.bitWidth());
  }
}

mlir::Type TileBuilder::Impl::type(const Type &t) {
  mlir::Type scalar = scalarType(t);
  return t.shape.empty() ? scalar : mlir::RankedTensorType::get(t.shape, scalar);
}

mlir::Type TileBuilder::Impl::typeLike(mlir::Value like, const Type &scalar) { return tile::withShapeOf(like.getType(), scalarType(scalar)); }

// ---- functions ----

static void addParameters(mlir::OpBuilder &builder, mlir::func::FuncOp function, std::span<const ParameterInfo> parameters) {
  for (auto [i, p] : llvm::enumerate(parameters)) {
    function.setArgAttr(i, "tile.name", builder.getStringAttr(p.name));
    if (p.divisibility > 1)
      function.setArgAttr(i, "tile.divisibility", builder.getI64IntegerAttr(static_cast<int64_t>(p.divisibility)));
    if (p.type.isConst)
      function.setArgAttr(i, "tile.const", builder.getUnitAttr());
  }
}

Values TileBuilder::beginFunction(std::string_view name, std::span<const ParameterInfo> parameters) {
  llvm::SmallVector<mlir::Type> types;
  for (const ParameterInfo &p : parameters)
    types.push_back(impl->type(p.type));
  auto resume = impl->builder.saveInsertionPoint();
  impl->builder.setInsertionPointToEnd(impl->module->getBody());
  auto function = impl->create<mlir::func::FuncOp>(name, impl->builder.getFunctionType(types, {}));
  function.setPrivate();
  mlir::Block *entry = function.addEntryBlock();
  addParameters(impl->builder, function, parameters);
  for (auto [argument, p] : llvm::zip_equal(entry->getArguments(), parameters))
    argument.setLoc(mlir::NameLoc::get(impl->builder.getStringAttr(p.name), impl->place));
  impl->functions.push_back({function, resume});
  impl->builder.setInsertionPointToEnd(entry);
  return wrap(mlir::ValueRange(entry->getArguments()));
}

Values TileBuilder::beginKernel(std::string_view name, std::span<const ParameterInfo> parameters) {
  Values arguments = beginFunction(name, parameters);
  mlir::func::FuncOp function = impl->functions.back().function;
  function.setPublic();
  function->setAttr("tile.kernel", impl->builder.getUnitAttr());
  return arguments;
}

void TileBuilder::endFunction(std::span<const IrValue> results) {
  auto values = unwrap(results);
  impl->create<mlir::func::ReturnOp>(values);
  Impl::OpenFunction open = impl->functions.pop_back_val();
  llvm::SmallVector<mlir::Type> types;
  for (mlir::Value v : values)
    types.push_back(v.getType());
  open.function.setFunctionType(impl->builder.getFunctionType(open.function.getArgumentTypes(), types));
  impl->builder.restoreInsertionPoint(open.resume);
}

Values TileBuilder::call(std::string_view function, std::span<const IrValue> args, std::span<const Type> results) {
  llvm::SmallVector<mlir::Type> types;
  for (const Type &t : results)
    types.push_back(impl->type(t));
  auto call = impl->create<mlir::func::CallOp>(llvm::StringRef(function.data(), function.size()), types, unwrap(args));
  call->setAttr("no_inline", impl->builder.getUnitAttr());
  return wrap(call->getResults());
}

// ---- constants ----

mlir::Value TileBuilder::Impl::constant(mlir::Type type, mlir::Attribute element) {
  auto shaped = mlir::dyn_cast<mlir::RankedTensorType>(type);
  auto value = shaped ? mlir::TypedAttr(mlir::DenseElementsAttr::get(shaped, element)) : mlir::cast<mlir::TypedAttr>(element);
  return create<mlir::arith::ConstantOp>(value);
}

IrValue TileBuilder::constant(const Type &t, uint64_t bits) {
  mlir::Type type = impl->type(t);
  mlir::Type scalar = mlir::getElementTypeOrSelf(type);
  if (mlir::isa<tile::PtrType>(scalar)) {
    mlir::Type address = tile::withShapeOf(type, impl->builder.getI64Type());
    mlir::Value number = impl->constant(address, impl->builder.getI64IntegerAttr(static_cast<int64_t>(bits)));
    return impl->result<tile::IntToPtrOp>(type, number);
  }
  unsigned width = scalar.getIntOrFloatBitWidth();
  llvm::APInt pattern(64, bits);
  pattern = pattern.trunc(width);
  if (auto f = mlir::dyn_cast<mlir::FloatType>(scalar))
    return wrap(impl->constant(type, mlir::FloatAttr::get(f, llvm::APFloat(f.getFloatSemantics(), pattern))));
  return wrap(impl->constant(type, mlir::IntegerAttr::get(scalar, pattern)));
}

IrValue TileBuilder::constantFloat(const Type &t, double value) {
  mlir::Type type = impl->type(t);
  auto f = mlir::cast<mlir::FloatType>(mlir::getElementTypeOrSelf(type));
  llvm::APFloat number(value);
  bool inexact;
  number.convert(f.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  if (t.scalarType().isFp8() && !number.isFinite() && !std::isnan(value)) // as conversions do
    number = llvm::APFloat::getLargest(f.getFloatSemantics(), /*Negative=*/value < 0);
  return wrap(impl->constant(type, mlir::FloatAttr::get(f, number)));
}

IrValue TileBuilder::arange(int32_t start, int32_t end) {
  auto type = mlir::RankedTensorType::get({int64_t(end) - start}, impl->builder.getI32Type());
  return impl->result<tile::ArangeOp>(type, static_cast<uint32_t>(start), static_cast<uint32_t>(end));
}

IrValue TileBuilder::programId(uint32_t axis) { return impl->result<tile::ProgramIdOp>(impl->builder.getI32Type(), axis); }
IrValue TileBuilder::numPrograms(uint32_t axis) { return impl->result<tile::NumProgramsOp>(impl->builder.getI32Type(), axis); }

} // namespace tegula::frontend::emit
