// Fault: Whether a run of equal ids continues is read from row[t + 1], which is padding at the end of a row.
// Origin: round 21
#include "contract.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace exercise {

namespace {

Status check(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
             const BackwardOptions& options) {
    const std::size_t channels = dwte.cols, vocabulary = dwte.rows, positions = dwpe.rows;
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != channels || dwpe.cols != channels)
        return {Code::shape_mismatch, 0, 0, 0};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= vocabulary)
        return {Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(vocabulary)};
    if (options.start > positions || ids.cols > positions - options.start) {
        const std::size_t p = std::max(options.start, positions);
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), positions);
    }
    if (ids.cols == 0) return {};
    for (std::size_t b = 0; b < ids.rows; ++b) {
        const TokenId* row = ids.row(b);
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (row[t] < 0 || static_cast<std::size_t>(row[t]) >= vocabulary)
                return Status::id_out_of_range(b * ids.cols + t, row[t], vocabulary);
    }
    return {};
}

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    if (const Status status = check(dout, ids, dwte, dwpe, options); status.code != Code::ok) return status;
    const std::size_t batch = dout.batch, time = dout.time, channels = dout.channels;
    if (batch == 0 || time == 0 || channels == 0) return {};

    // Neighbours with one id are summed first, so that the table is visited once for all of them.
    std::vector<float> run(channels);
    bool fresh = true;
    for (std::size_t b = 0; b < batch; ++b) {
        const TokenId* row = ids.row(b);
        for (std::size_t t = 0; t < time; ++t) {
            const float* from = dout.row(b, t);
            float* at = dwpe.row(options.start + t);
            for (std::size_t c = 0; c < channels; ++c)
                at[c] += from[c];
            if (fresh)
                std::copy(from, from + channels, run.begin());
            else
                for (std::size_t c = 0; c < channels; ++c)
                    run[c] += from[c];
            const bool last = b + 1 == batch && t + 1 == time;
            fresh = last || row[t + 1] != row[t];
            if (fresh && row[t] != options.padding_idx) {
                float* to = dwte.row(static_cast<std::size_t>(row[t]));
                for (std::size_t c = 0; c < channels; ++c)
                    to[c] += options.scale * run[c];
            }
        }
    }
    return {};
}

} // namespace exercise
