# Our version for `sluice --version` and the handshake: the commit where git knows it.
execute_process(COMMAND git -C ${CMAKE_SOURCE_DIR} rev-parse --short=12 HEAD
                OUTPUT_VARIABLE SLUICE_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT SLUICE_COMMIT)
  set(SLUICE_COMMIT unknown)
endif()
configure_file(${CMAKE_SOURCE_DIR}/cmake/version.h.in ${CMAKE_BINARY_DIR}/generated/base/version.h @ONLY)
add_library(sluice_version INTERFACE)
target_include_directories(sluice_version INTERFACE ${CMAKE_BINARY_DIR}/generated)
add_library(sluice::version ALIAS sluice_version)
