// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All of the tile dialect.
#pragma once

#include "middle/ir/collective_ops.h"
#include "middle/ir/dialect.h"
#include "middle/ir/dot_ops.h"
#include "middle/ir/math_ops.h"
#include "middle/ir/memory_ops.h"
#include "middle/ir/program_ops.h"
#include "middle/ir/shape_ops.h"
