// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow and calls of kernels as the operations that the builder is asked for.
#include "frontend/sema/test/recording.h"

#include <gtest/gtest.h>

namespace tegula::frontend {
namespace {

TEST(ControlFlow, EarlyReturnMakesTheRestTheOtherArm) {
  auto outcome = test::compile(R"py(@triton.jit
def k(x, n):
    pid = tl.program_id(0)
    if pid >= n:
        return
    tl.store(x, pid)
)py",
                               "x=*fp32:16 n=i32");
  EXPECT_EQ(outcome.diagnostics, "");
  EXPECT_EQ(outcome.ir, R"(kernel k(%1 x: *fp32:16, %2 n: i32)
  %3 = program_id : i32
  %4 = %3 >= %2 : i1
  if %4
  else
    %5 = store %1, %3
  end
)");
}

TEST(ControlFlow, ReturnsInBothArmsMergeAndPromoteConstants) {
  auto outcome = test::compile(R"py(@triton.jit
def f(a):
    if a > 0:
        if a > 5:
            return 1.5
        a = a + 1
    return a.to(tl.float32)
@triton.jit
def k(x, n):
    tl.store(x, f(n))
)py",
                               "x=*fp32 n=i32");
  EXPECT_EQ(outcome.diagnostics, "");
  EXPECT_EQ(outcome.ir, R"(kernel k(%1 x: *fp32, %2 n: i32)
  %3 = 0 : i32
  %4 = %2 > %3 : i1
  if %4
    %5 = 5 : i32
    %6 = %2 > %5 : i1
    if %6
      %10 = 1.5 : fp32
    else
      %11 = 1 : i32
      %12 = %2 + %11 : i32
      %13 = cast %12 : fp32
    %14 = end (%10) (%13)
  else
    %15 = cast %2 : fp32
  %16 = end (%14) (%15)
  %17 = store %1, %16
)");
}

TEST(ControlFlow, ReturnInTheSecondArmBuildsTheRestInTheFirst) {
  auto outcome = test::compile(R"py(@triton.jit
def k(x, n):
    if n > 0:
        n = n + 1
    else:
        return
    tl.store(x, n)
)py",
                               "x=*fp32 n=i32");
  EXPECT_EQ(outcome.diagnostics, "");
  EXPECT_EQ(outcome.ir, R"(kernel k(%1 x: *fp32, %2 n: i32)
  %3 = 0 : i32
  %4 = %2 > %3 : i1
  if %4
    %7 = 1 : i32
    %8 = %2 + %7 : i32
    %9 = store %1, %8
  else
  end
)");
}

TEST(ControlFlow, NamesOfBothArmsMerge) {
  auto outcome = test::compile(R"py(@triton.jit
def k(x, n):
    a = n
    if n > 0:
        a = n + 1
        b = 1
    else:
        b = 2
    tl.store(x, a + b)
)py",
                               "x=*fp32 n=i32");
  EXPECT_EQ(outcome.diagnostics, "");
  EXPECT_EQ(outcome.ir, R"(kernel k(%1 x: *fp32, %2 n: i32)
  %3 = 0 : i32
  %4 = %2 > %3 : i1
  if %4
    %5 = 1 : i32
    %6 = %2 + %5 : i32
    %7 = 1 : i32
  else
    %8 = 2 : i32
  %9, %10 = end (%6, %7) (%2, %8)
  %11 = %9 + %10 : i32
  %12 = store %1, %11
)");
}

TEST(ControlFlow, ConstantConditionVisitsOneSide) {
  auto outcome = test::compile(R"py(@triton.jit
def k(x, m, B: tl.constexpr):
    if m is not None and m.nonsense:
        raise ValueError("never")
    elif B > 8:
        tl.store(x, B)
    else:
        undefined_function()
    y = 1 if B == 16 else undefined_name
)py",
                               "x=*fp32 m=none -D B=16");
  EXPECT_EQ(outcome.diagnostics, "");
  EXPECT_EQ(outcome.ir, R"(kernel k(%1 x: *fp32)
  %2 = 16 : i32
  %3 = store %1, %2
  %4 = 1 : i32
)");
}

