// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that change a tensor's shape, and the hint.
#pragma once

#include "middle/ir/dialect.h"

#define GET_OP_CLASSES
#include "middle/ir/shape_ops.h.inc"
