// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Valid modules in text form: types and a function that examples are the rest of; an example for every instruction; one module with every kind of
// region. Tests and the fuzzer begin with them.
#pragma once

#include <string>

namespace tegula::kir_examples {

inline constexpr const char *kTypes = R"(kir 0.1 tile
%1 = type.int width=1
%2 = type.int width=32
%3 = type.float format=f32
%4 = type.pointer element=%3 space=global
%5 = type.tensor element=%2 shape=(8)
%6 = type.tensor element=%3 shape=(8)
%7 = type.tensor element=%4 shape=(8)
%8 = type.tensor element=%1 shape=(8)
%9 = type.tensor element=%3 shape=(4, 8)
%10 = type.tensor element=%3 shape=(8, 4)
%11 = type.tensor element=%3 shape=(4, 4)
%12 = type.tensor element=%3 shape=(4)
%13 = type.int width=64
%14 = type.tensor element=%3 shape=(8, 2)
%15 = type.tensor element=%3 shape=(1, 8)
%16 = type.tensor element=%3 shape=(16)
%17 = type.tensor element=%2 shape=(16)
%18 = type.tensor element=%3 shape=(1)
%19 = type.float format=f16
%20 = type.tensor element=%19 shape=(8)
%30 = type.function params=(%4, %2) result_types=()
%31 = type.function params=(%3, %3) result_types=(%3)
%40 = func.begin type=%31 name="add" flags=none
  %41:%3 = func.param name="a" divisibility=0x1 flags=none
  %42:%3 = func.param name="b" divisibility=0x1 flags=none
  %43:%3 = addf lhs=%41 rhs=%42
  func.return values=(%43)
func.end
%50 = func.begin type=%30 name="kernel" flags=kernel
  %51:%4 = func.param name="x" divisibility=0x10 flags=none
  %52:%2 = func.param name="n" divisibility=0x1 flags=none
  %53:%5 = arange start=0 end=8
  %54:%5 = splat value=%52
  %55:%8 = cmpi lhs=%53 rhs=%54 predicate=slt
  %56:%7 = splat value=%51
  %57:%7 = addptr pointer=%56 offset=%53 unsigned=0
  %58:%6 = load pointer=%57 mask=%55 other=- cache=none eviction=normal volatile=0
  %59:%1 = const bits=0x1
  %60:%9 = const bits=0x3f800000
  %61:%10 = const bits=0x0
)";

inline std::string module(const std::string &body) { return std::string(kTypes) + body + "func.return values=()\nfunc.end\n"; }

