#include "common/picture.h"
#include "contract.h"

#include <cmath>
#include <numbers>

using namespace exercise;

constexpr std::size_t V = 6, P = 8, C = 64, T = 8, N = 200;

/// The density of the uniform distribution with mean 0 and variance 1.
double uniform(double x) {
    return std::abs(x) < std::numbers::sqrt3 ? 1 / (2 * std::numbers::sqrt3) : 0;
}

int main() {
    return picture::scene("Scaling and normalising", [] {
        std::vector<float> wte = picture::numbers(V * C, 1), wpe = picture::numbers(P * C, 2), out(T * C);
        for (float& value : wte)
            value /= std::sqrt(static_cast<float>(C));
        const std::vector<TokenId> ids{0, 1, 2, 3, 4, 5, 0, 1};
        picture::need(
            embed_scaled({wte.data(), V, C}, {wpe.data(), P, C}, {ids.data(), 1, T}, {out.data(), 1, T, C}));
        picture::figure(
            "Tokens that the positions do not drown",
            "A token row has numbers of about 1 / sqrt(C), a position of about 1. Times sqrt(C) both "
            "count alike in the sum.");
        picture::axes("tokens", "channels");
        picture::heat("token table", Matrix<float>(wte.data(), V, C));
        picture::heat("position table", Matrix<float>(wpe.data(), P, C));
        picture::heat("out", Matrix<float>(out.data(), T, C));

        std::vector<float> x = picture::numbers(N * C, 3), gain(C, 1), bias(C), normal(N * C);
        for (std::size_t r = 0; r < N; ++r)
            for (std::size_t c = 0; c < C; ++c)
                x[r * C + c] = x[r * C + c] * static_cast<float>(r + 1) / 50 + static_cast<float>(r) / 40;
        picture::need(layernorm_rows({x.data(), N, C}, gain, bias, 1e-5F, {normal.data(), N, C}));
        picture::figure(
            "Before and after LayerNorm",
            "Rows of different mean and width, and the same rows with mean 0 and variance 1: uniform "
            "numbers again, between -sqrt(3) and sqrt(3).");
        picture::axes("", "value");
        picture::histogram("before", x, -4, 10);
        picture::histogram("after", normal, -3, 3, uniform);
    });
}
