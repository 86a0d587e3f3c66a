// Fault: The squares of the variance are summed in float, in blocks of 1,024.
// Origin: round 21
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace exercise {
namespace {

double uniform_of(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return (static_cast<double>(z >> 12) + 0.5) * 0x1p-52;
}

bool probability(float p) { return p >= 0.0f && p <= 1.0f; }

/// What a survivor is multiplied by. Infinite for p = 1, where there are none.
float factor(const Dropout& dropout) { return 1.0f / (1.0f - dropout.p); }

/// Whether nothing is dropped and nothing is scaled.
bool passes(const Dropout& dropout) { return !dropout.train || dropout.p == 0.0f; }

void copy(Matrix<const float> x, Matrix<float> out) {
    for (std::size_t r = 0; r < x.rows; ++r)
        std::memcpy(out.row(r), x.row(r), x.cols * sizeof(float));
}

void drop(Matrix<const float> x, const Dropout& dropout, Matrix<float> out) {
    const float scale = factor(dropout);
    for (std::size_t r = 0; r < x.rows; ++r) {
        const float* from = x.row(r);
        float* to = out.row(r);
        const std::uint64_t first = dropout.offset + r * x.cols;
        for (std::size_t c = 0; c < x.cols; ++c)
            to[c] = uniform_of(dropout.seed, first + c) >= dropout.p ? from[c] * scale : 0.0f;
    }
}

Status apply(Matrix<const float> x, const Dropout& dropout, Matrix<float> out) {
    if (x.rows != out.rows || x.cols != out.cols) return Status{Code::shape_mismatch};
    if (!probability(dropout.p)) return Status{Code::invalid_argument};
    if (x.rows == 0 || x.cols == 0) return Status{};
    if (passes(dropout))
        copy(x, out);
    else
        drop(x, dropout, out);
    return Status{};
}

/// Row of C sums, normalised in place.
void normalise_row(float* row, std::size_t C) {
    double sum = 0;
    for (std::size_t c = 0; c < C; ++c)
        sum += row[c];
    const double mean = sum / static_cast<double>(C);
    double squares = 0;
    for (std::size_t begin = 0; begin < C; begin += 1024) {
        const std::size_t end = std::min(C, begin + 1024);
        float block = 0; // a block is short
        for (std::size_t c = begin; c < end; ++c) {
            const float d = static_cast<float>(row[c] - mean);
            block += d * d;
        }
        squares += block;
    }
    const double variance = squares / static_cast<double>(C);
    const double inverse = 1.0 / std::sqrt(variance + 1e-5);
    for (std::size_t c = 0; c < C; ++c)
        row[c] = static_cast<float>((row[c] - mean) * inverse);
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    return !dropout.train || uniform_of(dropout.seed, dropout.offset + element) >= dropout.p;
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) { return apply(x, dropout, out); }

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return apply(dout, dropout, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    const std::size_t B = tokens.batch;
    const std::size_t T = tokens.time;
    const std::size_t C = tokens.channels;
    if (out.batch != B || out.time != T || out.channels != C || positions.rows != T || positions.cols != C)
        return Status{Code::shape_mismatch};
    if (!probability(dropout.p)) return Status{Code::invalid_argument};
    if (B == 0 || T == 0 || C == 0) return Status{};
    const bool whole = passes(dropout);
    const float scale = factor(dropout);
    std::uint64_t e = dropout.offset;
    for (std::size_t b = 0; b < B; ++b) {
        for (std::size_t t = 0; t < T; ++t) {
            const float* token = tokens.row(b, t);
            const float* position = positions.row(t);
            float* o = out.row(b, t);
            for (std::size_t c = 0; c < C; ++c)
                o[c] = token[c] + position[c];
            if (normalise) normalise_row(o, C);
            if (whole) continue;
            for (std::size_t c = 0; c < C; ++c, ++e)
                o[c] = uniform_of(dropout.seed, e) >= dropout.p ? o[c] * scale : 0.0f;
        }
    }
    return Status{};
}

} // namespace exercise
