// mistake: offset-in-int
// says: You compute the row offset in 32 bits: id * stride passes 2,147,483,647 in a large table and wraps
//   around to a negative number.
// hint: Widen to std::size_t before you multiply, not after.
// symptom: Everything works until the table has more than 2^31 elements; then the program reads somewhere else.
// fails: a table of more than two billion elements
#include "contract.h"

namespace exercise {
namespace {

__global__ void copy_rows(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out) {
    const std::size_t element = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (element >= out.rows * out.cols) return;
    const std::size_t row = element / out.cols, c = element % out.cols;
    const TokenId id = ids[row];
    const bool known = id >= 0 && static_cast<std::size_t>(id) < table.rows;
    const int offset = static_cast<int>(static_cast<unsigned int>(id) * static_cast<unsigned int>(table.stride) + static_cast<unsigned int>(c));
    out(row, c) = known ? table.data[offset] : __int_as_float(0x7fc00000);
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    if (ids.empty() || out.cols == 0) return {};
    constexpr unsigned int block = 256;
    const std::size_t elements = out.rows * out.cols;
    const auto grid = static_cast<unsigned int>((elements + block - 1) / block);
    copy_rows<<<grid, block, 0, stream>>>(table, ids, out);
    return {};
}

} // namespace exercise
