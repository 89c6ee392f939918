// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect: registration, inlining, checks of the attributes that functions, arguments, modules and loops carry.
#include "middle/ir/dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"

#include "middle/ir/dialect.cpp.inc"

using namespace mlir;

namespace tegula::middle::tile {
namespace {

/// Any tile op may be inlined anywhere: reduce and scan see nothing from outside.
struct TileInliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Operation *, bool) const final { return true; }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};

bool isPowerOfTwo(int64_t value) { return value > 0 && (value & (value - 1)) == 0; }

} // namespace

void TileDialect::initialize() {
  registerTypesAndAttributes();
  registerProgramOps();
  registerShapeOps();
  registerMemoryOps();
  registerMathOps();
  registerCollectiveOps();
  registerDotOps();
  addInterfaces<TileInliner>();
}

Operation *TileDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  if (auto poison = dyn_cast<ub::PoisonAttrInterface>(value))
    return ub::PoisonOp::create(builder, loc, type, poison);
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

LogicalResult TileDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName().strref();
  auto wrong = [&](const Twine &what) { return op->emitOpError() << "attribute '" << name << "' " << what.str(); };
  bool isUnit = isa<UnitAttr>(attribute.getValue());
  if (name == "tile.kernel") {
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (!isUnit || !function)
      return wrong("must be a unit attribute of a function");
    if (function.getNumResults())
      return op->emitOpError() << "is a kernel and returns values";
    return success();
  }
  if (name == "tile.flatten" || name == "tile.warp_specialize" || name == "tile.disallow_acc_multi_buffer" ||
      name == "tile.disable_licm")
    return isUnit && isa<scf::ForOp>(op) ? success() : wrong("must be a unit attribute of 'scf.for'");
  auto number = dyn_cast<IntegerAttr>(attribute.getValue());
  bool isI32 = number && number.getType().isSignlessInteger(32) && number.getInt() >= 0;
  if (name == "tile.unroll")
    return isI32 && isa<scf::ForOp>(op) ? success() : wrong("must be an i32 of 'scf.for'");
  if (name == "tile.num_stages")
    return isI32 && isa<scf::ForOp, ModuleOp>(op) ? success() : wrong("must be an i32 of 'scf.for' or of a module");
  if (name == "tile.num_warps" || name == "tile.num_ctas")
    return isI32 && isa<ModuleOp>(op) && isPowerOfTwo(number.getInt())
               ? success()
               : wrong("must be a power of two (i32) of a module");
  if (name == "tile.max_registers")
    return isI32 && isa<ModuleOp>(op) ? success() : wrong("must be an i32 of a module");
  return wrong("is unknown");
}

LogicalResult TileDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned argument,
                                                    NamedAttribute attribute) {
  StringRef name = attribute.getName().strref();
  auto wrong = [&](StringRef what) {
    return op->emitOpError() << "argument " << argument << ": attribute '" << name << "' " << what;
  };
  if (name == "tile.divisibility") {
    auto number = dyn_cast<IntegerAttr>(attribute.getValue());
    return number && number.getType().isSignlessInteger(64) && number.getInt() > 0 ? success()
                                                                                   : wrong("must be a positive i64");
  }
  if (name == "tile.name")
    return isa<StringAttr>(attribute.getValue()) ? success() : wrong("must be a string");
  if (name == "tile.const")
    return isa<UnitAttr>(attribute.getValue()) ? success() : wrong("must be a unit attribute");
  return wrong("is unknown");
}

void registerTileDialects(DialectRegistry &registry) {
  registry
      .insert<TileDialect, arith::ArithDialect, func::FuncDialect, math::MathDialect, scf::SCFDialect, ub::UBDialect>();
  func::registerInlinerExtension(registry);
}

} // namespace tegula::middle::tile
