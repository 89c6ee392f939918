// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding and reading modules and looking names up in them. What known modules contain is in known_modules.cpp; running a
// module's statements is the evaluator's.

#include "frontend/sema/modules.h"

#include "frontend/parse/parser.h"
#include "frontend/sema/evaluator.h"
#include "frontend/sema/known_modules.h"
#include "frontend/sema/language.h"
#include "frontend/source/source_buffer.h"

#include <algorithm>
#include <cassert>
#include <filesystem>
#include <mutex>

namespace tegula::frontend::sema {

namespace fs = std::filesystem;

namespace {

/// A parsed file with what the parser had to say about it.
struct ParsedFile {
  std::shared_ptr<ast::Module> tree;
  std::vector<base::Diagnostic> diagnostics;
};

ParsedFile parse(std::shared_ptr<const SourceBuffer> source) {
  base::DiagnosticList list;
  ParsedFile parsed;
  parsed.tree = parseModule(std::move(source), list);
  parsed.diagnostics = list.take();
  return parsed;
}

bool isFile(const fs::path &path) {
  std::error_code ec;
  return fs::is_regular_file(path, ec);
}

/// "a.b.c" -> "a/b/c".
fs::path asPath(std::string_view dotted) {
  std::string text(dotted);
  for (char &c : text)
    if (c == '.')
      c = '/';
  return text;
}

std::string_view parentName(std::string_view dotted) {
  size_t dot = dotted.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : dotted.substr(0, dot);
}

std::string join(std::string_view package, std::string_view name) {
  if (package.empty())
    return std::string(name);
  if (name.empty())
    return std::string(package);
  return std::string(package) + "." + std::string(name);
}

/// The most levels that a relative import of the file goes up.
uint32_t relativeLevels(const ast::Module &tree) {
  uint32_t levels = 0;
  for (const ast::Stmt *stmt : tree.body)
    if (const auto *import = ast::dynAs<ast::ImportFrom>(stmt))
      levels = std::max(levels, import->level);
  return levels;
}

/// The folder above the outermost package that `file` is in, and the file's dotted name from there. Folders without __init__.py are packages
/// as far as the file's relative imports go, and below a folder of the module path.
std::pair<fs::path, std::string> packageRoot(const fs::path &file, uint32_t levels, const std::vector<std::string> &modulePath) {
  std::string name = file.stem().string();
  fs::path folder = file.parent_path();
  if (name == "__init__") {
    name = folder.filename().string();
    folder = folder.parent_path();
    levels -= std::min(levels, 1u);
  }
  const fs::path *top = nullptr; // the innermost folder of the module path that the file is below
  std::vector<fs::path> roots;
  for (const std::string &root : modulePath) {
    std::error_code ec;
    roots.push_back(fs::absolute(root, ec).lexically_normal());
    if (!roots.back().has_filename())
      roots.back() = roots.back().parent_path();
  }
  for (const fs::path &root : roots)
    if (std::mismatch(root.begin(), root.end(), folder.begin(), folder.end()).first == root.end() &&
        (!top || std::distance(root.begin(), root.end()) > std::distance(top->begin(), top->end())))
      top = &root;
  auto isPackage = [&](const fs::path &f) { return f != f.root_path() && (top ? f != *top : isFile(f / "__init__.py") || levels > 0); };
  while (!folder.empty() && isPackage(folder)) {
    name = join(folder.filename().string(), name);
    folder = folder.parent_path();
    levels -= std::min(levels, 1u);
  }
  return {folder, name};
}

} // namespace

struct ModuleLoader::TreeCache {
  std::mutex mutex;
  std::map<std::string, ParsedFile> files;

  /// Null tree where the file cannot be read; `error` then says why.
  ParsedFile get(const std::string &path, std::string &error) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      auto it = files.find(path);
      if (it != files.end())
        return it->second;
    }
    std::shared_ptr<const SourceBuffer> source = SourceBuffer::open(path, error);
    if (!source)
      return {};
    ParsedFile parsed = parse(std::move(source));
    std::lock_guard<std::mutex> lock(mutex);
    return files.emplace(path, std::move(parsed)).first->second;
  }
};

std::shared_ptr<ModuleLoader::TreeCache> ModuleLoader::makeTreeCache() { return std::make_shared<TreeCache>(); }

