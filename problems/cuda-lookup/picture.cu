#include "common/picture.h"
#include "contract.h"

using namespace exercise;

constexpr std::size_t V = 10, C = 33, N = 8; // a row is one element longer than a warp

int main() {
    return picture::scene("Rows picked by many threads", [] {
        std::vector<float> rows = picture::numbers(V * C, 1);
        const std::vector<contract::TokenId> text{3, 9, 3, -1, 0, 10, 5, 9};
        const picture::OnDevice<float> table(rows), out(std::vector<float>(N * C));
        const picture::OnDevice<contract::TokenId> ids(text);
        picture::need(lookup({table.data(), V, C, C}, {ids.data(), N}, {out.data(), N, C, C}, nullptr));
        std::vector<float> copies = out.read();

        picture::figure(
            "Eight ids, two of them bad",
            "Each row is a copy of the table's, up to its last element. The rows of the ids -1 and 10, "
            "which no row has, are NaN.");
        picture::axes("rows", "channels");
        picture::heat("table", contract::Matrix<float>(rows.data(), V, C));
        picture::heat("out", contract::Matrix<float>(copies.data(), N, C),
                      {"id 3", "id 9", "id 3", "id -1", "id 0", "id 10", "id 5", "id 9"});
    });
}
