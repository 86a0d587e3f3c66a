#include "kernels/textbook.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <numeric>

/// Textbook kernels against the same work on the CPU. Inputs are small integers wherever a sum of floats is
/// compared, so that every order of addition gives the same bits.
namespace {

/// Deterministic values in [0, limit).
std::vector<int> numbers(std::size_t count, int limit, std::uint32_t seed = 1) {
    std::vector<int> out(count);
    for (auto& v : out) {
        seed = seed * 1664525u + 1013904223u;
        v = static_cast<int>((seed >> 8) % static_cast<std::uint32_t>(limit));
    }
    return out;
}

std::vector<float> floats(std::size_t count, int limit, std::uint32_t seed = 1) {
    const auto ints = numbers(count, limit, seed);
    return {ints.begin(), ints.end()};
}

} // namespace

TEST_CASE("reduction by trees sums every size") {
    for (const std::size_t n : {1u, 255u, 256u, 257u, 10000u}) {
        const auto v = floats(n, 100);
        CHECK(textbook::reduce(v) == std::accumulate(v.begin(), v.end(), 0.0f));
        CHECK(textbook::reduce_last_block(v) == std::accumulate(v.begin(), v.end(), 0.0f));
    }
}

TEST_CASE("reduction by shuffles sums every size") {
    for (const std::size_t n : {1u, 31u, 33u, 1000u, 4096u}) {
        const auto v = numbers(n, 1000);
        CHECK(textbook::reduce_shuffle(v) == std::accumulate(v.begin(), v.end(), 0));
    }
}

TEST_CASE("scan gives the prefix sums") {
    for (const std::size_t n : {1u, 256u, 1000u}) {
        const auto v = numbers(n, 50);
        std::vector<int> want(n);
        std::partial_sum(v.begin(), v.end(), want.begin());
        CHECK(textbook::scan(v) == want);
    }
}

TEST_CASE("transpose swaps rows and columns with ragged tiles") {
    const int rows = 45, cols = 70;
    const auto m = floats(rows * cols, 10000);
    const auto t = textbook::transpose(m, rows, cols);
    bool equal = true;
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c)
            equal = equal && t[c * rows + r] == m[r * cols + c];
    CHECK(equal);
}

TEST_CASE("histogram counts each byte") {
    const auto v = numbers(20000, 256);
    std::vector<unsigned int> want(256);
    for (const int b : v)
        ++want[b];
    CHECK(textbook::histogram({v.begin(), v.end()}) == want);
}

TEST_CASE("tiled matrix product equals the triple loop") {
    const int n = 33, k = 40, m = 21;
    const auto a = floats(n * k, 10), b = floats(k * m, 10, 7);
    std::vector<float> want(n * m);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            for (int x = 0; x < k; ++x)
                want[i * m + j] += a[i * k + x] * b[x * m + j];
    CHECK(textbook::matmul(a, b, n, k, m) == want);
}

TEST_CASE("warp-level sort orders each run of 32") {
    const auto v = numbers(320, 1000);
    auto want = v;
    for (std::size_t i = 0; i < want.size(); i += 32)
        std::sort(want.begin() + i, want.begin() + i + 32);
    CHECK(textbook::sort_warps(v) == want);
}

TEST_CASE("a radix pass is a stable sort by its digit") {
    for (const int shift : {0, 4, 8}) {
        const auto v = numbers(1000, 1 << 16);
        std::vector<std::uint32_t> keys(v.begin(), v.end()), want = keys;
        std::stable_sort(want.begin(), want.end(),
                         [&](auto a, auto b) { return (a >> shift & 15) < (b >> shift & 15); });
        CHECK(textbook::radix_pass(keys, shift) == want);
    }
}

TEST_CASE("sums are rounded once to 16 bits, ties to even") {
    // 1 + 2^-8 lies in the middle of 1 and 1 + 2^-7; 1 + 3 * 2^-8 in the middle of 1 + 2^-7 and 1 + 2^-6.
    CHECK(textbook::add_bfloat16({1, 1, 1, 3e38f}, {0x1p-8f, 0x3p-8f, 0x1.01p-8f, 3e38f}) ==
          std::vector<std::uint16_t>{0x3f80, 0x3f82, 0x3f81, 0x7f80});
    // 2049 and 2051 lie in the middle of halves; 65519.99 rounds down to the largest, 65520 to infinity.
    CHECK(textbook::add_half({2048, 2048, 65519, 65519}, {1, 3, 0.99f, 1}) ==
          std::vector<std::uint16_t>{0x6800, 0x6802, 0x7bff, 0x7c00});
}
