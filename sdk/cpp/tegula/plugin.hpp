// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plugin as C++ classes: derive from Context, say TEGULA_DEFINE_PLUGIN. Header only, C++17, with or without exceptions. Stamps
// sizes and versions, turns exceptions and statuses into errors, keeps the strings of results alive. Running what was compiled is in
// device.hpp.
#ifndef TEGULA_PLUGIN_HPP
#define TEGULA_PLUGIN_HPP

#include "tegula/values.hpp"

#include <map>
#include <mutex>

namespace tegula::plugin {

struct Target {
  std::string name, arch, description;
  uint32_t kirLevel = TEGULA_LEVEL_TILE;
  uint32_t flags = TEGULA_TARGET_FLAGS_NONE;
};

struct Option {
  std::string name, doc;
  uint32_t kind = TEGULA_NODE_KIND_STRING;
  std::string defaultValue;
  std::vector<std::string> choices;
};

/// What is asked of compile. Borrowed for the call.
struct CompileRequest {
  Host host;
  const void *kir = nullptr;
  size_t kirSize = 0;
  std::string_view target, entry, form;
  std::map<std::string, std::string> options; ///< as text
  uint32_t flags = 0;
  uint32_t warps = 0;
};

struct Argument {
  std::string name;
  uint32_t type = 0, index = 0;
  uint64_t offset = 0, size = 0, divisibility = 1;
};

/// What compile gives.
struct Artifact {
  std::string bytes;
  std::string entry, target, format, fingerprint;
  std::vector<Argument> arguments;
  std::vector<std::pair<std::string, std::string>> folded;
  std::vector<tegula_hidden_argument_t> hidden;
  uint64_t argumentBytes = 0;
  uint32_t lanes = 1, warps = 1;
  uint64_t staticSharedBytes = 0, dynamicSharedBytes = 0, scratchBytes = 0;
  std::vector<std::string> printStrings;
  std::vector<Node> resources;
};

/// A plugin in use. The host destroys it after all that came from it.
class Context {
public:
  virtual ~Context() = default;
  /// Asked once, right after creation.
  virtual std::vector<Target> targets() = 0;
  /// Children of the root; asked once per target.
  virtual Status facts(std::string_view target, std::vector<Node> &facts) = 0;
  virtual std::vector<Option> options() { return {}; }
  virtual Status supports(const CompileRequest &, uint32_t &answer) {
    answer = TEGULA_ANSWER_UNKNOWN;
    return {};
  }
  virtual Status compile(const CompileRequest &request, Artifact &artifact) = 0;
  virtual std::string fingerprint(std::string_view target) = 0;

private:
  friend struct CompilerTable;
  std::mutex keeping; ///< guards what follows: a plugin may be reentrant
  std::unique_ptr<std::vector<Target>> targetList;
  std::vector<tegula_target_t> targetRows;
  std::unique_ptr<std::vector<Option>> optionList;
  std::vector<tegula_option_t> optionRows;
  std::vector<std::vector<tegula_string_t>> optionChoices;
  struct KeptFacts {
    std::vector<Node> root;
    std::unique_ptr<NodeView> view;
  };
  std::map<std::string, KeptFacts, std::less<>> keptFacts;
  std::map<std::string, std::string, std::less<>> keptFingerprints;
  std::shared_ptr<void> keptDevices;
};

/// What a plugin says of itself.
struct Description {
  std::string_view name, vendor, version, buildId;
  uint32_t flags = TEGULA_PLUGIN_FLAGS_NONE;
  std::string_view llvmVersion = {};
};

struct CompilerTable {
  static Context &of(tegula_context_t *context) { return *reinterpret_cast<Context *>(context); }

  static CompileRequest request(const tegula_compile_request_t *sent) {
    tegula_compile_request_t in = received(sent);
    CompileRequest out{Host(in.host), in.kir.data, static_cast<size_t>(in.kir.size), view(in.target), view(in.entry), view(in.form),
                       {}, in.flags, in.warps};
    each(in.options, in.options_count, in.options_stride, [&](const tegula_node_t &node) {
      bool isText = node.kind == TEGULA_NODE_KIND_STRING, isReal = node.kind == TEGULA_NODE_KIND_FLOAT;
      out.options[std::string(view(node.key))] = isText   ? std::string(view(node.text))
                                                 : isReal ? std::to_string(node.number)
                                                          : std::to_string(node.integer);
    });
    return out;
  }

  /// Keeps the result of enumerate until the next one.
  static void keepDevices(Context &context, std::shared_ptr<void> devices) {
    std::lock_guard<std::mutex> lock(context.keeping);
    context.keptDevices = std::move(devices);
  }

