// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise ops that upstream lacks or folds with the host's mathematical library.
#pragma once

#include "middle/ir/dialect.h"

#define GET_OP_CLASSES
#include "middle/ir/math_ops.h.inc"
