// wrong: checks and writes the batch in chunks of 256 tokens, so a bad id after the first 256 tokens is found when out has already been written in part; a right one checks all ids before it writes
#include "contract.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace exercise {
namespace {

constexpr std::size_t chunk = 256;

/// Rows of wte for the ids of one chunk, found while its ids are in the cache.
struct Plan {
    std::array<const float*, chunk> rows;
    std::size_t count = 0;
};

Status plan(Plan& p, Matrix<const float> wte, Ids2D ids, std::size_t from) {
    p.count = std::min(chunk, ids.rows * ids.cols - from);
    for (std::size_t i = 0; i < p.count; ++i) {
        const TokenId id = ids((from + i) / ids.cols, (from + i) % ids.cols);
        if (id < 0 || static_cast<std::size_t>(id) >= wte.rows)
            return Status::id_out_of_range(from + i, id, wte.rows);
        p.rows[i] = wte.row(static_cast<std::size_t>(id));
    }
    return Status{};
}

} // namespace

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    if (start > wpe.rows || ids.cols > wpe.rows - start) {
        const std::size_t p = std::max(start, wpe.rows);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    if (ids.rows == 0 || ids.cols == 0) return Status{};
    Plan p;
    for (std::size_t from = 0; from < ids.rows * ids.cols; from += chunk) {
        const Status status = plan(p, wte, ids, from);
        if (status.code != Code::ok) return status;
        for (std::size_t i = 0; i < p.count; ++i) {
            const float* position = wpe.row(start + (from + i) % ids.cols);
            float* to = out.data + (from + i) * wte.cols;
            for (std::size_t c = 0; c < wte.cols; ++c)
                to[c] = p.rows[i][c] + position[c];
        }
    }
    return Status{};
}

} // namespace exercise
