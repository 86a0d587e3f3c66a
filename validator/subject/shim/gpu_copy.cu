// Times copies within a GPU's memory, with no line of a learner's in the process: what a submission's calls
// are compared with. Prints "copy BYTES MICROSECONDS" for each size, bytes read and written together, or
// "error …".
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

namespace {

constexpr int warm_up = 3;
constexpr int measured = 15;

bool refused(cudaError_t error) {
    if (error == cudaSuccess) return false;
    std::printf("error %s %s\n", cudaGetErrorName(error), cudaGetErrorString(error));
    return true;
}

/// The median of what the host's clock says, as of a submission's call: from the start to the end of the
/// work.
bool time_copy(char* from, char* to, std::size_t bytes, void* cache, std::size_t cache_bytes,
               cudaStream_t stream) {
    std::vector<double> times;
    for (int round = 0; round < warm_up + measured; ++round) {
        if (refused(cudaMemset(cache, round, cache_bytes)) || refused(cudaDeviceSynchronize())) return false;
        const auto start = std::chrono::steady_clock::now();
        if (refused(cudaMemcpyAsync(to, from, bytes / 2, cudaMemcpyDeviceToDevice, stream)) ||
            refused(cudaStreamSynchronize(stream)))
            return false;
        const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
        if (round >= warm_up) times.push_back(time.count());
    }
    std::nth_element(times.begin(), times.begin() + measured / 2, times.end());
    std::printf("copy %zu %.3f\n", bytes, times[measured / 2]);
    return true;
}

} // namespace

int main() {
    int cache_bytes = 0;
    std::size_t free_bytes = 0, all_bytes = 0;
    cudaStream_t stream = nullptr;
    if (refused(cudaDeviceGetAttribute(&cache_bytes, cudaDevAttrL2CacheSize, 0)) ||
        refused(cudaMemGetInfo(&free_bytes, &all_bytes)) ||
        refused(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)))
        return 1;
    constexpr std::size_t most = std::size_t{1} << 30, least = std::size_t{1} << 16;
    std::size_t largest = least;
    while (largest < most && 4 * largest <= free_bytes / 2)
        largest *= 4;
    char *from = nullptr, *to = nullptr;
    void* cache = nullptr;
    const std::size_t flushed = 2 * static_cast<std::size_t>(cache_bytes);
    if (refused(cudaMalloc(&from, largest / 2)) || refused(cudaMalloc(&to, largest / 2)) ||
        refused(cudaMalloc(&cache, flushed)) || refused(cudaMemset(from, 1, largest / 2)))
        return 1;
    for (std::size_t bytes = least; bytes <= largest; bytes *= 4)
        if (!time_copy(from, to, bytes, cache, flushed, stream)) return 1;
    return 0;
}
