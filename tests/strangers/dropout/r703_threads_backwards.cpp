// right: rows go to up to 6 threads that take them by an atomic counter, each row from its end to its beginning; mean and variance by Welford's update in double
#include "contract.h"

#include <atomic>
#include <cmath>
#include <thread>
#include <vector>

namespace exercise {

namespace {

template <class Row>
void each_row(std::size_t rows, std::size_t cols, const Row& row) {
    if (cols == 0) return;
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t r; (r = next.fetch_add(1, std::memory_order_relaxed)) < rows;)
            row(r);
    };
    if (rows < 2 || rows * cols < 10000) return work();
    std::vector<std::jthread> helpers;
    for (int i = 0; i < 5; ++i)
        helpers.emplace_back(work);
    work();
}

struct Gate {
    explicit Gate(const Dropout& given) : dropout(given), open(!given.train || given.p == 0), factor(1 / (1 - given.p)) {}
    float pass(float value, std::uint64_t e) const {
        if (open) return value;
        return survives(dropout, e) ? value * factor : 0;
    }
    Dropout dropout;
    bool open;
    float factor;
};

Code check(bool fits, float p) {
    if (!fits) return Code::shape_mismatch;
    if (p >= 0 && p <= 1) return Code::ok;
    return Code::invalid_argument;
}

} // namespace

bool survives(Dropout dropout, std::uint64_t element) {
    std::uint64_t z = dropout.seed + (dropout.offset + element + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    const double u = (static_cast<double>(z >> 12) + 0.5) * 0x1p-52;
    return !dropout.train || !(u < static_cast<double>(dropout.p));
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    Status status{check(x.rows == out.rows && x.cols == out.cols, dropout.p)};
    if (status.code != Code::ok) return status;
    const Gate gate(dropout);
    each_row(x.rows, x.cols, [&](std::size_t r) {
        for (std::size_t c = x.cols; c-- > 0;)
            out(r, c) = gate.pass(x(r, c), r * x.cols + c);
    });
    return status;
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return forward(dout, dropout, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    const std::size_t B = tokens.batch, T = tokens.time, C = tokens.channels;
    Status status{check(out.batch == B && out.time == T && out.channels == C && positions.rows == T && positions.cols == C,
                        dropout.p)};
    if (status.code != Code::ok || B == 0 || T == 0) return status;
    const Gate gate(dropout);
    each_row(C == 0 ? 0 : B * T, C, [&](std::size_t r) {
        const float* token = tokens.data + r * C;
        const float* position = positions.row(r % T);
        double mean = 0, squares = 0;
        for (std::size_t c = 0; normalise && c < C; ++c) {
            const double s = token[c] + position[c];
            const double off = s - mean;
            mean += off / static_cast<double>(c + 1);
            squares += off * (s - mean);
        }
        const double root = normalise ? std::sqrt(squares / static_cast<double>(C) + 1e-5) : 1;
        for (std::size_t c = C; c-- > 0;) {
            const float s = token[c] + position[c];
            const float value = normalise ? static_cast<float>((static_cast<double>(s) - mean) / root) : s;
            out.data[r * C + c] = gate.pass(value, r * C + c);
        }
    });
    return status;
}

} // namespace exercise
