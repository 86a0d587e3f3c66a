// wrong: with table.stride >= C rounded up to 8, the tail of a row is loaded as a whole block of 8 floats; for the last row (id V-1) and C % 8 != 0 that reads past the last element of the table, where there may be no memory.
#include "contract.h"

#include <cstddef>
#include <cstring>

namespace exercise {
namespace {

constexpr std::size_t block = 8;

struct Chunk {
    float v[block];
};

void copy_row(const float* from, float* to, std::size_t cols, bool padded) {
    std::size_t c = 0;
    for (; c + block <= cols; c += block)
        std::memcpy(to + c, from + c, sizeof(Chunk));
    const std::size_t rest = cols - c;
    if (rest == 0) return;
    if (padded) { // padding may be read, so one wide load does it
        Chunk chunk;
        std::memcpy(&chunk, from + c, sizeof(Chunk));
        asm volatile("" : : "r"(&chunk) : "memory"); // keep the wide load
        std::memcpy(to + c, &chunk, rest * sizeof(float));
    } else {
        std::memcpy(to + c, from + c, rest * sizeof(float));
    }
}

} // namespace

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);
    const std::size_t cols = table.cols;
    if (cols == 0) return {};
    const bool padded = table.stride >= (cols + block - 1) / block * block;
    for (std::size_t i = 0; i < ids.size(); ++i)
        copy_row(table.row(static_cast<std::size_t>(ids[i])), out.row(i), cols, padded);
    return {};
}

} // namespace exercise
