#include "kernels/streams.h"

#include "kernels/device_vector.h"

namespace streams {

namespace {

constexpr int n = 256;

__global__ void produce(float* out) {
    out[threadIdx.x] = 1.0f; // line: produced
}
__global__ void consume(float* out, const float* in) {
    out[threadIdx.x] = in[threadIdx.x]; // line: consumed
}
__global__ void count(int* counter) {
    atomicAdd(counter, 1);
}

/// Two streams that the default stream does not order, and an event.
struct Two {
    cudaStream_t first = nullptr, second = nullptr;
    cudaEvent_t event = nullptr;
    DeviceVector<float> a{std::vector<float>(n)}, b{std::vector<float>(n)};

    Two() {
        check(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
        check(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
        check(cudaEventCreate(&event));
    }
    Two(const Two&) = delete;
    Two& operator=(const Two&) = delete;
    ~Two() {
        cudaEventDestroy(event);
        cudaStreamDestroy(first);
        if (second != nullptr) cudaStreamDestroy(second);
    }
    void order(cudaStream_t before, cudaStream_t after) const {
        check(cudaEventRecord(event, before));
        check(cudaStreamWaitEvent(after, event));
    }
};

int waited() {
    return cudaDeviceSynchronize();
}

} // namespace

int no_fork() {
    const Two t;
    produce<<<1, n, 0, t.first>>>(t.a.data());
    consume<<<1, n, 0, t.second>>>(t.b.data(), t.a.data());
    check(cudaStreamSynchronize(t.first));
    return waited();
}

int no_fork_other_order() {
    const Two t;
    produce<<<1, n, 0, t.first>>>(t.a.data());
    consume<<<1, n, 0, t.second>>>(t.b.data(), t.a.data());
    check(cudaStreamSynchronize(t.second));
    return waited();
}

int no_join() {
    const Two t;
    produce<<<1, n, 0, t.first>>>(t.b.data());
    t.order(t.first, t.second);
    produce<<<1, n, 0, t.second>>>(t.a.data());
    consume<<<1, n, 0, t.first>>>(t.b.data(), t.a.data());
    return waited();
}

int event_before_the_work() {
    const Two t;
    t.order(t.first, t.second);
    produce<<<1, n, 0, t.first>>>(t.a.data());
    consume<<<1, n, 0, t.second>>>(t.b.data(), t.a.data());
    return waited();
}

int destroyed_too_early() {
    Two t;
    produce<<<1, n, 0, t.second>>>(t.a.data());
    check(cudaStreamDestroy(t.second));
    t.second = nullptr;
    consume<<<1, n, 0, t.first>>>(t.b.data(), t.a.data());
    return waited();
}

/// The new stream is numbered as the first one was, which the host has waited for.
int made_after_another_stream() {
    Two t;
    produce<<<1, n, 0, t.second>>>(t.b.data());
    check(cudaStreamSynchronize(t.second));
    check(cudaStreamDestroy(t.second));
    check(cudaStreamCreateWithFlags(&t.second, cudaStreamNonBlocking));
    produce<<<1, n, 0, t.second>>>(t.a.data());
    consume<<<1, n, 0, t.first>>>(t.b.data(), t.a.data());
    return waited();
}

/// Nobody has waited for the first stream, so its work is not known to be done before that of the new one.
int made_after_one_destroyed_too_early() {
    Two t;
    produce<<<1, n, 0, t.second>>>(t.a.data());
    check(cudaStreamDestroy(t.second));
    check(cudaStreamCreateWithFlags(&t.second, cudaStreamNonBlocking));
    consume<<<1, n, 0, t.second>>>(t.b.data(), t.a.data());
    return waited();
}

int freed_too_early() {
    const Two t;
    float* scratch = nullptr;
    check(cudaMallocAsync(&scratch, n * sizeof(float), t.first));
    t.order(t.first, t.second);
    produce<<<1, n, 0, t.first>>>(scratch);
    check(cudaFreeAsync(scratch, t.second));
    check(cudaStreamSynchronize(t.first));
    return waited();
}

int allocated_elsewhere() {
    const Two t;
    float* scratch = nullptr;
    check(cudaMallocAsync(&scratch, n * sizeof(float), t.first));
    produce<<<1, n, 0, t.second>>>(scratch);
    const int error = waited();
    check(cudaFree(scratch));
    return error;
}

int host_reads_too_early() {
    const Two t;
    float* pinned = nullptr;
    check(cudaMallocHost(&pinned, n * sizeof(float)));
    produce<<<1, n, 0, t.first>>>(t.a.data());
    check(cudaMemcpyAsync(pinned, t.a.data(), n * sizeof(float), cudaMemcpyDeviceToHost, t.first));
    volatile float seen = pinned[3]; // line: host read
    static_cast<void>(seen);
    const int error = waited();
    check(cudaFreeHost(pinned));
    return error;
}

int host_writes_too_early() {
    const Two t;
    float* pinned = nullptr;
    check(cudaMallocHost(&pinned, n * sizeof(float)));
    for (int i = 0; i < n; ++i)
        pinned[i] = 1.0f;
    check(cudaMemcpyAsync(t.a.data(), pinned, n * sizeof(float), cudaMemcpyHostToDevice, t.first));
    pinned[n - 1] = 2.0f; // line: host write
    const int error = waited();
    check(cudaFreeHost(pinned));
    return error;
}

int two_writers() {
    const Two t;
    produce<<<1, n, 0, t.first>>>(t.a.data());
    produce<<<1, n, 0, t.second>>>(t.a.data());
    return waited();
}

int copy_without_fork() {
    const Two t;
    produce<<<1, n, 0, t.first>>>(t.a.data());
    check(cudaMemcpyAsync(t.b.data(), t.a.data(), 4, cudaMemcpyDeviceToDevice, t.second)); // line: copy
    return waited();
}

int fork_and_join() {
    const Two t;
    produce<<<1, n, 0, t.first>>>(t.a.data());
    t.order(t.first, t.second);
    consume<<<1, n, 0, t.second>>>(t.b.data(), t.a.data());
    t.order(t.second, t.first);
    consume<<<1, n, 0, t.first>>>(t.a.data(), t.b.data());
    return waited();
}

int fork_by_the_host() {
    const Two t;
    produce<<<1, n, 0, t.first>>>(t.a.data());
    check(cudaEventRecord(t.event, t.first));
    check(cudaEventSynchronize(t.event));
    consume<<<1, n, 0, t.second>>>(t.b.data(), t.a.data());
    check(cudaStreamSynchronize(t.second));
    consume<<<1, n, 0, t.first>>>(t.a.data(), t.b.data());
    return waited();
}

int default_stream() {
    const DeviceVector<float> a{std::vector<float>(n)}, b{std::vector<float>(n)};
    cudaStream_t blocking = nullptr;
    check(cudaStreamCreate(&blocking));
    produce<<<1, n, 0, blocking>>>(a.data());
    consume<<<1, n>>>(b.data(), a.data());
    consume<<<1, n, 0, blocking>>>(a.data(), b.data());
    check(cudaStreamDestroy(blocking));
    consume<<<1, n>>>(b.data(), a.data());
    return waited();
}

int halves() {
    const Two t;
    produce<<<1, n / 2, 0, t.first>>>(t.a.data());
    produce<<<1, n / 2, 0, t.second>>>(t.a.data() + n / 2);
    return waited();
}

int readers() {
    const DeviceVector<float> in{std::vector<float>(n)};
    const Two t;
    consume<<<1, n, 0, t.first>>>(t.a.data(), in.data());
    consume<<<1, n, 0, t.second>>>(t.b.data(), in.data());
    return waited();
}

int atomics() {
    const Two t;
    auto* counter = reinterpret_cast<int*>(t.a.data());
    count<<<1, n, 0, t.first>>>(counter);
    count<<<1, n, 0, t.second>>>(counter);
    return waited();
}

int host_waits() {
    const Two t;
    float* pinned = nullptr;
    check(cudaMallocHost(&pinned, n * sizeof(float)));
    produce<<<1, n, 0, t.first>>>(t.a.data());
    check(cudaMemcpyAsync(pinned, t.a.data(), n * sizeof(float), cudaMemcpyDeviceToHost, t.first));
    produce<<<1, n, 0, t.second>>>(t.b.data());
    check(cudaStreamSynchronize(t.first));
    float sum = 0.0f;
    for (int i = 0; i < n; ++i)
        sum += pinned[i];
    pinned[0] = sum;
    check(cudaMemcpyAsync(t.a.data(), pinned, n * sizeof(float), cudaMemcpyHostToDevice, t.first));
    const int error = waited();
    check(cudaFreeHost(pinned));
    return error;
}

int destroyed_after_join() {
    Two t;
    produce<<<1, n, 0, t.second>>>(t.a.data());
    t.order(t.second, t.first);
    check(cudaStreamDestroy(t.second));
    t.second = nullptr;
    consume<<<1, n, 0, t.first>>>(t.b.data(), t.a.data());
    return waited();
}

int freed_in_order() {
    const Two t;
    float* scratch = nullptr;
    check(cudaMallocAsync(&scratch, n * sizeof(float), t.first));
    produce<<<1, n, 0, t.first>>>(scratch);
    t.order(t.first, t.second);
    consume<<<1, n, 0, t.second>>>(t.b.data(), scratch);
    check(cudaFreeAsync(scratch, t.second));
    // The same bytes may be given out again.
    check(cudaMallocAsync(&scratch, n * sizeof(float), t.first));
    produce<<<1, n, 0, t.first>>>(scratch);
    check(cudaFreeAsync(scratch, t.first));
    return waited();
}

int chain_of_three() {
    const Two t;
    cudaStream_t third = nullptr;
    check(cudaStreamCreateWithFlags(&third, cudaStreamNonBlocking));
    produce<<<1, n, 0, t.first>>>(t.a.data());
    t.order(t.first, t.second);
    produce<<<1, n, 0, t.second>>>(t.b.data());
    t.order(t.second, third);
    consume<<<1, n, 0, third>>>(t.b.data(), t.a.data());
    check(cudaStreamDestroy(third));
    return waited();
}

} // namespace streams
