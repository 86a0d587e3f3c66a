#include "common/picture.h"
#include "contract.h"

using namespace exercise;

constexpr std::size_t V = 10, W = 12, C = 8, N = 5, R = 2;
constexpr TokenId ignored = -100;

/// Memory with a view of it.
struct Table {
    std::size_t rows, cols;
    std::vector<float> values = std::vector<float>(rows * cols);

    operator Matrix<float>() { return {values.data(), rows, cols}; }
    operator Matrix<const float>() const { return {values.data(), rows, cols}; }
};

void show_logits(const Table& wte) {
    Table logits{V, W};
    picture::need(tied_logits({wte.values.data(), V, C}, wte, V, logits));
    picture::figure("The table as a head",
                    "What comes in is row v of the table itself, so the logit of token v is its length "
                    "squared: above zero in every row. Padding rows have minus infinity.");
    picture::axes("row that comes in", "tokens");
    picture::heat("logits", Matrix<float>(logits));
}

void show_loss(const Table& hidden, const Table& wte) {
    Table logits{N, W}, dlogits{N, W};
    picture::need(tied_logits(hidden, wte, V, logits));
    const std::vector<TokenId> targets{3, 7, ignored, 0, 3};
    picture::need(cross_entropy(logits, targets, ignored, dlogits).status);
    picture::figure("What the loss sends back",
                    "Below zero at the target of each position, above zero elsewhere, and each row adds up "
                    "to zero. The ignored position sends nothing.");
    picture::axes("positions, by their targets", "tokens");
    picture::heat("dlogits", Matrix<float>(dlogits), {"id 3", "id 7", "none", "id 0", "id 3"});
}

void show_both_ends(const Table& hidden) {
    const std::vector<TokenId> ids{2, 5, 2, 8, 5};
    const Table dinput{N, C, picture::numbers(N * C, 4)}, dlogits{N, W, picture::numbers(N * W, 5)};
    const Table nothing_in{N, C}, nothing_out{N, W};
    Table lookup{W, C}, head{W, C}, both{W, C};
    picture::need(table_gradient(ids, dinput, hidden, nothing_out, V, lookup));
    picture::need(table_gradient(ids, nothing_in, hidden, dlogits, V, head));
    picture::need(table_gradient(ids, dinput, hidden, dlogits, V, both));
    picture::figure("One table, two gradients",
                    "The lookup reaches the rows of 2, 5 and 8, which were read. The head reaches every row "
                    "but the two of padding. The table gets the sum.");
    picture::axes("tokens", "channels");
    picture::heat("of the lookup", Matrix<float>(lookup));
    picture::heat("of the head", Matrix<float>(head));
    picture::heat("of both", Matrix<float>(both));
}

void show_factors() {
    Table a{V, R, picture::numbers(V * R, 6)}, b{R, C, picture::numbers(R * C, 7)}, out{V, C};
    std::vector<TokenId> all(V);
    for (std::size_t v = 0; v < V; ++v)
        all[v] = static_cast<TokenId>(v);
    picture::need(factor_gather(a, b, all, out));
    picture::figure("A table of rank 2",
                    "Each row on the right is a mixture of the two rows of b, with the shares that a gives; "
                    "36 numbers make 80.");
    picture::axes("rows", "columns");
    picture::heat("a", Matrix<float>(a));
    picture::heat("b", Matrix<float>(b));
    picture::heat("rows of a b", Matrix<float>(out));
}

int main() {
    return picture::scene("A table used twice, and a table in two parts", [] {
        const Table wte{W, C, picture::numbers(W * C, 1)}, hidden{N, C, picture::numbers(N * C, 2)};
        show_logits(wte);
        show_loss(hidden, wte);
        show_both_ends(hidden);
        show_factors();
    });
}
