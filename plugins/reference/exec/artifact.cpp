// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading artifacts.
#include "plugins/reference/exec/artifact.h"

#include "plugins/reference/exec/decode.h"
#include "sdk/kir/kir.h"

#include <algorithm>

namespace tegula::plugins::reference {

namespace {

struct FreeModule {
  void operator()(tegula_kir_module_t *module) const { tegula_kir_free(module); }
};
using KirModule = std::unique_ptr<tegula_kir_module_t, FreeModule>;

CodeLocation placeOf(const tegula_kir_module_t &module, uint32_t loc) {
  CodeLocation location;
  tegula_kir_place_t place;
  if (loc && tegula_kir_get_place(&module, loc, &place)) {
    location.file.assign(place.file, place.file_length);
    location.line = place.line;
    location.column = place.column;
    location.endColumn = place.end_column;
  }
  return location;
}

bool refuse(ArtifactError &error, const char *code, std::string message) {
  error.code = code;
  error.message = std::move(message);
  return false;
}

/// The kernel, or null with the reason in `error`.
const Function *pickKernel(const Module &module, const std::string &entry, ArtifactError &error) {
  const Function *found = nullptr;
  for (const auto &function : module.functions) {
    if (!function->isKernel || (!entry.empty() && function->name != entry))
      continue;
    if (found) {
      refuse(error, kNoKernel,
             "the module has several kernels ('" + found->name + "', '" + function->name + "', ...); name one");
      return nullptr;
    }
    found = function.get();
  }
  const auto isTensor = [](const Parameter &parameter) { return parameter.type->isTensor; };
  if (found && std::any_of(found->parameters.begin(), found->parameters.end(), isTensor)) {
    refuse(error, kUnsupported, "kernel '" + found->name + "' takes a tensor; its arguments have to be scalars");
    return nullptr;
  }
  if (!found)
    refuse(error, kNoKernel, entry.empty() ? "the module has no kernel" : "the module has no kernel '" + entry + "'");
  return found;
}

} // namespace

bool loadArtifact(const void *bytes, uint64_t size, const std::string &entry, Artifact &artifact,
                  ArtifactError &error) {
  tegula_kir_error_t kirError{};
  tegula_kir_module_t *read = nullptr;
  if (tegula_kir_read(bytes, size, nullptr, &read, &kirError) != TEGULA_KIR_OK)
    return refuse(error, kUnreadable, std::string(kirError.message) + " (K" + std::to_string(kirError.code) + ")");
  const KirModule module(read);
  if (module->level != TEGULA_KIR_LEVEL_TILE)
    return refuse(error, kWrongLevel, "the module is at thread level; this target takes tile-level KIR");
  if (tegula_kir_verify(module.get(), &kirError) != TEGULA_KIR_OK) {
    error.word = kirError.word;
    error.opcode = kirError.opcode;
    return refuse(error, kInvalid, std::string(kirError.message) + " (K" + std::to_string(kirError.code) + ")");
  }
  DecodeError decodeError;
  artifact.module = decodeModule(*module, decodeError);
  if (!artifact.module) {
    error.where = placeOf(*module, decodeError.loc);
    return refuse(error, kUnsupported, decodeError.message);
  }
  artifact.kernel = pickKernel(*artifact.module, entry, error);
  return artifact.kernel != nullptr;
}

std::string printModule(const void *bytes, uint64_t size) {
  tegula_kir_error_t error{};
  tegula_kir_module_t *read = nullptr;
  if (tegula_kir_read(bytes, size, nullptr, &read, &error) != TEGULA_KIR_OK)
    return {};
  const KirModule module(read);
  size_t length = 0;
  char *text = tegula_kir_print(module.get(), &length);
  std::string result(text ? text : "", text ? length : 0);
  if (text)
    tegula_kir_free_text(module.get(), text, length);
  return result;
}

} // namespace tegula::plugins::reference
