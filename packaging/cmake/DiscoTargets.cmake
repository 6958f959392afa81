# One function for each kind of target, so that language level, warnings, sanitizers and the precompiled headers are
# set in one place. Sources are listed by their callers; nothing globs.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
# Installed programs find our copy of LibTorch from their own place; in the build tree CMake names the cached one.
set(CMAKE_INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}/disco-studio")
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # Without these settings a precompiled header never hits the cache, and a second clone never shares it.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime"
      "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" CCACHE_NOHASHDIR=1 ${CCACHE_PROGRAM})
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
endif()
add_compile_options(-fpch-preprocess -Winvalid-pch -fdiagnostics-color=auto)
if(DISCO_SANITIZE)
  add_compile_options(-fsanitize=${DISCO_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${DISCO_SANITIZE})
endif()

set(DISCO_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-qual -Wconversion
    -Wno-sign-conversion -Werror
    -Wno-restrict)  # g++ 12 warns of std::string's own operator+ (GCC bug 105651)
set(DISCO_QT_DEFINITIONS QT_NO_KEYWORDS QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII
    QT_NO_NARROWING_CONVERSIONS_IN_CONNECT QT_DISABLE_DEPRECATED_BEFORE=0x060400)

function(_disco_common target)
  target_include_directories(${target} PRIVATE "${CMAKE_SOURCE_DIR}")
  target_compile_options(${target} PRIVATE ${DISCO_WARNINGS})
endfunction()

# The one owner of the precompiled torch header; every other target that sees torch reuses it.
if(DISCO_WITH_TORCH)
  file(WRITE "${CMAKE_BINARY_DIR}/torch_pch.cpp.in" "// Compiles to nothing: this target only owns the precompiled header.\n")
  configure_file("${CMAKE_BINARY_DIR}/torch_pch.cpp.in" "${CMAKE_BINARY_DIR}/torch_pch.cpp" COPYONLY)
  add_library(torch_pch OBJECT "${CMAKE_BINARY_DIR}/torch_pch.cpp")
  _disco_common(torch_pch)
  target_link_libraries(torch_pch PUBLIC LibTorch::cpu nlohmann_json::nlohmann_json tl::expected)
  target_compile_definitions(torch_pch PRIVATE ${DISCO_QT_DEFINITIONS})
  target_precompile_headers(torch_pch PRIVATE <torch/torch.h> <nlohmann/json.hpp> <tl/expected.hpp>)
endif()

function(_disco_torch target)
  target_link_libraries(${target} PUBLIC LibTorch::cpu)
  target_compile_definitions(${target} PRIVATE ${DISCO_QT_DEFINITIONS})
  target_precompile_headers(${target} REUSE_FROM torch_pch)
endfunction()

# An executable would be compiled with -fPIE, and the precompiled header, made with -fPIC for the libraries, refused.
function(_disco_torch_executable target)
  target_link_libraries(${target} PRIVATE LibTorch::cpu)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${target} PRIVATE -fPIC)
  target_precompile_headers(${target} REUSE_FROM torch_pch)
endfunction()

function(_disco_qt target)
  set_target_properties(${target} PROPERTIES AUTOMOC ON)
  target_compile_definitions(${target} PRIVATE ${DISCO_QT_DEFINITIONS})
endfunction()

# disco_library(name [TORCH] [QT] SOURCES … [PUBLIC libs…] [PRIVATE libs…])
#   TORCH: sees LibTorch, uses the shared precompiled header. QT: runs moc.
function(disco_library name)
  cmake_parse_arguments(A "TORCH;QT" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(${name} STATIC ${A_SOURCES})
  _disco_common(${name})
  target_link_libraries(${name} PUBLIC ${A_PUBLIC} PRIVATE ${A_PRIVATE})
  if(A_TORCH)
    _disco_torch(${name})
  endif()
  if(A_QT)
    _disco_qt(${name})
    target_precompile_headers(${name} PRIVATE <QtWidgets> <nlohmann/json.hpp>)
  endif()
endfunction()

# disco_program(name [TORCH] [QT] SOURCES … LIBS …)
function(disco_program name)
  cmake_parse_arguments(A "TORCH;QT" "" "SOURCES;LIBS" ${ARGN})
  add_executable(${name} ${A_SOURCES})
  _disco_common(${name})
  target_link_libraries(${name} PRIVATE ${A_LIBS})
  if(A_TORCH)
    target_compile_definitions(${name} PRIVATE ${DISCO_QT_DEFINITIONS})
    _disco_torch_executable(${name})
  endif()
  if(A_QT)
    _disco_qt(${name})
  endif()
  add_dependencies(${name} disco_resources)
  install(TARGETS ${name} RUNTIME)
endfunction()

# disco_test(name LABEL fast|slow|gui|gpu [TORCH] [WIDGETS] SOURCES … [LIBS …] [TIMEOUT s] [ENVIRONMENT k=v …])
#   A Qt Test program. Test files include their own .moc ("name.moc") at the end.
#   WIDGETS tests run on the offscreen platform.
function(disco_test name)
  cmake_parse_arguments(A "TORCH;WIDGETS" "LABEL;TIMEOUT" "SOURCES;LIBS;ENVIRONMENT" ${ARGN})
  if(NOT BUILD_TESTING)
    return()
  endif()
  add_executable(${name} ${A_SOURCES})
  _disco_common(${name})
  _disco_qt(${name})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  target_link_libraries(${name} PRIVATE ${A_LIBS} Qt6::Test)
  if(A_TORCH)
    _disco_torch_executable(${name})
  endif()
  if(A_WIDGETS)
    target_link_libraries(${name} PRIVATE Qt6::Widgets)
  endif()
  add_dependencies(${name} disco_resources)
  add_test(NAME ${name} COMMAND ${name})
  if(NOT A_TIMEOUT)
    set(A_TIMEOUT 300)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${A_LABEL}" TIMEOUT ${A_TIMEOUT}
    ENVIRONMENT "QT_QPA_PLATFORM=offscreen;LC_ALL=C.UTF-8;${A_ENVIRONMENT}"
    SKIP_REGULAR_EXPRESSION "Totals: 0 passed")
endfunction()