struct ModuleLoader::Impl {
  std::shared_ptr<TreeCache> trees;
  std::vector<std::string> modulePath;
  std::map<std::string, std::string> globals;
  base::DiagnosticSink &sink;
  std::vector<fs::path> roots; ///< where absolute imports are looked for, in order
  std::map<std::string, std::shared_ptr<ModuleObject>, std::less<>> modules;
  std::shared_ptr<ModuleObject> main;
  std::vector<std::weak_ptr<Scope>> scopes; ///< tracked, as are the objects
  std::vector<std::weak_ptr<Object>> objects;
  std::vector<std::shared_ptr<ast::Module>> literalTrees; ///< what --global values were parsed to

  Impl(std::shared_ptr<TreeCache> trees, const std::vector<std::string> &path, const std::map<std::string, std::string> &globals,
       base::DiagnosticSink &sink)
      : trees(std::move(trees)), modulePath(path), globals(globals), sink(sink) {}

  std::shared_ptr<ModuleObject> add(std::string name) {
    auto module = std::make_shared<ModuleObject>();
    module->name = name;
    modules[std::move(name)] = module;
    return module;
  }

  /// The file of a dotted name under one of the roots; a folder without __init__.py is a namespace package.
  bool find(std::string_view name, fs::path &file, bool &isPackage) const {
    for (const fs::path &root : roots) {
      fs::path base = root / asPath(name);
      isPackage = true;
      if (isFile(base / "__init__.py")) {
        file = base / "__init__.py";
        return true;
      }
      isPackage = false;
      file = base;
      file += ".py";
      if (isFile(file))
        return true;
      std::error_code ec;
      if (fs::is_directory(base, ec)) {
        isPackage = true;
        file.clear();
        return true;
      }
    }
    return false;
  }

  /// The text --global gave for `name` of `module`, or null. The file being compiled also answers to its stem and "__main__".
  const std::string *override(const ModuleObject &module, std::string_view name) const {
    auto it = globals.find(join(module.name, name));
    if (it == globals.end() && main && &module == main.get()) {
      size_t dot = module.name.rfind('.');
      if (dot != std::string::npos)
        it = globals.find(join(std::string_view(module.name).substr(dot + 1), name));
      if (it == globals.end())
        it = globals.find(join("__main__", name));
    }
    return it == globals.end() ? nullptr : &it->second;
  }

  /// A --global value: a Python expression over `triton`, or else the text itself.
  Value evaluateGlobal(ModuleLoader &loader, Evaluator &ev, const std::string &name, const std::string &text) {
    base::DiagnosticList ignored;
    auto tree = parseModule(std::make_shared<SourceBuffer>("<global " + name + ">", text), ignored);
    if (!tree->complete || tree->body.size() != 1 || tree->body[0]->kind != ast::StmtKind::Expr)
      return Value::string(text);
    literalTrees.push_back(tree);
    ModuleObject *triton = loader.import("triton", nullptr, 0);
    auto scope = std::make_shared<Scope>();
    scope->names["triton"] = Value::object(modules["triton"]);
    MaybeValue value = ev.evaluate(ast::as<ast::ExprStmt>(tree->body[0])->value, *triton, scope);
    return value && !value->isUnknown() ? *value : Value::string(text);
  }
};

ModuleLoader::ModuleLoader(std::shared_ptr<TreeCache> trees, const std::vector<std::string> &modulePath,
                           const std::map<std::string, std::string> &globals, base::DiagnosticSink &sink)
    : impl(std::make_unique<Impl>(std::move(trees), modulePath, globals, sink)) {}

ModuleLoader::~ModuleLoader() {
  for (const std::weak_ptr<Scope> &held : impl->scopes)
    if (const auto scope = held.lock())
      scope->names.clear();
  for (const std::weak_ptr<Object> &held : impl->objects)
    if (const auto object = held.lock())
      object->drop();
}

void ModuleLoader::track(const std::shared_ptr<Scope> &scope) { impl->scopes.push_back(scope); }
void ModuleLoader::track(const std::shared_ptr<Object> &object) {
  if (impl->objects.empty() || impl->objects.back().lock() != object) // loops fill one object
    impl->objects.push_back(object);
}

