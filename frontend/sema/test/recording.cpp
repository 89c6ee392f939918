// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/test/recording.h"

#include "frontend/emit/tile_builder.h"
#include "frontend/sema/frame.h"
#include "frontend/sema/language.h"
#include "frontend/sema/tensor_semantics.h"

#include <sstream>

namespace mlir {
class MLIRContext {};
} // namespace mlir

namespace tegula::frontend::emit {

namespace {
/// The text so far and the open regions, of the one builder that a test has at a time.
struct Record {
  std::string text;
  std::string finished;
  uintptr_t last = 0;
  unsigned indent = 0;
  std::vector<std::pair<size_t, unsigned>> regions;
} record;

std::string name(IrValue value) { return "%" + std::to_string(reinterpret_cast<uintptr_t>(value.impl)); }
IrValue fresh() { return {reinterpret_cast<void *>(++record.last)}; }
Values fresh(size_t n) {
  Values values(n);
  for (IrValue &value : values)
    value = fresh();
  return values;
}
std::string list(std::span<const IrValue> values) {
  std::string text;
  for (IrValue value : values)
    text += (text.empty() ? "" : ", ") + name(value);
  return text;
}
void line(const std::string &text) { record.text += std::string(record.indent * 2, ' ') + text + "\n"; }
void open(const std::string &text) {
  record.regions.emplace_back(record.text.size(), record.indent);
  line(text);
  ++record.indent;
}
void close() {
  --record.indent;
  record.regions.pop_back();
}
void middle(const std::string &text) {
  --record.indent;
  line(text);
  ++record.indent;
}
std::string results(const Values &values) { return values.empty() ? "" : list(values) + " = "; }
std::string signature(std::string_view name, const Values &values, std::span<const ParameterInfo> parameters) {
  std::string text(name);
  for (size_t i = 0; i < values.size(); ++i)
    text += (i ? ", " : "(") + emit::name(values[i]) + " " + parameters[i].name + ": " + parameters[i].type.spelling() +
            (parameters[i].divisibility > 1 ? ":" + std::to_string(parameters[i].divisibility) : "");
  return text + (values.empty() ? "()" : ")");
}
} // namespace

/// Records an operation of the fake language.
IrValue recordOp(const std::string &text) {
  IrValue value = fresh();
  line(name(value) + " = " + text);
  return value;
}
std::string takeRecord() { return std::move(record.finished); }
std::string valueName(IrValue value) { return name(value); }

struct TileBuilder::Impl {};
TileBuilder::TileBuilder(mlir::MLIRContext &) { record = {}; }
TileBuilder::~TileBuilder() = default;
void *TileBuilder::release() {
  record.finished = std::move(record.text);
  return nullptr;
}
void TileBuilder::setLaunch(uint32_t, uint32_t, uint32_t, uint32_t) {}
void TileBuilder::setLocation(const SourceBuffer &, ast::Range) {}
void TileBuilder::pushCallSite() {}
void TileBuilder::popCallSite() {}
void TileBuilder::nameValue(IrValue, std::string_view) {}
Values TileBuilder::beginKernel(std::string_view kernel, std::span<const ParameterInfo> parameters) {
  Values values = fresh(parameters.size());
  line("kernel " + signature(kernel, values, parameters));
  ++record.indent;
  return values;
}
Values TileBuilder::beginFunction(std::string_view function, std::span<const ParameterInfo> parameters) {
  Values values = fresh(parameters.size());
  line("function " + signature(function, values, parameters));
  ++record.indent;
  return values;
}
void TileBuilder::endFunction(std::span<const IrValue> values) {
  if (!values.empty())
    line("return " + list(values));
  --record.indent;
}
Values TileBuilder::call(std::string_view function, std::span<const IrValue> args, std::span<const Type> types) {
  Values values = fresh(types.size());
  line(results(values) + "call " + std::string(function) + "(" + list(args) + ")");
  return values;
}
void TileBuilder::beginIf(IrValue condition) { open("if " + name(condition)); }
void TileBuilder::beginElse() { middle("else"); }
Values TileBuilder::endIf(std::span<const IrValue> thenValues, std::span<const IrValue> elseValues) {
  close();
  Values values = fresh(thenValues.size());
  line(values.empty() ? "end" : list(values) + " = end (" + list(thenValues) + ") (" + list(elseValues) + ")");
  return values;
}
void TileBuilder::abandonRegion() {
  record.text.resize(record.regions.back().first);
  record.indent = record.regions.back().second;
  record.regions.pop_back();
}
TileBuilder::ForLoop TileBuilder::beginFor(IrValue lower, IrValue upper, IrValue step, std::span<const IrValue> inits, const LoopOptions &options) {
  ForLoop loop{fresh(), fresh(inits.size())};
  open("for " + name(loop.induction) + " = " + name(lower) + " to " + name(upper) + " step " + name(step) +
       (inits.empty() ? "" : " carry " + list(loop.carried) + " = " + list(inits)) +
       (options.numStages ? " stages " + std::to_string(options.numStages) : "") + (options.flatten ? " flatten" : ""));
  return loop;
}
Values TileBuilder::endFor(std::span<const IrValue> yields) {
  close();
  Values values = fresh(yields.size());
  line(values.empty() ? "end" : list(values) + " = end " + list(yields));
  return values;
}
Values TileBuilder::beginWhile(std::span<const IrValue> inits) {
  Values values = fresh(inits.size());
  open("while" + (inits.empty() ? std::string() : " carry " + list(values) + " = " + list(inits)));
  return values;
}
Values TileBuilder::whileCondition(IrValue condition, std::span<const IrValue> values) {
  Values arguments = fresh(values.size());
  middle("do " + name(condition) + (values.empty() ? "" : " with " + list(arguments)));
  return arguments;
}
Values TileBuilder::endWhile(std::span<const IrValue> yields) { return endFor(yields); }
IrValue TileBuilder::binary(BinaryOp op, IrValue lhs, IrValue rhs) {
  return recordOp((op == BinaryOp::SubI ? "sub " : "add ") + name(lhs) + ", " + name(rhs));
}

} // namespace tegula::frontend::emit

