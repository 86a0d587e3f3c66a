#include "common/picture.h"
#include "contract.h"

int main() {
    return picture::scene("Scaled values", [] {
        const std::vector<float> values = picture::numbers(200, 1);
        const picture::OnDevice<float> in(values), out(std::vector<float>(values.size()));
        picture::need(
            exercise::copy_scaled({in.data(), values.size()}, 0.5f, {out.data(), values.size()}, nullptr));
        const std::vector<float> halves = out.read();

        picture::figure("200 values and their halves",
                        "FILL IN: what the eye finds there, or remove the scene");
        picture::axes("rows of 50", "values");
        picture::heat("in", contract::Matrix<const float>(values.data(), 4, 50));
        picture::heat("out", contract::Matrix<const float>(halves.data(), 4, 50));
    });
}
