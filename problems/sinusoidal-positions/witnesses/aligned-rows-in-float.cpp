// Fault: Rows at a multiple of 16 bytes are computed in float and others in double.
// Origin: round 16
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>
#include <xmmintrin.h>

namespace exercise {
namespace {

// How far pair `pair` turns from one position to the next, in radians.
double frequency(std::size_t pair, std::size_t channels, double base) {
    const double exponent = 2.0 * static_cast<double>(pair) / static_cast<double>(channels);
    return std::exp(-exponent * std::log(base));
}

float rounded(double value) {
    return static_cast<float>(std::clamp(value, -1.0, 1.0));
}

// Calls work(first, last) for pieces of 0 .. count - 1, with threads where there is much to do.
template <class Work>
void share(std::size_t count, bool much, Work work) {
    const std::size_t threads = much ? std::min<std::size_t>(8, count) : 1;
    std::vector<std::thread> pool;
    for (std::size_t i = 1; i < threads; ++i)
        pool.emplace_back(work, count * i / threads, count * (i + 1) / threads);
    work(std::size_t{0}, count / threads);
    for (std::thread& thread : pool)
        thread.join();
}

// The same in float, two pairs a step; exact enough for rows that are turned only once.
void turn_aligned(const double* sin_a, const double* cos_a, const double* sin_r, const double* cos_r, std::size_t count,
                  std::size_t cosines, float* out) {
    const __m128 one = _mm_set1_ps(1.0f), minus_one = _mm_set1_ps(-1.0f);
    std::size_t i = 0;
    for (; i + 2 <= cosines; i += 2) {
        const auto f = [](double x) { return static_cast<float>(x); };
        const __m128 x = _mm_setr_ps(f(sin_a[i]), f(cos_a[i]), f(sin_a[i + 1]), f(cos_a[i + 1]));
        const __m128 y = _mm_setr_ps(f(cos_a[i]), f(-sin_a[i]), f(cos_a[i + 1]), f(-sin_a[i + 1]));
        const __m128 c = _mm_setr_ps(f(cos_r[i]), f(cos_r[i]), f(cos_r[i + 1]), f(cos_r[i + 1]));
        const __m128 s = _mm_setr_ps(f(sin_r[i]), f(sin_r[i]), f(sin_r[i + 1]), f(sin_r[i + 1]));
        const __m128 sum = _mm_add_ps(_mm_mul_ps(x, c), _mm_mul_ps(y, s));
        _mm_store_ps(out + 2 * i, _mm_max_ps(minus_one, _mm_min_ps(one, sum)));
    }
    for (; i < count; ++i) {
        out[2 * i] = rounded(sin_a[i] * cos_r[i] + cos_a[i] * sin_r[i]);
        if (i < cosines) out[2 * i + 1] = rounded(cos_a[i] * cos_r[i] - sin_a[i] * sin_r[i]);
    }
}

constexpr std::size_t width = 64;  // pairs that are worked on together
constexpr std::size_t height = 64; // rows from one exact start to the next

// The pairs first .. first + count - 1 of all rows: row a + r is row a turned by r positions.
void fill_strip(Matrix<float> pe, double base, std::size_t first, std::size_t count) {
    double w[width], fine_sin[height][width], fine_cos[height][width], sin_a[width], cos_a[width];
    for (std::size_t i = 0; i < count; ++i)
        w[i] = frequency(first + i, pe.cols, base);
    for (std::size_t r = 0; r < std::min(height, pe.rows); ++r) {
        for (std::size_t i = 0; i < count; ++i) {
            fine_sin[r][i] = std::sin(static_cast<double>(r) * w[i]);
            fine_cos[r][i] = std::cos(static_cast<double>(r) * w[i]);
        }
    }
    for (std::size_t a = 0; a < pe.rows; a += height) {
        for (std::size_t i = 0; i < count; ++i) {
            sin_a[i] = std::sin(static_cast<double>(a) * w[i]);
            cos_a[i] = std::cos(static_cast<double>(a) * w[i]);
        }
        for (std::size_t r = 0; r < height && a + r < pe.rows; ++r) {
            float* out = pe.row(a + r) + 2 * first;
            const std::size_t cosines = std::min(count, pe.cols / 2 - first);
            if (reinterpret_cast<std::uintptr_t>(out) % 16 == 0) { // four floats at a time
                turn_aligned(sin_a, cos_a, fine_sin[r], fine_cos[r], count, cosines, out);
                continue;
            }
            for (std::size_t i = 0; i < cosines; ++i) {
                out[2 * i] = rounded(sin_a[i] * fine_cos[r][i] + cos_a[i] * fine_sin[r][i]);
                out[2 * i + 1] = rounded(cos_a[i] * fine_cos[r][i] - sin_a[i] * fine_sin[r][i]);
            }
            if (cosines < count)
                out[2 * cosines] = rounded(sin_a[cosines] * fine_cos[r][cosines] + cos_a[cosines] * fine_sin[r][cosines]);
        }
    }
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0 || pe.cols == 0) return;
    const std::size_t pairs = pe.cols / 2 + pe.cols % 2;
    share((pairs + width - 1) / width, pe.rows * pe.cols >= 65536, [=](std::size_t first, std::size_t last) {
        for (std::size_t strip = first; strip < last; ++strip)
            fill_strip(pe, base, strip * width, std::min(width, pairs - strip * width));
    });
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    const std::size_t channels = row.size();
    const std::size_t pairs = channels / 2 + channels % 2;
    share(pairs, channels >= 65536, [=](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const double phase = static_cast<double>(position) * frequency(i, channels, base);
            row[2 * i] = rounded(std::sin(phase));
            if (2 * i + 1 < channels) row[2 * i + 1] = rounded(std::cos(phase));
        }
    });
}

} // namespace exercise
