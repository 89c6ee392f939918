# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds MLIR and makes it linkable statically.
#
# As packaged, the imported targets of MLIR name the shared libLLVM ("LLVM") in their link interfaces, and LLVMExtensions names
# an archive that is not installed. Linking them as they are would bring one LLVM from archives and a second one from the
# shared library. The interfaces are rewritten here to the archives that MLIR's core needs; the test no_shared_llvm holds us to it.

find_package(MLIR 22.1 REQUIRED CONFIG)
option(TEGULA_SHARED_MLIR "Link the host against the shared libMLIR and libLLVM (quick links while developing)" OFF)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

function(_tegula_make_static target)
  get_target_property(_done ${target} TEGULA_STATIC_DONE)
  if(_done)
    return()
  endif()
  set_target_properties(${target} PROPERTIES TEGULA_STATIC_DONE ON)
  get_target_property(_libs ${target} INTERFACE_LINK_LIBRARIES)
  if(NOT _libs)
    return()
  endif()
  set(_new)
  foreach(_lib IN LISTS _libs)
    if(_lib STREQUAL "LLVM")
      list(APPEND _new LLVMSupport LLVMDemangle LLVMRemarks LLVMBitstreamReader LLVMTargetParser)
    elseif(NOT _lib STREQUAL "Polly")
      list(APPEND _new ${_lib})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${_new}")
  foreach(_lib IN LISTS _new)
    if(TARGET ${_lib})
      _tegula_make_static(${_lib})
    endif()
  endforeach()
endfunction()

# The parts of MLIR that Tegula uses, once, for every library of the host.
set(TEGULA_MLIR_LIBS
  MLIRIR MLIRSupport MLIRParser MLIRPass MLIRTransforms MLIRTransformUtils MLIRAnalysis MLIRRewrite
  MLIRArithDialect MLIRMathDialect MLIRSCFDialect MLIRFuncDialect MLIRUBDialect MLIRControlFlowDialect MLIRSCFUtils
  MLIRFuncInlinerExtension MLIRInferIntRangeInterface MLIROptLib)

add_library(tegula_mlir INTERFACE)
target_include_directories(tegula_mlir SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
target_compile_definitions(tegula_mlir INTERFACE ${LLVM_DEFINITIONS_LIST})
if(TEGULA_SHARED_MLIR)
  target_link_libraries(tegula_mlir INTERFACE MLIR LLVM)
else()
  foreach(_lib IN LISTS TEGULA_MLIR_LIBS)
    if(TARGET ${_lib})
      _tegula_make_static(${_lib})
      target_link_libraries(tegula_mlir INTERFACE ${_lib})
    endif()
  endforeach()
endif()

function(tegula_use_mlir target)
  target_link_libraries(${target} PUBLIC tegula_mlir)
endfunction()
