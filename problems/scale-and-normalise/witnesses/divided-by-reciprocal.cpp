// Fault: embed_scaled_backward divides by a float 1 / sqrt(C), which is one bit off for some squares.
// Origin: round 16
#include "contract.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace exercise {

namespace {

double root_of_width(std::size_t channels) { return std::sqrt(static_cast<double>(channels)); }

bool usable(float eps) { return eps > 0 && std::isfinite(eps); }

struct Moments {
    double mean;
    double factor;
};

Moments moments(const float* row, std::size_t channels, float eps) {
    double sum = 0;
    for (std::size_t c = 0; c < channels; ++c)
        sum += row[c];
    const double mean = sum / static_cast<double>(channels);
    double squares = 0;
    for (std::size_t c = 0; c < channels; ++c) {
        const double d = row[c] - mean;
        squares += d * d;
    }
    return {mean, 1 / std::sqrt(squares / static_cast<double>(channels) + static_cast<double>(eps))};
}

} // namespace

Status embed_scaled(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, Tensor3<float> out) {
    const std::size_t B = ids.rows, T = ids.cols, C = wte.cols;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C)
        return Status{Code::shape_mismatch};
    if (T > wpe.rows) return Status::position_out_of_range(wpe.rows, static_cast<std::int64_t>(wpe.rows), wpe.rows);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const TokenId id = ids(b, t);
            if (id < 0 || static_cast<std::size_t>(id) >= wte.rows)
                return Status::id_out_of_range(b * T + t, id, wte.rows);
        }
    if (B == 0 || T == 0 || C == 0) return {};
    const double scale = root_of_width(C);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            const float* position = wpe.row(t);
            float* sum = out.row(b, t);
            for (std::size_t c = 0; c < C; ++c)
                sum[c] = static_cast<float>(scale * token[c] + position[c]);
        }
    return {};
}

Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe) {
    const std::size_t B = dout.batch, T = dout.time, C = dout.channels;
    if (dtokens.batch != B || dtokens.time != T || dtokens.channels != C || dwpe.cols != C)
        return Status{Code::shape_mismatch};
    if (T > dwpe.rows)
        return Status::position_out_of_range(dwpe.rows, static_cast<std::int64_t>(dwpe.rows), dwpe.rows);
    if (B == 0 || T == 0 || C == 0) return {};
    const float shrink = 1.0F / std::sqrt(static_cast<float>(C)); // as in attention
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* from = dout.row(b, t);
            float* to = dtokens.row(b, t);
            for (std::size_t c = 0; c < C; ++c)
                to[c] = from[c] / shrink;
        }
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* from = dout.row(b, t);
            float* to = dwpe.row(t);
            for (std::size_t c = 0; c < C; ++c)
                to[c] += from[c];
        }
    return {};
}

Status layernorm_rows(Matrix<const float> x, std::span<const float> gain, std::span<const float> bias,
                      float eps, Matrix<float> out) {
    const std::size_t N = x.rows, C = x.cols;
    if (out.rows != N || out.cols != C || gain.size() != C || bias.size() != C)
        return Status{Code::shape_mismatch};
    if (!usable(eps)) return Status{Code::invalid_argument};
    if (N == 0 || C == 0) return {};
    for (std::size_t r = 0; r < N; ++r) {
        const float* row = x.row(r);
        float* to = out.row(r);
        const Moments m = moments(row, C, eps);
        for (std::size_t c = 0; c < C; ++c)
            to[c] = static_cast<float>(gain[c] * ((row[c] - m.mean) * m.factor) + bias[c]);
    }
    return {};
}

Status layernorm_rows_backward(Matrix<const float> x, std::span<const float> gain, float eps,
                               Matrix<const float> dout, Matrix<float> dx, std::span<float> dgain,
                               std::span<float> dbias) {
    const std::size_t N = x.rows, C = x.cols;
    if (dout.rows != N || dout.cols != C || dx.rows != N || dx.cols != C || gain.size() != C ||
        dgain.size() != C || dbias.size() != C)
        return Status{Code::shape_mismatch};
    if (!usable(eps)) return Status{Code::invalid_argument};
    if (N == 0 || C == 0) return {};
    const double width = static_cast<double>(C);
    for (std::size_t r = 0; r < N; ++r) {
        const float* row = x.row(r);
        const float* up = dout.row(r);
        float* down = dx.row(r);
        const Moments m = moments(row, C, eps);
        double plain = 0, along = 0;
        for (std::size_t c = 0; c < C; ++c) {
            const double g = static_cast<double>(up[c]) * gain[c];
            plain += g;
            along += g * ((row[c] - m.mean) * m.factor);
        }
        plain /= width;
        along /= width;
        for (std::size_t c = 0; c < C; ++c) {
            const double g = static_cast<double>(up[c]) * gain[c];
            const double xhat = (row[c] - m.mean) * m.factor;
            down[c] = static_cast<float>(m.factor * (g - plain - xhat * along));
            dgain[c] = static_cast<float>(dgain[c] + up[c] * xhat);
            dbias[c] += up[c];
        }
    }
    return {};
}

Budget count(Config config) {
    const std::uint64_t V = config.vocabulary, P = config.positions, C = config.channels, L = config.layers;
    const std::uint64_t square = C * C;
    Budget b;
    b.token_table = V * C;
    b.position_table = P * C;
    b.embedding_norm = config.embedding_norm ? 2 * C : 0;
    b.blocks = L * (12 * square + 13 * C);
    b.final_norm = 2 * C;
    b.head = config.tied ? 0 : V * C;
    b.total = b.token_table + b.position_table + b.embedding_norm + b.blocks + b.final_norm + b.head;
    const bool half = config.precision == Precision::bf16;
    b.weight_bytes = b.total * (half ? 2 : 4);
    b.gradient_bytes = b.total * (half ? 2 : 4);
    b.optimiser_bytes = b.total * (half ? 12 : 8);
    b.training_bytes = b.weight_bytes + b.gradient_bytes + b.optimiser_bytes;
    return b;
}

} // namespace exercise
