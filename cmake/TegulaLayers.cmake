# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The dependency rule  driver -> frontend -> middle -> targets -> sdk <- plugins  as CMake functions.
#
#   tegula_add_library(NAME LAYER <layer> SOURCES ... [DEPENDS tegula libs] [LIBS foreign libs] [MLIR])
#   tegula_add_test(NAME LAYER <layer> SOURCES ... [DEPENDS ...] [LIBS ...])      GoogleTest, label "unit"
#
# A library may depend on its own layer and on layers to the right of it; anything else ends the configure step.

set(TEGULA_LAYERS_driver driver frontend middle targets sdk)
set(TEGULA_LAYERS_frontend frontend middle targets sdk)
set(TEGULA_LAYERS_middle middle targets sdk)
set(TEGULA_LAYERS_targets targets sdk)
set(TEGULA_LAYERS_sdk sdk)
set(TEGULA_LAYERS_plugins plugins sdk)
set(TEGULA_LAYERS_outside driver sdk)

function(_tegula_check_link name layer)
  foreach(dep IN LISTS ARGN)
    get_target_property(dep_layer ${dep} TEGULA_LAYER)
    if(NOT dep_layer)
      message(FATAL_ERROR "${name} depends on ${dep}, which has no layer (declare it with tegula_add_library first)")
    endif()
    if(NOT dep_layer IN_LIST TEGULA_LAYERS_${layer})
      message(FATAL_ERROR "layer rule: ${name} is in '${layer}' and may not use ${dep} of '${dep_layer}'")
    endif()
  endforeach()
endfunction()

function(tegula_add_library name)
  cmake_parse_arguments(ARG "MLIR" "LAYER" "SOURCES;DEPENDS;LIBS" ${ARGN})
  if(NOT DEFINED TEGULA_LAYERS_${ARG_LAYER})
    message(FATAL_ERROR "${name}: unknown layer '${ARG_LAYER}'")
  endif()
  _tegula_check_link(${name} ${ARG_LAYER} ${ARG_DEPENDS})
  add_library(${name} STATIC ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES TEGULA_LAYER ${ARG_LAYER})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/sdk/include ${PROJECT_BINARY_DIR}
                                            ${PROJECT_BINARY_DIR}/sdk/include)
  target_link_libraries(${name} PUBLIC ${ARG_DEPENDS} ${ARG_LIBS})
  # A plugin unwinds to its table of functions, which turns memory or threads that ran out into a status.
  if(NOT ARG_LAYER MATCHES "^(driver|plugins)$")
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)
  endif()
  if(ARG_MLIR)
    tegula_use_mlir(${name})
  endif()
endfunction()

function(tegula_add_test name)
  if(NOT TEGULA_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "MLIR" "LAYER" "SOURCES;DEPENDS;LIBS;ARGS;LABELS" ${ARGN})
  _tegula_check_link(${name} ${ARG_LAYER} ${ARG_DEPENDS})
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/sdk/include ${PROJECT_BINARY_DIR})
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS} ${ARG_LIBS} GTest::gtest_main)
  if(ARG_MLIR)
    tegula_use_mlir(${name})
  endif()
  add_test(NAME ${name} COMMAND ${name} ${ARG_ARGS})
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT 600)
endfunction()
