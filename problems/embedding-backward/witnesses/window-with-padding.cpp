// Fault: The window of dwpe is read and written back with its padding, which overwrites rows of dwte that lie there.
// Origin: round 18
#include "contract.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace exercise {

namespace {

/// The first reason to refuse the call before an id is looked at, `Status{}` if there is none.
Status refused_sizes(const Tensor3<const float>& dout, const Ids2D& ids, const Matrix<float>& dwte,
                     const Matrix<float>& dwpe, const BackwardOptions& options) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols || dwpe.cols != dwte.cols)
        return Status{Code::shape_mismatch};

    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};

    const std::size_t start = options.start, positions = dwpe.rows;
    if (start > positions || ids.cols > positions - start) {
        const std::size_t missing = std::max(start, positions);
        return Status::position_out_of_range(missing - start, static_cast<std::int64_t>(missing), positions);
    }
    return Status{};
}

/// The refusal of the first bad id in reading order, `Status{}` if all are good.
Status refused_ids(const Ids2D& ids, std::size_t vocabulary) {
    if (ids.cols == 0) return Status{};
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t) {
            const TokenId id = ids(b, t);
            if (id < 0 || static_cast<std::size_t>(id) >= vocabulary)
                return Status::id_out_of_range(b * ids.cols + t, id, vocabulary);
        }
    return Status{};
}

void add_row(float* sum, const float* term, std::size_t channels, float factor) {
    for (std::size_t c = 0; c < channels; ++c)
        sum[c] += factor * term[c];
}

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const Status sizes = refused_sizes(dout, ids, dwte, dwpe, options);
    if (sizes.code != Code::ok) return sizes;
    const Status tokens = refused_ids(ids, dwte.rows);
    if (tokens.code != Code::ok) return tokens;

    const std::size_t batch = ids.rows, time = ids.cols, channels = dwte.cols;
    if (batch == 0 || time == 0 || channels == 0) return Status{};
    if (dwpe.stride <= 2 * channels) {
        // The window is needed once for each sequence: keep it near, and move it in one piece.
        const std::size_t length = (time - 1) * dwpe.stride + channels;
        float* window = dwpe.row(options.start);
        std::vector<float> near(length);
        std::memcpy(near.data(), window, length * sizeof(float));
        for (std::size_t b = 0; b < batch; ++b)
            for (std::size_t t = 0; t < time; ++t) {
                const TokenId id = ids(b, t);
                add_row(near.data() + t * dwpe.stride, dout.row(b, t), channels, 1.0F);
                if (id != options.padding_idx)
                    add_row(dwte.row(static_cast<std::size_t>(id)), dout.row(b, t), channels, options.scale);
            }
        std::memcpy(window, near.data(), length * sizeof(float));
        return Status{};
    }
    for (std::size_t b = 0; b < batch; ++b)
        for (std::size_t t = 0; t < time; ++t) {
            const TokenId id = ids(b, t);
            add_row(dwpe.row(options.start + t), dout.row(b, t), channels, 1.0F);
            if (id != options.padding_idx)
                add_row(dwte.row(static_cast<std::size_t>(id)), dout.row(b, t), channels, options.scale);
        }
    return Status{};
}

} // namespace exercise
