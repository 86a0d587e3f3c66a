// wrong: the mask of the last call is kept and used again where seed, offset and number of elements are the same, p is not compared; shows when two calls differ in p alone; a right one computes the mask of the p given
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace exercise {

bool survives(Dropout dropout, std::uint64_t element) {
    if (!dropout.train) return true;
    std::uint64_t z = dropout.seed + (dropout.offset + element + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52 >= static_cast<double>(dropout.p);
}

namespace {

// Backward needs the mask that forward has just made.
class MaskCache {
  public:
    const std::vector<bool>& get(const Dropout& d, std::size_t count) {
        if (mask_.size() != count || seed_ != d.seed || offset_ != d.offset) {
            mask_.resize(count);
            for (std::size_t e = 0; e < count; ++e)
                mask_[e] = survives(d, e);
            seed_ = d.seed, offset_ = d.offset;
        }
        return mask_;
    }

  private:
    std::vector<bool> mask_;
    std::uint64_t seed_ = 0, offset_ = 0;
};

MaskCache cache;

Status apply(Matrix<const float> from, Dropout d, Matrix<float> to) {
    if (from.rows != to.rows || from.cols != to.cols) return {Code::shape_mismatch};
    if (!(d.p >= 0 && d.p <= 1)) return {Code::invalid_argument};
    if (from.cols == 0 || from.rows == 0) return {};
    if (!d.train || d.p == 0) {
        for (std::size_t r = 0; r < from.rows; ++r)
            std::copy_n(from.row(r), from.cols, to.row(r));
        return {};
    }
    const auto& mask = cache.get(d, from.rows * from.cols);
    std::size_t e = 0;
    for (std::size_t r = 0; r < from.rows; ++r)
        for (std::size_t c = 0; c < from.cols; ++c)
            to(r, c) = mask[e++] ? from(r, c) / (1 - d.p) : 0.0F;
    return {};
}

} // namespace

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    return apply(x, dropout, out);
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return apply(dout, dropout, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    const std::size_t T = tokens.time, C = tokens.channels;
    if (out.batch != tokens.batch || out.time != T || out.channels != C || positions.rows != T || positions.cols != C)
        return {Code::shape_mismatch};
    if (!(dropout.p >= 0 && dropout.p <= 1)) return {Code::invalid_argument};
    if (tokens.batch == 0 || T == 0 || C == 0) return {};
    for (std::size_t b = 0; b < tokens.batch; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            double mean = 0, variance = 0;
            for (std::size_t c = 0; c < C; ++c)
                mean += static_cast<double>(tokens(b, t, c) + positions(t, c));
            mean /= static_cast<double>(C);
            for (std::size_t c = 0; c < C; ++c) {
                const double off = static_cast<double>(tokens(b, t, c) + positions(t, c)) - mean;
                variance += off * off;
            }
            const double root = std::sqrt(variance / static_cast<double>(C) + 1e-5);
            for (std::size_t c = 0; c < C; ++c) {
                const float s = tokens(b, t, c) + positions(t, c);
                const float value = normalise ? static_cast<float>((static_cast<double>(s) - mean) / root) : s;
                const bool all = !dropout.train || dropout.p == 0;
                out(b, t, c) = all ? value : survives(dropout, (b * T + t) * C + c) ? value / (1 - dropout.p) : 0.0F;
            }
        }
    return {};
}

} // namespace exercise
