// right: Box-Muller, every element's stream keyed by a hash of (hashed seed, e), the table cut into runs of elements (not rows) that several threads fill
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <system_error>
#include <thread>
#include <vector>

namespace exercise {

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = (index + 1) * UINT64_C(0x9E3779B97F4A7C15) + seed;
    z ^= z >> 30;
    z *= UINT64_C(0xBF58476D1CE4E5B9);
    z ^= z >> 27;
    z *= UINT64_C(0x94D049BB133111EB);
    z ^= z >> 31;
    return z;
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    const std::uint64_t odd = (random_bits(seed, index) >> 12) * 2 + 1; // below 2^53, so exact
    return std::ldexp(static_cast<double>(odd), -53);
}

namespace {

double normal(std::uint64_t stream, std::uint64_t pair) {
    const double radius = std::sqrt(-2.0 * std::log(uniform(stream, 2 * pair)));
    return radius * std::cos(2.0 * std::numbers::pi * uniform(stream, 2 * pair + 1));
}

/// Gives every element e of the table the value draw(e), with as many threads as pay.
template <class Draw>
void fill(Matrix<float> table, const Draw& draw) {
    if (table.rows == 0 || table.cols == 0) return;
    const std::size_t count = table.rows * table.cols;
    const auto run = [&](std::size_t from, std::size_t to) {
        std::size_t r = from / table.cols;
        std::size_t c = from % table.cols;
        float* row = table.row(r);
        for (std::size_t e = from; e < to; ++e) {
            row[c] = draw(static_cast<std::uint64_t>(e));
            if (++c == table.cols && e + 1 < to) {
                c = 0;
                row = table.row(++r);
            }
        }
    };
    const std::size_t wanted = std::min<std::size_t>(4, count / 20000 + 1);
    std::vector<std::thread> helpers;
    helpers.reserve(wanted);
    std::size_t from = 0;
    for (std::size_t i = 0; i + 1 < wanted; ++i) {
        const std::size_t to = from + count / wanted;
        try {
            helpers.emplace_back(run, from, to);
        } catch (const std::system_error&) {
            break; // this thread does the rest
        }
        from = to;
    }
    run(from, count);
    for (std::thread& helper : helpers)
        helper.join();
}

} // namespace

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    const std::uint64_t hashed = random_bits(seed, 0x6E6F726D616CULL);
    const double spread = std;
    fill(table, [=](std::uint64_t e) {
        return static_cast<float>(spread * normal(random_bits(hashed, e), 0));
    });
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    const bool sound = std::isfinite(mean) && std::isfinite(std) && std > 0 && a < b;
    if (!sound) return Status{Code::invalid_argument};
    const std::uint64_t hashed = random_bits(seed, 0x7472756E63ULL);
    const double centre = mean, spread = std, low = a, high = b;
    fill(table, [=](std::uint64_t e) {
        const std::uint64_t stream = random_bits(hashed, e);
        for (std::uint64_t k = 0;; ++k) {
            const double x = centre + spread * normal(stream, k);
            if (low <= x && x <= high) return static_cast<float>(x);
        }
    });
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const std::uint64_t bits = static_cast<std::uint64_t>(padding_idx);
    const std::uint64_t rows = table.rows;
    const bool inside = padding_idx >= 0 ? bits < rows : 0 - bits <= rows;
    if (!inside) return Status::id_out_of_range(0, padding_idx, table.rows);
    if (table.cols == 0) return {};
    float* row = table.row(padding_idx >= 0 ? bits : rows + bits);
    for (std::size_t c = 0; c < table.cols; ++c)
        row[c] = 0.0f;
    return {};
}

} // namespace exercise
