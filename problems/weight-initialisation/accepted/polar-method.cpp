// accepted: Marsaglia's polar method, which rejects points outside the unit circle and needs no cosine
#include "contract.h"

#include <cmath>

namespace exercise {
namespace {

/// The numbers of one element, one after the other. The counter starts anew for every element.
class Normals {
  public:
    explicit Normals(std::uint64_t stream) : stream_(stream) {}

    double next() {
        for (;;) {
            const double x = 2.0 * uniform(stream_, used_) - 1.0;
            const double y = 2.0 * uniform(stream_, used_ + 1) - 1.0;
            used_ += 2;
            const double square = x * x + y * y;
            if (square > 0.0 && square < 1.0) return x * std::sqrt(-2.0 * std::log(square) / square);
        }
    }

  private:
    std::uint64_t stream_;
    std::uint64_t used_ = 0;
};

} // namespace

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    return (static_cast<double>(random_bits(seed, index) >> 12) + 0.5) / 4503599627370496.0;
}

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    std::uint64_t element = 0;
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c, ++element)
            table(r, c) = static_cast<float>(Normals(random_bits(seed, element)).next() * std);
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!(std > 0.0f && std < INFINITY && std::fabs(mean) < INFINITY && a < b))
        return {Code::invalid_argument};
    std::uint64_t element = 0;
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c, ++element) {
            Normals normals(random_bits(seed, element));
            float value;
            do
                value = static_cast<float>(mean + std * normals.next());
            while (!(value >= a && value <= b));
            table(r, c) = value;
        }
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const auto rows = static_cast<std::int64_t>(table.rows);
    if (padding_idx >= rows || padding_idx < -rows)
        return Status::id_out_of_range(0, padding_idx, table.rows);
    const std::int64_t row = padding_idx + (padding_idx < 0) * rows;
    for (std::size_t c = 0; c < table.cols; ++c)
        table(static_cast<std::size_t>(row), c) = 0.0f;
    return {};
}

} // namespace exercise
