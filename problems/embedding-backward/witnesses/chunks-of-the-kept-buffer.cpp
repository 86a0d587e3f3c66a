// Fault: Places are summed in chunks as large as a kept buffer, so a call gives other bits after a larger one.
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

struct Place {
    TokenId id;
    std::size_t number;
};

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
            float* const row = dwpe.row(options.start + t);
            for (std::size_t c = 0; c < C; ++c)
                row[c] += g[c];
        }
    }

    // A chunk is an eighth of the places, or as many as there is room for: its tokens are summed first, and
    // each of their rows is visited once.
    static std::vector<Place> chunk;
    const std::size_t places = B * T;
    chunk.reserve(std::max<std::size_t>(256, places / 8));
    std::vector<float> sum(C);

    for (std::size_t first = 0; first < places;) {
        const std::size_t end = first + std::min(places - first, chunk.capacity());
        chunk.clear();
        for (std::size_t i = first; i < end; ++i) {
            const TokenId id = ids(i / T, i % T);
            if (id != options.padding_idx) chunk.push_back({id, i});
        }
        std::sort(chunk.begin(), chunk.end(), [](const Place& a, const Place& b) {
            return a.id != b.id ? a.id < b.id : a.number < b.number;
        });
        for (std::size_t i = 0; i < chunk.size();) {
            const TokenId id = chunk[i].id;
            std::fill(sum.begin(), sum.end(), 0.0F);
            for (; i < chunk.size() && chunk[i].id == id; ++i) {
                const float* const g = dout.data + chunk[i].number * C;
                for (std::size_t c = 0; c < C; ++c)
                    sum[c] += g[c];
            }
            float* const row = dwte.row(static_cast<std::size_t>(id));
            for (std::size_t c = 0; c < C; ++c)
                row[c] += options.scale * sum[c];
        }
        first = end;
    }
    return Status{};
}

} // namespace exercise
