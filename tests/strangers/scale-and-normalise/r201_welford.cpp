// right: mean and sum of squares by Welford's recurrence in double, rows from the last to the first, gradients of gain and bias column by column afterwards from kept means; the embedding position by position over the batch; the count by a list of tensors.
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace exercise {

Status embed_scaled(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, Tensor3<float> out) {
    const std::size_t batch = ids.rows;
    const std::size_t time = ids.cols;
    const std::size_t cols = wte.cols;
    if (wpe.cols != cols || out.batch != batch || out.time != time || out.channels != cols)
        return Status{Code::shape_mismatch};
    if (time > wpe.rows)
        return Status::position_out_of_range(wpe.rows, static_cast<std::int64_t>(wpe.rows), wpe.rows);
    for (std::size_t b = 0; b < batch; ++b)
        for (std::size_t t = 0; t < time; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= wte.rows)
                return Status::id_out_of_range(b * time + t, ids(b, t), wte.rows);

    const double scale = std::sqrt(static_cast<double>(cols));
    for (std::size_t t = time; t-- > 0;)
        for (std::size_t b = batch; b-- > 0;) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            for (std::size_t c = cols; c-- > 0;)
                out(b, t, c) = static_cast<float>(scale * static_cast<double>(token[c]) + static_cast<double>(wpe(t, c)));
        }
    return {};
}

Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe) {
    const std::size_t cols = dout.channels;
    if (dtokens.batch != dout.batch || dtokens.time != dout.time || dtokens.channels != cols || dwpe.cols != cols)
        return Status{Code::shape_mismatch};
    if (dout.time > dwpe.rows)
        return Status::position_out_of_range(dwpe.rows, static_cast<std::int64_t>(dwpe.rows), dwpe.rows);
    if (dout.batch == 0) return {};
    const double scale = std::sqrt(static_cast<double>(cols));
    std::vector<double> sums(cols);
    for (std::size_t t = 0; t < dout.time; ++t) {
        std::fill(sums.begin(), sums.end(), 0.0);
        for (std::size_t b = 0; b < dout.batch; ++b) {
            const float* from = dout.row(b, t);
            float* to = dtokens.row(b, t);
            for (std::size_t c = 0; c < cols; ++c) {
                const double d = from[c];
                to[c] = static_cast<float>(scale * d);
                sums[c] += d;
            }
        }
        for (std::size_t c = 0; c < cols; ++c)
            dwpe(t, c) = static_cast<float>(static_cast<double>(dwpe(t, c)) + sums[c]);
    }
    return {};
}

namespace {

struct Moments {
    double mean = 0;
    double factor = 0; // 1 / sqrt(variance + eps)
};

Moments moments(const float* x, std::size_t cols, float eps) {
    Moments result;
    double squares = 0; // of the distances from the mean of the elements so far
    for (std::size_t c = 0; c < cols; ++c) {
        const double d = static_cast<double>(x[c]) - result.mean;
        result.mean += d / static_cast<double>(c + 1);
        squares += d * (static_cast<double>(x[c]) - result.mean);
    }
    result.factor = 1.0 / std::sqrt(squares / static_cast<double>(cols) + static_cast<double>(eps));
    return result;
}

bool usable(float eps) {
    return eps > 0 && std::isfinite(eps);
}

} // namespace

Status layernorm_rows(Matrix<const float> x, std::span<const float> gain, std::span<const float> bias, float eps,
                      Matrix<float> out) {
    const std::size_t cols = x.cols;
    if (out.rows != x.rows || out.cols != cols || gain.size() != cols || bias.size() != cols)
        return Status{Code::shape_mismatch};
    if (!usable(eps)) return Status{Code::invalid_argument};
    if (cols == 0) return {};
    for (std::size_t n = 0; n < x.rows; ++n) {
        const float* from = x.row(n);
        float* to = out.row(n);
        const Moments m = moments(from, cols, eps);
        for (std::size_t c = 0; c < cols; ++c) {
            const double xhat = (static_cast<double>(from[c]) - m.mean) * m.factor;
            to[c] = static_cast<float>(static_cast<double>(gain[c]) * xhat + static_cast<double>(bias[c]));
        }
    }
    return {};
}

