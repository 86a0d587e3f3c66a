// wrong: init_normal and init_truncated_normal switch flush-to-zero and denormals-are-zero on and leave them on; shows after any call with elements: tiny floats of the caller's arithmetic become 0, and with a tiny std the table itself; a right one leaves the floating-point modes as they were
#include "contract.h"

#include <cmath>
#include <numbers>
#include <pmmintrin.h>
#include <xmmintrin.h>

namespace exercise {

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    return (static_cast<double>(random_bits(seed, index) >> 12) + 0.5) * 0x1p-52;
}

namespace {

void no_slow_denormals() {
    _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
    _MM_SET_DENORMALS_ZERO_MODE(_MM_DENORMALS_ZERO_ON);
}

struct Gauss {
    std::uint64_t stream;
    std::uint64_t used = 0;

    double operator()() {
        const double u = uniform(stream, used++), turn = uniform(stream, used++);
        return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * turn);
    }
};

} // namespace

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    if (table.cols == 0 || table.rows == 0) return;
    no_slow_denormals();
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c)
            table(r, c) = static_cast<float>(static_cast<double>(std) * Gauss{random_bits(seed, r * table.cols + c)}());
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || !(std > 0) || !(a < b)) return Status{Code::invalid_argument};
    if (table.cols == 0 || table.rows == 0) return {};
    no_slow_denormals();
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c) {
            Gauss gauss{random_bits(seed, r * table.cols + c)};
            double x = 0;
            do
                x = static_cast<double>(mean) + static_cast<double>(std) * gauss();
            while (x < static_cast<double>(a) || x > static_cast<double>(b));
            table(r, c) = static_cast<float>(x);
        }
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const auto v = static_cast<std::int64_t>(table.rows);
    if (padding_idx < -v || padding_idx >= v) return Status::id_out_of_range(0, padding_idx, table.rows);
    const auto row = static_cast<std::size_t>(padding_idx < 0 ? padding_idx + v : padding_idx);
    for (std::size_t c = 0; c < table.cols; ++c)
        table(row, c) = 0;
    return {};
}

} // namespace exercise