inline constexpr const char *kBodies[] = {
    "",
    "%70:%5 = addi lhs=%53 rhs=%54\n",
    "%70:%8 = cmpf lhs=%58 rhs=%58 predicate=une\n",
    "%70:%6 = select condition=%55 on_true=%58 on_false=%58\n",
    "%70:%6 = select condition=%59 on_true=%58 on_false=%58\n",
    "%70:%6 = fma a=%58 b=%58 c=%58\n",
    "%70:%6 = math1 value=%58 function=exp\n",
    "%70:%6 = math2 lhs=%58 rhs=%58 function=pow\n",
    "%70:%5 = bits1 value=%53 function=popcount\n",
    "%70:%8 = classify value=%58 test=nan\n",
    "%70:%20 = fpcast value=%58 rounding=rtz saturate=0\n",
    "%70:%6 = sitofp value=%53\n",
    "%70:%5 = fptosi value=%58\n",
    "%70:%5 = bitcast value=%58\n",
    "%70:%13 = ptrtoint value=%51\n%71:%4 = inttoptr value=%70\n",
    "%70:%13 = extsi value=%52\n%71:%2 = trunci value=%70\n",
    "%70:%15 = expand_dims value=%58 axis=0\n%71:%9 = broadcast value=%70\n",
    "%70:%10 = transpose value=%60 permutation=(1, 0)\n",
    "%70:%10 = reshape value=%60 reorder=0\n",
    "%70:%14 = join lhs=%58 rhs=%58\n%71:%6, %72:%6 = split value=%70\n",
    "%70:%16 = concat lhs=%58 rhs=%58 axis=0\n",
    "%70:%18 = const bits=0x0\n%71:%3 = extract_scalar value=%70\n",
    "%70:%5 = hint value=%53 divisibility=(0x8) contiguity=() constancy=()\n",
    "store pointer=%57 value=%58 mask=%55 cache=wb eviction=evict_first\n",
    "%70:%6 = atomic_rmw pointer=%57 value=%58 mask=- operation=fadd order=acq_rel scope=gpu\n",
    "%70:%6 = atomic_cas pointer=%57 compare=%58 value=%58 order=relaxed scope=sys\n",
    "%70:%11 = const bits=0x0\n%71:%11 = dot lhs=%60 rhs=%61 accumulator=%70 precision=ieee max_imprecise=0 lhs_signed=1 rhs_signed=1\n",
    "%70:%3 = reduce combine=%40 values=(%58) axis=0\n",
    "%70:%12 = reduce combine=%40 values=(%60) axis=1\n",
    "%70:%6 = scan combine=%40 values=(%58) axis=0 reverse=1\n",
    "%70:%6 = gather source=%58 index=%53 axis=0\n",
    "%70:%17 = histogram value=%53 mask=%55\n",
    "barrier\n",
    "print values=(%53) prefix=\"x = \\\"\\x0a\" hex=0 signed=(1)\n",
    "assert condition=%55 mask=- message=\"m\"\n",
    "assume condition=%59\n",
    "%71:%3 = const bits=0x0\n%70:%3 = func.call callee=%40 args=(%71, %71)\n",
    "%70:%2 = program_id axis=2\n%71:%2 = num_programs axis=0\n",
    "%70:%6 = poison\n",
    "cf.if condition=%59\nbarrier\ncf.end\n",
    "%70:%2 = cf.if condition=%59\ncf.yield values=(%52)\ncf.else\ncf.yield values=(%52)\ncf.end\n%71:%2 = addi lhs=%70 rhs=%52\n",
    "%70:%6 = cf.for lower=%52 upper=%52 step=%52 inits=(%58) induction=%72:%2 iters=(%73:%6) num_stages=3 unroll=0 flags=flatten\n"
    "%74:%6 = addf lhs=%73 rhs=%58\ncf.yield values=(%74)\ncf.end\n%75:%6 = addf lhs=%70 rhs=%58\n",
    "%70:%2 = cf.while inits=(%52) before=(%71:%2)\n%72:%1 = cmpi lhs=%71 rhs=%52 predicate=slt\ncf.condition condition=%72 values=(%71)\n"
    "cf.do after=(%73:%2)\n%74:%2 = addi lhs=%73 rhs=%73\ncf.yield values=(%74)\ncf.end\n%75:%2 = addi lhs=%70 rhs=%70\n",
    "%70:%5 = subi lhs=%53 rhs=%54\n%71:%5 = muli lhs=%70 rhs=%53\n%72:%5 = divsi lhs=%71 rhs=%54\n%73:%5 = divui lhs=%72 rhs=%54\n"
    "%74:%5 = remsi lhs=%73 rhs=%54\n%75:%5 = remui lhs=%74 rhs=%54\n%76:%5 = mulhui lhs=%75 rhs=%54\n%77:%5 = mulhsi lhs=%76 rhs=%54\n",
    "%70:%5 = andi lhs=%53 rhs=%54\n%71:%5 = ori lhs=%70 rhs=%53\n%72:%5 = xori lhs=%71 rhs=%54\n%73:%5 = shli lhs=%72 rhs=%54\n"
    "%74:%5 = shrsi lhs=%73 rhs=%54\n%75:%5 = shrui lhs=%74 rhs=%54\n",
    "%70:%5 = minsi lhs=%53 rhs=%54\n%71:%5 = maxsi lhs=%70 rhs=%53\n%72:%5 = minui lhs=%71 rhs=%54\n%73:%5 = maxui lhs=%72 rhs=%54\n",
    "%70:%6 = subf lhs=%58 rhs=%58\n%71:%6 = mulf lhs=%70 rhs=%58\n%72:%6 = divf lhs=%71 rhs=%58\n%73:%6 = divf_rn lhs=%72 rhs=%58\n"
    "%74:%6 = remf lhs=%73 rhs=%58\n%75:%6 = mul_add a=%74 b=%58 c=%58\n",
    "%70:%6 = minnumf lhs=%58 rhs=%58\n%71:%6 = maxnumf lhs=%70 rhs=%58\n%72:%6 = minimumf lhs=%71 rhs=%58\n%73:%6 = maximumf lhs=%72 rhs=%58\n",
    "%70:%5 = extui value=%55\n%71:%6 = uitofp value=%70\n%72:%5 = fptoui value=%71\n",
    "%70:%6 = negf value=%58\n%71:%6 = absf value=%70\n%72:%5 = absi value=%53\n"};

/// Every kind of region and a call.
inline std::string rich() {
  return module(
      "%70:%6 = cf.for lower=%52 upper=%52 step=%52 inits=(%58) induction=%72:%2 iters=(%73:%6) num_stages=3 unroll=0 flags=flatten\n"
      "%74:%6 = addf lhs=%73 rhs=%58\ncf.if condition=%59\nstore pointer=%57 value=%74 mask=%55 cache=none "
      "eviction=normal\ncf.else\nbarrier\ncf.end\ncf.yield values=(%74)\ncf.end\n"
      "%80:%2 = cf.while inits=(%52) before=(%81:%2)\n%82:%1 = cmpi lhs=%81 rhs=%52 predicate=slt\ncf.condition condition=%82 values=(%81)\n"
      "cf.do after=(%83:%2)\n%84:%2 = addi lhs=%83 rhs=%83\ncf.yield values=(%84)\ncf.end\n%85:%3 = reduce combine=%40 values=(%70) axis=0\n"
      "%86:%3 = func.call callee=%40 args=(%85, %85)\nprint values=(%53) prefix=\"text\" hex=0 signed=(1)\n");
}

/// Module and debug instructions, before the types and inside a function.
inline std::string described() {
  return "kir 0.1 tile\nmodule.producer text=\"somebody\"\nmodule.launch num_warps=4 num_stages=3 num_ctas=1 max_registers=0\n"
         "module.default key=\"dot\" value=\"tf32\"\n%90 = debug.string text=\"k.py\"\n"
         "%91 = debug.loc file=%90 line=3 column=5 end_column=9 inlined_at=-\n%92 = debug.loc file=%90 line=4 column=1 end_column=2 "
         "inlined_at=%91\n" +
         module("debug.line loc=%92\n%70:%2 = addi lhs=%52 rhs=%52\ndebug.name target=%70 text=\"twice\"\n")
             .substr(std::string("kir 0.1 tile\n").size());
}

} // namespace tegula::kir_examples
