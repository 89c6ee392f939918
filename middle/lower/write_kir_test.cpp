// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the writer makes of tile IR, seen through KIR's reader, verifier and text form.
#include "middle/lower/write_kir.h"

#include "middle/ir/dialect.h"
#include "sdk/kir/kir.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

using namespace tegula::middle;

namespace {

class WriteKir : public testing::Test {
protected:
  WriteKir() {
    mlir::DialectRegistry registry;
    tile::registerTileDialects(registry);
    context.appendDialectRegistry(registry);
  }

  /// The text form of what `source` becomes, after reading and verifying the bytes.
  std::string write(llvm::StringRef source) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
    if (!module)
      return "no module";
    return writeModule(*module);
  }

  std::string writeModule(mlir::ModuleOp module) {
    std::vector<uint8_t> bytes;
    std::string message;
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
      message = diagnostic.str();
      return mlir::success();
    });
    if (failed(lower::writeKir(module, lower::KirLevel::Tile, bytes))) {
      EXPECT_TRUE(bytes.empty());
      return message;
    }
    tegula_kir_module_t *kir = nullptr;
    tegula_kir_error_t error = {};
    if (tegula_kir_read(bytes.data(), bytes.size(), nullptr, &kir, &error) != TEGULA_KIR_OK)
      return std::string("read: ") + error.message;
    std::string text;
    if (tegula_kir_verify(kir, &error) != TEGULA_KIR_OK)
      text = std::string("verify: ") + error.message + "\n";
    size_t length = 0;
    char *printed = tegula_kir_print(kir, &length);
    text.append(printed, length);
    tegula_kir_free_text(kir, printed, length);
    tegula_kir_free(kir);
    return text;
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
};

/// Every piece in this order.
void expectInOrder(const std::string &text, std::initializer_list<const char *> pieces) {
  size_t at = 0;
  for (const char *piece : pieces) {
    size_t found = text.find(piece, at);
    ASSERT_NE(found, std::string::npos) << "'" << piece << "' missing in\n" << text;
    at = found + 1;
  }
  EXPECT_EQ(text.find("verify: "), std::string::npos) << text;
}

TEST_F(WriteKir, EveryOpVerifies) {
  auto file = llvm::MemoryBuffer::getFile(TEGULA_OPS_MLIR);
  ASSERT_TRUE(bool(file));
  std::string text = write((*file)->getBuffer());
  expectInOrder(text, {"module.launch", "program_id", "atomic_cas", "math1", "reduce", "dot", "combine"});
}

TEST_F(WriteKir, ControlFlowNests) {
  std::string text = write(R"(
    func.func @f(%n: i32, %p: !tile.ptr<f32> {tile.name = "out", tile.divisibility = 16 : i64}) attributes {tile.kernel} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %x = arith.constant 1.5 : f32
      %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f32 : i32 {
        %c = arith.cmpi slt, %i, %c1 : i32
        %r = scf.if %c -> f32 {
          %d = arith.addf %a, %x : f32
          scf.yield %d : f32
        } else {
          scf.yield %a : f32
        }
        scf.yield %r : f32
      } {tile.num_stages = 3 : i32, tile.flatten}
      %w = scf.while (%b = %s) : (f32) -> f32 {
        %c = arith.cmpf olt, %b, %x : f32
        scf.condition(%c) %b : f32
      } do {
      ^bb0(%b: f32):
        %d = func.call @g(%b) : (f32) -> f32
        scf.yield %d : f32
      }
      tile.store %p, %w : !tile.ptr<f32>, f32
      return
    }
    func.func private @g(%x: f32) -> f32 attributes {no_inline} {
      %y = arith.mulf %x, %x : f32
      return %y : f32
    })");
  expectInOrder(text, {"func.begin", "func.param", "cf.for", "cf.if", "cf.else", "cf.end", "cf.end", "cf.while",
                       "cf.condition", "cf.do", "func.call", "cf.yield", "cf.end", "store", "func.end", "func.begin",
                       "mulf", "func.return"});
}

TEST_F(WriteKir, PlacesAndNamesSurvive) {
  std::string text = write(R"(
    func.func @f(%n: i32, %b: i1) attributes {tile.kernel} {
      %0 = arith.addi %n, %n : i32 loc("total"(callsite("lib.py":3:5 at "kernel.py":20:9)))
      tile.assert %b, "no" : i1 loc("kernel.py":7:3)
      return
    })");
  expectInOrder(text, {"kernel.py", "lib.py", "debug.name", "total"});
}

TEST_F(WriteKir, BitsOfConstants) {
  std::string text = write(R"(
    func.func @f() attributes {tile.kernel} {
      %0 = arith.constant -1 : i8
      %1 = arith.constant dense<-2.0> : tensor<4xf16>
      return
    })");
  expectInOrder(text, {"bits=0xff", "bits=0xc000"});
}

TEST_F(WriteKir, BothHalvesOfProducts) {
  std::string text = write(R"(
    func.func @f(%a: i32, %p: !tile.ptr<i32>) attributes {tile.kernel} {
      %0, %1 = arith.mului_extended %a, %a : i32
      %2, %3 = arith.mulsi_extended %a, %a : i32
      %4 = arith.addi %1, %2 : i32
      tile.store %p, %4 : !tile.ptr<i32>, i32
      return
    })");
  expectInOrder(text, {"muli", "mulhui", "muli", "mulhsi", "addi"});
}

TEST_F(WriteKir, WhatKirLacksIsNamed) {
  EXPECT_EQ(write("func.func @f(%a: i7) { return }"), "[M1002] type 'i7' has no counterpart in kernel IR");
  for (const char *shape : {"3", "2097152", "2x0", "?", "1x1x1x1x1x1x1x1x1"})
    EXPECT_EQ(write("func.func @f(%a: tensor<" + std::string(shape) + "xi32>) { return }").substr(0, 7), "[M1002]");
  EXPECT_EQ(write("func.func @f(%a: f32) { %0 = math.exp %a : f32\n return }"),
            "[M1001] operation 'math.exp' has no counterpart in kernel IR");
  EXPECT_EQ(write("func.func private @f(f32)"), "[M1004] function 'f' must have a body of one block");
  EXPECT_EQ(write("func.func @f() { %0 = arith.constant dense<[1, 2]> : tensor<2xi32>\n return }").substr(0, 7),
            "[M1003]");
}

} // namespace
