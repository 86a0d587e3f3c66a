// Fault: dgain and dbias use Kahan summation, which turns infinity into NaN.
// Origin: round 22
#include "contract.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace exercise {

namespace {

bool usable(float eps) {
    return eps > 0 && std::isfinite(eps);
}

struct Moments {
    double mean = 0;
    double variance = 0;
};

Moments moments(const float* x, std::size_t channels) {
    const double count = static_cast<double>(channels);
    double sum = 0;
    for (std::size_t c = 0; c < channels; ++c)
        sum += static_cast<double>(x[c]);
    const double mean = sum / count;
    double squares = 0;
    for (std::size_t c = 0; c < channels; ++c) {
        const double d = static_cast<double>(x[c]) - mean;
        squares += d * d;
    }
    return {mean, squares / count};
}

} // namespace

Status embed_scaled(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, Tensor3<float> out) {
    const std::size_t channels = wte.cols;
    if (wpe.cols != channels || out.batch != ids.rows || out.time != ids.cols || out.channels != channels)
        return {Code::shape_mismatch};
    if (ids.cols > wpe.rows)
        return Status::position_out_of_range(wpe.rows, static_cast<std::int64_t>(wpe.rows), wpe.rows);
    if (ids.cols == 0) return {};
    for (std::size_t b = 0; b < ids.rows; ++b) {
        const TokenId* row = ids.row(b);
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (row[t] < 0 || static_cast<std::size_t>(row[t]) >= wte.rows)
                return Status::id_out_of_range(b * ids.cols + t, row[t], wte.rows);
    }
    if (channels == 0) return {};
    const float factor = static_cast<float>(std::sqrt(static_cast<double>(channels)));
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            const float* position = wpe.row(t);
            float* to = out.row(b, t);
            for (std::size_t c = 0; c < channels; ++c)
                to[c] = factor * token[c] + position[c];
        }
    return {};
}

Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe) {
    const std::size_t channels = dout.channels;
    if (dtokens.batch != dout.batch || dtokens.time != dout.time || dtokens.channels != channels ||
        dwpe.cols != channels)
        return {Code::shape_mismatch};
    if (dout.time > dwpe.rows)
        return Status::position_out_of_range(dwpe.rows, static_cast<std::int64_t>(dwpe.rows), dwpe.rows);
    if (dout.time == 0 || channels == 0) return {};
    const float factor = static_cast<float>(std::sqrt(static_cast<double>(channels)));
    for (std::size_t b = 0; b < dout.batch; ++b)
        for (std::size_t t = 0; t < dout.time; ++t) {
            const float* from = dout.row(b, t);
            float* token = dtokens.row(b, t);
            float* position = dwpe.row(t);
            for (std::size_t c = 0; c < channels; ++c) {
                token[c] = factor * from[c];
                position[c] += from[c];
            }
        }
    return {};
}

Status layernorm_rows(Matrix<const float> x, std::span<const float> gain, std::span<const float> bias,
                      float eps, Matrix<float> out) {
    const std::size_t channels = x.cols;
    if (out.rows != x.rows || out.cols != channels || gain.size() != channels || bias.size() != channels)
        return {Code::shape_mismatch};
    if (!usable(eps)) return {Code::invalid_argument};
    if (channels == 0) return {};
    for (std::size_t n = 0; n < x.rows; ++n) {
        const float* from = x.row(n);
        float* to = out.row(n);
        const Moments m = moments(from, channels);
        const double factor = 1.0 / std::sqrt(m.variance + static_cast<double>(eps));
        for (std::size_t c = 0; c < channels; ++c) {
            const double xhat = (static_cast<double>(from[c]) - m.mean) * factor;
            to[c] = static_cast<float>(static_cast<double>(gain[c]) * xhat + static_cast<double>(bias[c]));
        }
    }
    return {};
}

Status layernorm_rows_backward(Matrix<const float> x, std::span<const float> gain, float eps,
                               Matrix<const float> dout, Matrix<float> dx, std::span<float> dgain,
                               std::span<float> dbias) {
    const std::size_t channels = x.cols;
    if (dout.rows != x.rows || dout.cols != channels || dx.rows != x.rows || dx.cols != channels ||
        gain.size() != channels || dgain.size() != channels || dbias.size() != channels)
        return {Code::shape_mismatch};
    if (!usable(eps)) return {Code::invalid_argument};
    if (channels == 0) return {};
    const double count = static_cast<double>(channels);
    // Many rows are added to one number, so the sums carry along what their additions rounded off.
    std::vector<float> gain_carry(channels);
    std::vector<float> bias_carry(channels);
    const auto add = [](float& sum, float& carry, float term) {
        const float wanted = term - carry;
        const float next = sum + wanted;
        carry = (next - sum) - wanted;
        sum = next;
    };
    for (std::size_t n = 0; n < x.rows; ++n) {
        const float* from = x.row(n);
        const float* g = dout.row(n);
        float* to = dx.row(n);
        const Moments m = moments(from, channels);
        const double factor = 1.0 / std::sqrt(m.variance + static_cast<double>(eps));
        double sum = 0;
        double along = 0;
        for (std::size_t c = 0; c < channels; ++c) {
            const double xhat = (static_cast<double>(from[c]) - m.mean) * factor;
            const double inner = static_cast<double>(g[c]) * static_cast<double>(gain[c]);
            sum += inner;
            along += inner * xhat;
        }
        const double mean = sum / count;
        const double share = along / count;
        for (std::size_t c = 0; c < channels; ++c) {
            const double xhat = (static_cast<double>(from[c]) - m.mean) * factor;
            const double inner = static_cast<double>(g[c]) * static_cast<double>(gain[c]);
            to[c] = static_cast<float>(factor * (inner - mean - xhat * share));
            add(dgain[c], gain_carry[c], static_cast<float>(static_cast<double>(g[c]) * xhat));
            add(dbias[c], bias_carry[c], g[c]);
        }
    }
    return {};
}

Budget count(Config config) {
    const std::uint64_t c = config.channels;
    Budget budget;
    budget.token_table = config.vocabulary * c;
    budget.position_table = config.positions * c;
    budget.embedding_norm = config.embedding_norm ? 2 * c : 0;
    budget.blocks = config.layers * (12 * c * c + 13 * c);
    budget.final_norm = 2 * c;
    budget.head = config.tied ? 0 : config.vocabulary * c;
    budget.total = budget.token_table + budget.position_table + budget.embedding_norm + budget.blocks +
                   budget.final_norm + budget.head;
    const bool full = config.precision == Precision::fp32;
    budget.weight_bytes = (full ? 4 : 2) * budget.total;
    budget.gradient_bytes = (full ? 4 : 2) * budget.total;
    budget.optimiser_bytes = (full ? 8 : 12) * budget.total;
    budget.training_bytes = budget.weight_bytes + budget.gradient_bytes + budget.optimiser_bytes;
    return budget;
}

} // namespace exercise
