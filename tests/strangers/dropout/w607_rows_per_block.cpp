// wrong: forward and backward work in blocks of 16,384 / C rows and divide by C before they ask whether C is 0: every call that is not refused and has C = 0 ends with a division by zero; a right one returns Status{}
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <thread>
#include <vector>

namespace exercise {
namespace {

struct Rule {
    bool on;
    double p;
    float factor;
    std::uint64_t seed, offset;

    explicit Rule(const Dropout& d)
        : on(d.train), p(d.p), factor(1.0F / (1.0F - d.p)), seed(d.seed), offset(d.offset) {}

    bool keeps(std::uint64_t e) const {
        if (!on) return true;
        std::uint64_t z = seed + (offset + e + 1) * 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52 >= p;
    }
    float operator()(float x, std::uint64_t e) const {
        if (!on) return x;
        return keeps(e) ? x * factor : 0.0F;
    }
};

Status blocks(Matrix<const float> in, const Dropout& d, Matrix<float> out) {
    if (in.rows != out.rows || in.cols != out.cols) return Status{Code::shape_mismatch};
    if (!(d.p >= 0 && d.p <= 1)) return Status{Code::invalid_argument};
    const Rule rule(d);
    const auto work = [=](std::size_t from, std::size_t to) {
        for (std::size_t r = from; r < to; ++r)
            for (std::size_t c = 0; c < in.cols; ++c)
                out(r, c) = rule(in(r, c), r * in.cols + c);
    };
    const std::size_t rows = std::max<std::size_t>(1, 16'384 / in.cols);
    if (in.rows <= rows) {
        work(0, in.rows);
        return Status{};
    }
    // Four threads take every fourth block.
    std::vector<std::thread> threads;
    for (std::size_t k = 0; k < 4; ++k)
        threads.emplace_back([=] {
            for (std::size_t from = k * rows; from < in.rows; from += 4 * rows)
                work(from, std::min(in.rows, from + rows));
        });
    for (std::thread& thread : threads)
        thread.join();
    return Status{};
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    return Rule(dropout).keeps(element);
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    return blocks(x, dropout, out);
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return blocks(dout, dropout, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    const std::size_t B = tokens.batch, T = tokens.time, C = tokens.channels;
    if (out.batch != B || out.time != T || out.channels != C || positions.rows != T || positions.cols != C)
        return Status{Code::shape_mismatch};
    if (!(dropout.p >= 0 && dropout.p <= 1)) return Status{Code::invalid_argument};
    if (B == 0 || T == 0 || C == 0) return Status{};
    const Rule rule(dropout);
    for (std::size_t row = 0; row < B * T; ++row) {
        const float* token = tokens.data + row * C;
        const float* position = positions.row(row % T);
        float* to = out.data + row * C;
        double mean = 0, variance = 0;
        for (std::size_t c = 0; c < C; ++c)
            mean += token[c] + position[c];
        mean /= static_cast<double>(C);
        for (std::size_t c = 0; c < C; ++c)
            variance += (token[c] + position[c] - mean) * (token[c] + position[c] - mean);
        const double root = std::sqrt(variance / static_cast<double>(C) + 1e-5);
        for (std::size_t c = 0; c < C; ++c) {
            const float s = token[c] + position[c];
            to[c] = rule(normalise ? static_cast<float>((s - mean) / root) : s, row * C + c);
        }
    }
    return Status{};
}

} // namespace exercise
