// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pointer type, the enumeration attributes, and questions about shapes that the op families share.
#include "middle/ir/dialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

#include "middle/ir/enums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "middle/ir/types.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "middle/ir/attributes.cpp.inc"

using namespace mlir;

namespace tegula::middle::tile {

void TileDialect::registerTypesAndAttributes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "middle/ir/types.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "middle/ir/attributes.cpp.inc"
      >();
}

LogicalResult PtrType::verify(function_ref<InFlightDiagnostic()> emitError, Type elementType, AddressSpace) {
  if (elementType.isSignlessInteger() || isa<FloatType, PtrType>(elementType))
    return success();
  return emitError() << "a pointer's element must be a signless integer, a float or a pointer, not " << elementType;
}

bool haveSameShape(Type a, Type b) {
  auto left = dyn_cast<RankedTensorType>(a), right = dyn_cast<RankedTensorType>(b);
  if (!left || !right)
    return !left && !right;
  return left.getShape() == right.getShape();
}

Type withShapeOf(Type like, Type element) {
  auto tensor = dyn_cast<RankedTensorType>(like);
  return tensor ? RankedTensorType::get(tensor.getShape(), element) : element;
}

Type getPointeeType(Type pointer) {
  auto element = dyn_cast<PtrType>(getElementTypeOrSelf(pointer));
  return element ? withShapeOf(pointer, element.getElementType()) : Type();
}

} // namespace tegula::middle::tile
