// wrong: compares the upper 32 bits with p * 2^32 kept in 32 bits, which wraps to 0 for p = 1: everything survives and is multiplied by infinity, where nothing may survive; for other p the mask is right.
#include "contract.h"

#include <cmath>
#include <vector>

namespace exercise {
namespace {

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/// Whole numbers instead of doubles: one comparison of 32 bits per element.
class Mask {
  public:
    explicit Mask(Dropout d)
        : seed_(d.seed), offset_(d.offset), drops_(d.train && d.p > 0),
          threshold_(static_cast<std::uint32_t>(std::llround(std::ldexp(d.p, 32)))),
          factor_(drops_ ? 1.0f / (1.0f - d.p) : 1.0f) {}

    bool keeps(std::uint64_t e) const {
        return !drops_ || static_cast<std::uint32_t>(random_bits(seed_, offset_ + e) >> 32) >= threshold_;
    }
    float apply(float x, std::uint64_t e) const {
        if (!drops_) return x;
        return keeps(e) ? x * factor_ : 0.0f;
    }

  private:
    std::uint64_t seed_;
    std::uint64_t offset_;
    bool drops_;
    std::uint32_t threshold_;
    float factor_;
};

Status check(bool fits, float p) {
    if (!fits) return Status{Code::shape_mismatch};
    if (!(p >= 0 && p <= 1)) return Status{Code::invalid_argument};
    return {};
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    return Mask(dropout).keeps(element);
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    if (const Status s = check(x.rows == out.rows && x.cols == out.cols, dropout.p); s != Status{}) return s;
    if (x.cols == 0) return {};
    const Mask mask(dropout);
    for (std::size_t r = 0; r < x.rows; ++r)
        for (std::size_t c = 0; c < x.cols; ++c)
            out(r, c) = mask.apply(x(r, c), r * x.cols + c);
    return {};
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return forward(dout, dropout, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    const bool fits = tokens.batch == out.batch && tokens.time == out.time && tokens.channels == out.channels &&
                      positions.rows == tokens.time && positions.cols == tokens.channels;
    if (const Status s = check(fits, dropout.p); s != Status{}) return s;
    const std::size_t C = tokens.channels;
    if (C == 0) return {};
    const Mask mask(dropout);
    std::vector<float> row(C);
    std::uint64_t e = 0;
    for (std::size_t b = 0; b < tokens.batch; ++b)
        for (std::size_t t = 0; t < tokens.time; ++t) {
            const float* token = tokens.row(b, t);
            const float* position = positions.row(t);
            for (std::size_t c = 0; c < C; ++c)
                row[c] = token[c] + position[c];
            if (normalise) {
                double sum = 0;
                for (const float s : row)
                    sum += s;
                const double mean = sum / static_cast<double>(C);
                double squares = 0;
                for (const float s : row)
                    squares += (s - mean) * (s - mean);
                const double scale = 1 / std::sqrt(squares / static_cast<double>(C) + 1e-5);
                for (float& s : row)
                    s = static_cast<float>((s - mean) * scale);
            }
            float* target = out.row(b, t);
            for (std::size_t c = 0; c < C; ++c)
                target[c] = mask.apply(row[c], e++);
        }
    return {};
}

} // namespace exercise
