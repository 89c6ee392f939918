// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls into the compiler table of a plugin that was loaded.
#include "targets/host/plugin.h"

#include <algorithm>

namespace tegula::targets {

using plugin::received;
using plugin::stamped;

namespace {

/// What compile gives, as it comes.
struct Collector {
  Artifact artifact;
  bool hasRecord = false;

  static int32_t write(void *user, const void *data, uint64_t size) {
    static_cast<Collector *>(user)->artifact.bytes.append(static_cast<const char *>(data), size);
    return TEGULA_RESULT_OK;
  }
  static int32_t record(void *user, const tegula_record_t *sent) {
    auto &self = *static_cast<Collector *>(user);
    tegula_record_t in = received(sent);
    Artifact &to = self.artifact;
    self.hasRecord = true;
    to.entry = viewOf(in.entry);
    to.target = viewOf(in.target);
    to.format = viewOf(in.format);
    to.fingerprint = viewOf(in.fingerprint);
    plugin::each(in.arguments, in.arguments_count, in.arguments_stride, [&](const tegula_argument_t &argument) {
      to.arguments.push_back({std::string(viewOf(argument.name)), argument.type, argument.index, argument.offset, argument.size,
                              argument.divisibility});
    });
    plugin::each(in.folded, in.folded_count, in.folded_stride, [&](const tegula_folded_argument_t &folded) {
      to.folded.emplace_back(viewOf(folded.name), viewOf(folded.value));
    });
    plugin::each(in.hidden, in.hidden_count, in.hidden_stride, [&](const tegula_hidden_argument_t &hidden) {
      to.hidden.push_back({hidden.kind, hidden.offset, hidden.size});
    });
    to.argumentBytes = in.argument_bytes;
    to.lanes = in.lanes;
    to.warps = in.warps;
    to.staticSharedBytes = in.static_shared_bytes;
    to.dynamicSharedBytes = in.dynamic_shared_bytes;
    to.scratchBytes = in.scratch_bytes;
    for (uint64_t i = 0; i < in.print_strings_count; ++i)
      to.printStrings.emplace_back(viewOf(in.print_strings[i]));
    to.resources = treesOf(in.resources, in.resources_count, in.resources_stride);
    return TEGULA_RESULT_OK;
  }
};

/// The C form of a request; borrows from it.
struct RequestView {
  RequestView(const CompileRequest &from, const std::map<std::string, std::string> &settings, const tegula_host_t *host) {
    std::map<std::string, std::string> merged = from.options;
    merged.insert(settings.begin(), settings.end()); // what the request says wins
    for (const auto &[key, value] : merged)
      nodes.push_back(plugin::Node::string(key, value));
    options.emplace(nodes);
    request.host = host;
    request.kir = {from.kir.data(), from.kir.size()};
    request.target = borrow(from.target);
    request.entry = borrow(from.entry);
    request.form = borrow(from.form);
    request.options = options->data();
    request.options_count = nodes.size();
    request.options_stride = sizeof(tegula_node_t);
    request.flags = (from.debug ? TEGULA_COMPILE_FLAGS_DEBUG : 0) | (from.sanitize ? TEGULA_COMPILE_FLAGS_SANITIZE : 0);
    request.warps = from.warps;
  }
  tegula_compile_request_t request = stamped<tegula_compile_request_t>();

private:
  std::vector<plugin::Node> nodes;
  std::optional<plugin::NodeView> options;
};

} // namespace

std::unique_lock<std::mutex> Plugin::enter() {
  return reentrant ? std::unique_lock<std::mutex>() : std::unique_lock<std::mutex>(mutex);
}

bool Plugin::checkOptions(const std::map<std::string, std::string> &given, base::DiagnosticSink &sink) const {
  bool ok = true;
  auto refuse = [&](const char *code, std::string message, std::string_view lead, const std::vector<std::string> &names) {
    std::string help;
    for (const std::string &name : names)
      help += (help.empty() ? std::string(lead) + " '" : ", '") + name + "'";
    sink.report({base::Severity::Error, code, std::move(message), {}, {}, std::move(help)});
    ok = false;
  };
  for (const auto &[name, value] : given) {
    if (name.starts_with("tool."))
      continue;
    auto found = std::find_if(optionList.begin(), optionList.end(), [&](const OptionInfo &option) { return option.name == name; });
    if (found == optionList.end()) {
      std::vector<std::string> names;
      for (const OptionInfo &option : optionList)
        names.push_back(option.name);
      refuse("T1033", "plugin '" + pluginName + "' has no option '" + name + "'", "its options are", names);
    } else if (const auto &choices = found->choices;
               !choices.empty() && std::find(choices.begin(), choices.end(), value) == choices.end()) {
      refuse("T1034", "option '" + name + "' of plugin '" + pluginName + "' does not take '" + value + "'", "it takes", choices);
    }
  }
  return ok;
}

std::optional<facts::Tree> Plugin::factsTree(const std::string &target, base::DiagnosticSink &sink) {
  auto lock = enter();
  tegula_facts_t out = stamped<tegula_facts_t>();
  tegula_error_t *error = nullptr;
  int32_t code = compiler.get_facts(context, target.data(), target.size(), &out, &error);
  if (!finish(code, error, pluginName, sink).ok())
    return std::nullopt;
  return treeOf(out.root);
}

std::optional<facts::Facts> Plugin::facts(const std::string &target, base::DiagnosticSink &sink) {
  std::optional<facts::Tree> tree = factsTree(target, sink);
  return tree ? facts::parseFacts(*tree, target, sink) : std::nullopt;
}

std::string Plugin::fingerprint(const std::string &target, base::DiagnosticSink &sink) {
  auto lock = enter();
  tegula_string_t out{nullptr, 0};
  tegula_error_t *error = nullptr;
  int32_t code = compiler.get_fingerprint(context, target.data(), target.size(), &out, &error);
  return finish(code, error, pluginName, sink).ok() ? std::string(viewOf(out)) : std::string();
}

Answer Plugin::supports(const CompileRequest &request, base::DiagnosticSink &sink) {
  if (!compiler.supports)
    return Answer::Unknown;
  auto lock = enter();
  HostServices call(&sink, request.cancelled, {}, settingsOptions);
  call.setModule(request.kir);
  RequestView view(request, settingsOptions, call.table());
  uint32_t answer = 0;
  tegula_error_t *error = nullptr;
  int32_t code = compiler.supports(context, &view.request, &answer, &error);
  if (!finish(code, error, pluginName, sink, call.errorsReported()).ok())
    return Answer::Unknown;
  return answer == TEGULA_ANSWER_YES ? Answer::Yes : answer == TEGULA_ANSWER_NO ? Answer::No : Answer::Unknown;
}

std::optional<Artifact> Plugin::compile(const CompileRequest &request, base::DiagnosticSink &sink, Outcome *outcome) {
  auto lock = enter();
  HostServices call(&sink, request.cancelled, {}, settingsOptions);
  call.setModule(request.kir);
  RequestView view(request, settingsOptions, call.table());
  Collector collector;
  tegula_sink_t to = stamped<tegula_sink_t>();
  to.user = &collector;
  to.write = Collector::write;
  to.record = Collector::record;
  tegula_error_t *error = nullptr;
  int32_t code = compiler.compile(context, &view.request, &to, &error);
  Outcome done = finish(code, error, pluginName, sink, call.errorsReported());
  if (done.ok() && !collector.hasRecord) {
    done.code = TEGULA_RESULT_INTERNAL;
    sink.report({base::Severity::Error, "T1030", "plugin '" + pluginName + "' gave an artifact without a record", {}, {}, {}});
  }
  if (outcome)
    *outcome = done;
  return done.ok() ? std::optional<Artifact>(std::move(collector.artifact)) : std::nullopt;
}

} // namespace tegula::targets
