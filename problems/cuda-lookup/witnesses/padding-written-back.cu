// Fault: The last float4 of an aligned row writes the padding after it with its old contents.
// Origin: round 14
#include "contract.h"

namespace exercise {

namespace {

__device__ __forceinline__ float bad_row() {
    return __int_as_float(0x7fc00000);
}

/// One thread an element, elements counted over the whole output.
__global__ void copy_elements(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids,
                              DeviceMatrix<float> out) {
    const std::size_t total = ids.size() * table.cols;
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t e = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; e < total; e += step) {
        const std::size_t r = e / table.cols;
        const std::size_t c = e - r * table.cols;
        const TokenId id = ids[r];
        const bool known = id >= 0 && static_cast<std::size_t>(id) < table.rows;
        out(r, c) = known ? table(static_cast<std::size_t>(id), c) : bad_row();
    }
}

__device__ __forceinline__ bool sixteen(const void* p) {
    return reinterpret_cast<std::uintptr_t>(p) % 16 == 0;
}

/// One warp a row, four floats a lane where the addresses allow it.
__global__ void copy_rows(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids,
                          DeviceMatrix<float> out) {
    const std::size_t C = table.cols;
    const std::size_t lane = threadIdx.x % 32;
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x / 32;
    for (std::size_t r = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32; r < ids.size(); r += step) {
        const TokenId id = ids[r];
        float* const to = out.row(r);
        if (id < 0 || static_cast<std::size_t>(id) >= table.rows) {
            for (std::size_t c = lane; c < C; c += 32)
                to[c] = bad_row();
            continue;
        }
        const float* const from = table.row(static_cast<std::size_t>(id));
        std::size_t done = 0;
        if (sixteen(from) && sixteen(to)) {
            for (std::size_t q = lane; q < C / 4; q += 32)
                reinterpret_cast<float4*>(to)[q] = reinterpret_cast<const float4*>(from)[q];
            done = C / 4 * 4;
            // A stride of whole fours leaves room behind the row: one wide store instead of up to three.
            if (C % 4 != 0 && out.stride % 4 == 0 && r + 1 < ids.size()) {
                if (lane == 0) {
                    float4 last = *reinterpret_cast<const float4*>(to + done);
                    last.x = from[done];
                    if (C % 4 > 1) last.y = from[done + 1];
                    if (C % 4 > 2) last.z = from[done + 2];
                    *reinterpret_cast<float4*>(to + done) = last;
                }
                done = C;
            }
        }
        for (std::size_t c = done + lane; c < C; c += 32)
            to[c] = from[c];
    }
}

unsigned blocks_for(std::size_t threads_wanted, unsigned threads) {
    const std::size_t most = std::size_t{1} << 20;
    const std::size_t blocks = (threads_wanted - 1) / threads + 1;
    return static_cast<unsigned>(blocks < most ? blocks : most);
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (out.rows == 0 || out.cols == 0) return Status{};
    if (out.cols >= 64) {
        copy_rows<<<blocks_for(out.rows * 32, 256), 256, 0, stream>>>(table, ids, out);
    } else {
        copy_elements<<<blocks_for(out.rows * out.cols, 256), 256, 0, stream>>>(table, ids, out);
    }
    return Status{};
}

} // namespace exercise
