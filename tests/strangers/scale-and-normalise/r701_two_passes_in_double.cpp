// right: two passes over each row, everything in double, also the gradients of gain and bias over the rows; only results are rounded
#include "contract.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace exercise {

namespace {

const Status misfit{Code::shape_mismatch};

double root(std::size_t channels) {
    return std::sqrt(static_cast<double>(channels));
}

} // namespace

Status embed_scaled(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, Tensor3<float> out) {
    const std::size_t B = ids.rows, T = ids.cols, C = wte.cols, V = wte.rows, P = wpe.rows;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C) return misfit;
    if (T > P) return Status::position_out_of_range(P, static_cast<std::int64_t>(P), P);
    if (B == 0 || T == 0) return {};
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= V)
                return Status::id_out_of_range(b * T + t, ids(b, t), V);
    if (C == 0) return {};
    const double factor = root(C);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* const token = wte.row(static_cast<std::size_t>(ids(b, t)));
            const float* const position = wpe.row(t);
            float* const to = out.row(b, t);
            for (std::size_t c = 0; c < C; ++c)
                to[c] = static_cast<float>(factor * token[c] + position[c]);
        }
    return {};
}

Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe) {
    const std::size_t B = dout.batch, T = dout.time, C = dout.channels, P = dwpe.rows;
    if (dtokens.batch != B || dtokens.time != T || dtokens.channels != C || dwpe.cols != C) return misfit;
    if (T > P) return Status::position_out_of_range(P, static_cast<std::int64_t>(P), P);
    if (B == 0 || T == 0 || C == 0) return {};
    const double factor = root(C);
    for (std::size_t t = 0; t < T; ++t) {
        float* const sum = dwpe.row(t);
        for (std::size_t b = 0; b < B; ++b) {
            const float* const from = dout.row(b, t);
            float* const to = dtokens.row(b, t);
            for (std::size_t c = 0; c < C; ++c) {
                to[c] = static_cast<float>(factor * from[c]);
                sum[c] += from[c];
            }
        }
    }
    return {};
}

namespace {

struct Moments {
    double mean, factor;
};

Moments moments(const float* x, std::size_t C, float eps) {
    double sum = 0;
    for (std::size_t c = 0; c < C; ++c)
        sum += x[c];
    const double mean = sum / static_cast<double>(C);
    double squares = 0;
    for (std::size_t c = 0; c < C; ++c) {
        const double off = x[c] - mean;
        squares += off * off;
    }
    return {mean, 1 / std::sqrt(squares / static_cast<double>(C) + eps)};
}

bool good(float eps) {
    return std::isfinite(eps) && eps > 0;
}

} // namespace

Status layernorm_rows(Matrix<const float> x, std::span<const float> gain, std::span<const float> bias,
                      float eps, Matrix<float> out) {
    const std::size_t N = x.rows, C = x.cols;
    if (out.rows != N || out.cols != C || gain.size() != C || bias.size() != C) return misfit;
    if (!good(eps)) return {Code::invalid_argument};
    if (C == 0) return {};
    for (std::size_t n = 0; n < N; ++n) {
        const float* const from = x.row(n);
        const auto [mean, factor] = moments(from, C, eps);
        float* const to = out.row(n);
        for (std::size_t c = 0; c < C; ++c)
            to[c] = static_cast<float>(gain[c] * ((from[c] - mean) * factor) + bias[c]);
    }
    return {};
}

Status layernorm_rows_backward(Matrix<const float> x, std::span<const float> gain, float eps,
                               Matrix<const float> dout, Matrix<float> dx, std::span<float> dgain,
                               std::span<float> dbias) {
    const std::size_t N = x.rows, C = x.cols;
    if (dout.rows != N || dout.cols != C || dx.rows != N || dx.cols != C || gain.size() != C ||
        dgain.size() != C || dbias.size() != C)
        return misfit;
    if (!good(eps)) return {Code::invalid_argument};
    if (N == 0 || C == 0) return {};
    std::vector<double> gains(dgain.begin(), dgain.end()), biases(dbias.begin(), dbias.end());
    for (std::size_t n = 0; n < N; ++n) {
        const float* const from = x.row(n);
        const float* const d = dout.row(n);
        const auto [mean, factor] = moments(from, C, eps);
        double plain = 0, along = 0;
        for (std::size_t c = 0; c < C; ++c) {
            const double g = static_cast<double>(d[c]) * gain[c], xhat = (from[c] - mean) * factor;
            plain += g;
            along += g * xhat;
            gains[c] += d[c] * xhat;
            biases[c] += d[c];
        }
        plain /= static_cast<double>(C);
        along /= static_cast<double>(C);
        float* const to = dx.row(n);
        for (std::size_t c = 0; c < C; ++c) {
            const double g = static_cast<double>(d[c]) * gain[c], xhat = (from[c] - mean) * factor;
            to[c] = static_cast<float>(factor * (g - plain - xhat * along));
        }
    }
    for (std::size_t c = 0; c < C; ++c) {
        dgain[c] = static_cast<float>(gains[c]);
        dbias[c] = static_cast<float>(biases[c]);
    }
    return {};
}

Budget count(Config config) {
    const std::uint64_t V = config.vocabulary, P = config.positions, C = config.channels, L = config.layers;
    Budget b;
    b.token_table = V * C;
    b.position_table = P * C;
    b.embedding_norm = config.embedding_norm ? 2 * C : 0;
    b.blocks = L * (12 * C * C + 13 * C);
    b.final_norm = 2 * C;
    b.head = config.tied ? 0 : V * C;
    b.total = b.token_table + b.position_table + b.embedding_norm + b.blocks + b.final_norm + b.head;
    const bool small = config.precision == Precision::bf16;
    b.weight_bytes = b.gradient_bytes = (small ? 2 : 4) * b.total;
    b.optimiser_bytes = (small ? 12 : 8) * b.total;
    b.training_bytes = b.weight_bytes + b.gradient_bytes + b.optimiser_bytes;
    return b;
}

} // namespace exercise
