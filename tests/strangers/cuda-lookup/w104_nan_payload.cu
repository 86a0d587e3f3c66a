// wrong: an element of the table that is itself a NaN arrives as 0x7fc00000 whatever its sign and payload were, so it is not copied bit for bit
#include "contract.h"

namespace exercise {

__global__ void lookup_kernel(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out) {
    const float poison = __int_as_float(0x7fc00000);
    std::size_t warp = (static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x) >> 5;
    unsigned lane = threadIdx.x & 31u;
    std::size_t warps = (static_cast<std::size_t>(gridDim.x) * blockDim.x) >> 5;
    for (; warp < ids.size(); warp += warps) {
        TokenId id = ids[warp];
        bool known = id >= 0 && static_cast<std::size_t>(id) < table.rows;
        for (std::size_t c = lane; c < out.cols; c += 32) {
            float value = known ? table(static_cast<std::size_t>(id), c) : poison;
            // one kind of NaN only, so that the loss shows it at once
            if (!(value == value)) value = poison;
            out(warp, c) = value;
        }
    }
}

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (ids.size() == 0 || out.cols == 0) return {};
    std::size_t blocks = (ids.size() + 3) / 4;
    if (blocks > 1'000'000) blocks = 1'000'000;
    lookup_kernel<<<static_cast<unsigned>(blocks), 128, 0, stream>>>(table, ids, out);
    return {};
}

} // namespace exercise