  template <class Derived> static int32_t create(const tegula_host_t *host, tegula_context_t **context, tegula_error_t **error) {
    return detail::guarded(error, [&] {
      Context *made = new Derived(Host(host));
      *context = reinterpret_cast<tegula_context_t *>(made);
      return Status();
    });
  }
  static void destroy(tegula_context_t *context) {
    detail::contained([&] { delete reinterpret_cast<Context *>(context); });
  }
  static int32_t listTargets(tegula_context_t *context, tegula_target_list_t *list, tegula_error_t **error) {
    return detail::guarded(error, [&] {
      Context &self = of(context);
      std::lock_guard<std::mutex> lock(self.keeping);
      if (!self.targetList) {
        self.targetList = std::make_unique<std::vector<Target>>(self.targets());
        for (const Target &target : *self.targetList) {
          tegula_target_t row = stamped<tegula_target_t>();
          row.name = borrow(target.name);
          row.arch = borrow(target.arch);
          row.description = borrow(target.description);
          row.kir_level = target.kirLevel;
          row.flags = target.flags;
          self.targetRows.push_back(row);
        }
      }
      tegula_target_list_t out = stamped<tegula_target_list_t>();
      out.targets = self.targetRows.data();
      out.targets_count = self.targetRows.size();
      out.targets_stride = sizeof(tegula_target_t);
      give(list, out);
      return Status();
    });
  }
  static int32_t getFacts(tegula_context_t *context, const char *target, uint64_t size, tegula_facts_t *facts, tegula_error_t **error) {
    return detail::guarded(error, [&] {
      Context &self = of(context);
      std::lock_guard<std::mutex> lock(self.keeping);
      std::string_view name = view(target, size);
      auto found = self.keptFacts.find(name);
      if (found == self.keptFacts.end()) {
        std::vector<Node> children;
        if (Status status = self.facts(name, children); !status.ok())
          return status;
        found = self.keptFacts.try_emplace(std::string(name)).first;
        found->second.root.push_back(Node::map("facts", std::move(children)));
        found->second.view = std::make_unique<NodeView>(found->second.root);
      }
      tegula_facts_t out = stamped<tegula_facts_t>();
      out.schema = TEGULA_FACTS_VERSION;
      out.root = found->second.view->data();
      give(facts, out);
      return Status();
    });
  }
  static int32_t getOptions(tegula_context_t *context, tegula_option_list_t *list, tegula_error_t **error) {
    return detail::guarded(error, [&] {
      Context &self = of(context);
      std::lock_guard<std::mutex> lock(self.keeping);
      if (!self.optionList) {
        self.optionList = std::make_unique<std::vector<Option>>(self.options());
        for (const Option &option : *self.optionList) {
          std::vector<tegula_string_t> &choices = self.optionChoices.emplace_back();
          for (const std::string &choice : option.choices)
            choices.push_back(borrow(choice));
          tegula_option_t row = stamped<tegula_option_t>();
          row.name = borrow(option.name);
          row.doc = borrow(option.doc);
          row.kind = option.kind;
          row.default_value = borrow(option.defaultValue);
          row.choices = choices.data();
          row.choices_count = choices.size();
          self.optionRows.push_back(row);
        }
      }
      tegula_option_list_t out = stamped<tegula_option_list_t>();
      out.options = self.optionRows.data();
      out.options_count = self.optionRows.size();
      out.options_stride = sizeof(tegula_option_t);
      give(list, out);
      return Status();
    });
  }
  static int32_t supports(tegula_context_t *context, const tegula_compile_request_t *sent, uint32_t *answer, tegula_error_t **error) {
    return detail::guarded(error, [&] { return of(context).supports(request(sent), *answer); });
  }
  static int32_t compile(tegula_context_t *context, const tegula_compile_request_t *sent, const tegula_sink_t *sink, tegula_error_t **error) {
    return detail::guarded(error, [&] {
      Artifact artifact;
      if (Status status = of(context).compile(request(sent), artifact); !status.ok())
        return status;
      tegula_sink_t to = received(sink);
      if (int32_t code = to.write(to.user, artifact.bytes.data(), artifact.bytes.size()))
        return Status::failure(code, "the host does not take the artifact");
      return sendRecord(artifact, to);
    });
  }
  static int32_t getFingerprint(tegula_context_t *context, const char *target, uint64_t size, tegula_string_t *fingerprint,
                                tegula_error_t **error) {
    return detail::guarded(error, [&] {
      Context &self = of(context);
      std::lock_guard<std::mutex> lock(self.keeping);
      std::string_view name = view(target, size);
      auto found = self.keptFingerprints.find(name);
      if (found == self.keptFingerprints.end())
        found = self.keptFingerprints.emplace(std::string(name), self.fingerprint(name)).first;
      *fingerprint = borrow(found->second);
      return Status();
    });
  }

