// accepted: the mask as a vector of factors made first, then transform; x / (1 - p) instead of a product
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace {

double uniform(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
}

bool keeps(contract::Dropout dropout, std::uint64_t element) {
    return !dropout.train || uniform(dropout.seed, dropout.offset + element) >= double{dropout.p};
}

std::vector<bool> mask(contract::Dropout dropout, std::uint64_t first, std::size_t count) {
    std::vector<bool> kept(count);
    std::generate(kept.begin(), kept.end(),
                  [&, element = first]() mutable { return keeps(dropout, element++); });
    return kept;
}

} // namespace

namespace exercise {

bool survives(Dropout dropout, std::uint64_t element) {
    return keeps(dropout, element);
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    if (out.rows != x.rows || out.cols != x.cols) return {Code::shape_mismatch};
    if (!(dropout.p >= 0 && dropout.p <= 1)) return {Code::invalid_argument};
    const float divisor = dropout.train ? 1 - dropout.p : 1;
    for (std::size_t r = 0; r < x.rows; ++r) {
        const auto kept = mask(dropout, r * x.cols, x.cols);
        std::transform(kept.begin(), kept.end(), x.row(r), out.row(r),
                       [divisor](bool keep, float value) { return keep ? value / divisor : 0.0F; });
    }
    return {};
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return forward(dout, dropout, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    const bool fits = positions.rows == tokens.time && positions.cols == tokens.channels &&
                      out.batch == tokens.batch && out.time == tokens.time && out.channels == tokens.channels;
    if (!fits) return {Code::shape_mismatch};
    if (!(dropout.p >= 0 && dropout.p <= 1)) return {Code::invalid_argument};
    const std::size_t C = tokens.channels;
    for (std::size_t n = 0; n < tokens.batch * tokens.time; ++n) {
        std::vector<double> row(C);
        std::transform(tokens.data + n * C, tokens.data + (n + 1) * C, positions.row(n % tokens.time),
                       row.begin(), [](double token, double position) { return token + position; });
        if (normalise) {
            const double mean = std::accumulate(row.begin(), row.end(), 0.0) / static_cast<double>(C);
            std::ranges::for_each(row, [mean](double& value) { value -= mean; });
            const double square = std::inner_product(row.begin(), row.end(), row.begin(), 0.0);
            const double root = std::sqrt(square / static_cast<double>(C) + 1e-5);
            std::ranges::for_each(row, [root](double& value) { value /= root; });
        }
        const auto kept = mask(dropout, n * C, C);
        const double divisor = dropout.train ? 1 - double{dropout.p} : 1;
        std::transform(
            kept.begin(), kept.end(), row.begin(), out.data + n * C,
            [divisor](bool keep, double value) { return keep ? static_cast<float>(value / divisor) : 0.0F; });
    }
    return {};
}

} // namespace exercise
