// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plugin's entry and its compiler. Compiling means reading, verifying and decoding the module and recording what a
// launcher has to know; the artifact is the KIR itself. The device runtime is in launch/device.cpp, the facts in
// facts.cpp.
#include "plugins/reference/exec/artifact.h"
#include "plugins/reference/facts.h"
#include "plugins/reference/launch/device.h"
#include "plugins/reference/settings.h"

namespace tegula::plugins::reference {

namespace {

/// Identifies the numerics and the record of this version; the artifact itself is the input.
constexpr std::string_view kFingerprint = "reference 1";

uint32_t argumentType(Kind kind) {
  switch (kind) {
  case Kind::I1:
    return TEGULA_TYPE_I1;
  case Kind::I8:
    return TEGULA_TYPE_I8;
  case Kind::I16:
    return TEGULA_TYPE_I16;
  case Kind::I32:
    return TEGULA_TYPE_I32;
  case Kind::I64:
    return TEGULA_TYPE_I64;
  case Kind::F16:
    return TEGULA_TYPE_F16;
  case Kind::BF16:
    return TEGULA_TYPE_BF16;
  case Kind::F32:
    return TEGULA_TYPE_F32;
  case Kind::F64:
    return TEGULA_TYPE_F64;
  case Kind::Pointer:
    return TEGULA_TYPE_POINTER;
  default:
    return TEGULA_TYPE_F8;
  }
}

void refuse(const plugin::Host &host, const ArtifactError &error, uint32_t severity) {
  plugin::Diagnostic diagnostic;
  diagnostic.severity = severity;
  diagnostic.code = error.code;
  diagnostic.message = error.message;
  diagnostic.where = {error.where.file, error.where.line, error.where.column, error.where.endColumn, 0,
                      error.word,       error.opcode};
  host.report(diagnostic);
}

class ReferenceContext final : public plugin::Context {
public:
  explicit ReferenceContext(plugin::Host host) { settings.takeContextOptions(host); }

  std::vector<plugin::Target> targets() override {
    return {{kTargetName, "", "interpreter with exact numerics and a sanitizer, on this machine's cores",
             TEGULA_LEVEL_TILE, TEGULA_TARGET_FLAGS_DEFAULT_ARCH}};
  }

  plugin::Status facts(std::string_view target, std::vector<plugin::Node> &facts) override {
    if (target != kTargetName)
      return noSuchTarget(target);
    auto described = describeTarget(settings.as);
    if (!described)
      return plugin::Status::failure(
          TEGULA_RESULT_INVALID_ARGUMENT,
          "the language defaults of '" + settings.as +
              "' are not known; those of reference, cuda, nvptx, hip and amdgpu are, with an architecture behind a colon or without");
    facts = std::move(*described);
    return {};
  }

  std::vector<plugin::Option> options() override { return Settings::describe(); }

  plugin::Status supports(const plugin::CompileRequest &request, uint32_t &answer) override {
    Settings chosen;
    Artifact artifact;
    const plugin::Status status = prepare(request, chosen, artifact, TEGULA_SEVERITY_REMARK);
    if (!status.ok() && status.code != TEGULA_RESULT_COMPILE_FAILED)
      return status;
    answer = status.ok() ? TEGULA_ANSWER_YES : TEGULA_ANSWER_NO;
    return {};
  }

  plugin::Status compile(const plugin::CompileRequest &request, plugin::Artifact &out) override {
    if (!request.form.empty() && request.form != "kir")
      return plugin::Status::failure(TEGULA_RESULT_UNSUPPORTED, "the reference plugin has no form '" +
                                                                    std::string(request.form) + "', only 'kir'");
    Settings chosen;
    Artifact artifact;
    if (plugin::Status status = prepare(request, chosen, artifact, TEGULA_SEVERITY_ERROR); !status.ok())
      return status;
    out.bytes = request.form.empty() ? std::string(static_cast<const char *>(request.kir), request.kirSize)
                                     : printModule(request.kir, request.kirSize);
    out.entry = artifact.kernel->name;
    out.target = kTargetName;
    out.format = "kir";
    out.fingerprint = kFingerprint;
    for (const Parameter &parameter : artifact.kernel->parameters) {
      const uint64_t size = parameter.type->width();
      const uint64_t offset = (out.argumentBytes + size - 1) / size * size;
      out.arguments.push_back({parameter.name, argumentType(parameter.type->kind), uint32_t(out.arguments.size()),
                               offset, size, std::max<uint64_t>(parameter.divisibility, 1)});
      out.argumentBytes = offset + size;
    }
    out.resources = chosen.nodes();
    return {};
  }

  std::string fingerprint(std::string_view) override { return std::string(kFingerprint); }

private:
  static plugin::Status noSuchTarget(std::string_view target) {
    return plugin::Status::failure(TEGULA_RESULT_NOT_FOUND,
                                   "the reference plugin has no target '" + std::string(target) + "'");
  }

  /// Options and module of a request, checked; what is wrong is reported to its host with `severity`.
  plugin::Status prepare(const plugin::CompileRequest &request, Settings &chosen, Artifact &artifact,
                         uint32_t severity) const {
    if (request.target != kTargetName)
      return noSuchTarget(request.target);
    chosen = settings;
    ArtifactError error;
    for (const auto &[name, text] : request.options) {
      error.message = chosen.set(name, text);
      if (error.message.empty())
        continue;
      error.code = kBadOption;
      break;
    }
    if (request.flags & TEGULA_COMPILE_FLAGS_SANITIZE)
      chosen.sanitize = true;
    if (error.code.empty() && loadArtifact(request.kir, request.kirSize, std::string(request.entry), artifact, error))
      return {};
    refuse(request.host, error, severity);
    return plugin::Status::failure(TEGULA_RESULT_COMPILE_FAILED, error.message);
  }

  Settings settings;
};

constexpr plugin::Description kDescription{kTargetName, "tegula", "0.1.0", kFingerprint};

} // namespace

TEGULA_DEFINE_PLUGIN(ReferenceContext, kDescription, plugin::DeviceTable<ReferenceDevice>::table)

} // namespace tegula::plugins::reference
