// wrong: forms mean and variance of a normalised row in one pass in float, as E[s^2] - E[s]^2, which cancels where the mean is large beside the spread (mean 100, spread 1: far off; mean 10,000: NaN or nonsense); both sums are to be made in double, of deviations from the mean or as good.
#include "contract.h"

#include <cmath>
#include <cstring>

namespace exercise {
namespace {

double uniform(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
}

bool valid(float p) {
    return p >= 0 && p <= 1;
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    return !dropout.train || uniform(dropout.seed, dropout.offset + element) >= dropout.p;
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    if (x.rows != out.rows || x.cols != out.cols) return Status{Code::shape_mismatch};
    if (!valid(dropout.p)) return Status{Code::invalid_argument};
    if (x.rows == 0 || x.cols == 0) return {};

    if (!dropout.train || dropout.p == 0) {
        for (std::size_t r = 0; r < x.rows; ++r)
            std::memcpy(out.row(r), x.row(r), x.cols * sizeof(float));
        return {};
    }
    const float factor = 1 / (1 - dropout.p);
    std::uint64_t e = 0;
    for (std::size_t r = 0; r < x.rows; ++r)
        for (std::size_t c = 0; c < x.cols; ++c, ++e)
            out(r, c) = survives(dropout, e) ? x(r, c) * factor : 0;
    return {};
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return forward(dout, dropout, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    if (tokens.batch != out.batch || tokens.time != out.time || tokens.channels != out.channels ||
        positions.rows != tokens.time || positions.cols != tokens.channels)
        return Status{Code::shape_mismatch};
    if (!valid(dropout.p)) return Status{Code::invalid_argument};
    const std::size_t B = tokens.batch, T = tokens.time, C = tokens.channels;
    if (B == 0 || T == 0 || C == 0) return {};

    const float factor = dropout.train && dropout.p > 0 ? 1 / (1 - dropout.p) : 1.0f;
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* token = tokens.row(b, t);
            const float* position = positions.row(t);
            float* row = out.row(b, t);

            // one pass: the row is summed up while it is formed
            float sum = 0;
            float squares = 0;
            for (std::size_t c = 0; c < C; ++c) {
                const float s = token[c] + position[c];
                row[c] = s;
                sum += s;
                squares += s * s;
            }
            if (normalise) {
                const float mean = sum / static_cast<float>(C);
                const float variance = squares / static_cast<float>(C) - mean * mean;
                const float inverse = 1 / std::sqrt(variance + 1e-5f);
                for (std::size_t c = 0; c < C; ++c)
                    row[c] = (row[c] - mean) * inverse;
            }
            const std::uint64_t first = (b * T + t) * C;
            for (std::size_t c = 0; c < C; ++c)
                row[c] = survives(dropout, first + c) ? row[c] * factor : 0;
        }
    return {};
}

} // namespace exercise
