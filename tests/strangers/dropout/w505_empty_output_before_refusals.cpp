// wrong: `embed` returns success for an output without elements before it looks at `positions` and p, so with B = 0 neither positions of another shape nor p = NaN is refused; sizes must fit even where there is no sequence, and refusals do not depend on whether there is work.
#include "contract.h"

#include <cmath>
#include <numeric>
#include <span>
#include <vector>

namespace exercise {
namespace {

double uniform(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
}

float scaled(const Dropout& dropout, std::uint64_t e, float x) {
    if (!dropout.train || dropout.p == 0) return x;
    return survives(dropout, e) ? static_cast<float>(x / (1.0 - dropout.p)) : 0.0f;
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    if (!dropout.train) return true;
    return uniform(dropout.seed, dropout.offset + element) >= dropout.p;
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    if (x.rows != out.rows || x.cols != out.cols) return Status{Code::shape_mismatch};
    if (std::isnan(dropout.p) || dropout.p < 0 || dropout.p > 1) return Status{Code::invalid_argument};
    if (x.cols == 0) return {};
    for (std::size_t r = 0; r < x.rows; ++r)
        for (std::size_t c = 0; c < x.cols; ++c)
            out(r, c) = scaled(dropout, r * x.cols + c, x(r, c));
    return {};
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return forward(dout, dropout, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    if (tokens.batch != out.batch || tokens.time != out.time || tokens.channels != out.channels)
        return Status{Code::shape_mismatch};
    const std::size_t C = out.channels;
    if (out.batch * out.time * C == 0) return {}; // nothing to do
    if (positions.rows != out.time || positions.cols != C) return Status{Code::shape_mismatch};
    if (std::isnan(dropout.p) || dropout.p < 0 || dropout.p > 1) return Status{Code::invalid_argument};

    std::vector<double> sums(C);
    for (std::size_t b = 0; b < out.batch; ++b)
        for (std::size_t t = 0; t < out.time; ++t) {
            for (std::size_t c = 0; c < C; ++c)
                sums[c] = tokens(b, t, c) + positions(t, c);
            if (normalise) {
                const double n = static_cast<double>(C);
                const double mean = std::accumulate(sums.begin(), sums.end(), 0.0) / n;
                for (double& s : sums)
                    s -= mean;
                const double variance = std::inner_product(sums.begin(), sums.end(), sums.begin(), 0.0) / n;
                for (double& s : sums)
                    s /= std::sqrt(variance + 1e-5);
            }
            for (std::size_t c = 0; c < C; ++c)
                out(b, t, c) = scaled(dropout, (b * out.time + t) * C + c, static_cast<float>(sums[c]));
        }
    return {};
}

} // namespace exercise
