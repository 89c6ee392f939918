// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs of the grid, constants of position, barrier, print, assert, assume.
#pragma once

#include "middle/ir/dialect.h"

#define GET_OP_CLASSES
#include "middle/ir/program_ops.h.inc"
