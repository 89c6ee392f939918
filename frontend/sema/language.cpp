// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The modules of the language and what their names are.

#include "frontend/sema/language.h"

#include "frontend/sema/builtins/families.h"
#include "frontend/sema/decorators.h"
#include "frontend/sema/known_modules.h"
#include "frontend/sema/modules.h"

#include <algorithm>
#include <array>

namespace tegula::frontend::sema {

namespace {

#include "library.inc"

struct DtypeName {
  std::string_view name;
  Scalar scalar;
};
constexpr DtypeName kDtypes[] = {
    {"void", Scalar::Void},       {"int1", Scalar::Int1},           {"int8", Scalar::Int8},         {"int16", Scalar::Int16},
    {"int32", Scalar::Int32},     {"int64", Scalar::Int64},         {"uint8", Scalar::UInt8},       {"uint16", Scalar::UInt16},
    {"uint32", Scalar::UInt32},   {"uint64", Scalar::UInt64},       {"float16", Scalar::Float16},   {"bfloat16", Scalar::BFloat16},
    {"float32", Scalar::Float32}, {"float64", Scalar::Float64},     {"float8e4nv", Scalar::Float8E4NV}, {"float8e5", Scalar::Float8E5},
    {"float8e4b8", Scalar::Float8E4B8}, {"float8e5b16", Scalar::Float8E5B16}, {"float8e4b15", Scalar::Float8E4B15},
};

constexpr std::string_view kStandard[] = {"cdiv", "zeros", "zeros_like", "sigmoid", "softmax", "sum", "xor_sum", "reduce_or", "max", "min", "argmax",
                                          "argmin", "cumsum", "cumprod", "sort", "bitonic_merge", "topk", "flip", "interleave", "swizzle2d",
                                          "expect_zero",
                                          // Not public, but packages import it.
                                          "_log2"};
constexpr std::string_view kRandom[] = {
    "philox_impl", "philox",  "randint",         "randint4x", "uint_to_uniform_float", "rand", "rand4x", "pair_uniform_to_normal",
    "randn",       "randn4x", "N_ROUNDS_DEFAULT"};
/// Library functions that tensors offer as methods.
constexpr std::string_view kLibraryMethods[] = {"cdiv",   "sum",     "xor_sum", "reduce_or", "max",     "min",  "argmax", "argmin",
                                                "cumsum", "cumprod", "sort",    "sigmoid",   "softmax", "flip", "topk"};
/// Builtins that tensors offer as methods; `.to` is cast.
constexpr std::string_view kMethods[] = {
    "to",         "cast",      "broadcast_to", "expand_dims", "reshape",   "view",       "ravel",      "squeeze",    "unsqueeze",
    "permute",    "trans",     "split",        "abs",         "exp",       "exp2",       "log",        "log2",       "sin",
    "cos",        "sqrt",      "rsqrt",        "sqrt_rn",     "erf",       "floor",      "ceil",       "reduce",     "associative_scan",
    "gather",     "histogram", "atomic_add",   "atomic_and",  "atomic_or", "atomic_xor", "atomic_max", "atomic_min", "atomic_xchg",
    "atomic_cas", "advance"};

template <size_t N> bool contains(const std::string_view (&list)[N], std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

// ---- what exists in the language and is not supported yet ----

template <Name N> MaybeValue notYet(Evaluator &ev, const CallArgs &args) {
  return ev.error(args.range, "F3201", std::string("'") + N.text + "' is not supported yet");
}
constexpr BuiltinEntry kNotYet[] = {
    {"dot_scaled", notYet<"dot_scaled">},
    {"make_tensor_descriptor", notYet<"make_tensor_descriptor">},
    {"load_tensor_descriptor", notYet<"load_tensor_descriptor">},
    {"store_tensor_descriptor", notYet<"store_tensor_descriptor">},
    {"inline_asm_elementwise", notYet<"inline_asm_elementwise">},
    {"extern_elementwise", notYet<"extern_elementwise">},
    {"map_elementwise", notYet<"map_elementwise">},
    {"atomic_poll", notYet<"atomic_poll">},
    {"globaltimer", notYet<"globaltimer">},
    {"smid", notYet<"smid">},
    {"memrealtime", notYet<"memrealtime">},
    {"convert_fp8_to_float16", notYet<"convert_fp8_to_float16">},
    {"convert_custom_float8", notYet<"convert_custom_float8">},
    {"convert_custom_float8_sm70", notYet<"convert_custom_float8_sm70">},
    {"convert_custom_float8_sm80", notYet<"convert_custom_float8_sm80">},
};

// ---- questions about the target ----

template <Name Backend> MaybeValue isBackend(Evaluator &ev, const CallArgs &) { return Value::boolean(ev.defaults().backendName == Backend.text); }
/// Grids that depend on each other never overlap: nothing is launched with programmatic dependence.
MaybeValue dependentGrid(Evaluator &, const CallArgs &) { return Value::none(); }
MaybeValue numWarps(Evaluator &ev, const CallArgs &) { return Value::integer(ev.numWarps()); }
MaybeValue numThreads(Evaluator &ev, const CallArgs &) { return Value::integer(Int(ev.numWarps()) * ev.defaults().warpSize); }
constexpr BuiltinEntry kTarget[] = {{"is_cuda", isBackend<"cuda">}, {"is_hip", isBackend<"hip">}, {"num_warps", numWarps},
                                    {"num_threads", numThreads},    {"gdc_wait", dependentGrid},  {"gdc_launch_dependents", dependentGrid}};

MaybeValue find(std::span<const BuiltinEntry> entries, std::string_view module, std::string_view name) {
  for (const BuiltinEntry &entry : entries)
    if (entry.name == name)
      return builtin(std::string(module) + "." + std::string(name), entry.fn);
  return std::nullopt;
}

std::array<std::span<const BuiltinEntry>, 7> coreFamilies() {
  return {programBuiltins(), shapeBuiltins(), memoryBuiltins(), atomicBuiltins(), mathBuiltins(), collectiveBuiltins(), effectBuiltins()};
}

BuiltinFn coreFunction(std::string_view name) {
  for (auto family : coreFamilies())
    for (const BuiltinEntry &entry : family)
      if (entry.name == name)
        return entry.fn;
  return nullptr;
}

/// A name of an embedded file, as an import that is resolved where it is used; the loader keeps the module.
MaybeValue libraryMember(ModuleLoader &loader, std::string_view file, std::string_view name) {
  auto lazy = std::make_shared<LazyImportObject>();
  lazy->module = loader.embedded("triton.language." + std::string(file), librarySource(file));
  lazy->member = std::string(name);
  return Value::object(lazy);
}

MaybeValue coreMember(ModuleLoader &loader, std::string_view name) {
  if (BuiltinFn fn = coreFunction(name))
    return builtin("triton.language." + std::string(name), fn);
  for (const DtypeName &d : kDtypes)
    if (d.name == name)
      return Value::type(Type(d.scalar));
  if (name == "pi32_t")
    return Value::type(Type(Scalar::Int32).pointerTo());
  if (contains(kStandard, name))
    return libraryMember(loader, "standard", name);
  if (contains(kRandom, name))
    return libraryMember(loader, "random", name);
  if (name == "PropagateNan") {
    auto cls = std::make_shared<ClassObject>();
    cls->name = "PropagateNan";
    for (const char *member : {"NONE", "ALL"})
      cls->members[member] = Value::string(member);
    return Value::object(cls);
  }
  if (name == "CONSTEXPR_0")
    return Value::integer(0).wrappedConstexpr();
  if (name == "_unwrap_if_constexpr" || name == "_constexpr_to_value")
    return builtin("triton.language." + std::string(name), [](Evaluator &ev, const CallArgs &args) -> MaybeValue {
      return args.positional.size() == 1 ? MaybeValue(args.positional[0]) : ev.error(args.range, "F2301", "wrong number of arguments");
    });
  if (name == "TRITON_MAX_TENSOR_NUMEL")
    return Value::integer(1 << 20);
  return find(kNotYet, "triton.language", name);
}

bool endsWith(std::string_view text, std::string_view tail) { return text.size() >= tail.size() && text.substr(text.size() - tail.size()) == tail; }
bool startsWith(std::string_view text, std::string_view head) { return text.substr(0, head.size()) == head; }

constexpr std::string_view kCore[] = {"triton.language", "triton.language.core", "triton.language.standard", "triton.language.semantic"};
constexpr std::string_view kHost[] = {"triton", "triton.runtime", "triton.runtime.jit", "triton.runtime.autotuner"};

/// libdevice under any of its paths.
bool isLibdevice(std::string_view module) {
  return module == "triton.language.libdevice" || (startsWith(module, "triton.language.extra.") && endsWith(module, "libdevice"));
}

} // namespace

bool isLanguageModule(std::string_view module) {
  if (contains(kCore, module) || contains(kHost, module) || isLibdevice(module))
    return true;
  if (module == "triton.language.math" || module == "triton.language.random" || module == "triton.language.target_info" ||
      module == "triton.language.extra")
    return true;
  // triton.language.extra.<vendor>
  constexpr std::string_view kExtra = "triton.language.extra.";
  if (!startsWith(module, kExtra))
    return false;
  std::string_view vendor = module.substr(kExtra.size());
  return vendor == "cuda" || vendor == "hip" || vendor == "intel" || vendor == "cpu" || vendor == "xpu";
}

std::string_view librarySource(std::string_view name) {
  for (const EmbeddedFile &file : kFiles)
    if (file.name == name)
      return file.text;
  return {};
}

MaybeValue languageMember(ModuleLoader &loader, std::string_view module, std::string_view name) {
  if (contains(kHost, module)) {
    if (MaybeValue value = hostLanguageMember(name))
      return value;
    return module == "triton" && name == "__version__" ? MaybeValue(Value::string("3.6.0")) : std::nullopt;
  }
  if (contains(kCore, module))
    return coreMember(loader, name);
  if (module == "triton.language.math") {
    if (MaybeValue value = find(mathBuiltins(), module, name))
      return value;
    return find(libdeviceBuiltins(), module, name);
  }
  if (isLibdevice(module)) {
    MaybeValue value = find(libdeviceBuiltins(), module, name);
    return value ? value : find(libdeviceNotYet(), module, name);
  }
  if (module == "triton.language.random")
    return contains(kRandom, name) ? libraryMember(loader, "random", name) : std::nullopt;
  if (MaybeValue value = find(kTarget, module, name))
    return value;
  return module == "triton.language.extra" ? std::nullopt : find(kNotYet, module, name);
}

BuiltinFn tensorMethod(std::string_view name) {
  if (!contains(kMethods, name))
    return nullptr;
  return coreFunction(name == "to" ? "cast" : name);
}

std::vector<std::string> languageNames(std::string_view module) {
  std::vector<std::string> names;
  auto add = [&](std::span<const BuiltinEntry> entries) {
    for (const BuiltinEntry &entry : entries)
      names.emplace_back(entry.name);
  };
  if (contains(kCore, module)) {
    for (auto family : coreFamilies())
      add(family);
    for (const DtypeName &d : kDtypes)
      names.emplace_back(d.name);
    names.insert(names.end(), std::begin(kStandard), std::end(kStandard));
  }
  if (contains(kCore, module) || module == "triton.language.random")
    names.insert(names.end(), std::begin(kRandom), std::end(kRandom));
  if (module == "triton.language.math")
    add(mathBuiltins());
  if (module == "triton.language.math" || isLibdevice(module))
    add(libdeviceBuiltins());
  return names;
}

std::vector<std::string> tensorNames() {
  std::vector<std::string> names{"dtype", "shape", "numel", "T", "type"};
  names.insert(names.end(), std::begin(kMethods), std::end(kMethods));
  names.insert(names.end(), std::begin(kLibraryMethods), std::end(kLibraryMethods));
  return names;
}

bool isLibraryMethod(std::string_view name) { return contains(kLibraryMethods, name); }

} // namespace tegula::frontend::sema
