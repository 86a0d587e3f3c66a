// accepted: Welford's single pass in double for mean and variance, everything else in float; polynomial count
#include "contract.h"

#include <cmath>
#include <vector>

namespace {

struct Moments {
    float mean, factor;
};

Moments moments(const float* x, std::size_t C, float eps) {
    double mean = 0;
    double squares = 0;
    for (std::size_t c = 0; c < C; ++c) {
        const double before = x[c] - mean;
        mean += before / static_cast<double>(c + 1);
        squares += before * (x[c] - mean);
    }
    return {static_cast<float>(mean),
            1.0F / std::sqrt(static_cast<float>(squares / static_cast<double>(C)) + eps)};
}

bool valid(float eps) {
    return eps > 0 && std::isfinite(eps);
}

} // namespace

namespace exercise {

Status embed_scaled(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, Tensor3<float> out) {
    const bool fits =
        wpe.cols == wte.cols && out.batch == ids.rows && out.time == ids.cols && out.channels == wte.cols;
    if (!fits) return {Code::shape_mismatch};
    if (ids.cols > wpe.rows)
        return Status::position_out_of_range(wpe.rows, static_cast<std::int64_t>(wpe.rows), wpe.rows);
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= wte.rows)
                return Status::id_out_of_range(b * ids.cols + t, ids(b, t), wte.rows);

    const float scale = std::sqrt(static_cast<float>(wte.cols));
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            for (std::size_t c = 0; c < wte.cols; ++c)
                out(b, t, c) = scale * token[c] + wpe(t, c);
        }
    return {};
}

Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe) {
    const bool fits = dtokens.batch == dout.batch && dtokens.time == dout.time &&
                      dtokens.channels == dout.channels && dwpe.cols == dout.channels;
    if (!fits) return {Code::shape_mismatch};
    if (dout.time > dwpe.rows)
        return Status::position_out_of_range(dwpe.rows, static_cast<std::int64_t>(dwpe.rows), dwpe.rows);

    const float scale = std::sqrt(static_cast<float>(dout.channels));
    for (std::size_t b = 0; b < dout.batch; ++b)
        for (std::size_t t = 0; t < dout.time; ++t)
            for (std::size_t c = 0; c < dout.channels; ++c) {
                dtokens(b, t, c) = scale * dout(b, t, c);
                dwpe(t, c) += dout(b, t, c);
            }
    return {};
}

Status layernorm_rows(Matrix<const float> x, std::span<const float> gain, std::span<const float> bias,
                      float eps, Matrix<float> out) {
    const bool fits =
        gain.size() == x.cols && bias.size() == x.cols && out.rows == x.rows && out.cols == x.cols;
    if (!fits) return {Code::shape_mismatch};
    if (!valid(eps)) return {Code::invalid_argument};

    for (std::size_t r = 0; r < x.rows; ++r) {
        const Moments row = moments(x.row(r), x.cols, eps);
        for (std::size_t c = 0; c < x.cols; ++c)
            out(r, c) = (x(r, c) - row.mean) * row.factor * gain[c] + bias[c];
    }
    return {};
}

Status layernorm_rows_backward(Matrix<const float> x, std::span<const float> gain, float eps,
                               Matrix<const float> dout, Matrix<float> dx, std::span<float> dgain,
                               std::span<float> dbias) {
    const bool fits = gain.size() == x.cols && dout.rows == x.rows && dout.cols == x.cols &&
                      dx.rows == x.rows && dx.cols == x.cols && dgain.size() == x.cols &&
                      dbias.size() == x.cols;
    if (!fits) return {Code::shape_mismatch};
    if (!valid(eps)) return {Code::invalid_argument};

    for (std::size_t r = 0; r < x.rows; ++r) {
        const Moments row = moments(x.row(r), x.cols, eps);
        double along_mean = 0;
        double along_spread = 0;
        for (std::size_t c = 0; c < x.cols; ++c) {
            const float xhat = (x(r, c) - row.mean) * row.factor;
            const float g = dout(r, c) * gain[c];
            along_mean += g;
            along_spread += static_cast<double>(g) * xhat;
            dgain[c] += dout(r, c) * xhat;
            dbias[c] += dout(r, c);
        }
        const auto mean = static_cast<float>(along_mean / static_cast<double>(x.cols));
        const auto spread = static_cast<float>(along_spread / static_cast<double>(x.cols));
        for (std::size_t c = 0; c < x.cols; ++c) {
            const float xhat = (x(r, c) - row.mean) * row.factor;
            dx(r, c) = row.factor * (dout(r, c) * gain[c] - mean - xhat * spread);
        }
    }
    return {};
}

Budget count(Config config) {
    const std::uint64_t V = config.vocabulary, C = config.channels, table = V * C;
    Budget budget{.token_table = table, .position_table = config.positions * C};
    budget.embedding_norm = std::uint64_t{config.embedding_norm} * 2 * C;
    budget.blocks = config.layers * C * (12 * C + 13);
    budget.final_norm = 2 * C;
    budget.head = std::uint64_t{!config.tied} * table;
    budget.total = budget.token_table + budget.position_table + budget.embedding_norm + budget.blocks +
                   budget.final_norm + budget.head;
    const std::uint64_t each = config.precision == Precision::bf16 ? 2 : 4;
    budget.weight_bytes = budget.gradient_bytes = each * budget.total;
    budget.training_bytes = 16 * budget.total; // in either precision
    budget.optimiser_bytes = budget.training_bytes - 2 * budget.weight_bytes;
    return budget;
}

} // namespace exercise
