# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Language level, warnings, visibility and sanitizers for everything that is built here.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(TEGULA_PLUGIN_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/tegula/plugins)

option(TEGULA_ASSERTS "Keep assert() whatever the build type" OFF)
if(TEGULA_ASSERTS)
  foreach(_lang C CXX)
    foreach(_type RELEASE RELWITHDEBINFO)
      string(REGEX REPLACE "-DNDEBUG" "" CMAKE_${_lang}_FLAGS_${_type} "${CMAKE_${_lang}_FLAGS_${_type}}")
    endforeach()
  endforeach()
endif()

# Compilers cache by preprocessed text; ccache is used when it is there and never needed.
find_program(TEGULA_CCACHE ccache)
if(TEGULA_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${TEGULA_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${TEGULA_CCACHE})
endif()

# Floating-point results are part of what Tegula promises: no contraction behind our back.
add_compile_options(-Wall -Wextra -Wno-unused-parameter -ffp-contract=off)
# libstdc++ 12 uses deprecated parts of itself in std::stable_sort.
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-deprecated-declarations>)
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-missing-field-initializers>)
if(TEGULA_WERROR)
  add_compile_options(-Werror)
endif()

# One link at a time: two static MLIR links at once exhaust a small machine.
set_property(GLOBAL PROPERTY JOB_POOLS link_pool=1)
set(CMAKE_JOB_POOL_LINK link_pool)
find_program(TEGULA_LLD NAMES ld.lld-22 ld.lld)
if(TEGULA_LLD AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_link_options(-fuse-ld=lld)
endif()
add_link_options(-Wl,--as-needed -Wl,--gc-sections)
add_compile_options(-ffunction-sections -fdata-sections)

if(TEGULA_SANITIZER)
  add_compile_options(-fsanitize=${TEGULA_SANITIZER} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TEGULA_SANITIZER})
endif()
