// Fault: std::max(0.0, variance) turns a NaN variance into 0.
// Origin: round 17
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace exercise {

namespace {

Status refuse(Code code) {
    Status s;
    s.code = code;
    return s;
}

bool usable(float eps) { return eps > 0.0f && std::isfinite(eps); }

struct Moments {
    double mean = 0.0;
    double factor = 0.0; // 1 / sqrt(variance + eps)
};

Moments moments(const float* row, std::size_t C, float eps) {
    double sum = 0.0;
    for (std::size_t c = 0; c < C; ++c) sum += row[c];
    const double mean = sum / static_cast<double>(C);
    double squares = 0.0;
    for (std::size_t c = 0; c < C; ++c) {
        const double d = row[c] - mean;
        squares += d * d;
    }
    const double variance = squares / static_cast<double>(C);
    return {mean, 1.0 / std::sqrt(variance + static_cast<double>(eps))};
}

} // namespace

Status embed_scaled(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, Tensor3<float> out) {
    const std::size_t B = ids.rows, T = ids.cols, C = wte.cols, V = wte.rows, P = wpe.rows;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C)
        return refuse(Code::shape_mismatch);
    if (T > P) return Status::position_out_of_range(P, static_cast<std::int64_t>(P), P);
    if (B == 0 || T == 0) return {};
    // check
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const TokenId id = ids(b, t);
            if (id < 0 || static_cast<std::size_t>(id) >= V) return Status::id_out_of_range(b * T + t, id, V);
        }
    if (C == 0) return {};

    const double root = std::sqrt(static_cast<double>(C));
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            const float* position = wpe.row(t);
            float* to = out.row(b, t);
            for (std::size_t c = 0; c < C; ++c) to[c] = static_cast<float>(root * token[c] + position[c]);
        }
    return {};
}

Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe) {
    const std::size_t B = dout.batch, T = dout.time, C = dout.channels, P = dwpe.rows;
    if (dtokens.batch != B || dtokens.time != T || dtokens.channels != C || dwpe.cols != C)
        return refuse(Code::shape_mismatch);
    if (T > P) return Status::position_out_of_range(P, static_cast<std::int64_t>(P), P);
    // positions
    if (B == 0 || T == 0 || C == 0) return {};

    const double root = std::sqrt(static_cast<double>(C));
    std::vector<double> sums(C);
    for (std::size_t t = 0; t < T; ++t) {
        std::fill(sums.begin(), sums.end(), 0.0);
        for (std::size_t b = 0; b < B; ++b) {
            const float* from = dout.row(b, t);
            float* to = dtokens.row(b, t);
            for (std::size_t c = 0; c < C; ++c) {
                to[c] = static_cast<float>(root * from[c]);
                sums[c] += from[c];
            }
        }
        float* add = dwpe.row(t);
        for (std::size_t c = 0; c < C; ++c) add[c] = static_cast<float>(add[c] + sums[c]);
    }
    return {};
}

Status layernorm_rows(Matrix<const float> x, std::span<const float> gain, std::span<const float> bias,
                      float eps, Matrix<float> out) {
    const std::size_t N = x.rows, C = x.cols;
    if (out.rows != N || out.cols != C || gain.size() != C || bias.size() != C)
        return refuse(Code::shape_mismatch);
    if (!usable(eps)) return refuse(Code::invalid_argument);
    if (N == 0 || C == 0) return {};
    for (std::size_t r = 0; r < N; ++r) {
        const float* from = x.row(r);
        float* to = out.row(r);
        double sum = 0.0;
        for (std::size_t c = 0; c < C; ++c) sum += from[c];
        Moments m;
        m.mean = sum / static_cast<double>(C);
        double squares = 0.0;
        for (std::size_t c = 0; c < C; ++c) squares += (from[c] - m.mean) * (from[c] - m.mean);
        const double variance = std::max(0.0, squares / static_cast<double>(C)); // no root of a negative number
        m.factor = 1.0 / std::sqrt(variance + static_cast<double>(eps));
        for (std::size_t c = 0; c < C; ++c)
            to[c] = static_cast<float>(gain[c] * ((from[c] - m.mean) * m.factor) + bias[c]);
    }
    return {};
}

Status layernorm_rows_backward(Matrix<const float> x, std::span<const float> gain, float eps,
                               Matrix<const float> dout, Matrix<float> dx, std::span<float> dgain,
                               std::span<float> dbias) {
    const std::size_t N = x.rows, C = x.cols;
    if (dout.rows != N || dout.cols != C || dx.rows != N || dx.cols != C || gain.size() != C ||
        dgain.size() != C || dbias.size() != C)
        return refuse(Code::shape_mismatch);
    if (!usable(eps)) return refuse(Code::invalid_argument);
    if (N == 0 || C == 0) return {};

    // sums
    std::vector<double> gain_sum(C, 0.0), bias_sum(C, 0.0);
    auto one_row = [&](std::size_t r) {
        const float* from = x.row(r);
        const float* up = dout.row(r);
        float* to = dx.row(r);
        // row
        const Moments m = moments(from, C, eps);
        double mean_g = 0.0, mean_gx = 0.0;
        for (std::size_t c = 0; c < C; ++c) {
            const double g = static_cast<double>(up[c]) * gain[c];
            mean_g += g;
            mean_gx += g * ((from[c] - m.mean) * m.factor);
        }
        mean_g /= static_cast<double>(C);
        mean_gx /= static_cast<double>(C);
        for (std::size_t c = 0; c < C; ++c) {
            const double xhat = (from[c] - m.mean) * m.factor;
            const double g = static_cast<double>(up[c]) * gain[c];
            to[c] = static_cast<float>(m.factor * (g - mean_g - xhat * mean_gx));
            gain_sum[c] += up[c] * xhat;
            bias_sum[c] += up[c];
        }
    };
    for (std::size_t r = 0; r < N; ++r) one_row(r);
    for (std::size_t c = 0; c < C; ++c) {
        dgain[c] = static_cast<float>(dgain[c] + gain_sum[c]);
        dbias[c] = static_cast<float>(dbias[c] + bias_sum[c]);
    }
    return {};
}

Budget count(Config config) {
    const std::uint64_t V = config.vocabulary, P = config.positions, C = config.channels, L = config.layers;
    Budget n;
    n.token_table = V * C;
    n.position_table = P * C;
    n.embedding_norm = config.embedding_norm ? 2 * C : 0;
    n.blocks = L * (12 * C * C + 13 * C);
    n.final_norm = 2 * C;
    n.head = config.tied ? 0 : V * C;
    n.total = n.token_table + n.position_table + n.embedding_norm + n.blocks + n.final_norm + n.head;
    const bool half = config.precision == Precision::bf16;
    n.weight_bytes = n.total * (half ? 2 : 4);
    n.gradient_bytes = n.total * (half ? 2 : 4);
    n.optimiser_bytes = n.total * (half ? 12 : 8);
    n.training_bytes = n.weight_bytes + n.gradient_bytes + n.optimiser_bytes;
    return n;
}

} // namespace exercise
