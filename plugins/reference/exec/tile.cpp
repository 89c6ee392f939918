// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tile pool.
#include "plugins/reference/exec/tile.h"

#include <algorithm>
#include <bit>
#include <new>

namespace tegula::plugins::reference {

Tile *TilePool::take(size_t bytes) {
  const uint32_t sizeClass = uint32_t(std::bit_width(std::max<size_t>(bytes, 64) - 1));
  Tile *tile = free[sizeClass];
  if (tile) {
    free[sizeClass] = tile->next;
  } else {
    tile = new (::operator new(sizeof(Tile) + (size_t(1) << sizeClass), std::align_val_t(alignof(Tile)))) Tile;
    tile->pool = this;
    tile->sizeClass = sizeClass;
  }
  tile->references = 1;
  tile->origins = {};
  return tile;
}

TilePool::~TilePool() {
  for (Tile *tile : free) {
    while (tile) {
      Tile *next = tile->next;
      ::operator delete(tile, std::align_val_t(alignof(Tile)));
      tile = next;
    }
  }
}

} // namespace tegula::plugins::reference
