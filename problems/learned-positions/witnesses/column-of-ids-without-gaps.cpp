// Fault: For T = 1 the ids are read as a column without gaps, whatever their stride.
// Origin: round 27
#include "contract.h"

#include <algorithm>

namespace exercise {
namespace {

Status refuse(const Matrix<const float>& wte, const Matrix<const float>& wpe, const Ids2D& ids, std::size_t start,
              const Tensor3<float>& out) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    if (start > wpe.rows || ids.cols > wpe.rows - start) {
        const std::size_t p = std::max(start, wpe.rows);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    return Status{};
}

Status bad_id(std::size_t place, TokenId id, std::size_t vocabulary) {
    if (id < 0 || static_cast<std::size_t>(id) >= vocabulary)
        return Status::id_out_of_range(place, id, vocabulary);
    return Status{};
}

/// One new token for each sequence, all of them at the same position: `ids` is a list of B tokens.
Status embed_step(const Matrix<const float>& wte, const float* position, const TokenId* ids,
                  const Tensor3<float>& out) {
    for (std::size_t b = 0; b < out.batch; ++b)
        if (const Status status = bad_id(b, ids[b], wte.rows); status.code != Code::ok) return status;
    if (out.channels == 0) return Status{};
    float* to = out.data;
    for (std::size_t b = 0; b < out.batch; ++b, to += out.channels) {
        const float* token = wte.row(static_cast<std::size_t>(ids[b]));
        for (std::size_t c = 0; c < out.channels; ++c)
            to[c] = token[c] + position[c];
    }
    return Status{};
}

} // namespace

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start,
             Tensor3<float> out) {
    if (const Status status = refuse(wte, wpe, ids, start, out); status.code != Code::ok) return status;
    if (ids.rows == 0 || ids.cols == 0) return Status{};
    if (ids.cols == 1)
        return embed_step(wte, out.channels == 0 ? nullptr : wpe.row(start), ids.data, out);

    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (const Status status = bad_id(b * ids.cols + t, ids(b, t), wte.rows); status.code != Code::ok)
                return status;
    if (out.channels == 0) return Status{};
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            const float* position = wpe.row(start + t);
            float* to = out.row(b, t);
            for (std::size_t c = 0; c < out.channels; ++c)
                to[c] = token[c] + position[c];
        }
    return Status{};
}

} // namespace exercise
