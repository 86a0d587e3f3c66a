// Fault: layernorm_rows adds eight neighbours in float before it sums in double.
// Origin: round 11
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace exercise {

namespace {

struct Moments {
    double mean = 0;
    double squares = 0;
    double seen = 0;

    void take(double value) {
        seen += 1;
        const double before = value - mean;
        mean += before / seen;
        squares += before * (value - mean);
    }
    double factor(double eps) const { return 1.0 / std::sqrt(squares / seen + eps); }
};

Moments moments(std::span<const float> row) {
    Moments all;
    for (const float value : row)
        all.take(value);
    return all;
}

template <class T>
std::span<T> line(Matrix<T> m, std::size_t r) {
    return {m.row(r), m.cols};
}

bool good(float eps) {
    return eps > 0 && std::isfinite(eps);
}

constexpr Status misfit{Code::shape_mismatch};

} // namespace

Status embed_scaled(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, Tensor3<float> out) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return misfit;
    if (ids.cols > wpe.rows) return Status::position_out_of_range(wpe.rows, static_cast<std::int64_t>(wpe.rows), wpe.rows);
    for (std::size_t b = 0; b < ids.rows && ids.cols > 0; ++b) {
        const auto sequence = line(ids, b);
        const auto bad = std::find_if(sequence.begin(), sequence.end(), [&](TokenId id) {
            return id < 0 || static_cast<std::size_t>(id) >= wte.rows;
        });
        if (bad != sequence.end())
            return Status::id_out_of_range(b * ids.cols + static_cast<std::size_t>(bad - sequence.begin()), *bad, wte.rows);
    }
    if (wte.cols == 0 || ids.cols == 0) return {};
    const double scale = std::sqrt(static_cast<double>(wte.cols));
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t) {
            const auto token = line(wte, static_cast<std::size_t>(ids(b, t)));
            std::transform(token.begin(), token.end(), wpe.row(t), out.row(b, t),
                           [scale](double word, double place) { return static_cast<float>(scale * word + place); });
        }
    return {};
}

Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe) {
    if (dtokens.batch != dout.batch || dtokens.time != dout.time || dtokens.channels != dout.channels ||
        dwpe.cols != dout.channels)
        return misfit;
    if (dout.time > dwpe.rows) return Status::position_out_of_range(dwpe.rows, static_cast<std::int64_t>(dwpe.rows), dwpe.rows);
    if (dout.batch == 0 || dout.time == 0 || dout.channels == 0) return {};
    const std::size_t size = dout.batch * dout.time * dout.channels;
    const double scale = std::sqrt(static_cast<double>(dout.channels));
    std::transform(dout.data, dout.data + size, dtokens.data,
                   [scale](double each) { return static_cast<float>(scale * each); });
    for (std::size_t t = 0; t < dout.time; ++t) {
        std::vector<double> sum(line(dwpe, t).begin(), line(dwpe, t).end());
        for (std::size_t b = 0; b < dout.batch; ++b)
            std::transform(sum.begin(), sum.end(), dout.row(b, t), sum.begin(), std::plus<>());
        std::transform(sum.begin(), sum.end(), dwpe.row(t), [](double s) { return static_cast<float>(s); });
    }
    return {};
}

Status layernorm_rows(Matrix<const float> x, std::span<const float> gain, std::span<const float> bias,
                      float eps, Matrix<float> out) {
    if (gain.size() != x.cols || bias.size() != x.cols || out.rows != x.rows || out.cols != x.cols) return misfit;
    if (!good(eps)) return Status{Code::invalid_argument};
    const std::size_t C = x.cols, whole = C - C % 8;
    if (C == 0) return {};
    for (std::size_t r = 0; r < x.rows; ++r) {
        const float* v = x.row(r);
        double sum = 0, squares = 0;
        for (std::size_t c = 0; c < whole; c += 8)
            sum += v[c] + v[c + 1] + v[c + 2] + v[c + 3] + v[c + 4] + v[c + 5] + v[c + 6] + v[c + 7];
        for (std::size_t c = whole; c < C; ++c)
            sum += v[c];
        const double mean = sum / static_cast<double>(C);
        for (std::size_t c = 0; c < C; ++c)
            squares += (v[c] - mean) * (v[c] - mean);
        const double factor = 1 / std::sqrt(squares / static_cast<double>(C) + static_cast<double>(eps));
        for (std::size_t c = 0; c < C; ++c)
            out(r, c) = static_cast<float>(gain[c] * ((v[c] - mean) * factor) + bias[c]);
    }
    return {};
}

Status layernorm_rows_backward(Matrix<const float> x, std::span<const float> gain, float eps,
                               Matrix<const float> dout, Matrix<float> dx, std::span<float> dgain,
                               std::span<float> dbias) {
    const std::size_t C = x.cols;
    if (dout.rows != x.rows || dout.cols != C || dx.rows != x.rows || dx.cols != C || gain.size() != C ||
        dgain.size() != C || dbias.size() != C)
        return misfit;
    if (!good(eps)) return Status{Code::invalid_argument};
    if (C == 0 || x.rows == 0) return {};
    std::vector<double> gains(dgain.begin(), dgain.end()), biases(dbias.begin(), dbias.end());
    std::vector<double> g(C), xhat(C);
    for (std::size_t r = 0; r < x.rows; ++r) {
        const Moments m = moments(line(x, r));
        const double factor = m.factor(eps);
        const auto up = line(dout, r);
        std::transform(up.begin(), up.end(), gain.begin(), g.begin(), std::multiplies<double>());
        std::transform(x.row(r), x.row(r) + C, xhat.begin(), [&](double v) { return (v - m.mean) * factor; });
        const double along = std::accumulate(g.begin(), g.end(), 0.0) / static_cast<double>(C);
        const double across = std::inner_product(g.begin(), g.end(), xhat.begin(), 0.0) / static_cast<double>(C);
        for (std::size_t c = 0; c < C; ++c) {
            dx(r, c) = static_cast<float>(factor * (g[c] - along - xhat[c] * across));
            gains[c] += up[c] * xhat[c];
            biases[c] += up[c];
        }
    }
    for (std::size_t c = 0; c < C; ++c) {
        dgain[c] = static_cast<float>(gains[c]);
        dbias[c] = static_cast<float>(biases[c]);
    }
    return {};
}

Budget count(Config config) {
    const auto [V, P, C, L, norm, tied, precision] = config;
    Budget sum;
    sum.token_table = V * C;
    sum.position_table = P * C;
    sum.embedding_norm = norm ? 2 * C : 0;
    sum.blocks = L * C * (12 * C + 13);
    sum.final_norm = 2 * C;
    sum.head = tied ? 0 : V * C;
    sum.total = sum.token_table + sum.position_table + sum.embedding_norm + sum.blocks + sum.final_norm + sum.head;
    const std::uint64_t width = precision == Precision::bf16 ? 2 : 4;
    sum.weight_bytes = width * sum.total;
    sum.gradient_bytes = width * sum.total;
    sum.optimiser_bytes = (16 - 2 * width) * sum.total;
    sum.training_bytes = 16 * sum.total;
    return sum;
}

} // namespace exercise
