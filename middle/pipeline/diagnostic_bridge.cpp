// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes an MLIR diagnostic apart: code, message, place, call chain, notes.
#include "middle/pipeline/diagnostic_bridge.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula::middle::pipeline {
namespace {

/// Adds a note for each caller of `location`, innermost first.
void addCallers(Location location, std::vector<base::Note> &notes) {
  while (auto name = dyn_cast<NameLoc>(location))
    location = name.getChildLoc();
  auto call = dyn_cast<CallSiteLoc>(location);
  if (!call)
    return;
  addCallers(call.getCallee(), notes);
  notes.push_back({"called from here", toSourceRange(call.getCaller())});
  addCallers(call.getCaller(), notes);
}

base::Severity severityOf(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Warning:
    return base::Severity::Warning;
  case DiagnosticSeverity::Remark:
  case DiagnosticSeverity::Note:
    return base::Severity::Remark;
  case DiagnosticSeverity::Error:
    return base::Severity::Error;
  }
  return base::Severity::Error;
}

base::Diagnostic convert(Diagnostic &from) {
  base::Diagnostic to;
  to.severity = severityOf(from.getSeverity());
  to.code = "M1000";
  to.message = from.str();
  if (size_t end = to.message.find("] "); to.message.starts_with('[') && end != std::string::npos) {
    to.code = to.message.substr(1, end - 1);
    to.message.erase(0, end + 2);
  }
  to.where = toSourceRange(from.getLocation());
  addCallers(from.getLocation(), to.notes);
  for (Diagnostic &note : from.getNotes())
    to.notes.push_back({note.str(), toSourceRange(note.getLocation())});
  return to;
}

} // namespace

base::SourceRange toSourceRange(Location location) {
  return llvm::TypeSwitch<LocationAttr, base::SourceRange>(location)
      .Case([](FileLineColRange range) {
        bool oneLine = range.getStartLine() == range.getEndLine();
        return base::SourceRange{range.getFilename().str(),
                                 range.getStartLine(),
                                 range.getStartColumn(),
                                 oneLine ? range.getEndColumn() : range.getStartColumn(),
                                 {}};
      })
      .Case([](CallSiteLoc call) { return toSourceRange(call.getCallee()); })
      .Case([](NameLoc name) { return toSourceRange(name.getChildLoc()); })
      .Case([](FusedLoc fused) {
        for (Location part : fused.getLocations())
          if (base::SourceRange range = toSourceRange(part); range.known())
            return range;
        return base::SourceRange();
      })
      .Default([](LocationAttr) { return base::SourceRange(); });
}

DiagnosticBridge::DiagnosticBridge(MLIRContext *context, base::DiagnosticSink &sink)
    : handler(context, [&sink](Diagnostic &diagnostic) { sink.report(convert(diagnostic)); }) {}

} // namespace tegula::middle::pipeline
