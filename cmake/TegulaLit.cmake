# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# lit for the whole tree: tests are the .mlir and .test files, kept in folders named `test`. One ctest entry (label
# "lit"); run a part of them with
#   lit build/release/lit/middle/ir/test
if(NOT TEGULA_TESTS)
  return()
endif()
find_program(TEGULA_LIT NAMES lit llvm-lit HINTS ${LLVM_TOOLS_BINARY_DIR} REQUIRED)
find_program(TEGULA_FILECHECK NAMES FileCheck HINTS ${LLVM_TOOLS_BINARY_DIR} REQUIRED)
configure_file(${CMAKE_CURRENT_LIST_DIR}/lit.site.cfg.py.in ${CMAKE_BINARY_DIR}/lit/lit.site.cfg.py @ONLY)
add_test(NAME lit COMMAND ${TEGULA_LIT} -q -j2 ${CMAKE_BINARY_DIR}/lit)
set_tests_properties(lit PROPERTIES LABELS lit TIMEOUT 600)
