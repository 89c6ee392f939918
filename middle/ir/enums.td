// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes that wrap KIR's enumerations; the cases are generated from its grammar.
#ifndef TEGULA_MIDDLE_IR_ENUMS_TD
#define TEGULA_MIDDLE_IR_ENUMS_TD

include "middle/ir/dialect.td"
include "mlir/IR/EnumAttr.td"

class Tile_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tegula::middle::tile";
  let genSpecializedAttr = 0;
}
class Tile_EnumAttr<EnumAttrInfo info, string mnemonic> : EnumAttr<Tile_Dialect, info, mnemonic> {
  let assemblyFormat = "$value";
}

include "middle/ir/enum_cases.td.inc"

#endif
