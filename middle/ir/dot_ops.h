// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products.
#pragma once

#include "middle/ir/dialect.h"

#define GET_OP_CLASSES
#include "middle/ir/dot_ops.h.inc"
