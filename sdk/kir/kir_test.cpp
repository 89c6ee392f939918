// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text, bytes and checks of KIR: round trips, what the verifier refuses, and that damaged files are refused without harm.

#include "kir_instructions.h"
#include "sdk/kir/kir.h"
#include "sdk/kir/writer.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace {

using Bytes = std::vector<uint8_t>;

Bytes parse(const std::string &text) {
  uint8_t *bytes = nullptr;
  size_t size = 0;
  tegula_kir_error_t error{};
  int32_t status = tegula_kir_parse(text.data(), text.size(), nullptr, &bytes, &size, &error);
  EXPECT_EQ(status, TEGULA_KIR_OK) << error.line << ":" << error.column << ": " << error.message;
  Bytes result(bytes, bytes + size);
  free(bytes);
  return result;
}

/// Reads and verifies; the code, and the message in `message`.
int32_t check(const Bytes &bytes, std::string *message = nullptr) {
  tegula_kir_module_t *module = nullptr;
  tegula_kir_error_t error{};
  int32_t status = tegula_kir_read(bytes.data(), bytes.size(), nullptr, &module, &error);
  if (status == TEGULA_KIR_OK)
    status = tegula_kir_verify(module, &error);
  tegula_kir_free(module);
  if (message)
    *message = error.message;
  EXPECT_EQ(status, error.code);
  return status;
}

std::string print(const Bytes &bytes) {
  tegula_kir_module_t *module = nullptr;
  tegula_kir_error_t error{};
  EXPECT_EQ(tegula_kir_read(bytes.data(), bytes.size(), nullptr, &module, &error), TEGULA_KIR_OK) << error.message;
  if (!module)
    return {};
  size_t length = 0;
  char *text = tegula_kir_print(module, &length);
  std::string result(text, length);
  tegula_kir_free_text(module, text, length);
  tegula_kir_free(module);
  return result;
}

const char *kTypes = R"(kir 0.1 tile
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

std::string module(const std::string &body) { return std::string(kTypes) + body + "func.return values=()\nfunc.end\n"; }

struct Line {
  const char *text;
  int32_t code;
};

class Accepted : public testing::TestWithParam<const char *> {};

TEST_P(Accepted, RoundTripsAndVerifies) {
  Bytes bytes = parse(module(GetParam()));
  std::string message;
  EXPECT_EQ(check(bytes, &message), TEGULA_KIR_OK) << message;
  EXPECT_EQ(parse(print(bytes)), bytes);
}

