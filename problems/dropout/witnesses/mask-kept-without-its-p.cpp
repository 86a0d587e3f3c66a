// Fault: backward reuses forward's mask if seed, offset and count agree, without comparing p.
// Origin: round 27
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace exercise {
namespace {

double uniform_number(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
}

bool valid(float p) {
    return p >= 0 && p <= 1; // false for NaN
}

bool identity(Dropout dropout) {
    return !dropout.train || dropout.p == 0;
}

/// `count` values, the first of which has the number `first`. `x` may be `out`.
void drop(const float* x, float* out, std::size_t count, std::uint64_t first, Dropout dropout) {
    if (identity(dropout)) {
        if (x != out) std::memcpy(out, x, count * sizeof(float));
        return;
    }
    const double p = dropout.p;
    for (std::size_t c = 0; c < count; ++c) {
        const bool keep = uniform_number(dropout.seed, dropout.offset + first + c) >= p;
        out[c] = keep ? static_cast<float>(x[c] / (1.0 - p)) : 0.0F;
    }
}

/// The mask of the last forward, since backward mostly follows with the same one.
struct Kept {
    bool filled = false;
    std::uint64_t seed = 0;
    std::uint64_t offset = 0;
    std::size_t count = 0;
    std::vector<bool> mask;
};
thread_local Kept kept;

Status check(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    if (x.rows != out.rows || x.cols != out.cols) return Status{Code::shape_mismatch};
    if (!valid(dropout.p)) return Status{Code::invalid_argument};
    return {};
}

void normalise_row(float* row, std::size_t count) {
    double sum = 0;
    for (std::size_t c = 0; c < count; ++c)
        sum += row[c];
    const double mean = sum / static_cast<double>(count);
    double squares = 0;
    for (std::size_t c = 0; c < count; ++c)
        squares += (row[c] - mean) * (row[c] - mean);
    const double root = std::sqrt(squares / static_cast<double>(count) + 1e-5);
    for (std::size_t c = 0; c < count; ++c)
        row[c] = static_cast<float>((row[c] - mean) / root);
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    if (!dropout.train) return true;
    return uniform_number(dropout.seed, dropout.offset + element) >= static_cast<double>(dropout.p);
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    const Status status = check(x, dropout, out);
    if (status.code != Code::ok || x.cols == 0 || x.rows == 0) return status;
    if (identity(dropout)) {
        for (std::size_t r = 0; r < x.rows; ++r)
            drop(x.row(r), out.row(r), x.cols, r * x.cols, dropout);
        return {};
    }
    const double p = dropout.p;
    kept.filled = true;
    kept.seed = dropout.seed;
    kept.offset = dropout.offset;
    kept.count = x.rows * x.cols;
    kept.mask.assign(kept.count, false);
    for (std::size_t r = 0; r < x.rows; ++r)
        for (std::size_t c = 0; c < x.cols; ++c) {
            const std::size_t e = r * x.cols + c;
            const bool keep = uniform_number(dropout.seed, dropout.offset + e) >= p;
            kept.mask[e] = keep;
            out(r, c) = keep ? static_cast<float>(x(r, c) / (1.0 - p)) : 0.0F;
        }
    return {};
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    const Status status = check(dout, dropout, dx);
    if (status.code != Code::ok || dout.cols == 0 || dout.rows == 0) return status;
    const bool usable = kept.filled && kept.seed == dropout.seed && kept.offset == dropout.offset &&
                        kept.count == dout.rows * dout.cols;
    if (identity(dropout) || !usable) {
        for (std::size_t r = 0; r < dout.rows; ++r)
            drop(dout.row(r), dx.row(r), dout.cols, r * dout.cols, dropout);
        return {};
    }
    const double p = dropout.p;
    for (std::size_t r = 0; r < dout.rows; ++r)
        for (std::size_t c = 0; c < dout.cols; ++c)
            dx(r, c) = kept.mask[r * dout.cols + c] ? static_cast<float>(dout(r, c) / (1.0 - p)) : 0.0F;
    return {};
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    const std::size_t width = tokens.channels;
    if (out.batch != tokens.batch || out.time != tokens.time || out.channels != width ||
        positions.rows != tokens.time || positions.cols != width)
        return Status{Code::shape_mismatch};
    if (!valid(dropout.p)) return Status{Code::invalid_argument};
    if (tokens.time == 0 || width == 0) return {};
    for (std::size_t b = 0; b < tokens.batch; ++b)
        for (std::size_t t = 0; t < tokens.time; ++t) {
            const float* token = tokens.row(b, t);
            const float* position = positions.row(t);
            float* row = out.row(b, t);
            for (std::size_t c = 0; c < width; ++c)
                row[c] = token[c] + position[c];
            if (normalise) normalise_row(row, width);
            drop(row, row, width, (b * tokens.time + t) * width, dropout);
        }
    return {};
}

} // namespace exercise
