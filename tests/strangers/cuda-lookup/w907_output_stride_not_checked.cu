// wrong: the fours look at both first addresses and at the stride of the table, not at that of the output, so an output stride that is no multiple of 4 (C >= 64) gives misaligned stores
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

bool sixteen(const void* p) {
    return reinterpret_cast<std::uintptr_t>(p) % 16 == 0;
}

/// One warp a row, four floats a lane where the addresses allow it.
__global__ void copy_rows(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids,
                          DeviceMatrix<float> out, bool wide) {
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
        if (wide) {
            for (std::size_t q = lane; q < C / 4; q += 32)
                reinterpret_cast<float4*>(to)[q] = reinterpret_cast<const float4*>(from)[q];
            done = C / 4 * 4;
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
        const bool wide = sixteen(table.data) && sixteen(out.data) && table.stride % 4 == 0;
        copy_rows<<<blocks_for(out.rows * 32, 256), 256, 0, stream>>>(table, ids, out, wide);
    } else {
        copy_elements<<<blocks_for(out.rows * out.cols, 256), 256, 0, stream>>>(table, ids, out);
    }
    return Status{};
}

} // namespace exercise
