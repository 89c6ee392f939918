// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers behind `rand:`. Element i of seed s is a function of (s, i) alone:
//   u(k) = splitmix64(s * 0x9E3779B97F4A7C15 + k + 1), r(k) = (u(k) >> 11) * 2^-53
// floats: sqrt(-2 ln(1 - r(2i))) * cos(2 pi r(2i + 1)), standard normal, rounded once to the type;
// integers: u(i) mod 201 - 100 (unsigned ones: u(i) mod 101); bool: the lowest bit of u(i).
#pragma once

#include "driver/session/npy.h"

namespace tegula::driver {

void fillRandom(Array &array, uint64_t seed);

} // namespace tegula::driver
