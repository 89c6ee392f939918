// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The frontend's entry: a kernel of a source file, specialised for its arguments, to a module of tile IR.
#pragma once

#include "sdk/base/diagnostic.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class MLIRContext;
}

namespace tegula::frontend {

/// What is known of one argument when the kernel is compiled.
struct ArgumentSpec {
  enum class Kind : uint8_t { Pointer, Scalar, Constant } kind = Kind::Scalar;
  std::string type;          ///< Pointer, Scalar: Triton's spelling ("*fp32", "*ki8", "i32", "fp32", "u1")
  uint64_t divisibility = 1; ///< 16 where the address (bytes) or the value is known to be a multiple of 16
  std::string constant;      ///< Constant: text as a -D value. Scalar: the value where it is known, for heuristics and to fold an integer 1
};

/// Language defaults that depend on the target; facts, not names.
struct LanguageDefaults {
  std::string backendName = "cuda"; ///< what Triton calls the back end
  std::string arch = "90";
  uint32_t warpSize = 32;
  std::string dotPrecision = "ieee"; ///< default input_precision
  std::vector<std::string> dotPrecisions{"ieee", "tf32", "tf32x3", "bf16x3", "bf16x6"};
  std::vector<std::string> fp8Types{"fp8e4nv", "fp8e5", "fp8e4b8", "fp8e5b16"};
};

struct CompileRequest {
  std::string path;                ///< of the file, or the name that diagnostics print where `text` is given
  std::optional<std::string> text; ///< source text instead of a file
  std::string kernel;
  std::map<std::string, ArgumentSpec> arguments; ///< by parameter name; missing: the parameter's default, else an error
  /// Instead of `arguments`: one per parameter in order; those that `defines` gives, and constexpr ones, may be left out.
  std::optional<std::vector<ArgumentSpec>> signature;
  std::map<std::string, std::string> defines;    ///< -D NAME=VALUE; wins over the configuration and heuristics
  std::map<std::string, std::string> globals;    ///< --global MODULE.NAME=VALUE
  std::vector<std::string> modulePath;
  std::optional<uint32_t> numWarps, numStages;
  std::optional<uint32_t> config; ///< which autotune configuration; none: the first, where one is needed
  LanguageDefaults defaults;
  bool debug = false;
};

struct Parameter {
  std::string name;
  bool isConstant = false;   ///< folded: not an argument of the compiled kernel
  std::string type;          ///< Triton's spelling; empty for constants
  uint64_t divisibility = 1;
  std::string constant;      ///< isConstant: its value as Python would print it (ints, bools and floats can be read back)
};

struct CompiledKernel {
  void *module = nullptr; ///< an mlir::ModuleOp as opaque pointer, owned by the caller (mlir::OwningOpRef)
  std::string name;
  std::vector<Parameter> parameters; ///< in order of the kernel's parameter list
  uint32_t numWarps = 4, numStages = 3, numCtas = 1, maxRegisters = 0;
  std::vector<std::string> files; ///< that were read, sorted
  std::vector<std::string> passedOver; ///< decorators of the kernel that mean nothing here, innermost first
};

/// Reads modules once and keeps them; compiles from any number of threads. Text given in a request is not kept.
class Session {
public:
  Session();
  ~Session();
  /// nullopt after having reported at least one error to `sink`.
  std::optional<CompiledKernel> compile(const CompileRequest &request, mlir::MLIRContext &context, base::DiagnosticSink &sink);
  /// The kernels (jit functions) of a file, for hints and listings.
  std::vector<std::string> kernels(const std::string &path, base::DiagnosticSink &sink);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tegula::frontend
