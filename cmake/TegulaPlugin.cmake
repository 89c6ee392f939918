# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A target plugin: a module with everything hidden but tegula_plugin_query, its manifest beside it.
#
#   tegula_add_plugin(NAME MANIFEST file.json.in SOURCES ... [DEPENDS tegula libs] [LIBS foreign libs])
#
# makes the target tegula_plugin_NAME, the library tegula_NAME.so and the manifest NAME.tegula-plugin.json. In the manifest
# @TEGULA_MANIFEST_COMMON@ stands for the fields that follow from the build ("library", "arch", "sanitizer", "abi", "kir").

set(TEGULA_EXPORT_LIST ${CMAKE_CURRENT_LIST_DIR}/plugin_exports.map)
set(TEGULA_EXPORT_CHECK ${PROJECT_SOURCE_DIR}/sdk/abi/check_exports.py)

function(_tegula_version_of file out)
  file(READ ${file} _text)
  string(JSON _text GET "${_text}" ${ARGN})
  string(JSON _major GET "${_text}" 0)
  string(JSON _minor GET "${_text}" 1)
  set(${out} "${_major}.${_minor}" PARENT_SCOPE)
endfunction()

function(tegula_add_plugin name)
  cmake_parse_arguments(ARG "" "MANIFEST;OUTPUT_DIRECTORY" "SOURCES;DEPENDS;LIBS" ${ARGN})
  set(target tegula_plugin_${name})
  _tegula_check_link(${target} plugins ${ARG_DEPENDS})
  if(NOT ARG_OUTPUT_DIRECTORY)
    set(ARG_OUTPUT_DIRECTORY ${TEGULA_PLUGIN_OUTPUT_DIRECTORY})
  endif()
  add_library(${target} MODULE ${ARG_SOURCES})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE tegula_sdk_abi ${ARG_DEPENDS} ${ARG_LIBS})
  set_target_properties(${target} PROPERTIES
    PREFIX "" OUTPUT_NAME tegula_${name} LIBRARY_OUTPUT_DIRECTORY ${ARG_OUTPUT_DIRECTORY}
    LINK_DEPENDS ${TEGULA_EXPORT_LIST})
  target_link_options(${target} PRIVATE -Wl,--exclude-libs,ALL -Wl,--version-script=${TEGULA_EXPORT_LIST})
  if(NOT TEGULA_SANITIZER)
    target_link_options(${target} PRIVATE -Wl,--no-undefined)
  endif()

  set(_bits 0)
  foreach(_pair "address=1" "thread=2" "memory=4")
    string(REPLACE "=" ";" _pair "${_pair}")
    list(GET _pair 0 _kind)
    list(GET _pair 1 _bit)
    if(TEGULA_SANITIZER MATCHES "${_kind}")
      math(EXPR _bits "${_bits} + ${_bit}")
    endif()
  endforeach()
  _tegula_version_of(${PROJECT_SOURCE_DIR}/sdk/abi/abi.json _abi versions abi)
  _tegula_version_of(${PROJECT_SOURCE_DIR}/sdk/kir/grammar.json _kir version)
  set(TEGULA_MANIFEST_COMMON "\"library\": \"tegula_${name}${CMAKE_SHARED_MODULE_SUFFIX}\",
  \"arch\": \"${CMAKE_SYSTEM_PROCESSOR}\",
  \"sanitizer\": ${_bits},
  \"abi\": [\"${_abi}\", \"${_abi}\"],
  \"kir\": [\"${_kir}\", \"${_kir}\"]")
  # The manifest appears with the library: one alone would be listed as a plugin whose library is missing.
  set(_manifest ${CMAKE_CURRENT_BINARY_DIR}/${name}.tegula-plugin.json)
  configure_file(${ARG_MANIFEST} ${_manifest} @ONLY)
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${_manifest})
  add_custom_command(TARGET ${target} POST_BUILD COMMAND ${CMAKE_COMMAND} -E copy ${_manifest} ${ARG_OUTPUT_DIRECTORY})
  install(TARGETS ${target} LIBRARY DESTINATION lib/tegula/plugins)
  install(FILES ${ARG_OUTPUT_DIRECTORY}/${name}.tegula-plugin.json DESTINATION lib/tegula/plugins)
  if(TEGULA_TESTS)
    add_test(NAME exports_${name} COMMAND ${Python3_EXECUTABLE} ${TEGULA_EXPORT_CHECK} $<TARGET_FILE:${target}>)
    set_tests_properties(exports_${name} PROPERTIES LABELS abi)
    if(TEGULA_SANITIZER)
      set_tests_properties(exports_${name} PROPERTIES DISABLED ON)
    endif()
  endif()
endfunction()
