// wrong: sets flush-to-zero while it works (and restores it), so values below 2^-126 become 0 in forward and backward, even without train or with p = 0; a right one gives x bit for bit there, and exact results for p = 0.5
#include "contract.h"

#include <cmath>
#include <xmmintrin.h>

namespace exercise {
namespace {

/// Tiny numbers cost a hundred cycles each.
class FastMode {
  public:
    FastMode() : before_(_mm_getcsr()) { _mm_setcsr(before_ | 0x8000); }
    ~FastMode() { _mm_setcsr(before_); }
    FastMode(const FastMode&) = delete;
    FastMode& operator=(const FastMode&) = delete;

  private:
    unsigned before_;
};

bool stays(const Dropout& d, std::uint64_t e) {
    std::uint64_t z = d.seed + (d.offset + e + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52 >= (d.train ? d.p : 0.0F);
}

float gain(const Dropout& d) {
    return d.train ? 1.0F / (1.0F - d.p) : 1.0F;
}

[[gnu::noinline]] void scale_row(const float* in, float* out, std::size_t cols, const Dropout& d, std::uint64_t e) {
    const float factor = gain(d);
    for (std::size_t c = 0; c < cols; ++c) {
        const float product = in[c] * factor;
        out[c] = stays(d, e + c) ? product : 0.0F;
    }
}

Status all_rows(Matrix<const float> in, const Dropout& d, Matrix<float> out) {
    if (in.rows != out.rows || in.cols != out.cols) return Status{Code::shape_mismatch};
    if (!(d.p >= 0 && d.p <= 1)) return Status{Code::invalid_argument};
    if (in.cols == 0) return Status{};
    const FastMode fast;
    for (std::size_t r = 0; r < in.rows; ++r)
        scale_row(in.row(r), out.row(r), in.cols, d, static_cast<std::uint64_t>(r) * in.cols);
    return Status{};
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    return stays(dropout, element);
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    return all_rows(x, dropout, out);
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return all_rows(dout, dropout, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    const std::size_t B = tokens.batch, T = tokens.time, C = tokens.channels;
    if (out.batch != B || out.time != T || out.channels != C || positions.rows != T || positions.cols != C)
        return Status{Code::shape_mismatch};
    if (!(dropout.p >= 0 && dropout.p <= 1)) return Status{Code::invalid_argument};
    if (B == 0 || T == 0 || C == 0) return Status{};
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            double mean = 0, squares = 0;
            float* to = out.row(b, t);
            for (std::size_t c = 0; c < C; ++c) {
                to[c] = tokens(b, t, c) + positions(t, c);
                mean += to[c];
            }
            mean /= static_cast<double>(C);
            for (std::size_t c = 0; c < C; ++c)
                squares += (to[c] - mean) * (to[c] - mean);
            const double root = std::sqrt(squares / static_cast<double>(C) + 1e-5);
            for (std::size_t c = 0; c < C && normalise; ++c)
                to[c] = static_cast<float>((to[c] - mean) / root);
            scale_row(to, to, C, dropout, (b * T + t) * C);
        }
    return Status{};
}

} // namespace exercise
