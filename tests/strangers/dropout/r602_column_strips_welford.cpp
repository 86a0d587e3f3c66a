// right: walks strips of 16 columns instead of rows; mean and variance in one pass by Welford's recurrence in double
#include "contract.h"

#include <algorithm>
#include <cmath>

namespace exercise {
namespace {

double number(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
}

bool probability(float p) { return p >= 0.0F && p <= 1.0F; }

class Sieve {
  public:
    explicit Sieve(Dropout d) : d_(d), off_(!d.train || d.p == 0.0F) {}
    bool passes(std::uint64_t e) const { return off_ || !(number(d_.seed, d_.offset + e) < d_.p); }
    float fate(double value, std::uint64_t e) const {
        if (off_) return static_cast<float>(value);
        if (!passes(e)) return 0.0F;
        return static_cast<float>(value / (1.0 - static_cast<double>(d_.p)));
    }
    float fate(float value, std::uint64_t e) const {
        if (off_) return value;
        return fate(static_cast<double>(value), e);
    }

  private:
    Dropout d_;
    bool off_;
};

Status both_ways(Matrix<const float> a, Dropout dropout, Matrix<float> b) {
    if (a.rows != b.rows || a.cols != b.cols) return {Code::shape_mismatch, 0, 0, 0};
    if (!probability(dropout.p)) return {Code::invalid_argument, 0, 0, 0};
    const Sieve sieve(dropout);
    for (std::size_t left = 0; left < a.cols; left += 16) {
        const std::size_t right = left + std::min<std::size_t>(16, a.cols - left);
        for (std::size_t r = a.rows; r-- > 0;)
            for (std::size_t c = left; c < right; ++c)
                b(r, c) = sieve.fate(a(r, c), static_cast<std::uint64_t>(r) * a.cols + c);
    }
    return {};
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    return Sieve(dropout).passes(element);
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    return both_ways(x, dropout, out);
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return both_ways(dout, dropout, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    const bool fits = tokens.batch == out.batch && tokens.time == out.time && tokens.channels == out.channels &&
                      positions.rows == tokens.time && positions.cols == tokens.channels;
    if (!fits) return {Code::shape_mismatch, 0, 0, 0};
    if (!probability(dropout.p)) return {Code::invalid_argument, 0, 0, 0};
    if (tokens.batch == 0 || tokens.channels == 0) return {};
    const Sieve sieve(dropout);
    const std::size_t C = tokens.channels;
    for (std::size_t t = 0; t < tokens.time; ++t)
        for (std::size_t b = 0; b < tokens.batch; ++b) {
            const auto s = [&](std::size_t c) { return tokens(b, t, c) + positions(t, c); };
            double mean = 0, spread = 1;
            if (normalise) {
                double squares = 0;
                for (std::size_t c = 0; c < C; ++c) {
                    const double value = s(c);
                    const double before = value - mean;
                    mean += before / static_cast<double>(c + 1);
                    squares += before * (value - mean);
                }
                spread = std::sqrt(squares / static_cast<double>(C) + 1e-5);
            }
            for (std::size_t c = 0; c < C; ++c) {
                const std::uint64_t e = (static_cast<std::uint64_t>(b) * tokens.time + t) * C + c;
                out(b, t, c) = normalise ? sieve.fate((static_cast<double>(s(c)) - mean) / spread, e)
                                         : sieve.fate(s(c), e);
            }
        }
    return {};
}

} // namespace exercise