Status layernorm_rows_backward(Matrix<const float> x, std::span<const float> gain, float eps, Matrix<const float> dout,
                               Matrix<float> dx, std::span<float> dgain, std::span<float> dbias) {
    const std::size_t cols = x.cols;
    if (dout.rows != x.rows || dout.cols != cols || dx.rows != x.rows || dx.cols != cols || gain.size() != cols ||
        dgain.size() != cols || dbias.size() != cols)
        return Status{Code::shape_mismatch};
    if (!usable(eps)) return Status{Code::invalid_argument};
    if (cols == 0 || x.rows == 0) return {};
    std::vector<Moments> kept(x.rows);
    for (std::size_t n = x.rows; n-- > 0;) {
        const Moments m = moments(x.row(n), cols, eps);
        kept[n] = m;
        double sum_g = 0;
        double sum_g_xhat = 0;
        for (std::size_t c = cols; c-- > 0;) {
            const double g = static_cast<double>(dout(n, c)) * static_cast<double>(gain[c]);
            sum_g += g;
            sum_g_xhat += g * ((static_cast<double>(x(n, c)) - m.mean) * m.factor);
        }
        const double width = static_cast<double>(cols);
        for (std::size_t c = cols; c-- > 0;) {
            const double g = static_cast<double>(dout(n, c)) * static_cast<double>(gain[c]);
            const double xhat = (static_cast<double>(x(n, c)) - m.mean) * m.factor;
            dx(n, c) = static_cast<float>(m.factor * (g - sum_g / width - xhat * (sum_g_xhat / width)));
        }
    }
    constexpr std::size_t strip = 16;
    for (std::size_t c0 = 0; c0 < cols; c0 += strip) {
        const std::size_t end = std::min(cols, c0 + strip);
        double gain_sums[strip] = {};
        double bias_sums[strip] = {};
        for (std::size_t n = x.rows; n-- > 0;)
            for (std::size_t c = c0; c < end; ++c) {
                const double d = dout(n, c);
                gain_sums[c - c0] += d * ((static_cast<double>(x(n, c)) - kept[n].mean) * kept[n].factor);
                bias_sums[c - c0] += d;
            }
        for (std::size_t c = c0; c < end; ++c) {
            dgain[c] = static_cast<float>(static_cast<double>(dgain[c]) + gain_sums[c - c0]);
            dbias[c] = static_cast<float>(static_cast<double>(dbias[c]) + bias_sums[c - c0]);
        }
    }
    return {};
}

Budget count(Config config) {
    const std::uint64_t C = config.channels;
    const std::uint64_t block[][2] = {
        {2, C},     {2, C},           // two norms: gain and bias
        {C, 3 * C}, {1, 3 * C},       // queries, keys and values
        {C, C},     {1, C},           // projection
        {C, 4 * C}, {1, 4 * C},       // up
        {4 * C, C}, {1, C},           // down
    };
    Budget budget;
    for (const auto& shape : block)
        budget.blocks += shape[0] * shape[1];
    budget.blocks *= config.layers;
    budget.token_table = config.vocabulary * C;
    budget.position_table = config.positions * C;
    if (config.embedding_norm) budget.embedding_norm = 2 * C;
    budget.final_norm = 2 * C;
    if (!config.tied) budget.head = budget.token_table;
    for (const std::uint64_t part : {budget.token_table, budget.position_table, budget.embedding_norm, budget.blocks,
                                     budget.final_norm, budget.head})
        budget.total += part;
    budget.training_bytes = budget.total * 16;
    const std::uint64_t number = config.precision == Precision::bf16 ? 2 : 4;
    budget.weight_bytes = budget.gradient_bytes = budget.total * number;
    budget.optimiser_bytes = budget.training_bytes - 2 * budget.weight_bytes;
    return budget;
}

} // namespace exercise
