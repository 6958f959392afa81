# An imported target for the LibTorch inside the PyPI wheel.
#
# The wheel's own TorchConfig.cmake asks for a CUDA toolkit; its headers and libraries need none, so we name them
# ourselves.
set(TORCH_ROOT "${DISCO_SITE_PACKAGES}/torch")
if(NOT EXISTS "${TORCH_ROOT}/lib/libtorch_cpu.so")
  message(FATAL_ERROR "No LibTorch in ${TORCH_ROOT}. Remove ${DISCO_PYTHON_PREFIX} and run packaging/setup.sh again.")
endif()
find_path(GLOO_INCLUDE gloo/config.h REQUIRED)

# libtorch_cpu alone: libtorch_cuda is loaded at run time where there is a GPU (a start of 0.2 s instead of 0.5 s).
add_library(LibTorch::cpu INTERFACE IMPORTED)
target_include_directories(LibTorch::cpu SYSTEM INTERFACE
  "${TORCH_ROOT}/include" "${TORCH_ROOT}/include/torch/csrc/api/include" "${GLOO_INCLUDE}")
target_compile_definitions(LibTorch::cpu INTERFACE _GLIBCXX_USE_CXX11_ABI=1 USE_C10D_GLOO USE_DISTRIBUTED)
# LibTorch's headers name themselves in messages and in debug information: never by where this machine caches them.
target_compile_options(LibTorch::cpu INTERFACE "-ffile-prefix-map=${DISCO_SITE_PACKAGES}=site-packages")
target_link_directories(LibTorch::cpu INTERFACE "${TORCH_ROOT}/lib")
target_link_libraries(LibTorch::cpu INTERFACE "${TORCH_ROOT}/lib/libtorch_cpu.so" "${TORCH_ROOT}/lib/libc10.so")
