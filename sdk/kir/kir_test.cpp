// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text, bytes and checks of KIR: round trips, what the verifier refuses, and that damaged files are refused without harm.

#include "kir_instructions.h"
#include "sdk/kir/kir.h"
#include "sdk/kir/kir_examples.h"
extern "C" {
#include "sdk/kir/tables.h"
}
#include "sdk/kir/writer.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace {

using tegula::kir_examples::kBodies;
using tegula::kir_examples::module;

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

INSTANTIATE_TEST_SUITE_P(Kir, Accepted, testing::ValuesIn(kBodies));

class Refused : public testing::TestWithParam<Line> {};

TEST_P(Refused, WithItsCode) {
  std::string message;
  EXPECT_EQ(check(parse(module(GetParam().text)), &message), GetParam().code) << message;
  EXPECT_FALSE(message.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Kir, Refused,
    testing::Values(
        Line{"%70:%5 = addi lhs=%53 rhs=%52\n", TEGULA_KIR_ERROR_TYPE}, Line{"%70:%6 = addi lhs=%58 rhs=%58\n", TEGULA_KIR_ERROR_TYPE},
        Line{"%70:%5 = addf lhs=%53 rhs=%54\n", TEGULA_KIR_ERROR_TYPE}, Line{"%70:%8 = cmpf lhs=%53 rhs=%54 predicate=oeq\n", TEGULA_KIR_ERROR_TYPE},
        Line{"%70:%6 = select condition=%53 on_true=%58 on_false=%58\n", TEGULA_KIR_ERROR_TYPE},
        Line{"%70:%13 = trunci value=%52\n", TEGULA_KIR_ERROR_TYPE}, Line{"%70:%1 = extui value=%52\n", TEGULA_KIR_ERROR_TYPE},
        Line{"%70:%20 = bitcast value=%58\n", TEGULA_KIR_ERROR_TYPE}, Line{"%70:%9 = splat value=%58\n", TEGULA_KIR_ERROR_TYPE},
        Line{"%70:%9 = broadcast value=%61\n", TEGULA_KIR_ERROR_TYPE}, Line{"%70:%15 = expand_dims value=%58 axis=1\n", TEGULA_KIR_ERROR_TYPE},
        Line{"%70:%16 = reshape value=%58 reorder=0\n", TEGULA_KIR_ERROR_TYPE},
        Line{"%70:%10 = transpose value=%60 permutation=(1, 1)\n", TEGULA_KIR_ERROR_TYPE},
        Line{"%70:%14 = join lhs=%58 rhs=%53\n", TEGULA_KIR_ERROR_TYPE}, Line{"%70:%6, %71:%6 = split value=%60\n", TEGULA_KIR_ERROR_TYPE},
        Line{"%70:%6 = concat lhs=%58 rhs=%58 axis=0\n", TEGULA_KIR_ERROR_TYPE}, Line{"%70:%3 = extract_scalar value=%58\n", TEGULA_KIR_ERROR_TYPE},
        Line{"%70:%5 = load pointer=%57 mask=- other=- cache=none eviction=normal volatile=0\n", TEGULA_KIR_ERROR_TYPE},
        Line{"%70:%6 = load pointer=%57 mask=%53 other=- cache=none eviction=normal volatile=0\n", TEGULA_KIR_ERROR_TYPE},
        Line{"%70:%6 = load pointer=%57 mask=- other=%58 cache=none eviction=normal volatile=0\n", TEGULA_KIR_ERROR_TYPE},
        Line{"store pointer=%57 value=%53 mask=- cache=none eviction=normal\n", TEGULA_KIR_ERROR_TYPE},
        Line{"%70:%6 = atomic_rmw pointer=%57 value=%58 mask=- operation=add order=acq_rel scope=gpu\n", TEGULA_KIR_ERROR_TYPE},
        Line{"%70:%9 = dot lhs=%60 rhs=%61 accumulator=%60 precision=ieee max_imprecise=0 lhs_signed=1 rhs_signed=1\n", TEGULA_KIR_ERROR_TYPE},
        Line{"%70:%3 = reduce combine=%40 values=(%60) axis=0\n", TEGULA_KIR_ERROR_TYPE},
        Line{"%70:%2 = reduce combine=%40 values=(%53) axis=0\n", TEGULA_KIR_ERROR_TYPE},
        Line{"%70:%6 = gather source=%58 index=%58 axis=0\n", TEGULA_KIR_ERROR_TYPE}, Line{"%70:%5 = arange start=0 end=4\n", TEGULA_KIR_ERROR_TYPE},
        Line{"%70:%2 = program_id axis=3\n", TEGULA_KIR_ERROR_TYPE}, Line{"%70:%1 = const bits=0x2\n", TEGULA_KIR_ERROR_TYPE},
        Line{"print values=(%53) prefix=\"\" hex=0 signed=()\n", TEGULA_KIR_ERROR_TYPE}, Line{"assume condition=%55\n", TEGULA_KIR_ERROR_TYPE},
        Line{"%70:%3 = func.call callee=%40 args=(%52, %52)\n", TEGULA_KIR_ERROR_TYPE},
        Line{"%70:%3 = func.call callee=%50 args=(%51, %52)\n", TEGULA_KIR_ERROR_TYPE},
        Line{"func.call callee=%50 args=(%51, %52)\n", TEGULA_KIR_ERROR_RECURSION},
        Line{"%70:%2 = addi lhs=%71 rhs=%71\n%71:%2 = addi lhs=%52 rhs=%52\n", TEGULA_KIR_ERROR_DOMINANCE},
        Line{"%70:%2 = addi lhs=%99 rhs=%52\n", TEGULA_KIR_ERROR_ID}, Line{"%52:%2 = addi lhs=%52 rhs=%52\n", TEGULA_KIR_ERROR_ID},
        Line{"cf.if condition=%59\n%70:%2 = addi lhs=%52 rhs=%52\ncf.end\n%71:%2 = addi lhs=%70 rhs=%70\n", TEGULA_KIR_ERROR_DOMINANCE},
        Line{"cf.if condition=%59\n%70:%2 = addi lhs=%52 rhs=%52\ncf.else\n%71:%2 = addi lhs=%70 rhs=%70\ncf.end\n", TEGULA_KIR_ERROR_DOMINANCE},
        Line{"cf.if condition=%59\ncf.if condition=%59\n%70:%2 = addi lhs=%52 rhs=%52\ncf.end\n%71:%2 = addi lhs=%70 rhs=%70\ncf.end\n",
             TEGULA_KIR_ERROR_DOMINANCE},
        Line{"%70:%2 = cf.if condition=%59\ncf.yield values=(%52)\ncf.end\n", TEGULA_KIR_ERROR_STRUCTURE},
        Line{"cf.if condition=%52\ncf.end\n", TEGULA_KIR_ERROR_TYPE}, Line{"cf.end\n", TEGULA_KIR_ERROR_STRUCTURE},
        Line{"cf.else\n", TEGULA_KIR_ERROR_STRUCTURE}, Line{"cf.if condition=%59\n", TEGULA_KIR_ERROR_STRUCTURE},
        Line{"%70:%2 = cf.if condition=%59\ncf.yield values=(%51)\ncf.else\ncf.yield values=(%52)\ncf.end\n", TEGULA_KIR_ERROR_TYPE},
        Line{"%70:%2 = cf.while inits=(%52) before=(%71:%2)\ncf.condition condition=%59 values=(%71)\ncf.do after=(%73:%2)\ncf.yield "
             "values=(%71)\ncf.end\n",
             TEGULA_KIR_ERROR_DOMINANCE},
        Line{"%70:%6 = math1 value=%58 function=pow\n", TEGULA_KIR_ERROR_TYPE},
        Line{"%70:%6 = math2 lhs=%58 rhs=%58 function=exp\n", TEGULA_KIR_ERROR_TYPE},
        Line{"%70:%6 = concat lhs=%58 rhs=%58 axis=1\n", TEGULA_KIR_ERROR_TYPE}, Line{"%70:%6 = splat value=%58\n", TEGULA_KIR_ERROR_TYPE},
        Line{"cf.for lower=%52 upper=%51 step=%52 inits=() induction=%72:%2 iters=() num_stages=0 unroll=0 flags=none\ncf.yield values=()\ncf.end\n",
             TEGULA_KIR_ERROR_TYPE}));

/// Refused by text or bytes; the code, and the message in `message`.
int32_t codeOf(const std::string &text, std::string *message = nullptr) {
  uint8_t *bytes = nullptr;
  size_t size = 0;
  tegula_kir_error_t error{};
  if (int32_t status = tegula_kir_parse(text.data(), text.size(), nullptr, &bytes, &size, &error)) {
    if (message)
      *message = error.message;
    return status;
  }
  Bytes result(bytes, bytes + size);
  free(bytes);
  return check(result, message);
}

/// A text that is refused, with the code and words of the message: another rule's refusal does not count.
struct Rule {
  std::string text;
  int32_t code;
  const char *words;
};

void expectRefused(const std::vector<Rule> &rules) {
  for (const Rule &rule : rules) {
    std::string message;
    EXPECT_EQ(codeOf(rule.text, &message), rule.code) << rule.text << message;
    EXPECT_NE(message.find(rule.words), std::string::npos) << rule.text << message;
  }
}

TEST(Kir, RulesOfTypesAndFunctions) {
  const std::string head =
      "kir 0.1 tile\n%1 = type.int width=32\n%2 = type.function params=() result_types=()\n%3 = type.tensor element=%1 shape=(2)\n";
  const std::string open = "%9 = func.begin type=%2 name=\"f\" flags=none\n", close = "func.return values=()\nfunc.end\n";
  std::string nested;
  for (uint32_t i = 0; i <= TEGULA_KIR_LIMIT_MAX_NESTING; ++i)
    nested += "cf.if condition=%59\n";
  expectRefused({
      {head + "%4 = type.int width=7\n", TEGULA_KIR_ERROR_TYPE, "integer width 7"},
      {head + "%4 = type.pointer element=%2 space=global\n", TEGULA_KIR_ERROR_TYPE, "points to a scalar"},
      {head + "%4 = type.tensor element=%3 shape=(2)\n", TEGULA_KIR_ERROR_TYPE, "element is a scalar"},
      {head + "%4 = type.tensor element=%1 shape=()\n", TEGULA_KIR_ERROR_TYPE, "dimensions, not 0"},
      {head + "%4 = type.tensor element=%1 shape=(1, 1, 1, 1, 1, 1, 1, 1, 1)\n", TEGULA_KIR_ERROR_TYPE, "dimensions, not 9"},
      {head + "%4 = type.tensor element=%1 shape=(3)\n", TEGULA_KIR_ERROR_TYPE, "no power of two"},
      {head + "%4 = type.tensor element=%1 shape=(0)\n", TEGULA_KIR_ERROR_TYPE, "no power of two"},
      {head + "%4 = type.tensor element=%1 shape=(1048576, 2)\n", TEGULA_KIR_ERROR_LIMIT, "more than 1048576 elements"},
      {head + "%4 = type.function params=(%2) result_types=()\n", TEGULA_KIR_ERROR_TYPE, "parameter's type"},
      {head + "%4 = type.function params=() result_types=(%2)\n", TEGULA_KIR_ERROR_TYPE, "result's type"},
      {head + "%4 = func.begin type=%1 name=\"f\" flags=none\n" + close, TEGULA_KIR_ERROR_ID, "needs a function type"},
      {head + open + "%4 = type.int width=8\n" + close, TEGULA_KIR_ERROR_STRUCTURE, "inside a function"},
      {head + "barrier\n", TEGULA_KIR_ERROR_STRUCTURE, "outside a function"},
      {head + open + "%4 = func.begin type=%2 name=\"g\" flags=none\n" + close, TEGULA_KIR_ERROR_STRUCTURE, "begins inside another"},
      {head + open + "func.return values=()\n", TEGULA_KIR_ERROR_STRUCTURE, "no func.end"},
      {head + open + "func.end\n", TEGULA_KIR_ERROR_STRUCTURE, "no func.return"},
      {head + open + "barrier\n%4:%1 = func.param name=\"x\" divisibility=0x1 flags=none\n" + close, TEGULA_KIR_ERROR_STRUCTURE,
       "right after func.begin"},
      {head + open + "%4:%1 = func.param name=\"x\" divisibility=0x1 flags=none\n" + close, TEGULA_KIR_ERROR_TYPE, "parameters do not fit"},
      {head + open + "%4:%9 = poison\n" + close, TEGULA_KIR_ERROR_ID, "type is no type"},
      {head + open + "%4:%2 = poison\n" + close, TEGULA_KIR_ERROR_TYPE, "cannot be a function"},
      {head + open + "func.call callee=%1 args=()\n" + close, TEGULA_KIR_ERROR_ID, "is no function"},
      {head + open + "%4:%1 = poison\n%5:%1 = addi lhs=%1 rhs=%4\n" + close, TEGULA_KIR_ERROR_ID, "is no value"},
      {head + open + "debug.line loc=%1\n" + close, TEGULA_KIR_ERROR_ID, "no earlier place"},
      {head + "%4 = debug.loc file=%1 line=1 column=1 end_column=1 inlined_at=-\n", TEGULA_KIR_ERROR_ID, "no earlier string"},
      {head + "%4 = debug.string text=\"f\"\n%5 = debug.loc file=%4 line=1 column=1 end_column=1 inlined_at=%5\n", TEGULA_KIR_ERROR_ID,
       "no earlier string"},
      {"kir 0.1 thread\n%1 = type.int width=32\n%2 = type.tensor element=%1 shape=(2)\n", TEGULA_KIR_ERROR_OPCODE, "belongs to the tile level"},
      {module(nested), TEGULA_KIR_ERROR_LIMIT, "nest deeper than 256"},
  });
}

TEST(Kir, RulesOfRegions) {
  const std::string loop = "%70:%2 = cf.while inits=(%52) before=(%71:%2)\n";
  expectRefused({
      {module("%70:%3 = poison\n%71:%3 = addf lhs=%41 rhs=%70\n"), TEGULA_KIR_ERROR_DOMINANCE, "belongs to another function"},
      {module("%70:%3 = poison\n%71:%3 = addf lhs=%43 rhs=%70\n"), TEGULA_KIR_ERROR_DOMINANCE, "belongs to another function"},
      {module("%70:%2 = cf.if condition=%59\n%71:%2 = addi lhs=%70 rhs=%52\ncf.yield values=(%52)\ncf.else\ncf.yield values=(%52)\ncf.end\n"),
       TEGULA_KIR_ERROR_DOMINANCE, "not defined here"},
      {module("cf.if condition=%59\n%70:%2 = cf.if condition=%59\ncf.yield values=(%52)\ncf.else\ncf.yield values=(%52)\ncf.end\ncf.end\n"
              "%71:%2 = addi lhs=%70 rhs=%52\n"),
       TEGULA_KIR_ERROR_DOMINANCE, "not defined here"},
      {module("cf.for lower=%52 upper=%52 step=%52 inits=() induction=%72:%2 iters=() num_stages=0 unroll=0 flags=none\ncf.yield values=()\ncf.end\n"
              "%71:%2 = addi lhs=%72 rhs=%52\n"),
       TEGULA_KIR_ERROR_DOMINANCE, "not defined here"},
      {module(
           "cf.for lower=%52 upper=%72 step=%52 inits=() induction=%72:%2 iters=() num_stages=0 unroll=0 flags=none\ncf.yield values=()\ncf.end\n"),
       TEGULA_KIR_ERROR_DOMINANCE, "not defined here"},
      {module("cf.for lower=%52 upper=%52 step=%52 inits=() induction=%72:%2 iters=() num_stages=0 unroll=0 flags=none\ncf.end\n"),
       TEGULA_KIR_ERROR_STRUCTURE, "no terminator"},
      {module("cf.if condition=%59\nfunc.return values=()\ncf.end\n"), TEGULA_KIR_ERROR_STRUCTURE, "inside a region"},
      {module("cf.if condition=%59\ncf.yield values=()\nbarrier\ncf.end\n"), TEGULA_KIR_ERROR_STRUCTURE, "after the end of its region"},
      {module("cf.yield values=()\n"), TEGULA_KIR_ERROR_STRUCTURE, "does not end this region"},
      {module("cf.condition condition=%59 values=()\n"), TEGULA_KIR_ERROR_STRUCTURE, "does not end the test"},
      {module("cf.if condition=%59\ncf.do after=()\ncf.end\n"), TEGULA_KIR_ERROR_STRUCTURE, "does not belong"},
      {module(loop + "cf.condition condition=%59 values=(%71)\ncf.end\n"), TEGULA_KIR_ERROR_STRUCTURE, "no cf.do"},
      {module(loop + "cf.yield values=(%71)\ncf.do after=(%73:%2)\ncf.yield values=(%73)\ncf.end\n"), TEGULA_KIR_ERROR_STRUCTURE,
       "does not end this region"},
      {module(loop + "cf.condition condition=%52 values=(%71)\ncf.do after=(%73:%2)\ncf.yield values=(%73)\ncf.end\n"), TEGULA_KIR_ERROR_TYPE,
       "no i1 scalar"},
      {module(loop + "cf.condition condition=%59 values=(%71)\ncf.do after=(%73:%3)\ncf.yield values=(%71)\ncf.end\n"), TEGULA_KIR_ERROR_TYPE,
       "arguments of the body"},
      {module("%70:%2 = cf.for lower=%52 upper=%52 step=%52 inits=(%52) induction=%72:%2 iters=(%73:%2) num_stages=0 unroll=0 flags=none\n"
              "cf.yield values=(%51)\ncf.end\n"),
       TEGULA_KIR_ERROR_TYPE, "carried values of cf.for"},
  });
}

TEST(Kir, DamagedWordsAreNamed) {
  struct {
    size_t word;
    uint32_t value;
    int32_t code;
    const char *words;
  } const cases[] = {
      {0, 1, TEGULA_KIR_ERROR_MAGIC, "no KIR file"},          {2, 2, TEGULA_KIR_ERROR_ENUM, "unknown level"},
      {3, 1, TEGULA_KIR_ERROR_ID, "out of range"},            {3, 1u << 30, TEGULA_KIR_ERROR_LIMIT, "id bound"},
      {4, 7, TEGULA_KIR_ERROR_TRUNCATED, "header says 7"},    {5, 1, TEGULA_KIR_ERROR_FORM, "not zero"},
      {6, 3u << 16 | 33, TEGULA_KIR_ERROR_ENUM, "supported"}, {6, 3u << 16 | 65, TEGULA_KIR_ERROR_FORM, "too long"},
  };
  for (const auto &c : cases) {
    Bytes bytes = parse("kir 0.1 tile\n%1 = type.int width=16\n");
    std::memcpy(&bytes[c.word * 4], &c.value, 4);
    std::string message;
    EXPECT_EQ(check(bytes, &message), c.code) << message;
    EXPECT_NE(message.find(c.words), std::string::npos) << message;
  }
  Bytes bytes = parse("kir 0.1 tile\nmodule.producer text=\"abc\"\n");
  bytes.back() = 1;
  EXPECT_EQ(check(bytes), TEGULA_KIR_ERROR_FORM);
  EXPECT_EQ(check(Bytes(12)), TEGULA_KIR_ERROR_TRUNCATED);
}

/// Memory that ends after a number of allocations, and what of it is not given back.
struct Meter {
  int left;
  size_t used = 0;
};

TEST(Kir, NoMemoryIsAnErrorAndNothingIsLost) {
  Bytes bytes = parse(tegula::kir_examples::rich());
  int32_t status = TEGULA_KIR_ERROR_MEMORY;
  for (int allowed = 0; status != TEGULA_KIR_OK; ++allowed) {
    ASSERT_LT(allowed, 100);
    Meter meter{allowed};
    tegula_kir_allocator_t allocator{[](void *user, size_t size) -> void * {
                                       auto *m = static_cast<Meter *>(user);
                                       if (m->left-- <= 0)
                                         return nullptr;
                                       m->used += size;
                                       return malloc(size);
                                     },
                                     [](void *user, void *pointer, size_t size) {
                                       static_cast<Meter *>(user)->used -= size;
                                       free(pointer);
                                     },
                                     &meter};
    tegula_kir_module_t *module = nullptr;
    tegula_kir_error_t error{};
    status = tegula_kir_read(bytes.data(), bytes.size(), &allocator, &module, &error);
    if (!status)
      status = tegula_kir_verify(module, &error);
    EXPECT_TRUE(status == TEGULA_KIR_OK || status == TEGULA_KIR_ERROR_MEMORY);
    tegula_kir_free(module);
    EXPECT_EQ(meter.used, 0u);
  }
}

TEST(Kir, EveryInstructionHasAnExample) {
  std::set<uint32_t> seen;
  std::vector<std::string> texts = {tegula::kir_examples::rich(), tegula::kir_examples::described()};
  for (const char *body : kBodies)
    texts.push_back(module(body));
  for (const std::string &text : texts) {
    Bytes bytes = parse(text);
    std::string message;
    EXPECT_EQ(check(bytes, &message), TEGULA_KIR_OK) << message;
    EXPECT_EQ(parse(print(bytes)), bytes);
    std::vector<uint32_t> words(bytes.size() / 4);
    std::memcpy(words.data(), bytes.data(), bytes.size());
    for (size_t at = 6; at < words.size(); at += words[at] >> 16)
      seen.insert(words[at] & 0xffff);
  }
  for (uint32_t i = 0; i < tegula_kir_inst_count; ++i)
    EXPECT_TRUE(seen.count(tegula_kir_insts[i].opcode)) << tegula_kir_insts[i].name;
}

TEST(Kir, ProductsArePointersNever) {
  EXPECT_EQ(codeOf("kir 0.1 tile\n%1 = type.float format=f32\n%2 = type.pointer element=%1 space=global\n%3 = type.tensor element=%2 shape=(4, 4)\n"
                   "%4 = type.function params=() result_types=()\n%5 = func.begin type=%4 name=\"k\" flags=kernel\n%6:%3 = poison\n"
                   "%7:%3 = dot lhs=%6 rhs=%6 accumulator=%6 precision=ieee max_imprecise=0 lhs_signed=1 rhs_signed=1\n"
                   "func.return values=()\nfunc.end\n"),
            TEGULA_KIR_ERROR_TYPE);
}

TEST(Kir, PointersAreOnlySoDeep) {
  std::string text = "kir 0.1 tile\n%1 = type.int width=32\n";
  for (uint32_t id = 2; id < 2 + TEGULA_KIR_LIMIT_MAX_POINTER_DEPTH; ++id)
    text += "%" + std::to_string(id) + " = type.pointer element=%" + std::to_string(id - 1) + " space=global\n";
  EXPECT_EQ(codeOf(text), TEGULA_KIR_OK);
  uint32_t next = 2 + TEGULA_KIR_LIMIT_MAX_POINTER_DEPTH;
  expectRefused({{text + "%" + std::to_string(next) + " = type.pointer element=%" + std::to_string(next - 1) + " space=global\n",
                  TEGULA_KIR_ERROR_LIMIT, "pointers to pointers"}});
}

TEST(Kir, NumbersOutOfRangeAreNotCut) {
  for (const char *body : {"%70:%2 = program_id axis=4294967296\n", "%70:%5 = arange start=-2147483649 end=8\n",
                           "%70:%5 = arange start=0 end=2147483648\n", "%70:%1 = const bits=0x10000000000000000\n", "%70:%2 = program_id axis=-1\n"})
    EXPECT_EQ(codeOf(module(body)), TEGULA_KIR_ERROR_TEXT) << body;
  EXPECT_EQ(codeOf(module("%70:%5 = arange start=-2147483648 end=-2147483640\n")), TEGULA_KIR_OK);
  EXPECT_EQ(codeOf(module("%70:%13 = const bits=0xffffffffffffffff\n")), TEGULA_KIR_OK);
}

TEST(Kir, ManyResultsRoundTrip) {
  std::string results, values;
  for (int i = 0; i < 500; ++i) {
    results += (i ? ", %" : "%") + std::to_string(1000 + i) + ":%2";
    values += i ? ", %52" : "%52";
  }
  Bytes bytes =
      parse(module(results + " = cf.if condition=%59\ncf.yield values=(" + values + ")\ncf.else\ncf.yield values=(" + values + ")\ncf.end\n"));
  EXPECT_EQ(check(bytes), TEGULA_KIR_OK);
  EXPECT_EQ(parse(print(bytes)), bytes);
}

/// `count` functions, each of which calls the one written after it; the last calls `last`, where that is not negative.
Bytes callChain(int count, int last) {
  tegula_kir_writer_t *w = tegula_kir_writer_create(TEGULA_KIR_LEVEL_TILE, nullptr);
  uint32_t type = tegula_kir_writer_function(w, nullptr, 0, nullptr, 0);
  std::vector<uint32_t> ids;
  for (int i = 0; i < count; ++i)
    ids.push_back(tegula_kir_writer_new_id(w));
  for (int i = 0; i < count; ++i) {
    tegula_kir_writer_begin_function(w, ids[i], type, "f", 1, TEGULA_KIR_FUNCTION_FLAGS_NONE);
    if (int callee = i + 1 < count ? i + 1 : last; callee >= 0)
      tegula_kir_emit_func_call(w, nullptr, 0, nullptr, ids[callee], nullptr, 0);
    tegula_kir_emit_func_return(w, nullptr, 0);
    tegula_kir_emit_func_end(w);
  }
  const uint8_t *bytes = nullptr;
  size_t size = 0;
  tegula_kir_error_t error{};
  EXPECT_EQ(tegula_kir_writer_finish(w, &bytes, &size, &error), TEGULA_KIR_OK);
  Bytes result(bytes, bytes + size);
  tegula_kir_writer_destroy(w);
  return result;
}

TEST(Kir, LongCallChainsTakeLinearTime) {
  // Quadratic time would be minutes, and recursion an overflow of the stack.
  EXPECT_EQ(check(callChain(200000, -1)), TEGULA_KIR_OK);
  EXPECT_EQ(check(callChain(200000, 1000)), TEGULA_KIR_ERROR_RECURSION);
}

/// `bytes` with an instruction after the header; the header's length fits again.
Bytes withInstruction(Bytes bytes, const std::vector<uint32_t> &words) {
  Bytes more(words.size() * 4);
  std::memcpy(more.data(), words.data(), more.size());
  bytes.insert(bytes.begin() + 24, more.begin(), more.end());
  uint32_t count = static_cast<uint32_t>(bytes.size() / 4);
  std::memcpy(&bytes[16], &count, 4);
  return bytes;
}

TEST(Kir, UnknownExtensionsWithoutMeaningAreSkipped) {
  Bytes bytes = parse(tegula::kir_examples::rich());
  Bytes extended = withInstruction(bytes, {3u << 16 | TEGULA_KIR_SKIPPABLE_FIRST, 0xffffffffu, 7u});
  EXPECT_EQ(check(extended), TEGULA_KIR_OK);
  EXPECT_EQ(parse(print(extended)), bytes);
  EXPECT_EQ(check(withInstruction(bytes, {1u << 16 | (TEGULA_KIR_SKIPPABLE_FIRST - 1)})), TEGULA_KIR_ERROR_OPCODE);
  EXPECT_EQ(check(withInstruction(bytes, {TEGULA_KIR_SKIPPABLE_LAST})), TEGULA_KIR_ERROR_TRUNCATED);
}

TEST(Kir, FieldsOfLaterVersionsMayBeMissing) {
  // An instruction of version 250.0 that got two fields in 250.1.
  const tegula_kir_field_info_t infos[] = {{"first", TEGULA_KIR_FIELD_U32, 0, 0, 250u << 16},
                                           {"number", TEGULA_KIR_FIELD_U64, 0, 0, 250u << 16 | 1},
                                           {"list", TEGULA_KIR_FIELD_U32S, 0, 0, 250u << 16 | 1}};
  const tegula_kir_inst_info_t info = {"fake", 1, TEGULA_KIR_CLASS_OP, 0, 0, infos, 3, 0, 0, 250u << 16};
  const uint32_t words[] = {0, 5, 6, 7, 1, 8}, *results;
  uint32_t count;
  tegula_kir_field_t fields[TEGULA_KIR_MAX_FIELDS];
  ASSERT_EQ(tegula_kir_split(&info, words, 6, &results, &count, fields), nullptr);
  EXPECT_EQ(fields[1].words[1], 7u);
  EXPECT_EQ(fields[2].words[0], 8u);
  ASSERT_EQ(tegula_kir_split(&info, words, 2, &results, &count, fields), nullptr);
  EXPECT_EQ(fields[0].words[0], 5u);
  EXPECT_EQ(fields[1].words[0] | fields[1].words[1], 0u);
  EXPECT_EQ(fields[2].count, 0u);
  EXPECT_NE(tegula_kir_split(&info, words, 1, &results, &count, fields), nullptr);
  EXPECT_NE(tegula_kir_split(&info, words, 3, &results, &count, fields), nullptr);
}

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

TEST(Kir, EveryTruncationIsRefused) {
  Bytes bytes = parse(tegula::kir_examples::rich());
  ASSERT_EQ(check(bytes), TEGULA_KIR_OK);
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(check(Bytes(bytes.begin(), bytes.begin() + static_cast<long>(size))), TEGULA_KIR_OK);
}

TEST(Kir, EveryBitFlipIsRefusedOrHarmless) {
  Bytes bytes = parse(tegula::kir_examples::rich());
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
  Bytes bytes = parse(tegula::kir_examples::rich());
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
