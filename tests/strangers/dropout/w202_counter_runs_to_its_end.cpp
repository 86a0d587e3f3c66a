// wrong: forward and backward count the index from offset up to offset + N * C with <; where that wraps around 2^64, the call writes nothing and returns Status{} (embed and survives wrap correctly).
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace exercise {
namespace {

double uniform_at(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
}

bool valid(float p) { return p >= 0.0F && p <= 1.0F; }

Status apply(Matrix<const float> x, const Dropout& d, Matrix<float> out) {
    if (x.rows != out.rows || x.cols != out.cols) return Status{Code::shape_mismatch};
    if (!valid(d.p)) return Status{Code::invalid_argument};
    if (x.rows == 0 || x.cols == 0) return Status{};
    if (!d.train || d.p == 0.0F) {
        for (std::size_t r = 0; r < x.rows; ++r) std::copy_n(x.row(r), x.cols, out.row(r));
        return Status{};
    }
    const double left = 1.0 - static_cast<double>(d.p);
    const std::uint64_t end = d.offset + x.rows * x.cols;
    std::size_t r = 0, c = 0;
    for (std::uint64_t index = d.offset; index < end; ++index) {
        out(r, c) = uniform_at(d.seed, index) >= static_cast<double>(d.p) ? static_cast<float>(x(r, c) / left) : 0.0F;
        if (++c == x.cols) {
            c = 0;
            ++r;
        }
    }
    return Status{};
}

/// Two passes, in double; `row` holds the sums s and becomes the normalised ones.
void normalise_row(float* row, std::size_t C) {
    double sum = 0;
    for (std::size_t c = 0; c < C; ++c) sum += row[c];
    const double mean = sum / static_cast<double>(C);
    double squares = 0;
    for (std::size_t c = 0; c < C; ++c) squares += (row[c] - mean) * (row[c] - mean);
    const double root = std::sqrt(squares / static_cast<double>(C) + 1e-5);
    for (std::size_t c = 0; c < C; ++c) row[c] = static_cast<float>((row[c] - mean) / root);
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    return !dropout.train || uniform_at(dropout.seed, dropout.offset + element) >= static_cast<double>(dropout.p);
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) { return apply(x, dropout, out); }

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) { return apply(dout, dropout, dx); }

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    const std::size_t B = tokens.batch, T = tokens.time, C = tokens.channels;
    if (out.batch != B || out.time != T || out.channels != C || positions.rows != T || positions.cols != C)
        return Status{Code::shape_mismatch};
    if (!valid(dropout.p)) return Status{Code::invalid_argument};
    if (B == 0 || T == 0 || C == 0) return Status{};
    const bool all = !dropout.train || dropout.p == 0.0F;
    const double left = 1.0 - static_cast<double>(dropout.p);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            float* row = out.row(b, t);
            const float* token = tokens.row(b, t);
            const float* position = positions.row(t);
            for (std::size_t c = 0; c < C; ++c) row[c] = token[c] + position[c];
            if (normalise) normalise_row(row, C);
            if (all) continue;
            const std::uint64_t first = (b * T + t) * C;
            for (std::size_t c = 0; c < C; ++c)
                row[c] = survives(dropout, first + c) ? static_cast<float>(row[c] / left) : 0.0F;
        }
    return Status{};
}

} // namespace exercise
