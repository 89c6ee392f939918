// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What builtins build: places in the IR where a mistake would change numbers, and types that follow from several arguments.

#include "frontend/sema/test/compiled_kernel.h"

#include <gtest/gtest.h>

namespace tegula::frontend::sema {
namespace {

class Builtins : public testing::Test {
protected:
  KernelCompiler compiler;
  Outcome build(std::string_view parameters, std::string_view body) {
    Outcome outcome = compiler.compile(parameters, body);
    EXPECT_EQ(outcome.code, "") << body << "\n" << outcome.message;
    return outcome;
  }
  /// What static_print prints of the expressions, one each.
  void prints(std::string_view parameters, std::string_view setup, const std::vector<std::pair<std::string, std::string>> &expected) {
    std::string body(setup);
    for (const auto &[expression, text] : expected)
      body += "\ntl.static_print(" + expression + ")";
    Outcome outcome = build(parameters, body);
    ASSERT_EQ(outcome.printed.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i)
      EXPECT_EQ(outcome.printed[i], expected[i].second) << expected[i].first;
  }
};

TEST_F(Builtins, LiteralsInComparisonsKeepTheirOwnType) {
  // fp16(0.1) < 0.1 is true: 0.1 is compared as fp32, not rounded to fp16 first.
  Outcome half = build("A: *fp16, B: *i32", "x = tl.load(A)\ntl.store(B, (x < 0.1).to(tl.int32))");
  EXPECT_TRUE(half.has("tile.fpcast")) << half.ir;
  EXPECT_TRUE(half.has("arith.cmpf olt") && half.has(": f32")) << half.ir;
  // An int8 is never 200.
  Outcome byte = build("A: *i8, B: *i32", "x = tl.load(A)\ntl.store(B, (x == 200).to(tl.int32))");
  EXPECT_TRUE(byte.has("arith.extsi") && byte.has("arith.constant 200 : i32")) << byte.ir;
}

TEST_F(Builtins, ComparisonsAreOrderedButForNotEqual) {
  for (const auto &[op, predicate] : {std::pair("==", "oeq"), {"!=", "une"}, {"<", "olt"}, {"<=", "ole"}, {">", "ogt"}, {">=", "oge"}}) {
    Outcome o = build("A: *fp32, B: *i32", std::string("tl.store(B, (tl.load(A) ") + op + " tl.load(A + 1)).to(tl.int32))");
    EXPECT_TRUE(o.has(std::string("arith.cmpf ") + predicate)) << op << o.ir;
  }
}

TEST_F(Builtins, SignednessDecidesTheOperation) {
  struct Case {
    const char *type, *expression, *operation;
  };
  for (const Case &c : {Case{"i32", "a // b", "arith.divsi"},
                        {"u32", "a // b", "arith.divui"},
                        {"i32", "a % b", "arith.remsi"},
                        {"u32", "a % b", "arith.remui"},
                        {"i32", "a >> b", "arith.shrsi"},
                        {"u32", "a >> b", "arith.shrui"},
                        {"i32", "a.to(tl.int64)", "arith.extsi"},
                        {"u32", "a.to(tl.int64)", "arith.extui"},
                        {"i32", "a.to(tl.float32)", "arith.sitofp"},
                        {"u32", "a.to(tl.float32)", "arith.uitofp"},
                        {"i32", "tl.maximum(a, b)", "arith.maxsi"},
                        {"u32", "tl.maximum(a, b)", "arith.maxui"},
                        {"fp32", "a % b", "arith.remf"},
                        {"fp32", "tl.maximum(a, b)", "arith.maxnumf"},
                        {"fp32", "tl.minimum(a, b, tl.PropagateNan.ALL)", "arith.minimumf"},
                        {"fp32", "a.to(tl.int32)", "arith.fptosi"},
                        {"fp32", "a.to(tl.uint32)", "arith.fptoui"},
                        {"fp32", "a.to(tl.int1)", "arith.cmpf une"},
                        {"i32", "a.to(tl.int1)", "arith.cmpi ne"},
                        {"i32", "a / b", "arith.divf"}}) {
    Outcome o =
        build(std::string("A: *") + c.type + ", B: *fp64", std::string("a = tl.load(A)\nb = tl.load(A + 1)\ntl.store(B, ") + c.expression + ")");
    EXPECT_TRUE(o.has(c.operation)) << c.type << " " << c.expression << "\n" << o.ir;
  }
}

TEST_F(Builtins, BoolsAreBytesInMemory) {
  Outcome o = build("A: *i1, B: *i1", "x = tl.arange(0, 8)\ntl.store(B + x, tl.load(A + x))");
  EXPECT_TRUE(o.has("8xi8>")) << o.ir;
  EXPECT_TRUE(o.has("arith.cmpi ne")) << o.ir;
  EXPECT_TRUE(o.has("arith.extui")) << o.ir;
}

TEST_F(Builtins, ShapesOfShapeFunctions) {
  prints("n: i32", "x = tl.full([4, 8], 1.0, tl.float32)\nv = tl.arange(0, 8)",
         {{"x.T.shape", "(8, 4)"},
          {"x[None, :, :, None].shape", "(1, 4, 8, 1)"},
          {"v[:, None].shape", "(8, 1)"},
          {"(v[:, None] + v[None, :]).shape", "(8, 8)"},
          {"tl.expand_dims(v, [0, -1]).shape", "(1, 8, 1)"},
          {"tl.reshape(x, [2, 16]).shape", "(2, 16)"},
          {"x.reshape(32).shape", "(32,)"},
          {"tl.view(x, (8, 4)).shape", "(8, 4)"},
          {"tl.ravel(x).shape", "(32,)"},
          {"tl.trans(x).shape", "(8, 4)"},
          {"tl.permute(x, (1, 0)).shape", "(8, 4)"},
          {"tl.join(x, x).shape", "(4, 8, 2)"},
          {"tl.interleave(x, x).shape", "(4, 16)"},
          {"tl.split(tl.join(x, x))[1].shape", "(4, 8)"},
          {"tl.cat(v, v, can_reorder=True).shape", "(16,)"},
          {"tl.broadcast_to(v, [4, 8]).shape", "(4, 8)"},
          {"tl.sum(x, 1).shape", "(4,)"},
          {"tl.sum(x, 1, keep_dims=True).shape", "(4, 1)"},
          {"tl.max(x, 0, return_indices=True)[1].dtype", "int32"},
          {"tl.cumsum(x, 1).shape", "(4, 8)"},
          {"tl.sort(x).shape", "(4, 8)"},
          {"tl.topk(x, 2).shape", "(4, 2)"},
          {"tl.flip(x).shape", "(4, 8)"},
          {"tl.histogram(v, 16).shape", "(16,)"},
          {"tl.zeros_like(x).dtype", "fp32"},
          {"tl.where(v > 2, v, 0).dtype", "int32"},
          {"tl.program_id(0).dtype", "int32"},
          {"x.numel", "32"}});
}

TEST_F(Builtins, AttributesOfTypes) {
  prints("P: *bf16", "x = tl.load(P)",
         {{"P.dtype.element_ty", "bf16"},
          {"P.type.element_ty.is_bf16()", "True"},
          {"P.dtype.is_ptr()", "True"},
          {"x.dtype.primitive_bitwidth", "16"},
          {"x.dtype.itemsize", "2"},
          {"x.dtype.is_floating()", "True"},
          {"tl.float32.fp_mantissa_width", "23"},
          {"tl.int8.get_int_max_value()", "127"},
          {"tl.uint16.get_int_max_value()", "65535"},
          {"tl.int8.get_int_min_value()", "-128"},
          {"tl.dtype('fp16')", "fp16"},
          {"tl.pointer_type(tl.float32).element_ty", "fp32"},
          {"P.to(tl.pointer_type(tl.int16)).dtype.element_ty", "int16"},
          {"tl.float8e5 == tl.float8e4nv", "False"}});
}

TEST_F(Builtins, ProductsAccumulateInTheTypeThatIsAskedFor) {
  std::string setup = "i = tl.arange(0, 16)\np = i[:, None] * 16 + i[None, :]\nh = tl.load(H + p)\nb = tl.load(B + p)";
  prints("H: *fp16, B: *i8", setup,
         {{"tl.dot(h, h).dtype", "fp32"},
          {"tl.dot(h, h, out_dtype=tl.float16).dtype", "fp16"},
          {"tl.dot(h, h, tl.zeros([16, 16], tl.float16)).dtype", "fp16"},
          {"tl.dot(b, b).dtype", "int32"},
          {"tl.dot(h[None, :, :], h[None, :, :]).shape", "(1, 16, 16)"}});
}

TEST_F(Builtins, LoadsAndStoresCarryTheirOptions) {
  Outcome o = build("A: *fp32, B: *fp32, n: i32", "i = tl.arange(0, 8)\nx = tl.load(A + i, mask=i < n, other=1.5, cache_modifier='.cg', "
                                                  "eviction_policy='evict_last')\ntl.store(B + i, x, mask=i < n)");
  EXPECT_TRUE(o.has("tile.load") && o.has("tile.store")) << o.ir;
  EXPECT_TRUE(o.has("1.500000e+00")) << o.ir;
}

TEST_F(Builtins, BlockPointersCheckTheAxesThatAreNamed) {
  std::string make = "p = tl.make_block_ptr(A, (n, 16), (16, 1), (0, 0), (8, 16), (1, 0))\n";
  Outcome none = build("A: *fp32, B: *fp32, n: i32", make + "x = tl.load(p)\ntl.store(tl.advance(p, (8, 0)), x)");
  EXPECT_FALSE(none.has("arith.cmpi")) << none.ir;
  Outcome one = build("A: *fp32, B: *fp32, n: i32", make + "x = tl.load(p, boundary_check=(0,), padding_option='nan')\ntl.store(p, x)");
  EXPECT_TRUE(one.has("arith.cmpi slt") && one.has("arith.cmpi sge") && one.has("0x7FC00000")) << one.ir;
}

TEST_F(Builtins, FloatExtremaOfAtomicsAreSplitBySign) {
  Outcome o = build("A: *fp32", "tl.atomic_max(A, tl.program_id(0).to(tl.float32))");
  size_t first = o.ir.find("tile.atomic_rmw");
  ASSERT_NE(first, std::string::npos) << o.ir;
  EXPECT_NE(o.ir.find("tile.atomic_rmw", first + 1), std::string::npos) << o.ir;
  EXPECT_TRUE(o.has("umin")) << o.ir;
}

TEST_F(Builtins, LibdeviceTakesWhateverBecomesAFloat) {
  for (const char *call : {"tanh(x)",         "pow(x, 2)",   "pow(x, y)",    "fast_expf(x)", "fast_dividef(x, y)",
                           "isnan(x)",        "log1p(x)",    "rint(x)",      "fmod(x, y)",   "copysign(x, y)",
                           "popc(i)",         "clz(i)",      "brev(i)",      "ffs(i)",       "float_as_int(x)",
                           "int_as_float(i)", "mulhi(i, i)", "div_rn(x, y)", "rcp_rn(x)",    "int2float_rn(i)",
                           "lgamma(x)",       "atan2(x, y)"})
    build("A: *fp32, B: *i32", std::string("x = tl.load(A)\ny = tl.load(A + 1)\ni = tl.load(B)\nz = libdevice.") + call);
}

TEST_F(Builtins, ConstexprFunctionsAskBlocksForTheirShape) {
  prints("x: *fp32", "o = tl.load(x + tl.arange(0, 8))", {{"rows(o)", "8"}, {"o + rows(o)", "<['8'], fp32>"}});
}

TEST_F(Builtins, LibdeviceCountsAndSignsAreInt32) {
  prints("x: fp32, i: i64", "",
         {{"libdevice.popc(i).dtype", "int32"},
          {"libdevice.clz(i).dtype", "int32"},
          {"libdevice.ffs(i).dtype", "int32"},
          {"libdevice.brev(i).dtype", "int64"},
          {"(libdevice.signbit(x) + libdevice.signbit(x)).dtype", "int32"},
          {"libdevice.isnan(x).dtype", "int1"},
          {"libdevice.llrint(x).dtype", "int64"},
          {"libdevice.float_as_uint(x).dtype", "int32"},
          {"libdevice.llround(x.to(tl.float64)).dtype", "int64"}});
}

TEST_F(Builtins, RandomFunctionsHaveTheTypesOfTheirNames) {
  prints("n: i32", "o = tl.arange(0, 8)",
         {{"tl.randint(n, o).dtype", "uint32"},
          {"tl.rand(n, o).dtype", "fp32"},
          {"tl.randn(n, o).dtype", "fp32"},
          {"tl.randint4x(n, o)[3].dtype", "uint32"},
          {"tl.philox(n, o, o, o, o)[0].dtype", "uint32"},
          {"tl.rand(n, o.to(tl.int64)).dtype", "fp32"}});
}

} // namespace
} // namespace tegula::frontend::sema
