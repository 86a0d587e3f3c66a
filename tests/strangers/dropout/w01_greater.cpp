// wrong: an element whose uniform number equals p exactly (p an odd multiple of 2^-53, e.g. p = 2^-53 and number 2^-53) is dropped instead of kept: > for >=
#include "contract.h"
#include <cmath>
#include <vector>

namespace exercise {
namespace {
std::uint64_t bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}
double draw(std::uint64_t seed, std::uint64_t index) { return (static_cast<double>(bits(seed, index) >> 12) + 0.5) * 0x1p-52; }
bool bad(float p) { return !(p >= 0.0F && p <= 1.0F); }
float factor(const Dropout& d) { return d.train ? 1.0F / (1.0F - d.p) : 1.0F; }
} // namespace

bool survives(Dropout d, std::uint64_t element) {
    return !d.train || draw(d.seed, d.offset + element) > static_cast<double>(d.p);
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    if (x.rows != out.rows || x.cols != out.cols) return Status{Code::shape_mismatch};
    if (bad(dropout.p)) return Status{Code::invalid_argument};
    const float f = factor(dropout);
    for (std::size_t r = 0; r < x.rows; ++r)
        for (std::size_t c = 0; c < x.cols; ++c)
            out(r, c) = survives(dropout, r * x.cols + c) ? x(r, c) * f : 0.0F;
    return Status{};
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) { return forward(dout, dropout, dx); }

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout, Tensor3<float> out) {
    const std::size_t B = tokens.batch, T = tokens.time, C = tokens.channels;
    if (out.batch != B || out.time != T || out.channels != C || positions.rows != T || positions.cols != C) return Status{Code::shape_mismatch};
    if (bad(dropout.p)) return Status{Code::invalid_argument};
    const float f = factor(dropout);
    std::vector<double> s(C);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            double mean = 0, root = 1;
            for (std::size_t c = 0; c < C; ++c) s[c] = tokens(b, t, c) + positions(t, c);
            if (normalise) {
                for (double v : s) mean += v;
                mean /= static_cast<double>(C);
                double variance = 0;
                for (double v : s) variance += (v - mean) * (v - mean);
                variance /= static_cast<double>(C);
                root = std::sqrt(variance + 1e-5);
            }
            for (std::size_t c = 0; c < C; ++c) {
                const float y = normalise ? static_cast<float>((s[c] - mean) / root) : static_cast<float>(s[c]);
                out(b, t, c) = survives(dropout, (b * T + t) * C + c) ? y * f : 0.0F;
            }
        }
    return Status{};
}

} // namespace exercise
