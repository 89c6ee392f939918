// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compile-time Python at module level: each case runs a small module and compares what it leaves in `r`, as Python prints it.
#include "frontend/sema/test/recording.h"

#include <gtest/gtest.h>

namespace tegula::frontend {
namespace {

struct Case {
  const char *source, *expected;
};

class HostEvaluation : public testing::TestWithParam<Case> {};

TEST_P(HostEvaluation, GivesWhatPythonGives) { EXPECT_EQ(test::evaluate(GetParam().source), GetParam().expected) << GetParam().source; }

constexpr Case kCases[] = {
    {R"py(
r = 1 + 2 * 3)py",
     R"py(7)py"},
    {R"py(
r = (7 // 2, -7 // 2, 7 % -3, -7 % 3, 7 / 2, 2 ** 10, 2 ** -1, 7.5 // 2, -7.5 % 2))py",
     R"py((3, -4, -2, 2, 3.5, 1024, 0.5, 3.0, 0.5))py"},
    {R"py(
r = [1 << 40, -1 >> 1, 5 & 3, 5 | 3, 5 ^ 3, ~5, True & False, True + True])py",
     R"py([1099511627776, -1, 1, 7, 6, -6, False, 2])py"},
    {R"py(
r = [0.1, 1e16, 1e-5, 1.0, 123456.789, 1e22, float('inf'), -0.0, 3.38953138925153547590470800371487866880e38, 5e-324])py",
     R"py([0.1, 1e+16, 1e-05, 1.0, 123456.789, 1e+22, inf, -0.0, 3.3895313892515355e+38, 5e-324])py"},
    {R"py(
x = 7
r = f"{x} {x:04d} {x:>5} {x:<5}| {x:x} {x:#b} {3.14159:.2f} {1e10:g} {'ab':^6}| {x!r} {'s'!r} {1234567:,} {0.25:%} {-3:+d} {x=}")py",
     R"py("7 0007     7 7    | 7 0b111 3.14 1e+10   ab  | 7 's' 1,234,567 25.000000% -3 x=7")py"},
    {R"py(
r = "a-b-c".split("-"), "x".join(["1", "2"]), "Hello".lower(), " a ".strip(), "abc".replace("b", "zz"), "{} {1} {k!r:>5}".format(0, 1, k="q") if False else "{} {k!r:>5}".format(0, k="q"))py",
     R"py((['a', 'b', 'c'], '1x2', 'hello', 'a', 'azzc', "0   'q'"))py"},
    {R"py(
r = "%s %d %.3f %5s|%-5s|" % ("a", 3, 1.5, "b", "c"))py",
     R"py('a 3 1.500     b|c    |')py"},
    {R"py(
def f(a, b=2, *c, d=4, **e):
    return (a, b, c, d, e)
r = f(1), f(1, 3, 5, 6, d=7, z=8), f(*[1, 2], **{'d': 3}))py",
     R"py(((1, 2, (), 4, {}), (1, 3, (5, 6), 7, {'z': 8}), (1, 2, (), 3, {})))py"},
    {R"py(
def outer(n):
    def inner(x):
        return x + n
    return inner
r = outer(3)(4), (lambda q, w=2: q * w)(5))py",
     R"py((7, 10))py"},
    {R"py(
r = [x * y for x in range(3) for y in range(3) if x != y], {k: v for k, v in zip("ab", [1, 2])}, sorted({3, 1, 2}), sum(i for i in range(5)))py",
     R"py(([0, 0, 0, 2, 0, 2], {'a': 1, 'b': 2}, [1, 2, 3], 10))py"},
    {R"py(
r = [1, 2, 3, 4, 5]
r = r[1:3], r[::-1], r[-1], r[::2], "hello"[1:3], (1, 2, 3)[:2])py",
     R"py(([2, 3], [5, 4, 3, 2, 1], 5, [1, 3, 5], 'el', (1, 2)))py"},
    {R"py(
class A:
    x = 1
    def __init__(self, v):
        self.v = v
    def get(self):
        return self.v + self.x
    @property
    def p(self):
        return self.v * 10
    @staticmethod
    def s(q):
        return q
    @classmethod
    def c(cls):
        return cls.x
class B(A):
    x = 5
    def __init__(self, v):
        super().__init__(v + 1)
    def __add__(self, o):
        return self.v + o
r = A(2).get(), B(2).get(), B(2).p, A.s(4), B.c(), B(3) + 4, isinstance(B(1), A))py",
     R"py((3, 8, 30, 4, 5, 8, True))py"},
    {R"py(
from enum import Enum, auto
class E(Enum):
    A = 1
    B = "x"
    C = auto()
r = E.A.value, E.B.name, E(1) is E.A, [e.name for e in E], E.C.value)py",
     R"py((1, 'B', True, ['A', 'B', 'C'], 2))py"},
    {R"py(
from typing import NamedTuple
class P(NamedTuple):
    a: int
    b: int = 3
r = P(1).b, P(1, 2), P(b=1, a=0)[0])py",
     R"py((3, P(a=1, b=2), 0))py"},
    {R"py(
from dataclasses import dataclass
@dataclass
class D:
    a: int
    b: int = 3
r = D(1).b + D(5, b=6).a)py",
     R"py(8)py"},
    {R"py(
try:
    import nonexistent_thing
    r = 1
except ImportError:
    r = 2)py",
     R"py(2)py"},
    {R"py(
try:
    from nonexistent_thing import z
except (ImportError, AttributeError) as e:
    r = 'handled')py",
     R"py('handled')py"},
    {R"py(
try:
    r = {}['k']
except KeyError:
    r = 'key'
finally:
    r = r + '!')py",
     R"py('key!')py"},
    {R"py(
def f(x):
    if x < 0:
        raise ValueError("neg")
    return x
try:
    f(-1)
except ValueError as e:
    r = str(e))py",
     R"py('neg')py"},
    {R"py(
import torch
FLAG = torch.cuda.get_device_capability()[0] >= 9
if FLAG:
    X = 1
    Y = 5
else:
    X = 2
    Y = 5
r = (X, Y))py",
     R"py((<unknown: it depends on 't.FLAG': 'torch.cuda' is not known when compiling>, 5))py"},
    {R"py(
import torch
r = [64, 128] if torch.cuda.is_available() else [32])py",
     R"py(<unknown: 'torch.cuda' is not known when compiling>)py"},
    {R"py(
import triton
import triton.language as tl
@triton.autotune(configs=[triton.Config({'B': b}, num_warps=w) for b in [16, 32] for w in [2, 4]], key=['n'])
@triton.heuristics({'E': lambda args: args['n'] % 2 == 0})
@triton.jit
def k(x, n, B: tl.constexpr, E: tl.constexpr):
    pass
r = k.__name__)py",
     R"py('k')py"},
    {R"py(
import math, operator, functools
r = math.sqrt(16), math.log2(8), operator.add(1, 2), functools.partial(max, 3)(2), functools.reduce(operator.mul, [1, 2, 3, 4]))py",
     R"py((4.0, 3.0, 3, 3, 24))py"},
    {R"py(
import triton
r = triton.cdiv(10, 3), triton.next_power_of_2(17), triton.__version__)py",
     R"py((4, 32, '3.6.0'))py"},
    {R"py(
i = 0
while True:
    i += 1
    if i == 3:
        continue
    if i > 5:
        break
else:
    i = 100
for j in range(3):
    pass
else:
    j = 9
r = i, j)py",
     R"py((6, 9))py"},
    {R"py(
a, (b, *c), d = 1, (2, 3, 4), 5
x = y = 7
z: int = 8
(w := 3)
r = a, b, c, d, x, y, z, w)py",
     R"py((1, 2, [3, 4], 5, 7, 7, 8, 3))py"},
    {R"py(
d = {'a': 1}
d['b'] = 2
d.update(c=3)
del d['a']
l = [3, 1, 2]
l.sort()
l.append(9)
l[0] = 7
l += [4]
r = d, l, d.get('q', 5), list(d.items()), 'b' in d, 3 not in l, len(l), l.pop(), {**d, 'z': 1})py",
     R"py(({'b': 2, 'c': 3}, [7, 2, 3, 9], 5, [('b', 2), ('c', 3)], True, False, 5, 4, {'b': 2, 'c': 3, 'z': 1}))py"},
    {R"py(
r = 1 < 2 < 3, 1 < 3 < 2, None is None, [] == [], 1 == 1.0, "a" < "b", (1, 2) < (1, 3), not [], 3 and 0 or 5)py",
     R"py((True, False, True, True, True, True, True, True, 5))py"},
    {R"py(
r = min(3, 1, 2), max([1, 5, 2]), min("abc", key=ord) if False else 1, abs(-3), round(2.5), round(2.675, 2), divmod(7, 2), pow(2, 5), any([0, 1]), all([]), list(map(str, [1, 2])), list(enumerate("ab")), list(reversed([1, 2])), int("0x1f", 16), int("12"), float("1e3"), bool(""), str(1.5), type(1) is int, callable(len), hex(255))py",
     R"py((1, 5, 1, 3, 2, 2.67, (3, 1), 32, True, True, ['1', '2'], [(0, 'a'), (1, 'b')], [2, 1], 31, 12, 1000.0, False, '1.5', True, True, '0xff'))py"},
    {R"py(
match 3:
    case 1 | 2:
        r = 'low'
    case x if x > 2:
        r = 'high')py",
     R"py('high')py"},
    {R"py(
r = undefined_thing
q = 1)py",
     R"py(<unknown: 'undefined_thing' is not defined>)py"},
    {R"py(
import torch, triton.language as tl
D = {torch.float16: tl.float16, torch.float32: tl.float32}
X = tl.constexpr(torch.finfo(torch.bfloat16).max)
Y: tl.constexpr = 5
Z = tl.constexpr((1 << 32) - 1)
r = D[torch.float16], X, Z + 1, X.value, torch.iinfo(torch.int32).min)py",
     R"py((fp16, 3.3895313892515355e+38, 4294967296, 3.3895313892515355e+38, -2147483648))py"},
    {R"py(
import os
from packaging.version import Version
import triton
r = os.environ.get('NOT_THERE', '0') == '1', Version(triton.__version__) >= Version("3.4.0"), os.getenv('NOPE'))py",
     R"py((False, True, None))py"},
    {R"py(
def fact(n): return 1 if n <= 1 else n * fact(n - 1)
r = fact(20))py",
     R"py(2432902008176640000)py"},
    {R"py(
def f(): return f()
r = f())py",
     R"py(<unknown: calls nest more than 250 deep>)py"},
    {R"py(
def deco(**kw):
    def w(fn): return fn
    return w
import triton
@deco(configs=[triton.Config({'A': 1})], key=[])
@triton.jit
def k(x): pass
r = k)py",
     R"py(<function k>)py"},
    {R"py(
n = 0
def inc():
    global n
    n += 1
inc(); inc()
r = n)py",
     R"py(2)py"},
    {R"py(
r = isinstance(3, (int, str)), isinstance(True, int), isinstance("s", str), isinstance(3.0, float), isinstance(None, type(None)), isinstance([], list), issubclass(KeyError, Exception), hasattr("s", "join"), getattr(3, "nope", 4))py",
     R"py((True, True, True, True, True, True, True, True, 4))py"},
    {R"py(
with open("x") as f:
    pass
r = 1)py",
     R"py(1)py"},
    {R"py(
x = [i for i in range(10)]
r = [y := 5, y ** 2], sum(x[2:5]), list(zip(x[:2], x[2:])), [a if a % 2 else -a for a in x[:4]], "".join(c.upper() for c in "ab"))py",
     R"py(([5, 25], 9, [(0, 2), (1, 3)], [0, 1, -2, 3], 'AB'))py"},
    {R"py(
import triton.language as tl
a, b = tl.constexpr(1), 2
unwrap = lambda o: o.value if isinstance(o, tl.constexpr) else o
r = unwrap(a), unwrap(b), isinstance(a, int)
)py",
     R"py((1, 2, True))py"},
    {R"py(
l = [1]
l.append(l)
r = l == l, repr(l)[:16], [1e300 * 1e10, -1e400]
)py",
     R"py((True, '[1, [1, [1, [1, ', [inf, -inf]))py"},
    {R"py(
import triton
@triton.constexpr_function
def holding(depth, make):
  x = make(0)
  for i in range(depth):
    x = make(x)
  return x
a, b = [], []
a.append(a)
b.append(b)
one, two, last = lambda v: (v,), lambda v: (v, v), lambda v: [1, v]
r = (a == b, a < b, holding(100000, one) == holding(100000, one), holding(100000, last) < holding(100000, last),
     two(holding(80, two)) == two(holding(80, two)), holding(80, two) != holding(79, two), {holding(80, two): 1} == {holding(80, two): 1},
     len(str(holding(80, two))) > 0, [1, [2, 3]] < [1, [2, 4]], {1: [1]} == {1: [2]}, {1: (1, {2})} == {1: (1, {2})})
)py",
     R"py((True, False, True, False, True, True, True, True, True, False, True))py"},
    {"r = float('1e999'), float('-1E400'), float('1e-999'), float(' 2.5 ')", "(inf, -inf, 0.0, 2.5)"},
    {R"py(
import torch, importlib, importlib.util, importlib.metadata
UNKNOWN = torch.cuda.is_available()
if UNKNOWN:
    import triton as t
    only = 5
    from triton import cdiv as same_name
    gone = missing_function(1)
else:
    class Placeholder: pass
    t = Placeholder()
    from triton import cdiv as same_name
    from triton import cdiv as gone
if UNKNOWN:
    X = 1
else:
    X = True
a = (7, 'x') if UNKNOWN else (7, 'x')
def run_time():
    return UNKNOWN
b = 1 if UNKNOWN else 2
r = (t.cdiv(7, 2), only, same_name(7, 2), gone(9, 2), X, a, b, importlib.util.find_spec('triton') is not None,
     importlib.import_module('triton').cdiv(5, 2), importlib.metadata.version('triton')))py",
     "(4, 5, 4, 5, <unknown: it depends on 't.UNKNOWN': 'torch.cuda' is not known when compiling>, (7, 'x'), <unknown: 'torch.cuda' is not known "
     "when compiling>, True, 3, '3.6.0')"},
    {R"py(
from triton.runtime import driver
import torch
target = driver.active.get_current_target()
r = target.backend, target.arch, target.warp_size, torch.version.hip)py",
     "('cuda', 90, 32, None)"},
    {R"py(
def __getattr__(name):
    return undefined_here + name
def f():
    return undefined_here
try:
    r = f()
except NameError as e:
    r = str(e))py",
     R"py("'undefined_here' is not defined")py"},
};
INSTANTIATE_TEST_SUITE_P(Cases, HostEvaluation, testing::ValuesIn(kCases));

} // namespace
} // namespace tegula::frontend
