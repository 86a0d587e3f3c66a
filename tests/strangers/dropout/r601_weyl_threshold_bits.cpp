// right: the mask as a whole-number comparison, the generator's counter moved on by addition, values selected by and-ing their bits
#include "contract.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace exercise {
namespace {

constexpr std::uint64_t step = 0x9E3779B97F4A7C15u;

struct Fate {
    std::uint64_t state;     // seed + (index + 1) * step of the next element
    std::uint64_t threshold; // of 52 bits: the least that survives
    float factor;

    explicit Fate(const Dropout& d)
        : state(d.seed + (d.offset + 1) * step), threshold(0), factor(1.0F) {
        if (!d.train) return;
        // (k + 0.5) * 2^-52 >= p  <=>  k >= p * 2^52 - 0.5
        threshold = static_cast<std::uint64_t>(std::max(0.0, std::ceil(static_cast<double>(d.p) * 0x1p52 - 0.5)));
        factor = 1.0F / (1.0F - d.p);
    }

    void skip(std::uint64_t elements) { state += elements * step; }

    std::uint32_t next() { // all ones for an element that survives
        std::uint64_t z = state;
        state += step;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        z = (z ^ (z >> 31)) >> 12;
        return 0u - static_cast<std::uint32_t>(z >= threshold);
    }

    float of(float value) { return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & next()); }
};

bool outside(float p) { return !(p >= 0.0F && p <= 1.0F); }

Status drop(Matrix<const float> from, const Dropout& d, Matrix<float> to) {
    if (from.rows != to.rows || from.cols != to.cols) return Status{Code::shape_mismatch};
    if (outside(d.p)) return Status{Code::invalid_argument};
    if (from.cols == 0) return Status{};
    Fate fate(d);
    for (std::size_t r = 0; r < from.rows; ++r) {
        const float* in = from.row(r);
        float* out = to.row(r);
        for (std::size_t c = 0; c < from.cols; ++c)
            out[c] = fate.of(in[c] * fate.factor);
    }
    return Status{};
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    Fate fate(dropout);
    fate.skip(element);
    return fate.next() != 0;
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    return drop(x, dropout, out);
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return drop(dout, dropout, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    const std::size_t B = tokens.batch, T = tokens.time, C = tokens.channels;
    if (out.batch != B || out.time != T || out.channels != C || positions.rows != T || positions.cols != C)
        return Status{Code::shape_mismatch};
    if (outside(dropout.p)) return Status{Code::invalid_argument};
    if (B == 0 || T == 0 || C == 0) return Status{};
    Fate fate(dropout);
    const double width = static_cast<double>(C);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* token = tokens.row(b, t);
            const float* position = positions.row(t);
            float* to = out.row(b, t);
            const auto s = [&](std::size_t c) {
                return static_cast<double>(token[c]) + static_cast<double>(position[c]);
            };
            double mean = 0, root = 1;
            if (normalise) {
                double sum = 0, squares = 0;
                for (std::size_t c = 0; c < C; ++c)
                    sum += s(c);
                mean = sum / width;
                for (std::size_t c = 0; c < C; ++c)
                    squares += (s(c) - mean) * (s(c) - mean);
                root = std::sqrt(squares / width + 1e-5);
            }
            for (std::size_t c = 0; c < C; ++c)
                to[c] = fate.of(static_cast<float>((s(c) - mean) / root) * fate.factor);
        }
    return Status{};
}

} // namespace exercise
