// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types, places, values and blocks.
#include "middle/lower/kir_writer.h"

#include "middle/ir/dialect.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula::middle::lower {
namespace {

uint32_t floatFormat(FloatType type) {
  return llvm::TypeSwitch<FloatType, uint32_t>(type)
      .Case([](Float16Type) { return TEGULA_KIR_FLOAT_FORMAT_F16; })
      .Case([](BFloat16Type) { return TEGULA_KIR_FLOAT_FORMAT_BF16; })
      .Case([](Float32Type) { return TEGULA_KIR_FLOAT_FORMAT_F32; })
      .Case([](Float64Type) { return TEGULA_KIR_FLOAT_FORMAT_F64; })
      .Case([](Float8E4M3FNType) { return TEGULA_KIR_FLOAT_FORMAT_F8E4M3FN; })
      .Case([](Float8E5M2Type) { return TEGULA_KIR_FLOAT_FORMAT_F8E5M2; })
      .Case([](Float8E4M3FNUZType) { return TEGULA_KIR_FLOAT_FORMAT_F8E4M3FNUZ; })
      .Case([](Float8E5M2FNUZType) { return TEGULA_KIR_FLOAT_FORMAT_F8E5M2FNUZ; })
      .Default([](FloatType) { return 0; });
}

/// Whether KIR has tensors of this shape.
bool isTile(RankedTensorType tensor) {
  return tensor.hasStaticShape() && !tensor.getEncoding() && tensor.getRank() >= 1 &&
         tensor.getRank() <= int64_t(TEGULA_KIR_LIMIT_MAX_RANK) &&
         tensor.getNumElements() <= int64_t(TEGULA_KIR_LIMIT_MAX_TENSOR_ELEMENTS) &&
         llvm::all_of(tensor.getShape(), [](int64_t size) { return llvm::isPowerOf2_64(size); });
}

} // namespace

Ids KirWriter::ids(ValueRange range) const {
  return llvm::map_to_vector(range, [&](Value value) { return id(value); });
}

uint32_t KirWriter::type(Type type, Location where) {
  if (auto it = typeIds.find(type); it != typeIds.end())
    return it->second;
  uint32_t id = 0;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    unsigned width = integer.getWidth();
    if (integer.isSignless() && (width == 1 || width == 8 || width == 16 || width == 32 || width == 64))
      id = tegula_kir_writer_int(kir, width);
  } else if (auto number = dyn_cast<FloatType>(type)) {
    if (uint32_t format = floatFormat(number))
      id = tegula_kir_writer_float(kir, format);
  } else if (auto pointer = dyn_cast<tile::PtrType>(type)) {
    if (uint32_t element = this->type(pointer.getElementType(), where))
      id = tegula_kir_writer_pointer(kir, element, static_cast<uint32_t>(pointer.getSpace()));
    else
      return 0;
  } else if (auto tensor = dyn_cast<RankedTensorType>(type); tensor && isTile(tensor)) {
    uint32_t element = this->type(tensor.getElementType(), where);
    if (!element)
      return 0;
    Ids shape(tensor.getShape().begin(), tensor.getShape().end());
    id = tegula_kir_writer_tensor(kir, element, shape.data(), shape.size());
  }
  if (!id) {
    emitError(where) << "[M1002] type " << type << " has no counterpart in kernel IR";
    failed = true;
    return 0;
  }
  typeIds[type] = id;
  return id;
}

Ids KirWriter::types(TypeRange range, Location where) {
  return llvm::map_to_vector(range, [&](Type t) { return type(t, where); });
}

void KirWriter::define(Value value, uint32_t id) {
  values[value] = id;
  if (auto name = dyn_cast<NameLoc>(value.getLoc()))
    tegula_kir_emit_debug_name(kir, id, name.getName().data(), name.getName().size());
}

bool KirWriter::defineResult(Operation *op, uint32_t id) {
  define(op->getResult(0), id);
  return true;
}

bool KirWriter::defineResults(Operation *op, ArrayRef<uint32_t> ids) {
  for (auto [result, id] : llvm::zip_equal(op->getResults(), ids))
    define(result, id);
  return true;
}

Ids KirWriter::defineArguments(ValueRange arguments) {
  Ids pairs;
  for (Value argument : arguments) {
    pairs.push_back(type(argument.getType(), argument.getLoc()));
    pairs.push_back(values[argument] = tegula_kir_writer_new_id(kir));
  }
  return pairs;
}

uint32_t KirWriter::function(StringAttr symbol) {
  uint32_t &id = functions[symbol];
  return id ? id : id = tegula_kir_writer_new_id(kir);
}

uint32_t KirWriter::combineFunction(Operation *op) {
  uint32_t &id = combineFunctions[op];
  if (!id) {
    id = tegula_kir_writer_new_id(kir);
    combining.push_back(op);
  }
  return id;
}

uint32_t KirWriter::place(Location location, uint32_t inlinedAt) {
  auto key = std::make_pair(Attribute(location), inlinedAt);
  if (auto it = places.find(key); it != places.end())
    return it->second;
  uint32_t id = llvm::TypeSwitch<LocationAttr, uint32_t>(location)
                    .Case([&](FileLineColRange range) {
                      StringRef file = range.getFilename();
                      return tegula_kir_writer_place(
                          kir, file.data(), file.size(), range.getStartLine(), range.getStartColumn(),
                          range.getEndLine() == range.getStartLine() ? range.getEndColumn() : 0, inlinedAt);
                    })
                    .Case([&](CallSiteLoc call) { return place(call.getCallee(), place(call.getCaller(), inlinedAt)); })
                    .Case([&](NameLoc name) { return place(name.getChildLoc(), inlinedAt); })
                    .Case([&](FusedLoc fused) {
                      for (Location part : fused.getLocations())
                        if (uint32_t known = place(part, inlinedAt))
                          return known;
                      return 0u;
                    })
                    .Default([](LocationAttr) { return 0u; });
  return places[key] = id;
}

LogicalResult KirWriter::block(Block &block) {
  for (Operation &op : block) {
    tegula_kir_writer_set_place(kir, place(op.getLoc()));
    if (!writeElementwise(*this, &op) && !writeMath(*this, &op) && !writeShape(*this, &op) &&
        !writeMemory(*this, &op) && !writeProgram(*this, &op) && !writeCollective(*this, &op) &&
        !writeControl(*this, &op)) {
      op.emitError() << "[M1001] operation '" << op.getName() << "' has no counterpart in kernel IR";
      failed = true;
    }
    if (failed)
      return failure();
  }
  return success();
}

} // namespace tegula::middle::lower
