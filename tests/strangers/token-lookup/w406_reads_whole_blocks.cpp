// wrong: reads the rest of a row, C % 4 floats, with one load of 4 floats and stores only what belongs to the row; for the last row of the table (id V - 1, C no multiple of 4) up to 3 floats after the last element of the table are read, where there may be no memory. A right one reads no further than the last element.
#include "contract.h"

namespace exercise {

namespace {

typedef float Block __attribute__((vector_size(16), aligned(4), may_alias));

// Keeps the load in one piece.
__attribute__((noinline)) Block load(const float* from) {
    return *reinterpret_cast<const Block*>(from);
}

} // namespace

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    const std::size_t T = ids.size(), C = table.cols;
    if (out.rows != T || out.cols != C) return Status{Code::shape_mismatch};
    for (std::size_t i = 0; i < T; ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);
    if (C == 0) return Status{};

    const std::size_t whole = C / 4 * 4;
    for (std::size_t i = 0; i < T; ++i) {
        const float* from = table.row(static_cast<std::size_t>(ids[i]));
        float* to = out.row(i);
        for (std::size_t c = 0; c < whole; c += 4)
            *reinterpret_cast<Block*>(to + c) = load(from + c);
        if (whole < C) {
            const Block rest = load(from + whole);
            for (std::size_t c = whole; c < C; ++c)
                to[c] = rest[c - whole];
        }
    }
    return Status{};
}

} // namespace exercise
