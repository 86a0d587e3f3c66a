// Fault: For C >= 128 four ids are loaded as an int4 without an alignment check.
// Origin: round 18
#include "contract.h"

#include <cstddef>
#include <cstdint>

namespace exercise {
namespace {

constexpr unsigned threads_per_block = 256;

unsigned blocks_for(std::size_t pieces, std::size_t per_block = threads_per_block) {
    const std::size_t blocks = (pieces - 1) / per_block + 1;
    constexpr std::size_t most = 2147483647; // the grid's limit in x; the kernels loop
    return static_cast<unsigned>(blocks < most ? blocks : most);
}

__device__ bool known(TokenId id, std::size_t vocabulary) {
    return id >= 0 && static_cast<std::size_t>(id) < vocabulary;
}

__device__ float unknown_value() {
    return __int_as_float(0x7fc00000);
}

// Thread e copies element e of the output, counted in reading order.
__global__ void copy_elements(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids,
                              DeviceMatrix<float> out) {
    const std::size_t total = out.rows * out.cols;
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t e = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; e < total; e += step) {
        const std::size_t i = e / out.cols;
        const std::size_t c = e - i * out.cols;
        const TokenId id = ids[i];
        if (known(id, table.rows))
            out(i, c) = table(static_cast<std::size_t>(id), c);
        else
            out(i, c) = unknown_value();
    }
}

constexpr unsigned threads_of_four = 128;

// A block copies four rows at a time, whose ids it loads at once.
__global__ void copy_four_rows(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids,
                               DeviceMatrix<float> out) {
    const std::size_t groups = (out.rows + 3) / 4;
    for (std::size_t group = blockIdx.x; group < groups; group += gridDim.x) {
        const std::size_t first = group * 4;
        TokenId four[4] = {-1, -1, -1, -1};
        unsigned count = 4;
        if (out.rows - first >= 4) {
            const int4 loaded = reinterpret_cast<const int4*>(ids.data())[group];
            four[0] = loaded.x;
            four[1] = loaded.y;
            four[2] = loaded.z;
            four[3] = loaded.w;
        } else {
            count = static_cast<unsigned>(out.rows - first);
            for (unsigned k = 0; k < count; ++k) four[k] = ids[first + k];
        }
        for (unsigned k = 0; k < count; ++k) {
            const bool good = known(four[k], table.rows);
            const std::size_t r = good ? static_cast<std::size_t>(four[k]) : 0;
            for (std::size_t c = threadIdx.x; c < out.cols; c += blockDim.x)
                out(first + k, c) = good ? table(r, c) : unknown_value();
        }
    }
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (ids.empty() || table.cols == 0) return Status{};
    if (out.cols >= threads_of_four) {
        copy_four_rows<<<blocks_for(out.rows, 4), threads_of_four, 0, stream>>>(table, ids, out);
        return Status{};
    }
    copy_elements<<<blocks_for(out.rows * out.cols), threads_per_block, 0, stream>>>(table, ids, out);
    return Status{};
}

} // namespace exercise
