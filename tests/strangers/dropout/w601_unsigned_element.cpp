// wrong: the helper takes the element as a 32-bit unsigned, so survives(d, e) answers for e modulo 2^32 in every call in training with e >= 2^32; a right one uses all 64 bits of e
#include "contract.h"

#include <cmath>

namespace exercise {
namespace {

double number(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
}

bool kept(const Dropout& d, unsigned element) {
    return !d.train || number(d.seed, d.offset + element) >= d.p;
}

bool valid(float p) {
    return p >= 0.0F && p <= 1.0F;
}

float factor_of(const Dropout& d) {
    return d.train ? 1.0F / (1.0F - d.p) : 1.0F;
}

Status apply(Matrix<const float> x, const Dropout& d, Matrix<float> out) {
    if (x.rows != out.rows || x.cols != out.cols) return Status{Code::shape_mismatch};
    if (!valid(d.p)) return Status{Code::invalid_argument};
    if (x.rows == 0 || x.cols == 0) return Status{};
    const float factor = factor_of(d);
    for (std::size_t r = 0; r < x.rows; ++r)
        for (std::size_t c = 0; c < x.cols; ++c)
            out(r, c) = kept(d, r * x.cols + c) ? x(r, c) * factor : 0.0F;
    return Status{};
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    return kept(dropout, element);
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    return apply(x, dropout, out);
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return apply(dout, dropout, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    const std::size_t B = tokens.batch, T = tokens.time, C = tokens.channels;
    if (out.batch != B || out.time != T || out.channels != C || positions.rows != T || positions.cols != C)
        return Status{Code::shape_mismatch};
    if (!valid(dropout.p)) return Status{Code::invalid_argument};
    if (B == 0 || T == 0 || C == 0) return Status{};
    const float factor = factor_of(dropout);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            double mean = 0;
            double root = 1;
            if (normalise) {
                double sum = 0;
                for (std::size_t c = 0; c < C; ++c)
                    sum += tokens(b, t, c) + positions(t, c);
                mean = sum / static_cast<double>(C);
                double squares = 0;
                for (std::size_t c = 0; c < C; ++c) {
                    const double centred = tokens(b, t, c) + positions(t, c) - mean;
                    squares += centred * centred;
                }
                root = std::sqrt(squares / static_cast<double>(C) + 1e-5);
            }
            for (std::size_t c = 0; c < C; ++c) {
                const float s = tokens(b, t, c) + positions(t, c);
                const float value = normalise ? static_cast<float>((s - mean) / root) : s;
                out(b, t, c) = kept(dropout, (b * T + t) * C + c) ? value * factor : 0.0F;
            }
        }
    return Status{};
}

} // namespace exercise
