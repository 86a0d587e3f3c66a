#include "common/picture.h"
#include "contract.h"

using namespace exercise;

constexpr std::size_t V = 8, C = 5;

int main() {
    return picture::scene("Ids of any shape", [] {
        std::vector<float> table = picture::numbers(V * C, 1);
        const std::vector<std::int32_t> ids{0, 1, 2, 3, 4, 5};
        const auto gathered = [&](const char* name, std::size_t rows, std::size_t cols, std::size_t down,
                                  std::size_t across) {
            StridedIds<std::int32_t> view;
            view.data = ids.data();
            view.rank = 2;
            view.shape[0] = rows;
            view.shape[1] = cols;
            view.stride[0] = down;
            view.stride[1] = across;
            std::vector<float> out(rows * cols * C);
            const Matrix<float> matrix(out.data(), rows * cols, C);
            picture::need(gather32({table.data(), V, C}, view, matrix));
            picture::heat(name, matrix);
        };

        picture::figure(
            "The same six ids, seen through strides",
            "Read row by row the rows come in their order; transposed, every second one first; with a "
            "stride of 0, the same ones again.");
        picture::axes("rows of out", "channels");
        picture::heat("table", Matrix<float>(table.data(), V, C));
        gathered("(3, 2), as stored", 3, 2, 2, 1);
        gathered("(2, 3), transposed", 2, 3, 1, 2);
        gathered("(2, 3), stride 0 down", 2, 3, 0, 1);
    });
}
