// right: host recursion splits the ids into launches of at most 10,007 rows; in the kernel each lane loads one id, the warp broadcasts them by shuffles, and a functor template does the copy
#include "contract.h"

namespace exercise {
namespace {

struct CopyOrPoison {
    const float* from; // null: a bad id
    __device__ float operator()(std::size_t c) const { return from ? from[c] : __int_as_float(0x7fc00000); }
};

template <class F>
__device__ void fill_row(float* row, std::size_t cols, unsigned lane, F f) {
    for (std::size_t c = lane; c < cols; c += 32)
        row[c] = f(c);
}

// A block of one warp serves 32 ids.
__global__ void warp_of_ids(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out) {
    const unsigned lane = threadIdx.x;
    const std::size_t first = static_cast<std::size_t>(blockIdx.x) * 32;
    const TokenId mine = first + lane < ids.size() ? ids[first + lane] : -1;
    for (unsigned r = 0; r < 32; ++r) {
        const TokenId id = __shfl_sync(0xffffffffu, mine, static_cast<int>(r));
        if (first + r >= ids.size()) continue; // the same for all lanes
        const bool good = id >= 0 && static_cast<std::size_t>(id) < table.rows;
        fill_row(out.row(first + r), out.cols, lane,
                 CopyOrPoison{good ? table.row(static_cast<std::size_t>(id)) : nullptr});
    }
}

void launch(const DeviceMatrix<const float>& table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
            cudaStream_t stream) {
    const std::size_t n = ids.size();
    if (n > 10'007) {
        const std::size_t half = n / 2;
        launch(table, {ids.data(), half}, {out.data, half, out.cols, out.stride}, stream);
        launch(table, {ids.data() + half, n - half}, {out.row(half), n - half, out.cols, out.stride}, stream);
        return;
    }
    warp_of_ids<<<static_cast<unsigned>((n + 31) / 32), 32, 0, stream>>>(table, ids, out);
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (ids.size() > 0 && out.cols > 0) launch(table, ids, out, stream);
    return {};
}

} // namespace exercise
