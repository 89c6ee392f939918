// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions that move elements without computing: splat, broadcast, transpose, join, split, concat, gather; and
// histogram.
#include "plugins/reference/exec/executor.h"
#include "plugins/reference/exec/taint.h"

#include <cstring>

namespace tegula::plugins::reference {

namespace {

template <class T> void moveRow(T *result, const T *source, uint32_t n, uint32_t stride) {
  if (stride == 1) {
    std::memcpy(result, source, n * sizeof(T));
  } else if (stride == 0) {
    const T value = *source;
    for (uint32_t i = 0; i < n; ++i)
      result[i] = value;
  } else {
    for (uint32_t i = 0; i < n; ++i)
      result[i] = source[size_t(i) * stride];
  }
}

template <class T> void moveMapped(const IndexMap &map, T *result, const T *source, uint32_t dim) {
  if (dim + 1 == map.rank)
    return moveRow(result, source, map.dims[dim], map.strides[dim]);
  size_t block = 1;
  for (uint32_t i = dim + 1; i < map.rank; ++i)
    block *= map.dims[i];
  for (uint32_t i = 0; i < map.dims[dim]; ++i)
    moveMapped(map, result + i * block, source + size_t(i) * map.strides[dim], dim + 1);
}

void moveMapped(const IndexMap &map, uint32_t width, void *result, const void *source) {
  switch (width) {
  case 1:
    return moveMapped(map, static_cast<uint8_t *>(result), static_cast<const uint8_t *>(source), 0);
  case 2:
    return moveMapped(map, static_cast<uint16_t *>(result), static_cast<const uint16_t *>(source), 0);
  case 4:
    return moveMapped(map, static_cast<uint32_t *>(result), static_cast<const uint32_t *>(source), 0);
  default:
    return moveMapped(map, static_cast<uint64_t *>(result), static_cast<const uint64_t *>(source), 0);
  }
}

/// Makes the result from operand 0 and its taint alike: `move(result, source, width)` moves elements of a width.
template <class Move>
void moveWithTaint(Executor &ex, const Instruction &inst, uint32_t resultIndex, const Value &source, Move move) {
  Value result{ex.takeFor(*inst.type), {}};
  move(result.data->data(), source.data->data(), inst.type->width());
  if (source.taint) {
    result.taint = ex.take(inst.type->count);
    move(result.taint->data(), source.taint->data(), 1u);
    result.taint->origins = source.taint->origins;
  }
  ex.result(inst, resultIndex) = std::move(result);
}

/// The same for two operands whose elements meet in the result: `move(result, lhs, rhs, width)`.
template <class Move> void moveTwoWithTaint(Executor &ex, const Instruction &inst, Move move) {
  const Value &a = ex.operand(inst, 0), &b = ex.operand(inst, 1);
  Value result{ex.takeFor(*inst.type), {}};
  move(result.data->data(), a.data->data(), b.data->data(), inst.type->width());
  if (a.taint || b.taint) {
    const size_t n = inst.type->count / 2;
    const TileRef left = a.taint ? a.taint : cleanTaint(ex, n), right = b.taint ? b.taint : cleanTaint(ex, n);
    result.taint = ex.take(inst.type->count);
    move(result.taint->data(), left->data(), right->data(), 1u);
    mergeOrigins(result.taint.operator->(), left.operator->());
    mergeOrigins(result.taint.operator->(), right.operator->());
  }
  ex.result(inst) = std::move(result);
}

} // namespace

void runSplat(Executor &ex, const Instruction &inst) {
  const size_t n = inst.type->count;
  moveWithTaint(ex, inst, 0, ex.operand(inst, 0), [n](uint8_t *result, const uint8_t *source, uint32_t width) {
    fillElements(width, result, source, n);
  });
}

/// `map` says from where each element comes.
void runIndexMap(Executor &ex, const Instruction &inst) {
  moveWithTaint(ex, inst, 0, ex.operand(inst, 0), [&](uint8_t *result, const uint8_t *source, uint32_t width) {
    moveMapped(*inst.map, width, result, source);
  });
}

void runJoin(Executor &ex, const Instruction &inst) {
  const size_t n = inst.type->count / 2;
  moveTwoWithTaint(ex, inst, [n](uint8_t *result, const uint8_t *a, const uint8_t *b, uint32_t width) {
    for (size_t i = 0; i < n; ++i) {
      std::memcpy(result + 2 * i * width, a + i * width, width);
      std::memcpy(result + (2 * i + 1) * width, b + i * width, width);
    }
  });
}

void runSplit(Executor &ex, const Instruction &inst) {
  const Value source = ex.operand(inst, 0);
  for (uint32_t half = 0; half < 2; ++half)
    moveWithTaint(ex, inst, half, source, [&](uint8_t *result, const uint8_t *from, uint32_t width) {
      for (size_t i = 0; i < inst.type->count; ++i)
        std::memcpy(result + i * width, from + (2 * i + half) * width, width);
    });
}

/// Immediate 0: the axis.
void runConcat(Executor &ex, const Instruction &inst) {
  const AxisView view(*inst.operandType, uint32_t(inst.immediates[0]));
  moveTwoWithTaint(ex, inst, [&](uint8_t *result, const uint8_t *a, const uint8_t *b, uint32_t width) {
    const size_t block = view.length * view.inner * width;
    for (size_t i = 0; i < view.outer; ++i) {
      std::memcpy(result + 2 * i * block, a + i * block, block);
      std::memcpy(result + (2 * i + 1) * block, b + i * block, block);
    }
  });
}

namespace {
int64_t indexAt(const Value &index, Kind kind, size_t i) {
  switch (byteWidth(kind)) {
  case 1:
    return index.data.as<int8_t>()[i];
  case 2:
    return index.data.as<int16_t>()[i];
  case 4:
    return index.data.as<int32_t>()[i];
  default:
    return index.data.as<int64_t>()[i];
  }
}
} // namespace

/// Operands: source, index. Immediates: the axis, the kind of the index. An index outside of the source is a finding
/// and gives zero.
void runGather(Executor &ex, const Instruction &inst) {
  const uint32_t axis = uint32_t(inst.immediates[0]), width = inst.type->width();
  const Kind indexKind = Kind(inst.immediates[1]);
  const AxisView from(*inst.operandType, axis), to(*inst.type, axis);
  const Value &source = ex.operand(inst, 0), &index = ex.operand(inst, 1);
  Value result{ex.takeFor(*inst.type), {}};
  if (source.taint || index.taint) {
    result.taint = cleanTaint(ex, inst.type->count);
    for (const Value *value : {&source, &index})
      if (value->taint)
        mergeOrigins(result.taint.operator->(), value->taint.operator->());
  }
  for (size_t i = 0; i < inst.type->count; ++i) {
    const int64_t at = indexAt(index, indexKind, i);
    uint8_t *element = result.data->data() + i * width;
    if (at < 0 || uint64_t(at) >= from.length) {
      std::memset(element, 0, width);
      ex.report(FindingKind::OutOfBoundsRead, inst, 0, [&](Finding &finding) {
        finding.message =
            "gather reads index " + std::to_string(at) + " of a dimension of " + std::to_string(from.length);
      });
      continue;
    }
    const size_t place = (i / (to.length * to.inner) * from.length + size_t(at)) * from.inner + i % to.inner;
    std::memcpy(element, source.data->data() + place * width, width);
    if (result.taint)
      result.taint->data()[i] = uint8_t((source.taint ? source.taint->data()[place] : 0) |
                                        (index.taint ? index.taint->data()[i] & kUninitialised : 0));
  }
  ex.result(inst) = std::move(result);
}

/// Operands: values, mask. Immediate 0: the kind of the values.
void runHistogram(Executor &ex, const Instruction &inst) {
  const Kind kind = Kind(inst.immediates[0]);
  const Value &values = ex.operand(inst, 0);
  const Value *mask = ex.hasOperand(inst, 1) ? &ex.operand(inst, 1) : nullptr;
  const uint32_t bins = inst.type->count, width = inst.type->width();
  std::vector<uint64_t> counts(bins);
  for (size_t i = 0; i < inst.operandType->count; ++i) {
    if (mask) {
      ex.checkInitialised(inst, *mask, i, "a mask");
      if (!mask->data->data()[i])
        continue;
    }
    ex.checkInitialised(inst, values, i, "a histogram's bin");
    const uint64_t bin = uint64_t(indexAt(values, kind, i));
    if (bin < bins)
      ++counts[bin];
  }
  TileRef tile = ex.takeFor(*inst.type);
  for (uint32_t i = 0; i < bins; ++i)
    std::memcpy(tile->data() + size_t(i) * width, &counts[i], width);
  ex.result(inst) = {std::move(tile), {}};
}

} // namespace tegula::plugins::reference
