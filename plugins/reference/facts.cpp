// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The facts of the reference target: everything, exactly. With `as`, the language defaults of another target, so that a
// kernel that asks for its back end takes the same way here as there.
#include "plugins/reference/facts.h"

namespace tegula::plugins::reference {

namespace {

using plugin::Node;

/// What the language asks of a target, by family of back ends.
struct LanguageDefaults {
  std::string backend;
  std::string arch; ///< as the language spells it: "90", "gfx942"
  std::string dotPrecision;
  std::vector<std::string> dotPrecisions;
};

/// "90" from "90:32" or "sm_90a".
std::string digitsOf(const std::string &arch, const char *otherwise) {
  const size_t begin = arch.find_first_of("0123456789");
  if (begin == std::string::npos)
    return otherwise;
  return arch.substr(begin, arch.find_first_not_of("0123456789", begin) - begin);
}

std::optional<LanguageDefaults> languageOf(const std::string &as) {
  const size_t colon = as.find(':');
  const std::string family = as.substr(0, colon);
  const std::string arch = colon == std::string::npos ? std::string() : as.substr(colon + 1);
  if (family == "cuda" || family == "nvptx")
    return LanguageDefaults{"cuda", digitsOf(arch, "90"), "tf32", {"tf32", "tf32x3", "ieee", "bf16x3", "bf16x6"}};
  if (family == "hip" || family == "amdgpu")
    return LanguageDefaults{"hip", arch.substr(0, arch.find(':')), "ieee", {"ieee", "tf32", "bf16x3", "bf16x6"}};
  if (!family.empty() && family != kTargetName)
    return std::nullopt;
  // Without `as`, kernels that ask see the back end that most of them are written for.
  return LanguageDefaults{"cuda", "90", "ieee", {"ieee", "tf32", "tf32x3", "bf16x3", "bf16x6"}};
}

} // namespace

std::optional<std::vector<Node>> describeTarget(const std::string &as) {
  const std::vector<std::string> types{"i1",  "i8",  "i16",      "i32",    "i64",        "f16",        "bf16",
                                       "f32", "f64", "f8e4m3fn", "f8e5m2", "f8e4m3fnuz", "f8e5m2fnuz", "f8e4m3b15"};
  const std::optional<LanguageDefaults> language = languageOf(as);
  if (!language)
    return std::nullopt;
  return std::vector<Node>{
      Node::string("kir_level", "tile"),
      Node::strings("types", types),
      Node::map("language", {Node::string("backend", language->backend), Node::string("arch", language->arch),
                             Node::string("dot_precision", language->dotPrecision),
                             Node::strings("dot_precisions", language->dotPrecisions),
                             Node::strings("fp8_types", {"fp8e4nv", "fp8e5", "fp8e4b8", "fp8e5b16", "fp8e4b15"})}),
      Node::map("machine", {Node::integral("lanes", 1)}),
  };
}

void reportFinding(const plugin::Host &host, const Module &module, const Finding &finding, bool nanIsError) {
  const FindingInfo &info = infoOf(finding.kind);
  const auto placeOf = [&](uint32_t location) {
    const CodeLocation &where = module.locations[location];
    plugin::Place place;
    place.file = where.file;
    place.line = where.line;
    place.column = where.column;
    place.endColumn = where.endColumn;
    return place;
  };
  plugin::Diagnostic diagnostic;
  const bool isError =
      info.severity == FindingSeverity::Error || (finding.kind == FindingKind::NonFinite && nanIsError);
  diagnostic.severity = isError                                     ? TEGULA_SEVERITY_ERROR
                        : info.severity == FindingSeverity::Warning ? TEGULA_SEVERITY_WARNING
                                                                    : TEGULA_SEVERITY_REMARK;
  diagnostic.code = info.code;
  diagnostic.message = finding.message;
  if (finding.count > 1)
    diagnostic.message += " (" + std::to_string(finding.count) + " times)";
  diagnostic.where = placeOf(finding.location);
  const auto addChain = [&](uint32_t location) {
    for (uint32_t at = module.locations[location].inlinedAt; at; at = module.locations[at].inlinedAt)
      diagnostic.notes.emplace_back("called from here", placeOf(at));
  };
  addChain(finding.location);
  for (const FindingNote &note : finding.notes) {
    diagnostic.notes.emplace_back(note.message, placeOf(note.location));
    addChain(note.location);
  }
  host.report(diagnostic);
}

} // namespace tegula::plugins::reference
