#include "common/picture.h"
#include "contract.h"

#include <cmath>
#include <numbers>
#include <vector>

using namespace exercise;

constexpr std::size_t V = 400, C = 100;
constexpr double sigma = 0.02;

double density(double x) {
    return std::exp(-x * x / (2 * sigma * sigma)) / (sigma * std::sqrt(2 * std::numbers::pi));
}

/// Of what is drawn anew until it lies within two standard deviations.
double density_within(double x) {
    return std::abs(x) <= 2 * sigma ? density(x) / std::erf(std::numbers::sqrt2) : 0;
}

int main() {
    return picture::scene("How a table begins", [] {
        std::vector<float> numbers(V * C);
        const Matrix<float> table(numbers.data(), V, C);

        picture::figure("40,000 numbers of N(0, 0.02^2)",
                        "The bars should follow the curve: the density of the normal distribution.");
        picture::axes("", "value");
        init_normal(table, static_cast<float>(sigma), 7);
        picture::histogram("init_normal", numbers, -4 * sigma, 4 * sigma, density);

        picture::figure(
            "Cut off at two standard deviations",
            "What would lie outside is drawn anew, so the curve is a little higher between the bounds. "
            "Columns at the bounds would mean that values were moved there.");
        const auto bound = static_cast<float>(2 * sigma);
        picture::need(init_truncated_normal(table, 0, static_cast<float>(sigma), -bound, bound, 7));
        picture::axes("", "value");
        picture::histogram("init_truncated_normal", numbers, -4 * sigma, 4 * sigma, density_within);

        picture::figure("The padding row", "Its row is zero, so a padded place adds nothing.");
        init_normal(Matrix<float>(numbers.data(), 12, 24), static_cast<float>(sigma), 7);
        picture::need(zero_padding_row(Matrix<float>(numbers.data(), 12, 24), 5));
        picture::axes("tokens", "channels");
        picture::heat("table with padding_idx 5", Matrix<float>(numbers.data(), 12, 24));
    });
}