namespace tegula::frontend::test {

namespace {
std::string render(const std::vector<base::Diagnostic> &diagnostics) {
  std::string text;
  for (const base::Diagnostic &d : diagnostics) {
    text += d.code + " " + std::to_string(d.where.line) + ":" + std::to_string(d.where.column) + " " + d.message +
            (d.help.empty() ? "" : " [" + d.help + "]") + "\n";
    for (const base::Note &note : d.notes)
      text += "  " + std::to_string(note.where.line) + ":" + std::to_string(note.where.column) + " " + note.message + "\n";
  }
  return text;
}
} // namespace

Outcome compile(const std::string &source, const std::string &arguments, const std::string &kernel) {
  CompileRequest request;
  request.path = "t.py";
  request.kernel = kernel;
  request.text = "import triton, triton.language as tl\n" + source;
  std::istringstream words(arguments);
  for (std::string word, flag; words >> word;) {
    flag.clear();
    if (word[0] == '-') {
      flag = word;
      words >> word;
    }
    size_t equals = word.find('=');
    std::string name = word.substr(0, equals), value = word.substr(equals + 1);
    if (flag == "-D")
      request.defines[name] = value;
    else if (flag == "-g")
      request.globals[name] = value;
    else if (flag == "--config")
      request.config = static_cast<uint32_t>(std::stoul(word));
    else if (value == "none" || std::isdigit(static_cast<unsigned char>(value[0])))
      request.arguments[name] = {ArgumentSpec::Kind::Constant, "", 1, value};
    else {
      size_t colon = value.find(':'), known = value.find('=');
      request.arguments[name] = {value[0] == '*' ? ArgumentSpec::Kind::Pointer : ArgumentSpec::Kind::Scalar, value.substr(0, std::min(colon, known)),
                                 colon == std::string::npos ? 1u : 16u, known == std::string::npos ? "" : value.substr(known + 1)};
    }
  }
  mlir::MLIRContext context;
  base::DiagnosticList sink;
  Session session;
  Outcome outcome;
  outcome.kernel = session.compile(request, context, sink);
  if (outcome.kernel)
    outcome.ir = emit::takeRecord();
  outcome.diagnostics = render(sink.diagnostics());
  return outcome;
}

std::string evaluate(const std::string &source) {
  base::DiagnosticList sink;
  CompileRequest request;
  sema::ModuleLoader loader(sema::ModuleLoader::makeTreeCache(), {}, {}, sink);
  sema::ModuleObject *module = loader.loadMain("t.py", source);
  if (!module)
    return render(sink.diagnostics());
  sema::Evaluator ev(loader, request, sink, nullptr);
  sema::MaybeValue value = loader.lookup(ev, *module, "r");
  return render(sink.diagnostics()) + (value ? ev.repr(loader.resolve(ev, *value)) : "r is not bound");
}

} // namespace tegula::frontend::test