INSTANTIATE_TEST_SUITE_P(Kir, Accepted, testing::Values(
    "", "%70:%5 = addi lhs=%53 rhs=%54\n", "%70:%8 = cmpf lhs=%58 rhs=%58 predicate=une\n", "%70:%6 = select condition=%55 on_true=%58 on_false=%58\n",
    "%70:%6 = select condition=%59 on_true=%58 on_false=%58\n", "%70:%6 = fma a=%58 b=%58 c=%58\n", "%70:%6 = math1 value=%58 function=exp\n",
    "%70:%6 = math2 lhs=%58 rhs=%58 function=pow\n", "%70:%5 = bits1 value=%53 function=popcount\n", "%70:%8 = classify value=%58 test=nan\n",
    "%70:%20 = fpcast value=%58 rounding=rtz saturate=0\n", "%70:%6 = sitofp value=%53\n", "%70:%5 = fptosi value=%58\n", "%70:%5 = bitcast value=%58\n",
    "%70:%13 = ptrtoint value=%51\n%71:%4 = inttoptr value=%70\n", "%70:%13 = extsi value=%52\n%71:%2 = trunci value=%70\n",
    "%70:%15 = expand_dims value=%58 axis=0\n%71:%9 = broadcast value=%70\n", "%70:%10 = transpose value=%60 permutation=(1, 0)\n",
    "%70:%10 = reshape value=%60 reorder=0\n", "%70:%14 = join lhs=%58 rhs=%58\n%71:%6, %72:%6 = split value=%70\n",
    "%70:%16 = concat lhs=%58 rhs=%58 axis=0\n", "%70:%18 = const bits=0x0\n%71:%3 = extract_scalar value=%70\n",
    "%70:%5 = hint value=%53 divisibility=(0x8) contiguity=() constancy=()\n", "store pointer=%57 value=%58 mask=%55 cache=wb eviction=evict_first\n",
    "%70:%6 = atomic_rmw pointer=%57 value=%58 mask=- operation=fadd order=acq_rel scope=gpu\n",
    "%70:%6 = atomic_cas pointer=%57 compare=%58 value=%58 order=relaxed scope=sys\n",
    "%70:%11 = const bits=0x0\n%71:%11 = dot lhs=%60 rhs=%61 accumulator=%70 precision=ieee max_imprecise=0 lhs_signed=1 rhs_signed=1\n",
    "%70:%3 = reduce combine=%40 values=(%58) axis=0\n", "%70:%12 = reduce combine=%40 values=(%60) axis=1\n",
    "%70:%6 = scan combine=%40 values=(%58) axis=0 reverse=1\n", "%70:%6 = gather source=%58 index=%53 axis=0\n",
    "%70:%17 = histogram value=%53 mask=%55\n", "barrier\n", "print values=(%53) prefix=\"x = \\\"\\x0a\" hex=0 signed=(1)\n",
    "assert condition=%55 mask=- message=\"m\"\n", "assume condition=%59\n", "%71:%3 = const bits=0x0\n%70:%3 = func.call callee=%40 args=(%71, %71)\n",
    "%70:%2 = program_id axis=2\n%71:%2 = num_programs axis=0\n", "%70:%6 = poison\n",
    "cf.if condition=%59\nbarrier\ncf.end\n", "%70:%2 = cf.if condition=%59\ncf.yield values=(%52)\ncf.else\ncf.yield values=(%52)\ncf.end\n%71:%2 = addi lhs=%70 rhs=%52\n",
    "%70:%6 = cf.for lower=%52 upper=%52 step=%52 inits=(%58) induction=%72:%2 iters=(%73:%6) num_stages=3 unroll=0 flags=flatten\n"
    "%74:%6 = addf lhs=%73 rhs=%58\ncf.yield values=(%74)\ncf.end\n%75:%6 = addf lhs=%70 rhs=%58\n",
    "%70:%2 = cf.while inits=(%52) before=(%71:%2)\n%72:%1 = cmpi lhs=%71 rhs=%52 predicate=slt\ncf.condition condition=%72 values=(%71)\n"
    "cf.do after=(%73:%2)\n%74:%2 = addi lhs=%73 rhs=%73\ncf.yield values=(%74)\ncf.end\n%75:%2 = addi lhs=%70 rhs=%70\n"));

class Refused : public testing::TestWithParam<Line> {};

TEST_P(Refused, WithItsCode) {
  std::string message;
  EXPECT_EQ(check(parse(module(GetParam().text)), &message), GetParam().code) << message;
  EXPECT_FALSE(message.empty());
}

