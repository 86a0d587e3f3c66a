// right: adds in double and rounds to float (53 >= 2 * 24 + 2 bits: the same as one float rounding, NaN payloads and signs of zero included), and visits everything from the last element to the first, t outside and b inside.
#include "contract.h"

#include <algorithm>
#include <cstdint>

namespace exercise {
Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start,
             Tensor3<float> out) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    const std::size_t B = ids.rows, T = ids.cols, V = wte.rows, P = wpe.rows, C = wte.cols;
    if (start > P || T > P - start) {
        const std::size_t p = std::max(start, P);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    if (B == 0 || T == 0) return Status{};
    std::size_t bad = B * T;
    for (std::size_t i = B * T; i-- > 0;) {
        const TokenId id = ids(i / T, i % T);
        if (id < 0 || static_cast<std::uint64_t>(id) >= V) bad = i;
    }
    if (bad < B * T) return Status::id_out_of_range(bad, ids(bad / T, bad % T), V);
    if (C == 0) return Status{};
    for (std::size_t t = T; t-- > 0;) {
        const float* position = wpe.row(start + t);
        for (std::size_t b = B; b-- > 0;) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            float* sum = out.row(b, t);
            for (std::size_t c = C; c-- > 0;)
                sum[c] = static_cast<float>(static_cast<double>(token[c]) + static_cast<double>(position[c]));
        }
    }
    return Status{};
}

} // namespace exercise
