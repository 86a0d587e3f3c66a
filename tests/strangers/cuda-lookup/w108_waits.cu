// wrong: calls with more than 4,096 ids wait on the host for the stream (by an event) before they return, which the contract forbids
#include "contract.h"

namespace exercise {
namespace {

__global__ void part(DeviceMatrix<const float> table, const TokenId* ids, DeviceMatrix<float> out, std::size_t first) {
    const std::size_t n = first + blockIdx.x;
    const TokenId id = ids[n];
    const float* from = nullptr;
    if (id >= 0 && static_cast<std::size_t>(id) < table.rows) from = table.row(static_cast<std::size_t>(id));
    for (std::size_t c = threadIdx.x; c < out.cols; c += blockDim.x)
        out(n, c) = from ? from[c] : __int_as_float(0x7fc00000);
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (out.rows == 0 || out.cols == 0) return Status{};
    constexpr std::size_t portion = 4096;
    // Portion by portion, so that a long call does not flood the queue.
    for (std::size_t first = 0; first < ids.size(); first += portion) {
        if (first != 0) {
            cudaEvent_t done;
            cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
            cudaEventRecord(done, stream);
            cudaEventSynchronize(done);
            cudaEventDestroy(done);
        }
        const std::size_t left = ids.size() - first;
        part<<<static_cast<unsigned>(left < portion ? left : portion), 64, 0, stream>>>(table, ids.data(), out, first);
    }
    return Status{};
}

} // namespace exercise
