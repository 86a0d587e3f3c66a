// Fault: Sums are reused for the same id at the same position, but the position is kept in 16 bits.
// Origin: round 21
// Depth: thorough
#include "contract.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace exercise {

namespace {
struct Seen {
    const float* row = nullptr;
    TokenId id = -1;
    std::uint16_t position = 0;
};
}

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start,
             Tensor3<float> out) {
    const std::size_t B = ids.rows, T = ids.cols, C = wte.cols, V = wte.rows, P = wpe.rows;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C)
        return Status{Code::shape_mismatch};
    if (start > P || T > P - start) {
        const std::size_t p = std::max(start, P);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    if (B == 0 || T == 0) return Status{};

    for (std::size_t b = 0; b < B; ++b) {
        const TokenId* row = ids.row(b);
        for (std::size_t t = 0; t < T; ++t)
            if (row[t] < 0 || static_cast<std::size_t>(row[t]) >= V)
                return Status::id_out_of_range(b * T + t, row[t], V);
    }
    if (C == 0) return Status{};

    // Sequences of a batch often share a prefix: the same id at the same position is the same sum.
    const std::size_t slots = std::min<std::size_t>(V, 65536);
    const bool share = B >= 2 && B * T >= slots;
    std::vector<Seen> seen(share ? slots : 0);
    for (std::size_t t = 0; t < T; ++t) {
        const float* position = wpe.row(start + t);
        for (std::size_t b = 0; b < B; ++b) {
            const TokenId id = ids(b, t);
            float* o = out.row(b, t);
            if (share) {
                Seen& s = seen[static_cast<std::size_t>(id) % slots];
                const auto now = static_cast<std::uint16_t>(t);
                if (s.id == id && s.position == now) {
                    std::memcpy(o, s.row, C * sizeof(float));
                    continue;
                }
                s = {o, id, now};
            }
            const float* token = wte.row(static_cast<std::size_t>(id));
            for (std::size_t c = 0; c < C; ++c) o[c] = token[c] + position[c];
        }
    }
    return Status{};
}

} // namespace exercise
