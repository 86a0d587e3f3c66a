// wrong: returns Status{} for N = 0 or C = 0 before it compares the shapes, so an out that does not fit is not refused there (say N = 0 and out.rows = 2); a right one checks the shapes first
#include "contract.h"

namespace exercise {
namespace {

__global__ void element_each(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out) {
    // blocks along x walk over the columns, blocks along y over the rows, both in strides
    for (std::size_t r = blockIdx.y; r < out.rows; r += gridDim.y) {
        const TokenId id = ids[r];
        const bool good = id >= 0 && static_cast<std::size_t>(id) < table.rows;
        for (std::size_t c = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; c < out.cols;
             c += static_cast<std::size_t>(gridDim.x) * blockDim.x)
            out(r, c) = good ? table(static_cast<std::size_t>(id), c) : __int_as_float(0x7fc00000);
    }
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (ids.empty() || table.cols == 0) return Status{};
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    const unsigned across = static_cast<unsigned>(out.cols < 8192 ? (out.cols + 31) / 32 : 256);
    const unsigned down = static_cast<unsigned>(out.rows < 65535 ? out.rows : 65535);
    element_each<<<dim3(across, down), 32, 0, stream>>>(table, ids, out);
    return Status{};
}

} // namespace exercise
