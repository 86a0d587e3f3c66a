// right: one template visits all elements with two joined threads, each function is a lambda of e
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <thread>

namespace exercise {

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed;
    z += index * 0x9E3779B97F4A7C15u + 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    return std::ldexp(static_cast<double>(random_bits(seed, index) / 4096 * 2 + 1), -53); // 2 k + 1 has 53 bits
}

namespace {

double gauss(std::uint64_t stream, std::uint64_t k) {
    const long double radius = std::sqrt(-2.0L * std::log(static_cast<long double>(uniform(stream, 2 * k + 1))));
    return static_cast<double>(radius * std::sin(6.283185307179586476925L * uniform(stream, 2 * k)));
}

template <class F>
void fill(Matrix<float> table, F value) {
    auto part = [&](std::size_t first, std::size_t last) {
        for (std::size_t r = first; r < last; ++r)
            for (std::size_t c = 0; c < table.cols; ++c) table(r, c) = value(r * table.cols + c);
    };
    std::thread lower(part, std::size_t{0}, table.rows / 2);
    part(table.rows / 2, table.rows);
    lower.join();
}

} // namespace

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    fill(table, [=](std::uint64_t e) { return static_cast<float>(gauss(random_bits(seed, e), 0) * std); });
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b, std::uint64_t seed) {
    const bool ok = std::abs(mean) < INFINITY && std > 0.0F && std < INFINITY && a < b;
    if (!ok) return {.code = Code::invalid_argument};
    fill(table, [=](std::uint64_t e) {
        const std::uint64_t own = random_bits(seed, e);
        std::uint64_t k = 0;
        double x;
        do x = mean + std * gauss(own, k++);
        while (!(a <= x && x <= b));
        return static_cast<float>(x);
    });
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const auto V = static_cast<std::uint64_t>(table.rows);
    // negative numbers become huge ones; add V and see whether they wrap into [0, V)
    const std::uint64_t up = static_cast<std::uint64_t>(padding_idx), row = padding_idx < 0 ? up + V : up;
    if (row >= V) return Status::id_out_of_range(0, padding_idx, table.rows);
    if (table.cols > 0) std::memset(table.row(row), 0, table.cols * sizeof(float));
    return {};
}

} // namespace exercise
