// right: the mask is made 64 bits at a time as words over the flat numbering of elements, that do not care where rows end, and applied by AND on the bits of the result
#include "contract.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace exercise {

namespace {

double unit(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
}

// Bit i says whether element 64 * word + i survives.
class Words {
  public:
    explicit Words(const Dropout& dropout) : dropout_(dropout) {}
    bool operator()(std::uint64_t e) {
        if (!known_ || e / 64 != word_) make(e / 64);
        return bits_ >> (e % 64) & 1;
    }

  private:
    void make(std::uint64_t word) {
        bits_ = 0;
        for (std::uint64_t i = 0; i < 64; ++i)
            bits_ |= std::uint64_t{survives(dropout_, word * 64 + i)} << i;
        word_ = word, known_ = true;
    }

    Dropout dropout_;
    std::uint64_t word_ = 0, bits_ = 0;
    bool known_ = false;
};

float select(bool alive, float value) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & (0U - static_cast<std::uint32_t>(alive)));
}

bool bad(float p) {
    return std::isnan(p) || p < 0 || p > 1;
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    if (!dropout.train) return true;
    return unit(dropout.seed, dropout.offset + element) >= static_cast<double>(dropout.p);
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    if (x.rows != out.rows || x.cols != out.cols) return {Code::shape_mismatch};
    if (bad(dropout.p)) return {Code::invalid_argument};
    if (x.cols == 0) return {};
    if (!dropout.train || dropout.p == 0) {
        for (std::size_t r = 0; r < x.rows; ++r)
            std::copy_n(x.row(r), x.cols, out.row(r));
        return {};
    }
    Words mask(dropout);
    const double factor = 1 / (1 - static_cast<double>(dropout.p)); // infinite for p = 1, where none survives
    for (std::size_t r = 0; r < x.rows; ++r)
        for (std::size_t c = 0; c < x.cols; ++c)
            out(r, c) = select(mask(r * x.cols + c), static_cast<float>(static_cast<double>(x(r, c)) * factor));
    return {};
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return forward(dout, dropout, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    const bool same = tokens.batch == out.batch && tokens.time == out.time && tokens.channels == out.channels;
    if (!same || positions.rows != tokens.time || positions.cols != tokens.channels) return {Code::shape_mismatch};
    if (bad(dropout.p)) return {Code::invalid_argument};
    const std::size_t n = tokens.channels;
    if (n == 0 || tokens.time == 0 || tokens.batch == 0) return {};
    // sum, then norm, then mask, each over `out` in place
    for (std::size_t b = 0; b < tokens.batch; ++b)
        for (std::size_t t = 0; t < tokens.time; ++t)
            std::transform(tokens.row(b, t), tokens.row(b, t) + n, positions.row(t), out.row(b, t),
                           [](float token, float position) { return token + position; });
    const std::size_t rows = tokens.batch * tokens.time;
    for (std::size_t r = 0; normalise && r < rows; ++r) {
        float* row = out.data + r * n;
        double mean = 0, variance = 0;
        std::for_each(row, row + n, [&](float s) { mean += static_cast<double>(s); });
        mean /= static_cast<double>(n);
        std::for_each(row, row + n, [&](float s) { variance += std::pow(static_cast<double>(s) - mean, 2); });
        const double root = std::sqrt(variance / static_cast<double>(n) + 1e-5);
        std::transform(row, row + n, row, [&](float s) { return static_cast<float>((static_cast<double>(s) - mean) / root); });
    }
    if (!dropout.train || dropout.p == 0) return {};
    Words mask(dropout);
    const double keep = 1 - static_cast<double>(dropout.p);
    for (std::size_t e = 0; e < rows * n; ++e)
        out.data[e] = select(mask(e), static_cast<float>(static_cast<double>(out.data[e]) / keep));
    return {};
}

} // namespace exercise