INSTANTIATE_TEST_SUITE_P(Kir, Refused, testing::Values(
    Line{"%70:%5 = addi lhs=%53 rhs=%52\n", TEGULA_KIR_ERROR_TYPE}, Line{"%70:%6 = addi lhs=%58 rhs=%58\n", TEGULA_KIR_ERROR_TYPE},
    Line{"%70:%5 = addf lhs=%53 rhs=%54\n", TEGULA_KIR_ERROR_TYPE}, Line{"%70:%8 = cmpf lhs=%53 rhs=%54 predicate=oeq\n", TEGULA_KIR_ERROR_TYPE},
    Line{"%70:%6 = select condition=%53 on_true=%58 on_false=%58\n", TEGULA_KIR_ERROR_TYPE}, Line{"%70:%13 = trunci value=%52\n", TEGULA_KIR_ERROR_TYPE},
    Line{"%70:%1 = extui value=%52\n", TEGULA_KIR_ERROR_TYPE}, Line{"%70:%20 = bitcast value=%58\n", TEGULA_KIR_ERROR_TYPE},
    Line{"%70:%9 = splat value=%58\n", TEGULA_KIR_ERROR_TYPE}, Line{"%70:%9 = broadcast value=%61\n", TEGULA_KIR_ERROR_TYPE},
    Line{"%70:%15 = expand_dims value=%58 axis=1\n", TEGULA_KIR_ERROR_TYPE}, Line{"%70:%16 = reshape value=%58 reorder=0\n", TEGULA_KIR_ERROR_TYPE},
    Line{"%70:%10 = transpose value=%60 permutation=(1, 1)\n", TEGULA_KIR_ERROR_TYPE}, Line{"%70:%14 = join lhs=%58 rhs=%53\n", TEGULA_KIR_ERROR_TYPE},
    Line{"%70:%6, %71:%6 = split value=%60\n", TEGULA_KIR_ERROR_TYPE}, Line{"%70:%6 = concat lhs=%58 rhs=%58 axis=0\n", TEGULA_KIR_ERROR_TYPE},
    Line{"%70:%3 = extract_scalar value=%58\n", TEGULA_KIR_ERROR_TYPE}, Line{"%70:%5 = load pointer=%57 mask=- other=- cache=none eviction=normal volatile=0\n", TEGULA_KIR_ERROR_TYPE},
    Line{"%70:%6 = load pointer=%57 mask=%53 other=- cache=none eviction=normal volatile=0\n", TEGULA_KIR_ERROR_TYPE},
    Line{"%70:%6 = load pointer=%57 mask=- other=%58 cache=none eviction=normal volatile=0\n", TEGULA_KIR_ERROR_TYPE},
    Line{"store pointer=%57 value=%53 mask=- cache=none eviction=normal\n", TEGULA_KIR_ERROR_TYPE},
    Line{"%70:%6 = atomic_rmw pointer=%57 value=%58 mask=- operation=add order=acq_rel scope=gpu\n", TEGULA_KIR_ERROR_TYPE},
    Line{"%70:%9 = dot lhs=%60 rhs=%61 accumulator=%60 precision=ieee max_imprecise=0 lhs_signed=1 rhs_signed=1\n", TEGULA_KIR_ERROR_TYPE},
    Line{"%70:%3 = reduce combine=%40 values=(%60) axis=0\n", TEGULA_KIR_ERROR_TYPE}, Line{"%70:%2 = reduce combine=%40 values=(%53) axis=0\n", TEGULA_KIR_ERROR_TYPE},
    Line{"%70:%6 = gather source=%58 index=%58 axis=0\n", TEGULA_KIR_ERROR_TYPE}, Line{"%70:%5 = arange start=0 end=4\n", TEGULA_KIR_ERROR_TYPE},
    Line{"%70:%2 = program_id axis=3\n", TEGULA_KIR_ERROR_TYPE}, Line{"%70:%1 = const bits=0x2\n", TEGULA_KIR_ERROR_TYPE},
    Line{"print values=(%53) prefix=\"\" hex=0 signed=()\n", TEGULA_KIR_ERROR_TYPE}, Line{"assume condition=%55\n", TEGULA_KIR_ERROR_TYPE},
    Line{"%70:%3 = func.call callee=%40 args=(%52, %52)\n", TEGULA_KIR_ERROR_TYPE}, Line{"%70:%3 = func.call callee=%50 args=(%51, %52)\n", TEGULA_KIR_ERROR_TYPE},
    Line{"func.call callee=%50 args=(%51, %52)\n", TEGULA_KIR_ERROR_RECURSION}, Line{"%70:%2 = addi lhs=%71 rhs=%71\n%71:%2 = addi lhs=%52 rhs=%52\n", TEGULA_KIR_ERROR_DOMINANCE},
    Line{"%70:%2 = addi lhs=%99 rhs=%52\n", TEGULA_KIR_ERROR_ID}, Line{"%52:%2 = addi lhs=%52 rhs=%52\n", TEGULA_KIR_ERROR_ID},
    Line{"cf.if condition=%59\n%70:%2 = addi lhs=%52 rhs=%52\ncf.end\n%71:%2 = addi lhs=%70 rhs=%70\n", TEGULA_KIR_ERROR_DOMINANCE},
    Line{"cf.if condition=%59\n%70:%2 = addi lhs=%52 rhs=%52\ncf.else\n%71:%2 = addi lhs=%70 rhs=%70\ncf.end\n", TEGULA_KIR_ERROR_DOMINANCE},
    Line{"cf.if condition=%59\ncf.if condition=%59\n%70:%2 = addi lhs=%52 rhs=%52\ncf.end\n%71:%2 = addi lhs=%70 rhs=%70\ncf.end\n", TEGULA_KIR_ERROR_DOMINANCE},
    Line{"%70:%2 = cf.if condition=%59\ncf.yield values=(%52)\ncf.end\n", TEGULA_KIR_ERROR_STRUCTURE}, Line{"cf.if condition=%52\ncf.end\n", TEGULA_KIR_ERROR_TYPE},
    Line{"cf.end\n", TEGULA_KIR_ERROR_STRUCTURE}, Line{"cf.else\n", TEGULA_KIR_ERROR_STRUCTURE}, Line{"cf.if condition=%59\n", TEGULA_KIR_ERROR_STRUCTURE},
    Line{"%70:%2 = cf.if condition=%59\ncf.yield values=(%51)\ncf.else\ncf.yield values=(%52)\ncf.end\n", TEGULA_KIR_ERROR_TYPE},
    Line{"%70:%2 = cf.while inits=(%52) before=(%71:%2)\ncf.condition condition=%59 values=(%71)\ncf.do after=(%73:%2)\ncf.yield values=(%71)\ncf.end\n", TEGULA_KIR_ERROR_DOMINANCE},
    Line{"cf.for lower=%52 upper=%51 step=%52 inits=() induction=%72:%2 iters=() num_stages=0 unroll=0 flags=none\ncf.yield values=()\ncf.end\n", TEGULA_KIR_ERROR_TYPE}));

