// accepted: rows shared among four threads; gradients of parameters summed by channel ranges, in row order
#include "contract.h"

#include <cmath>
#include <thread>
#include <vector>

namespace {

/// Calls `body` with [first, last) of each of four equal parts of [0, count), each on a thread of its own.
template <class Body>
void in_parts(std::size_t count, Body body) {
    constexpr std::size_t workers = 4;
    std::vector<std::jthread> threads;
    for (std::size_t w = 0; w < workers; ++w)
        threads.emplace_back(body, count * w / workers, count * (w + 1) / workers);
}

struct Moments {
    double mean = 0;
    double factor = 0;
};

Moments moments(const float* x, std::size_t C, double eps) {
    long double sum = 0, squares = 0;
    for (std::size_t c = 0; c < C; ++c)
        sum += x[c];
    const long double mean = sum / static_cast<long double>(C);
    for (std::size_t c = 0; c < C; ++c)
        squares += (x[c] - mean) * (x[c] - mean);
    const auto variance = static_cast<double>(squares / static_cast<long double>(C));
    return {static_cast<double>(mean), 1 / std::sqrt(variance + eps)};
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
    in_parts(ids.rows * ids.cols, [=](std::size_t first, std::size_t last) {
        for (std::size_t n = first; n < last; ++n) {
            const std::size_t b = n / ids.cols, t = n % ids.cols;
            for (std::size_t c = 0; c < wte.cols; ++c)
                out(b, t, c) = std::fma(scale, wte(static_cast<std::size_t>(ids(b, t)), c), wpe(t, c));
        }
    });
    return {};
}

Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe) {
    const bool fits = dtokens.batch == dout.batch && dtokens.time == dout.time &&
                      dtokens.channels == dout.channels && dwpe.cols == dout.channels;
    if (!fits) return {Code::shape_mismatch};
    if (dout.time > dwpe.rows)
        return Status::position_out_of_range(dwpe.rows, static_cast<std::int64_t>(dwpe.rows), dwpe.rows);

    const float scale = std::sqrt(static_cast<float>(dout.channels));
    in_parts(dout.time, [=](std::size_t first, std::size_t last) { // each position belongs to one thread
        for (std::size_t t = first; t < last; ++t)
            for (std::size_t b = 0; b < dout.batch; ++b)
                for (std::size_t c = 0; c < dout.channels; ++c) {
                    dtokens(b, t, c) = scale * dout(b, t, c);
                    dwpe(t, c) += dout(b, t, c);
                }
    });
    return {};
}

Status layernorm_rows(Matrix<const float> x, std::span<const float> gain, std::span<const float> bias,
                      float eps, Matrix<float> out) {
    const bool fits =
        gain.size() == x.cols && bias.size() == x.cols && out.rows == x.rows && out.cols == x.cols;
    if (!fits) return {Code::shape_mismatch};
    if (!valid(eps)) return {Code::invalid_argument};

    in_parts(x.rows, [=](std::size_t first, std::size_t last) {
        for (std::size_t r = first; r < last; ++r) {
            const Moments row = moments(x.row(r), x.cols, eps);
            for (std::size_t c = 0; c < x.cols; ++c)
                out(r, c) = static_cast<float>((x(r, c) - row.mean) * row.factor * gain[c] + bias[c]);
        }
    });
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

    std::vector<Moments> rows(x.rows);
    in_parts(x.rows, [=, &rows](std::size_t first, std::size_t last) {
        for (std::size_t r = first; r < last; ++r) {
            rows[r] = moments(x.row(r), x.cols, eps);
            double along_mean = 0, along_spread = 0;
            for (std::size_t c = 0; c < x.cols; ++c) {
                const double g = double{dout(r, c)} * gain[c];
                along_mean += g;
                along_spread += g * (x(r, c) - rows[r].mean);
            }
            // The factor of xhat is taken out of the sum and comes back as its square.
            const double slope = along_spread * rows[r].factor * rows[r].factor;
            for (std::size_t c = 0; c < x.cols; ++c)
                dx(r, c) =
                    static_cast<float>(rows[r].factor * (double{dout(r, c)} * gain[c] -
                                                         (along_mean + (x(r, c) - rows[r].mean) * slope) /
                                                             static_cast<double>(x.cols)));
        }
    });
    in_parts(x.cols, [=, &rows](std::size_t first, std::size_t last) {
        for (std::size_t c = first; c < last; ++c)
            for (std::size_t r = 0; r < x.rows; ++r) {
                dgain[c] += static_cast<float>(dout(r, c) * (x(r, c) - rows[r].mean) * rows[r].factor);
                dbias[c] += dout(r, c);
            }
    });
    return {};
}

Budget count(Config config) {
    const std::uint64_t V = config.vocabulary;
    const std::uint64_t C = config.channels;
    const std::uint64_t norm = 2 * C;
    const std::uint64_t attention = (C * 3 * C + 3 * C) + (C * C + C);
    const std::uint64_t mlp = (C * 4 * C + 4 * C) + (4 * C * C + C);

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
