// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plugin that does nothing: takes tile-level KIR and gives it back. For tests of the host, and the smallest use of the C++ wrapper.
#include "tegula/plugin.hpp"

namespace tegula::plugins::null {
namespace {
using namespace tegula::plugin;

class NullContext final : public Context {
public:
  explicit NullContext(Host host) : host(host) {}

  std::vector<Target> targets() override {
    return {{"null", "", "does nothing", TEGULA_LEVEL_TILE, TEGULA_TARGET_FLAGS_BY_NAME_ONLY}};
  }

  Status facts(std::string_view target, std::vector<Node> &facts) override {
    if (target != "null")
      return Status::failure(TEGULA_RESULT_NOT_FOUND, "no target '" + std::string(target) + "', only 'null'");
    facts.push_back(Node::string("kir_level", "tile"));
    facts.push_back(Node::strings("types", {"i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"}));
    return {};
  }

  std::vector<Option> options() override {
    return {{"null-answer", "what supports() says", TEGULA_NODE_KIND_STRING, "yes", {"yes", "no", "unknown"}}};
  }

  Status supports(const CompileRequest &request, uint32_t &answer) override {
    auto said = request.options.find("null-answer");
    std::string_view text = said == request.options.end() ? "yes" : std::string_view(said->second);
    answer = text == "yes" ? TEGULA_ANSWER_YES : text == "no" ? TEGULA_ANSWER_NO : TEGULA_ANSWER_UNKNOWN;
    return {};
  }

  Status compile(const CompileRequest &request, Artifact &artifact) override {
    if (request.kirSize % 4)
      return Status::failure(TEGULA_RESULT_INVALID_ARGUMENT, "the module's size is not a multiple of four bytes");
    if (request.host.cancelled())
      return Status::failure(TEGULA_RESULT_CANCELLED, "cancelled");
    artifact.bytes.assign(static_cast<const char *>(request.kir), request.kirSize);
    artifact.entry = request.entry;
    artifact.target = request.target;
    artifact.format = "kir";
    artifact.warps = request.warps;
    artifact.fingerprint = fingerprint(request.target);
    return {};
  }

  std::string fingerprint(std::string_view) override { return "null 1"; }

private:
  Host host;
};

constexpr Description kDescription{"null", "tegula", "0.1.0", "null-1", TEGULA_PLUGIN_FLAGS_REENTRANT};
} // namespace

TEGULA_DEFINE_PLUGIN(NullContext, kDescription, nullptr)
} // namespace tegula::plugins::null
