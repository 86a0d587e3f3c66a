// right: both products skip zeros of onehot after a test, by the exponents, that the other factor holds neither infinity nor NaN (0 * finite is a zero, whose sign is open), sum in double in strips of 64 columns from the last v, and compute every product otherwise; scatter_add goes from the last id to the first.
#include "contract.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace exercise {

namespace {

bool bad_id(TokenId id, std::size_t V) {
    return id < 0 || static_cast<std::uint64_t>(id) >= V;
}

Status first_bad(Ids ids, std::size_t V) {
    const auto bad = std::find_if(ids.begin(), ids.end(), [V](TokenId id) { return bad_id(id, V); });
    if (bad == ids.end()) return Status{};
    return Status::id_out_of_range(static_cast<std::size_t>(bad - ids.begin()), *bad, V);
}

// Neither infinite nor NaN, by the exponent.
bool all_finite(const float* x, std::size_t count) {
    bool finite = true;
    for (std::size_t i = 0; i < count; ++i)
        finite &= (std::bit_cast<std::uint32_t>(x[i]) & 0x7F800000u) != 0x7F800000u;
    return finite;
}

bool all_finite(Matrix<const float> m) {
    if (m.cols == 0) return true;
    for (std::size_t r = 0; r < m.rows; ++r)
        if (!all_finite(m.row(r), m.cols)) return false;
    return true;
}

constexpr std::size_t width = 64; // columns at a time, their sums on the stack

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    if (onehot.rows != ids.size()) return Status{Code::shape_mismatch};
    if (const Status bad = first_bad(ids, onehot.cols); bad.code != Code::ok) return bad;
    for (std::size_t n = ids.size(); n-- > 0;) { // an id that passed means V > 0
        std::memset(onehot.row(n), 0, onehot.cols * sizeof(float)); // all bits 0 are +0.0f
        onehot(n, static_cast<std::size_t>(ids[n])) = 1;
    }
    return Status{};
}

// Products with a zero of `onehot` are skipped where the table holds finite numbers only: they are zeros then.
Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    const std::size_t N = onehot.rows, V = onehot.cols, C = table.cols;
    if (table.rows != V || out.rows != N || out.cols != C) return Status{Code::shape_mismatch};
    if (N == 0 || C == 0) return Status{};

    const bool skip = all_finite(table);
    for (std::size_t begin = 0; begin < C; begin += width) {
        const std::size_t count = std::min(width, C - begin);
        for (std::size_t n = 0; n < N; ++n) {
            double sum[width] = {};
            for (std::size_t v = V; v-- > 0;) {
                const double weight = onehot(n, v);
                if (skip && weight == 0) continue;
                const float* from = table.row(v) + begin;
                for (std::size_t c = 0; c < count; ++c)
                    sum[c] += weight * from[c];
            }
            for (std::size_t c = 0; c < count; ++c)
                out(n, begin + c) = static_cast<float>(sum[c]);
        }
    }
    return Status{};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (const Status bad = first_bad(ids, table.rows); bad.code != Code::ok) return bad;
    if (table.cols == 0) return Status{};
    for (std::size_t n = ids.size(); n-- > 0;)
        std::memcpy(out.row(n), table.row(static_cast<std::size_t>(ids[n])), table.cols * sizeof(float));
    return Status{};
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    const std::size_t N = onehot.rows, V = onehot.cols, C = dout.cols;
    if (dout.rows != N || dtable.rows != V || dtable.cols != C) return Status{Code::shape_mismatch};
    if (V == 0 || C == 0) return Status{};

    const bool skip = all_finite(dout);
    for (std::size_t begin = 0; begin < C; begin += width) {
        const std::size_t count = std::min(width, C - begin);
        for (std::size_t v = 0; v < V; ++v) {
            double sum[width] = {};
            for (std::size_t n = 0; n < N; ++n) {
                const double weight = onehot(n, v);
                if (skip && weight == 0) continue;
                const float* from = dout.row(n) + begin;
                for (std::size_t c = 0; c < count; ++c)
                    sum[c] += weight * from[c];
            }
            for (std::size_t c = 0; c < count; ++c)
                dtable(v, begin + c) = static_cast<float>(sum[c]);
        }
    }
    return Status{};
}

// In float, the last id first; a column strip at a time.
Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    const std::size_t N = ids.size(), C = dtable.cols;
    if (dout.rows != N || dout.cols != C) return Status{Code::shape_mismatch};
    if (const Status bad = first_bad(ids, dtable.rows); bad.code != Code::ok) return bad;
    if (C == 0) return Status{};
    for (std::size_t begin = 0; begin < C; begin += width) {
        const std::size_t count = std::min(width, C - begin);
        for (std::size_t n = N; n-- > 0;) {
            float* to = dtable.row(static_cast<std::size_t>(ids[n])) + begin;
            const float* from = dout.row(n) + begin;
            for (std::size_t c = 0; c < count; ++c)
                to[c] += from[c];
        }
    }
    return Status{};
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    Cost cost;
    cost.flops = N * V * d * 2;
    cost.selector_bytes = N * V * 4;
    cost.bytes = cost.selector_bytes + (V + N) * d * 4;
    return cost;
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    Cost cost;
    cost.selector_bytes = N * 4;
    cost.bytes = cost.selector_bytes + 2 * N * d * 4;
    return cost;
}

} // namespace exercise