TEST(ControlFlow, LoopCarriesWhatItChanges) {
  auto outcome = test::compile(R"py(@triton.jit
def k(x, n, B: tl.constexpr):
    acc = tl.zeros((B,), dtype=tl.float32)
    count = 0
    fixed = n * 2
    for i in range(0, n, B):
        acc += tl.load(x + i + tl.arange(0, B))
        if fixed > i:
            count += 1
    tl.store(x + count, acc)
)py",
                               "x=*fp32 n=i32 -D B=16");
  EXPECT_EQ(outcome.diagnostics, "");
  EXPECT_EQ(outcome.ir, R"(kernel k(%1 x: *fp32, %2 n: i32)
  %3 = zeros : fp32[16]
  %4 = 0 : i32
  %5 = 2 : i32
  %6 = %2 * %5 : i32
  %7 = 0 : i32
  %8 = 16 : i32
  for %9 = %7 to %2 step %8 carry %10, %11 = %3, %4
    %12 = %1 + %9 : *fp32
    %13 = arange : i32[16]
    %14 = %12 + %13 : *fp32[16]
    %15 = load %14 : fp32[16]
    %16 = %10 + %15 : fp32[16]
    %17 = %6 > %9 : i1
    if %17
      %18 = 1 : i32
      %19 = %11 + %18 : i32
    else
    %20 = end (%19) (%11)
  %21, %22 = end %16, %20
  %23 = %1 + %22 : *fp32
  %24 = store %23, %21
)");
}

TEST(ControlFlow, LoopOptionsAndCountingDown) {
  auto outcome = test::compile(R"py(@triton.jit
def k(x, n):
    for i in tl.range(n, 0, -2, num_stages=3, flatten=True):
        tl.store(x, i)
)py",
                               "x=*fp32 n=i32");
  EXPECT_EQ(outcome.diagnostics, "");
  EXPECT_EQ(outcome.ir, R"(kernel k(%1 x: *fp32, %2 n: i32)
  %3 = 0 : i32
  %4 = 2 : i32
  for %5 = %3 to %2 step %4 stages 3 flatten
    %6 = sub %2, %5
    %7 = add %6, %3
    %8 = store %1, %7
  end
)");
}

TEST(ControlFlow, ConstantThatTheLoopChangesIsCarried) {
  auto outcome = test::compile(R"py(@triton.jit
def k(x, n):
    while n < 10:
        n += 3
    tl.store(x, n)
)py",
                               "x=*fp32 n=1");
  EXPECT_EQ(outcome.diagnostics, "");
  EXPECT_EQ(outcome.ir, R"(kernel k(%1 x: *fp32)
  %4 = 1 : i32
  while carry %5 = %4
    %6 = 10 : i32
    %7 = %5 < %6 : i1
  do %7 with %8
    %9 = 3 : i32
    %10 = %8 + %9 : i32
  %11 = end %10
  %12 = store %1, %11
)");
}

TEST(ControlFlow, WhileCarriesTuples) {
  auto outcome = test::compile(R"py(@triton.jit
def k(x, n):
    t = (n, (1, n))
    while t[0] > 0:
        t = (t[0] - 1, (t[1][1], t[1][0]))
    tl.store(x, t[1][0])
)py",
                               "x=*fp32 n=i32");
  EXPECT_EQ(outcome.diagnostics, "");
  EXPECT_EQ(outcome.ir, R"(kernel k(%1 x: *fp32, %2 n: i32)
  %3 = 1 : i32
  while carry %4, %5, %6 = %2, %3, %2
    %7 = 0 : i32
    %8 = %4 > %7 : i1
  do %8 with %9, %10, %11
    %12 = 1 : i32
    %13 = %9 - %12 : i32
  %14, %15, %16 = end %13, %11, %10
  %17 = store %1, %15
)");
}

TEST(ControlFlow, StaticRangeUnrollsWithReturns) {
  auto outcome = test::compile(R"py(@triton.jit
def k(x, n):
    for i in tl.static_range(2):
        if n == i:
            return
        tl.store(x + i, n)
    tl.store(x, i)
)py",
                               "x=*fp32 n=i32");
  EXPECT_EQ(outcome.diagnostics, "");
  EXPECT_EQ(outcome.ir, R"(kernel k(%1 x: *fp32, %2 n: i32)
  %3 = 0 : i32
  %4 = %2 == %3 : i1
  if %4
  else
    %5 = 0 : i32
    %6 = %1 + %5 : *fp32
    %7 = store %6, %2
    %8 = 1 : i32
    %9 = %2 == %8 : i1
    if %9
    else
      %10 = 1 : i32
      %11 = %1 + %10 : *fp32
      %12 = store %11, %2
      %13 = 1 : i32
      %14 = store %1, %13
    end
  end
)");
}

