// Fault: The shortcut for equal gains compares whole groups of 8 only, not the last C % 8.
// Origin: round 21
#include "contract.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

namespace exercise {

namespace {
/// Are all gains the same number, as they are before the first step of training?
bool uniform(std::span<const float> gain) {
    const std::size_t C = gain.size();
    if (C < 16 || !std::isfinite(gain[0])) return false;
    for (std::size_t c = 0; c + 8 <= C; c += 8) {
        bool same = true;
        for (std::size_t i = 0; i < 8; ++i) same &= gain[c + i] == gain[0];
        if (!same) return false;
    }
    return true;
}
} // namespace

Status embed_scaled(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, Tensor3<float> out) {
    const std::size_t B = ids.rows, T = ids.cols, C = wte.cols, V = wte.rows, P = wpe.rows;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C)
        return Status{Code::shape_mismatch};
    if (T > P) return Status::position_out_of_range(P, static_cast<std::int64_t>(P), P);
    if (B == 0 || T == 0) return Status{};
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const TokenId id = ids(b, t);
            if (id < 0 || static_cast<std::size_t>(id) >= V) return Status::id_out_of_range(b * T + t, id, V);
        }
    if (C == 0) return Status{};
    const auto scale = static_cast<float>(std::sqrt(static_cast<double>(C)));
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            const float* position = wpe.row(t);
            float* o = out.row(b, t);
            for (std::size_t c = 0; c < C; ++c) o[c] = scale * token[c] + position[c];
        }
    return Status{};
}

Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe) {
    const std::size_t B = dout.batch, T = dout.time, C = dout.channels, P = dwpe.rows;
    if (dtokens.batch != B || dtokens.time != T || dtokens.channels != C || dwpe.cols != C)
        return Status{Code::shape_mismatch};
    if (T > P) return Status::position_out_of_range(P, static_cast<std::int64_t>(P), P);
    if (B == 0 || T == 0 || C == 0) return Status{};
    const auto scale = static_cast<float>(std::sqrt(static_cast<double>(C)));
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* d = dout.row(b, t);
            float* token = dtokens.row(b, t);
            float* position = dwpe.row(t);
            for (std::size_t c = 0; c < C; ++c) {
                token[c] = scale * d[c];
                position[c] += d[c];
            }
        }
    return Status{};
}

namespace {
struct Moments {
    double mean = 0;
    double factor = 0; ///< 1 / sqrt(variance + eps)
};

Moments moments(const float* x, std::size_t C, float eps) {
    double sum = 0;
    for (std::size_t c = 0; c < C; ++c) sum += x[c];
    const double mean = sum / static_cast<double>(C);
    double squares = 0;
    for (std::size_t c = 0; c < C; ++c) squares += (x[c] - mean) * (x[c] - mean);
    return {mean, 1.0 / std::sqrt(squares / static_cast<double>(C) + eps)};
}
} // namespace

Status layernorm_rows(Matrix<const float> x, std::span<const float> gain, std::span<const float> bias,
                      float eps, Matrix<float> out) {
    const std::size_t N = x.rows, C = x.cols;
    if (out.rows != N || out.cols != C || gain.size() != C || bias.size() != C)
        return Status{Code::shape_mismatch};
    if (!(eps > 0) || !std::isfinite(eps)) return Status{Code::invalid_argument};
    if (N == 0 || C == 0) return Status{};
    for (std::size_t n = 0; n < N; ++n) {
        const float* in = x.row(n);
        const auto [mean, factor] = moments(in, C, eps);
        float* o = out.row(n);
        for (std::size_t c = 0; c < C; ++c)
            o[c] = static_cast<float>(gain[c] * ((in[c] - mean) * factor) + bias[c]);
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
    if (N == 0 || C == 0) return Status{};
    const auto channels = static_cast<double>(C);
    const bool one_gain = uniform(gain);
    for (std::size_t n = 0; n < N; ++n) {
        const float* in = x.row(n);
        const float* d = dout.row(n);
        float* result = dx.row(n);
        const auto [mean, factor] = moments(in, C, eps);
        double sum = 0, sum_xhat = 0;
        if (one_gain) { // the gain is a factor of both means
            for (std::size_t c = 0; c < C; ++c) {
                const double xhat = (in[c] - mean) * factor;
                sum += d[c];
                sum_xhat += d[c] * xhat;
                dgain[c] += static_cast<float>(d[c] * xhat);
                dbias[c] += d[c];
            }
            const double mean_d = sum / channels, mean_dx = sum_xhat / channels, both = factor * gain[0];
            for (std::size_t c = 0; c < C; ++c) {
                const double xhat = (in[c] - mean) * factor;
                result[c] = static_cast<float>(both * (d[c] - mean_d - xhat * mean_dx));
            }
            continue;
        }
        for (std::size_t c = 0; c < C; ++c) {
            const double xhat = (in[c] - mean) * factor;
            const double g = static_cast<double>(d[c]) * gain[c];
            sum += g;
            sum_xhat += g * xhat;
            dgain[c] += static_cast<float>(d[c] * xhat);
            dbias[c] += d[c];
        }
        const double mean_g = sum / channels, mean_gx = sum_xhat / channels;
        for (std::size_t c = 0; c < C; ++c) {
            const double xhat = (in[c] - mean) * factor;
            const double g = static_cast<double>(d[c]) * gain[c];
            result[c] = static_cast<float>(factor * (g - mean_g - xhat * mean_gx));
        }
    }
    return Status{};
}

Budget count(Config config) {
    const std::uint64_t V = config.vocabulary, P = config.positions, C = config.channels, L = config.layers;
    const bool half = config.precision == Precision::bf16;
    Budget b;
    b.token_table = V * C;
    b.position_table = P * C;
    b.embedding_norm = config.embedding_norm ? 2 * C : 0;
    b.blocks = L * (12 * C * C + 13 * C);
    b.final_norm = 2 * C;
    b.head = config.tied ? 0 : V * C;
    b.total = b.token_table + b.position_table + b.embedding_norm + b.blocks + b.final_norm + b.head;
    b.weight_bytes = b.total * (half ? 2 : 4);
    b.gradient_bytes = b.total * (half ? 2 : 4);
    b.optimiser_bytes = b.total * (half ? 12 : 8);
    b.training_bytes = b.weight_bytes + b.gradient_bytes + b.optimiser_bytes;
    return b;
}

} // namespace exercise
