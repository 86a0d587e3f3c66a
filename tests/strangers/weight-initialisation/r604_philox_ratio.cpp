// right: a generator of its own for the tables (Philox4x32-10, key = seed, counter = (e, draw)) and the ratio of uniforms; random_bits and uniform as specified
#include "contract.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace exercise {

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    unsigned __int128 wide = index;
    wide = (wide + 1) * 0x9E3779B97F4A7C15u + seed;
    std::uint64_t z = static_cast<std::uint64_t>(wide);
    for (const auto& [shift, factor] : {std::pair<int, std::uint64_t>{30, 0xBF58476D1CE4E5B9u},
                                        std::pair<int, std::uint64_t>{27, 0x94D049BB133111EBu}})
        z = (z ^ (z >> shift)) * factor;
    return z ^ (z >> 31);
}

namespace {

double open_unit(std::uint64_t bits) {
    return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;
}

/// Two words of 64 random bits for counter (e, k) under the key.
std::pair<std::uint64_t, std::uint64_t> philox(std::uint64_t key, std::uint64_t e, std::uint64_t k) {
    std::array<std::uint32_t, 4> x = {static_cast<std::uint32_t>(e), static_cast<std::uint32_t>(e >> 32),
                                      static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(k >> 32)};
    std::uint32_t k0 = static_cast<std::uint32_t>(key);
    std::uint32_t k1 = static_cast<std::uint32_t>(key >> 32);
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t p = std::uint64_t{0xD2511F53u} * x[0];
        const std::uint64_t q = std::uint64_t{0xCD9E8D57u} * x[2];
        x = {static_cast<std::uint32_t>(q >> 32) ^ x[1] ^ k0, static_cast<std::uint32_t>(q),
             static_cast<std::uint32_t>(p >> 32) ^ x[3] ^ k1, static_cast<std::uint32_t>(p)};
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return {(std::uint64_t{x[0]} << 32) | x[1], (std::uint64_t{x[2]} << 32) | x[3]};
}

/// Kinderman and Monahan: a point of the region u <= exp(-z^2 / 4), z = v / u. `k` counts the draws.
double normal(std::uint64_t seed, std::uint64_t e, std::uint64_t& k) {
    static constexpr double height = 1.7155277699214135; // 2 sqrt(2 / e)
    for (;;) {
        const auto [first, second] = philox(seed, e, k++);
        const double u = open_unit(first);
        const double z = height * (open_unit(second) - 0.5) / u;
        if (z * z <= -4.0 * std::log(u) && z * z < 81.0) return z;
    }
}

template <class Value>
void each(Matrix<float> table, Value value) {
    if (table.rows == 0) return;
    for (std::size_t c = 0; c < table.cols; ++c) // column by column, for once
        for (std::size_t r = 0; r < table.rows; ++r)
            table.data[r * table.stride + c] = value(static_cast<std::uint64_t>(r * table.cols + c));
}

} // namespace

double uniform(std::uint64_t seed, std::uint64_t index) {
    return open_unit(random_bits(seed, index));
}

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    each(table, [std, seed](std::uint64_t e) {
        std::uint64_t k = 0;
        return static_cast<float>(static_cast<double>(std) * normal(seed, e, k));
    });
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    const bool refused = !std::isfinite(mean) || !std::isfinite(std) || !(std > 0.0f) || !(a < b);
    if (refused) return Status{Code::invalid_argument};
    each(table, [=](std::uint64_t e) {
        for (std::uint64_t k = 0;;) {
            const double x = std::fma(static_cast<double>(std), normal(seed, e, k), static_cast<double>(mean));
            if (!(x < static_cast<double>(a)) && !(x > static_cast<double>(b))) return static_cast<float>(x);
        }
    });
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const __int128 rows = static_cast<__int128>(table.rows);
    const __int128 index = padding_idx;
    if (index < -rows || index >= rows) return Status::id_out_of_range(0, padding_idx, table.rows);
    const std::size_t r = static_cast<std::size_t>(index < 0 ? index + rows : index);
    for (std::size_t c = table.cols; c-- > 0;)
        table.row(r)[c] = 0.0f;
    return {};
}

} // namespace exercise
