// A layer of GPT-2's size: (2, 10) ids become (2, 10, 768) numbers; what it has to learn, and what dropout
// does.
#include "contract.h"

#include <cstdio>
#include <vector>

using namespace exercise;

int main() {
    const InputEmbeddingConfig config;
    const auto layer = make(config, 7);
    for (const TensorInfo& tensor : layer->parameters())
        std::printf("%-4s  (%zu, %zu)  %zu numbers\n", tensor.name, tensor.rows, tensor.cols,
                    tensor.rows * tensor.cols);
    std::printf("in all %zu parameters, %zu bytes\n\n", count(config).parameters,
                count(config).parameter_bytes);

    constexpr std::size_t B = 2, T = 10;
    std::vector<TokenId> ids(B * T);
    for (std::size_t i = 0; i < ids.size(); ++i)
        ids[i] = static_cast<TokenId>(i * 101);
    std::vector<float> out(B * T * config.d_model);
    const auto zeros = [&](const char* mode) {
        layer->forward({ids.data(), B, T}, 0, {out.data(), B, T, config.d_model});
        std::size_t count = 0;
        for (const float value : out)
            count += value == 0 ? 1 : 0;
        std::printf("%-12s (%zu, %zu) -> (%zu, %zu, %zu), %.1f %% zeros, first value %.4f\n", mode, B, T, B,
                    T, config.d_model, 100.0 * static_cast<double>(count) / static_cast<double>(out.size()),
                    static_cast<double>(out[0]));
    };
    zeros("in training");
    zeros("once more");
    layer->set_training(false);
    zeros("in use");
    zeros("once more");
}