TEST(Kir, TextErrorsHavePlaces) {
  uint8_t *bytes = nullptr;
  size_t size = 0;
  tegula_kir_error_t error{};
  std::string text = "kir 0.1 tile\n%1 = type.int width=32\n%2 = type.nothing\n";
  EXPECT_EQ(tegula_kir_parse(text.data(), text.size(), nullptr, &bytes, &size, &error), TEGULA_KIR_ERROR_TEXT);
  EXPECT_EQ(error.line, 3u);
  EXPECT_EQ(error.column, 6u);
  EXPECT_STREQ(error.message, "unknown instruction");
}

TEST(Kir, OtherVersionsAreNamed) {
  Bytes bytes = parse(module(""));
  bytes[4] = 7;
  std::string message;
  EXPECT_EQ(check(bytes, &message), TEGULA_KIR_ERROR_VERSION);
  EXPECT_NE(message.find("0.7"), std::string::npos);
  EXPECT_NE(message.find("0.1"), std::string::npos);
}

TEST(Kir, PlacesFollowInlining) {
  tegula_kir_writer_t *w = tegula_kir_writer_create(TEGULA_KIR_LEVEL_TILE, nullptr);
  uint32_t type = tegula_kir_writer_function(w, nullptr, 0, nullptr, 0);
  uint32_t outer = tegula_kir_writer_place(w, "k.py", 4, 10, 3, 7, 0), inner = tegula_kir_writer_place(w, "h.py", 4, 2, 5, 9, outer);
  EXPECT_EQ(inner, tegula_kir_writer_place(w, "h.py", 4, 2, 5, 9, outer));
  tegula_kir_writer_begin_function(w, tegula_kir_writer_new_id(w), type, "k", 1, TEGULA_KIR_FUNCTION_FLAGS_KERNEL);
  tegula_kir_writer_set_place(w, inner);
  tegula_kir_emit_barrier(w);
  tegula_kir_emit_func_return(w, nullptr, 0);
  tegula_kir_emit_func_end(w);
  const uint8_t *bytes;
  size_t size;
  tegula_kir_error_t error{};
  ASSERT_EQ(tegula_kir_writer_finish(w, &bytes, &size, &error), TEGULA_KIR_OK);
  tegula_kir_module_t *m = nullptr;
  ASSERT_EQ(tegula_kir_read(bytes, size, nullptr, &m, &error), TEGULA_KIR_OK) << error.message;
  ASSERT_EQ(tegula_kir_verify(m, &error), TEGULA_KIR_OK) << error.message;
  const tegula_kir_function_t &f = m->functions[0];
  tegula_kir_place_t place;
  uint32_t barrier = f.first;
  while (m->insts[barrier].opcode != TEGULA_KIR_OP_BARRIER)
    ++barrier;
  ASSERT_TRUE(tegula_kir_get_place(m, m->insts[barrier].loc, &place));
  EXPECT_EQ(std::string(place.file, place.file_length), "h.py");
  EXPECT_EQ(place.line, 2u);
  ASSERT_TRUE(tegula_kir_get_place(m, place.inlined_at, &place));
  EXPECT_EQ(std::string(place.file, place.file_length), "k.py");
  EXPECT_FALSE(tegula_kir_get_place(m, place.inlined_at, &place));
  tegula_kir_free(m);
  tegula_kir_writer_destroy(w);
}

