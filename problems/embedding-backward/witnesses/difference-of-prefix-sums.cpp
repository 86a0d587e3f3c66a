// Fault: A token's sum is the difference of two prefix sums, so small gradients are lost after large ones of another
//  token.
// Origin: round 14
#include "contract.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

namespace exercise {

namespace {

/// to[c] += factor * from[c] for every channel.
void add_row(float* to, const float* from, std::size_t C, float factor) {
    for (std::size_t c = 0; c < C; ++c)
        to[c] += factor * from[c];
}

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const std::size_t B = ids.rows, T = ids.cols, C = dout.channels, V = dwte.rows, P = dwpe.rows;
    const std::size_t start = options.start;

    if (dout.batch != B || dout.time != T || dwte.cols != C || dwpe.cols != C)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= V)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(V)};
    if (start > P || T > P - start) {
        const std::size_t missing = std::max(start, P); // the first position that does not exist
        return Status::position_out_of_range(missing - start, static_cast<std::int64_t>(missing), P);
    }
    if (B == 0 || T == 0) return Status{};
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const TokenId id = ids(b, t);
            if (id < 0 || static_cast<std::size_t>(id) >= V) return Status::id_out_of_range(b * T + t, id, V);
        }
    if (C == 0) return Status{};

    bool finite = true;
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            for (std::size_t c = 0; c < C; ++c)
                finite = finite && std::isfinite(dout(b, t, c));

    if (finite) {
        // Places sorted by token; then every token is a range, and a range is a difference.
        const auto token = [ids, T](std::size_t place) { return ids(place / T, place % T); };
        std::vector<std::size_t> order(B * T);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t i, std::size_t j) { return token(i) < token(j); });
        std::vector<double> prefix(B * T + 1);
        for (std::size_t c = 0; c < C; ++c) {
            for (std::size_t i = 0; i < order.size(); ++i)
                prefix[i + 1] = prefix[i] + dout.data[order[i] * C + c];
            for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
                const TokenId id = token(order[first]);
                while (last < order.size() && token(order[last]) == id)
                    ++last;
                if (id == options.padding_idx) continue;
                float& cell = dwte(static_cast<std::size_t>(id), c);
                cell = static_cast<float>(cell + options.scale * (prefix[last] - prefix[first]));
            }
        }
    } else { // infinity and NaN would spread to the tokens after them
        for (std::size_t b = 0; b < B; ++b)
            for (std::size_t t = 0; t < T; ++t) {
                const TokenId id = ids(b, t);
                if (id != options.padding_idx)
                    add_row(dwte.row(static_cast<std::size_t>(id)), dout.row(b, t), C, options.scale);
            }
    }

    for (std::size_t t = 0; t < T; ++t) {
        float* row = dwpe.row(start + t);
        for (std::size_t b = 0; b < B; ++b) {
            const float* gradient = dout.row(b, t);
            for (std::size_t c = 0; c < C; ++c)
                row[c] += gradient[c];
        }
    }
    return Status{};
}

} // namespace exercise
