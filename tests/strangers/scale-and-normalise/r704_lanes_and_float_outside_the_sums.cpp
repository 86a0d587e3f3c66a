// right: four running sums in double for each sum over the channels, xhat kept in a row of floats, and float arithmetic for all that is no sum over the channels
#include "contract.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace exercise {

namespace {

template <class Term>
double sum_over(std::size_t C, const Term& term) {
    double lane[4] = {};
    std::size_t c = 0;
    for (; C - c >= 4; c += 4)
        for (std::size_t i = 0; i < 4; ++i)
            lane[i] += term(c + i);
    for (; c < C; ++c)
        lane[c % 4] += term(c);
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

/// Writes xhat of a row and returns sqrt(variance + eps).
double normalise(const float* x, std::size_t C, float eps, std::vector<float>& xhat) {
    const auto count = static_cast<double>(C);
    const double mean = sum_over(C, [x](std::size_t c) -> double { return x[c]; }) / count;
    const double variance = sum_over(C, [x, mean](std::size_t c) {
        const double d = x[c] - mean;
        return d * d;
    }) / count;
    const double deviation = std::sqrt(variance + eps);
    for (std::size_t c = 0; c < C; ++c)
        xhat[c] = static_cast<float>((x[c] - mean) / deviation);
    return deviation;
}

std::optional<Status> bad_eps(float eps) {
    if (eps > 0 && eps <= std::numeric_limits<float>::max()) return std::nullopt;
    return Status{.code = Code::invalid_argument};
}

std::optional<Status> too_long(std::size_t T, std::size_t P) {
    if (P >= T) return std::nullopt;
    return Status::position_out_of_range(P, static_cast<std::int64_t>(P), P);
}

} // namespace

Status embed_scaled(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, Tensor3<float> out) {
    const std::size_t B = ids.rows, T = ids.cols, C = wte.cols;
    if (C != wpe.cols || B != out.batch || T != out.time || C != out.channels) return {Code::shape_mismatch};
    if (const auto no = too_long(T, wpe.rows)) return *no;
    if (B == 0 || T == 0) return {};
    for (std::size_t i = 0; i < B * T; ++i) {
        const TokenId id = ids(i / T, i % T);
        if (id < 0 || wte.rows <= static_cast<std::size_t>(id)) return Status::id_out_of_range(i, id, wte.rows);
    }
    if (C == 0) return {};
    const auto factor = static_cast<float>(std::sqrt(static_cast<double>(C)));
    // Positions first, for all sequences; then the tokens come on top.
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            for (std::size_t c = 0; c < C; ++c)
                out(b, t, c) = wpe(t, c);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            for (std::size_t c = 0; c < C; ++c)
                out(b, t, c) += factor * wte(static_cast<std::size_t>(ids(b, t)), c);
    return {};
}

Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe) {
    const std::size_t B = dout.batch, T = dout.time, C = dout.channels;
    if (C != dwpe.cols || B != dtokens.batch || T != dtokens.time || C != dtokens.channels)
        return {Code::shape_mismatch};
    if (const auto no = too_long(T, dwpe.rows)) return *no;
    if (B == 0 || T == 0 || C == 0) return {};
    const auto factor = static_cast<float>(std::sqrt(static_cast<double>(C)));
    for (std::size_t b = B; b-- > 0;)
        for (std::size_t t = 0; t < T; ++t)
            for (std::size_t c = 0; c < C; ++c) {
                dtokens(b, t, c) = factor * dout(b, t, c);
                dwpe(t, c) += dout(b, t, c);
            }
    return {};
}

Status layernorm_rows(Matrix<const float> x, std::span<const float> gain, std::span<const float> bias,
                      float eps, Matrix<float> out) {
    const std::size_t N = x.rows, C = x.cols;
    if (N != out.rows || C != out.cols || C != gain.size() || C != bias.size()) return {Code::shape_mismatch};
    if (const auto no = bad_eps(eps)) return *no;
    if (N == 0 || C == 0) return {};
    std::vector<float> xhat(C);
    for (std::size_t n = 0; n < N; ++n) {
        normalise(x.row(n), C, eps, xhat);
        for (std::size_t c = 0; c < C; ++c)
            out(n, c) = gain[c] * xhat[c] + bias[c];
    }
    return {};
}

Status layernorm_rows_backward(Matrix<const float> x, std::span<const float> gain, float eps,
                               Matrix<const float> dout, Matrix<float> dx, std::span<float> dgain,
                               std::span<float> dbias) {
    const std::size_t N = x.rows, C = x.cols;
    if (N != dout.rows || C != dout.cols || N != dx.rows || C != dx.cols) return {Code::shape_mismatch};
    if (C != gain.size() || C != dgain.size() || C != dbias.size()) return {Code::shape_mismatch};
    if (const auto no = bad_eps(eps)) return *no;
    if (N == 0 || C == 0) return {};
    std::vector<float> xhat(C), g(C);
    for (std::size_t n = 0; n < N; ++n) {
        const double deviation = normalise(x.row(n), C, eps, xhat);
        const float* const d = dout.row(n);
        for (std::size_t c = 0; c < C; ++c)
            g[c] = d[c] * gain[c];
        const double plain = sum_over(C, [&](std::size_t c) -> double { return g[c]; }) / static_cast<double>(C);
        const double along = sum_over(C, [&](std::size_t c) { return static_cast<double>(g[c]) * xhat[c]; }) /
                             static_cast<double>(C);
        float* const to = dx.row(n);
        for (std::size_t c = 0; c < C; ++c) {
            to[c] = static_cast<float>((g[c] - plain - xhat[c] * along) / deviation);
            dgain[c] += d[c] * xhat[c];
            dbias[c] += d[c];
        }
    }
    return {};
}

Budget count(Config config) {
    const auto [V, P, C, L, norm, tied, precision] = config;
    const std::uint64_t table = V * C;
    Budget budget{.token_table = table,
                  .position_table = P * C,
                  .embedding_norm = norm ? 2 * C : 0,
                  .blocks = L * (4 * C + 4 * C * C + 4 * C + 8 * C * C + 5 * C),
                  .final_norm = 2 * C,
                  .head = tied ? 0 : table};
    budget.total = table + budget.position_table + budget.embedding_norm + budget.blocks + budget.final_norm +
                   budget.head;
    const bool full = precision == Precision::fp32;
    budget.weight_bytes = budget.total * (full ? 4U : 2U);
    budget.gradient_bytes = budget.weight_bytes;
    budget.optimiser_bytes = budget.total * (full ? 8U : 12U);
    budget.training_bytes = budget.total * 16U;
    return budget;
}

} // namespace exercise
