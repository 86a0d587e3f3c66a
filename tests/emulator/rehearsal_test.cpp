#include "kernels/runtime.h"

#include "emulator/worker.h"

#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <cstddef>

TEST_CASE("rehearsed work on another stream has to be waited for") {
    for (const bool joined : {false, true}) {
        CAPTURE(joined);
        emulator::reset_device();
        emulator::take_trace();
        cudaStream_t given = nullptr, other = nullptr;
        cudaEvent_t done = nullptr;
        REQUIRE(cudaStreamCreateWithFlags(&given, cudaStreamNonBlocking) == cudaSuccess);
        REQUIRE(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking) == cudaSuccess);
        REQUIRE(cudaEventCreate(&done) == cudaSuccess);
        emulator::call_begins(given);
        emulator::rehearse(true);
        kernels::launch_append_digit(nullptr, 7, given);
        if (!joined) CHECK(cudaEventRecord(done, other) == cudaSuccess); // too early
        kernels::launch_append_digit(nullptr, 7, other);
        if (joined) CHECK(cudaEventRecord(done, other) == cudaSuccess);
        CHECK(cudaStreamWaitEvent(given, done, 0) == cudaSuccess);
        emulator::rehearse(false);
        emulator::call_ends();
        const emulator::Trace trace = emulator::take_trace();
        REQUIRE(trace.findings.size() == (joined ? 0 : 1));
        if (!joined) CHECK(trace.findings[0].kind == emulator::FindingKind::race_between_streams);
    }
    emulator::reset_device();
}

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
