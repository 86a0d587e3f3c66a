#include "common/picture.h"
#include "contract.h"

using namespace exercise;

constexpr std::size_t N = 24, C = 32;

int main() {
    return picture::scene("A mask that can be drawn again", [] {
        std::vector<float> ones(N * C, 1), out(N * C);
        const Matrix<const float> x(ones.data(), N, C);
        const Matrix<float> y(out.data(), N, C);
        const auto masked = [&](const char* name, Dropout dropout) {
            picture::need(forward(x, dropout, y));
            picture::heat(name, y);
        };

        picture::figure("Ones, with more and more of them dropped",
                        "What is dropped is 0, and what survives grows by 1 / (1 - p), so the mean stays 1.");
        picture::axes("rows", "columns");
        masked("p = 0.1", {0.1F, true, 7, 0});
        masked("p = 0.5", {0.5F, true, 7, 0});
        masked("p = 0.9", {0.9F, true, 7, 0});

        picture::figure(
            "The mask follows from seed and offset",
            "The same seed gives the same mask; an offset of one row moves it up by one row; another "
            "seed gives another one; without train nothing is dropped.");
        picture::axes("rows", "columns");
        masked("seed 7", {0.5F, true, 7, 0});
        masked("seed 7 again", {0.5F, true, 7, 0});
        masked("offset 32", {0.5F, true, 7, C});
        masked("seed 8", {0.5F, true, 8, 0});
        masked("not in training", {0.5F, false, 7, 0});
    });
}
