#include "common/picture.h"
#include "contract.h"

#include <vector>

using namespace exercise;

// A text of four words through the table of the statement: six words, three numbers each.
int main() {
    return picture::scene("Looking up four tokens", [] {
        std::vector<float> table{0.2F, -0.4F, 0.9F,  0.8F,  0.7F, -0.3F, -0.5F, 0.1F,  0.4F,
                                 0.9F, 0.6F,  -0.2F, -0.6F, 0.2F, 0.5F,  0.0F,  -0.9F, 0.3F};
        const std::vector<TokenId> ids{2, 5, 2, 1};
        std::vector<float> rows(ids.size() * 3);
        const Matrix<const float> view(table.data(), 6, 3);
        const Matrix<float> out(rows.data(), ids.size(), 3);
        picture::need(lookup(view, ids, out));

        picture::figure(
            "Rows of the table become rows of the text",
            "Each row on the right is a copy of the row of the table that its label names. Equal ids "
            "give equal rows.");
        picture::axes("tokens", "channels");
        picture::heat("embedding table", view);
        picture::heat("out", out, {"id 2", "id 5", "id 2", "id 1"});

        std::vector<float> all(6 * 3);
        const std::vector<TokenId> every{0, 1, 2, 3, 4, 5};
        picture::need(lookup(view, every, {all.data(), 6, 3}));
        picture::figure(
            "Which tokens are alike",
            "Tokens whose rows point in the same direction have a cosine near 1: here 1 and 3, and 2 and "
            "4.");
        picture::neighbours("cosine", Matrix<float>(all.data(), 6, 3));
        picture::map("rows of the table", Matrix<float>(all.data(), 6, 3), {"0", "1", "2", "3", "4", "5"});
    });
}
