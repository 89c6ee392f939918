// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reduce, scan, gather, histogram.
#pragma once

#include "middle/ir/dialect.h"

#include "mlir/IR/RegionKindInterface.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

#define GET_OP_CLASSES
#include "middle/ir/collective_ops.h.inc"
