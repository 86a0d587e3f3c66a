// accepted: sums in four double lanes at once, and one pass for sum and sum of squares about the first value
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

constexpr std::size_t lanes = 4;

template <class Term>
double sum(std::size_t count, Term term) {
    double part[lanes] = {};
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane)
            part[lane] += term(i + lane);
    for (; i < count; ++i)
        part[0] += term(i);
    return (part[0] + part[1]) + (part[2] + part[3]);
}

struct Moments {
    double mean, factor;
};

/// Differences from any value of the row are as small as its spread, so their squares lose nothing.
Moments moments(const float* x, std::size_t C, double eps) {
    if (C == 0) return {};
    const double start = x[0], n = static_cast<double>(C);
    const double first = sum(C, [&](std::size_t c) { return x[c] - start; }) / n;
    const double second = sum(C, [&](std::size_t c) { return (x[c] - start) * (x[c] - start); }) / n;
    const double variance = std::max(second - first * first, 0.0); // a NaN stays one
    return {start + first, 1 / std::sqrt(variance + eps)};
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

    const double scale = std::sqrt(static_cast<double>(wte.cols));
    for (std::size_t t = 0; t < ids.cols; ++t) // a position row serves the whole batch
        for (std::size_t b = 0; b < ids.rows; ++b) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            const float* position = wpe.row(t);
            float* to = out.row(b, t);
            for (std::size_t c = wte.cols; c-- > 0;)
                to[c] = static_cast<float>(position[c] + scale * token[c]);
        }
    return {};
}

Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe) {
    const bool fits = dtokens.batch == dout.batch && dtokens.time == dout.time &&
                      dtokens.channels == dout.channels && dwpe.cols == dout.channels;
    if (!fits) return {Code::shape_mismatch};
    if (dout.time > dwpe.rows)
        return Status::position_out_of_range(dwpe.rows, static_cast<std::int64_t>(dwpe.rows), dwpe.rows);

    if (dout.batch == 0) return {}; // adding an empty sum would turn -0 into +0

    const auto scale = static_cast<float>(std::sqrt(static_cast<double>(dout.channels)));
    const std::size_t block = dout.time * dout.channels;
    for (std::size_t i = 0; i < dout.batch * block; ++i)
        dtokens.data[i] = dout.data[i] * scale;
    for (std::size_t i = 0; i < block; ++i) {
        float& to = dwpe(i / dout.channels, i % dout.channels);
        to = static_cast<float>(
            to + sum(dout.batch, [&](std::size_t b) { return double{dout.data[b * block + i]}; }));
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
            out(r, c) = static_cast<float>(gain[c] * row.factor * (x(r, c) - row.mean) + bias[c]);
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

    const std::size_t C = x.cols;
    std::vector<Moments> rows;
    for (std::size_t r = 0; r < x.rows; ++r)
        rows.push_back(moments(x.row(r), C, eps));
    const auto xhat = [&](std::size_t r, std::size_t c) { return (x(r, c) - rows[r].mean) * rows[r].factor; };
    for (std::size_t r = 0; r < x.rows; ++r) {
        const auto g = [&](std::size_t c) { return double{dout(r, c)} * gain[c]; };
        const double mean = sum(C, g) / static_cast<double>(C);
        const double spread =
            sum(C, [&](std::size_t c) { return g(c) * xhat(r, c); }) / static_cast<double>(C);
        for (std::size_t c = 0; c < C; ++c)
            dx(r, c) = static_cast<float>(rows[r].factor * (g(c) - mean - xhat(r, c) * spread));
    }
    for (std::size_t c = 0; c < C; ++c) {
        dgain[c] += static_cast<float>(sum(x.rows, [&](std::size_t r) { return dout(r, c) * xhat(r, c); }));
        dbias[c] += static_cast<float>(sum(x.rows, [&](std::size_t r) { return double{dout(r, c)}; }));
    }
    return {};
}

Budget count(Config config) {
    const std::uint64_t V = config.vocabulary;
    const std::uint64_t C = config.channels;
    const std::uint64_t norm = 2 * C;
    const std::uint64_t attention = 4 * C * C + 4 * C;
    const std::uint64_t mlp = 8 * C * C + 5 * C;

    Budget budget;
    budget.token_table = V * C;
    budget.position_table = config.positions * C;
    budget.embedding_norm = config.embedding_norm ? norm : 0;
    budget.blocks = config.layers * (norm + attention + norm + mlp);
    budget.final_norm = norm;
    budget.head = config.tied ? 0 : V * C;
    budget.total = budget.token_table + budget.position_table + budget.embedding_norm + budget.blocks +
                   budget.final_norm + budget.head;

    const bool fp32 = config.precision == Precision::fp32;
    budget.weight_bytes = budget.total * (fp32 ? 4 : 2);
    budget.gradient_bytes = budget.total * (fp32 ? 4 : 2);
    budget.optimiser_bytes = budget.total * (fp32 ? 8 : 12);
    budget.training_bytes = budget.weight_bytes + budget.gradient_bytes + budget.optimiser_bytes;
    return budget;
}

} // namespace exercise
