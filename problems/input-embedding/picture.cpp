#include "common/picture.h"
#include "contract.h"

using namespace exercise;

constexpr std::size_t V = 12, P = 16, C = 24, T = 10;

int main() {
    return picture::scene("An embedding layer at work", [] {
        InputEmbeddingConfig config;
        config.vocab_size = V;
        config.d_model = C;
        config.max_positions = P;
        config.dropout = 0.2F;
        config.padding_idx = 0;
        const auto module = make(config, 7);
        const std::vector<TokenId> ids{3, 5, 3, 8, 1, 5, 11, 3, 0, 0};
        const Ids2D text(ids.data(), 1, T);
        std::vector<float> train(T * C), run(T * C), dout(T * C, 1), dwte(V * C), dwpe(P * C);
        module->set_training(false);
        picture::need(module->forward(text, 0, {run.data(), 1, T, C}));
        module->set_training(true);
        picture::need(module->forward(text, 0, {train.data(), 1, T, C}));
        picture::need(module->backward({dout.data(), 1, T, C}));
        picture::need(module->gradient("wte", {dwte.data(), V, C}));
        picture::need(module->gradient("wpe", {dwpe.data(), P, C}));

        picture::figure("Forward, in use and in training",
                        "In training a fifth of the values is dropped, and the others grow by a quarter.");
        picture::axes("tokens", "channels");
        picture::heat("in use", Matrix<float>(run.data(), T, C));
        picture::heat("in training", Matrix<float>(train.data(), T, C));

        picture::figure(
            "The gradient after one backward call",
            "Tokens that do not occur get nothing, the padding token 0 neither; where a value was "
            "dropped, nothing passes.");
        picture::axes("rows of the tables", "channels");
        picture::heat("wte", Matrix<float>(dwte.data(), V, C));
        picture::heat("wpe", Matrix<float>(dwpe.data(), P, C));
    });
}
