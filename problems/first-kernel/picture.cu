#include "common/picture.h"
#include "contract.h"

using namespace exercise;

constexpr std::size_t rows = 6, cols = 50; // 300 elements: no multiple of a warp

int main() {
    return picture::scene("One addition a thread", [] {
        std::vector<float> left = picture::numbers(rows * cols, 1), right = picture::numbers(rows * cols, 2);
        const picture::OnDevice<float> tokens(left), positions(right), out(std::vector<float>(rows * cols));
        add({tokens.data(), rows * cols}, {positions.data(), rows * cols}, {out.data(), rows * cols},
            nullptr);
        std::vector<float> sum = out.read();

        picture::figure("300 elements, 50 a row", "No element is missing, the last ones neither.");
        picture::axes("", "elements");
        picture::heat("tokens", contract::Matrix<float>(left.data(), rows, cols));
        picture::heat("positions", contract::Matrix<float>(right.data(), rows, cols));
        picture::heat("sum", contract::Matrix<float>(sum.data(), rows, cols));
    });
}
