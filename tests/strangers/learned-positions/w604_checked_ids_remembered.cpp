// wrong: remembers where ids lay that were all good and does not check ids at the same address, of the same shape and for the same V again, though the caller may have changed them: then a bad id is not refused but followed; a right one checks in every call
#include "contract.h"

#include <algorithm>
#include <cstdint>

namespace exercise {
namespace {

struct Checked {
    const TokenId* data = nullptr;
    std::size_t rows = 0, cols = 0, stride = 0, vocabulary = 0;
    bool operator==(const Checked&) const = default;
};

Checked last; // a training loop embeds the same batch many times

} // namespace

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    if (start > wpe.rows || ids.cols > wpe.rows - start) {
        const std::size_t p = std::max(start, wpe.rows);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    if (ids.rows == 0 || ids.cols == 0) return Status{};

    const Checked now{ids.data, ids.rows, ids.cols, ids.stride, wte.rows};
    if (now != last) {
        for (std::size_t b = 0; b < ids.rows; ++b)
            for (std::size_t t = 0; t < ids.cols; ++t)
                if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= wte.rows)
                    return Status::id_out_of_range(b * ids.cols + t, ids(b, t), wte.rows);
        last = now;
    }

    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            for (std::size_t c = 0; c < wte.cols; ++c)
                out(b, t, c) = wte(static_cast<std::size_t>(ids(b, t)), c) + wpe(start + t, c);
    return Status{};
}

} // namespace exercise
