#include "kernels/runtime.h"

#include "emulator/worker.h"

#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <cstddef>

TEST_CASE("a rehearsed launch is checked and not made") {
    emulator::reset_device();
    int* number = nullptr;
    REQUIRE(cudaMalloc(&number, sizeof *number) == cudaSuccess);
    REQUIRE(cudaMemset(number, 0, sizeof *number) == cudaSuccess);
    const auto error_of = [](dim3 grid, dim3 block) {
        kernels::launch_nothing(grid, block, 0, nullptr);
        return cudaGetLastError();
    };
    emulator::rehearse(true);
    kernels::launch_append_digit(number, 7, nullptr);
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaMemsetAsync(number, 255, sizeof *number, nullptr) == cudaSuccess);
    CHECK(error_of(dim3(1u << 22, 1024), 1024) == cudaSuccess); // more threads than could be waited for
    CHECK(error_of(dim3(1, 65536), 1) == cudaErrorInvalidConfiguration);
    int* scratch = nullptr;
    CHECK(cudaMallocAsync(&scratch, std::size_t{1} << 31, nullptr) == cudaSuccess);
    CHECK(cudaFreeAsync(scratch, nullptr) == cudaSuccess);
    emulator::rehearse(false);
    int value = -1;
    CHECK(cudaMemcpy(&value, number, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(value == 0);
    kernels::launch_append_digit(number, 7, nullptr);
    CHECK(cudaMemcpy(&value, number, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(value == 7);
    emulator::reset_device();
}
