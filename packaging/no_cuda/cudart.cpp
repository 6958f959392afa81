// SPDX-License-Identifier: GPL-3.0-or-later
// Stands in for NVIDIA's libcudart.so.13 in an installed copy: the CPU half of LibTorch asks for these six functions to
// load, and NVIDIA's own library may not be bundled. Every answer is that there is no device.
namespace {
constexpr int kNoDevice = 100;  // cudaErrorNoDevice
}

extern "C" {
int cudaGetDeviceCount(int* count) {
  *count = 0;
  return kNoDevice;
}
int cudaDriverGetVersion(int* version) {
  *version = 0;
  return 0;
}
int cudaRuntimeGetVersion(int* version) {
  *version = 0;
  return 0;
}
int cudaGetDeviceProperties(void* /*properties*/, int /*device*/) { return kNoDevice; }
int cudaDeviceSynchronize() { return kNoDevice; }
const char* cudaGetErrorString(int /*error*/) { return "no CUDA device: this copy runs on the CPU"; }
}
