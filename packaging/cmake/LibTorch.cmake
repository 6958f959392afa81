# An imported target for the LibTorch inside the PyPI wheel.
#
# The wheel's own TorchConfig.cmake asks for a CUDA toolkit; its headers and libraries need none, so we name them
# ourselves. DISCO_PYTHON is the interpreter of the cached environment that packaging/setup.sh filled.
if(NOT DISCO_PYTHON)
  execute_process(COMMAND "${CMAKE_SOURCE_DIR}/packaging/setup.sh" --print-python
                  OUTPUT_VARIABLE DISCO_PYTHON_FOUND OUTPUT_STRIP_TRAILING_WHITESPACE
                  RESULT_VARIABLE DISCO_PYTHON_RESULT)
  if(NOT DISCO_PYTHON_RESULT EQUAL 0 OR NOT EXISTS "${DISCO_PYTHON_FOUND}")
    message(FATAL_ERROR "LibTorch is not installed. Run packaging/setup.sh first.")
  endif()
  set(DISCO_PYTHON "${DISCO_PYTHON_FOUND}" CACHE FILEPATH "Python of the cached environment that holds LibTorch")
endif()

get_filename_component(DISCO_PYTHON_PREFIX "${DISCO_PYTHON}" DIRECTORY)
get_filename_component(DISCO_PYTHON_PREFIX "${DISCO_PYTHON_PREFIX}" DIRECTORY)
file(GLOB DISCO_SITE_PACKAGES LIST_DIRECTORIES true "${DISCO_PYTHON_PREFIX}/lib/python3*/site-packages")
list(GET DISCO_SITE_PACKAGES 0 DISCO_SITE_PACKAGES)
set(TORCH_ROOT "${DISCO_SITE_PACKAGES}/torch")
if(NOT EXISTS "${TORCH_ROOT}/lib/libtorch_cpu.so")
  message(FATAL_ERROR "No LibTorch in ${TORCH_ROOT}. Run packaging/setup.sh again.")
endif()
find_path(GLOO_INCLUDE gloo/config.h REQUIRED)

# libtorch_cpu alone: libtorch_cuda is loaded at run time where there is a GPU (a start of 0.2 s instead of 0.5 s).
add_library(LibTorch::cpu INTERFACE IMPORTED)
target_include_directories(LibTorch::cpu SYSTEM INTERFACE
  "${TORCH_ROOT}/include" "${TORCH_ROOT}/include/torch/csrc/api/include" "${GLOO_INCLUDE}")
target_compile_definitions(LibTorch::cpu INTERFACE _GLIBCXX_USE_CXX11_ABI=1 USE_C10D_GLOO USE_DISTRIBUTED)
target_link_directories(LibTorch::cpu INTERFACE "${TORCH_ROOT}/lib")
target_link_libraries(LibTorch::cpu INTERFACE "${TORCH_ROOT}/lib/libtorch_cpu.so" "${TORCH_ROOT}/lib/libc10.so")
file(GLOB LIBTORCH_GOMP "${TORCH_ROOT}/lib/libgomp*.so*" "${DISCO_SITE_PACKAGES}/torch.libs/libgomp*.so*")
