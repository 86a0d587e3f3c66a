// The control of a trace: a kernel whose traffic and whose race are known beforehand.
#include "emulator/worker.h"

#include "model/control.h"

#include <cuda_runtime.h>

// Only in a traced program: what the compiler calls before an access.
extern "C" void __tsan_read4(void* address) __attribute__((weak));
extern "C" void __tsan_write4(void* address) __attribute__((weak));

namespace emulator {
namespace {

/// Each thread reads a value of its own, and all write the one after the last.
void work(float* values, std::uint32_t threads, std::uint32_t step) {
    if (__tsan_read4 == nullptr || __tsan_write4 == nullptr) return;
    __tsan_read4(values + static_cast<std::size_t>(threadIdx.x) * step);
    __tsan_write4(values + static_cast<std::size_t>(threads) * step);
}

} // namespace

void run_control(const model::Control& control) {
    reset_device();
    void* values = nullptr;
    const std::size_t bytes = (static_cast<std::size_t>(control.size) * control.step + 1) * sizeof(float);
    if (cudaMalloc(&values, bytes) != cudaSuccess || cudaMemset(values, 0, bytes) != cudaSuccess) return;
    cuda_emulator::Launch(model::control_kernel, dim3(1), dim3(control.size))
        .with([](auto probe) { return probe(work); }, work)(static_cast<float*>(values), control.size,
                                                            control.step);
    cudaDeviceSynchronize();
}

} // namespace emulator
