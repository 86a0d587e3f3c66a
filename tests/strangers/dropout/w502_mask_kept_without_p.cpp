// wrong: keeps the mask from forward for backward, recognised by seed, offset and size but not by p, so a call with another p and everything else equal drops by the old p; nothing may be remembered between calls, equal values give the mask and others another.
#include "contract.h"

#include <cmath>
#include <vector>

namespace exercise {

bool survives(Dropout dropout, std::uint64_t element) {
    if (!dropout.train) return true;
    std::uint64_t z = dropout.seed + (dropout.offset + element + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return (static_cast<double>(z >> 12) + 0.5) * 0x1p-52 >= static_cast<double>(dropout.p);
}

namespace {

std::vector<bool> mask;
std::uint64_t mask_seed = 0;
std::uint64_t mask_offset = 0;

void prepare_mask(const Dropout& dropout, std::size_t count) {
    if (mask.size() == count && mask_seed == dropout.seed && mask_offset == dropout.offset) return;
    mask.resize(count);
    for (std::size_t e = 0; e < count; ++e)
        mask[e] = survives(dropout, e);
    mask_seed = dropout.seed;
    mask_offset = dropout.offset;
}

bool identity(const Dropout& dropout) {
    return !dropout.train || dropout.p == 0.0f;
}

Status apply(Matrix<const float> in, const Dropout& dropout, Matrix<float> out) {
    if (in.rows != out.rows || in.cols != out.cols) return {Code::shape_mismatch};
    if (std::isnan(dropout.p) || dropout.p < 0.0f || dropout.p > 1.0f) return {Code::invalid_argument};
    if (in.rows == 0 || in.cols == 0) return {};
    const bool copy = identity(dropout);
    if (!copy) prepare_mask(dropout, in.rows * in.cols);
    std::size_t e = 0;
    for (std::size_t r = 0; r < in.rows; ++r) {
        const float* from = in.row(r);
        float* to = out.row(r);
        for (std::size_t c = 0; c < in.cols; ++c, ++e) {
            if (copy)
                to[c] = from[c];
            else
                to[c] = mask[e] ? from[c] / (1.0f - dropout.p) : 0.0f;
        }
    }
    return {};
}

void normalise_row(float* row, std::size_t count) {
    double mean = 0;
    for (std::size_t c = 0; c < count; ++c)
        mean += row[c];
    mean /= static_cast<double>(count);
    double variance = 0;
    for (std::size_t c = 0; c < count; ++c)
        variance += (row[c] - mean) * (row[c] - mean);
    variance /= static_cast<double>(count);
    const double root = std::sqrt(variance + 1e-5);
    for (std::size_t c = 0; c < count; ++c)
        row[c] = static_cast<float>((row[c] - mean) / root);
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
    const std::size_t B = tokens.batch, T = tokens.time, C = tokens.channels;
    if (out.batch != B || out.time != T || out.channels != C) return {Code::shape_mismatch};
    if (positions.rows != T || positions.cols != C) return {Code::shape_mismatch};
    if (std::isnan(dropout.p) || dropout.p < 0.0f || dropout.p > 1.0f) return {Code::invalid_argument};
    if (B == 0 || T == 0 || C == 0) return {};

    std::vector<float> sums(B * T * C);
    for (std::size_t row = 0; row < B * T; ++row) {
        float* s = sums.data() + row * C;
        for (std::size_t c = 0; c < C; ++c)
            s[c] = tokens.data[row * C + c] + positions(row % T, c);
        if (normalise) normalise_row(s, C);
    }
    return apply(Matrix<const float>(sums.data(), B * T, C), dropout, Matrix<float>(out.data, B * T, C));
}

} // namespace exercise
