#include "common/picture.h"
#include "contract.h"

int main() {
    return picture::scene("Scaled values", [] {
        const std::vector<float> in = picture::numbers(64, 1);
        std::vector<float> out(in.size());
        picture::need(exercise::copy_scaled(in, 0.5f, out));

        picture::figure("64 values and their halves",
                        "FILL IN: what the eye finds there, or remove the scene");
        picture::axes("", "values");
        picture::heat("in", contract::Matrix<const float>(in.data(), 1, in.size()));
        picture::heat("out", contract::Matrix<const float>(out.data(), 1, out.size()));
    });
}
