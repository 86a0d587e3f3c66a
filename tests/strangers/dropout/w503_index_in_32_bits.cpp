// wrong: counts elements with `unsigned`, from offset on, so offsets of 2^32 and more lose their upper half and repeat the mask of a long training run's beginning; offset + e is modulo 2^64.
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace exercise {
namespace {

struct Splitmix {
    std::uint64_t seed;

    double uniform(unsigned index) const {
        std::uint64_t z = seed + (std::uint64_t{index} + 1) * 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        z ^= z >> 31;
        return (static_cast<double>(z >> 12) + 0.5) * 0x1p-52;
    }
};

bool is_probability(float p) {
    return 0.0f <= p && p <= 1.0f;
}

/// A row in place; `first` is the number of its first element.
void drop(float* row, std::size_t count, const Dropout& dropout, unsigned first) {
    if (!dropout.train || dropout.p == 0.0f) return;
    const Splitmix random{dropout.seed};
    const double p = dropout.p;
    const float factor = 1.0f / (1.0f - dropout.p);
    for (unsigned c = 0; c < count; ++c)
        row[c] = random.uniform(first + c) < p ? 0.0f : row[c] * factor;
}

Status run(Matrix<const float> in, const Dropout& dropout, Matrix<float> out) {
    if (in.rows != out.rows || in.cols != out.cols) return Status{Code::shape_mismatch};
    if (!is_probability(dropout.p)) return Status{Code::invalid_argument};
    if (in.cols == 0) return {};
    unsigned e = static_cast<unsigned>(dropout.offset);
    for (std::size_t r = 0; r < in.rows; ++r) {
        std::copy_n(in.row(r), in.cols, out.row(r));
        drop(out.row(r), out.cols, dropout, e);
        e += static_cast<unsigned>(in.cols);
    }
    return {};
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    if (!dropout.train) return true;
    const unsigned index = static_cast<unsigned>(dropout.offset + element);
    return Splitmix{dropout.seed}.uniform(index) >= static_cast<double>(dropout.p);
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    return run(x, dropout, out);
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return run(dout, dropout, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    if (tokens.batch != out.batch || tokens.time != out.time || tokens.channels != out.channels ||
        positions.rows != tokens.time || positions.cols != tokens.channels)
        return Status{Code::shape_mismatch};
    if (!is_probability(dropout.p)) return Status{Code::invalid_argument};
    const std::size_t C = out.channels;
    if (C == 0) return {};

    unsigned e = static_cast<unsigned>(dropout.offset);
    for (std::size_t b = 0; b < out.batch; ++b) {
        for (std::size_t t = 0; t < out.time; ++t, e += static_cast<unsigned>(C)) {
            float* row = out.row(b, t);
            std::transform(tokens.row(b, t), tokens.row(b, t) + C, positions.row(t), row, std::plus<>{});
            if (normalise) {
                double sum = 0, deviations = 0;
                std::for_each(row, row + C, [&](double s) { sum += s; });
                const double mean = sum / static_cast<double>(C);
                std::for_each(row, row + C, [&](double s) { deviations += (s - mean) * (s - mean); });
                const double root = std::sqrt(deviations / static_cast<double>(C) + 1e-5);
                std::transform(row, row + C, row, [&](double s) { return static_cast<float>((s - mean) / root); });
            }
            drop(row, C, dropout, e);
        }
    }
    return {};
}

} // namespace exercise
