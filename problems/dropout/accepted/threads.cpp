// accepted: four threads, each with its own stretch of elements; the counter makes the mask independent of
// them
#include "contract.h"

#include <cmath>
#include <thread>
#include <vector>

namespace {

double uniform(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
}

/// Calls `body(n)` for each n in [0, count), from four threads.
template <class Body>
void in_parallel(std::size_t count, Body body) {
    constexpr std::size_t workers = 4;
    std::vector<std::jthread> threads;
    for (std::size_t w = 0; w < workers; ++w)
        threads.emplace_back([=] {
            for (std::size_t n = count * w / workers; n < count * (w + 1) / workers; ++n)
                body(n);
        });
}

float drop(double value, contract::Dropout dropout, std::uint64_t element) {
    if (!dropout.train) return static_cast<float>(value);
    const bool kept = uniform(dropout.seed, dropout.offset + element) >= dropout.p;
    return kept ? static_cast<float>(value / (1 - double{dropout.p})) : 0.0F;
}

} // namespace

namespace exercise {

bool survives(Dropout dropout, std::uint64_t element) {
    if (!dropout.train) return true;
    return !(uniform(dropout.seed, dropout.offset + element) < dropout.p);
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    if (out.rows != x.rows || out.cols != x.cols) return {Code::shape_mismatch};
    if (!(dropout.p >= 0 && dropout.p <= 1)) return {Code::invalid_argument};
    in_parallel(x.rows * x.cols, [=](std::size_t e) {
        out(e / x.cols, e % x.cols) = drop(x(e / x.cols, e % x.cols), dropout, e);
    });
    return {};
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return forward(dout, dropout, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    const bool fits = positions.rows == tokens.time && positions.cols == tokens.channels &&
                      out.batch == tokens.batch && out.time == tokens.time && out.channels == tokens.channels;
    if (!fits) return {Code::shape_mismatch};
    if (!(dropout.p >= 0 && dropout.p <= 1)) return {Code::invalid_argument};
    const std::size_t C = tokens.channels;
    in_parallel(tokens.batch * tokens.time, [=](std::size_t n) {
        const float* token = tokens.data + n * C;
        const float* position = positions.row(n % tokens.time);
        double mean = 0;
        double scale = 1;
        if (normalise) { // Welford's single pass
            double squares = 0;
            for (std::size_t c = 0; c < C; ++c) {
                const double sum = double{token[c]} + position[c], before = sum - mean;
                mean += before / static_cast<double>(c + 1);
                squares += before * (sum - mean);
            }
            scale = 1 / std::sqrt(squares / static_cast<double>(C) + 1e-5);
        }
        for (std::size_t c = 0; c < C; ++c)
            out.data[n * C + c] = drop((double{token[c]} + position[c] - mean) * scale, dropout, n * C + c);
    });
    return {};
}

} // namespace exercise
