// mistake: drops-long-gradients
// says: You leave out the positions that the table does not have; a gradient of T > P positions is refused,
//   as the forward call is.
// hint: Check shapes, then T against P, before the first write.
// symptom: Part of the gradient disappears, and nobody is told.
// fails: gradients that do not fit are refused and nothing is written
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace exercise {
namespace {

struct Normalised {
    std::vector<double> xhat;
    double factor = 0;
};

Normalised normalise(const float* x, std::size_t C, float eps) {
    double mean = 0;
    for (std::size_t c = 0; c < C; ++c)
        mean += x[c];
    mean /= static_cast<double>(C);

    double variance = 0;
    for (std::size_t c = 0; c < C; ++c)
        variance += (x[c] - mean) * (x[c] - mean);
    variance /= static_cast<double>(C);

    Normalised row{{}, 1 / std::sqrt(variance + eps)};
    for (std::size_t c = 0; c < C; ++c)
        row.xhat.push_back((x[c] - mean) * row.factor);
    return row;
}

bool valid(float eps) {
    return eps > 0 && std::isfinite(eps);
}

} // namespace

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
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            for (std::size_t c = 0; c < wte.cols; ++c)
                out(b, t, c) =
                    static_cast<float>(scale * wte(static_cast<std::size_t>(ids(b, t)), c) + wpe(t, c));
    return {};
}

Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe) {
    const bool fits = dtokens.batch == dout.batch && dtokens.time == dout.time &&
                      dtokens.channels == dout.channels && dwpe.cols == dout.channels;
    if (!fits) return {Code::shape_mismatch};

    const double scale = std::sqrt(static_cast<double>(dout.channels));
    for (std::size_t t = 0; t < std::min(dout.time, dwpe.rows); ++t)
        for (std::size_t c = 0; c < dout.channels; ++c) {
            double sum = dwpe(t, c);
            for (std::size_t b = 0; b < dout.batch; ++b) {
                dtokens(b, t, c) = static_cast<float>(scale * dout(b, t, c));
                sum += dout(b, t, c);
            }
            dwpe(t, c) = static_cast<float>(sum);
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
        const Normalised row = normalise(x.row(r), x.cols, eps);
        for (std::size_t c = 0; c < x.cols; ++c)
            out(r, c) = static_cast<float>(gain[c] * row.xhat[c] + bias[c]);
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
    std::vector<double> gain_sum(dgain.begin(), dgain.end());
    std::vector<double> bias_sum(dbias.begin(), dbias.end());
    for (std::size_t r = 0; r < x.rows; ++r) {
        const Normalised row = normalise(x.row(r), C, eps);

        double along_mean = 0;
        double along_spread = 0;
        for (std::size_t c = 0; c < C; ++c) {
            const double g = static_cast<double>(dout(r, c)) * gain[c];
            along_mean += g;
            along_spread += g * row.xhat[c];
            gain_sum[c] += dout(r, c) * row.xhat[c];
            bias_sum[c] += dout(r, c);
        }
        along_mean /= static_cast<double>(C);
        along_spread /= static_cast<double>(C);

        for (std::size_t c = 0; c < C; ++c) {
            const double g = static_cast<double>(dout(r, c)) * gain[c];
            dx(r, c) = static_cast<float>(row.factor * (g - along_mean - row.xhat[c] * along_spread));
        }
    }
    for (std::size_t c = 0; c < C; ++c) {
        dgain[c] = static_cast<float>(gain_sum[c]);
        dbias[c] = static_cast<float>(bias_sum[c]);
    }
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
