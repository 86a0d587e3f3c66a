// wrong: count gives 8 optimiser bytes a parameter for bf16 too, instead of 12
#include "contract.h"

#include <cmath>
#include <vector>

namespace exercise {

Status embed_scaled(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, Tensor3<float> out) {
    const std::size_t B = ids.rows, T = ids.cols, C = wte.cols, V = wte.rows, P = wpe.rows;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C) return Status{Code::shape_mismatch};
    if (T > P) return Status::position_out_of_range(P, static_cast<std::int64_t>(P), P);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= V)
                return Status::id_out_of_range(b * T + t, ids(b, t), V);
    const double root = std::sqrt(static_cast<double>(C));
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            for (std::size_t c = 0; c < C; ++c)
                out(b, t, c) = static_cast<float>(root * token[c] + wpe(t, c));
        }
    return Status{};
}

Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe) {
    const std::size_t B = dout.batch, T = dout.time, C = dout.channels, P = dwpe.rows;
    if (dtokens.batch != B || dtokens.time != T || dtokens.channels != C || dwpe.cols != C)
        return Status{Code::shape_mismatch};
    if (T > P) return Status::position_out_of_range(P, static_cast<std::int64_t>(P), P);
    const double root = std::sqrt(static_cast<double>(C));
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            for (std::size_t c = 0; c < C; ++c) {
                dtokens(b, t, c) = static_cast<float>(root * dout(b, t, c));
                dwpe(t, c) += dout(b, t, c);
            }
    return Status{};
}

Status layernorm_rows(Matrix<const float> x, std::span<const float> gain, std::span<const float> bias,
                      float eps, Matrix<float> out) {
    const std::size_t N = x.rows, C = x.cols;
    if (out.rows != N || out.cols != C || gain.size() != C || bias.size() != C) return Status{Code::shape_mismatch};
    if (!(eps > 0.0F) || !std::isfinite(eps)) return Status{Code::invalid_argument};
    for (std::size_t r = 0; r < N; ++r) {
        double sum = 0.0;
        for (std::size_t c = 0; c < C; ++c) sum += x(r, c);
        const double mean = sum / static_cast<double>(C);
        double squares = 0.0;
        for (std::size_t c = 0; c < C; ++c) squares += (x(r, c) - mean) * (x(r, c) - mean);
        const double factor = 1.0 / std::sqrt(squares / static_cast<double>(C) + eps);
        for (std::size_t c = 0; c < C; ++c)
            out(r, c) = static_cast<float>(gain[c] * ((x(r, c) - mean) * factor) + bias[c]);
    }
    return Status{};
}

Status layernorm_rows_backward(Matrix<const float> x, std::span<const float> gain, float eps,
                               Matrix<const float> dout, Matrix<float> dx, std::span<float> dgain,
                               std::span<float> dbias) {
    const std::size_t rows = x.rows, width = x.cols;
    if (dout.rows != rows || dout.cols != width || dx.rows != rows || dx.cols != width) return Status{Code::shape_mismatch};
    if (gain.size() != width || dgain.size() != width || dbias.size() != width) return Status{Code::shape_mismatch};
    if (!(eps > 0.0F) || std::isinf(eps)) return Status{Code::invalid_argument};
    std::vector<double> xhat(width), gain_sum(width, 0.0), bias_sum(width, 0.0);
    const double n = static_cast<double>(width);
    for (std::size_t r = 0; r < rows; ++r) {
        double total = 0.0, spread = 0.0, mean_g = 0.0, mean_gx = 0.0;
        for (std::size_t c = 0; c < width; ++c) total += x(r, c);
        const double mu = total / n;
        for (std::size_t c = 0; c < width; ++c) spread += (x(r, c) - mu) * (x(r, c) - mu);
        const double inverse = 1.0 / std::sqrt(spread / n + eps);
        for (std::size_t c = 0; c < width; ++c) {
            xhat[c] = (x(r, c) - mu) * inverse;
            const double g = static_cast<double>(dout(r, c)) * gain[c];
            mean_g += g;
            mean_gx += g * xhat[c];
        }
        mean_g /= n;
        mean_gx /= n;
        for (std::size_t c = 0; c < width; ++c) {
            const double g = static_cast<double>(dout(r, c)) * gain[c];
            dx(r, c) = static_cast<float>(inverse * (g - mean_g - xhat[c] * mean_gx));
            gain_sum[c] += dout(r, c) * xhat[c];
            bias_sum[c] += dout(r, c);
        }
    }
    for (std::size_t c = 0; c < width; ++c) {
        dgain[c] = static_cast<float>(dgain[c] + gain_sum[c]);
        dbias[c] = static_cast<float>(dbias[c] + bias_sum[c]);
    }
    return Status{};
}

Budget count(Config config) {
    const std::uint64_t V = config.vocabulary, C = config.channels;
    Budget b;
    b.token_table = V * C;
    b.position_table = config.positions * C;
    b.embedding_norm = config.embedding_norm ? 2 * C : 0;
    b.blocks = config.layers * (12 * C * C + 13 * C);
    b.final_norm = 2 * C;
    b.head = config.tied ? 0 : V * C;
    b.total = b.token_table + b.position_table + b.embedding_norm + b.blocks + b.final_norm + b.head;
    const bool half = config.precision == Precision::bf16;
    b.weight_bytes = b.total * (half ? 2 : 4);
    b.gradient_bytes = b.total * (half ? 2 : 4);
    b.optimiser_bytes = b.total * 8;
    b.training_bytes = b.weight_bytes + b.gradient_bytes + b.optimiser_bytes;
    return b;
}

} // namespace exercise
