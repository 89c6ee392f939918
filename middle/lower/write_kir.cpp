// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module: its launch shape, its functions, and the functions made of combine regions.
#include "middle/lower/write_kir.h"

#include "middle/ir/dialect.h"
#include "middle/lower/kir_writer.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tegula::middle::lower {
namespace {

uint32_t moduleNumber(ModuleOp module, StringRef name) {
  auto number = module->getAttrOfType<IntegerAttr>(name);
  return number ? number.getInt() : 0;
}

void writeParameter(KirWriter &writer, BlockArgument argument, StringRef name, uint64_t divisibility, bool isConst) {
  uint32_t type = writer.type(argument.getType(), argument.getLoc());
  uint32_t flags = isConst ? TEGULA_KIR_PARAM_FLAGS_CONST_POINTER : TEGULA_KIR_PARAM_FLAGS_NONE;
  writer.define(argument, tegula_kir_emit_func_param(writer.kir, type, name.data(), name.size(), divisibility, flags));
}

LogicalResult writeFunction(KirWriter &writer, func::FuncOp function) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return function.emitError() << "[M1004] function '" << function.getName() << "' must have a body of one block";
  uint32_t flags = TEGULA_KIR_FUNCTION_FLAGS_NONE;
  if (function->hasAttr("tile.kernel"))
    flags |= TEGULA_KIR_FUNCTION_FLAGS_KERNEL;
  if (function.getNoInline())
    flags |= TEGULA_KIR_FUNCTION_FLAGS_NOINLINE;
  Ids params = writer.types(function.getArgumentTypes(), function.getLoc());
  Ids results = writer.types(function.getResultTypes(), function.getLoc());
  if (writer.failed)
    return failure();
  StringRef name = function.getName();
  tegula_kir_writer_begin_function(
      writer.kir, writer.function(function.getSymNameAttr()),
      tegula_kir_writer_function(writer.kir, params.data(), params.size(), results.data(), results.size()), name.data(),
      name.size(), flags);
  for (BlockArgument argument : function.getArguments()) {
    unsigned index = argument.getArgNumber();
    auto name = function.getArgAttrOfType<StringAttr>(index, "tile.name");
    auto divisibility = function.getArgAttrOfType<IntegerAttr>(index, "tile.divisibility");
    writeParameter(writer, argument, name ? name.getValue() : StringRef(), divisibility ? divisibility.getInt() : 1,
                   bool(function.getArgAttr(index, "tile.const")));
  }
  if (failed(writer.block(function.getBody().front())))
    return failure();
  tegula_kir_emit_func_end(writer.kir);
  return success();
}

LogicalResult writeCombine(KirWriter &writer, Operation *op) {
  Block &body = op->getRegion(0).front();
  Ids params = writer.types(body.getArgumentTypes(), op->getLoc());
  uint32_t count = params.size() / 2;
  StringRef name = "combine";
  tegula_kir_writer_begin_function(
      writer.kir, writer.combineFunction(op),
      tegula_kir_writer_function(writer.kir, params.data(), params.size(), params.data(), count), name.data(),
      name.size(), TEGULA_KIR_FUNCTION_FLAGS_NONE);
  for (BlockArgument argument : body.getArguments())
    writeParameter(writer, argument, {}, 1, false);
  if (failed(writer.block(body)))
    return failure();
  tegula_kir_emit_func_end(writer.kir);
  return success();
}

} // namespace

LogicalResult writeKir(ModuleOp module, KirLevel level, std::vector<uint8_t> &out) {
  KirWriter writer(static_cast<uint32_t>(level));
  StringRef producer = "tegula";
  tegula_kir_emit_module_producer(writer.kir, producer.data(), producer.size());
  tegula_kir_emit_module_launch(writer.kir, moduleNumber(module, "tile.num_warps"),
                                moduleNumber(module, "tile.num_stages"), moduleNumber(module, "tile.num_ctas"),
                                moduleNumber(module, "tile.max_registers"));
  for (Operation &op : *module.getBody()) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function)
      return op.emitError() << "[M1001] operation '" << op.getName() << "' has no counterpart in kernel IR";
    if (failed(writeFunction(writer, function)))
      return failure();
  }
  for (size_t i = 0; i < writer.combining.size(); ++i)
    if (failed(writeCombine(writer, writer.combining[i])))
      return failure();

  const uint8_t *bytes;
  size_t size;
  tegula_kir_error_t error = {};
  if (tegula_kir_writer_finish(writer.kir, &bytes, &size, &error) != TEGULA_KIR_OK)
    return module.emitError() << "[M1005] " << error.message;
  out.assign(bytes, bytes + size);
  return success();
}

} // namespace tegula::middle::lower
