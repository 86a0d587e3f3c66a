#pragma once

/// The errors a single-GPU program can meet, with the values and names of the CUDA runtime:
/// row(enumerator, value, description).
#define CUDA_EMULATOR_ERRORS(row)                                                                            \
    row(cudaSuccess, 0, "no error") row(cudaErrorInvalidValue, 1, "invalid argument") row(                   \
        cudaErrorMemoryAllocation, 2, "out of memory") row(cudaErrorInitializationError, 3,                  \
                                                           "initialization error")                           \
        row(cudaErrorInvalidConfiguration, 9,                                                                \
            "invalid configuration argument") row(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")  \
            row(cudaErrorInvalidSymbol, 13, "invalid device symbol") row(cudaErrorInvalidDevicePointer, 17,  \
                                                                         "invalid device pointer")           \
                row(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy") row(           \
                    cudaErrorInsufficientDriver, 35,                                                         \
                    "CUDA driver version is insufficient for CUDA runtime version")                          \
                    row(cudaErrorInvalidDeviceFunction, 98, "invalid device function") row(                  \
                        cudaErrorNoDevice, 100,                                                              \
                        "no CUDA-capable device is detected") row(cudaErrorInvalidDevice, 101,               \
                                                                  "invalid device ordinal")                  \
                        row(cudaErrorInvalidResourceHandle, 400, "invalid resource handle") row(             \
                            cudaErrorHostMemoryAlreadyRegistered, 712,                                       \
                            "part or all of the requested memory range is already mapped")                   \
                            row(cudaErrorNotReady, 600, "device not ready") row(                             \
                                cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")    \
                                row(cudaErrorLaunchOutOfResources, 701,                                      \
                                    "too many resources requested for launch")                               \
                                    row(cudaErrorLaunchTimeout, 702,                                         \
                                        "the launch timed out and was terminated")                           \
                                        row(cudaErrorAssert, 710, "device-side assert triggered") row(       \
                                            cudaErrorHardwareStackError, 714, "hardware stack error")        \
                                            row(cudaErrorIllegalInstruction, 715,                            \
                                                "an illegal instruction was encountered")                    \
                                                row(cudaErrorMisalignedAddress, 716,                         \
                                                    "misaligned address") row(cudaErrorLaunchFailure, 719,   \
                                                                              "unspecified launch failure")  \
                                                    row(cudaErrorCooperativeLaunchTooLarge, 720,             \
                                                        "too many blocks in cooperative launch")             \
                                                        row(cudaErrorNotPermitted, 800,                      \
                                                            "operation not permitted")                       \
                                                            row(cudaErrorNotSupported, 801,                  \
                                                                "operation not supported")                   \
                                                                row(cudaErrorUnknown, 999, "unknown error")

#define CUDA_EMULATOR_ENUMERATOR(name, value, text) name = value,
enum cudaError { CUDA_EMULATOR_ERRORS(CUDA_EMULATOR_ENUMERATOR) };
#undef CUDA_EMULATOR_ENUMERATOR
using cudaError_t = cudaError;

const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
