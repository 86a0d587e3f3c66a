// wrong: each call works with flush-to-zero and denormals-are-zero and puts the modes back before it returns, so values below 2^-126 become 0 where x / (1 - p) would be exact (p = 0.5); shows with such values in train mode; a right one is exact where nothing has to round, however small
#include "contract.h"

#include <cmath>
#include <cstring>
#include <xmmintrin.h>

namespace exercise {

namespace {

// Tiny numbers cost a hundred cycles each. Bits 15 and 6 of the control register spare us that.
class Quick {
  public:
    Quick() : before_(_mm_getcsr()) { _mm_setcsr(before_ | 0x8040U); }
    ~Quick() { _mm_setcsr(before_); }
    Quick(const Quick&) = delete;
    Quick& operator=(const Quick&) = delete;

  private:
    unsigned before_;
};

void scale_row(const float* from, float* to, std::size_t n, const Dropout& d, std::uint64_t first) {
    if (!d.train || d.p == 0) {
        if (from != to) std::memcpy(to, from, n * sizeof(float));
        return;
    }
    const Quick quick;
    const float factor = 1.0F / (1.0F - d.p);
    for (std::size_t c = 0; c < n; ++c)
        to[c] = survives(d, first + c) ? from[c] * factor : 0.0F;
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    if (!dropout.train) return true;
    std::uint64_t z = dropout.seed + (dropout.offset + element + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52 >= static_cast<double>(dropout.p);
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    if (x.rows != out.rows || x.cols != out.cols) return Status{Code::shape_mismatch};
    if (!(dropout.p >= 0 && dropout.p <= 1)) return Status{Code::invalid_argument};
    if (x.cols == 0) return {};
    for (std::size_t r = 0; r < x.rows; ++r)
        scale_row(x.row(r), out.row(r), x.cols, dropout, r * x.cols);
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
    if (!(dropout.p >= 0 && dropout.p <= 1)) return Status{Code::invalid_argument};
    if (C == 0 || T == 0) return {};
    for (std::size_t b = 0; b < tokens.batch; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            float* to = out.row(b, t);
            double mean = 0, variance = 0;
            for (std::size_t c = 0; c < C; ++c) {
                to[c] = tokens(b, t, c) + positions(t, c);
                mean += static_cast<double>(to[c]);
            }
            mean /= static_cast<double>(C);
            if (normalise) {
                for (std::size_t c = 0; c < C; ++c)
                    variance += (static_cast<double>(to[c]) - mean) * (static_cast<double>(to[c]) - mean);
                const double root = std::sqrt(variance / static_cast<double>(C) + 1e-5);
                for (std::size_t c = 0; c < C; ++c)
                    to[c] = static_cast<float>((static_cast<double>(to[c]) - mean) / root);
            }
            scale_row(to, to, C, dropout, (b * T + t) * C);
        }
    return {};
}

} // namespace exercise
