// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wrong uses of builtins: each has a code of its own and points at the argument that is wrong.

#include "frontend/sema/test/compiled_kernel.h"

#include <gtest/gtest.h>

namespace tegula::frontend::sema {
namespace {

struct Wrong {
  const char *line, *code, *caret, *says;
};

/// `i` is a block of 8, `h` a 16x16 block of fp16, P a *fp32, K a const pointer.
constexpr Wrong kWrong[] = {
    {"tl.arange(0, 100)", "F3123", "tl.arange(0, 100)", "power of two"},
    {"tl.arange(8, 8)", "F3125", "8", "empty"},
    {"tl.zeros([3, 4], tl.float32)", "F3123", "", "dimension 3"},
    {"tl.zeros([2048, 1024], tl.float32)", "F3124", "", "elements"},
    {"tl.program_id(3)", "F3122", "3", "axis"},
    {"i + tl.arange(0, 16)", "F3106", "i + tl.arange(0, 16)", "8 and 16"},
    {"tl.load(i)", "F3303", "i", "not a pointer"},
    {"tl.load(P + i, other=1.0)", "F3308", "other=1.0", "mask"},
    {"tl.load(P + i, mask=i)", "F3304", "mask=i", "int1"},
    {"tl.load(P + i, mask=tl.arange(0, 16) < 3)", "F3106", "", "8"},
    {"tl.load(P, mask=i < 3)", "F3305", "", "scalar"},
    {"tl.load(P + i, cache_modifier='.wb')", "F3301", "cache_modifier='.wb'", ".cg"},
    {"tl.load(P + i, eviction_policy='never')", "F3302", "eviction_policy='never'", "evict"},
    {"tl.store(K + i, i)", "F3309", "K + i", "const"},
    {"tl.store(P, i)", "F3305", "", "scalar"},
    {"tl.sum(h, 2)", "F3122", "", "axis 2"},
    {"tl.exp(i)", "F3502", "i", "fp32 or fp64"},
    {"tl.clamp(i, 0, 4)", "F3503", "i", "floats"},
    {"tl.umulhi(h, h)", "F3503", "h", "integers"},
    {"tl.div_rn(h, h)", "F3503", "h", "fp32"},
    {"tl.dot(h, tl.zeros([32, 16], tl.float16))", "F3605", "", "inner dimensions"},
    {"tl.dot(h, h.to(tl.float32))", "F3604", "", "fp16"},
    {"tl.dot(h, h, out_dtype=tl.bfloat16)", "F3606", "", "bf16"},
    {"tl.dot(h, h, input_precision='fast')", "F3602", "input_precision='fast'", "fast"},
    {"tl.dot(i, i)", "F3603", "", "rank"},
    {"tl.reshape(h, [7, 7])", "F3123", "", "power"},
    {"tl.reshape(h, [16, 32])", "F3132", "", "512"},
    {"tl.permute(h, (0, 0))", "F3134", "", "permutation"},
    {"tl.split(h)", "F3135", "", "last dimension"},
    {"tl.squeeze(h, 0)", "F3133", "0", "not 1"},
    {"tl.cat(i, h)", "F3136", "", "one type"},
    {"tl.atomic_add(P + i, i, sem='sloppy')", "F3401", "sem='sloppy'", "sloppy"},
    {"tl.atomic_and(P + i, i)", "F3402", "P + i", "fp32"},
    {"tl.gather(h, i, 0)", "F3609", "", "rank"},
    {"tl.histogram(h, 16)", "F3610", "h", "1-D"},
    {"tl.reduce(i, 0, halves)", "F3608", "", "fp32 for an operand of type int32"},
    {"tl.associative_scan(i, 0, halves)", "F3608", "", "fp32 for an operand of type int32"},
    {"tl.reduce((i, i), 0, first)", "F3608", "", "1 values for 2 operands"},
    {"tl.multiple_of(i, [8, 8])", "F3701", "", "one value"},
    {"tl.static_assert(i.numel == 9, 'nine')", "F3705", "", "nine"},
    {"tl.static_assert(tl.load(P) > 0)", "F3704", "", "device_assert"},
    {"i[0]", "F3119", "", "picked"},
    {"i ** 2", "F3115", "i ** 2", "compile-time"},
    {"i.to(tl.float32) & 1", "F3113", "", "integers"},
    {"i.to(tl.float32) // 2", "F3112", "", "integers"},
    {"P + 1.5", "F3114", "", "integer"},
    {"P + P", "F3107", "P + P", "added"},
    {"i.to(tl.int8) + 200", "F3104", "", "out of range"},
    {"i.to(tl.uint8) + -1", "F3108", "", "negative"},
    {"i.to(tl.uint32) // i", "F3102", "", "signedness"},
    {"i.to(tl.float16, bitcast=True)", "F3109", "", "width"},
    {"P.to(tl.float32)", "F3110", "", "pointer"},
    {"tl.dot_scaled(h, h, 'e4m3', h, h, 'e4m3')", "F3201", "", "dot_scaled"},
    {"libdevice.div_rz(h, h)", "F3201", "", "libdevice.div_rz"},
    {"tl.make_tensor_descriptor(P, [1], [1], [16])", "F3201", "", "make_tensor_descriptor"},
    {"[k for k in tl.range(0, 8, 1.5)]", "F2302", "", "'float'"},
    {"tl.range(0, 8, 'x')", "F2302", "", "'str'"},
    {"'a'.rjust(9, 'xy')", "F2301", "", "one character"},
    {"'a'.rjust(1 << 40)", "F2305", "", "16 MiB"},
    {"('x' * 4096).join(('y' * 5000))", "F2305", "", "16 MiB"},
    {"('y' * 4097).replace('y', 'z' * 4096)", "F2305", "", "16 MiB"},
    {"list('y' * 5000000)", "F2305", "", "four million"},
    {"super()", "F2309", "", "outside a method"},
    {"tl.laod(P + i)", "F2105", "tl.laod", "did you mean 'load'?"},
    {"tl.load(P + i, msk=i < 3)", "F2301", "msk=i < 3", "did you mean 'mask'?"},
    {"i.brodcast_to([8, 8])", "F2105", "", "did you mean 'broadcast_to'?"},
    {"i.xyz", "F2105", "", "no attribute"},
    {"tl.inline_asm_elementwise('x', '=r', [i], tl.int32, True, 1)", "F3201", "", "inline_asm_elementwise"},
};

class BuiltinErrors : public testing::TestWithParam<Wrong> {};

TEST_P(BuiltinErrors, AreNamedAtTheArgument) {
  const Wrong &wrong = GetParam();
  KernelCompiler compiler;
  Outcome o = compiler.compile("P: *fp32, K: *kfp32", std::string("i = tl.arange(0, 8)\nh = tl.zeros([16, 16], tl.float16)\nr = ") + wrong.line);
  EXPECT_EQ(o.code, wrong.code) << o.message;
  if (*wrong.caret)
    EXPECT_EQ(o.caret, wrong.caret) << o.message;
  EXPECT_NE((o.message + " " + o.help).find(wrong.says), std::string::npos) << o.message << " / " << o.help;
}

INSTANTIATE_TEST_SUITE_P(All, BuiltinErrors, testing::ValuesIn(kWrong), [](const auto &info) {
  return std::string(info.param.code) + "_" + std::to_string(info.index);
});

} // namespace
} // namespace tegula::frontend::sema
