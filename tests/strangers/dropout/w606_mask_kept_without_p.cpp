// wrong: keeps the mask of the last training call of forward or backward and uses it again where seed, offset and size are equal, though p may have changed; a right one makes the mask from all four numbers
#include "contract.h"

#include <cmath>
#include <vector>

namespace exercise {
namespace {

bool element_survives(const Dropout& d, std::uint64_t e) {
    if (!d.train) return true;
    std::uint64_t z = d.seed + (d.offset + e + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z = (z ^ (z >> 31)) >> 12;
    return (static_cast<double>(z) + 0.5) * 0x1p-52 >= d.p;
}

/// Backward needs the mask of forward: one of them is kept.
struct MaskCache {
    std::uint64_t seed = 0, offset = 0;
    std::vector<bool> mask;

    const std::vector<bool>& of(const Dropout& d, std::size_t count) {
        if (mask.size() != count || seed != d.seed || offset != d.offset) {
            seed = d.seed;
            offset = d.offset;
            mask.resize(count);
            for (std::size_t e = 0; e < count; ++e)
                mask[e] = element_survives(d, e);
        }
        return mask;
    }
};

MaskCache cache;

Status run(Matrix<const float> in, const Dropout& d, Matrix<float> out) {
    if (in.rows != out.rows || in.cols != out.cols) return Status{Code::shape_mismatch};
    if (!(d.p >= 0 && d.p <= 1)) return Status{Code::invalid_argument};
    if (in.rows == 0 || in.cols == 0) return Status{};
    if (!d.train) {
        for (std::size_t r = 0; r < in.rows; ++r)
            for (std::size_t c = 0; c < in.cols; ++c)
                out(r, c) = in(r, c);
        return Status{};
    }
    const std::vector<bool>& mask = cache.of(d, in.rows * in.cols);
    const float factor = 1.0F / (1.0F - d.p);
    std::size_t e = 0;
    for (std::size_t r = 0; r < in.rows; ++r)
        for (std::size_t c = 0; c < in.cols; ++c)
            out(r, c) = mask[e++] ? in(r, c) * factor : 0.0F;
    return Status{};
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    return element_survives(dropout, element);
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    return run(x, dropout, out);
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return run(dout, dropout, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    const std::size_t B = tokens.batch, T = tokens.time, C = tokens.channels;
    if (out.batch != B || out.time != T || out.channels != C || positions.rows != T || positions.cols != C)
        return Status{Code::shape_mismatch};
    if (!(dropout.p >= 0 && dropout.p <= 1)) return Status{Code::invalid_argument};
    if (B == 0 || T == 0 || C == 0) return Status{};
    std::vector<double> s(C);
    std::uint64_t e = 0;
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            double sum = 0, squares = 0;
            for (std::size_t c = 0; c < C; ++c)
                sum += s[c] = static_cast<double>(tokens(b, t, c)) + positions(t, c);
            if (normalise) {
                const double mean = sum / static_cast<double>(C);
                for (double& value : s) {
                    value -= mean;
                    squares += value * value;
                }
                const double root = std::sqrt(squares / static_cast<double>(C) + 1e-5);
                for (double& value : s)
                    value /= root;
            }
            for (std::size_t c = 0; c < C; ++c, ++e) {
                if (!element_survives(dropout, e))
                    out(b, t, c) = 0.0F;
                else
                    out(b, t, c) = static_cast<float>(dropout.train ? s[c] / (1.0 - dropout.p) : s[c]);
            }
        }
    return Status{};
}

} // namespace exercise
