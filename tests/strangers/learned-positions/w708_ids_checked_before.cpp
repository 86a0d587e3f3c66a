// wrong: remembers address and shape of the last ids that were good and does not check them again; it shows when the caller puts a bad id at the same address for the next call; a right one checks in every call
#include "contract.h"

#include <algorithm>

namespace exercise {
namespace {

struct Checked {
    const TokenId* data = nullptr;
    std::size_t rows = 0, cols = 0, stride = 0, vocabulary = 0;
    bool operator==(const Checked&) const = default;
};
Checked last; // a model is mostly called with the same buffer

} // namespace

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    const std::size_t V = wte.rows, P = wpe.rows, C = wte.cols, B = ids.rows, T = ids.cols;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C) return Status{Code::shape_mismatch};
    if (start > P || T > P - start) {
        const std::size_t p = std::max(start, P);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    if (B == 0 || T == 0) return Status{};
    const Checked now{ids.data, B, T, ids.stride, V};
    for (std::size_t b = 0; b < B && now != last; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const TokenId id = ids(b, t);
            if (id < 0 || static_cast<std::size_t>(id) >= V) return Status::id_out_of_range(b * T + t, id, V);
        }
    last = now;
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            const float* position = wpe.row(start + t);
            float* to = out.row(b, t);
            for (std::size_t c = 0; c < C; ++c)
                to[c] = token[c] + position[c];
        }
    return Status{};
}

} // namespace exercise
