// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running pipelines from C++: text, dumps, times, reproducers, and diagnostics as records.
#include "middle/ir/dialect.h"
#include "middle/pipeline/diagnostic_bridge.h"
#include "middle/pipeline/pipelines.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <string>

using namespace tegula;
using namespace tegula::middle::pipeline;

namespace {

constexpr const char *kKernel = R"(
  func.func @kernel(%p: !tile.ptr<f32>) attributes {tile.kernel} {
    %0 = arith.constant 1.0 : f32
    %1 = arith.addf %0, %0 : f32
    tile.store %p, %1 : !tile.ptr<f32>, f32
    return
  })";

class Pipelines : public testing::Test {
protected:
  Pipelines() {
    mlir::DialectRegistry registry;
    middle::tile::registerTileDialects(registry);
    context.appendDialectRegistry(registry);
    module = mlir::parseSourceString<mlir::ModuleOp>(kKernel, &context);
  }
  std::string text() {
    std::string out;
    llvm::raw_string_ostream stream(out);
    module->print(stream);
    return out;
  }
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

TEST_F(Pipelines, O0ChangesNothing) {
  std::string before = text();
  ASSERT_TRUE(succeeded(runPipeline(*module, {.level = OptLevel::O0})));
  EXPECT_EQ(text(), before);
}

TEST_F(Pipelines, O2Folds) {
  ASSERT_TRUE(succeeded(runPipeline(*module, {})));
  EXPECT_EQ(text().find("arith.addf"), std::string::npos);
  EXPECT_NE(text().find("2.0"), std::string::npos);
}

TEST_F(Pipelines, TextReplays) {
  PipelineOptions options;
  EXPECT_NE(getPipelineText(options).find("allow-reassociation=false"), std::string::npos);
  options.allowReassociation = true;
  EXPECT_NE(getPipelineText(options).find("allow-reassociation=true"), std::string::npos);
  ASSERT_TRUE(succeeded(runPipeline(*module, {.passes = getPipelineText(options)})));
}

TEST_F(Pipelines, DumpsOnePassAndTimes) {
  std::string dump, times;
  llvm::raw_string_ostream dumpStream(dump), timeStream(times);
  PipelineOptions options{.timing = &timeStream, .dump = &dumpStream, .dumpPass = "cse"};
  ASSERT_TRUE(succeeded(runPipeline(*module, options)));
  EXPECT_NE(dump.find("CSE"), std::string::npos) << dump;
  EXPECT_EQ(dump.find("Canonicalizer"), std::string::npos) << dump;
  EXPECT_NE(times.find("Canonicalizer"), std::string::npos) << times;
}

struct FailingPass : mlir::PassWrapper<FailingPass, mlir::OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FailingPass)
  llvm::StringRef getArgument() const final { return "failing-pass"; }
  void runOnOperation() final { signalPassFailure(); }
};

TEST_F(Pipelines, FailureLeavesAReproducer) {
  mlir::registerPass([]() -> std::unique_ptr<mlir::Pass> { return std::make_unique<FailingPass>(); });
  base::DiagnosticList list;
  DiagnosticBridge bridge(&context, list);
  llvm::SmallString<64> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("reproducer", "mlir", path));
  EXPECT_TRUE(failed(runPipeline(*module, {.passes = "cse,failing-pass", .reproducer = path.str().str()})));
  auto file = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(bool(file));
  EXPECT_TRUE((*file)->getBuffer().contains("@kernel"));
  EXPECT_TRUE((*file)->getBuffer().contains("failing-pass"));
  EXPECT_TRUE(list.hasErrors());
  llvm::sys::fs::remove(path);
}

TEST_F(Pipelines, WrongTextIsARecord) {
  base::DiagnosticList list;
  DiagnosticBridge bridge(&context, list);
  EXPECT_TRUE(failed(runPipeline(*module, {.passes = "wibble"})));
  ASSERT_EQ(list.diagnostics().size(), 1u);
  EXPECT_EQ(list.diagnostics()[0].code, "M1006");
}

TEST_F(Pipelines, RecordsHavePlaceAndCallers) {
  base::DiagnosticList list;
  DiagnosticBridge bridge(&context, list);
  auto place = [&](const char *file, unsigned line) { return mlir::FileLineColLoc::get(&context, file, line, 5); };
  mlir::emitError(mlir::CallSiteLoc::get(place("lib.py", 3), place("kernel.py", 20))) << "[M1001] no";
  ASSERT_EQ(list.diagnostics().size(), 1u);
  const base::Diagnostic &record = list.diagnostics()[0];
  EXPECT_EQ(record.code, "M1001");
  EXPECT_EQ(record.message, "no");
  EXPECT_EQ(record.where.file, "lib.py");
  EXPECT_EQ(record.where.line, 3u);
  ASSERT_EQ(record.notes.size(), 1u);
  EXPECT_EQ(record.notes[0].where.file, "kernel.py");
}

} // namespace
