// Fault: backward reuses forward's mask if N * C agrees, although rows of the mask begin at whole words, so C belongs
//  to the key.
// Origin: round 21
#include "contract.h"

#include <cmath>
#include <cstring>
#include <vector>

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

/// The mask of the last forward, one bit an element, so that the backward pass that usually follows need not
/// hash again. Row r begins at word r * words_of(C).
struct Kept {
    bool valid = false;
    float p = 0;
    std::uint64_t seed = 0;
    std::uint64_t offset = 0;
    std::size_t count = 0;
    std::vector<std::uint64_t> words;

    bool fits(const Dropout& dropout, std::size_t rows, std::size_t cols) const;
};

std::size_t words_of(std::size_t cols) { return (cols + 63) / 64; }

bool Kept::fits(const Dropout& dropout, std::size_t rows, std::size_t cols) const {
    return valid && p == dropout.p && seed == dropout.seed && offset == dropout.offset &&
           count == rows * cols && words.size() >= rows * words_of(cols);
}

Kept kept;

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

void drop_and_keep(Matrix<const float> x, const Dropout& dropout, Matrix<float> out) {
    const float scale = factor(dropout);
    const std::size_t pitch = words_of(x.cols);
    kept.valid = false;
    kept.words.assign(x.rows * pitch, 0);
    for (std::size_t r = 0; r < x.rows; ++r) {
        const float* from = x.row(r);
        float* to = out.row(r);
        std::uint64_t* bits = kept.words.data() + r * pitch;
        const std::uint64_t first = dropout.offset + r * x.cols;
        for (std::size_t c = 0; c < x.cols; ++c) {
            const bool stays = uniform_of(dropout.seed, first + c) >= dropout.p;
            bits[c / 64] |= static_cast<std::uint64_t>(stays) << (c % 64);
            to[c] = stays ? from[c] * scale : 0.0f;
        }
    }
    kept.p = dropout.p;
    kept.seed = dropout.seed;
    kept.offset = dropout.offset;
    kept.count = x.rows * x.cols;
    kept.valid = true;
}

void drop_kept(Matrix<const float> x, const Dropout& dropout, Matrix<float> out) {
    const float scale = factor(dropout);
    const std::size_t pitch = words_of(x.cols);
    for (std::size_t r = 0; r < x.rows; ++r) {
        const float* from = x.row(r);
        float* to = out.row(r);
        const std::uint64_t* bits = kept.words.data() + r * pitch;
        for (std::size_t c = 0; c < x.cols; ++c)
            to[c] = (bits[c / 64] >> (c % 64) & 1) != 0 ? from[c] * scale : 0.0f;
    }
}

Status apply(Matrix<const float> x, const Dropout& dropout, Matrix<float> out, bool forwards) {
    if (x.rows != out.rows || x.cols != out.cols) return Status{Code::shape_mismatch};
    if (!probability(dropout.p)) return Status{Code::invalid_argument};
    if (x.rows == 0 || x.cols == 0) return Status{};
    if (passes(dropout))
        copy(x, out);
    else if (forwards)
        drop_and_keep(x, dropout, out);
    else if (kept.fits(dropout, x.rows, x.cols))
        drop_kept(x, dropout, out);
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
    for (std::size_t c = 0; c < C; ++c) {
        const double d = row[c] - mean;
        squares += d * d;
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

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    return apply(x, dropout, out, true);
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return apply(dout, dropout, dx, false);
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
