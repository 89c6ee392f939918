// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Specialisation: what each parameter becomes, and how it is refused. Parameters print as "name=constant" or "name: type:divisibility".
#include "frontend/sema/test/recording.h"

#include <gtest/gtest.h>

namespace tegula::frontend {
namespace {

struct Case {
  const char *name, *source, *arguments, *expected;
};

std::string describe(const test::Outcome &outcome) {
  std::string text = outcome.diagnostics;
  if (!outcome.kernel)
    return text;
  for (const Parameter &p : outcome.kernel->parameters)
    text += p.name + (p.isConstant ? "=" + p.constant : ": " + p.type + (p.divisibility > 1 ? ":" + std::to_string(p.divisibility) : "")) + "\n";
  return text + "warps " + std::to_string(outcome.kernel->numWarps) + " stages " + std::to_string(outcome.kernel->numStages) + "\n";
}

class Specialise : public testing::TestWithParam<Case> {};

TEST_P(Specialise, DecidesParameters) { EXPECT_EQ(describe(test::compile(GetParam().source, GetParam().arguments)), GetParam().expected); }

constexpr Case kCases[] = {
    {"ParametersInOrder", R"py(@triton.jit
def k(x, c, n, s, m, f, B: tl.constexpr, E=1e-5, G: tl.constexpr = None):
    pass
)py",
     "x=*fp32:16 c=*ki8 n=i32:16 s=1 m=none f=fp32:16 -D B=16",
     R"(x: *fp32:16
c: *ki8
n: i32:16
s=1
m=None
f: fp32
B=16
E=1e-05
G=None
warps 4 stages 3
)"},
    {"ConfigurationHeuristicsAndDefaults", R"py(import torch
@triton.autotune(configs=[triton.Config({'B': b}, num_warps=w, num_stages=2) for b in [16, 32] for w in [2, 8]], key=['n'])
@triton.heuristics({'E': lambda args: args['B'] % 32 == 0, 'H': lambda args: args['x'].dtype == torch.float16 and args['E'] is False})
@triton.jit
def k(x, n, B: tl.constexpr, E: tl.constexpr, H: tl.constexpr):
    pass
)py",
     "x=*fp16 n=i32",
     R"(x: *fp16
n: i32
B=16
E=False
H=True
warps 2 stages 2
)"},
    {"ChosenConfiguration", R"py(@triton.autotune(configs=[triton.Config({'B': b}, num_warps=w) for b in [16, 32] for w in [2, 8]], key=['n'])
@triton.jit
def k(x, n, B: tl.constexpr):
    pass
)py",
     "x=*fp16 n=i32 --config 3",
     R"(x: *fp16
n: i32
B=32
warps 8 stages 3
)"},
    {"DefinesWinOverConfigurationAndHeuristics", R"py(@triton.autotune(configs=[triton.Config({'B': 16}, num_warps=8)], key=['n'])
@triton.heuristics({'E': lambda args: True})
@triton.jit
def k(x, n, B: tl.constexpr, E: tl.constexpr):
    pass
)py",
     "x=*fp16 n=i32 -D B=64 -D E=False",
     R"(x: *fp16
n: i32
B=64
E=False
warps 4 stages 3
)"},
    {"UnknownConfigurationsDoNotMatterWhereConstantsAreGiven", R"py(import torch
def cache_autotune(configs, key):
    return lambda f: f
@cache_autotune(configs=[triton.Config({'B': b}) for b in ([64] if torch.cuda.is_available() else [32])], key=[])
@triton.jit
def k(x, B: tl.constexpr):
    pass
)py",
     "x=*fp16 -D B=64",
     R"(x: *fp16
B=64
warps 4 stages 3
)"},
    {"UnknownConfigurations", R"py(import torch
def cache_autotune(configs, key):
    return lambda f: f
@cache_autotune(configs=[triton.Config({'B': b}) for b in ([64] if torch.cuda.is_available() else [32])], key=[])
@triton.jit
def k(x, B: tl.constexpr):
    pass
)py",
     "x=*fp16",
     R"(F4005 7:5 the configurations of 'k' are unknown here: 'torch.cuda' is not known when compiling [give the constants with -D, first of them -D B=VALUE]
)"},
    {"ForeignDecoratorWithConfigurationsTunes", R"py(def libtuner(configs, key):
    return lambda f: f
@libtuner(configs=[triton.Config({'B': 8}, num_warps=1)], key=[])
@triton.jit
def k(x, B: tl.constexpr):
    pass
)py",
     "x=*fp16",
     R"(x: *fp16
B=8
warps 1 stages 3
)"},
    {"ValuesOfDefines", R"py(@triton.jit
def helper(a):
    return a
@triton.jit
def k(A: tl.constexpr, B: tl.constexpr, C: tl.constexpr, D: tl.constexpr, E: tl.constexpr, F: tl.constexpr, G: tl.constexpr, H: tl.constexpr, I: tl.constexpr, J: tl.constexpr):
    pass
)py",
     "-D A=leaky -D B=fp16 -D C=float('-inf') -D D=(1,2) -D E=helper -D F='q' -D G=-3 -D H=tl.int64 -D I=None -D J=0.5",
     R"(A='leaky'
