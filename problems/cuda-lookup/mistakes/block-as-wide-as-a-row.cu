// mistake: block-as-wide-as-a-row
// says: You launch one thread for each channel of a row: a block has at most 1,024 threads, so wider rows are
//   refused.
// hint: Let a thread take more than one channel where C is larger than the block.
// symptom: Rows wider than 1,024 channels are never written.
// fails: rows of any width are copied whole
// finds: launch_refused
#include "contract.h"

namespace exercise {
namespace {

__global__ void copy_rows(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out) {
    const std::size_t row = blockIdx.x, c = threadIdx.x;
    const TokenId id = ids[row];
    const bool known = id >= 0 && static_cast<std::size_t>(id) < table.rows;
    out(row, c) = known ? table(static_cast<std::size_t>(id), c) : __int_as_float(0x7fc00000);
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    if (ids.empty() || out.cols == 0) return {};
    const auto rows = static_cast<unsigned int>(out.rows), channels = static_cast<unsigned int>(out.cols);
    copy_rows<<<rows, channels, 0, stream>>>(table, ids, out);
    return {};
}

} // namespace exercise
