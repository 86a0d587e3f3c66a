// right: a capped grid walks over the elements by adding a (rows, columns) step with carry, so there is one 64-bit division per thread; values move as integers
#include "contract.h"

#include <cstddef>

namespace exercise {
namespace {

constexpr unsigned threads = 128;
constexpr std::size_t most_blocks = 2048;

__global__ void copy(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
                     std::size_t row_step, std::size_t col_step) {
    const std::size_t first = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    std::size_t row = first / out.cols;
    std::size_t col = first % out.cols;
    while (row < out.rows) {
        const long long id = ids[row];
        int bits = 0x7fc00000;
        if (id >= 0 && static_cast<unsigned long long>(id) < table.rows)
            bits = __float_as_int(table(static_cast<std::size_t>(id), col));
        out(row, col) = __int_as_float(bits);
        row += row_step;
        col += col_step;
        if (col >= out.cols) {
            col -= out.cols;
            ++row;
        }
    }
}

} // namespace

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (out.rows == 0 || out.cols == 0) return Status{};
    std::size_t blocks = (out.rows * out.cols + threads - 1) / threads;
    if (blocks > most_blocks) blocks = most_blocks;
    const std::size_t step = blocks * threads;
    copy<<<static_cast<unsigned>(blocks), threads, 0, stream>>>(table, ids, out, step / out.cols,
                                                                step % out.cols);
    return Status{};
}

} // namespace exercise
