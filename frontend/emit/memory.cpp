// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers, loads, stores, atomics, and effects that only people see.

#include "frontend/emit/builder_impl.h"

#include "middle/ir/memory_ops.h"
#include "middle/ir/program_ops.h"

namespace tegula::frontend::emit {

namespace tile = middle::tile;

/// Both sides list KIR's cases in one order; theirs may begin at 1.
static tile::MemoryOrder order(MemoryOrder o) {
  switch (o) {
  case MemoryOrder::Relaxed:
    return tile::MemoryOrder::Relaxed;
  case MemoryOrder::Acquire:
    return tile::MemoryOrder::Acquire;
  case MemoryOrder::Release:
    return tile::MemoryOrder::Release;
  case MemoryOrder::AcqRel:
    return tile::MemoryOrder::AcqRel;
  }
  llvm_unreachable("unknown memory order");
}

static tile::MemoryScope scope(MemoryScope s) {
  return s == MemoryScope::Cta ? tile::MemoryScope::Cta : s == MemoryScope::Gpu ? tile::MemoryScope::Gpu : tile::MemoryScope::Sys;
}

static tile::AtomicOperation operation(AtomicOp op) {
  switch (op) {
  case AtomicOp::And:
    return tile::AtomicOperation::And;
  case AtomicOp::Or:
    return tile::AtomicOperation::Or;
  case AtomicOp::Xor:
    return tile::AtomicOperation::Xor;
  case AtomicOp::Add:
    return tile::AtomicOperation::Add;
  case AtomicOp::FAdd:
    return tile::AtomicOperation::Fadd;
  case AtomicOp::Max:
    return tile::AtomicOperation::Max;
  case AtomicOp::Min:
    return tile::AtomicOperation::Min;
  case AtomicOp::UMax:
    return tile::AtomicOperation::Umax;
  case AtomicOp::UMin:
    return tile::AtomicOperation::Umin;
  case AtomicOp::Xchg:
    return tile::AtomicOperation::Xchg;
  }
  llvm_unreachable("unknown atomic operation");
}

static tile::CacheModifier cacheOf(CacheModifier c) { return static_cast<tile::CacheModifier>(c); }
static tile::EvictionPolicy evictionOf(EvictionPolicy e) { return static_cast<tile::EvictionPolicy>(e); }
static_assert(static_cast<int>(CacheModifier::Wt) == static_cast<int>(tile::CacheModifier::Wt));
static_assert(static_cast<int>(EvictionPolicy::EvictLast) == static_cast<int>(tile::EvictionPolicy::EvictLast));

IrValue TileBuilder::addPointer(IrValue pointer, IrValue offset, bool offsetIsUnsigned) {
  mlir::Value p = unwrap(pointer);
  return impl->result<tile::AddPtrOp>(p.getType(), p, unwrap(offset), offsetIsUnsigned);
}

IrValue TileBuilder::load(IrValue pointer, IrValue mask, IrValue other, CacheModifier cache, EvictionPolicy eviction, bool isVolatile) {
  return impl->result<tile::LoadOp>(unwrap(pointer), unwrap(mask), unwrap(other), cacheOf(cache), evictionOf(eviction), isVolatile);
}

void TileBuilder::store(IrValue pointer, IrValue value, IrValue mask, CacheModifier cache, EvictionPolicy eviction) {
  impl->create<tile::StoreOp>(unwrap(pointer), unwrap(value), unwrap(mask), cacheOf(cache), evictionOf(eviction));
}

IrValue TileBuilder::atomicRmw(AtomicOp op, IrValue pointer, IrValue value, IrValue mask, MemoryOrder o, MemoryScope s) {
  mlir::Value v = unwrap(value);
  return impl->result<tile::AtomicRmwOp>(v.getType(), operation(op), order(o), scope(s), unwrap(pointer), v, unwrap(mask));
}

IrValue TileBuilder::atomicCas(IrValue pointer, IrValue compare, IrValue value, MemoryOrder o, MemoryScope s) {
  mlir::Value v = unwrap(value);
  return impl->result<tile::AtomicCasOp>(v.getType(), order(o), scope(s), unwrap(pointer), unwrap(compare), v);
}

void TileBuilder::barrier() { impl->create<tile::BarrierOp>(); }

void TileBuilder::print(std::string_view prefix, bool hex, std::span<const IrValue> values, std::span<const uint32_t> isSigned) {
  llvm::SmallVector<int32_t> flags(isSigned.begin(), isSigned.end());
  impl->create<tile::PrintOp>(llvm::StringRef(prefix.data(), prefix.size()), unwrap(values), flags, hex);
}

void TileBuilder::assertTrue(IrValue condition, IrValue mask, std::string_view message) {
  impl->create<tile::AssertOp>(unwrap(condition), unwrap(mask), llvm::StringRef(message.data(), message.size()));
}

void TileBuilder::assume(IrValue condition) { impl->create<tile::AssumeOp>(unwrap(condition)); }

} // namespace tegula::frontend::emit
