// SPDX-License-Identifier: GPL-3.0-or-later
// Stands in for NVIDIA's libcupti.so.13, as cudart.cpp does for libcudart: LibTorch's profiler wants these functions to
// load, and is told that none of them works here.
#include <cstdint>

namespace {
constexpr int kNotInitialized = 15;  // CUPTI_ERROR_NOT_INITIALIZED
}

extern "C" {
int cuptiGetVersion(std::uint32_t* version) {
  *version = 0;
  return kNotInitialized;
}
int cuptiGetResultString(int /*result*/, const char** text) {
  *text = "no CUDA device: this copy runs on the CPU";
  return 0;
}

#define DISCO_UNAVAILABLE(function) \
  int function() { return kNotInitialized; }
DISCO_UNAVAILABLE(cuptiActivityDisable)
DISCO_UNAVAILABLE(cuptiActivityEnable)
DISCO_UNAVAILABLE(cuptiActivityEnableCudaEventDeviceTimestamps)
DISCO_UNAVAILABLE(cuptiActivityEnableDriverApi)
DISCO_UNAVAILABLE(cuptiActivityEnableRuntimeApi)
DISCO_UNAVAILABLE(cuptiActivityFlushAll)
DISCO_UNAVAILABLE(cuptiActivityGetNextRecord)
DISCO_UNAVAILABLE(cuptiActivityGetNumDroppedRecords)
DISCO_UNAVAILABLE(cuptiActivityPopExternalCorrelationId)
DISCO_UNAVAILABLE(cuptiActivityPushExternalCorrelationId)
DISCO_UNAVAILABLE(cuptiActivityRegisterCallbacks)
DISCO_UNAVAILABLE(cuptiActivityRegisterTimestampCallback)
DISCO_UNAVAILABLE(cuptiActivitySetAttribute)
DISCO_UNAVAILABLE(cuptiEnableCallback)
DISCO_UNAVAILABLE(cuptiEnableDomain)
DISCO_UNAVAILABLE(cuptiFinalize)
DISCO_UNAVAILABLE(cuptiSubscribe)
DISCO_UNAVAILABLE(cuptiUnsubscribe)
#undef DISCO_UNAVAILABLE
}