B=fp16
C=-inf
D=(1, 2)
E='helper'
F='q'
G=-3
H=int64
I=None
J=0.5
warps 4 stages 3
)"},
    {"AnnotatedAndUnspecialisedScalars", R"py(@triton.jit(do_not_specialize=['c', 'e'], do_not_specialize_on_alignment=[3])
def k(a: tl.int64, b: 'u8', c, d, e, f, g: tl.int32):
    pass
)py",
     "a=i32:16 b=i32:16 c=i32:16 d=i32:16 e=i32=1 f=i32=1 g=i32=1",
     R"(a: i64:16
b: u8:16
c: i32
d: i32
e: i32
f=1
g: i32
warps 4 stages 3
)"},
    {"KernelShadowedByItsWrapper", R"py(@triton.jit
def k(x):
    pass
kernel = k
def k(*args):
    kernel[(1,)](*args)
)py",
     "x=*fp32",
     R"(x: *fp32
warps 4 stages 3
)"},
    {"KernelInsideAFactory", R"py(def make(width, depth=2):
    scale = width * 2
    @triton.jit
    def k(x, B: tl.constexpr = width):
        tl.store(x, width)
    return k
)py",
     "x=*fp32 -D width=4",
     R"(x: *fp32
B=4
warps 4 stages 3
)"},
    {"ParameterIsNotGiven", R"py(@triton.jit
def k(x, n, B: tl.constexpr):
    pass
)py",
     "x=*fp32",
     R"(F4001 3:10 parameter 'n' of kernel 'k' is not given [give it with --arg n=..., a value to run or a type to compile]
)"},
    {"ConstexprIsNotGiven", R"py(@triton.jit
def k(x, B: tl.constexpr):
    pass
)py",
     "x=*fp32",
     R"(F4001 3:10 parameter 'B' of kernel 'k' is not given [give it with -D B=VALUE]
)"},
    {"NoSuchParameter", R"py(@triton.jit
def k(x):
    pass
)py",
     "x=*fp32 y=i32",
     R"(F4002 3:5 kernel 'k' has no parameter 'y' [its parameters are 'x']
)"},
    {"NoType", R"py(@triton.jit
def k(x):
    pass
)py",
     "x=*fp33",
     R"(F4003 3:7 '*fp33' is no type of an argument [types are spelled '*fp32', 'i32', 'fp16' and so on]
)"},
    {"ArgumentForAConstexpr", R"py(@triton.jit
def k(x: tl.constexpr):
    pass
)py",
     "x=i32",
     R"(F4007 3:7 parameter 'x' is constexpr, so it takes a constant and not an argument of type 'i32' [give it with -D x=VALUE]
)"},
    {"NoSuchConfiguration", R"py(@triton.autotune(configs=[triton.Config({})], key=[])
@triton.jit
def k(x):
    pass
)py",
     "x=*fp32 --config 2",
     R"(F4005 4:5 there is no configuration 2; 'k' has 1
)"},
    {"CooperatingWorkgroups", R"py(@triton.autotune(configs=[triton.Config({}, num_ctas=2)], key=[])
@triton.jit
def k(x):
    pass
)py",
     "x=*fp32 --config 0",
     R"(F4006 4:5 the configuration asks for 2 cooperating workgroups (num_ctas), which is not supported
)"},
    {"HeuristicOfAnUnknown", R"py(@triton.heuristics({"E": lambda args: args["n"] % 2 == 0})
@triton.jit
def k(x, n, E: tl.constexpr):
    pass
)py",
     "x=*fp32 n=i32",
     R"(F4004 4:13 the value of 'E' cannot be computed: the value of argument 'n' is not known when compiling [give it with -D E=VALUE]
)"},
    {"NoSuchKernel", R"py(@triton.jit
def kk(x):
    pass
@triton.jit
def other(x):
    pass
)py",
     "x=*fp32",
     R"(F2002 1:1 there is no kernel 'k' in 't.py' [the file has 'kk', 'other']
)"},
    {"NotAKernel", R"py(def k(x):
    pass
)py",
     "x=*fp32",
     R"(F2003 2:5 'k' is not a kernel [decorate it with @triton.jit]
)"},
    {"UnknownDecorator", R"py(import helpers
jit = helpers.jit
@jit
def k(x):
    pass
)py",
     "x=*fp32",
     R"(F2003 5:5 whether 'k' is a kernel is unknown: its decorator is, since module 'helpers', which 'jit' is taken from, was not found [give its value with --global t.jit=VALUE, or name the folder of the package with --module-path]
)"},
    {"TritonFromAPackageThatIsNotThere", R"py(from helpers import triton, tl as language
@triton.jit
def k(x, B: language.constexpr):
    pass
)py",
     "x=*fp32 -D B=3",
     R"(x: *fp32
B=3
warps 4 stages 3
)"},
    {"StarParameters", R"py(@triton.jit
def k(x, *rest):
    pass
)py",
     "x=*fp32",
     R"(F2222 3:5 kernel 'k' has keyword-only parameters, *args or **kwargs, which are not part of the language
)"},
};
INSTANTIATE_TEST_SUITE_P(Cases, Specialise, testing::ValuesIn(kCases), [](const auto &info) { return info.param.name; });

} // namespace
} // namespace tegula::frontend
