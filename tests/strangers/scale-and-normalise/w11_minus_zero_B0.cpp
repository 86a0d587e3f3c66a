// wrong: where B is 0 rows 0 .. T-1 of dwpe have an empty sum added, so -0 there becomes +0 although all rows must keep their bits
#include "contract.h"

#include <algorithm>
#include <array>
#include <functional>
#include <cmath>
#include <memory>
#include <numeric>
#include <ranges>

namespace exercise {
namespace {

constexpr Status kShape{Code::shape_mismatch};
constexpr Status kArgument{Code::invalid_argument};

struct Moments {
    double mean, factor;
};

template <class Row>
Moments moments(const Row& x, float eps) {
    const double n = static_cast<double>(x.size());
    const double mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
    const double squares = std::transform_reduce(x.begin(), x.end(), 0.0, std::plus<>{},
                                                 [=](float v) { return (v - mean) * (v - mean); });
    return {mean, 1.0 / std::sqrt(squares / n + static_cast<double>(eps))};
}

template <class T>
std::span<T> row(const Matrix<T>& m, std::size_t r) {
    return m.cols == 0 ? std::span<T>{} : std::span<T>{m.row(r), m.cols};
}

bool good(float eps) { return eps > 0.0F && eps <= 3.402823466e+38F; }

} // namespace

Status embed_scaled(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, Tensor3<float> out) {
    const auto C = wte.cols;
    if (!(wpe.cols == C && out.batch == ids.rows && out.time == ids.cols && out.channels == C)) return kShape;
    if (ids.cols > wpe.rows)
        return Status::position_out_of_range(wpe.rows, static_cast<std::int64_t>(wpe.rows), wpe.rows);
    for (std::size_t k = 0; k < ids.rows * ids.cols; ++k)
        if (const std::int64_t id = ids(k / ids.cols, k % ids.cols); id < 0 || id >= static_cast<std::int64_t>(wte.rows))
            return Status::id_out_of_range(k, id, wte.rows);
    const float root = std::sqrt(static_cast<float>(C));
    for (std::size_t k = 0; k < ids.rows * ids.cols; ++k) {
        const auto b = k / ids.cols, t = k % ids.cols;
        const auto token = row(wte, static_cast<std::size_t>(ids(b, t))), position = row(wpe, t);
        for (std::size_t c = 0; c < C; ++c) out(b, t, c) = root * token[c] + position[c];
    }
    return {};
}

Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe) {
    const auto B = dout.batch, T = dout.time, C = dout.channels;
    if (B != dtokens.batch || T != dtokens.time || C != dtokens.channels || C != dwpe.cols) return kShape;
    if (T > dwpe.rows) return Status::position_out_of_range(dwpe.rows, static_cast<std::int64_t>(dwpe.rows), dwpe.rows);
    const float root = std::sqrt(static_cast<float>(C));
    std::transform(dout.data, dout.data + B * T * C, dtokens.data, [root](float g) { return g * root; });
    for (std::size_t t = 0; t < T; ++t)
        for (std::size_t c = 0; c < C; ++c) {
            double sum = 0.0;
            for (std::size_t b = 0; b < B; ++b) sum += dout(b, t, c);
            dwpe(t, c) = static_cast<float>(dwpe(t, c) + sum);
        }
    return {};
}

Status layernorm_rows(Matrix<const float> x, std::span<const float> gain, std::span<const float> bias,
                      float eps, Matrix<float> out) {
    if (x.rows != out.rows || x.cols != out.cols || gain.size() != x.cols || bias.size() != x.cols) return kShape;
    if (!good(eps)) return kArgument;
    for (std::size_t r = 0; r < x.rows; ++r) {
        const auto from = row(x, r);
        const auto to = row(out, r);
        const auto [mean, factor] = moments(from, eps);
        for (std::size_t c = 0; c < from.size(); ++c)
            to[c] = static_cast<float>((from[c] - mean) * factor * gain[c] + bias[c]);
    }
    return {};
}

Status layernorm_rows_backward(Matrix<const float> x, std::span<const float> gain, float eps,
                               Matrix<const float> dout, Matrix<float> dx, std::span<float> dgain,
                               std::span<float> dbias) {
    const auto C = x.cols;
    if (dout.rows != x.rows || dx.rows != x.rows || dout.cols != C || dx.cols != C) return kShape;
    if (gain.size() != C || dgain.size() != C || dbias.size() != C) return kShape;
    if (!good(eps)) return kArgument;
    for (std::size_t r = 0; r < x.rows; ++r) {
        const auto in = row(x, r), up = row(dout, r);
        const auto [mean, factor] = moments(in, eps);
        double g1 = 0.0, g2 = 0.0;
        for (std::size_t c = 0; c < C; ++c) {
            const double g = static_cast<double>(up[c]) * gain[c];
            g1 += g;
            g2 += g * ((in[c] - mean) * factor);
        }
        g1 /= static_cast<double>(C);
        g2 /= static_cast<double>(C);
        for (std::size_t c = 0; c < C; ++c) {
            const double hat = (in[c] - mean) * factor;
            dx(r, c) = static_cast<float>(factor * (static_cast<double>(up[c]) * gain[c] - g1 - hat * g2));
            dgain[c] += static_cast<float>(up[c] * hat);
            dbias[c] += up[c];
        }
    }
    return {};
}

Budget count(Config m) {
    using U = std::uint64_t;
    const U C = m.channels;
    const auto weight = [](U in, U out) { return in * out + out; };
    const U norm = 2 * C;
    const U block = 2 * norm + weight(C, 3 * C) + weight(C, C) + weight(C, 4 * C) + weight(4 * C, C);
    Budget b{.token_table = m.vocabulary * C,
             .position_table = m.positions * C,
             .embedding_norm = m.embedding_norm ? norm : 0,
             .blocks = m.layers * block,
             .final_norm = norm,
             .head = m.tied ? 0 : m.vocabulary * C};
    b.total = b.token_table + b.position_table + b.embedding_norm + b.blocks + b.final_norm + b.head;
    const auto [w, g, o] = m.precision == Precision::fp32 ? std::array<U, 3>{4, 4, 8} : std::array<U, 3>{2, 2, 12};
    b.weight_bytes = w * b.total, b.gradient_bytes = g * b.total, b.optimiser_bytes = o * b.total;
    b.training_bytes = 16 * b.total;
    return b;
}

} // namespace exercise