TEST(ControlFlow, ConditionalExpression) {
  auto outcome = test::compile(R"py(@triton.jit
def k(x, n):
    a = 1 if n > 2 else n
    b = n if n > 2 else 7
    tl.store(x, a + b)
)py",
                               "x=*fp32 n=i32");
  EXPECT_EQ(outcome.diagnostics, "");
  EXPECT_EQ(outcome.ir, R"(kernel k(%1 x: *fp32, %2 n: i32)
  %3 = 2 : i32
  %4 = %2 > %3 : i1
  if %4
    %5 = 1 : i32
  else
  %6 = end (%5) (%2)
  %7 = 2 : i32
  %8 = %2 > %7 : i1
  if %8
  else
    %9 = 7 : i32
  %10 = end (%2) (%9)
  %11 = %6 + %10 : i32
  %12 = store %1, %11
)");
}

TEST(ControlFlow, HelpersAreInlinedAndNoInlineOnesBuiltOnce) {
  auto outcome = test::compile(R"py(@triton.jit(noinline=True)
def f(a, b):
    return a + b, b
@triton.jit
def g(a, F: tl.constexpr, *rest):
    return F(a, 3)[0] + rest[0]
@triton.jit
def k(x, n):
    tl.store(x, g(n, f, 4))
    tl.store(x, g(a=n, F=f) if False else g(n + 1, f, 5))
)py",
                               "x=*fp32 n=i32");
  EXPECT_EQ(outcome.diagnostics, "");
  EXPECT_EQ(outcome.ir, R"(kernel k(%1 x: *fp32, %2 n: i32)
  function f(%3 a: i32)
    %4 = 3 : i32
    %5 = %3 + %4 : i32
    return %5
  %6 = call f(%2)
  %7 = 4 : i32
  %8 = %6 + %7 : i32
  %9 = store %1, %8
  %10 = 1 : i32
  %11 = %2 + %10 : i32
  %12 = call f(%11)
  %13 = 5 : i32
  %14 = %12 + %13 : i32
  %15 = store %1, %14
)");
}

TEST(ControlFlow, BuiltinsOfPythonInKernels) {
  auto outcome = test::compile(R"py(@triton.jit
def k(x, n, B: tl.constexpr):
    w: tl.constexpr = [i * 2 for i in range(B) if i != 1]
    s: tl.constexpr = f"{B}-{len(w)}"
    tl.store(x, min(n, w[2]))
    assert n > 0, s
    if (y := n + 1) > 2:
        tl.store(x, y)
    for j in (1, 2):
        v: tl.constexpr = [j + q for q in range(B)]
        tl.store(x, max(v[0], B))
)py",
                               "x=*fp32 n=i32 -D B=4");
  EXPECT_EQ(outcome.diagnostics, "");
  EXPECT_EQ(outcome.ir, R"(kernel k(%1 x: *fp32, %2 n: i32)
  %3 = 6 : i32
  %4 = min %2, %3 : i32
  %5 = store %1, %4
  %6 = 0 : i32
  %7 = %2 > %6 : i1
  %8 = assert %7 '4-3'
  %9 = 1 : i32
  %10 = %2 + %9 : i32
  %11 = 2 : i32
  %12 = %10 > %11 : i1
  if %12
    %13 = store %1, %10
  else
  end
  %14 = 4 : i32
  %15 = store %1, %14
  %16 = 4 : i32
  %17 = store %1, %16
)");
}

TEST(ControlFlow, RunTimeValuesForConstexprsAreOrdinary) {
  auto outcome = test::compile(R"py(@triton.jit
def f(X: tl.constexpr, Y: tl.constexpr = None):
    return X if Y is None else X + Y
@triton.jit
def k(x, n):
    a: tl.constexpr = n * 2
    b: tl.constexpr = 3
    b = min(a, b)
    tl.store(x, f(a) + f(1, b))
)py",
                               "x=*fp32 n=i32");
  EXPECT_EQ(outcome.diagnostics, "");
  EXPECT_EQ(outcome.ir, R"(kernel k(%1 x: *fp32, %2 n: i32)
  %3 = 2 : i32
  %4 = %2 * %3 : i32
  %5 = 3 : i32
  %6 = min %4, %5 : i32
  %7 = 1 : i32
  %8 = %7 + %6 : i32
  %9 = %4 + %8 : i32
  %10 = store %1, %9
)");
}

} // namespace
} // namespace tegula::frontend
