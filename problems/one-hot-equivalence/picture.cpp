#include "common/picture.h"
#include "contract.h"

using namespace exercise;

constexpr std::size_t V = 8, C = 6, N = 5;

int main() {
    return picture::scene("A lookup is a product with a one-hot matrix", [] {
        std::vector<float> table = picture::numbers(V * C, 1), hot(N * V), product(N * C), rows(N * C);
        const std::vector<TokenId> ids{2, 7, 2, 0, 5};
        const Matrix<float> onehot(hot.data(), N, V), out(product.data(), N, C), copy(rows.data(), N, C);
        picture::need(onehot_encode(ids, onehot));
        picture::need(onehot_matmul(onehot, {table.data(), V, C}, out));
        picture::need(gather({table.data(), V, C}, ids, copy));

        picture::figure("One-hot times table",
                        "Each row of the one-hot matrix has a single 1, which picks a row.");
        picture::axes("rows", "columns");
        picture::heat("one-hot", onehot);
        picture::heat("table", Matrix<float>(table.data(), V, C));
        picture::heat("product", out);

        for (std::size_t i = 0; i < N * C; ++i)
            product[i] -= rows[i];
        picture::figure("The same without arithmetic",
                        "gather copies the rows; nothing is left of the difference.");
        picture::axes("tokens", "channels");
        picture::heat("gather", copy);
        picture::heat("difference", out);

        std::vector<float> ones(N * C, 1), gradient(V * C);
        picture::need(scatter_add(ids, {ones.data(), N, C}, {gradient.data(), V, C}));
        picture::figure("The way back", "A gradient of ones reaches the rows that were picked: row 2 twice.");
        picture::axes("rows of the table", "channels");
        picture::heat("gradient", Matrix<float>(gradient.data(), V, C));
    });
}
