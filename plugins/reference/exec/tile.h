// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Run-time values. A value is a tile (its elements, contiguous, row-major; a scalar is a tile of one element) and, only
// where there is something to say, a second tile with one byte of taint per element. Tiles are immutable once they are
// the value of something, so that values share them; they come from a pool of one worker thread and return to it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace tegula::plugins::reference {

/// What may be wrong with an element; a tile of these accompanies a value that has any.
enum TaintBit : uint8_t {
  kUninitialised = 1, ///< depends on memory that nobody wrote, or on poison
  kSignedWrap = 2,    ///< 32-bit (or narrower) arithmetic left the signed range on its way here
  kUnsignedWrap = 4,  ///< the same for the unsigned range
  kNonFinite = 8      ///< NaN or infinity that an operation made from finite operands
};

class TilePool;

/// The head of a block of elements; the elements follow it.
struct alignas(64) Tile {
  TilePool *pool;
  Tile *next; ///< in the pool's free list
  uint32_t references;
  uint32_t sizeClass;
  /// In a taint tile: the code locations where uninitialised values, wraps and non-finite values came from (0: none).
  std::array<uint32_t, 3> origins;

  uint8_t *data() { return reinterpret_cast<uint8_t *>(this + 1); }
};

/// Blocks by powers of two, reused last in first out. Not thread-safe: one per worker.
class TilePool {
public:
  TilePool() = default;
  TilePool(const TilePool &) = delete;
  TilePool &operator=(const TilePool &) = delete;
  ~TilePool();

  /// A block of at least `bytes` bytes with one reference; contents arbitrary, origins zero.
  Tile *take(size_t bytes);
  void giveBack(Tile *tile) {
    tile->next = free[tile->sizeClass];
    free[tile->sizeClass] = tile;
  }

private:
  std::array<Tile *, 48> free{};
};

/// Counted reference to a tile of the same thread.
class TileRef {
public:
  TileRef() = default;
  explicit TileRef(Tile *owned) : tile(owned) {}
  TileRef(const TileRef &other) : tile(other.tile) {
    if (tile)
      ++tile->references;
  }
  TileRef(TileRef &&other) noexcept : tile(std::exchange(other.tile, nullptr)) {}
  TileRef &operator=(TileRef other) noexcept {
    std::swap(tile, other.tile);
    return *this;
  }
  ~TileRef() { reset(); }

  void reset() {
    if (tile && --tile->references == 0)
      tile->pool->giveBack(tile);
    tile = nullptr;
  }
  explicit operator bool() const { return tile != nullptr; }
  Tile *operator->() const { return tile; }
  template <class T = uint8_t> T *as() const { return reinterpret_cast<T *>(tile->data()); }

private:
  Tile *tile = nullptr;
};

struct Value {
  TileRef data;
  TileRef taint; ///< null: every element is clean

  void reset() {
    data.reset();
    taint.reset();
  }
  const uint8_t *taintBits() const { return taint ? taint.as() : nullptr; }
};

/// Keeps the origins that `into` has and takes the others of `from`.
inline void mergeOrigins(Tile *into, const Tile *from) {
  for (size_t i = 0; i < into->origins.size(); ++i)
    if (into->origins[i] == 0)
      into->origins[i] = from->origins[i];
}

} // namespace tegula::plugins::reference
