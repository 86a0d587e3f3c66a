// Fault: C squared is computed by std::pow in double, which rounds above C = 2^26.
// Origin: round 15
#include "contract.h"

#include <cmath>

namespace exercise {

namespace {

struct Spread {
    double mean = 0;
    double factor = 0; // 1 / sqrt(variance + eps)
};

Spread spread_of(const float* x, std::size_t n, float eps) {
    double sum = 0;
    for (std::size_t c = 0; c < n; ++c) sum += x[c];
    const double mean = sum / static_cast<double>(n);
    double squares = 0;
    for (std::size_t c = 0; c < n; ++c) {
        const double d = x[c] - mean;
        squares += d * d;
    }
    const double variance = squares / static_cast<double>(n);
    return {mean, 1.0 / std::sqrt(variance + static_cast<double>(eps))};
}

bool usable(float eps) {
    return eps > 0 && std::isfinite(eps);
}

} // namespace

Status embed_scaled(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, Tensor3<float> out) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    if (ids.cols > wpe.rows)
        return Status::position_out_of_range(wpe.rows, static_cast<std::int64_t>(wpe.rows), wpe.rows);
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t) {
            const TokenId id = ids(b, t);
            if (id < 0 || static_cast<std::size_t>(id) >= wte.rows)
                return Status::id_out_of_range(b * ids.cols + t, id, wte.rows);
        }
    const std::size_t channels = wte.cols;
    if (channels == 0) return {};
    const double scale = std::sqrt(static_cast<double>(channels));
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            const float* position = wpe.row(t);
            float* to = out.row(b, t);
            for (std::size_t c = 0; c < channels; ++c)
                to[c] = static_cast<float>(scale * token[c] + position[c]);
        }
    return {};
}

Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe) {
    if (dtokens.batch != dout.batch || dtokens.time != dout.time || dtokens.channels != dout.channels ||
        dwpe.cols != dout.channels)
        return Status{Code::shape_mismatch};
    if (dout.time > dwpe.rows)
        return Status::position_out_of_range(dwpe.rows, static_cast<std::int64_t>(dwpe.rows), dwpe.rows);
    const std::size_t channels = dout.channels;
    if (channels == 0) return {};
    const double scale = std::sqrt(static_cast<double>(channels));
    for (std::size_t b = 0; b < dout.batch; ++b)
        for (std::size_t t = 0; t < dout.time; ++t) {
            const float* from = dout.row(b, t);
            float* tokens = dtokens.row(b, t);
            float* positions = dwpe.row(t);
            for (std::size_t c = 0; c < channels; ++c) {
                tokens[c] = static_cast<float>(scale * from[c]);
                positions[c] += from[c];
            }
        }
    return {};
}

Status layernorm_rows(Matrix<const float> x, std::span<const float> gain, std::span<const float> bias,
                      float eps, Matrix<float> out) {
    if (out.rows != x.rows || out.cols != x.cols || gain.size() != x.cols || bias.size() != x.cols)
        return Status{Code::shape_mismatch};
    if (!usable(eps)) return Status{Code::invalid_argument};
    const std::size_t channels = x.cols;
    if (channels == 0) return {};
    for (std::size_t n = 0; n < x.rows; ++n) {
        const float* from = x.row(n);
        float* to = out.row(n);
        const Spread s = spread_of(from, channels, eps);
        for (std::size_t c = 0; c < channels; ++c)
            to[c] = static_cast<float>(gain[c] * ((from[c] - s.mean) * s.factor) + bias[c]);
    }
    return {};
}

Status layernorm_rows_backward(Matrix<const float> x, std::span<const float> gain, float eps,
                               Matrix<const float> dout, Matrix<float> dx, std::span<float> dgain,
                               std::span<float> dbias) {
    if (dout.rows != x.rows || dout.cols != x.cols || dx.rows != x.rows || dx.cols != x.cols ||
        gain.size() != x.cols || dgain.size() != x.cols || dbias.size() != x.cols)
        return Status{Code::shape_mismatch};
    if (!usable(eps)) return Status{Code::invalid_argument};
    const std::size_t channels = x.cols;
    if (channels == 0) return {};
    for (std::size_t n = 0; n < x.rows; ++n) {
        const float* from = x.row(n);
        const float* above = dout.row(n);
        float* to = dx.row(n);
        const Spread s = spread_of(from, channels, eps);
        double sum = 0, product = 0;
        for (std::size_t c = 0; c < channels; ++c) {
            const double g = static_cast<double>(above[c]) * gain[c];
            sum += g;
            product += g * ((from[c] - s.mean) * s.factor);
        }
        sum /= static_cast<double>(channels);
        product /= static_cast<double>(channels);
        for (std::size_t c = 0; c < channels; ++c) {
            const double g = static_cast<double>(above[c]) * gain[c];
            const double normal = (from[c] - s.mean) * s.factor;
            to[c] = static_cast<float>(s.factor * (g - sum - normal * product));
            dgain[c] = static_cast<float>(dgain[c] + above[c] * normal);
            dbias[c] += above[c];
        }
    }
    return {};
}

Budget count(Config config) {
    const std::uint64_t c = config.channels;
    Budget b;
    b.token_table = config.vocabulary * c;
    b.position_table = config.positions * c;
    b.embedding_norm = config.embedding_norm ? 2 * c : 0;
    b.blocks = config.layers * (12 * static_cast<std::uint64_t>(std::pow(c, 2)) + 13 * c);
    b.final_norm = 2 * c;
    b.head = config.tied ? 0 : config.vocabulary * c;
    b.total = b.token_table + b.position_table + b.embedding_norm + b.blocks + b.final_norm + b.head;
    const bool half = config.precision == Precision::bf16;
    b.weight_bytes = b.total * (half ? 2 : 4);
    b.gradient_bytes = b.total * (half ? 2 : 4);
    b.optimiser_bytes = b.total * (half ? 12 : 8);
    b.training_bytes = b.weight_bytes + b.gradient_bytes + b.optimiser_bytes;
    return b;
}

} // namespace exercise
