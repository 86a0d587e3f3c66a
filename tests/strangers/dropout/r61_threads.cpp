// right: integer threshold instead of a comparison in double, rows shared out to three joined threads, backwards within a thread, factor as a division in double
#include "contract.h"
#include <cmath>
#include <thread>

namespace exercise {
namespace {

// k + 0.5 >= p * 2^52  is  2 k + 1 >= p * 2^53, and so  2 k + 1 >= ceil(p * 2^53): p * 2^53 is exact in double.
std::uint64_t threshold(float p) {
    return static_cast<std::uint64_t>(std::ceil(static_cast<double>(p) * 0x1p53));
}

bool odds(std::uint64_t seed, std::uint64_t index, std::uint64_t least) {
    std::uint64_t z = seed + index * 0x9E3779B97F4A7C15u + 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return ((z >> 12) << 1 | 1u) >= least;
}

template <class Work>
void rows_in_threads(std::size_t rows, Work work) {
    auto part = [&](std::size_t which) {
        const std::size_t first = rows / 3 * which;
        std::size_t last = which == 2 ? rows : rows / 3 * (which + 1);
        while (last-- > first)
            work(last);
    };
    if (rows < 3) {
        part(2);
        return;
    }
    std::thread one([&] { part(0); }), two([&] { part(1); });
    part(2);
    one.join();
    two.join();
}

bool fine(float p) {
    return p >= 0 && p <= 1;
}

} // namespace

bool survives(Dropout d, std::uint64_t element) {
    return !d.train || odds(d.seed, d.offset + element, threshold(d.p));
}

Status forward(Matrix<const float> x, Dropout d, Matrix<float> out) {
    if (x.rows != out.rows || x.cols != out.cols) return {Code::shape_mismatch};
    if (!fine(d.p)) return {Code::invalid_argument};
    const std::uint64_t least = threshold(d.p);
    const double keep = 1.0 - static_cast<double>(d.p);
    const bool copy = !d.train || d.p == 0;
    rows_in_threads(x.rows, [&](std::size_t r) {
        for (std::size_t c = x.cols; c-- > 0;)
            if (copy)
                out(r, c) = x(r, c);
            else
                out(r, c) = odds(d.seed, d.offset + (r * x.cols + c), least)
                                ? static_cast<float>(static_cast<double>(x(r, c)) / keep)
                                : 0.0F;
    });
    return {};
}

Status backward(Matrix<const float> dout, Dropout d, Matrix<float> dx) {
    return forward(dout, d, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout d,
             Tensor3<float> out) {
    const std::size_t T = tokens.time, C = tokens.channels;
    if (out.batch != tokens.batch || out.time != T || out.channels != C || positions.rows != T ||
        positions.cols != C)
        return {Code::shape_mismatch};
    if (!fine(d.p)) return {Code::invalid_argument};
    if (C == 0 || T == 0) return {};
    const std::uint64_t least = threshold(d.p);
    const double keep = d.train ? 1.0 - static_cast<double>(d.p) : 1.0;
    rows_in_threads(tokens.batch * T, [&](std::size_t row) {
        const float* a = tokens.data + row * C;
        const float* b = positions.row(row % T);
        float* to = out.data + row * C;
        double mean = 0, squares = 0;
        if (normalise) {
            for (std::size_t c = 0; c < C; ++c)
                mean += static_cast<double>(a[c] + b[c]);
            mean /= static_cast<double>(C);
            for (std::size_t c = 0; c < C; ++c) {
                const double off = static_cast<double>(a[c] + b[c]) - mean;
                squares += off * off;
            }
        }
        const double root = normalise ? std::sqrt(squares / static_cast<double>(C) + 1e-5) : 1.0;
        for (std::size_t c = C; c-- > 0;) {
            const bool stays = !d.train || odds(d.seed, d.offset + (row * C + c), least);
            const double s = static_cast<double>(a[c] + b[c]);
            to[c] = stays ? static_cast<float>((s - mean) / root / keep) : 0.0F;
        }
    });
    return {};
}

} // namespace exercise
