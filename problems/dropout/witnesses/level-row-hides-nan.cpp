// Fault: A normalised row whose minimum and maximum are equal becomes 0, but std::min and std::max skip a NaN.
// Origin: round 16
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace exercise {
namespace {

double uniform_number(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return (static_cast<double>(z >> 12) + 0.5) * 0x1p-52;
}

bool keeps_all(const Dropout& d) { return !d.train || d.p == 0; }

bool bad_probability(float p) { return !(p >= 0 && p <= 1); }

float scaled(float value, float p) {
    return static_cast<float>(static_cast<double>(value) / (1.0 - static_cast<double>(p)));
}

// The rows [first, last) of a masked and scaled copy.
void scale_rows(Matrix<const float> from, const Dropout& d, Matrix<float> to, std::size_t first,
                std::size_t last) {
    for (std::size_t r = first; r < last; ++r) {
        const float* source = from.row(r);
        float* target = to.row(r);
        for (std::size_t c = 0; c < from.cols; ++c) {
            const std::uint64_t e = r * from.cols + c;
            target[c] = survives(d, e) ? scaled(source[c], d.p) : 0.0f;
        }
    }
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    if (!dropout.train)
        return true;
    return uniform_number(dropout.seed, dropout.offset + element) >= static_cast<double>(dropout.p);
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    if (x.rows != out.rows || x.cols != out.cols)
        return {Code::shape_mismatch};
    if (bad_probability(dropout.p))
        return {Code::invalid_argument};
    if (x.rows == 0 || x.cols == 0)
        return {};
    if (keeps_all(dropout)) {
        for (std::size_t r = 0; r < x.rows; ++r)
            std::memcpy(out.row(r), x.row(r), x.cols * sizeof(float));
        return {};
    }
    scale_rows(x, dropout, out, 0, x.rows);
    return {};
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    if (dout.rows != dx.rows || dout.cols != dx.cols)
        return {Code::shape_mismatch};
    if (bad_probability(dropout.p))
        return {Code::invalid_argument};
    if (dout.rows == 0 || dout.cols == 0)
        return {};
    if (keeps_all(dropout)) {
        for (std::size_t r = 0; r < dout.rows; ++r)
            std::memcpy(dx.row(r), dout.row(r), dout.cols * sizeof(float));
        return {};
    }
    scale_rows(dout, dropout, dx, 0, dout.rows);
    return {};
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    const std::size_t C = tokens.channels;
    if (out.batch != tokens.batch || out.time != tokens.time || out.channels != C ||
        positions.rows != tokens.time || positions.cols != C)
        return {Code::shape_mismatch};
    if (bad_probability(dropout.p))
        return {Code::invalid_argument};
    if (tokens.batch == 0 || tokens.time == 0 || C == 0)
        return {};
    const bool all = keeps_all(dropout);
    std::uint64_t e = 0;
    for (std::size_t b = 0; b < tokens.batch; ++b)
        for (std::size_t t = 0; t < tokens.time; ++t) {
            const float* token = tokens.row(b, t);
            const float* position = positions.row(t);
            float* result = out.row(b, t);
            for (std::size_t c = 0; c < C; ++c)
                result[c] = token[c] + position[c];
            float smallest = result[0], largest = result[0];
            for (std::size_t c = 1; c < C; ++c) {
                smallest = std::min(smallest, result[c]);
                largest = std::max(largest, result[c]);
            }
            if (normalise && smallest == largest && std::isfinite(smallest)) {
                std::fill(result, result + C, 0.0f); // a level row is 0 exactly
            } else if (normalise) {
                double sum = 0;
                for (std::size_t c = 0; c < C; ++c)
                    sum += result[c];
                const double mean = sum / static_cast<double>(C);
                double squares = 0;
                for (std::size_t c = 0; c < C; ++c) {
                    const double away = result[c] - mean;
                    squares += away * away;
                }
                const double root = std::sqrt(squares / static_cast<double>(C) + 1e-5);
                for (std::size_t c = 0; c < C; ++c)
                    result[c] = static_cast<float>((result[c] - mean) / root);
            }
            if (!all)
                for (std::size_t c = 0; c < C; ++c)
                    result[c] = survives(dropout, e + c) ? scaled(result[c], dropout.p) : 0.0f;
            e += C;
        }
    return {};
}

} // namespace exercise