  static Status sendRecord(const Artifact &artifact, const tegula_sink_t &to) {
    std::vector<tegula_argument_t> arguments;
    for (const Argument &argument : artifact.arguments) {
      tegula_argument_t row = stamped<tegula_argument_t>();
      row.name = borrow(argument.name);
      row.type = argument.type;
      row.index = argument.index;
      row.offset = argument.offset;
      row.size = argument.size;
      row.divisibility = argument.divisibility;
      arguments.push_back(row);
    }
    std::vector<tegula_folded_argument_t> folded;
    for (const auto &[name, value] : artifact.folded) {
      tegula_folded_argument_t row = stamped<tegula_folded_argument_t>();
      row.name = borrow(name);
      row.value = borrow(value);
      folded.push_back(row);
    }
    std::vector<tegula_string_t> prints;
    for (const std::string &text : artifact.printStrings)
      prints.push_back(borrow(text));
    NodeView resources(artifact.resources);
    tegula_record_t record = stamped<tegula_record_t>();
    record.entry = borrow(artifact.entry);
    record.target = borrow(artifact.target);
    record.format = borrow(artifact.format);
    record.arguments = arguments.data();
    record.arguments_count = arguments.size();
    record.arguments_stride = sizeof(tegula_argument_t);
    record.folded = folded.data();
    record.folded_count = folded.size();
    record.folded_stride = sizeof(tegula_folded_argument_t);
    record.hidden = artifact.hidden.data();
    record.hidden_count = artifact.hidden.size();
    record.hidden_stride = sizeof(tegula_hidden_argument_t);
    record.argument_bytes = artifact.argumentBytes;
    record.lanes = artifact.lanes;
    record.warps = artifact.warps;
    record.static_shared_bytes = artifact.staticSharedBytes;
    record.dynamic_shared_bytes = artifact.dynamicSharedBytes;
    record.scratch_bytes = artifact.scratchBytes;
    record.print_strings = prints.data();
    record.print_strings_count = prints.size();
    record.resources = resources.data();
    record.resources_count = artifact.resources.size();
    record.resources_stride = sizeof(tegula_node_t);
    record.fingerprint = borrow(artifact.fingerprint);
    if (int32_t code = to.record(to.user, &record))
      return Status::failure(code, "the host does not take the record");
    return {};
  }

  template <class Derived> static const tegula_compiler_t *table() {
    static const tegula_compiler_t made = {sizeof(tegula_compiler_t), 1,        create<Derived>, destroy, listTargets,
                                           getFacts,                  getOptions, supports,        compile, getFingerprint};
    return &made;
  }
};

namespace detail {
inline int32_t query(const tegula_host_info_t *host, tegula_plugin_info_t *plugin, const Description &description, bool hasDevice,
                     tegula_get_interface_fn getInterface) {
  if (!host || !plugin)
    return TEGULA_RESULT_INVALID_ARGUMENT;
  tegula_host_info_t in = received(host);
  tegula_plugin_info_t out = stamped<tegula_plugin_info_t>();
  out.abi_min = out.abi_max = TEGULA_ABI_VERSION;
  out.kir_min = out.kir_max = TEGULA_KIR_VERSION;
  out.facts_min = out.facts_max = TEGULA_FACTS_VERSION;
  out.device_min = out.device_max = hasDevice ? TEGULA_DEVICE_VERSION : 0;
  out.conformance = TEGULA_CONFORMANCE_VERSION;
  out.sanitizer = kSanitizer;
  out.flags = description.flags;
  out.build_type = kBuildType;
  out.name = borrow(description.name);
  out.vendor = borrow(description.vendor);
  out.version = borrow(description.version);
  out.build_id = borrow(description.buildId);
  out.compiler = borrow(__VERSION__);
  out.llvm_version = borrow(description.llvmVersion);
  out.get_interface = getInterface;
  give(plugin, out);
  bool fits = in.abi_min <= out.abi_max && out.abi_min <= in.abi_max && in.kir_min <= out.kir_max && out.kir_min <= in.kir_max;
  return fits ? TEGULA_RESULT_OK : TEGULA_RESULT_INCOMPATIBLE;
}
} // namespace detail

/// The plugin's one export, for a class derived from Context with a constructor that takes a Host. `deviceTable` is
/// DeviceTable<RuntimeClass>::table of device.hpp, or nullptr for a plugin that only compiles.
#define TEGULA_DEFINE_PLUGIN(ContextClass, description, deviceTable)                                                                       \
  static const void *tegulaGetInterface(const char *name, uint64_t size, uint32_t version) {                                               \
    std::string_view wanted = ::tegula::plugin::view(name, size);                                                                          \
    const tegula_device_runtime_t *(*device)() = deviceTable;                                                                              \
    if (wanted == TEGULA_INTERFACE_COMPILER && version == TEGULA_ABI_VERSION)                                                              \
      return ::tegula::plugin::CompilerTable::table<ContextClass>();                                                                       \
    if (wanted == TEGULA_INTERFACE_DEVICE && version == TEGULA_DEVICE_VERSION && device)                                                   \
      return device();                                                                                                                     \
    return nullptr;                                                                                                                        \
  }                                                                                                                                        \
  extern "C" TEGULA_PLUGIN_EXPORT int32_t tegula_plugin_query(const tegula_host_info_t *host, tegula_plugin_info_t *plugin) {              \
    const tegula_device_runtime_t *(*device)() = deviceTable;                                                                              \
    return ::tegula::plugin::detail::query(host, plugin, description, device != nullptr, tegulaGetInterface);                              \
  }

} // namespace tegula::plugin

#endif // TEGULA_PLUGIN_HPP
