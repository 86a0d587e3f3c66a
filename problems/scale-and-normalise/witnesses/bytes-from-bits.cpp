// Fault: Bytes are counted in bits and divided by 8, which overflows 64 bits too early.
// Origin: round 16
#include "contract.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace exercise {
namespace {

double root(std::size_t channels) {
    return std::sqrt(static_cast<double>(channels));
}

Status window_too_long(std::size_t positions) {
    return Status::position_out_of_range(positions, static_cast<std::int64_t>(positions), positions);
}

// The first bad id in reading order, or an ok status.
Status check_ids(Ids2D ids, std::size_t vocabulary) {
    for (std::size_t b = 0; b < ids.rows; ++b) {
        for (std::size_t t = 0; t < ids.cols; ++t) {
            const TokenId id = ids(b, t);
            if (id < 0 || static_cast<std::size_t>(id) >= vocabulary)
                return Status::id_out_of_range(b * ids.cols + t, id, vocabulary);
        }
    }
    return Status{};
}

struct Stats {
    double mean = 0.0;
    double spread = 1.0; // sqrt(variance + eps)
};

// channels > 0
Stats stats_of(const float* x, std::size_t channels, double eps) {
    double sum = 0.0;
    for (std::size_t c = 0; c < channels; ++c)
        sum += x[c];
    const double mean = sum / static_cast<double>(channels);
    double squares = 0.0;
    for (std::size_t c = 0; c < channels; ++c)
        squares += (x[c] - mean) * (x[c] - mean);
    return {mean, std::sqrt(squares / static_cast<double>(channels) + eps)};
}

bool usable(float eps) {
    return eps > 0.0f && std::isfinite(eps);
}

} // namespace

Status embed_scaled(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, Tensor3<float> out) {
    const std::size_t channels = wte.cols;
    if (wpe.cols != channels || out.batch != ids.rows || out.time != ids.cols || out.channels != channels)
        return Status{Code::shape_mismatch};
    if (ids.cols > wpe.rows) return window_too_long(wpe.rows);
    if (const Status bad = check_ids(ids, wte.rows); bad != Status{}) return bad;

    const double factor = root(channels);
    for (std::size_t b = 0; b < ids.rows; ++b) {
        for (std::size_t t = 0; t < ids.cols; ++t) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            const float* position = wpe.row(t);
            float* sum = out.row(b, t);
            for (std::size_t c = 0; c < channels; ++c)
                sum[c] = static_cast<float>(factor * token[c] + position[c]);
        }
    }
    return Status{};
}

Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe) {
    if (dtokens.batch != dout.batch || dtokens.time != dout.time || dtokens.channels != dout.channels ||
        dwpe.cols != dout.channels)
        return Status{Code::shape_mismatch};
    if (dout.time > dwpe.rows) return window_too_long(dwpe.rows);

    const double factor = root(dout.channels);
    for (std::size_t b = 0; b < dout.batch; ++b) {
        for (std::size_t t = 0; t < dout.time; ++t) {
            const float* gradient = dout.row(b, t);
            float* token = dtokens.row(b, t);
            float* position = dwpe.row(t);
            for (std::size_t c = 0; c < dout.channels; ++c) {
                token[c] = static_cast<float>(factor * gradient[c]);
                position[c] += gradient[c];
            }
        }
    }
    return Status{};
}

Status layernorm_rows(Matrix<const float> x, std::span<const float> gain, std::span<const float> bias, float eps,
                      Matrix<float> out) {
    if (out.rows != x.rows || out.cols != x.cols || gain.size() != x.cols || bias.size() != x.cols)
        return Status{Code::shape_mismatch};
    if (!usable(eps)) return Status{Code::invalid_argument};
    if (x.cols == 0) return Status{};

    for (std::size_t r = 0; r < x.rows; ++r) {
        const float* in = x.row(r);
        float* to = out.row(r);
        const Stats stats = stats_of(in, x.cols, eps);
        for (std::size_t c = 0; c < x.cols; ++c)
            to[c] = static_cast<float>(gain[c] * ((in[c] - stats.mean) / stats.spread) + bias[c]);
    }
    return Status{};
}

Status layernorm_rows_backward(Matrix<const float> x, std::span<const float> gain, float eps, Matrix<const float> dout,
                               Matrix<float> dx, std::span<float> dgain, std::span<float> dbias) {
    if (dout.rows != x.rows || dout.cols != x.cols || dx.rows != x.rows || dx.cols != x.cols || gain.size() != x.cols ||
        dgain.size() != x.cols || dbias.size() != x.cols)
        return Status{Code::shape_mismatch};
    if (!usable(eps)) return Status{Code::invalid_argument};
    if (x.cols == 0) return Status{};

    const double width = static_cast<double>(x.cols);
    for (std::size_t r = 0; r < x.rows; ++r) {
        const float* in = x.row(r);
        const float* from = dout.row(r);
        float* to = dx.row(r);
        const Stats stats = stats_of(in, x.cols, eps);
        double sum_g = 0.0, sum_gx = 0.0;
        for (std::size_t c = 0; c < x.cols; ++c) {
            const double g = static_cast<double>(from[c]) * gain[c];
            sum_g += g;
            sum_gx += g * ((in[c] - stats.mean) / stats.spread);
        }
        const double mean_g = sum_g / width, mean_gx = sum_gx / width;
        for (std::size_t c = 0; c < x.cols; ++c) {
            const double xhat = (in[c] - stats.mean) / stats.spread;
            const double g = static_cast<double>(from[c]) * gain[c];
            to[c] = static_cast<float>((g - mean_g - xhat * mean_gx) / stats.spread);
            dgain[c] = static_cast<float>(dgain[c] + from[c] * xhat);
            dbias[c] += from[c];
        }
    }
    return Status{};
}

Budget count(Config config) {
    const std::uint64_t c = config.channels;
    const std::uint64_t norm = 2 * c;
    const std::uint64_t attention = (c * (3 * c) + 3 * c) + (c * c + c);
    const std::uint64_t mlp = (c * (4 * c) + 4 * c) + ((4 * c) * c + c);

    Budget budget;
    budget.token_table = config.vocabulary * c;
    budget.position_table = config.positions * c;
    budget.embedding_norm = config.embedding_norm ? norm : 0;
    budget.blocks = config.layers * (2 * norm + attention + mlp);
    budget.final_norm = norm;
    budget.head = config.tied ? 0 : config.vocabulary * c;
    budget.total = budget.token_table + budget.position_table + budget.embedding_norm + budget.blocks +
                   budget.final_norm + budget.head;

    const bool half = config.precision == Precision::bf16;
    const std::uint64_t bits = half ? 16 : 32;
    const std::uint64_t optimiser_bits = half ? 3 * 32 : 2 * 32;
    budget.weight_bytes = budget.total * bits / 8;
    budget.gradient_bytes = budget.total * bits / 8;
    budget.optimiser_bytes = budget.total * optimiser_bits / 8;
    budget.training_bytes = budget.weight_bytes + budget.gradient_bytes + budget.optimiser_bytes;
    return budget;
}

} // namespace exercise