ModuleObject *ModuleLoader::loadMain(const std::string &path, const std::optional<std::string> &text) {
  ParsedFile parsed;
  std::string error;
  if (text)
    parsed = parse(std::make_shared<SourceBuffer>(path, *text));
  else
    parsed = impl->trees->get(path, error);
  if (!parsed.tree) {
    impl->sink.report({base::Severity::Error, "F2001", "cannot read '" + path + "': " + error, {}, {}, {}});
    return nullptr;
  }
  bool damaged = false;
  for (const base::Diagnostic &d : parsed.diagnostics) {
    damaged |= d.severity == base::Severity::Error;
    impl->sink.report(d);
  }
  if (damaged)
    return nullptr;
  std::error_code ec;
  fs::path absolute = fs::absolute(path, ec);
  auto [root, name] = packageRoot(absolute.lexically_normal(), relativeLevels(*parsed.tree), impl->modulePath);
  impl->roots.push_back(absolute.parent_path());
  if (root != absolute.parent_path())
    impl->roots.push_back(root);
  for (const std::string &folder : impl->modulePath)
    impl->roots.push_back(folder);
  impl->main = impl->add(name);
  impl->main->tree = parsed.tree;
  impl->main->isPackage = absolute.stem() == "__init__";
  return impl->main.get();
}

ModuleObject *ModuleLoader::import(std::string_view name, const ModuleObject *from, uint32_t level) {
  std::string full(name);
  if (level != 0 && from) {
    std::string_view package = from->isPackage ? std::string_view(from->name) : parentName(from->name);
    for (uint32_t i = 1; i < level; ++i)
      package = parentName(package);
    full = join(package, name);
  }
  auto it = impl->modules.find(full);
  if (it != impl->modules.end())
    return it->second.get();

  fs::path file;
  bool isPackage = false;
  if (level == 0) {
    // Of torch, whatever is more than its names is read where it is there.
    auto member = knownModule(full);
    if (member && !(full.starts_with("torch.") && impl->find(full, file, isPackage) && !file.empty())) {
      auto module = impl->add(full);
      module->member = member;
      module->state = ModuleObject::State::Done;
      return module.get();
    }
  }
  auto module = impl->add(full);
  module->isPackage = false;
  if (!impl->find(full, file, isPackage)) {
    module->member = missingModuleMember;
    module->state = ModuleObject::State::Done;
    return module.get();
  }
  module->isPackage = isPackage;
  if (file.empty()) {
    module->state = ModuleObject::State::Done;
    return module.get();
  }
  std::string error;
  ParsedFile parsed = impl->trees->get(file.string(), error);
  bool damaged = !parsed.tree;
  for (const base::Diagnostic &d : parsed.diagnostics)
    damaged |= d.severity == base::Severity::Error;
  if (damaged) {
    // Reported as the reason of whatever is looked up here, where it matters.
    module->member = damagedModuleMember;
    module->state = ModuleObject::State::Done;
    return module.get();
  }
  module->tree = parsed.tree;
  return module.get();
}

std::string ModuleLoader::embedded(std::string_view name, std::string_view text) {
  std::string path = "<" + std::string(name) + ">";
  if (impl->modules.count(path))
    return path;
  std::shared_ptr<ast::Module> tree;
  {
    std::lock_guard<std::mutex> lock(impl->trees->mutex);
    auto cached = impl->trees->files.find(path);
    if (cached == impl->trees->files.end())
      cached = impl->trees->files.emplace(path, parse(std::make_shared<SourceBuffer>(path, std::string(text)))).first;
    tree = cached->second.tree;
  }
  assert(tree && tree->complete && "the embedded library must parse");
  auto module = impl->add(path);
  module->name = std::string(name);
  module->tree = tree;
  return path;
}

