// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/session/element_type.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

using namespace tegula::driver;

namespace {
uint64_t encoded(const char *type, double value) {
  uint64_t bits = 0;
  writeNumber(*findElementType(type), value, &bits);
  return bits;
}

TEST(ElementType, bothSpellings) {
  EXPECT_EQ(findElementType("fp32"), findElementType("f32"));
  EXPECT_EQ(findElementType("bool"), findElementType("u1"));
  EXPECT_EQ(findElementType("f33"), nullptr);
  EXPECT_EQ(nearestElementType("bf17"), "bf16");
  EXPECT_EQ(findNumpyType("f4"), findElementType("f32"));
  EXPECT_EQ(findNumpyType("u2"), findElementType("u16")); // and not bf16, which only borrows it
  EXPECT_EQ(findNumpyType("c8"), nullptr);
}

TEST(ElementType, everyNarrowPatternSurvives) {
  for (const char *name : {"f8e5", "f8e4nv", "f8e4b8", "f8e5b16", "f8e4b15", "f16", "bf16"}) {
    const ElementType &type = *findElementType(name);
    for (uint32_t bits = 0; bits < 1u << type.bytes * 8; ++bits) {
      double value = readNumber(type, &bits);
      if (std::isnan(value))
        continue;
      uint32_t back = 0;
      writeNumber(type, value, &back);
      EXPECT_EQ(back, bits) << name;
    }
  }
}

TEST(ElementType, roundsToNearestEven) {
  EXPECT_EQ(encoded("bf16", 1.0 + 0x1p-8), 0x3F80u);             // a tie goes down to even
  EXPECT_EQ(encoded("bf16", 1.0 + 0x3p-8), 0x3F82u);             // and up to even
  EXPECT_EQ(encoded("f16", 65519.0), 0x7BFFu);
  EXPECT_EQ(encoded("f16", 65520.0), 0x7C00u);                   // overflow by rounding
  EXPECT_EQ(encoded("f16", 0x1p-25), 0u);                        // half of the smallest: a tie to zero
  EXPECT_EQ(encoded("f16", 0x1.8p-25), 1u);
  EXPECT_EQ(encoded("f8e4nv", 448.0), 0x7Eu);
  EXPECT_EQ(encoded("f8e4nv", 1e9), 0x7Fu);                      // no infinity: NaN
  EXPECT_EQ(encoded("f8e4b8", -0.0), 0u);                        // no negative zero
  EXPECT_EQ(encoded("f32", 1e-45), 1u);
}

TEST(ElementType, integersKeepTheirSign) {
  int8_t minus = -3;
  EXPECT_EQ(readInteger(*findElementType("i8"), &minus), -3);
  EXPECT_EQ(readInteger(*findElementType("u8"), &minus), 253);
  uint64_t large = ~0ull;
  EXPECT_EQ(readNumber(*findElementType("u64"), &large), 0x1p64);
}
} // namespace
