// right: adds in double and rounds to float, which for two floats gives the bits of the float sum (53 >= 2 * 24 + 2); channels are the outermost loop, so out is written column by column
#include "contract.h"

namespace exercise {
namespace {

struct FirstBad {
    std::size_t where;
    std::int64_t id;
    bool found;
};

// From the last token back to the first: what remains is the first bad one.
FirstBad search(const Ids2D& ids, std::size_t vocabulary) {
    FirstBad bad{0, 0, false};
    if (ids.cols == 0) return bad;
    for (std::size_t b = ids.rows; b-- > 0;) {
        const TokenId* row = ids.row(b);
        for (std::size_t t = ids.cols; t-- > 0;)
            if (row[t] < 0 || static_cast<std::uint64_t>(row[t]) >= vocabulary) bad = {b * ids.cols + t, row[t], true};
    }
    return bad;
}

} // namespace

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    if (wpe.cols != wte.cols) return Status{Code::shape_mismatch};
    if (out.batch != ids.rows) return Status{Code::shape_mismatch};
    if (out.time != ids.cols) return Status{Code::shape_mismatch};
    if (out.channels != wte.cols) return Status{Code::shape_mismatch};

    const std::size_t end = start + ids.cols; // may wrap
    if (end < start || end > wpe.rows) {
        if (start > wpe.rows) return Status::position_out_of_range(0, static_cast<std::int64_t>(start), wpe.rows);
        return Status::position_out_of_range(wpe.rows - start, static_cast<std::int64_t>(wpe.rows), wpe.rows);
    }
    if (const FirstBad bad = search(ids, wte.rows); bad.found) return Status::id_out_of_range(bad.where, bad.id, wte.rows);
    if (ids.rows == 0 || ids.cols == 0) return Status{};

    // blocks of 64 channels, so that a wide table is not walked once per channel
    for (std::size_t first = 0; first < wte.cols;) {
        const std::size_t width = wte.cols - first < 64 ? wte.cols - first : 64;
        for (std::size_t t = 0; t < ids.cols; ++t) {
            const float* place = wpe.row(start + t) + first;
            for (std::size_t b = 0; b < ids.rows; ++b) {
                const float* token = wte.row(static_cast<std::size_t>(ids(b, t))) + first;
                float* to = out.row(b, t) + first;
                for (std::size_t c = 0; c < width; ++c)
                    to[c] = static_cast<float>(static_cast<double>(token[c]) + static_cast<double>(place[c]));
            }
        }
        first += width;
    }
    return Status{};
}

} // namespace exercise
