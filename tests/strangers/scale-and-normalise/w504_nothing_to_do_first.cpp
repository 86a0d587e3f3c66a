// wrong: embed_scaled_backward returns at once where B or C is 0, before it compares T with P, so too long a sequence is not refused there; a right one refuses whether or not there is work to do.
#include "contract.h"

#include <cmath>
#include <vector>

namespace exercise {
namespace {

struct Moments {
    double mean, root;
};

Moments moments(const float* x, std::size_t C, double eps) {
    double sum = 0, squares = 0;
    for (std::size_t c = 0; c < C; ++c)
        sum += x[c];
    const double mean = sum / double(C);
    for (std::size_t c = 0; c < C; ++c)
        squares += (x[c] - mean) * (x[c] - mean);
    return {mean, std::sqrt(squares / double(C) + eps)};
}

} // namespace

Status embed_scaled(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, Tensor3<float> out) {
    const std::size_t B = ids.rows, T = ids.cols, C = wte.cols;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C) return {Code::shape_mismatch};
    if (T > wpe.rows) return Status::position_out_of_range(wpe.rows, std::int64_t(wpe.rows), wpe.rows);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            if (ids(b, t) < 0 || std::size_t(ids(b, t)) >= wte.rows)
                return Status::id_out_of_range(b * T + t, ids(b, t), wte.rows);
    const double factor = std::sqrt(double(C));
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const auto id = std::size_t(ids(b, t));
            for (std::size_t c = 0; c < C; ++c)
                out(b, t, c) = float(factor * wte(id, c) + wpe(t, c));
        }
    return {};
}

Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe) {
    const std::size_t B = dout.batch, T = dout.time, C = dout.channels;
    if (dtokens.batch != B || dtokens.time != T || dtokens.channels != C || dwpe.cols != C)
        return {Code::shape_mismatch};
    if (B == 0 || C == 0) return {}; // no gradient
    if (T > dwpe.rows) return Status::position_out_of_range(dwpe.rows, std::int64_t(dwpe.rows), dwpe.rows);
    const double factor = std::sqrt(double(C));
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            for (std::size_t c = 0; c < C; ++c) {
                dtokens(b, t, c) = float(factor * dout(b, t, c));
                dwpe(t, c) += dout(b, t, c);
            }
    return {};
}

Status layernorm_rows(Matrix<const float> x, std::span<const float> gain, std::span<const float> bias,
                      float eps, Matrix<float> out) {
    const std::size_t N = x.rows, C = x.cols;
    if (out.rows != N || out.cols != C || gain.size() != C || bias.size() != C) return {Code::shape_mismatch};
    if (!(eps > 0) || !std::isfinite(eps)) return {Code::invalid_argument};
    if (C == 0) return {};
    for (std::size_t n = 0; n < N; ++n) {
        const Moments m = moments(x.row(n), C, eps);
        for (std::size_t c = 0; c < C; ++c)
            out(n, c) = float(gain[c] * ((x(n, c) - m.mean) / m.root) + bias[c]);
    }
    return {};
}

Status layernorm_rows_backward(Matrix<const float> x, std::span<const float> gain, float eps,
                               Matrix<const float> dout, Matrix<float> dx, std::span<float> dgain,
                               std::span<float> dbias) {
    const std::size_t N = x.rows, C = x.cols;
    if (dout.rows != N || dout.cols != C || dx.rows != N || dx.cols != C || gain.size() != C ||
        dgain.size() != C || dbias.size() != C)
        return {Code::shape_mismatch};
    if (!(eps > 0) || !std::isfinite(eps)) return {Code::invalid_argument};
    if (C == 0) return {};
    std::vector<double> gain_sum(C), bias_sum(C);
    for (std::size_t n = 0; n < N; ++n) {
        const Moments m = moments(x.row(n), C, eps);
        double mean_g = 0, mean_gx = 0;
        for (std::size_t c = 0; c < C; ++c) {
            const double xhat = (x(n, c) - m.mean) / m.root;
            const double g = double(dout(n, c)) * gain[c];
            mean_g += g;
            mean_gx += g * xhat;
            gain_sum[c] += dout(n, c) * xhat;
            bias_sum[c] += dout(n, c);
        }
        mean_g /= double(C), mean_gx /= double(C);
        for (std::size_t c = 0; c < C; ++c) {
            const double xhat = (x(n, c) - m.mean) / m.root;
            dx(n, c) = float((double(dout(n, c)) * gain[c] - mean_g - xhat * mean_gx) / m.root);
        }
    }
    for (std::size_t c = 0; c < C; ++c) {
        dgain[c] = float(dgain[c] + gain_sum[c]);
        dbias[c] = float(dbias[c] + bias_sum[c]);
    }
    return {};
}

Budget count(Config config) {
    const std::uint64_t V = config.vocabulary, P = config.positions, C = config.channels;
    Budget budget;
    budget.token_table = V * C;
    budget.position_table = P * C;
    budget.embedding_norm = config.embedding_norm ? 2 * C : 0;
    budget.blocks = config.layers * (12 * C * C + 13 * C);
    budget.final_norm = 2 * C;
    budget.head = config.tied ? 0 : V * C;
    budget.total = budget.token_table + budget.position_table + budget.embedding_norm + budget.blocks +
                   budget.final_norm + budget.head;
    const bool half = config.precision == Precision::bf16;
    budget.weight_bytes = budget.gradient_bytes = (half ? 2 : 4) * budget.total;
    budget.optimiser_bytes = (half ? 12 : 8) * budget.total;
    budget.training_bytes = budget.weight_bytes + budget.gradient_bytes + budget.optimiser_bytes;
    return budget;
}

} // namespace exercise
