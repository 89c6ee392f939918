// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel may not contain and what does not fit: each error with its code, place, message and help. Line 1 imports the language.
#include "frontend/sema/test/recording.h"

#include <gtest/gtest.h>

namespace tegula::frontend {
namespace {

struct Case {
  const char *name, *source, *arguments, *expected;
};

class KernelErrors : public testing::TestWithParam<Case> {};

TEST_P(KernelErrors, AreNamed) { EXPECT_EQ(test::compile(GetParam().source, GetParam().arguments).diagnostics, GetParam().expected); }

constexpr Case kCases[] = {
    {"Break", R"py(@triton.jit
def k(x, n):
    for i in range(n):
        if i > 2:
            break
)py", "x=*fp32 n=i32",
     R"(F2201 6:13 'break' is not part of the language [put the condition into the loop: 'while i < n and not done']
)"},
    {"Continue", R"py(@triton.jit
def k(x, n):
    for i in range(n):
        continue
)py", "x=*fp32 n=i32",
     R"(F2202 5:9 'continue' is not part of the language [put the rest of the body under an 'if']
)"},
    {"ElseOfALoop", R"py(@triton.jit
def k(x, n):
    for i in range(n):
        pass
    else:
        pass
)py", "x=*fp32 n=i32",
     R"(F2203 7:9 'else' of a loop is not part of the language
)"},
    {"ElseOfAWhile", R"py(@triton.jit
def k(x, n):
    while n > 0:
        n -= 1
    else:
        pass
)py", "x=*fp32 n=i32",
     R"(F2203 7:9 'else' of a loop is not part of the language
)"},
    {"LambdaInAKernel", R"py(@triton.jit
def k(x, n):
    f = lambda a: a
)py", "x=*fp32 n=i32",
     R"(F2204 4:9 lambdas are not part of the language [define a function with @triton.jit]
)"},
    {"NestedFunction", R"py(@triton.jit
def k(x, n):
    def f(a):
        return a
)py", "x=*fp32 n=i32",
     R"(F2205 4:5 nested functions are not part of the language [define the function at module level with @triton.jit]
)"},
    {"ClassInAKernel", R"py(@triton.jit
def k(x, n):
    class C:
        pass
)py", "x=*fp32 n=i32",
     R"(F2206 4:5 classes inside a kernel are not part of the language
)"},
    {"DictInAKernel", R"py(@triton.jit
def k(x, n):
    d = {1: 2}
)py", "x=*fp32 n=i32",
     R"(F2207 4:9 dicts, sets and generators are not part of the language
)"},
    {"NestedComprehension", R"py(@triton.jit
def k(x, n):
    d = [a for a in (1, 2) for b in (1, 2)]
)py", "x=*fp32 n=i32",
     R"(F2207 4:9 a list comprehension in a kernel has one 'for'
)"},
    {"Try", R"py(@triton.jit
def k(x, n):
    try:
        pass
    except ValueError:
        pass
)py", "x=*fp32 n=i32",
     R"(F2208 4:5 'try' is not part of the language
)"},
    {"RaiseThatIsReached", R"py(@triton.jit
def k(x, n):
    raise ValueError('no')
)py", "x=*fp32 n=i32",
     R"(F2209 4:5 the kernel raises 'ValueError('no')' for these constants
)"},
    {"ImportInAKernel", R"py(@triton.jit
def k(x, n):
    import math
)py", "x=*fp32 n=i32",
     R"(F2210 4:5 imports inside a kernel are not part of the language [import at the top of the file]
)"},
    {"GlobalInAKernel", R"py(@triton.jit
def k(x, n):
    global q
)py", "x=*fp32 n=i32",
     R"(F2211 4:5 'global' and 'nonlocal' are not part of the language
)"},
    {"DelInAKernel", R"py(@triton.jit
def k(x, n):
    del n
)py", "x=*fp32 n=i32",
     R"(F2213 4:5 'del' is not part of the language
)"},
    {"MatchInAKernel", R"py(@triton.jit
def k(x, n):
    match 1:
        case 1:
            pass
)py", "x=*fp32 n=i32",
     R"(F2214 4:5 'match' is not part of the language [use 'if' and 'elif']
)"},
    {"MembershipOfATensor", R"py(@triton.jit
def k(x, n):
    if n in (1, 2):
        pass
)py", "x=*fp32 n=i32",
     R"(F2215 4:8 'in' needs values that are known when compiling
)"},
    {"ChainedComparison", R"py(@triton.jit
def k(x, n):
    a = 0 < n < 3
)py", "x=*fp32 n=i32",
     R"(F2216 4:9 chained comparisons are not part of the language [write '(a < b) & (b < c)']
)"},
    {"MatrixMultiplicationOperator", R"py(@triton.jit
def k(x, n):
    a = n @ n
)py", "x=*fp32 n=i32",
     R"(F2217 4:9 the '@' operator is not part of the language [use tl.dot]
)"},
    {"AssignmentToAnItem", R"py(@triton.jit
def k(x, n):
    a = (1, 2)
    a[0] = 1
)py", "x=*fp32 n=i32",
     R"(F2219 5:5 assignment to an item or attribute is not part of the language [values are immutable; build a new one, or use tl.store for memory]
)"},
    {"AssignmentToAnAttribute", R"py(@triton.jit
def k(x, n):
    n.a = 1
)py", "x=*fp32 n=i32",
     R"(F2219 4:5 assignment to an item or attribute is not part of the language [values are immutable; build a new one, or use tl.store for memory]
)"},
    {"StarredTarget", R"py(@triton.jit
def k(x, n):
    a, *c = (1, 2, 3)
)py", "x=*fp32 n=i32",
     R"(F2220 4:8 starred targets are not part of the language
)"},
    {"MultipleAssignment", R"py(@triton.jit
def k(x, n):
    a = c = 1
)py", "x=*fp32 n=i32",
     R"(F2221 4:5 multiple assignment 'a = b = c' is not part of the language [write one assignment per name]
)"},
    {"UnpackingDoesNotFit", R"py(@triton.jit
def k(x, n):
    a, c = (1, 2, 3)
)py", "x=*fp32 n=i32",
     R"(F2308 4:5 expected 2 values to unpack, found 3
)"},
    {"KeywordOnlyParameters", R"py(@triton.jit
def f(a, *, c=1):
    return a
@triton.jit
def k(x, n):
    f(n)
)py", "x=*fp32 n=i32",
     R"(F2222 7:5 'f' has keyword-only parameters or **kwargs, which are not part of the language
)"},
    {"ReturnInALoop", R"py(@triton.jit
def k(x, n):
    for i in range(n):
        return
)py", "x=*fp32 n=i32",
     R"(F2223 5:9 'return' inside a run-time loop is not part of the language [put the condition into the loop and return after it]
)"},
    {"BranchOnABlock", R"py(@triton.jit
def k(x, n):
    if tl.arange(0, 4) > 1:
        pass
)py", "x=*fp32 n=i32",
     R"(F3101 4:8 a branch needs a scalar condition
)"},
    {"UndefinedName", R"py(@triton.jit
def k(x, n):
    a = nn + 1
)py", "x=*fp32 n=i32",
     R"(F2101 4:9 'nn' is not defined [did you mean 'n'?]
)"},
    {"NameOfOneArm", R"py(@triton.jit
def k(x, n):
    if n > 3:
        q = 1
    tl.store(x, q)
)py", "x=*fp32 n=i32",
     R"(F2102 6:17 'q' may be undefined here: the 'if' in line 4 does not define it on every path [assign 'q' before that statement]
)"},
    {"NameOfALoopBody", R"py(@triton.jit
def k(x, n):
    for i in range(n):
        q = 1
    tl.store(x, q)
)py", "x=*fp32 n=i32",
     R"(F2102 6:17 'q' may be undefined here: the 'for' in line 4 does not define it on every path [assign 'q' before that statement]
)"},
    {"ArmsOfDifferentTypes", R"py(@triton.jit
def k(x, n):
    if n > 3:
        q = 1
    else:
        q = 2.5
)py", "x=*fp32 n=i32",
     R"(F3001 4:5 'q' is of type 'int32' (in line 5) in one arm of this 'if' and of type 'fp32' (in line 7) in the other [convert one of them, with .to(dtype) or tl.full]
)"},
    {"NoneInOneArm", R"py(@triton.jit
def k(x, n):
    q = None
    if n > 3:
        q = n
)py", "x=*fp32 n=i32",
     R"(F3001 5:5 'q' is of type 'int32' (in line 6) in one arm of this 'if' and of type 'None' (before the 'if') in the other [convert one of them, with .to(dtype) or tl.full]
)"},
    {"CarriedValueChangesItsType", R"py(@triton.jit
def k(x, n):
    a = 1
    for i in range(n):
        a = a * 1.5
)py", "x=*fp32 n=i32",
     R"(F3002 5:5 'a' is of type 'int32' before this loop and of type 'fp32' after its body (in line 6) [write 'a = (...).to(tl.int32)' in the body]
)"},
    {"CarriedValueChangesItsShape", R"py(@triton.jit
def k(x, n):
    a = 1
    while n > 0:
        a = a + tl.arange(0, 4)
)py", "x=*fp32 n=i32",
     R"(F3002 5:5 'a' is of type 'int32' before this loop and of type '<['4'], int32>' after its body (in line 6) [a loop-carried value must keep its type; convert it with .to(dtype) or define it before the loop with its final shape and dtype]
)"},
    {"ReturnsOfDifferentTypes", R"py(@triton.jit
def f(a):
    if a > 0:
        return a
    return a.to(tl.float32)
@triton.jit
def k(x, n):
    f(n)
)py", "x=*fp32 n=i32",
     R"(F3003 6:5 this returns a value of type 'fp32', but the 'return' in line 5 one of type 'int32' [all returns of a function must agree on the type]
  9:5 'f' is called from here
)"},
    {"FloatBounds", R"py(@triton.jit
def k(x, n):
    for i in tl.range(0, n.to(tl.float32)):
        pass
)py", "x=*fp32 n=i32",
     R"(F3004 4:14 bounds and step of a range must be scalar ints, not of type 'fp32'
)"},
    {"IterationOverATensor", R"py(@triton.jit
def k(x, n):
    for i in n:
        pass
)py", "x=*fp32 n=i32",
     R"(F3005 4:14 a tensor cannot be iterated over [loop over range, tl.range or tl.static_range]
)"},
    {"EndlessLoop", R"py(@triton.jit
def k(x, n):
    while True:
        n += 1
)py", "x=*fp32 n=i32",
     R"(F3008 4:11 this loop never ends: its condition is true when compiling and nothing in the body changes it
)"},
    {"TooMuchUnrolling", R"py(@triton.jit
def k(x, n):
    for i in tl.static_range(100000):
        pass
)py", "x=*fp32 n=i32",
     R"(F2316 4:14 the loop would be unrolled 100000 times; the limit is 8192 [use tl.range]
)"},
    {"TooManyEarlyReturns", R"py(@triton.jit
def k(x, n):
    for i in tl.static_range(300):
        if n == i:
            return
)py", "x=*fp32 n=i32",
     R"(F2317 5:9 run-time branches nest more than 256 deep [each early return puts what follows it one level deeper; return fewer times, or loop with tl.range]
)"},
    {"GlobalThatIsNotConstexpr", R"py(G = 4
@triton.jit
def k(x, n):
    tl.store(x, G)
)py", "x=*fp32 n=i32",
     R"(F2103 5:17 global 'G' is not a constexpr, so a kernel cannot read it [write 'G = tl.constexpr(4)']
)"},
    {"ConstexprAnnotationOfADefinedName", R"py(@triton.jit
def k(x, n):
    a = 1
    a: tl.constexpr = 2
)py", "x=*fp32 n=i32",
     R"(F2226 5:5 'a' is already defined, so it cannot become constexpr here
)"},
    {"PlainPythonFunction", R"py(def plain(a):
    return a
@triton.jit
def f(a):
    return plain(a)
@triton.jit
def k(x, n):
    f(n)
)py", "x=*fp32 n=i32",
     R"(F2401 6:12 'plain' is a plain Python function, which a kernel cannot call [decorate it with @triton.jit, or with @triton.constexpr_function if it computes at compile time]
  9:5 'f' is called from here
)"},
    {"RunTimeValueForAConstexprFunction", R"py(@triton.constexpr_function
def f(a):
    return a
@triton.jit
def k(x, n):
    f(n)
)py", "x=*fp32 n=i32",
     R"(F2403 7:5 'f' runs at compile time, so it cannot return a run-time value [decorate it with @triton.jit]
)"},
    {"ArithmeticInAConstexprFunction", R"py(@triton.constexpr_function
def f(a):
    return a + 1
@triton.jit
def k(x, n):
    f(n)
)py", "x=*fp32 n=i32",
     R"(F2403 4:12 a function that runs at compile time cannot compute with run-time values [it can ask for their dtype and shape]
  7:5 'f' is called from here
)"},
    {"ErrorInsideAConstexprFunction", R"py(@triton.constexpr_function
def f(a):
    return 1 // a
@triton.jit
def k(x, n):
    q: tl.constexpr = f(0)
)py", "x=*fp32 n=i32",
     R"(F2304 4:12 division by zero
  7:23 'f' is called from here
)"},
    {"MissingArgumentOfAHelper", R"py(@triton.jit
def f(a, c):
    return a
@triton.jit
def k(x, n):
    f(n)
)py", "x=*fp32 n=i32",
     R"(F2301 7:5 'f' is not given a value for its parameter 'c'
)"},
    {"EndlessRecursion", R"py(@triton.jit
def f(a):
    return f(a)
@triton.jit
def k(x, n):
    f(n)
)py", "x=*fp32 n=i32",
     R"(F2315 4:12 calls nest more than 250 deep [recursion must end at compile time]
  4:12 'f' is called from here
  4:12 'f' is called from here
  4:12 'f' is called from here
  4:12 'f' is called from here
  4:12 'f' is called from here
  4:12 'f' is called from here
  0:0 243 calls between are left out
  7:5 'f' is called from here
)"},
    {"BlockForANoinlineFunction", R"py(@triton.jit(noinline=True)
def f(a):
    return a
@triton.jit
def k(x, n):
    f(tl.arange(0, 4))
)py", "x=*fp32 n=i32",
     R"(F3006 7:7 a noinline function takes scalars, not a tensor of type '<['4'], int32>'
)"},
    {"UnknownFlagDecides", R"py(import torch
FLAG = torch.cuda.get_device_capability()[0] >= 9
@triton.jit
def k(x, n):
    if FLAG:
        pass
)py", "x=*fp32 n=i32",
     R"(F2104 6:8 't.FLAG' decides kernel code and is unknown here: 'torch.cuda' is not known when compiling [give its value with --global t.FLAG=VALUE]
)"},
    {"FunctionChosenByAnUnknownFlag", R"py(import torch
if torch.cuda.is_available():
    def f(a):
        return a
else:
    def f(a):
        return -a
@triton.jit
def k(x, n):
    f(n)
)py", "x=*fp32 n=i32",
     R"(F2104 11:5 't.f' decides kernel code and is unknown here: it depends on 'torch.cuda.is_available()': 'torch.cuda' is not known when compiling [give its value with --global t.f=VALUE]
)"},
    {"ListChangesUnderACondition", R"py(@triton.jit
def k(x, n):
    a = [n]
    if n > 3:
        a.append(n)
)py", "x=*fp32 n=i32",
     R"(F2228 6:9 a list cannot change under a run-time condition or in a run-time loop [make a new one, as in x = x + [item], or loop with tl.static_range]
)"},
    {"ListChangesInALoop", R"py(@triton.jit
def k(x, n):
    a = [n]
    for i in range(n):
        b = [i]
        b.append(i)
        a.pop()
)py", "x=*fp32 n=i32",
     R"(F2228 8:9 a list cannot change under a run-time condition or in a run-time loop [make a new one, as in x = x + [item], or loop with tl.static_range]
)"},
    {"ListChangesInAWhile", R"py(@triton.jit
def k(x, n):
    a = [n]
    while n > 3:
        a.clear()
        n -= 1
)py", "x=*fp32 n=i32",
     R"(F2228 6:9 a list cannot change under a run-time condition or in a run-time loop [make a new one, as in x = x + [item], or loop with tl.static_range]
)"},
    {"ListChangesInAnArm", R"py(@triton.jit
def k(x, n):
    a = [n]
    b = n if n > 3 else a.pop()
)py", "x=*fp32 n=i32",
     R"(F2228 5:25 a list cannot change under a run-time condition or in a run-time loop [make a new one, as in x = x + [item], or loop with tl.static_range]
)"},
    {"RunTimeValueInAnFString", R"py(@triton.jit
def k(x, n):
    s = f'{n}'
)py", "x=*fp32 n=i32",
     R"(F2302 4:11 a run-time value cannot be part of an f-string [use tl.device_print to print it]
)"},
    {"IntOfATensor", R"py(@triton.jit
def k(x, n):
    a = int(n)
)py", "x=*fp32 n=i32",
     R"(F2302 4:9 'int' converts values that are known when compiling, not one of type 'int32' [use .to(dtype)]
)"},
    {"NotCallable", R"py(@triton.jit
def k(x, n):
    a = n(1)
)py", "x=*fp32 n=i32",
     R"(F2310 4:9 a value of type 'int32' cannot be called
)"},
};
INSTANTIATE_TEST_SUITE_P(Cases, KernelErrors, testing::ValuesIn(kCases), [](const auto &info) { return info.param.name; });

} // namespace
} // namespace tegula::frontend
