// accepted: transform, accumulate and inner_product over rows as spans; the backward pass by two projections
#include "contract.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

namespace {

using Row = std::span<const float>;

bool valid(float eps) {
    return eps > 0 && std::isfinite(eps);
}

/// The values of a row minus their mean, divided by the root of variance + eps; the divisor comes last.
std::vector<double> standardised(Row x, double eps) {
    const auto n = static_cast<double>(x.size());
    const double mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
    std::vector<double> row(x.size());
    std::ranges::transform(x, row.begin(), [mean](double value) { return value - mean; });
    const double divisor = std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0) / n + eps);
    std::ranges::for_each(row, [divisor](double& value) { value /= divisor; });
    row.push_back(divisor);
    return row;
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
    for (std::size_t n = 0; n < ids.rows * ids.cols; ++n) {
        const std::size_t b = n / ids.cols, t = n % ids.cols;
        const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
        std::transform(token, token + wte.cols, wpe.row(t), out.row(b, t),
                       [scale](double a, double p) { return static_cast<float>(a * scale + p); });
    }
    return {};
}

Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe) {
    const bool fits = dtokens.batch == dout.batch && dtokens.time == dout.time &&
                      dtokens.channels == dout.channels && dwpe.cols == dout.channels;
    if (!fits) return {Code::shape_mismatch};
    if (dout.time > dwpe.rows)
        return Status::position_out_of_range(dwpe.rows, static_cast<std::int64_t>(dwpe.rows), dwpe.rows);

    const double scale = std::sqrt(static_cast<double>(dout.channels));
    std::transform(dout.data, dout.data + dout.batch * dout.time * dout.channels, dtokens.data,
                   [scale](double g) { return static_cast<float>(g * scale); });
    for (std::size_t t = 0; t < dout.time; ++t) {
        std::vector<double> sum(dwpe.row(t), dwpe.row(t) + dwpe.cols);
        for (std::size_t b = 0; b < dout.batch; ++b)
            std::transform(sum.begin(), sum.end(), dout.row(b, t), sum.begin(), std::plus<>());
        std::ranges::transform(sum, dwpe.row(t), [](double value) { return static_cast<float>(value); });
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
        const auto row = standardised({x.row(r), x.cols}, eps);
        for (std::size_t c = 0; c < x.cols; ++c)
            out(r, c) = static_cast<float>(row[c] * gain[c] + bias[c]);
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

    const auto n = static_cast<double>(x.cols);
    for (std::size_t r = 0; r < x.rows; ++r) {
        const auto row = standardised({x.row(r), x.cols}, eps);
        std::vector<double> g(x.cols);
        std::transform(gain.begin(), gain.end(), dout.row(r), g.begin(), std::multiplies<double>());
        const double mean = std::accumulate(g.begin(), g.end(), 0.0) / n;
        const double spread = std::inner_product(g.begin(), g.end(), row.begin(), 0.0) / n;
        for (std::size_t c = 0; c < x.cols; ++c) {
            dx(r, c) = static_cast<float>((g[c] - mean - row[c] * spread) / row.back());
            dgain[c] = static_cast<float>(dgain[c] + dout(r, c) * row[c]);
            dbias[c] += dout(r, c);
        }
    }
    return {};
}

Budget count(Config config) {
    const std::uint64_t C = config.channels, norm = 2 * C;
    const auto weight = [](std::uint64_t from, std::uint64_t to) { return from * to + to; };
    const std::uint64_t block =
        2 * norm + weight(C, 3 * C) + weight(C, C) + weight(C, 4 * C) + weight(4 * C, C);
    const std::array parts{config.vocabulary * C,
                           config.positions * C,
                           config.embedding_norm ? norm : 0,
                           config.layers * block,
                           norm,
                           config.tied ? 0 : config.vocabulary * C};
    const auto total = std::accumulate(parts.begin(), parts.end(), std::uint64_t{0});
    const auto bytes = config.precision == Precision::fp32 ? std::array<std::uint64_t, 3>{4, 4, 8}
                                                           : std::array<std::uint64_t, 3>{2, 2, 12};
    return {parts[0], parts[1],         parts[2],         parts[3],         parts[4],  parts[5],
            total,    bytes[0] * total, bytes[1] * total, bytes[2] * total, 16 * total};
}

} // namespace exercise
