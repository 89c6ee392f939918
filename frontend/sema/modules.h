// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules: finding files, reading each once, names of a module (evaluated on first use), the modules that are known without a
// file (triton, math, torch's dtypes, os.environ, enum, ...), and what --global said.
#pragma once

#include "frontend/sema/value.h"
#include "sdk/base/diagnostic.h"

#include <memory>
#include <string>
#include <string_view>

namespace tegula::frontend::sema {

class ModuleLoader;

/// A module: of a file, or known to the evaluator. Its names are evaluated on first look-up.
class ModuleObject : public Object {
public:
  static constexpr Kind kKind = Kind::Module;
  ModuleObject() : Object(Kind::Module) {}

  std::string name; ///< dotted, as --global names it ("fla.utils"); "__main__" is the file given, whose stem also answers
  std::shared_ptr<ast::Module> tree; ///< null for modules without a file
  std::shared_ptr<Scope> scope = std::make_shared<Scope>();
  enum class State : uint8_t { Fresh, Running, Done } state = State::Fresh;
  /// Names of a module without a file; null where it has one.
  MaybeValue (*member)(Evaluator &ev, const ModuleObject &module, std::string_view name) = nullptr;
  bool isPackage = false;
  /// What --global said of this module's names, once looked up; wins over everything the module computes.
  std::map<std::string, Value, std::less<>> overrides;
};

/// Owns modules. One loader serves one compile at a time (values hold IR handles and closures); parsed trees are shared between loaders
/// through the session's cache.
class ModuleLoader {
public:
  struct TreeCache; ///< path -> parsed tree, thread-safe, kept by the session

  ModuleLoader(std::shared_ptr<TreeCache> trees, const std::vector<std::string> &modulePath,
               const std::map<std::string, std::string> &globals, base::DiagnosticSink &sink);
  ~ModuleLoader();
  static std::shared_ptr<TreeCache> makeTreeCache();

  /// The module of the file being compiled (null after reporting where it cannot be read or parsed).
  ModuleObject *loadMain(const std::string &path, const std::optional<std::string> &text);
  /// `import name`: a file next to the importing one, on the module path, a package around the importing file, or a known module.
  /// Never null: what is not there is a module whose every member is Unknown ("module 'x' was not found").
  ModuleObject *import(std::string_view name, const ModuleObject *from, uint32_t level);
  /// Makes a module of text that is embedded in the program (the language's library) known, and gives the name to import it by.
  std::string embedded(std::string_view name, std::string_view text);
  /// A name of a module: --global first, then its scope (running the module on first use), then submodules. nullopt where there is none.
  MaybeValue lookup(Evaluator &ev, ModuleObject &module, std::string_view name);
  /// An attribute of a module: the same, and then what the module's __getattr__ gives.
  MaybeValue attribute(Evaluator &ev, ModuleObject &module, std::string_view name);
  /// What a LazyImport names (any other value is returned as it is): a module, or the member; Unknown with its reason where it is
  /// not there. `from m import *` is bound by the evaluator through `exports`.
  Value resolve(Evaluator &ev, const Value &value);
  /// The public names of a module (its __all__, else those without a leading underscore), running it first.
  std::vector<std::string> exports(Evaluator &ev, ModuleObject &module);
  /// What may come to hold itself (a scope with a function that closes over it, a class with its members, a list that was appended to a list):
  /// emptied when the loader goes.
  void track(const std::shared_ptr<Scope> &scope);
  void track(const std::shared_ptr<Object> &object);
  /// The --global names of modules that nothing imported, so that they answered nothing.
  std::vector<std::string> idleGlobals() const;
  /// Paths of the modules that were read, sorted; text without a file is not among them.
  std::vector<std::string> files() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tegula::frontend::sema
