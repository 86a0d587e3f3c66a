#include "kernels/runtime.h"

#include "emulator/worker.h"

#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <cstring>
#include <numeric>
#include <vector>

/// The runtime's calls: limits, errors and how they stick, exact bounds, streams and events.
namespace {

struct Fresh {
    Fresh() { emulator::reset_device(); }
    ~Fresh() { emulator::reset_device(); }
};

int* device_ints(int count) {
    int* memory = nullptr;
    REQUIRE(cudaMalloc(&memory, count * sizeof(int)) == cudaSuccess);
    return memory;
}

cudaError_t launch_error(dim3 grid, dim3 block, std::size_t shared = 0) {
    kernels::launch_nothing(grid, block, shared, nullptr);
    return cudaGetLastError();
}

} // namespace

TEST_CASE_FIXTURE(Fresh, "launches inside the limits run") {
    CHECK(launch_error(1, 1) == cudaSuccess);
    CHECK(launch_error(dim3(2, 65535, 1), 1) == cudaSuccess);
    CHECK(launch_error(1, dim3(16, 1, 64)) == cudaSuccess);
    CHECK(launch_error(1, 1024, 48 * 1024) == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE_FIXTURE(Fresh, "launches outside the limits are refused and run nothing") {
    CHECK(launch_error(0, 1) == cudaErrorInvalidConfiguration);
    CHECK(launch_error(1, 0) == cudaErrorInvalidConfiguration);
    CHECK(launch_error(1, 1025) == cudaErrorInvalidConfiguration);
    CHECK(launch_error(1, dim3(32, 33)) == cudaErrorInvalidConfiguration);
    CHECK(launch_error(1, dim3(1, 1, 65)) == cudaErrorInvalidConfiguration);
    CHECK(launch_error(dim3(1, 65536), 1) == cudaErrorInvalidConfiguration);
    CHECK(launch_error(dim3(1, 1, 65536), 1) == cudaErrorInvalidConfiguration);
    CHECK(launch_error(dim3(0x80000000u), 1) == cudaErrorInvalidConfiguration);
    CHECK(launch_error(1, 1, 48 * 1024 + 1) == cudaErrorInvalidValue);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE_FIXTURE(Fresh, "an error of a call is told once") {
    CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
    CHECK(cudaPeekAtLastError() == cudaErrorInvalidDevice);
    CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
    CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE_FIXTURE(Fresh, "a failing kernel is noticed by the call that waits and sticks") {
    int* memory = device_ints(4);
    kernels::launch_failing();
    CHECK(cudaGetLastError() == cudaSuccess); // the kernel has not been waited for
    CHECK(cudaDeviceSynchronize() == cudaErrorAssert);
    CHECK(cudaGetLastError() == cudaErrorAssert);
    CHECK(cudaGetLastError() == cudaErrorAssert);
    int value = 0;
    CHECK(cudaMemcpy(&value, memory, 4, cudaMemcpyDeviceToHost) == cudaErrorAssert);
    CHECK(cudaMalloc(&memory, 4) == cudaErrorAssert);
    CHECK(cudaDeviceReset() == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE_FIXTURE(Fresh, "copies and fills stay inside one allocation to the byte") {
    int* memory = device_ints(10);
    std::vector<int> host(20);
    char* bytes = reinterpret_cast<char*>(memory);
    CHECK(cudaMemcpy(memory, host.data(), 40, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaMemcpy(memory, host.data(), 41, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(bytes + 39, host.data(), 1, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaMemcpy(bytes + 39, host.data(), 2, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK(cudaMemset(memory, 0, 40) == cudaSuccess);
    CHECK(cudaMemset(memory, 0, 41) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(host.data(), memory, 44, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(memory, nullptr, 4, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(host.data(), memory, 0, cudaMemcpyDeviceToHost) == cudaSuccess);
}

TEST_CASE_FIXTURE(Fresh, "the kind of a copy must fit its pointers") {
    int* memory = device_ints(4);
    int host[4] = {1, 2, 3, 4}, back[4] = {};
    CHECK(cudaMemcpy(host, memory, 16, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(memory, memory, 16, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(memory, host, 16, cudaMemcpyDefault) == cudaSuccess);
    CHECK(cudaMemcpy(back, memory, 16, cudaMemcpyDefault) == cudaSuccess);
    CHECK(std::memcmp(host, back, sizeof host) == 0);
    CHECK(cudaMemcpy(back, memory, 16, static_cast<cudaMemcpyKind>(7)) == cudaErrorInvalidMemcpyDirection);
}

TEST_CASE_FIXTURE(Fresh, "memory is freed once, by the call that fits") {
    int* memory = device_ints(4);
    CHECK(cudaFree(memory) == cudaSuccess);
    CHECK(cudaFree(memory) == cudaErrorInvalidValue);
    int local = 0;
    CHECK(cudaFree(&local) == cudaErrorInvalidValue);
    CHECK(cudaFree(nullptr) == cudaSuccess);
    int* pinned = nullptr;
    CHECK(cudaMallocHost(&pinned, 16) == cudaSuccess);
    CHECK(cudaFree(pinned) == cudaErrorInvalidValue);
    CHECK(cudaFreeHost(pinned) == cudaSuccess);
    const auto trace = emulator::take_trace();
    REQUIRE_FALSE(trace.findings.empty());
    CHECK(trace.findings[0].kind == emulator::FindingKind::invalid_free);
}

TEST_CASE_FIXTURE(Fresh, "memory ends where it is used up") {
    void* memory = nullptr;
    CHECK(cudaMalloc(&memory, std::size_t{1} << 40) == cudaErrorMemoryAllocation);
    CHECK(memory == nullptr);
    CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
    CHECK(cudaMalloc(&memory, 0) == cudaSuccess);
    CHECK(memory == nullptr);
    std::size_t free = 0, total = 0;
    device_ints(256);
    CHECK(cudaMemGetInfo(&free, &total) == cudaSuccess);
    CHECK(total - free == 1024);
}

TEST_CASE_FIXTURE(Fresh, "fresh memory and shared memory hold NaN") {
    CHECK(kernels::fresh_values_are_nan());
}

TEST_CASE_FIXTURE(Fresh, "a stream runs in order") {
    cudaStream_t stream;
    REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
    int* memory = device_ints(1);
    cudaMemsetAsync(memory, 0, 4, stream);
    for (int i = 1; i <= 5; ++i)
        kernels::launch_append_digit(memory, i, stream);
    int value = 0;
    CHECK(cudaMemcpyAsync(&value, memory, 4, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
    CHECK(value == 12345);
    CHECK(cudaStreamDestroy(stream) == cudaSuccess);
    CHECK(cudaStreamSynchronize(stream) == cudaErrorInvalidResourceHandle);
}

TEST_CASE_FIXTURE(Fresh, "a copy to pinned memory arrives when the stream is waited for, not before") {
    cudaStream_t stream;
    REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
    int* pinned = nullptr;
    REQUIRE(cudaMallocHost(&pinned, 4) == cudaSuccess);
    *pinned = -1;
    int* memory = device_ints(1);
    cudaMemsetAsync(memory, 0, 4, stream);
    kernels::launch_append_digit(memory, 7, stream);
    cudaMemcpyAsync(pinned, memory, 4, cudaMemcpyDeviceToHost, stream);
    CHECK(*pinned == -1);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
    CHECK(*pinned == 7);
}

TEST_CASE_FIXTURE(Fresh, "the default stream waits for blocking streams and not for others") {
    for (const bool blocking : {true, false}) {
        cudaStream_t stream;
        REQUIRE(cudaStreamCreateWithFlags(&stream, blocking ? cudaStreamDefault : cudaStreamNonBlocking) ==
                cudaSuccess);
        int* memory = device_ints(1);
        cudaMemset(memory, 0, 4);
        cudaDeviceSynchronize();
        kernels::launch_append_digit(memory, 3, stream);
        int value = -1;
        cudaMemcpy(&value, memory, 4, cudaMemcpyDeviceToHost); // on the default stream
        CHECK(value == (blocking ? 3 : 0));
        cudaDeviceSynchronize();
        cudaMemcpy(&value, memory, 4, cudaMemcpyDeviceToHost);
        CHECK(value == 3);
    }
}

TEST_CASE_FIXTURE(Fresh, "work on the default stream is not done by waiting for an independent stream") {
    cudaStream_t stream;
    REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
    int* memory = device_ints(1);
    cudaMemset(memory, 0, 4);
    cudaDeviceSynchronize();
    kernels::launch_append_digit(memory, 3, nullptr);
    int value = -1;
    cudaMemcpyAsync(&value, memory, 4, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    CHECK(value == 0);
    CHECK(emulator::take_trace().counters.default_stream_work == 2); // the fill and the launch
}

TEST_CASE_FIXTURE(Fresh, "an event carries order from stream to stream") {
    cudaStream_t first, second;
    cudaEvent_t event;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    int* memory = device_ints(1);
    cudaMemsetAsync(memory, 0, 4, first);
    kernels::launch_append_digit(memory, 1, first);
    CHECK(cudaEventRecord(event, first) == cudaSuccess);
    kernels::launch_append_digit(memory, 9, first); // behind the event: second does not wait for it
    CHECK(cudaStreamWaitEvent(second, event) == cudaSuccess);
    kernels::launch_append_digit(memory, 2, second);
    cudaStreamSynchronize(second);
    int value = 0;
    cudaMemcpyAsync(&value, memory, 4, cudaMemcpyDeviceToHost, second);
    CHECK(value == 12);
    cudaDeviceSynchronize();
    cudaMemcpy(&value, memory, 4, cudaMemcpyDeviceToHost);
    CHECK(value == 129);
}

TEST_CASE_FIXTURE(Fresh, "time passes between events, once both are complete") {
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    float milliseconds = -1;
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop) == cudaErrorInvalidResourceHandle);
    cudaEventRecord(start);
    kernels::launch_nothing(100, 32, 0, nullptr);
    cudaEventRecord(stop);
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop) == cudaErrorNotReady);
    CHECK(cudaEventSynchronize(stop) == cudaSuccess);
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop) == cudaSuccess);
    CHECK(milliseconds >= 0);
}

TEST_CASE_FIXTURE(Fresh, "host functions run in their place on the stream") {
    static int seen;
    seen = 0;
    int* managed = nullptr;
    REQUIRE(cudaMallocManaged(&managed, 4) == cudaSuccess);
    *managed = 0;
    kernels::launch_append_digit(managed, 4, nullptr);
    cudaLaunchHostFunc(
        nullptr, [](void* data) { seen = *static_cast<int*>(data); }, managed);
    CHECK(seen == 4); // it runs at once, since the host may wait for it without the runtime
    kernels::launch_append_digit(managed, 5, nullptr);
    CHECK(*managed == 4);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(seen == 4);
    CHECK(*managed == 45);
}

TEST_CASE_FIXTURE(Fresh, "rows are copied with their pitches") {
    char* memory = nullptr;
    std::size_t pitch = 0;
    REQUIRE(cudaMallocPitch(&memory, &pitch, 3, 2) == cudaSuccess);
    const char host[] = "abc-def-";
    char back[9] = "........";
    CHECK(cudaMemcpy2D(memory, pitch, host, 4, 3, 2, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaMemcpy2D(back, 4, memory, pitch, 3, 2, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(std::string(back) == "abc.def.");
    CHECK(cudaMemcpy2D(back, 2, memory, pitch, 3, 2, cudaMemcpyDeviceToHost) == cudaErrorInvalidPitchValue);
    // One row has no next, and yet a pitch that a device has.
    const std::size_t most = 0x7fffffff;
    CHECK(cudaMemcpy2D(back, most, memory, most, 3, 1, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(cudaMemcpy2D(back, 4, memory, most + 1, 3, 1, cudaMemcpyDeviceToHost) ==
          cudaErrorInvalidPitchValue);
}

TEST_CASE_FIXTURE(Fresh, "the counters tell what was asked for") {
    emulator::take_trace();
    int* memory = device_ints(1);
    cudaMemset(memory, 0, 4);
    kernels::launch_append_digit(memory, 1, nullptr);
    cudaDeviceSynchronize();
    cudaFree(memory);
    CHECK(emulator::take_trace().counters == emulator::Counters{1, 1, 1, 1, 2});
}

TEST_CASE_FIXTURE(Fresh, "the device has the limits of a real one and says what it is") {
    cudaDeviceProp p;
    REQUIRE(cudaGetDeviceProperties(&p, 0) == cudaSuccess);
    CHECK(std::string(p.name).find("emulator") != std::string::npos);
    CHECK(p.maxThreadsPerBlock == 1024);
    CHECK(p.sharedMemPerBlock == 49152);
    CHECK(p.maxGridSize[1] == 65535);
    int value = 0;
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrConcurrentManagedAccess, 0) == cudaSuccess);
    CHECK(value == 1);
    CHECK(p.concurrentManagedAccess == 1);
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrPageableMemoryAccess, 0) == cudaSuccess);
    CHECK(value == 0); // a kernel that reads ordinary host memory is refused
    CHECK(p.pageableMemoryAccess == 0);
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0) == cudaSuccess);
    CHECK(value == 32);
    CHECK(std::string(cudaGetErrorName(cudaErrorIllegalAddress)) == "cudaErrorIllegalAddress");
    CHECK(std::string(cudaGetErrorString(cudaErrorIllegalAddress)) ==
          "an illegal memory access was encountered");
}
