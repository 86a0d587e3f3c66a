// Fault: Rows of dout that are all zero are skipped, although scale may be infinite or NaN.
// Origin: round 22
#include "contract.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

namespace exercise {
namespace {

// Reasons 1 to 3 of the contract.
bool refuses_sizes(const Tensor3<const float>& dout, const Ids2D& ids, const Matrix<float>& dwte,
                   const Matrix<float>& dwpe, const BackwardOptions& options, Status& status) {
    const std::size_t channels = dwte.cols;
    if (dwpe.cols != channels || dout.channels != channels || dout.batch != ids.rows ||
        dout.time != ids.cols) {
        status = Status{Code::shape_mismatch};
        return true;
    }
    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= dwte.rows) {
        status = Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
        return true;
    }
    if (options.start > dwpe.rows || ids.cols > dwpe.rows - options.start) {
        const std::size_t p = std::max(options.start, dwpe.rows);
        status = Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
        return true;
    }
    return false;
}

// Reason 4.
bool refuses_ids(const Ids2D& ids, std::size_t vocabulary, Status& status) {
    if (ids.cols == 0) return false;
    for (std::size_t b = 0; b < ids.rows; ++b) {
        const TokenId* const row = ids.row(b);
        for (std::size_t t = 0; t < ids.cols; ++t) {
            if (row[t] < 0 || static_cast<std::size_t>(row[t]) >= vocabulary) {
                status = Status::id_out_of_range(b * ids.cols + t, row[t], vocabulary);
                return true;
            }
        }
    }
    return false;
}

// Masked places, of which a batch may have many, come back as zeros.
bool nothing_came_back(const float* g, std::size_t channels) {
    for (std::size_t c = 0; c < channels; ++c)
        if (g[c] != 0.0F) return false; // NaN, too
    return true;
}

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    Status status;
    if (refuses_sizes(dout, ids, dwte, dwpe, options, status)) return status;
    if (refuses_ids(ids, dwte.rows, status)) return status;

    const std::size_t B = ids.rows, T = ids.cols, C = dwte.cols;
    if (B == 0 || T == 0 || C == 0) return Status{};

    for (std::size_t b = 0; b < B; ++b) {
        for (std::size_t t = 0; t < T; ++t) {
            const float* const g = dout.row(b, t);
            if (nothing_came_back(g, C)) continue;

            float* const position = dwpe.row(options.start + t);
            for (std::size_t c = 0; c < C; ++c)
                position[c] += g[c];

            const TokenId id = ids(b, t);
            if (id == options.padding_idx) continue;
            float* const token = dwte.row(static_cast<std::size_t>(id));
            for (std::size_t c = 0; c < C; ++c)
                token[c] += options.scale * g[c];
        }
    }
    return Status{};
}

} // namespace exercise
