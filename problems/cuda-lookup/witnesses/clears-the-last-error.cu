// Fault: Calls cudaGetLastError() after the launch, which clears an error that the caller has not seen.
// Origin: round 13
#include "contract.h"

namespace exercise {
namespace {

template <unsigned TEAM>
__global__ void teams(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out) {
    const unsigned member = threadIdx.x % TEAM;
    const std::size_t of_block = blockDim.x / TEAM;
    std::size_t i = blockIdx.x * of_block + threadIdx.x / TEAM;
    const std::size_t step = gridDim.x * of_block;
    const std::size_t n = ids.size();
    for (; i < n; i += step) {
        const std::int64_t id = ids[i];
        int* to = reinterpret_cast<int*>(out.data) + i * out.stride;
        if (id < 0 || static_cast<std::uint64_t>(id) >= table.rows) {
            for (std::size_t c = member; c < out.cols; c += TEAM) to[c] = 0x7fc00000;
            continue;
        }
        const int* from = reinterpret_cast<const int*>(table.data) + static_cast<std::size_t>(id) * table.stride;
        for (std::size_t c = member; c < out.cols; c += TEAM) to[c] = from[c];
    }
}

template <unsigned TEAM>
void start(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
           cudaStream_t stream) {
    if constexpr (TEAM < 32) {
        if (out.cols > TEAM) return start<TEAM * 2>(table, ids, out, stream);
    }
    constexpr std::size_t rows_of_block = 256 / TEAM;
    const std::size_t blocks = ids.size() / rows_of_block + (ids.size() % rows_of_block != 0);
    teams<TEAM><<<static_cast<unsigned>(blocks < 100000 ? blocks : 100000), 256, 0, stream>>>(table, ids, out);
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (!ids.empty() && out.cols != 0) {
        start<1>(table, ids, out, stream);
        const cudaError_t error = cudaGetLastError(); // a launch reports its errors here
        (void)error;                                  // Status has no code for it
    }
    return Status{};
}

} // namespace exercise