MaybeValue ModuleLoader::lookup(Evaluator &ev, ModuleObject &module, std::string_view name) {
  if (auto it = module.overrides.find(name); it != module.overrides.end())
    return it->second;
  if (const std::string *text = impl->override(module, name)) {
    Value value = impl->evaluateGlobal(*this, ev, join(module.name, name), *text);
    return module.overrides[std::string(name)] = resolve(ev, value).wrappedConstexpr();
  }
  if (module.state == ModuleObject::State::Fresh && module.tree)
    ev.runModule(module);
  if (auto it = module.scope->names.find(name); it != module.scope->names.end()) {
    Value value = it->second;
    if (!value.is(Kind::LazyImport))
      return value;
    // Away while it is resolved: a package that imports a submodule from itself, or modules in a circle, come back here.
    module.scope->names.erase(it);
    Value resolved = resolve(ev, value);
    // What is unknown now may be there once the modules of a circle have been read.
    module.scope->names.insert_or_assign(std::string(name), resolved.isUnknown() ? value : resolved);
    return resolved;
  }
  if (module.member)
    if (MaybeValue value = module.member(ev, module, name)) {
      // Kept, so that two looks at the same name give the same object.
      module.scope->names.emplace(std::string(name), *value);
      return value;
    }
  std::string submodule = join(module.name, name);
  fs::path file;
  bool isPackage = false;
  bool isKnown =
      isLanguageModule(submodule) || (module.member && knownModule(submodule) && !(isLanguageModule(module.name) && isOpaqueModule(submodule)));
  if (isKnown || (module.isPackage && impl->find(submodule, file, isPackage)))
    return Value::object(impl->modules.count(submodule) ? impl->modules[submodule]
                                                        : (import(submodule, nullptr, 0), impl->modules[submodule]));
  return std::nullopt;
}

MaybeValue ModuleLoader::attribute(Evaluator &ev, ModuleObject &module, std::string_view name) {
  if (MaybeValue value = lookup(ev, module, name))
    return value;
  if (auto it = module.scope->names.find("__getattr__"); it != module.scope->names.end() && it->second.is(Kind::Function)) {
    CallArgs args;
    args.positional.push_back(Value::string(std::string(name)));
    args.positionalRanges.push_back({});
    return ev.call(it->second, args);
  }
  return std::nullopt;
}

Value ModuleLoader::resolve(Evaluator &ev, const Value &value) {
  if (!value.is(Kind::LazyImport))
    return value;
  const auto &lazy = value.as<LazyImportObject>();
  ModuleObject *module = import(lazy.module, lazy.from, lazy.level);
  auto asValue = [&](ModuleObject *m) {
    for (auto &[name, candidate] : impl->modules)
      if (candidate.get() == m)
        return Value::object(candidate);
    return Value::unknown("module '" + m->name + "' is gone");
  };
  if (lazy.member.empty())
    return asValue(module);
  if (lazy.from == module && module->state == ModuleObject::State::Running && !module->isPackage)
    return Value::unknown("'" + lazy.member + "' of '" + module->name + "' is needed while that module is being read");
  if (MaybeValue member = attribute(ev, *module, lazy.member))
    return resolve(ev, *member);
  return Value::unknown("module '" + module->name + "' has no name '" + lazy.member + "'");
}

MaybeValue languageFunction(Evaluator &ev, std::string_view name) {
  MaybeValue value = languageMember(ev.loader(), "triton.language", name);
  return value ? MaybeValue(ev.loader().resolve(ev, *value)) : std::nullopt;
}

std::vector<std::string> ModuleLoader::idleGlobals() const {
  std::vector<std::string> idle;
  auto isOf = [](std::string_view name, std::string_view module) {
    return name.size() > module.size() && name.starts_with(module) && name[module.size()] == '.';
  };
  for (const auto &[name, text] : impl->globals) {
    bool asked = isOf(name, "__main__") || isOf(name, impl->main->name.substr(impl->main->name.rfind('.') + 1));
    for (auto it = impl->modules.begin(); !asked && it != impl->modules.end(); ++it)
      asked = isOf(name, it->first);
    if (!asked)
      idle.push_back(name);
  }
  return idle;
}

std::vector<std::string> ModuleLoader::exports(Evaluator &ev, ModuleObject &module) {
  if (module.state == ModuleObject::State::Fresh && module.tree)
    ev.runModule(module);
  std::vector<std::string> names;
  auto all = module.scope->names.find("__all__");
  if (all != module.scope->names.end() && all->second.isSequence()) {
    for (const Value &item : all->second.items())
      if (item.is(Kind::Str))
        names.push_back(item.asString());
    return names;
  }
  for (const auto &[name, value] : module.scope->names)
    if (!name.empty() && name[0] != '_')
      names.push_back(name);
  return names;
}

std::vector<std::string> ModuleLoader::files() const {
  std::vector<std::string> paths;
  for (const auto &[name, module] : impl->modules)
    if (module->tree && isFile(module->tree->source->path()))
      paths.push_back(module->tree->source->path());
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  return paths;
}

} // namespace tegula::frontend::sema
