// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers, loads, stores and atomics.
#pragma once

#include "middle/ir/dialect.h"

#define GET_OP_CLASSES
#include "middle/ir/memory_ops.h.inc"
