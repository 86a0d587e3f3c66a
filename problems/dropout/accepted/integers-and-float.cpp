// accepted: the mask by an integer threshold instead of a comparison in double, and all values in float
#include "contract.h"

#include <algorithm>
#include <cmath>

namespace {

/// The upper 52 bits from which uniform is made.
std::uint64_t upper_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + 0x9E3779B97F4A7C15u + index * 0x9E3779B97F4A7C15u;
    z ^= z >> 30, z *= 0xBF58476D1CE4E5B9u;
    z ^= z >> 27, z *= 0x94D049BB133111EBu;
    return (z ^ z >> 31) >> 12;
}

/// (k + 1/2) 2^-52 >= p for all k from here on. p 2^52 is exact in double.
std::uint64_t threshold(float p) {
    return static_cast<std::uint64_t>(std::max(0.0, std::ceil(static_cast<double>(p) * 0x1p52 - 0.5)));
}

struct Mask {
    std::uint64_t seed, next, least;
    float factor;

    explicit Mask(contract::Dropout dropout)
        : seed(dropout.seed), next(dropout.offset), least(dropout.train ? threshold(dropout.p) : 0),
          factor(dropout.train ? 1.0F / (1.0F - dropout.p) : 1.0F) {}
    float operator()(float value) { return upper_bits(seed, next++) < least ? 0.0F : value * factor; }
};

} // namespace

namespace exercise {

bool survives(Dropout dropout, std::uint64_t element) {
    return !dropout.train || upper_bits(dropout.seed, dropout.offset + element) >= threshold(dropout.p);
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    if (out.rows != x.rows || out.cols != x.cols) return {Code::shape_mismatch};
    if (!(dropout.p >= 0 && dropout.p <= 1)) return {Code::invalid_argument};
    Mask mask(dropout);
    for (std::size_t r = 0; r < x.rows; ++r)
        for (std::size_t c = 0; c < x.cols; ++c)
            out(r, c) = mask(x(r, c));
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
    Mask mask(dropout);
    for (std::size_t b = 0; b < tokens.batch; ++b)
        for (std::size_t t = 0; t < tokens.time; ++t) {
            const auto sum = [&](std::size_t c) { return tokens(b, t, c) + positions(t, c); };
            double total = 0;
            double squares = 0;
            for (std::size_t c = 0; c < tokens.channels; ++c)
                total += sum(c);
            const auto mean = static_cast<float>(total / static_cast<double>(tokens.channels));
            for (std::size_t c = 0; c < tokens.channels; ++c)
                squares += static_cast<double>(sum(c) - mean) * (sum(c) - mean);
            const auto root =
                static_cast<float>(std::sqrt(squares / static_cast<double>(tokens.channels) + 1e-5));
            for (std::size_t c = 0; c < tokens.channels; ++c)
                out(b, t, c) = mask(normalise ? (sum(c) - mean) / root : sum(c));
        }
    return {};
}

} // namespace exercise
