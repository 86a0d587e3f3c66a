// wrong: the variance is mean(s^2) - mean(s)^2 in one pass (in double), which rounding can make smaller than -1e-5, so a normalised row of equal large values (1234567.9, 100 times) becomes NaN, or 0 over a wrong root, instead of 0; shows for large equal values and C of some dozens; a right one gives exact zeros
#include "contract.h"

#include <cmath>

namespace exercise {

bool survives(Dropout dropout, std::uint64_t element) {
    std::uint64_t z = dropout.seed + (dropout.offset + element + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    const double u = (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
    return !dropout.train || u >= static_cast<double>(dropout.p);
}

namespace {

enum class Norm { none, layer };

// One row of `from` (+ `plus`) into `to`; element 0 of the row has the number `first`.
void finish(const float* from, const float* plus, float* to, std::size_t n, Norm norm, const Dropout& d, std::uint64_t first) {
    double centre = 0, inverse = 1;
    if (norm == Norm::layer) {
        double sum = 0, squares = 0;
        for (std::size_t c = 0; c < n; ++c) {
            const double s = from[c] + plus[c];
            sum += s;
            squares += s * s;
        }
        centre = sum / static_cast<double>(n);
        inverse = 1 / std::sqrt(squares / static_cast<double>(n) - centre * centre + 1e-5);
    }
    const bool none = !d.train || d.p == 0;
    const float factor = none ? 1 : 1 / (1 - d.p);
    for (std::size_t c = 0; c < n; ++c) {
        float value = plus == nullptr ? from[c] : from[c] + plus[c];
        if (norm == Norm::layer) value = static_cast<float>((static_cast<double>(value) - centre) * inverse);
        to[c] = none ? value : survives(d, first + c) ? value * factor : 0;
    }
}

bool allowed(float p) {
    return p >= 0 && p <= 1;
}

} // namespace

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    if (x.rows != out.rows || x.cols != out.cols) return Status{Code::shape_mismatch};
    if (!allowed(dropout.p)) return Status{Code::invalid_argument};
    for (std::size_t r = 0; x.cols > 0 && r < x.rows; ++r)
        finish(x.row(r), nullptr, out.row(r), x.cols, Norm::none, dropout, r * x.cols);
    return {};
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return forward(dout, dropout, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    const std::size_t T = tokens.time, C = tokens.channels;
    if (out.batch != tokens.batch || out.time != T || out.channels != C || positions.rows != T || positions.cols != C)
        return Status{Code::shape_mismatch};
    if (!allowed(dropout.p)) return Status{Code::invalid_argument};
    if (C == 0 || T == 0) return {};
    for (std::size_t b = 0; b < tokens.batch; ++b)
        for (std::size_t t = 0; t < T; ++t)
            finish(tokens.row(b, t), positions.row(t), out.row(b, t), C, normalise ? Norm::layer : Norm::none, dropout,
                   (b * T + t) * C);
    return {};
}

} // namespace exercise
