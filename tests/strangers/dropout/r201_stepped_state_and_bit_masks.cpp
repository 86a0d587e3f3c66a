// right: the generator is stepped by its constant instead of computed from an index, p becomes an exact whole-number threshold ceil(p * 2^52 - 1/2), and values are dropped by an AND of their bits with a mask; rows are visited from the last to the first.
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <bit>
#include <cstring>
#include <vector>

namespace exercise {
namespace {

constexpr std::uint64_t step = 0x9E3779B97F4A7C15u;

std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (z ^ (z >> 31)) >> 12;
}

/// bits + 1/2 >= p * 2^52. The difference below is exact wherever it counts: p has 24 bits, and where the half
/// is lost, p * 2^52 is below 2^-28 and the result is 0 either way.
std::uint64_t threshold(float p) {
    const double least = std::ceil(static_cast<double>(p) * 0x1p52 - 0.5);
    return least > 0 ? static_cast<std::uint64_t>(least) : 0;
}

bool valid(float p) { return p >= 0.0F && p <= 1.0F; }

/// Dropout of n values in a row, the first of which has the number `element`. In place or not.
void drop(const float* in, float* to, std::size_t n, const Dropout& d, std::uint64_t element) {
    if (!d.train || d.p == 0.0F) {
        if (in != to) std::memcpy(to, in, n * sizeof(float));
        return;
    }
    const std::uint64_t least = threshold(d.p);
    const float factor = d.p == 1.0F ? 1.0F : static_cast<float>(1.0 / (1.0 - static_cast<double>(d.p)));
    std::uint64_t z = d.seed + (d.offset + element) * step;
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t alive = mixed(z += step) >= least ? 0xFFFFFFFFu : 0u;
        to[i] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(in[i] * factor) & alive);
    }
}

Status apply(Matrix<const float> x, const Dropout& d, Matrix<float> out) {
    if (x.rows != out.rows || x.cols != out.cols) return Status{Code::shape_mismatch};
    if (!valid(d.p)) return Status{Code::invalid_argument};
    if (x.cols == 0) return Status{};
    for (std::size_t r = x.rows; r-- > 0;) drop(x.row(r), out.row(r), x.cols, d, r * x.cols);
    return Status{};
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    const std::uint64_t z = dropout.seed + (dropout.offset + element + 1) * step;
    return !dropout.train || mixed(z) >= threshold(dropout.p);
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
    std::vector<double> s(C);
    for (std::size_t i = B * T; i-- > 0;) {
        const float* token = tokens.data + i * C;
        const float* position = positions.row(i % T);
        float* row = out.data + i * C;
        if (!normalise) {
            for (std::size_t c = 0; c < C; ++c) row[c] = token[c] + position[c];
        } else {
            double sum = 0, squares = 0;
            for (std::size_t c = 0; c < C; ++c) sum += s[c] = static_cast<double>(token[c]) + position[c];
            const double mean = sum / static_cast<double>(C);
            for (double& value : s) {
                value -= mean;
                squares += value * value;
            }
            const double root = std::sqrt(squares / static_cast<double>(C) + 1e-5);
            for (std::size_t c = 0; c < C; ++c) row[c] = static_cast<float>(s[c] / root);
        }
        drop(row, row, C, dropout, i * C);
    }
    return Status{};
}

} // namespace exercise
