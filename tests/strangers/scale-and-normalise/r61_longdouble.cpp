// right: long double throughout with pairwise recursive sums, gradients of gain and bias summed per channel over all rows first (columns outside), factor kept in long double
#include "contract.h"
#include <cmath>
#include <vector>

namespace exercise {
namespace {

using Real = long double;

template <class Term>
Real sum(std::size_t first, std::size_t last, const Term& term) {
    if (last - first <= 7) {
        Real s = 0;
        for (std::size_t i = first; i < last; ++i)
            s += term(i);
        return s;
    }
    const std::size_t middle = first + (last - first) / 2;
    return sum(first, middle, term) + sum(middle, last, term);
}

template <class Term>
Real average(std::size_t n, const Term& term) {
    return sum(0, n, term) / static_cast<Real>(n);
}

// xhat of a row, and 1 / sqrt(variance + eps)
Real normalised(const float* x, std::size_t C, float eps, std::vector<Real>& xhat) {
    const Real mean = average(C, [&](std::size_t c) { return static_cast<Real>(x[c]); });
    for (std::size_t c = 0; c < C; ++c)
        xhat[c] = x[c] - mean;
    const Real variance = average(C, [&](std::size_t c) { return xhat[c] * xhat[c]; });
    const Real root = std::sqrt(variance + eps);
    for (Real& value : xhat)
        value /= root;
    return 1 / root;
}

bool usable(float eps) {
    return eps > 0 && eps < INFINITY;
}

} // namespace

Status embed_scaled(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, Tensor3<float> out) {
    if (wte.cols != wpe.cols || out.channels != wte.cols || out.batch != ids.rows || out.time != ids.cols)
        return {.code = Code::shape_mismatch};
    if (ids.cols > wpe.rows)
        return {Code::position_out_of_range, wpe.rows, static_cast<std::int64_t>(wpe.rows),
                static_cast<std::int64_t>(wpe.rows)};
    for (std::size_t n = 0, b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t, ++n)
            if (const TokenId id = ids(b, t); id < 0 || static_cast<std::size_t>(id) >= wte.rows)
                return Status::id_out_of_range(n, id, wte.rows);
    const Real factor = std::sqrt(static_cast<Real>(wte.cols));
    for (std::size_t t = 0; t < ids.cols; ++t)
        for (std::size_t b = ids.rows; b-- > 0;)
            for (std::size_t c = 0; c < wte.cols; ++c)
                out(b, t, c) = static_cast<float>(factor * wte(static_cast<std::size_t>(ids(b, t)), c) + wpe(t, c));
    return {};
}

Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe) {
    if (dtokens.batch != dout.batch || dtokens.time != dout.time || dtokens.channels != dout.channels ||
        dwpe.cols != dout.channels)
        return {.code = Code::shape_mismatch};
    if (dout.time > dwpe.rows)
        return {Code::position_out_of_range, dwpe.rows, static_cast<std::int64_t>(dwpe.rows),
                static_cast<std::int64_t>(dwpe.rows)};
    if (dout.batch == 0) return {};
    const Real factor = std::sqrt(static_cast<Real>(dout.channels));
    for (std::size_t c = 0; c < dout.channels; ++c)
        for (std::size_t t = 0; t < dout.time; ++t) {
            const Real all = sum(0, dout.batch, [&](std::size_t b) { return static_cast<Real>(dout(b, t, c)); });
            dwpe(t, c) = static_cast<float>(all + dwpe(t, c));
            for (std::size_t b = 0; b < dout.batch; ++b)
                dtokens(b, t, c) = static_cast<float>(factor * dout(b, t, c));
        }
    return {};
}

Status layernorm_rows(Matrix<const float> x, std::span<const float> gain, std::span<const float> bias,
                      float eps, Matrix<float> out) {
    if (out.rows != x.rows || out.cols != x.cols || gain.size() != x.cols || bias.size() != x.cols)
        return {.code = Code::shape_mismatch};
    if (!usable(eps)) return {.code = Code::invalid_argument};
    if (x.cols == 0) return {};
    std::vector<Real> xhat(x.cols);
    for (std::size_t r = x.rows; r-- > 0;) {
        normalised(x.row(r), x.cols, eps, xhat);
        for (std::size_t c = 0; c < x.cols; ++c)
            out(r, c) = static_cast<float>(gain[c] * xhat[c] + bias[c]);
    }
    return {};
}

Status layernorm_rows_backward(Matrix<const float> x, std::span<const float> gain, float eps,
                               Matrix<const float> dout, Matrix<float> dx, std::span<float> dgain,
                               std::span<float> dbias) {
    const std::size_t N = x.rows, C = x.cols;
    if (dout.rows != N || dx.rows != N || dout.cols != C || dx.cols != C) return {.code = Code::shape_mismatch};
    if (gain.size() != C || dgain.size() != C || dbias.size() != C) return {.code = Code::shape_mismatch};
    if (!usable(eps)) return {.code = Code::invalid_argument};
    if (N == 0 || C == 0) return {};
    std::vector<Real> xhat(C), to_gain(C), to_bias(C);
    for (std::size_t r = 0; r < N; ++r) {
        const Real factor = normalised(x.row(r), C, eps, xhat);
        const auto g = [&](std::size_t c) { return static_cast<Real>(dout(r, c)) * gain[c]; };
        const Real mean = average(C, g);
        const Real along = average(C, [&](std::size_t c) { return g(c) * xhat[c]; });
        for (std::size_t c = 0; c < C; ++c) {
            dx(r, c) = static_cast<float>(factor * (g(c) - mean - xhat[c] * along));
            to_gain[c] += dout(r, c) * xhat[c];
            to_bias[c] += dout(r, c);
        }
    }
    for (std::size_t c = 0; c < C; ++c) {
        dgain[c] = static_cast<float>(dgain[c] + to_gain[c]);
        dbias[c] = static_cast<float>(dbias[c] + to_bias[c]);
    }
    return {};
}

Budget count(Config config) {
    const auto [V, P, C, L, norm, tied, precision] = config;
    const std::uint64_t layer_norm = 2 * C;
    const auto dense = [](std::uint64_t in, std::uint64_t out) { return in * out + out; };
    Budget b;
    b.head = tied ? 0 : V * C;
    b.final_norm = layer_norm;
    for (std::uint64_t part : {layer_norm, dense(C, 3 * C), dense(C, C), layer_norm, dense(C, 4 * C), dense(4 * C, C)})
        b.blocks += L * part;
    b.embedding_norm = norm ? layer_norm : 0;
    b.position_table = P * C;
    b.token_table = V * C;
    b.total = b.head + b.final_norm + b.blocks + b.embedding_norm + b.position_table + b.token_table;
    b.gradient_bytes = b.weight_bytes = b.total * (precision == Precision::fp32 ? 4 : 2);
    b.training_bytes = 16 * b.total;
    b.optimiser_bytes = b.training_bytes - b.weight_bytes - b.gradient_bytes;
    return b;
}

} // namespace exercise
