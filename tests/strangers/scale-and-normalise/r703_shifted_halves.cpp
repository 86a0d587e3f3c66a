// right: all sums by recursive halving; the mean is the first element plus the mean of the distances from it; embed_scaled goes channel by channel
#include "contract.h"

#include <cmath>
#include <cstdint>
#include <vector>

namespace exercise {

namespace {

/// The sum of term(i) over [first, last), in double, by halves.
template <class Term>
double total(std::size_t first, std::size_t last, const Term& term) {
    if (last - first > 4) {
        const std::size_t middle = first + (last - first) / 2;
        return total(first, middle, term) + total(middle, last, term);
    }
    double sum = 0;
    while (first < last)
        sum += term(first++);
    return sum;
}

/// A row of x without its scale: xhat of channel c.
struct Normalised {
    const float* x;
    double shift, mean, spread; ///< mean counts from shift

    Normalised(const float* row, std::size_t C, float eps) : x(row), shift(row[0]) {
        mean = total(0, C, [&](std::size_t c) { return x[c] - shift; }) / static_cast<double>(C);
        const double variance = total(0, C, [&](std::size_t c) { return centred(c) * centred(c); }) /
                                static_cast<double>(C);
        spread = std::sqrt(variance + eps);
    }
    double centred(std::size_t c) const { return (x[c] - shift) - mean; }
    double operator[](std::size_t c) const { return centred(c) / spread; }
};

Status code(Code which) {
    Status status;
    status.code = which;
    return status;
}

} // namespace

Status embed_scaled(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, Tensor3<float> out) {
    if (!(wpe.cols == wte.cols && out.channels == wte.cols && out.batch == ids.rows && out.time == ids.cols))
        return code(Code::shape_mismatch);
    if (ids.cols > wpe.rows)
        return Status::position_out_of_range(wpe.rows, static_cast<std::int64_t>(wpe.rows), wpe.rows);
    if (ids.cols == 0) return {};
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t) {
            const std::int64_t id = ids(b, t);
            if (id < 0 || id >= static_cast<std::int64_t>(wte.rows))
                return Status::id_out_of_range(b * ids.cols + t, id, wte.rows);
        }
    const double factor = std::sqrt(static_cast<double>(wte.cols));
    for (std::size_t c = 0; ids.rows > 0 && c < wte.cols; ++c)
        for (std::size_t b = 0; b < ids.rows; ++b)
            for (std::size_t t = 0; t < ids.cols; ++t)
                out(b, t, c) =
                    static_cast<float>(factor * wte(static_cast<std::size_t>(ids(b, t)), c)) + wpe(t, c);
    return {};
}

Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe) {
    const std::size_t B = dout.batch, T = dout.time, C = dout.channels;
    if (!(dtokens.batch == B && dtokens.time == T && dtokens.channels == C && dwpe.cols == C))
        return code(Code::shape_mismatch);
    if (T > dwpe.rows)
        return Status::position_out_of_range(dwpe.rows, static_cast<std::int64_t>(dwpe.rows), dwpe.rows);
    if (B == 0 || T == 0) return {};
    const double factor = std::sqrt(static_cast<double>(C));
    for (std::size_t i = 0, all = B * T * C; i < all; ++i)
        dtokens.data[i] = static_cast<float>(factor * dout.data[i]);
    for (std::size_t t = 0; C > 0 && t < T; ++t)
        for (std::size_t c = 0; c < C; ++c)
            dwpe(t, c) = static_cast<float>(dwpe(t, c) +
                                            total(0, B, [&](std::size_t b) -> double { return dout(b, t, c); }));
    return {};
}

Status layernorm_rows(Matrix<const float> x, std::span<const float> gain, std::span<const float> bias,
                      float eps, Matrix<float> out) {
    const std::size_t C = x.cols;
    if (!(out.rows == x.rows && out.cols == C && gain.size() == C && bias.size() == C))
        return code(Code::shape_mismatch);
    if (!(eps > 0) || std::isinf(eps)) return code(Code::invalid_argument);
    for (std::size_t n = 0; C > 0 && n < x.rows; ++n) {
        const Normalised xhat(x.row(n), C, eps);
        for (std::size_t c = C; c-- > 0;)
            out(n, c) = static_cast<float>(bias[c] + gain[c] * xhat[c]);
    }
    return {};
}

Status layernorm_rows_backward(Matrix<const float> x, std::span<const float> gain, float eps,
                               Matrix<const float> dout, Matrix<float> dx, std::span<float> dgain,
                               std::span<float> dbias) {
    const std::size_t N = x.rows, C = x.cols;
    for (const std::size_t rows : {dout.rows, dx.rows})
        if (rows != N) return code(Code::shape_mismatch);
    for (const std::size_t cols : {dout.cols, dx.cols, gain.size(), dgain.size(), dbias.size()})
        if (cols != C) return code(Code::shape_mismatch);
    if (!(eps > 0) || std::isinf(eps)) return code(Code::invalid_argument);
    for (std::size_t n = 0; C > 0 && n < N; ++n) {
        const Normalised xhat(x.row(n), C, eps);
        const auto g = [&](std::size_t c) { return static_cast<double>(dout(n, c)) * gain[c]; };
        const double plain = total(0, C, g) / static_cast<double>(C);
        const double along = total(0, C, [&](std::size_t c) { return g(c) * xhat[c]; }) / static_cast<double>(C);
        for (std::size_t c = 0; c < C; ++c) {
            dx(n, c) = static_cast<float>((g(c) - plain - xhat[c] * along) / xhat.spread);
            dgain[c] = static_cast<float>(dgain[c] + dout(n, c) * xhat[c]);
            dbias[c] += dout(n, c);
        }
    }
    return {};
}

Budget count(Config config) {
    const std::uint64_t C = config.channels;
    Budget b;
    b.token_table = config.vocabulary * C;
    b.position_table = config.positions * C;
    b.embedding_norm = config.embedding_norm * 2 * C;
    b.blocks = config.layers * C * (12 * C + 13);
    b.final_norm = 2 * C;
    b.head = !config.tied * b.token_table;
    b.total = b.token_table + b.position_table + b.embedding_norm + b.blocks + b.final_norm + b.head;
    switch (config.precision) {
    case Precision::fp32: b.weight_bytes = 4 * b.total, b.gradient_bytes = 4 * b.total, b.optimiser_bytes = 8 * b.total; break;
    case Precision::bf16: b.weight_bytes = 2 * b.total, b.gradient_bytes = 2 * b.total, b.optimiser_bytes = 12 * b.total; break;
    }
    b.training_bytes = b.weight_bytes + b.gradient_bytes + b.optimiser_bytes;
    return b;
}

} // namespace exercise