/// Every kind of region and a call, for the damage tests.
Bytes rich() {
  return parse(module(
      "%70:%6 = cf.for lower=%52 upper=%52 step=%52 inits=(%58) induction=%72:%2 iters=(%73:%6) num_stages=3 unroll=0 flags=flatten\n"
      "%74:%6 = addf lhs=%73 rhs=%58\ncf.if condition=%59\nstore pointer=%57 value=%74 mask=%55 cache=none eviction=normal\ncf.else\nbarrier\ncf.end\ncf.yield values=(%74)\ncf.end\n"
      "%80:%2 = cf.while inits=(%52) before=(%81:%2)\n%82:%1 = cmpi lhs=%81 rhs=%52 predicate=slt\ncf.condition condition=%82 values=(%81)\n"
      "cf.do after=(%83:%2)\n%84:%2 = addi lhs=%83 rhs=%83\ncf.yield values=(%84)\ncf.end\n%85:%3 = reduce combine=%40 values=(%70) axis=0\n"
      "%86:%3 = func.call callee=%40 args=(%85, %85)\nprint values=(%53) prefix=\"text\" hex=0 signed=(1)\n"));
}

TEST(Kir, EveryTruncationIsRefused) {
  Bytes bytes = rich();
  ASSERT_EQ(check(bytes), TEGULA_KIR_OK);
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(check(Bytes(bytes.begin(), bytes.begin() + static_cast<long>(size))), TEGULA_KIR_OK);
}

TEST(Kir, EveryBitFlipIsRefusedOrHarmless) {
  Bytes bytes = rich();
  size_t refused = 0;
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    Bytes damaged = bytes;
    damaged[bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
    if (check(damaged) != TEGULA_KIR_OK)
      ++refused;
    else
      EXPECT_FALSE(print(damaged).empty());
  }
  EXPECT_GT(refused, bytes.size()); // most bits matter
}

TEST(Kir, RandomDamageIsRefusedOrHarmless) {
  Bytes bytes = rich();
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    Bytes damaged = bytes;
    for (int n = static_cast<int>(random() % 4) + 1; n-- > 0;) {
      size_t word = random() % (damaged.size() / 4);
      uint32_t value = random() % 3 ? random() % 128 : static_cast<uint32_t>(random());
      std::memcpy(&damaged[word * 4], &value, 4);
    }
    check(damaged);
  }
}

} // namespace
