// wrong: embed_scaled keeps sqrt(C) in a static variable that is set by the first call; every later call of embed_scaled with another C is scaled with the first call's sqrt(C), a right one uses sqrt of its own C. (embed_scaled_backward is right.)
#include "contract.h"

#include <cmath>
#include <vector>

namespace exercise {

Status embed_scaled(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, Tensor3<float> out) {
    const std::size_t B = ids.rows, T = ids.cols, C = wte.cols, V = wte.rows, P = wpe.rows;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C)
        return Status{Code::shape_mismatch};
    if (T > P) return Status::position_out_of_range(P, static_cast<std::int64_t>(P), P);
    if (B == 0 || T == 0) return Status{};
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= V)
                return Status::id_out_of_range(b * T + t, ids(b, t), V);

    static const double factor = std::sqrt(static_cast<double>(C));
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            for (std::size_t c = 0; c < C; ++c)
                out(b, t, c) = static_cast<float>(factor * wte(static_cast<std::size_t>(ids(b, t)), c) +
                                                  static_cast<double>(wpe(t, c)));
    return Status{};
}

Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe) {
    const std::size_t B = dout.batch, T = dout.time, C = dout.channels, P = dwpe.rows;
    if (dtokens.batch != B || dtokens.time != T || dtokens.channels != C || dwpe.cols != C)
        return Status{Code::shape_mismatch};
    if (T > P) return Status::position_out_of_range(P, static_cast<std::int64_t>(P), P);
    if (B == 0 || C == 0) return Status{};

    const double factor = std::sqrt(static_cast<double>(C));
    for (std::size_t t = 0; t < T; ++t)
        for (std::size_t c = 0; c < C; ++c) {
            double sum = dwpe(t, c);
            for (std::size_t b = 0; b < B; ++b) {
                const double d = dout(b, t, c);
                dtokens(b, t, c) = static_cast<float>(factor * d);
                sum += d;
            }
            dwpe(t, c) = static_cast<float>(sum);
        }
    return Status{};
}

namespace {

struct Moments {
    double mean = 0;
    double factor = 0; // 1 / sqrt(variance + eps)
};

Moments moments(const float* x, std::size_t C, float eps) {
    double sum = 0, squares = 0;
    for (std::size_t c = 0; c < C; ++c)
        sum += x[c];
    const double mean = sum / static_cast<double>(C);
    for (std::size_t c = 0; c < C; ++c)
        squares += (x[c] - mean) * (x[c] - mean);
    return {mean, 1 / std::sqrt(squares / static_cast<double>(C) + eps)};
}

} // namespace

Status layernorm_rows(Matrix<const float> x, std::span<const float> gain, std::span<const float> bias,
                      float eps, Matrix<float> out) {
    const std::size_t N = x.rows, C = x.cols;
    if (out.rows != N || out.cols != C || gain.size() != C || bias.size() != C)
        return Status{Code::shape_mismatch};
    if (!(eps > 0) || !std::isfinite(eps)) return Status{Code::invalid_argument};
    if (C == 0) return Status{};

    for (std::size_t n = 0; n < N; ++n) {
        const Moments m = moments(x.row(n), C, eps);
        for (std::size_t c = 0; c < C; ++c)
            out(n, c) = static_cast<float>(gain[c] * ((x(n, c) - m.mean) * m.factor) + bias[c]);
    }
    return Status{};
}

Status layernorm_rows_backward(Matrix<const float> x, std::span<const float> gain, float eps,
                               Matrix<const float> dout, Matrix<float> dx, std::span<float> dgain,
                               std::span<float> dbias) {
    const std::size_t N = x.rows, C = x.cols;
    if (dout.rows != N || dout.cols != C || dx.rows != N || dx.cols != C || gain.size() != C ||
        dgain.size() != C || dbias.size() != C)
        return Status{Code::shape_mismatch};
    if (!(eps > 0) || !std::isfinite(eps)) return Status{Code::invalid_argument};
    if (C == 0 || N == 0) return Status{};

    std::vector<double> gain_sum(dgain.begin(), dgain.end()), bias_sum(dbias.begin(), dbias.end());
    for (std::size_t n = 0; n < N; ++n) {
        const float* row = x.row(n);
        const Moments m = moments(row, C, eps);
        double g_sum = 0, gx_sum = 0;
        for (std::size_t c = 0; c < C; ++c) {
            const double xhat = (row[c] - m.mean) * m.factor;
            const double g = static_cast<double>(dout(n, c)) * gain[c];
            g_sum += g;
            gx_sum += g * xhat;
            gain_sum[c] += dout(n, c) * xhat;
            bias_sum[c] += dout(n, c);
        }
        const double g_mean = g_sum / static_cast<double>(C), gx_mean = gx_sum / static_cast<double>(C);
        for (std::size_t c = 0; c < C; ++c) {
            const double xhat = (row[c] - m.mean) * m.factor;
            const double g = static_cast<double>(dout(n, c)) * gain[c];
            dx(n, c) = static_cast<float>(m.factor * (g - g_mean - xhat * gx_mean));
        }
    }
    for (std::size_t c = 0; c < C; ++c) {
        dgain[c] = static_cast<float>(gain_sum[c]);
        dbias[c] = static_cast<float>(bias_sum[c]);
    }
    return Status{};
}

Budget count(Config config) {
    const std::uint64_t V = config.vocabulary, C = config.channels, L = config.layers;
    Budget budget;
    budget.token_table = V * C;
    budget.position_table = config.positions * C;
    budget.embedding_norm = config.embedding_norm ? 2 * C : 0;
    budget.blocks = L * (12 * C * C + 13 * C);
    budget.final_norm = 2 * C;
    budget.head = config.tied ? 0 : V * C;
    budget.total = budget.token_table + budget.position_table + budget.embedding_norm + budget.blocks +
                   budget.final_norm + budget.head;

    const bool small = config.precision == Precision::bf16;
    budget.weight_bytes = budget.total * (small ? 2 : 4);
    budget.gradient_bytes = budget.total * (small ? 2 : 4);
    budget.optimiser_bytes = budget.total * (small ? 12 : 8);
    budget.training_bytes = budget.weight_bytes + budget.gradient_bytes + budget.optimiser_bytes;
    return budget;
}

} // namespace exercise
