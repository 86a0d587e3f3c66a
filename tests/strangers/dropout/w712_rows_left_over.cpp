// wrong: matrices of 64 rows or more are shared among 4 threads with N / 4 rows each, and the N % 4 rows left over are written by nobody; shows in forward and backward with N >= 64 not divisible by 4; a right one writes every row
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <thread>

namespace exercise {

namespace {

double uniform(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
}

void rows(Matrix<const float> x, const Dropout& d, Matrix<float> out, std::size_t begin, std::size_t end) {
    const bool copy = !d.train || d.p == 0;
    for (std::size_t r = begin; r < end; ++r) {
        if (copy) {
            std::copy(x.row(r), x.row(r) + x.cols, out.row(r));
            continue;
        }
        for (std::size_t c = 0; c < x.cols; ++c)
            out(r, c) = survives(d, r * x.cols + c) ? x(r, c) / (1 - d.p) : 0.0F;
    }
}

void norm(float* row, std::size_t n) {
    double mean = 0;
    for (std::size_t c = 0; c < n; ++c)
        mean += static_cast<double>(row[c]);
    mean /= static_cast<double>(n);
    double variance = 0;
    for (std::size_t c = 0; c < n; ++c)
        variance += (static_cast<double>(row[c]) - mean) * (static_cast<double>(row[c]) - mean);
    const double root = std::sqrt(variance / static_cast<double>(n) + 1e-5);
    for (std::size_t c = 0; c < n; ++c)
        row[c] = static_cast<float>((static_cast<double>(row[c]) - mean) / root);
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    return !dropout.train || uniform(dropout.seed, dropout.offset + element) >= static_cast<double>(dropout.p);
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    if (x.rows != out.rows || x.cols != out.cols) return {Code::shape_mismatch};
    if (std::isnan(dropout.p) || dropout.p < 0 || dropout.p > 1) return {Code::invalid_argument};
    if (x.rows == 0 || x.cols == 0) return {};
    if (x.rows < 64) {
        rows(x, dropout, out, 0, x.rows);
        return {};
    }
    const std::size_t share = x.rows / 4;
    std::thread threads[4];
    for (std::size_t t = 0; t < 4; ++t)
        threads[t] = std::thread(rows, x, std::cref(dropout), out, t * share, (t + 1) * share);
    for (std::thread& thread : threads)
        thread.join();
    return {};
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return forward(dout, dropout, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    const std::size_t T = tokens.time, C = tokens.channels;
    if (out.batch != tokens.batch || out.time != T || out.channels != C || positions.rows != T || positions.cols != C)
        return {Code::shape_mismatch};
    if (std::isnan(dropout.p) || dropout.p < 0 || dropout.p > 1) return {Code::invalid_argument};
    if (tokens.batch == 0 || T == 0 || C == 0) return {};
    const bool copy = !dropout.train || dropout.p == 0;
    for (std::size_t r = 0; r < tokens.batch * T; ++r) {
        float* to = out.data + r * C;
        for (std::size_t c = 0; c < C; ++c)
            to[c] = tokens.data[r * C + c] + positions(r % T, c);
        if (normalise) norm(to, C);
        for (std::size_t c = 0; c < C && !copy; ++c)
            to[c] = survives(dropout, r * C + c) ? to[c] / (1 - dropout.p) : 0.0F;
    }
    return {};
}

} // namespace exercise
